"""Incognito windows: cookies and states of their own, and no request with the cookies of the ordinary ones."""

from e2e.site import Site
from e2e.storage.conftest import Incognito
from e2e.storage.test_auth_state import SECRET, jar, signed_in


def test_incognito_windows_have_cookies_of_their_own(incognito: Incognito, site: Site) -> None:
    bridge = incognito.tabwire
    bridge.open(site.page("<script>localStorage.clear()</script>", headers={"Set-Cookie": "sid=ordinary"}))
    ordinary = bridge.ok("auth_state", action="save", name="ordinary").data
    window = bridge.ok("window_new", url=signed_in(site), incognito=True).data
    assert bridge.ok("cookies", action="get", name="sid").data["cookie"]["value"] == SECRET
    bridge.ok("cookies", action="set", name="only", value="here")
    assert [cookie["name"] for cookie in jar(incognito.browser)] == ["sid"], "ordinary windows have none of this"
    saved = bridge.ok("auth_state", action="save", name="private", origins=[site.origin, site.cross_origin]).data
    assert saved["origins"][0] == {"origin": site.origin, "cookies": 2, "local_storage": 2}
    assert "no incognito tab shows" in saved["failed"][0]["cause"], "no ordinary frame may stand in"
    assert ordinary["origins"] == [{"origin": site.origin, "cookies": 1, "local_storage": 0}]
    bridge.ok("auth_state", action="load", name="ordinary", tabId=window["tabId"])
    assert bridge.ok("cookies", action="get", name="sid").data["cookie"]["value"] == "ordinary"
    bridge.ok("cookies", action="clear", domain="127.0.0.1")
    assert bridge.ok("cookies", action="get_all").data["cookies"] == []
    assert [cookie["value"] for cookie in jar(incognito.browser)] == ["ordinary"]


def test_an_incognito_tab_is_not_asked_for_with_the_ordinary_cookies(incognito: Incognito, site: Site) -> None:
    bridge = incognito.tabwire
    tab = bridge.ok("window_new", url=site.page("<link rel=icon href='data:,'>"), incognito=True).data["tabId"]
    reply = bridge.fails("request", url="/echo", tabId=tab)
    assert (reply.code, site.hit_count("/echo")) == ("unsupported_operation", 0)
    bridge.ok("capture", action="start", include_bodies=True, tabId=tab)
    bridge.ok("evaluate", expression="fetch('/echo').then((r) => r.text())", tabId=tab)
    (entry,) = bridge.ok("capture", action="stop", tabId=tab).data["requests"]
    assert "/echo" in entry["body"]
