"""What a client has set up in its tabs for longer ends when the client leaves, and what others have set up there does not."""

from typing import Any

from e2e.conftest import Join, Joined
from e2e.emulation.emulated import watch
from e2e.emulation.test_emulation_life import FETCH, SEEN
from e2e.media.test_record import kept_frames
from e2e.site import Site
from e2e.worker import Absence, attached, purposes_of
from polling import until

CAMERA = "navigator.permissions.query({ name: 'camera' }).then((found) => found.state)"
EMULATED = ["Asia/Tokyo", "1,5", "de-DE", "Reader/1.0"]


def test_a_client_that_leaves_takes_along_what_it_has_set_up_and_nothing_else(own: Joined, join: Join, site: Site) -> None:
    leaving, staying = join(), own.tabwire
    browser, url, other = own.browser, site.page("<h1>Held</h1>"), site.page("<h1>Emulated</h1>")
    emulated = leaving.ok("tab_new", url=other).data["tabId"]
    held = leaving.ok("tab_new", url=url).data["tabId"]
    page, far = browser.at(url), watch(browser, other)
    real = far.evaluate(SEEN)
    leaving.ok("route", action="add", url_pattern="**/echo", handler="abort")
    leaving.ok("capture", action="start")
    leaving.ok("record", action="start")
    leaving.ok("permissions", permissions=[{"name": "camera", "state": "granted"}])
    leaving.ok("emulate", timezone="Asia/Tokyo", locale="de-DE", tabId=emulated)
    device = {"custom": {"user_agent": "Reader/1.0"}, "tabId": emulated}
    assert staying.fails("device", **device).code == "tab_leased"
    assert staying.fails("record", action="stop", tabId=held).code == "tab_leased"

    def seen() -> dict[str, Any]:
        return {
            "holds": purposes_of(browser, held),
            "route": page.evaluate(FETCH),
            "frames of the recording": kept_frames(browser) > 0,
            "permission": page.evaluate(CAMERA),
            # The page that is watched from outside counts as well.
            "attached": attached(browser),
        }

    before = {
        "holds": ["capture", "recording", "route"],
        "route": False,
        "frames of the recording": True,
        "permission": "granted",
        "attached": 2,
    }
    with Absence(browser) as absence:
        leaving.kill()
        # Its tab is free at once; what it has set up lasts a little longer, for a client that only lost its connection.
        until(lambda: not staying.call("device", **device).is_error, within=3)
        assert seen() == before
        assert far.evaluate(SEEN)[:4] == EMULATED
        absence.end()
        ended = {"holds": [], "route": True, "frames of the recording": False, "permission": "prompt", "attached": 1}
        until(seen, equals=ended)
        until(lambda: far.evaluate(SEEN)[:4], equals=[*real[:3], "Reader/1.0"], within=5)
    staying.ok("device", tabId=emulated)
    assert far.evaluate(SEEN) == real
    assert staying.ok("record", action="status", tabId=held).data == {"recording": False}
