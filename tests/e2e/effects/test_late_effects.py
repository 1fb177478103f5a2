"""Effects that come a moment after an act: requests, errors, downloads, navigations of frames, scrolling, windows, dialogs."""

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, ShownPage
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
    assert f"POST /slow.json → {sent.get('status', 'no answer yet')}" in one.text and site.url("/slow.json") not in one.text
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


ANNOUNCED = """
<button id=push onclick='history.pushState({}, ``, `/there`); later(`Page there`)'>Push</button>
<button id=disabled onclick='this.disabled = true; later(`Saved`)'>Disabled</button>
<button id=busy onclick='main.ariaBusy = `true`; later(`Over`)'>Busy</button>
<button id=spinner onclick='main.innerHTML = `<i class=spinner></i>`; later(`Turned`)'>Spinner</button>
<button id=class onclick='this.className = `is-loading`; later(`Shown`)'>Class</button>
<button id=words onclick='main.textContent = `Loading …`; later(`Loaded`)'>Words</button>
<button id=twice onclick='history.pushState({}, ``, `/twice`); setTimeout(() => { main.textContent = `Please wait` }, 20); later(`At last`)'>
Twice</button><p id=main>Start</p><p id=idle>Idle</p>
<script>const later = (text) => setTimeout(() => { main.textContent = text }, 90)</script>
"""


def test_what_was_announced_is_awaited(tabwire: Tabwire, site: Site) -> None:
    url = site.page(ANNOUNCED)
    for selector, text in (
        ("#push", "Page there"),
        ("#disabled", "Saved"),
        ("#busy", "Over"),
        ("#spinner", "Turned"),
        ("#class", "Shown"),
        ("#words", "Loaded"),
        ("#twice", "At last"),
    ):
        tabwire.open(url)
        tabwire.snapshot()
        assert f'text "Start" → "{text}"' in tabwire.ok("click", selector=selector).text
        assert tabwire.ok("click", selector="#idle").data["effects"] == {"none": True}, selector


MOVING = """
<style>
.toast { opacity: 0; transition: opacity 60s } .small { transform: scale(0); transition: transform 60s }
.toast.on { opacity: 1 } .small.on { transform: none } .card { transition: opacity 60s } .card.off { opacity: 0 }
@keyframes arrival { from { opacity: 0 } to { opacity: 1 } } .new { animation: arrival 60s 30s backwards }
dialog { opacity: 1; transition: opacity 60s } dialog.off { opacity: 0 }
</style>
<button id=fade onclick='toast.classList.add(`on`)'>Fade</button><button id=grow onclick='small.classList.add(`on`)'>Grow</button>
<button id=add onclick='box.innerHTML = `<p class=new>Animated</p>`'>Add</button>
<button id=leave onclick='card.classList.add(`off`)'>Leave</button><button id=shut onclick='modal.classList.add(`off`)'>Shut</button>
<button id=end onclick='document.getAnimations().forEach((each) => each.finish()); card.remove(); modal.close()'>End</button>
<div id=toast class=toast>Saved</div><div id=small class=small>Grown</div><div id=box></div><div id=card class=card>Old card</div>
<dialog id=modal aria-label=Box open>In the box</dialog>
"""


def test_text_in_a_transition_is_told_by_the_act_that_began_it(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(MOVING))
    tabwire.snapshot()
    for selector, told in {
        "#fade": ['text appeared: "Saved"'],
        "#grow": ['text appeared: "Grown"'],
        "#add": ['text appeared: "Animated"'],
        "#leave": ['text disappeared: "Old card"'],
        "#shut": ['dialog "Box" closed', 'text disappeared: "In the box"'],
    }.items():
        effects = tabwire.ok("click", selector=selector).data["effects"]
        assert effects["changes"] == told, selector
        assert effects.get("under_way") == (["text fading out"] if selector in ("#leave", "#shut") else None), selector
    assert "changes" not in tabwire.ok("click", selector="#end").data["effects"], "it was told before"


def test_requests_without_an_answer_are_under_way_and_told_when_answered(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    site.hold("/gate/one")
    site.hold("/gate/two")
    tabwire.open(
        site.page(
            "<button id=ask onclick='for (const path of [`/gate/one`, `/gate/two`]) fetch(path).then(() => { p.textContent = path })'>Ask"
            "</button><p id=p></p><p id=idle>Idle</p>"
        )
    )
    tabwire.snapshot()
    ask = tabwire.ok("click", selector="#ask")
    assert "still under way: 2 requests" in ask.text and ask.data["effects"]["under_way"] == ["2 requests"]
    site.let_go("/gate/one")
    until(lambda: page.evaluate("p.textContent") == "/gate/one")
    idle = tabwire.ok("click", selector="#idle")
    assert idle.data["effects"] == {"earlier_requests": [{"method": "GET", "url": site.url("/gate/one"), "status": 200}]}
    assert "answered since an earlier act sent them (what changed may come from that): GET /gate/one → 200" in idle.text
    assert tabwire.ok("click", selector="#idle").data["effects"] == {"none": True}
    site.let_go("/gate/two")


def test_an_accepted_dialog_tells_the_requests_of_what_was_confirmed(tabwire: Tabwire, site: Site) -> None:
    site.serve("/deleted", "{}")
    handler = "if (confirm(`Delete?`)) { row.remove(); fetch(`/deleted`, { method: `POST` }) }"
    tabwire.open(site.page(f"<button id=ask onclick='{handler}'>Delete</button><p id=row>Row one</p>"))
    tabwire.snapshot()
    tabwire.ok("click", selector="#ask")
    effects = tabwire.ok("dialog", action="accept").data["effects"]
    assert effects["changes"] == ['text disappeared: "Row one"']
    assert [(sent["method"], sent["url"]) for sent in effects["requests"]] == [("POST", site.url("/deleted"))]
