"""Several browsers at once: which one a call goes to, and that it never goes to another."""

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.ui.own_pages import ask_extension
from polling import until

TOLD = {"notifications/tools/list_changed", "ToolsListChanged"}
"""How the older and the newer protocol say that the list of tools has changed."""
FIRST_TAB_ID = 4711
RETURNED_WITHIN_S = 30
"""A browser that ended or whose extension is reloaded comes back."""


class Owned:
    """A browser with a name, and what its owner sees of it without Tabwire."""

    def __init__(self, work: Path, home: Path, url: str) -> None:
        # Chrome counts on from here: so tabs of different browsers have the same ids.
        (work / "profile").mkdir(parents=True)
        (work / "profile" / "Local State").write_text(json.dumps({"session_id_generator_last_value": str(FIRST_TAB_ID)}))
        self.chromium = PlainChromium(work, url, home=home)

    def ask(self, **message: Any) -> Any:
        """What the extension answers to its popup."""
        return ask_extension(self.chromium.browser, **message)

    @property
    def id(self) -> str:
        return str(self.ask(type="status")["browser"]["id"])

    def shows(self, title: str) -> bool:
        """Whether a tab has that title."""
        return any(target["title"] == title for target in self.chromium.browser.targets("page"))


class Two:
    """Two browsers that are paired with the same bridges: "Work" and "Play"."""

    def __init__(self, work: Path, site: Site) -> None:
        self.folder = work
        self.home = work / "home"
        with ThreadPoolExecutor() as both:
            start = [both.submit(Owned, work / name, self.home, site.url("/blank.html")) for name in ("Work", "Play")]
            self.work, self.play = (owned.result(60) for owned in start)
        self._bridges: list[Tabwire] = []
        self.knowing: list[Tabwire] = []
        """Bridges that hear of new names."""
        self.name()

    def name(self) -> None:
        self.work.ask(type="rename", name="Work")
        self.play.ask(type="rename", name="Play")

    def restore(self) -> None:
        self.name()
        for bridge in self.knowing:
            for name in ("Work", "Play"):
                until(lambda name=name, bridge=bridge: not bridge.call("tab_list", browser=name).is_error)

    def serve(self, *args: str, mode: str = "auto", **env: str) -> Tabwire:
        bridge = Tabwire(
            list(args), {"TABWIRE_HOME": str(self.home), **env}, self.folder / f"bridge{len(self._bridges)}", mode=mode
        )
        self._bridges.append(bridge)
        return bridge

    def end_bridges(self) -> None:
        while self._bridges:
            self._bridges.pop().close()

    def close(self) -> None:
        self.end_bridges()
        self.work.chromium.close()
        self.play.chromium.close()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Two]:
    two = Two(tmp_path_factory.mktemp("browsers"), running_site)
    yield two
    two.close()


@pytest.fixture
def two(both: Two) -> Iterator[Two]:
    yield both
    both.end_bridges()


def joined(two: Two, name: str, *args: str) -> Iterator[Tabwire]:
    """A bridge that both browsers have joined."""
    bridge = Tabwire(list(args), {"TABWIRE_HOME": str(two.home)}, two.folder / name)
    # Left running it would keep a port of the window that the tests of this process share.
    try:
        for browser in ("Work", "Play"):
            bridge.until_joined(RETURNED_WITHIN_S, browser=browser)
        two.knowing.append(bridge)
        yield bridge
    finally:
        bridge.close()


@pytest.fixture(scope="module")
def shared(both: Two) -> Iterator[Tabwire]:
    yield from joined(both, "shared")


@pytest.fixture(scope="module")
def bound(both: Two) -> Iterator[Tabwire]:
    yield from joined(both, "bound", "--browser", "play")


def is_refused_with_the_list(reply: Reply) -> bool:
    return reply.code == "invalid_argument" and "Work" in reply.text and "Play" in reply.text and "`browser`" in reply.text


# ---- who is meant -------------------------------------------------------------------------------------------------------


def test_a_call_that_names_no_browser_is_refused_with_the_list_and_does_nothing(two: Two, shared: Tabwire, site: Site) -> None:
    reply = shared.fails("tab_new", url=site.page("", "Nowhere"))
    assert is_refused_with_the_list(reply), reply
    assert {browser["id"] for browser in reply.data["browsers"]} == {two.work.id, two.play.id}
    assert not two.work.shows("Nowhere") and not two.play.shows("Nowhere")


def test_a_call_goes_to_the_browser_it_names_by_name_or_id(two: Two, shared: Tabwire, site: Site) -> None:
    shared.ok("tab_new", url=site.page("", "At work"), browser="Work")
    shared.ok("tab_new", url=site.page("", "At play"), browser=two.play.id)
    assert (two.work.shows("At work"), two.play.shows("At work")) == (True, False)
    assert (two.work.shows("At play"), two.play.shows("At play")) == (False, True)
    assert shared.ok("title", browser=" work ").data == {"title": "At work"}
    assert shared.ok("title", browser=two.play.id).data == {"title": "At play"}


def test_a_name_that_nobody_has_is_refused_soon_with_those_there_are(two: Two, shared: Tabwire) -> None:
    reply = shared.fails("title", browser="Garden")
    assert reply.code == "not_connected"
    assert "'Garden'" in reply.text and "Work" in reply.text and "Play" in reply.text
    assert reply.elapsed_ms < 4000


def test_a_reply_says_which_browser_it_is_from(shared: Tabwire) -> None:
    listed = shared.ok("tab_list", browser="Play")
    assert listed.text.endswith("\nBrowser: Play")
    assert listed.structured["browser"] == "Play"
    assert shared.ok("title", browser="Work").structured["browser"] == "Work"


@pytest.mark.parametrize("named", ["", "  ", 7, None, ["Work"]])
def test_what_is_no_name_is_refused_for_what_it_is(shared: Tabwire, named: Any) -> None:
    reply = shared.fails("title", browser=named)
    assert reply.text.startswith("invalid_argument: title: 'browser': the name or id of a browser")


def test_an_unknown_argument_is_told_that_browser_is_a_valid_one(shared: Tabwire) -> None:
    assert "Valid arguments: tabId, browser" in shared.fails("title", tab=1, browser="Work").text


def test_tabs_of_two_browsers_with_the_same_id_are_not_compared(two: Two, shared: Tabwire, site: Site) -> None:
    tabs = {name: {tab["tabId"] for tab in shared.ok("tab_list", browser=name).data["tabs"]} for name in ("Work", "Play")}
    (tab, *_) = sorted(tabs["Work"] & tabs["Play"])
    for name in ("Work", "Play"):
        shared.ok("navigate", url=site.page(f"<button>{name} one</button><p>of {name}</p>", name), tabId=tab, browser=name)
        shared.ok("snapshot", tabId=tab, browser=name)
    change = "document.body.append(Object.assign(document.createElement('button'), {textContent: 'new'}))"
    shared.ok("evaluate", expression=change, tabId=tab, browser="Play")
    at_work = shared.ok("snapshot", tabId=tab, diff=True, browser="Work").text
    assert at_work.startswith("No changes since the last snapshot")
    at_play = shared.ok("snapshot", tabId=tab, diff=True, browser="Play").text
    assert [line for line in at_play.splitlines() if line.startswith("+")] == [
        line for line in at_play.splitlines() if "new" in line
    ][1:]
    assert "Work" not in at_play


def test_an_act_is_compared_with_its_own_browser(shared: Tabwire, site: Site) -> None:
    for name in ("Work", "Play"):
        shared.ok("tab_new", url=site.page(f"<button onclick=\"this.after('{name} was clicked')\">Go</button>"), browser=name)
        shared.ok("snapshot", browser=name)
    reply = shared.ok("click", selector="role:button", diff=True, browser="Work")
    assert "Work was clicked" in reply.text and "Play" not in reply.text


def test_calls_of_two_clients_at_the_same_time_do_not_mix(shared: Tabwire, bound: Tabwire, site: Site) -> None:
    bridges = [shared, bound]
    for number, bridge in enumerate(bridges):
        for name in ("Work", "Play"):
            bridge.ok("tab_new", url=site.page("", f"{name} {number}"), browser=name)
    begun = [
        (f"{name} {number}", bridge.start("title", browser=name))
        for _ in range(15)
        for number, bridge in enumerate(bridges)
        for name in ("Work", "Play")
    ]
    assert [reply.result(20).data["title"] for _, reply in begun] == [title for title, _ in begun]


# ---- set by configuration -----------------------------------------------------------------------------------------------


def test_a_browser_set_by_configuration_takes_the_calls_that_name_none(bound: Tabwire, two: Two, site: Site) -> None:
    reply = bound.ok("tab_new", url=site.page("", "Set"))
    assert reply.structured["browser"] == "Play"
    assert (two.play.shows("Set"), two.work.shows("Set")) == (True, False)
    assert bound.ok("tab_list", browser="Work").structured["browser"] == "Work"


# ---- names --------------------------------------------------------------------------------------------------------------


def test_a_new_name_reaches_the_bridge_at_once_on_the_same_connection(two: Two, shared: Tabwire) -> None:
    try:
        told = two.work.ask(type="rename", name="  The\n quiet \t one " + "x" * 80)
        assert told["name"] == ("The quiet one " + "x" * 80)[:60]
        renamed = until(lambda: shared.call("tab_list", browser=told["name"]), lambda reply: not reply.is_error, within=3)
        assert renamed.structured["browser"] == told["name"]
        earlier = shared.start("tab_list", browser="Work")
        assert two.work.ask(type="rename", name=" ")["name"].startswith("Chromium ")
        assert earlier.result(10).code == "not_connected"
    finally:
        two.restore()


def test_two_browsers_of_one_name_are_told_apart_by_their_ids(two: Two, shared: Tabwire) -> None:
    try:
        two.play.ask(type="rename", name="Work")
        reply = until(lambda: shared.call("tab_list", browser="Work"), lambda reply: reply.is_error, within=3)
        assert reply.code == "invalid_argument"
        assert f"Work (id {two.work.id})" in reply.text and f"Work (id {two.play.id})" in reply.text
        assert f"id {two.work.id}" in shared.fails("tab_list").text
        assert shared.ok("tab_list", browser=two.play.id).structured["browser"] == f"Work (id {two.play.id})"
    finally:
        two.restore()


# ---- coming and going ---------------------------------------------------------------------------------------------------


def test_a_worker_that_is_being_restarted_does_not_leave_its_calls_to_the_other_browser(two: Two, shared: Tabwire) -> None:
    two.work.chromium.browser.stop_workers()
    assert is_refused_with_the_list(shared.fails("tab_list"))
    returned = shared.start("tab_list", browser="Work")
    while not returned.done():
        assert is_refused_with_the_list(shared.fails("tab_list"))
    assert returned.result().structured["browser"] == "Work"


def test_the_identity_outlives_a_reload_of_the_extension(two: Two, shared: Tabwire) -> None:
    before = two.work.id
    two.work.chromium.browser.in_worker("void setTimeout(() => chrome.runtime.reload())")
    shared.until_joined(RETURNED_WITHIN_S, browser=before)
    assert shared.ok("tab_list", browser=before).structured["browser"] == "Work"


def tools_without_play(two: Two) -> dict[str, tuple[Tabwire, dict[str, Any]]]:
    """For each protocol a new bridge, which knows one browser alone, and the tools that it lists."""
    found = {}
    for mode in ("legacy", "2026-07-28"):
        bridge = two.serve(mode=mode)
        tools = bridge.tools()
        bridge.until_joined(RETURNED_WITHIN_S)
        assert not any("browser" in tool.input_schema.get("properties", {}) for tool in tools.values())
        assert "browser" not in bridge.ok("tab_list").structured
        assert "browser" not in bridge.fails("title", tab=1).text
        found[mode] = bridge, tools
    return found


def test_a_browser_that_ends_fails_its_calls_and_no_others_and_is_itself_when_it_returns_which_changes_the_list_of_tools(
    two: Two, shared: Tabwire, bound: Tabwire, site: Site
) -> None:
    before = two.play.id
    bound.ok("tab_new", url=site.page("", "At work"), browser="Work")
    shared.ok("tab_new", url=site.page("", "At play"), browser="Play")
    reading = shared.start("wait", **{"for": "text", "text": "never", "timeout": 20_000, "browser": "Play"})
    acting = shared.start("evaluate", expression="window.begun = true, new Promise(() => {})", browser="Play")
    two.play.chromium.browser.shown().wait_for("window.begun")
    two.play.chromium.send_signal(signal.SIGKILL)
    until(lambda: shared.call("title"), is_refused_with_the_list, within=RETURNED_WITHIN_S)
    elsewhere = bound.start("title")
    assert bound.ok("title", browser="Work").data == {"title": "At work"}
    alone = tools_without_play(two)
    # The calls wait for it, as long as it might be coming back.
    while wait([acting, reading], timeout=0.1).not_done:
        assert bound.ok("title", browser="Work").data == {"title": "At work"}
    assert (acting.result().code, reading.result().code) == ("outcome_unknown", "not_connected")
    gone, unnamed = shared.start("title", browser="Play"), shared.fails("title")
    named = gone.result(10)
    assert "'Play' was connected and is gone; connected: Work" in named.text
    assert named.is_error and named.elapsed_ms < 4000
    assert "'Play' that this client used is gone; connected: Work" in unnamed.text
    assert elsewhere.result(15).code == "not_connected", "a bound bridge takes no other browser"
    shared.ok("tab_list", browser="Work")
    assert shared.ok("tab_list").structured["browser"] == "Work", "the client has chosen it"
    with alone["2026-07-28"][0].listening():
        two.play.chromium.restart()
        for bridge, _ in alone.values():
            until(lambda bridge=bridge: TOLD & set(bridge.heard), within=RETURNED_WITHIN_S)
    for bridge, tools in alone.values():
        now = bridge.tools()
        assert list(now) == list(tools)
        assert all("browser" in tool.input_schema["properties"] for tool in now.values())
        assert is_refused_with_the_list(bridge.fails("tab_list"))
    bound.until_joined(RETURNED_WITHIN_S)
    assert bound.ok("tab_list", browser=before).structured["browser"] == "Play"
    assert is_refused_with_the_list(shared.fails("tab_list"))


# ---- one identity twice -------------------------------------------------------------------------------------------------


def is_of_a_copy(refused: dict[str, Any]) -> bool:
    return "another browser with the same identity is connected; it has probably a copied profile" in refused["reason"]


def test_a_copied_profile_is_told_why_it_is_not_joined_and_can_become_a_browser_of_its_own(two: Two) -> None:
    two.play.chromium.browser.in_worker(f"chrome.storage.local.set({{browser_id: {json.dumps(two.work.id)}}})")
    two.play.chromium.browser.stop_workers()
    bridge = two.serve()
    # Bridges of other keys may be running on this computer: they are refused, too.
    until(
        lambda: any(is_of_a_copy(entry) for owned in (two.work, two.play) for entry in owned.ask(type="status")["refused"]),
        within=RETURNED_WITHIN_S,
    )
    fresh = two.play.ask(type="newIdentity")
    assert fresh["id"] != two.work.id and fresh["name"].startswith("Chromium ")
    two.name()
    for name in ("Work", "Play"):
        bridge.until_joined(40, browser=name)
