"""Captures, answers and recordings that the browser has handed over and no file can take; logins read from files."""

from __future__ import annotations

import base64
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from bridge.fake_engine import FakeEngine, Surface
from tabwire.errors import InvalidArgument, UnsupportedOperation
from tabwire.surfaces.agent.auth_states import AuthStates
from tabwire.surfaces.shared.files import Files

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a name")
pytestmark = pytest.mark.anyio

REQUEST = {"method": "GET", "url": "https://a.example/", "type": "document", "started": 1_700_000_000_000}
STOPPED = {
    "tabId": 1,
    "capturing": False,
    "since": 1_700_000_000_000,
    "requests": [REQUEST],
    "trace": {"chunks": [base64.b64encode(b"gz").decode()]},
}


def surface(tmp_path: Path, engine: FakeEngine) -> Surface:
    """Files whose artifacts folder cannot be made: a file has its name."""
    (tmp_path / "artifacts").write_text("in the way")
    (tmp_path / "mine").mkdir()
    return Surface("agent", engine, files=Files(tmp_path / "artifacts", [tmp_path / "mine"]))


async def test_a_capture_whose_file_cannot_be_written_any_more_is_told_all_the_same(tmp_path: Path) -> None:
    wanted = tmp_path / "mine" / "a.har"

    class Engine(FakeEngine):
        async def send(self, method: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
            # Somebody takes the name while the capture stops.
            wanted.write_text("theirs")
            return await super().send(method, params, **more)

    used = surface(tmp_path, Engine({"network.capture": STOPPED}))
    result = await used.run("capture", action="stop", har_path=str(wanted))
    assert [one["url"] for one in result["requests"]] == ["https://a.example/"]
    assert "path" not in result and wanted.read_text() == "theirs"
    assert f"{wanted} exists" in result["note"] and "could not be saved" in result["note"]
    assert "could not be saved" in result["trace"]["note"]


async def test_an_answer_that_cannot_be_saved_is_no_failed_request(tmp_path: Path) -> None:
    answer = {"status": 200, "url": "https://a.example/", "headers": {}, "body": "x" * 200_000}
    used = surface(tmp_path, FakeEngine({"network.request": answer}))
    result = await used.run("request", url="https://a.example/", method="POST", body="order")
    assert result["status"] == 200 and len(result["body"]) == 4_000
    assert "(200,000 bytes) could not be saved" in result["note"]


async def test_a_recording_that_cannot_be_saved_is_kept(tmp_path: Path) -> None:
    stopped = {
        "recording": "r1", "mode": "auto_capture", "format": "gif", "fps": 5, "frames": 1, "elapsed_ms": 10,
        "save_path": str(tmp_path / "mine" / "a.gif"),
    }  # fmt: skip
    engine = FakeEngine({"media.record": stopped})
    used = surface(tmp_path, engine)
    (tmp_path / "mine" / "a.gif").write_text("theirs")
    with pytest.raises(InvalidArgument, match="is kept: call stop again with another save_path"):
        await used.run("record", action="stop")
    assert engine.methods == ["media.record"], "it is not discarded"


@posix
@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_a_login_is_read_from_a_regular_file_only(tmp_path: Path, kind: str) -> None:
    states = AuthStates(tmp_path / "auth")
    states.save("other", [])
    path = states.path("work")
    {"pipe": lambda: os.mkfifo(path), "link": lambda: path.symlink_to(states.path("other")), "folder": path.mkdir}[kind]()
    with pytest.raises((InvalidArgument, UnsupportedOperation), match="folder|regular files"):
        states.load("work")
    assert "other" in [summary.name for summary in states.all()]
