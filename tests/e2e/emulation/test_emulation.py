"""viewport, device, emulate: what the page, its frames and the site make of them. The page's own word is the proof."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.emulation.emulated import Watched, watch
from e2e.site import Site
from polling import until

MOBILE_READY = "<meta name=viewport content='width=device-width, initial-scale=1'><h1>Page</h1>"
SIZE = "[innerWidth, innerHeight]"
RATIO = "devicePixelRatio"
TOUCH = "[navigator.maxTouchPoints > 0, matchMedia('(pointer: coarse)').matches]"
ZONE = "Intl.DateTimeFormat().resolvedOptions().timeZone"
ORIENTATION = "[screen.orientation.type, screen.orientation.angle]"


@pytest.fixture
def page(browser: Browser) -> Watched:
    return watch(browser)


def matches(query: str) -> str:
    return f"matchMedia('{query}').matches"


VIEWPORTS: dict[str, tuple[dict[str, Any], str, Any]] = {
    "width and height": ({"width": 500, "height": 400}, SIZE, [500, 400]),
    "the screen is as large": ({"width": 500, "height": 400}, "[screen.width, screen.height]", [500, 400]),
    "the pixel ratio": ({"width": 500, "height": 400, "device_scale_factor": 2.5}, RATIO, 2.5),
    "the pixel ratio is 1 by default": ({"width": 500, "height": 400}, RATIO, 1),
    "a mouse by default": ({"width": 500, "height": 400}, TOUCH, [False, False]),
    "a touch screen": ({"width": 500, "height": 400, "has_touch": True}, TOUCH, [True, True]),
    "upright": ({"width": 400, "height": 500, "is_mobile": True}, ORIENTATION, ["portrait-primary", 0]),
    "a phone turned": (
        {"width": 400, "height": 500, "is_mobile": True, "is_landscape": True},
        ORIENTATION,
        ["landscape-primary", 90],
    ),
    "turned it is wider": ({"width": 400, "height": 500, "is_landscape": True}, SIZE, [500, 400]),
    "what is wide stays so": ({"width": 500, "height": 400, "is_landscape": True}, SIZE, [500, 400]),
    "a wide one need not be turned": ({"width": 500, "height": 400}, ORIENTATION, ["landscape-primary", 0]),
}


def test_a_viewport_is_what_the_page_finds(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page(MOBILE_READY))
    for case, (arguments, script, expected) in VIEWPORTS.items():
        tabwire.ok("viewport", **arguments)
        assert page.evaluate(script) == expected, case


def test_a_mobile_viewport_lays_out_pages_that_were_not_made_for_it_wide(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Wide</h1>"))
    reply = tabwire.ok("viewport", width=400, height=500, is_mobile=True)
    assert page.evaluate("innerWidth") == reply.data["page"]["width"] == 980
    assert "viewport meta" in reply.data["note"]
    tabwire.ok("viewport", width=400, height=500)
    assert page.evaluate("innerWidth") == 400


def test_touch_handlers_are_offered_to_the_next_page(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page(MOBILE_READY))
    assert "reload" in tabwire.ok("viewport", width=400, height=500, has_touch=True).data["note"]
    tabwire.ok("reload")
    assert page.evaluate("'ontouchstart' in window") is True


def test_a_viewport_of_nothing_is_the_real_one(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page(MOBILE_READY))
    script = f"[innerWidth, {RATIO}, {TOUCH}, screen.width]"
    real = page.evaluate(script)
    tabwire.ok("viewport", width=400, height=500, device_scale_factor=3, is_mobile=True, has_touch=True)
    assert page.evaluate(script) != real
    assert tabwire.ok("viewport", width=0, height=0).data["emulated"] is None
    assert page.evaluate(script) == real


DEVICES: dict[str, tuple[list[int], float, bool, str]] = {
    "iPhone 14": ([390, 844], 3, True, "iPhone; CPU iPhone OS"),
    "iPhone 14 Pro Max": ([430, 932], 3, True, "iPhone; CPU iPhone OS"),
    "iPhone SE": ([375, 667], 2, True, "iPhone; CPU iPhone OS"),
    "iPad Pro": ([1024, 1366], 2, True, "iPad; CPU OS"),
    "iPad Mini": ([768, 1024], 2, True, "iPad; CPU OS"),
    "Pixel 7": ([412, 915], 2.625, True, "Android 13; Pixel 7)"),
    "Pixel 7 Pro": ([412, 892], 3.5, True, "Android 13; Pixel 7 Pro)"),
    "Samsung Galaxy S23": ([360, 780], 3, True, "Android 13; SM-S911B)"),
    "Desktop 1080p": ([1920, 1080], 1, False, "Linux"),
    "Desktop 1440p": ([2560, 1440], 1, False, "Linux"),
    "Desktop 4K": ([3840, 2160], 1, False, "Linux"),
}


def test_each_named_device_is_what_the_page_and_the_site_find(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page(MOBILE_READY))
    for name, (size, ratio, is_handheld, sign) in DEVICES.items():
        tabwire.ok("device", name=name)
        site.hits.clear()
        tabwire.ok("reload")
        assert page.evaluate(f"[{SIZE}, {RATIO}, {TOUCH}]") == [size, ratio, [is_handheld, is_handheld]], name
        agent = page.evaluate("navigator.userAgent")
        assert sign in agent, name
        headers = {name.lower(): value for name, value in site.hits[0].headers.items()}
        assert headers["user-agent"] == agent, name
        assert headers["sec-ch-ua-mobile"] == ("?1" if is_handheld else "?0"), name
        assert page.evaluate("navigator.userAgentData.mobile") is is_handheld, name


HINTS = "navigator.userAgentData.getHighEntropyValues(['platformVersion', 'model', 'architecture', 'fullVersionList'])"
AGENTS: dict[str, tuple[str, list[Any]]] = {
    "Windows": (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
        ["Win32", "Windows", "10.0", "", "x86", False, ["Chromium 120", "Google Chrome 120"]],
    ),
    "Edge on a Mac": (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Safari/537.36 Edg/121.0.2277.4",
        ["MacIntel", "macOS", "10.15.7", "", "x86", False, ["Chromium 121", "Microsoft Edge 121"]],
    ),
    "a telephone": (
        "Mozilla/5.0 (Linux; Android 14; Fone 3 Build/X1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 Mobile Safari/537.36",
        ["Linux armv81", "Android", "14", "Fone 3", "", True, ["Chromium 122", "Google Chrome 122"]],
    ),
    "Firefox": (
        "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
        ["Linux x86_64", "Linux", "", "", "x86", False, []],
    ),
    "something else": ("Reader/1.0", ["Linux x86_64", "", "", "", "x86", False, []]),
}


def test_client_hints_tell_the_story_of_the_user_agent(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page(MOBILE_READY))
    for name, (agent, expected) in AGENTS.items():
        tabwire.ok("device", custom={"user_agent": agent})
        script = (
            f"{HINTS}.then((h) => [navigator.userAgent, navigator.platform, h.platform, h.platformVersion, h.model, h.architecture, h.mobile,"
            " h.brands.filter((b) => !/not/i.test(b.brand)).map((b) => b.brand + ' ' + b.version)])"
        )
        assert page.evaluate(script) == [agent, *expected], name


CUSTOM: dict[str, tuple[dict[str, Any], str, Any]] = {
    "a viewport": ({"viewport": {"width": 640, "height": 480}}, SIZE, [640, 480]),
    "a user agent": ({"user_agent": "Reader/1.0"}, "navigator.userAgent", "Reader/1.0"),
    "a pixel ratio, the size being real": ({"device_scale_factor": 2}, f"[{RATIO}, innerWidth === real.width]", [2, True]),
    "a touch screen": ({"has_touch": True}, f"[{TOUCH}, innerWidth === real.width]", [[True, True], True]),
    "a handheld": ({"viewport": {"width": 300, "height": 500}, "is_mobile": True}, "visualViewport.width", 980),
}


def test_a_device_of_ones_own(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1><script>var real = {width: innerWidth}</script>"))
    for case, (custom, script, expected) in CUSTOM.items():
        tabwire.ok("device", custom=custom)
        assert page.evaluate(script) == expected, case


def test_a_named_device_can_be_changed_and_a_viewport_keeps_its_user_agent(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page(MOBILE_READY))
    tabwire.ok("device", name="Pixel 7", custom={"viewport": {"width": 915, "height": 412}})
    assert page.evaluate(f"[{SIZE}, {RATIO}, screen.orientation.type]") == [[915, 412], 2.625, "landscape-primary"]
    reply = tabwire.ok("viewport", width=300, height=300)
    assert page.evaluate(f"[{SIZE}, {RATIO}, {TOUCH}]") == [[300, 300], 1, [False, False]]
    assert "Pixel 7" in page.evaluate("navigator.userAgent")
    assert "Pixel 7" in reply.data["emulated"]["user_agent"]


def test_without_a_device_everything_is_real_again(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page(MOBILE_READY))
    script = f"[innerWidth, {RATIO}, {TOUCH}, navigator.userAgent, navigator.platform, navigator.userAgentData.toJSON()]"
    real = page.evaluate(script)
    tabwire.ok("device", name="iPad Mini")
    tabwire.ok("device", name="Desktop 4K")
    assert page.evaluate("navigator.platform") == real[4], "a desktop has the browser's own user agent"
    tabwire.ok("device", name="iPhone SE")
    assert tabwire.ok("device").data["emulated"] is None
    assert page.evaluate(script) == real


CONDITIONS: dict[str, tuple[dict[str, Any], str, Any]] = {
    "dark": ({"color_scheme": "dark"}, matches("(prefers-color-scheme: dark)"), True),
    "light": ({"color_scheme": "light"}, matches("(prefers-color-scheme: dark)"), False),
    "less motion": ({"reduced_motion": "reduce"}, matches("(prefers-reduced-motion: reduce)"), True),
    "any motion": ({"reduced_motion": "no-preference"}, matches("(prefers-reduced-motion: reduce)"), False),
    "forced colors": ({"forced_colors": "active"}, matches("(forced-colors: active)"), True),
    "own colors": ({"forced_colors": "none"}, matches("(forced-colors: active)"), False),
    "print": ({"media": "print"}, f"[{matches('print')}, {matches('screen')}]", [True, False]),
    "screen": ({"media": "screen"}, f"[{matches('print')}, {matches('screen')}]", [False, True]),
    "a time zone": (
        {"timezone": "Asia/Kolkata"},
        f"[{ZONE}, new Date(0).getTimezoneOffset(), new Date(0).getHours()]",
        ["Asia/Calcutta", -330, 5],
    ),
    "a time zone in small letters": ({"timezone": "america/new_york"}, ZONE, "America/New_York"),
    "a locale": (
        {"locale": "de-DE"},
        "[(1234.5).toLocaleString(), navigator.language, navigator.languages, new Date(0).toLocaleDateString(undefined, {timeZone: 'UTC'})]",
        ["1.234,5", "de-DE", ["de-DE", "de"], "1.1.1970"],
    ),
    "a locale with an underscore": ({"locale": "fr_FR"}, "navigator.language", "fr-FR"),
    "offline": ({"offline": True}, "[navigator.onLine, await fetch('/echo').then(() => true, () => false)]", [False, False]),
    "offline by its other name": ({"network_throttle": "offline"}, "navigator.onLine", False),
}
OPPOSITES = {
    "light": {"color_scheme": "dark"},
    "any motion": {"reduced_motion": "reduce"},
    "own colors": {"forced_colors": "active"},
}
OPPOSITES["screen"] = {"media": "print"}


def test_conditions_are_what_the_page_finds(tabwire: Tabwire, site: Site, page: Watched) -> None:
    """Each is not so before, is so when it was set, and is as it was when all are taken back."""
    tabwire.open(site.page("<h1>Page</h1>"))
    for case, (arguments, script, expected) in CONDITIONS.items():
        script = f"(async () => {script})()"
        real = page.evaluate(script)
        if case in OPPOSITES:
            tabwire.ok("emulate", **OPPOSITES[case])
        assert page.evaluate(script) != expected, case
        reply = tabwire.ok("emulate", **arguments)
        assert page.evaluate(script) == expected, case
        assert all(reply.data["emulated"][name] for name in arguments), case
        assert tabwire.ok("emulate").data["emulated"] is None
        assert page.evaluate(script) == real, case


def test_each_condition_changes_only_itself(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    script = f"[{matches('(prefers-color-scheme: dark)')}, {matches('(prefers-reduced-motion: reduce)')}, {ZONE}, navigator.language, navigator.onLine]"
    tabwire.ok("emulate", color_scheme="dark", offline=True, timezone="Asia/Tokyo")
    tabwire.ok("emulate", reduced_motion="reduce", locale="fr")
    assert page.evaluate(script) == [True, True, "Asia/Tokyo", "fr", False]
    tabwire.ok("emulate", offline=False, color_scheme="no-preference", timezone="")
    assert page.evaluate(script) == [False, True, "UTC", "fr", True]
    reply = tabwire.ok("emulate", locale="", cpu_throttle=1)
    assert reply.data["emulated"] == {"reduced_motion": "reduce"}
    assert page.evaluate(script) == [False, True, "UTC", "en-US", True]


def test_offline_false_ends_whatever_cut_the_network_off(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    tabwire.ok("emulate", network_throttle="offline")
    tabwire.ok("emulate", network_throttle="4g")
    assert page.evaluate("navigator.onLine") is True
    tabwire.ok("emulate", network_throttle="offline", offline=False)
    assert page.evaluate("navigator.onLine") is False
    tabwire.ok("emulate", offline=False)
    assert page.evaluate("fetch('/echo').then((answer) => answer.status)") == 200


def test_the_site_is_asked_in_the_language_of_the_locale(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    agent = page.evaluate("navigator.userAgent")
    hints = page.evaluate("navigator.userAgentData.toJSON()")
    tabwire.ok("emulate", locale="pt-BR")
    site.hits.clear()
    tabwire.ok("reload")
    assert site.hits[0].headers["Accept-Language"].startswith("pt-BR,pt")
    assert site.hits[0].headers["User-Agent"] == agent
    assert page.evaluate("navigator.userAgentData.toJSON()") == hints
    tabwire.ok("device", name="Pixel 7")
    assert page.evaluate("[navigator.language, /Pixel/.test(navigator.userAgent)]") == ["pt-BR", True]
    tabwire.ok("device")
    assert page.evaluate("[navigator.language, navigator.userAgent]") == ["pt-BR", agent]


def test_offline_a_page_cannot_be_loaded_until_the_network_is_back(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    tabwire.ok("emulate", offline=True)
    assert "ERR_INTERNET_DISCONNECTED" in tabwire.fails("navigate", url=site.page("<h1>Next</h1>")).text
    tabwire.ok("emulate", offline=False)
    tabwire.open(site.page("<h1 id=h>Next</h1>"))
    assert page.evaluate("h.textContent") == "Next"


def test_networks_are_as_slow_as_their_names_say(tabwire: Tabwire, site: Site, page: Watched) -> None:
    site.serve("/bulk", "x" * 40_000, "text/plain")
    tabwire.open(site.page("<h1>Page</h1>"))
    script = "(async () => { const t = performance.now(); await (await fetch('/bulk')).text(); return performance.now() - t })()"
    took = [page.evaluate(script)]
    for name in ("4g", "fast_3g", "slow_3g"):
        tabwire.ok("emulate", network_throttle=name)
        took.append(page.evaluate(script))
    real, lte, fast, slow = took
    assert real < lte < fast < slow
    assert (lte >= 165, fast >= 560 + 200, slow >= 2000 + 660) == (True, True, True), took


def test_a_slow_processor_takes_longer(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    script = "(() => { let n = 0; const end = performance.now() + 150; while (performance.now() < end) for (let i = 0; i < 1e4; i++) n++; return n })()"
    real = page.evaluate(script)
    tabwire.ok("emulate", cpu_throttle=20)
    # Chromium slows the page from a thread of its own, which a busy computer lets start late.
    slow = until(lambda: page.evaluate(script), lambda count: count < real * 0.6, within=10)
    tabwire.ok("emulate", cpu_throttle=1)
    until(lambda: page.evaluate(script), lambda count: count > slow * 1.4, within=10)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("viewport", {"width": 100}, "height"),
    ("viewport", {"width": 0, "height": 100}, "both"),
    ("viewport", {"width": -1, "height": 100}, "width"),
    ("viewport", {"width": 10.5, "height": 100}, "whole"),
    ("viewport", {"width": 10_001, "height": 100}, "10000"),
    ("viewport", {"width": 100, "height": 100, "device_scale_factor": 0}, "device_scale_factor"),
    ("viewport", {"width": 100, "height": 100, "device_scale_factor": 11}, "device_scale_factor"),
    ("device", {"name": "Nokia 3310"}, "iPhone 14"),
    ("device", {"custom": {}}, "at least one"),
    ("device", {"custom": {"viewport": {"width": 100}}}, "width and height"),
    ("device", {"custom": {"user_agent": "a\r\nb: c"}}, "printable"),
    ("device", {"custom": {"colour": "red"}}, "colour"),
    ("emulate", {"timezone": "Mars/Olympus"}, "Europe/Berlin"),
    ("emulate", {"timezone": "+05:30"}, "Europe/Berlin"),
    ("emulate", {"locale": "klingon!"}, "de-DE"),
    ("emulate", {"locale": "xx-YY"}, "de-DE"),
    ("emulate", {"cpu_throttle": 0.5}, "cpu_throttle"),
    ("emulate", {"color_scheme": "blue"}, "dark"),
    ("emulate", {"network_throttle": "5g"}, "slow_3g"),
]


def test_a_mistake_is_named_and_changes_nothing(tabwire: Tabwire, site: Site, page: Watched) -> None:
    script = f"[{SIZE}, {RATIO}, navigator.userAgent, {ZONE}, navigator.language]"
    real = page.evaluate(script)
    for tool, arguments, word in WRONG:
        reply = tabwire.fails(tool, **arguments)
        assert (reply.code, word in reply.text) == ("invalid_argument", True), reply.text
    assert page.evaluate(script) == real


def test_an_emulation_is_of_one_tab(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    """Each of two tabs has its own, also while it is in the background, and keeps it when the other's ends."""
    script = f"[{SIZE}, {RATIO}, {ZONE}, {matches('print')}, navigator.onLine]"
    urls = [site.page(f"{MOBILE_READY}<p>{number}") for number in (1, 2)]
    ids = [tabwire.ok("tab_new", url=url).data["tabId"] for url in urls]
    pages = {url: watch(browser, url) for url in urls}
    real = pages[urls[0]].evaluate(script)
    for number, zone, media in ((0, "Asia/Tokyo", "print"), (1, "Europe/Rome", "screen")):
        tabwire.ok("viewport", width=400 + number, height=300, tabId=ids[number])
        tabwire.ok("emulate", timezone=zone, media=media, offline=number == 1, tabId=ids[number])
    assert [pages[url].evaluate(script) for url in urls] == [
        [[400, 300], 1, "Asia/Tokyo", True, True],
        [[401, 300], 1, "Europe/Rome", False, False],
    ]
    for name, arguments in (("viewport", {"width": 0, "height": 0}), ("emulate", {})):
        tabwire.ok(name, **arguments, tabId=ids[0])
    assert pages[urls[0]].evaluate("document.visibilityState") == "hidden"
    assert pages[urls[0]].evaluate(script) == real
    assert pages[urls[1]].evaluate(script) == [[401, 300], 1, "Europe/Rome", False, False]


def test_an_empty_page_is_emulated_from_its_first_document_on(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.ok("tab_new")
    assert tabwire.ok("device", name="Pixel 7").data["page"]["width"] in (412, 980, 981)
    assert tabwire.ok("emulate", timezone="Asia/Tokyo").data["page"]["timezone"] == "Asia/Tokyo"
    url = site.page(f"<script>first = [{ZONE}, /Pixel/.test(navigator.userAgent)]</script>")
    tabwire.open(url)
    assert watch(browser, url).evaluate("first") == ["Asia/Tokyo", True]


def test_a_page_of_the_browser_itself_is_refused(tabwire: Tabwire) -> None:
    tabwire.ok("tab_new", url="chrome://version")
    assert tabwire.fails("viewport", width=400, height=300).code == "restricted_page"
    assert tabwire.fails("emulate", media="print").code == "restricted_page"


def test_a_page_that_a_dialog_holds_takes_it_when_that_is_closed(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>"))
    real = page.evaluate("innerWidth")
    tabwire.ok("click", selector="button")
    for tool, arguments in (("emulate", {"media": "print"}), ("viewport", {"width": 400, "height": 300})):
        reply = tabwire.ok(tool, **arguments)
        assert (reply.data["page"], "dialog" in reply.data["note"], reply.elapsed_ms < 1000) == (None, True, True)
    tabwire.ok("dialog", action="accept")
    assert page.evaluate(f"[{matches('print')}, innerWidth]") == [True, 400]
    tabwire.ok("click", selector="button")
    tabwire.ok("emulate")
    tabwire.ok("viewport", width=0, height=0)
    tabwire.ok("dialog", action="accept")
    assert page.evaluate(f"[{matches('print')}, innerWidth]") == [False, real]
