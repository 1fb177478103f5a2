"""How far an emulation reaches and how long it lasts: frames, workers, navigations, a killed worker, clients that leave."""

from typing import Any

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launcher
from e2e.emulation.emulated import Watched, watch
from e2e.site import Site
from e2e.worker import Idleness, attached, purposes_of
from polling import until

ZONE = "Intl.DateTimeFormat().resolvedOptions().timeZone"
SEEN = f"[{ZONE}, (1.5).toLocaleString(), navigator.language, navigator.userAgent, matchMedia('print').matches, navigator.onLine, navigator.maxTouchPoints]"
EMULATED = ["Asia/Tokyo", "1,5", "de-DE", "Reader/1.0", True, True, 5]
FETCH = "fetch('/echo').then(() => true, () => false)"


def emulate_all(tabwire: Tabwire, **more: Any) -> None:
    tabwire.ok("device", custom={"user_agent": "Reader/1.0", "has_touch": True}, **more)
    tabwire.ok("emulate", timezone="Asia/Tokyo", locale="de-DE", media="print", **more)


def back_to_real(tabwire: Tabwire, **more: Any) -> None:
    tabwire.ok("device", **more)
    tabwire.ok("emulate", **more)


def now(tabwire: Tabwire) -> Any:
    """Read by Tabwire itself: a second DevTools session would end some of it with each document."""
    return tabwire.ok("evaluate", expression=SEEN).data


def frame(browser: Browser, url: str) -> Watched:
    return Watched(browser, browser.shown().frame(url.rsplit("/", 1)[1]).target_id)


def test_frames_of_other_sites_see_the_same(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    """Those that are there, those in them, and those that come, from their first script on."""
    deep = site.page("<h1>Deep</h1>")
    inner = site.cross_page(f"<h1>Inner</h1><iframe src='{deep}'></iframe>")
    tabwire.open(site.page(f"<h1>Top</h1><iframe src='{inner}'></iframe>"))
    there = frame(browser, inner)
    real = there.evaluate(SEEN)
    emulate_all(tabwire)
    assert there.evaluate(SEEN) == EMULATED
    assert there.evaluate("frames.length") == 1
    late = site.cross_page(f"<script>first = {SEEN}</script>")
    assert watch(browser, "/inline/").evaluate(
        f"new Promise((r) => {{ const f = document.createElement('iframe'); f.onload = () => r(true); f.src = '{late}'; document.body.append(f) }})"
    )
    assert frame(browser, late).evaluate("first") == EMULATED
    assert tabwire.ok("evaluate", expression=ZONE, frameId=frame_id(tabwire, browser, late)).data == "Asia/Tokyo"
    assert there.evaluate(SEEN) == EMULATED, "evaluating in a frame has not ended it"
    back_to_real(tabwire)
    assert there.evaluate(SEEN) == real


def frame_id(tabwire: Tabwire, browser: Browser, url: str) -> int:
    """The number by which tools and the browser name a frame of the current tab."""
    (tab,) = [tab["tabId"] for tab in tabwire.tabs() if tab["current"]]
    frames = browser.in_worker(f"chrome.webNavigation.getAllFrames({{tabId: {tab}}})")
    (number,) = [found["frameId"] for found in frames if found["url"] == url]
    return int(number)


def test_a_frame_that_goes_does_not_take_the_others_time_zone_along(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inner = [site.cross_page(f"<h1>Inner {number}</h1>") for number in (1, 2)]
    tabwire.open(site.page("".join(f"<iframe src='{url}'></iframe>" for url in inner)))
    emulate_all(tabwire)
    second = frame(browser, inner[1])
    assert second.evaluate(SEEN) == EMULATED
    watch(browser, "/inline/").evaluate("document.querySelector('iframe').remove()")
    until(lambda: len(browser.targets("iframe")), equals=1, within=5)
    until(lambda: second.evaluate(SEEN), equals=EMULATED, within=2)


def test_frames_of_one_site_in_two_tabs_share_a_clock_and_the_reply_says_so(
    tabwire: Tabwire, site: Site, browser: Browser
) -> None:
    inner = [site.cross_page(f"<h1>Inner {number}</h1>") for number in (1, 2)]
    tabs = [tabwire.ok("tab_new", url=site.page(f"<iframe src='{url}'></iframe>")).data["tabId"] for url in inner]
    first = tabwire.ok("emulate", timezone="Asia/Tokyo", tabId=tabs[0])
    assert "note" not in first.data
    second = tabwire.ok("emulate", timezone="Europe/Rome", tabId=tabs[1])
    assert second.data["page"]["timezone"] == "Europe/Rome"
    there = frame(browser, inner[1]).evaluate(ZONE)
    assert (there == "Europe/Rome") != (site.cross_origin in second.data.get("note", ""))


def test_frames_and_workers_are_offline_too(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    site.serve(
        "/worker.js",
        "onmessage = () => fetch('/echo').then(() => postMessage(true), () => postMessage(false))",
        "text/javascript",
    )
    inner = site.cross_page("<h1>Inner</h1>")
    url = site.page(f"<iframe src='{inner}'></iframe><script>worker = new Worker('/worker.js')</script>")
    tabwire.open(url)
    ask = "new Promise((r) => { worker.onmessage = (e) => r(e.data); worker.postMessage(1) })"
    top, there = watch(browser, url), frame(browser, inner)
    tabwire.ok("emulate", offline=True)
    assert [top.evaluate(ask), there.evaluate(FETCH), there.evaluate("navigator.onLine")] == [False, False, False]
    tabwire.ok("emulate")
    assert [top.evaluate(ask), there.evaluate(FETCH), there.evaluate("navigator.onLine")] == [True, True, True]


def test_a_page_with_a_service_worker_is_offline_too(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    worker = "onactivate = (e) => e.waitUntil(clients.claim()); onfetch = (e) => e.respondWith(fetch(e.request))"
    site.serve("/app/worker.js", worker, "text/javascript")
    tabwire.open(site.serve("/app/page.html", "<!doctype html><h1>App</h1>"))
    page = watch(browser)
    claimed = "new Promise((r) => { navigator.serviceWorker.oncontrollerchange = () => r(true) })"
    assert page.evaluate(f"(() => {{ const p = {claimed}; navigator.serviceWorker.register('/app/worker.js'); return p }})()")
    assert page.evaluate(FETCH) is True
    tabwire.ok("emulate", offline=True)
    assert page.evaluate(FETCH) is False
    tabwire.ok("emulate", offline=False)
    assert page.evaluate(FETCH) is True
    page.evaluate("navigator.serviceWorker.getRegistration('/app/').then((found) => found.unregister())")


def test_an_emulation_lasts_through_navigations(tabwire: Tabwire, site: Site) -> None:
    """To another site (another process), a reload, and back."""
    first, second = site.page(f"<script>first = {SEEN}</script>"), site.cross_page(f"<script>first = {SEEN}</script>")
    tabwire.open(first)
    emulate_all(tabwire)
    tabwire.ok("viewport", width=345, height=456)
    emulated = [*EMULATED[:6], 0]
    for tool, arguments in (("navigate", {"url": second}), ("reload", {}), ("back", {}), ("forward", {})):
        tabwire.ok(tool, **arguments)
        assert now(tabwire) == emulated, tool
        assert tabwire.ok("evaluate", expression="innerWidth").data == 345, tool
        if tool != "back":
            assert tabwire.ok("evaluate", expression="first").data == emulated, tool


def test_a_frames_site_that_becomes_the_page_keeps_its_time_zone(tabwire: Tabwire, site: Site) -> None:
    inner = site.cross_page("<h1>Inner</h1>")
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe>"))
    emulate_all(tabwire)
    tabwire.open(inner)
    until(lambda: now(tabwire), equals=EMULATED, within=3)


def test_a_killed_worker_goes_on_where_it_was(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inner = site.cross_page(f"<script>first = {SEEN}</script>")
    url = site.page("<h1>Page</h1>")
    tabwire.open(url)
    page = watch(browser, url)
    real = page.evaluate(SEEN)
    emulate_all(tabwire)
    browser.stop_workers()
    assert page.evaluate(SEEN) == EMULATED
    add = f"new Promise((r) => {{ const f = document.createElement('iframe'); f.onload = () => r(true); f.src = '{inner}'; document.body.append(f) }})"
    assert page.evaluate(add)
    assert frame(browser, inner).evaluate("first") == EMULATED
    assert tabwire.ok("emulate", color_scheme="dark").data["emulated"]["timezone"] == "Asia/Tokyo"
    browser.stop_workers()
    back_to_real(tabwire)
    assert page.evaluate(SEEN) == real


def test_a_popup_is_not_emulated_but_shares_the_clock_of_its_process(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inner = site.page("<h1>Popup</h1>")
    tabwire.open(site.page(f"<a target=_blank rel=opener href='{inner}'>Open</a>"))
    tabwire.ok("viewport", width=345, height=456)
    emulate_all(tabwire)
    tabwire.ok("click", selector="a")
    until(lambda: inner in [tab["url"] for tab in tabwire.tabs()], within=3)
    (popup,) = [tab["tabId"] for tab in tabwire.tabs() if tab["url"] == inner]
    assert watch(browser, inner).evaluate(
        "[innerWidth === 345, navigator.userAgent === 'Reader/1.0', matchMedia('print').matches]"
    ) == [
        False,
        False,
        False,
    ]
    reply = tabwire.fails("emulate", timezone="Europe/Rome", media="print", tabId=popup)
    assert (reply.code, "opened the other" in reply.text) == ("unsupported_operation", True)
    assert watch(browser, inner).evaluate("matchMedia('print').matches") is False, "nothing of a call that fails is done"
    tabwire.ok("emulate", media="print", tabId=popup)


def test_in_the_users_browser_the_debugger_stays_as_long_as_the_emulation(joiner: Launcher, site: Site) -> None:
    joined = joiner.fresh(site)
    url = site.page("<h1>Page</h1>")
    joined.tabwire.open(url)
    script = "[innerWidth, devicePixelRatio]"
    real = joined.browser.shown().evaluate(script)
    emulated = next(tab["tabId"] for tab in joined.tabwire.tabs() if tab["url"] == url)
    with Idleness(joined.browser) as idleness:
        joined.tabwire.ok("viewport", width=345, height=456, device_scale_factor=2)
        joined.tabwire.ok("geolocation", latitude=1, longitude=2)
        joined.tabwire.ok("geolocation", clear=True)
        assert joined.browser.shown().evaluate(script) == [345, 2]
        joined.tabwire.ok("permissions", permissions=[{"name": "camera", "state": "granted"}])
        # An attachment made later, which nobody uses, is over: so is the time of one without emulation.
        other = joined.tabwire.ok("tab_new", url=url, active=False).data["tabId"]
        joined.tabwire.ok("hover", selector="h1", tabId=other)
        assert attached(joined.browser) == 2
        idleness.end()
        until(lambda: attached(joined.browser), equals=1, within=6)
        assert joined.browser.shown().evaluate(script) == [345, 2]
        joined.tabwire.ok("viewport", width=0, height=0, tabId=emulated)
        assert joined.browser.shown().evaluate(script) == real
        until(lambda: attached(joined.browser), equals=0, within=6)


def test_nothing_is_left_of_an_emulation_when_its_tab_is_closed(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tab = tabwire.ok("tab_new", url=site.page("<h1>Page</h1>"), active=False).data["tabId"]
    emulate_all(tabwire, tabId=tab)
    tabwire.ok("geolocation", latitude=1, longitude=2, tabId=tab)
    tabwire.ok("tab_close", tabId=tab)
    left = "chrome.storage.session.get(null).then((all) => Object.keys(all).filter((key) => key.startsWith('emulation.')).length)"
    until(lambda: browser.in_worker(left), equals=0, within=2)
    assert purposes_of(browser, tab) == []
