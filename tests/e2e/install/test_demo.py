"""`tabwire demo`: the main job in the bundled app, told by its exit code and its transcript."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from e2e.site import Site
from e2e.wire.http_bridge import HttpClient
from programs import command, environment, ran_here

pytestmark = pytest.mark.slow


def demo(home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return ran_here("demo", "--headless", *args, env=environment(home), cwd=home)


def test_the_demo_does_the_main_job_and_with_keep_lets_others_into_its_browser(tmp_path: Path) -> None:
    environ = environment(tmp_path, PYTHONUNBUFFERED="1")
    words = command("demo", "--headless", "--keep")
    process = subprocess.Popen(words, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        printed = ""
        while "\n}\n" not in printed and (line := process.stdout.readline()):
            printed += line
        assert re.search(r'-> click \{"selector": "@e\d+"\} \(link "Order"\) +[\d.]+ ms', printed)
        assert "PASSED" in printed and "WRONG" not in printed
        entry = json.loads(printed[printed.index("\n{\n") :])["mcpServers"]["tabwire"]
        token = entry["headers"]["Authorization"].removeprefix("Bearer ")
        other = HttpClient(entry["url"], token, tmp_path / "log", name="other")
        (address,) = re.findall(r"The app is at (\S+),", printed)
        assert address in other.ok("tab_list").text
        other.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


def test_the_demo_prints_the_snapshot_of_any_page(tmp_path: Path, running_site: Site) -> None:
    done = demo(tmp_path, "--url", running_site.url("/status/200"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'heading "Status 200"' in done.stdout


def test_the_demo_fails_when_the_page_cannot_be_reached(tmp_path: Path) -> None:
    done = demo(tmp_path, "--url", "http://127.0.0.1:9/")
    assert done.returncode == 1
    assert "FAILED" in done.stdout
