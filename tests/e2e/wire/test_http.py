"""`tabwire serve --http`: several clients work through one bridge, which runs as a service and ends when it is told to."""

import contextlib
import signal
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from e2e.cdp import Browser
from e2e.site import Site
from e2e.wire.http_bridge import HttpBridge
from polling import side_by_side
from programs import environment, ran_here
from tabwire.server.http import MAX_CONNECTIONS, MAX_SESSIONS
from tabwire.server.stdin import MAX_LINE_BYTES

LAUNCH = ("--launch", "--headless", "--browser-arg=--remote-debugging-port=0")
MODES = ("legacy", "2026-07-28")
TOKEN = "a-token-of-this-test-alone"


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpBridge]:
    """A bridge whose token is given to it, and the browser that it has launched."""
    work = tmp_path_factory.mktemp("http")
    options = (*LAUNCH, "--profile", str(work / "profile"), "--log-level", "debug")
    bridge = HttpBridge(work, *options, TABWIRE_HTTP_TOKEN=TOKEN)
    yield bridge
    bridge.close()


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpBridge]:
    """A bridge without a browser, which makes a token of its own."""
    bridge = HttpBridge(tmp_path_factory.mktemp("lone"), "--log-level", "debug")
    yield bridge
    bridge.close()


@pytest.mark.parametrize("mode", MODES)
def test_a_client_works_in_the_browser_in_either_era(bridge: HttpBridge, site: Site, mode: str) -> None:
    client = bridge.client(mode=mode)
    client.ok("tab_new", url=site.page("<button onclick='document.title = this.textContent'>Pressed</button>"))
    client.ok("click", selector=client.ref("button", "Pressed"))
    assert "Pressed" in client.ok("title").text
    assert client.ok("screenshot").images
    assert client.fails("click", selector="@e999").code == "no_such_element"


def test_two_clients_share_the_bridge_and_the_browser_is_told_of_both(bridge: HttpBridge, site: Site) -> None:
    browser = Browser.of_profile(bridge.log.parent / "profile")
    one, two = bridge.client(name="One", mode="legacy"), bridge.client(name="Two", mode="2026-07-28")
    one.ok("tab_new", url=site.page("", "Shared"))
    assert "Shared" in two.ok("title").text
    title = browser.in_worker("chrome.action.getTitle({})")
    browser.close()
    assert "One, Two" in title or "One" in title and "Two" in title
    assert title.endswith("over HTTP")


def test_calls_of_two_clients_do_not_wait_for_each_other(bridge: HttpBridge, site: Site) -> None:
    slow, quick = bridge.client(name="Slow"), bridge.client(name="Quick")
    slow.ok("tab_new", url=site.page(""))
    site.hold("/gate/slow")
    waiting = slow.start("evaluate", expression="fetch('/gate/slow').then(() => 1)")
    site.wait_for(lambda site: site.hit_count("/gate/slow"))
    assert not quick.call("tab_list").is_error
    assert not waiting.done()
    site.let_go("/gate/slow")
    assert not waiting.result(10).is_error


def test_a_message_may_be_as_long_as_on_stdio_and_no_longer(bridge: HttpBridge, site: Site) -> None:
    client = bridge.client()
    client.ok("tab_new", url=site.page(""))
    assert client.ok("evaluate", expression=f"{'x' * 6_000_000!r}.length").data == 6_000_000
    assert bridge.ask(body=" " * (MAX_LINE_BYTES + 1))[0] == 413


def test_the_token_is_in_no_log(bridge: HttpBridge) -> None:
    bridge.client().ok("tab_list")
    bridge.ask(Authorization="Bearer not-the-right-one")
    log = bridge.log.read_text()
    assert "DEBUG" in log
    assert bridge.token not in log
    assert "not-the-right-one" not in log


def test_a_token_of_its_own_is_in_a_file_that_nobody_else_reads_and_in_no_log(lone: HttpBridge) -> None:
    assert Path(lone.place).stat().st_mode & 0o777 == 0o600
    assert lone.client(mode="legacy").tools()
    lone.ask(Authorization="Bearer not-the-right-one")
    log = lone.log.read_text()
    assert "DEBUG" in log and lone.token not in log


def end_at_once(work: Path, number: signal.Signals) -> None:
    """Ends a bridge by a signal while a call and a connection are open."""
    with contextlib.closing(HttpBridge(work, is_forked=False)) as bridge:
        client = bridge.client(mode="legacy")
        call = client.start("tab_list")
        with socket.create_connection(("127.0.0.1", bridge.port)) as silent:
            silent.sendall(b"GET /mcp HTTP/1.1\r\n")
            code, seconds = bridge.end(number)
        call.cancel()
        assert code == 0
        assert seconds < 5
        assert bridge.process.stdout is not None
        assert bridge.process.stdout.read() == b""
        assert list((work / "home/run").glob("*.json")) == []
        assert "Traceback" not in bridge.log.read_text()


def test_a_signal_ends_it_at_once_whatever_is_open(tmp_path: Path) -> None:
    numbers = (signal.SIGTERM, signal.SIGINT)
    side_by_side({number.name: partial(end_at_once, tmp_path / number.name, number) for number in numbers})


def test_a_session_more_than_there_may_be_ends_the_one_that_was_idle_for_longest(lone: HttpBridge) -> None:
    first, second = lone.client(mode="legacy"), lone.client(mode="legacy")
    assert first.tools() and second.tools()
    assert [lone.ask()[0] for _ in range(2 * MAX_SESSIONS)] == [200] * 2 * MAX_SESSIONS
    # These listen for messages of the server's, and so are not idle.
    assert first.tools() and second.tools()
    # The newer protocol has no sessions.
    assert lone.client(mode="2026-07-28").tools()


def test_connections_without_the_token_keep_nobody_out(lone: HttpBridge) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(MAX_CONNECTIONS + 50):
            silent = stack.enter_context(socket.create_connection(("127.0.0.1", lone.port)))
            silent.sendall(b"POST /mcp HTTP/1.1\r\n")
        assert lone.ask()[0] == 200
        assert lone.client(mode="legacy").tools()


def refused_at_start(folder: Path, port: str, token: str) -> str:
    """What such a bridge says when it ends with code 2 and leaves nothing."""
    done = ran_here("serve", "--http", port, env=environment(folder, TABWIRE_HTTP_TOKEN=token), cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("tabwire: ") and len(done.stderr.splitlines()) == 1
    assert not list(folder.iterdir())
    return done.stderr


@pytest.mark.timeout(30)
def test_a_taken_port_ends_with_code_2_and_the_next_step(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = str(other.getsockname()[1])
        assert f"Port {taken} of 127.0.0.1 is taken" in refused_at_start(tmp_path, taken, "")


@pytest.mark.timeout(30)
def test_a_bad_token_ends_with_code_2_and_the_next_step(tmp_path: Path) -> None:
    assert "openssl rand" in refused_at_start(tmp_path, "0", "short")


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_the_launched_browser_ends_with_it_and_never_sees_the_token(bridge: HttpBridge) -> None:
    # The last test with this bridge: it ends here.
    bridge.client().ok("tab_list")
    work = bridge.log.parent
    folder = str(work / "profile").encode()
    found = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and folder in _read(entry / "cmdline")]
    browsers = [entry for entry in found if int(entry.name) != bridge.process.pid]
    assert browsers
    assert not any(TOKEN.encode() in _read(entry / "environ") for entry in browsers)
    assert bridge.end()[0] == 0
    assert not any(folder in _read(entry / "cmdline") for entry in browsers)
    assert not (work / "home/http-token").exists()
