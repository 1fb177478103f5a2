"""Effects that come a moment after an act: requests, errors, downloads, navigations of frames, scrolling, windows, dialogs."""

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched
from e2e.effects.trials import KINDS, Trials
from e2e.site import Site
from polling import until


def test_what_an_act_sets_off_is_told(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    trials = Trials(tabwire, browser, site)
    for kind in KINDS:
        # In one page, whose frame is another one after the last kinds of frames.
        list(trials.run(kind, 1, in_fresh_page=kind is KINDS[0]))
    assert trials.missing + trials.false + trials.absent == []


def test_requests_are_told_with_their_outcome(tabwire: Tabwire, site: Site) -> None:
    site.serve("/slow.json", "{}", delay_ms=40)
    site.serve("/empty.txt", "", "text/plain")
    site.hold("/gate/never")
    tabwire.open(
        site.page(
            "<button id=one onclick='fetch(`/slow.json?token=1`, { method: `POST` })'>One</button>"
            "<button id=lost onclick='fetch(`http://127.0.0.1:1/lost`).catch(() => {})'>Lost</button>"
            "<button id=empty onclick='fetch(`/empty.txt`, { method: `POST`, body: `x` })'>Empty</button>"
            "<button id=stopped onclick='const stop = new AbortController(); fetch(`/gate/never`, stop).catch(() => {}); stop.abort()'>"
            "Stopped</button><button id=held onclick='fetch(`/gate/never`)'>Held</button>"
            "<button id=image onclick='new Image().src = `/missing.png`; fetch(`/slow.json`)'>Image</button><p id=p>Text</p>"
        )
    )
    tabwire.snapshot()
    one = tabwire.ok("click", selector="#one")
    (sent,) = one.data["effects"]["requests"]
    # A busy computer may take longer to answer than the reply waits.
    assert (sent["method"], sent["url"], sent.get("status", 200)) == ("POST", site.url("/slow.json"), 200)
    assert f"POST {site.url('/slow.json')} → {sent.get('status', 'no answer yet')}" in one.text
    (lost,) = tabwire.ok("click", selector="#lost").data["effects"]["requests"]
    assert (lost["url"], lost["error"][:8]) == ("http://127.0.0.1:1/lost", "net::ERR")
    (empty,) = tabwire.ok("click", selector="#empty").data["effects"]["requests"]
    assert (empty["url"], empty.get("status", 200), empty.get("error")) == (site.url("/empty.txt"), 200, None)
    (stopped,) = tabwire.ok("click", selector="#stopped").data["effects"]["requests"]
    assert stopped["error"] == "cancelled by the page"
    held = tabwire.ok("click", selector="#held").data["effects"]["requests"]
    assert held == [{"method": "GET", "url": site.url("/gate/never")}]
    image = tabwire.ok("click", selector="#image").data["effects"]["requests"]
    expected = [(site.url("/missing.png"), 404), (site.url("/slow.json"), 200)]
    assert [(sent["url"], sent.get("status", 200)) for sent in image] == expected
    tabwire.ok("click", selector="#p")
    assert tabwire.ok("click", selector="#p").data["effects"] == {"none": True}


def test_what_a_response_changes_is_told_with_the_act(tabwire: Tabwire, site: Site) -> None:
    site.serve("/late.json", '"Loaded"', delay_ms=30)
    handler = "fetch(`/late.json`).then((r) => r.json()).then((text) => { p.textContent = text })"
    tabwire.open(site.page(f"<button onclick='{handler}'>Load</button><p id=p></p>"))
    tabwire.snapshot()
    assert 'text appeared: "Loaded"' in tabwire.ok("click", selector="role:button").text


def test_navigations_of_frames_are_told_with_their_addresses(tabwire: Tabwire, site: Site) -> None:
    target = site.page("<title>There</title>")
    inner = site.cross_page(f"<a id=inside href='{target}'>Inside</a>")
    tabwire.open(
        site.page(
            f"<iframe name=there></iframe><iframe src='{inner}'></iframe><a id=link href='{target}?link' target=there>Link</a>"
            f"<form action='{target}' target=there><input name=q value=1><button id=send>Send</button></form>"
            "<button id=script onclick='frames.there.location.hash = `here`'>Script</button>"
        )
    )
    for role, name, url in (
        ("link", "Link", f"{target}?link"),
        ("button", "Send", f"{target}?q=1"),
        ("button", "Script", f"{target}?q=1#here"),
        ("link", "Inside", target),
    ):
        effects = tabwire.ok("click", selector=tabwire.ref(role, name)).data["effects"]
        assert [frame["url"] for frame in effects["frames"]] == [url], name
        assert "navigated" not in effects


def test_downloads_of_the_page_and_through_a_frame_are_told(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(
        site.page("<iframe name=sink></iframe><a id=a href='/download'>A</a><a id=b href='/download?b' target=sink>B</a>")
    )
    tabwire.snapshot()
    for selector, query in (("#a", ""), ("#b", "?b")):
        effects = tabwire.ok("click", selector=selector).data["effects"]
        ((url, name),) = [(file["url"], file["filename"]) for file in effects["downloads"]]
        assert (url, name.endswith(".txt")) == (site.url(f"/download{query}"), True), selector
        assert "frames" not in effects


def test_errors_of_frames_are_told_and_handled_ones_are_not(anna: Tabwire, own: Launched, site: Site) -> None:
    far = site.cross_page("<button id=far onclick='throw new Error(`Far`)'>Far</button>")
    anna.open(
        site.page(
            f"<iframe src='{far}'></iframe><button id=b onclick='Promise.reject(new TypeError(`No`))'>B</button>"
            "<button id=handled onclick='Promise.reject(1).catch(() => {})'>H</button>"
            "<button id=said onclick='console.error(`%s is %d`, `Size`, 7, new RangeError(`big`))'>S</button>"
            "<script>globalThis.report = console.error</script>"
        )
    )
    for selector, errors in (
        (anna.ref("button", "Far"), ["Error: Far"]),
        ("#b", ["TypeError: No"]),
        ("#handled", None),
        ("#said", ["console.error: Size is 7 RangeError: big"]),
    ):
        assert anna.ok("click", selector=selector).data["effects"].get("errors") == errors, selector
    assert own.is_own
    # The page has its own console again.
    until(lambda: own.browser.shown().evaluate("console.error === report"))


def test_in_the_users_browser_requests_of_the_pages_own_script_are_told(anna: Tabwire, site: Site) -> None:
    ways = {"listener": "", "inline": "onclick='send()'", "attribute": "onclick='fetch(`/none.json`)'"}
    for way, handler in ways.items():
        script = "const send = () => fetch('/none.json')" if way != "attribute" else ""
        listens = "; b.addEventListener('click', send)" if way == "listener" else ""
        anna.open(site.page(f"<button id=b {handler}>B</button><script>{script}{listens}</script>"))
        effects = anna.ok("click", selector="#b").data["effects"]
        assert [(sent["url"], sent.get("status", 404)) for sent in effects["requests"]] == [(site.url("/none.json"), 404)], way
