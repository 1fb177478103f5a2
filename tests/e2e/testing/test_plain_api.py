"""The Python API for test authors in a real browser: `tabwire.testing` outside pytest's fixtures."""

import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.processes import processes_of, until_ended
from e2e.site import Site
from tabwire.errors import NoSuchElement, NotConnected, OutcomeUnknown, TabwireError, Timeout, UnsupportedOperation
from tabwire.testing import Bridge, Tabwire, launch

FORM = """<form method=post action=/post enctype=multipart/form-data><label>Name <input name=name></label>
<label>File <input type=file name=file></label><button>Send</button></form>"""


@pytest.fixture(scope="module")
def bridge() -> Iterator[Bridge]:
    with tempfile.TemporaryDirectory(prefix="tw") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", folder)
        with Bridge() as bridge:
            yield bridge
        # Nothing is left the moment it has ended.
        assert (list(Path(folder).iterdir()), processes_of(Path(folder))) == ([], [])


@pytest.fixture(scope="module")
def browser(bridge: Bridge) -> Iterator[Tabwire]:
    with bridge.launch(use_pool=False) as browser:
        yield browser
    with pytest.raises(NotConnected):
        browser.title()


@pytest.fixture
def page(browser: Tabwire, site: Site) -> Tabwire:
    browser.navigate(site.page(FORM))
    browser.calls.clear()
    return browser


def test_a_form_is_filled_and_arrives(page: Tabwire, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.txt").write_text("read me", encoding="utf-8")
    page.fill("label:Name", "Ann")
    page.upload("label:File", [Path("note.txt")])
    assert page.click("role:button[name=Send]").effects["navigated"]
    assert site.wait_for_post("/post").form == {"name": "Ann"}
    assert [(upload.filename, upload.content) for upload in site.uploads] == [("note.txt", b"read me")]
    assert page.url().data == {"url": site.url("/post")}


def test_files_are_named_from_where_the_test_runs(page: Tabwire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.txt").write_text("read me", encoding="utf-8")
    page.upload("label:File", ["note.txt"])
    read = "document.querySelector('[type=file]').files[0].text()"
    assert page.evaluate(read, await_promise=True).data == "read me"
    Path("page.png").write_text("of an earlier run", encoding="utf-8")
    page.screenshot(save_path="page.png")
    assert Path("page.png").read_bytes().startswith(b"\x89PNG")
    assert page.screenshot().image.content.startswith(b"\x89PNG")


def test_a_failure_is_an_exception_of_its_class_that_names_the_call(page: Tabwire) -> None:
    with pytest.raises(NoSuchElement) as caught:
        page.click("@e999")
    assert caught.value.code == "no_such_element"
    assert caught.value.__notes__ == ["Call: click(selector='@e999')"]
    assert caught.value.__cause__ is None
    frames = [frame.name for frame in caught.traceback]
    assert frames == ["test_a_failure_is_an_exception_of_its_class_that_names_the_call", "run", "call", "call", "run"]


def test_the_calls_are_remembered_with_their_outcome(page: Tabwire) -> None:
    page.fill("label:Name", "Ann")
    with pytest.raises(TabwireError):
        page.call("click", selector="@e999")
    with pytest.raises(TabwireError, match="no tool 'clik'. Tools: snapshot"):
        page.call("clik")
    assert [(call.tool, call.arguments, call.error) for call in page.calls] == [
        ("fill", "selector='label:Name', value='Ann'", None),
        ("click", "selector='@e999'", "no_such_element"),
        ("clik", "", "invalid_argument"),
    ]
    assert page.calls[0].outcome.startswith("Fill a field")
    assert page.calls[0].at <= page.calls[1].at


def test_a_limit_ends_a_call(page: Tabwire) -> None:
    with pytest.raises(Timeout, match=r"no answer within 0\.2 s"):
        page.call("evaluate", expression="new Promise(() => {})", await_promise=True, limit_s=0.2)
    assert page.evaluate("1 + 1").data == 2


class Interrupted(Exception):
    """What a time limit of a test raises."""


def test_an_interrupted_call_is_withdrawn(page: Tabwire, site: Site) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise Interrupted

    def when_it_is_under_way() -> None:
        until_ended(lambda: site.hit_count("/hang") > 0, says="the page is asked for")
        signal.pthread_kill(main, signal.SIGUSR1)

    main = threading.get_ident()
    before = signal.signal(signal.SIGUSR1, interrupt)
    watcher = threading.Thread(target=when_it_is_under_way)
    watcher.start()
    try:
        started = time.monotonic()
        with pytest.raises(Interrupted):
            page.navigate(site.url("/hang"))
        assert time.monotonic() - started < 20
    finally:
        watcher.join()
        signal.signal(signal.SIGUSR1, before)
    page.navigate(site.page("<h1>Next</h1>"))
    assert 'heading "Next"' in page.snapshot()
    assert [call.error for call in page.calls] == ["Interrupted", None, None]


def test_two_browsers_are_two_visitors_and_each_call_goes_to_its_own(bridge: Bridge, browser: Tabwire, site: Site) -> None:
    with bridge.launch(use_pool=False) as other:
        for one, name in ((browser, "first"), (other, "second")):
            one.navigate(site.page("<h1>Here</h1>", title=name))
            one.evaluate(f"document.cookie = 'who={name}'")
        assert [one.title().data["title"] for one in (browser, other)] == ["first", "second"]
        assert [one.evaluate("document.cookie", sanitize=False).data for one in (browser, other)] == ["who=first", "who=second"]
        assert "Browser:" not in browser.snapshot()
        assert other.ended is None
        assert other.id != browser.id
        browser.evaluate("document.cookie = 'who=; max-age=0'")


def test_a_browser_that_was_killed_says_so_at_once(bridge: Bridge) -> None:
    with bridge.launch(use_pool=False) as other:
        os.kill(int(other.where.removeprefix("process ")), signal.SIGKILL)
        started = time.monotonic()
        with pytest.raises((NotConnected, OutcomeUnknown), match="SIGKILL"):
            while True:
                other.evaluate("1")
        assert time.monotonic() - started < 20
        until_ended(lambda: other.ended is not None, says="the end is known")
        assert "SIGKILL" in str(other.ended)


def test_a_browser_without_webdriver_says_how_to_get_one(browser: Tabwire) -> None:
    with pytest.raises(UnsupportedOperation, match=r"launch\(driver=True\)"):
        _ = browser.driver


def test_a_kept_profile_can_be_had_again(bridge: Bridge, site: Site, tmp_path: Path) -> None:
    page, profile = site.page("<h1>Here</h1>"), tmp_path / "profile"
    with bridge.launch(profile=profile) as first:
        first.navigate(page)
        first.evaluate("localStorage.here = 'was'")
    with pytest.raises(NotConnected):
        first.title()
    with bridge.launch(profile=profile) as second:
        second.navigate(page)
        assert second.evaluate("localStorage.here").data == "was"


def test_one_browser_with_a_bridge_of_its_own_leaves_nothing(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, profile = site.page("<h1>Here</h1>"), tmp_path / "profile"
    with tempfile.TemporaryDirectory(prefix="tw") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        with launch(profile=profile) as browser:
            browser.navigate(page)
            assert 'heading "Here"' in browser.snapshot()
            assert list(Path(folder).iterdir()) and processes_of(profile)
        browser.close()
        assert list(Path(folder).iterdir()) == []
        assert processes_of(Path(folder)) == processes_of(profile) == []
        with pytest.raises(NotConnected, match="closed"):
            browser.snapshot()
