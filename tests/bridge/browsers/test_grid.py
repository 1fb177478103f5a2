"""What a Selenium Grid's answers mean, and launches that cannot be; no browser is started."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import pytest

from launching import stage_of
from polling import until_async
from tabwire.browsers import grid
from tabwire.browsers.endpoint import Endpoint
from tabwire.browsers.running import LaunchOptions
from tabwire.errors import InvalidArgument, SessionNotCreated, TabwireError, UnsupportedOperation
from tabwire.install import extension_files

pytestmark = pytest.mark.anyio


class FakeGrid:
    """Answers as it is told: path → status and body."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {}
        self.headers: list[dict[str, str]] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                fake.headers.append(dict(self.headers))
                status, body = fake.answers.get(self.path, (404, {"value": {"error": "unknown command"}}))
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                """The test's output is its own."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def fake() -> Iterator[FakeGrid]:
    fake = FakeGrid()
    yield fake
    fake.close()


async def refusal(tmp_path: Path, options: LaunchOptions) -> TabwireError:
    """How a launch fails."""
    async with stage_of(tmp_path) as stage:
        with pytest.raises(TabwireError) as caught:
            await stage.launcher.launch(options)
    return caught.value


ANSWERS = {
    "alive": (200, {"value": {"implicit": 0}}, "alive"),
    "the browser is gone": (404, {"value": {"error": "invalid session id", "message": "invalid session id"}}, "ended"),
    "the node is gone": (
        500,
        {"value": {"error": "unknown error", "message": "Unable to …: Connection error (GET …)"}},
        "unreachable",
    ),
    "a question that was not understood": (500, {"value": {"error": "unknown error", "message": "Content-Type …"}}, "unknown"),
    "a proxy's page": (502, b"<html>Bad gateway</html>", "unknown"),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_only_a_clear_answer_says_that_a_session_is_gone(fake: FakeGrid, case: str) -> None:
    status, body, state = ANSWERS[case]
    fake.answers["/session/s1/timeouts"] = (status, body)
    assert Endpoint(fake.url).session_state("s1")[0] == state


def test_a_grid_that_does_not_answer_says_nothing_of_its_sessions(fake: FakeGrid) -> None:
    fake.close()
    state, reason = Endpoint(fake.url).session_state("s1")
    assert state == "unknown"
    assert "refused" in reason


def test_user_and_password_go_to_the_grid_and_are_shown_to_nobody(fake: FakeGrid) -> None:
    endpoint = Endpoint(f"http://anna:s%40cret@127.0.0.1:{fake.port}/")
    endpoint.ask("/status")
    assert fake.headers[0]["Authorization"] == "Basic YW5uYTpzQGNyZXQ="
    assert endpoint.url == fake.url


@pytest.mark.parametrize("url", ["grid:4444", "ftp://127.0.0.1", "http://"])
def test_what_is_no_url_of_a_grid_is_refused(url: str) -> None:
    with pytest.raises(InvalidArgument, match="http://192.0.2.7:4444"):
        Endpoint(url)


def test_the_extension_is_packed_with_one_top_folder(tmp_path: Path) -> None:
    folder = extension_files.write_to(tmp_path / "copy")
    with zipfile.ZipFile(BytesIO(grid.packed(folder))) as archive:
        names = archive.namelist()
        assert {name.partition("/")[0] for name in names} == {"tabwire"}
        assert archive.read("tabwire/manifest.json") == (folder / "manifest.json").read_bytes()
        assert len(names) == sum(path.is_file() for path in folder.rglob("*"))


async def test_no_grid_at_the_address_is_said(tmp_path: Path, fake: FakeGrid) -> None:
    fake.close()
    error = await refusal(tmp_path, LaunchOptions(grid=fake.url, use_pool=False))
    assert isinstance(error, SessionNotCreated)
    assert f"No Selenium Grid answers at {fake.url}" in str(error)


@pytest.mark.parametrize(
    ("status", "says"), [({"ready": True}, "is no Selenium Grid"), ({"ready": False, "nodes": []}, "has no nodes")]
)
async def test_what_answers_but_can_start_nothing_is_said(
    tmp_path: Path, fake: FakeGrid, status: dict[str, Any], says: str
) -> None:
    fake.answers["/status"] = (200, {"value": status})
    error = await refusal(tmp_path, LaunchOptions(grid=fake.url, use_pool=False))
    assert isinstance(error, SessionNotCreated)
    assert says in str(error)


async def test_a_grid_elsewhere_needs_an_address_of_ours(tmp_path: Path) -> None:
    error = await refusal(tmp_path, LaunchOptions(grid="http://anna:secret@192.0.2.7:4444", use_pool=False))
    assert isinstance(error, UnsupportedOperation)
    assert "--listen HOST:PORT" in str(error)
    assert "secret" not in str(error)


@pytest.mark.parametrize(("options", "says"), [({"profile": "work"}, "kept profile"), ({"anti_detect": True}, "anti_detect")])
async def test_what_a_grid_cannot_do_is_refused(tmp_path: Path, fake: FakeGrid, options: dict[str, Any], says: str) -> None:
    error = await refusal(tmp_path, LaunchOptions(grid=fake.url, use_pool=False, **options))
    assert isinstance(error, UnsupportedOperation)
    assert says in str(error)
    assert not fake.headers


class Session:
    """What of a driver is needed without a browser."""

    session_id = "s1"


def browser_on(fake: FakeGrid, look_seconds: float = 0.01) -> grid.GridBrowser:
    return grid.GridBrowser(Session(), Endpoint(fake.url), "http://192.0.2.9:5555", look_seconds)


async def test_a_session_is_asked_for_often_enough_that_its_node_does_not_call_it_idle(fake: FakeGrid) -> None:
    nodes = [{"sessionTimeout": 300_000}, {"sessionTimeout": 12_000}, {}]
    fake.answers["/status"] = (200, {"value": {"nodes": nodes}})
    assert grid.look_seconds(Endpoint(fake.url)) == 4
    fake.answers["/status"] = (200, {"value": {"nodes": nodes[:1]}})
    assert grid.look_seconds(Endpoint(fake.url)) == grid.LOOK_SECONDS


async def test_a_session_is_asked_for_until_it_has_ended(fake: FakeGrid) -> None:
    fake.answers["/session/s1/timeouts"] = ANSWERS["alive"][:2]
    how: list[str] = []

    async def watch() -> None:
        how.append(await browser_on(fake).ended())

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            await until_async(lambda: len(fake.headers) >= 5, within=20)
            assert not how
            fake.answers["/session/s1/timeouts"] = ANSWERS["the browser is gone"][:2]
    assert how == ["The browser's session on the Grid has ended (http://192.0.2.9:5555, session s1)."]


async def test_one_failed_connection_to_a_node_ends_nothing(fake: FakeGrid) -> None:
    fake.answers["/session/s1/timeouts"] = ANSWERS["the node is gone"][:2]
    state = browser_on(fake)._state

    async def wakes_up() -> tuple[str, str]:
        told = await state()
        fake.answers["/session/s1/timeouts"] = ANSWERS["alive"][:2]
        return told

    browser = browser_on(fake)
    browser._state = wakes_up  # type: ignore[method-assign]
    with anyio.move_on_after(0.3) as time_left:
        await browser.ended()
    assert time_left.cancelled_caught


async def test_a_lost_browser_of_a_silent_grid_may_come_back_for_a_while(fake: FakeGrid, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.close()
    browser = browser_on(fake)
    assert await browser.is_alive() is None
    monkeypatch.setattr(grid, "LOST_SECONDS", 0)
    assert "the Grid does not answer" in str(await browser.is_alive())


async def test_a_driver_that_is_gone_is_told_from_a_node_that_is_gone(fake: FakeGrid) -> None:
    gone = "Connection error (GET http://localhost:15812/session/s1/timeouts)"
    for message, says in (
        (gone, "The browser's driver on its node of the Grid has ended"),
        (gone.replace("localhost:15812", "192.0.2.9:5555"), "The browser is lost with its node of the Grid"),
    ):
        fake.answers["/session/s1/timeouts"] = (500, {"value": {"error": "unknown error", "message": message}})
        assert str(await browser_on(fake).is_alive()).startswith(says)
