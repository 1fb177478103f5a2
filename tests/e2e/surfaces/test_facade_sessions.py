"""The facade's browsers: launched ones and the user's own, and which of them calls go to."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import Joined
from e2e.site import Site


@pytest.fixture
def bridge(own: Joined, tmp_path: Path) -> Iterator[Tabwire]:
    """A facade for the user's own browser."""
    bridge = Tabwire(["--toolset", "facade", "--pool", "0"], {"TABWIRE_HOME": str(own.home)}, tmp_path)
    yield bridge
    bridge.close()


def test_a_browser_is_launched_used_and_terminated_beside_the_users_own(own: Joined, bridge: Tabwire, site: Site) -> None:
    def call(tool: str, **arguments: Any) -> Reply:
        return bridge.start(tool, **arguments).result(60)

    def ok(tool: str, **arguments: Any) -> dict[str, Any]:
        reply = call(tool, **arguments)
        assert not reply.is_error, reply
        return reply.structured

    shown = own.browser.shown().url
    theirs = ok("browser_navigate", action="goto", url=site.page("<p>In the user's own"))
    assert own.browser.shown().url == shown, "the tab in front stays"
    (mine,) = ok("browser_session", action="list")["data"]["instances"]
    assert mine["kind"] == "connected" and mine["active"]
    refused = call("browser_session", action="terminate", instance_id=mine["instance_id"])
    assert refused.is_error and "user's own" in refused.text

    launched = ok("browser_session", action="launch", headless=True)
    assert ok("browser_session", action="get_active")["instance_id"] == launched["instance_id"] != mine["instance_id"]
    assert len(ok("browser_session", action="list")["data"]["instances"]) == 2
    ok("browser_navigate", action="goto", url=site.page("<p>In the launched one"))
    assert ok("browser_extract", action="get_text")["text"] == "p: In the launched one"
    assert ok("browser_extract", action="get_text", browser=mine["instance_id"])["text"] == "p: In the user's own"

    process = int(launched["data"]["where"].split()[-1])
    ended = ok("browser_session", action="terminate", instance_id=launched["instance_id"])
    assert (ended["data"]["status"], os.path.exists(f"/proc/{process}")) == ("terminated", False)
    assert ok("browser_navigate", action="get_url")["url"] == theirs["url"], "calls go on in the one that is left"
    again = call("browser_session", action="terminate", instance_id=launched["instance_id"])
    assert again.is_error and again.structured["data"]["code"] == "invalid_argument"
