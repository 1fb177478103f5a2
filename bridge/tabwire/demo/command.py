"""``tabwire demo``: starts the app, the server and its browser, tells the story, and checks the app's own state."""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, TextIO

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from tabwire.demo.app import DemoApp
from tabwire.demo.kept_server import KeptServer, kept_server
from tabwire.demo.story import EXPECTED, STEPS
from tabwire.demo.transcript import DemoFailed, Transcript

LOOPBACK = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def main(argv: list[str] | None = None) -> int:
    """Runs the command by itself."""
    return run(parser().parse_args(argv))


def parser() -> argparse.ArgumentParser:
    """Options of the command, with their help."""
    declared = argparse.ArgumentParser(prog="tabwire demo", description="Drive a bundled web app and check what came of it.")
    window = declared.add_mutually_exclusive_group()
    window.add_argument("--headless", action="store_true", help="no window (the default where there is no display)")
    window.add_argument("--headed", action="store_true", help="show the window")
    declared.add_argument("--url", help="snapshot this page instead of telling the story")
    declared.add_argument("--keep", action="store_true", help="leave browser and server up until Ctrl-C")
    return declared


def run(options: argparse.Namespace) -> int:
    """Runs the demo; 0 when all of it worked."""
    headless = not options.headed and (options.headless or not _has_display())
    with tempfile.TemporaryDirectory(prefix="tabwire-demo-") as work:
        log_path = Path(work) / "server.log"
        try:
            with DemoApp() as app, log_path.open("w") as log:
                return asyncio.run(_session(options, app, headless, log))
        except KeyboardInterrupt:
            return 0 if options.keep else 130
        except (DemoFailed, MCPError, OSError, ExceptionGroup) as error:
            print(f"\nFAILED: {_reason(error)}", flush=True)
            print("Server log, last lines:\n" + "\n".join(log_path.read_text("utf-8", "replace").splitlines()[-20:]))
            return 1


async def _session(options: argparse.Namespace, app: DemoApp, headless: bool, log: TextIO) -> int:
    args = ["-m", "tabwire", "serve", "--launch", *(["--headless"] if headless else [])]
    started = time.perf_counter()
    if options.keep:
        async with kept_server(args, log) as kept:
            code = await _run(options, app, kept.client, f"over HTTP, ready in {_ms_since(started)} ms")
            await _keep(kept)
            return code
    server = StdioServerParameters(command=sys.executable, args=args, env=dict(os.environ))
    async with Client(stdio_client(server, log)) as client:
        return await _run(options, app, client, f"over stdio, ready in {_ms_since(started)} ms")


async def _run(options: argparse.Namespace, app: DemoApp, client: Client, how: str) -> int:
    who = client.server_info
    print(f"{f'{who.name} {who.version}' if who else 'the server'} {how}")
    transcript = Transcript(client)
    return await (_show(transcript, options.url) if options.url else _tell(transcript, app))


def _ms_since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)


async def _show(transcript: Transcript, url: str) -> int:
    await transcript.call("navigate", url=url)
    await transcript.snapshot(show=sys.maxsize)
    return 0


async def _tell(transcript: Transcript, app: DemoApp) -> int:
    print(f"The app is at {app.url}, its state at {app.url}/state")
    for step in STEPS:
        transcript.heading((step.__doc__ or step.__name__).rstrip("."))
        await step(transcript, app)
    transcript.heading("Check against the app's own state")
    with LOOPBACK.open(f"{app.url}/state", timeout=5) as answer:
        is_right = _check(json.load(answer))
    times = transcript.times_ms
    print(f"\n{len(times)} calls, median {statistics.median(times):.1f} ms, {sum(times) / 1000:.1f} s in all")
    print("PASSED" if is_right else "FAILED: the app's state is not what the story should have made it")
    return 0 if is_right else 1


def _check(state: dict[str, Any]) -> bool:
    for key, expected in EXPECTED.items():
        mark = "ok    " if state.get(key) == expected else "WRONG "
        print(f"{mark} {key}: {json.dumps(state.get(key), ensure_ascii=False)}")
    return all(state.get(key) == expected for key, expected in EXPECTED.items())


async def _keep(server: KeptServer) -> None:
    print("\nBrowser, server and app stay up until Ctrl-C. To let an MCP client work in this browser, paste:")
    print(json.dumps({"mcpServers": {"tabwire": server.entry}}, indent=2), flush=True)
    await asyncio.Event().wait()


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}" if not isinstance(error, DemoFailed) else str(error)
