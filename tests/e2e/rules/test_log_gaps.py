"""Acts while the event log cannot be written: said once and counted, or refused where a log is required."""

import shutil
from pathlib import Path

from e2e.plain import PlainChromium
from e2e.site import Site
from programs import environment, ran_here
from tabwire.eventlog import reader
from tabwire.eventlog.writer import GAP

PAGE = "<script>globalThis.pressed = 0</script><button onclick='pressed += 1'>Go</button>"
NOTE = "the event log cannot be written: Not a directory"


def block(home: Path) -> None:
    """The folder of the log is gone, and a file is in its place: nothing can be written below it."""
    shutil.rmtree(home / "events")
    (home / "events").write_text("in the way")


def test_an_act_that_no_log_takes_is_done_said_once_and_counted(plain: PlainChromium, site: Site) -> None:
    bridge = plain.join()
    bridge.ok("tab_new", url=site.page(PAGE))
    page = plain.browser.shown()
    block(plain.home)
    first, second = (bridge.ok("click", selector="text:Go") for _ in range(2))
    assert NOTE in first.text and "Calls are in no log until that is mended; tell the user" in first.text
    assert NOTE not in second.text and page.evaluate("pressed") == 2
    assert NOTE in bridge.ok("status").data["event_log"]

    (plain.home / "events").unlink()
    assert "log" not in bridge.ok("click", selector="text:Go").text and page.evaluate("pressed") == 3
    missing = bridge.ok("status").data["event_log"]
    assert "are lost, which its next line says" in missing
    bridge.close()
    (path,) = reader.files(plain.home / "events")
    (gap,) = [entry.event for entry in reader.entries(path) if entry.event["event"] == GAP]
    # Two clicks, and what was in the file that is gone: the tab that was opened.
    assert gap["acts"] == 3 and f"{gap['lines']} lines of this program" in missing
    verified = ran_here("log", "verify", env=environment(plain.home), cwd=plain.work)
    assert verified.returncode == 1 and f"{gap['lines']} lines could not be written, 3 of them" in verified.stdout


def test_where_a_log_is_required_nothing_is_done_without_one(plain: PlainChromium, site: Site) -> None:
    (plain.home / "config.toml").write_text("[log]\nrequired = true\n")
    bridge = plain.join()
    bridge.ok("tab_new", url=site.page(PAGE))
    page = plain.browser.shown()
    bridge.ok("click", selector="text:Go")
    block(plain.home)
    # A wait acts only if it waits for a script.
    waits = {"for": "function", "function": "() => { pressed += 1; return true }"}
    for tool, arguments in (
        ("click", {"selector": "text:Go"}),
        ("evaluate", {"expression": "pressed += 1"}),
        ("wait", waits),
        ("tab_new", {}),
    ):
        refused = bridge.fails(tool, **arguments)
        assert refused.code == "permission_denied" and NOTE in refused.text and "nothing was done" in refused.text
    assert page.evaluate("pressed") == 1 and len(plain.browser.pages()) == 2
    assert "Go" in bridge.snapshot()
    bridge.ok("wait", **{"for": "selector", "selector": "text:Go"})
    (plain.home / "events").unlink()
    bridge.ok("click", selector="text:Go")
    assert page.evaluate("pressed") == 2
