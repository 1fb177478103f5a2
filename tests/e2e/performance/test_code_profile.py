"""code_profile: the time of functions over an act and in two runs, and the rules that were used, with places in the sources."""

import json
from collections.abc import Callable
from statistics import fmean

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, ShownPage
from e2e.debug.test_styles import vlq
from e2e.person import Person
from e2e.site import Site
from e2e.worker import Absence
from polling import until

JS = "text/javascript"
BURN = "function b(n){const e=performance.now()+n;let x=0;while(performance.now()<e)for(let i=0;i<2e4;i++)x+=i%7;return x}"
BUILT = (
    f"{BURN}var ms=150,o=()=>b(ms);function u(){{return document.title='never'+1+2+3}}"
    "pay.onclick=()=>{const t=performance.now();o();took=performance.now()-t;done=(globalThis.done||0)+1};"
)
NAMES = {"b(n)": (11, 9, "burnTime"), "o=": (20, 6, "onPay"), "u()": (29, 9, "neverPaid")}
"""Text in what runs → line and column of its source, from 0, and the name there."""
CSS = ".used{color:teal}.late{color:navy}.never{color:red;margin:1px 2px 3px}@media print{p{top:0}}@keyframes k{to{top:0}}"
PAGE = "<link rel=stylesheet href=/shop.css><button id=pay class=used>Pay</button>"


def map_of(built: str) -> str:
    """A source map that knows the identifiers of the functions."""
    found = sorted((built.index(text), *at) for text, at in NAMES.items())
    before = (0, 0, 0)
    segments = []
    for number, (column, line, own, _) in enumerate(found):
        segments.append(vlq(column - before[0], 0, line - before[1], own - before[2], 1 if number else 0))
        before = (column, line, own)
    names = [name for *_, name in found]
    return json.dumps({"version": 3, "sources": ["src/shop.ts"], "names": names, "mappings": ",".join(segments)})


def shop(site: Site, more: str = "") -> str:
    site.serve("/shop.js", f"{BUILT}\n//# sourceMappingURL=shop.js.map\n", JS)
    site.serve("/shop.js.map", map_of(BUILT), "application/json")
    site.serve("/shop.css", CSS, "text/css")
    return site.page(f"{PAGE}{more}<script src=/shop.js></script>")


def pay(tabwire: Tabwire, page: ShownPage, **stop: object) -> Reply:
    """A run over one click."""
    tabwire.ok("code_profile", action="start")
    done = page.evaluate("globalThis.done || 0")
    tabwire.ok("click", selector="css=#pay")
    page.wait_for(f"globalThis.done === {done + 1}")
    return tabwire.ok("code_profile", action="stop", **stop)


def test_the_time_of_functions_is_told_and_compared_with_an_earlier_run(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(shop(site))
    first, took = pay(tabwire, page, keep="before"), [page.evaluate("took")]
    top = first.data["time"]["functions"][0]
    assert (top["name"], top["place"]) == ("burnTime", "/src/shop.ts:12:10") and top["built"] == "/shop.js:1:10", first
    assert 100 <= top["self_ms"] <= took[0] + 250, first
    caller = {one["name"]: one for one in first.data["time"]["callers"]}["onPay"]
    assert caller["place"] == "/src/shop.ts:21:7" and caller["total_ms"] >= top["self_ms"] > caller["self_ms"], first
    assert first.data["time"]["files"][0]["name"] == "/src/shop.ts" and "Kept: before" in first.text

    def again(**keep: str) -> tuple[Reply, float]:
        """One more run, and by how much it took longer than those kept by the page's own clock."""
        reply, now = pay(tabwire, page, compare="before", **keep), page.evaluate("took")
        longer = now - fmean(took)
        took.extend([now] if keep else [])
        return reply, longer

    def is_as_the_clock_says(run: tuple[Reply, float]) -> bool:
        found = run[0].data["comparison"]
        return bool(found["now_ms"] - found["before_ms"] == pytest.approx(run[1], abs=found["noise_ms"]))

    # On a busy machine chance makes more than the noise in some runs, though not in all.
    until(lambda: again(keep="before"), is_as_the_clock_says, within=15)
    page.evaluate("ms = 600; 1")
    slower, _ = until(again, is_as_the_clock_says, within=15)
    found = slower.data["comparison"]
    assert (found["runs"], found["slower"][0]["source"]) == (len(took), "/src/shop.ts") and "Slower:\n" in slower.text, slower
    assert found["slower"][0]["name"] in ("burnTime", "onPay") and "slower (noise " in slower.text, slower


def test_rules_that_were_used_are_told_also_after_styles(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    frame = "<style>.in{color:red}.out{color:blue}</style><p class=in>In</p>"
    tabwire.open(shop(site, f"<iframe src={site.cross_page(frame)}></iframe>"))
    tabwire.ok("code_profile", action="start", measure="styles")
    page.evaluate("pay.className = 'late'; 1")
    winner = tabwire.ok("styles", selector="css=#pay", properties=["color"])
    assert "/shop.css:1:" in winner.text, winner
    page.evaluate("pay.className = ''; 1")
    reply = tabwire.ok("code_profile", action="stop")
    use = reply.data["styles"]
    never = ".never{color:red;margin:1px 2px 3px}"
    rules = {one["selector"]: (one["place"].rpartition("/")[2], one["chars"]) for one in use["rules"]}
    assert rules[".never"] == (f"shop.css:1:{CSS.index('.never') + 1}", len(never)), reply
    assert rules["p"] == (f"shop.css:1:{CSS.index('p{') + 1}", 8) and rules[".out"][1] == len(".out{color:blue}")
    assert set(rules) == {".never", "p", ".out"}
    sheet = next(one for one in use["files"] if one["source"] == "/shop.css")
    used = len(".used{color:teal}.late{color:navy}")
    assert (sheet["used"], sheet["total"]) == (used, used + len(never) + 8), reply
    page.evaluate("pay.className = 'late'; 1")
    assert tabwire.ok("styles", selector="css=#pay", properties=["color"]).text == winner.text


INSIDE = (
    "<button id=in onclick='insideWork()'>In</button><script>function insideWork(){const e=performance.now()+120;let x=0;"
    "while(performance.now()<e)for(let i=0;i<2e4;i++)x+=i%7;document.title='worked'}</script>"
)


def test_frames_of_other_sites_and_a_navigation_are_measured(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<h1>Before</h1>"))
    tabwire.ok("code_profile", action="start")
    tabwire.ok("navigate", url=shop(site, f"<iframe src={site.cross_page(INSIDE)}></iframe>"))
    # Chrome traces a process that has just begun a moment later.
    for _ in range(3):
        tabwire.ok("click", selector="text:In")
    tabwire.ok("click", selector="css=#pay")
    reply = tabwire.ok("code_profile", action="stop")
    own = {one["name"]: one["self_ms"] for one in reply.data["time"]["functions"]}
    assert own["insideWork"] >= 80 and own["burnTime"] >= 100, reply
    assert {one["name"] for one in reply.data["time"]["sites"]} >= {site.origin, site.cross_origin}


def test_a_run_ends_at_its_limit_and_stop_tells_it_then(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(shop(site))
    tabwire.ok("code_profile", action="start", max_time=1)
    tabwire.ok("click", selector="css=#pay")
    until(lambda: tabwire.ok("code_profile", action="status").data, lambda state: not state["running"], within=20)
    assert "max_time of 1 s was over" in tabwire.ok("code_profile", action="status").text
    reply = tabwire.ok("code_profile", action="stop")
    assert reply.data["time"]["functions"][0]["name"] == "burnTime" and "It ended by itself" in reply.text
    assert "No run waits" in tabwire.ok("code_profile", action="status").text


def test_what_does_not_fit_is_refused_and_changes_nothing(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(shop(site))
    refused: list[tuple[dict[str, object], str]] = [
        ({"action": "stop"}, "action start first"),
        ({"action": "start", "keep": "a"}, "keep and compare go with action stop"),
        ({"action": "start", "max_time": 0}, "max_time"),
        ({"action": "start", "measure": "memory"}, "measure"),
    ]
    for arguments, words in refused:
        failed = tabwire.fails("code_profile", **arguments)
        assert failed.code == "invalid_argument" and words in failed.text, failed
    tabwire.ok("code_profile", action="start", measure="styles")
    assert "stop it first" in tabwire.fails("code_profile", action="start").text
    assert "of measure styles" in tabwire.fails("code_profile", action="stop", keep="a").text
    assert tabwire.ok("code_profile", action="status").data["running"] is True
    tabwire.ok("code_profile", action="stop")
    tabwire.ok("code_profile", action="start")
    assert "stop it first" in tabwire.fails("code_profile", action="start", measure="styles").text
    assert "nothing is kept under nothing" in tabwire.fails("code_profile", action="stop", compare="nothing").text
    assert "time" in tabwire.ok("code_profile", action="stop").data
    tabwire.ok("capture", action="start", trace=True)
    assert "one trace at a time" in tabwire.fails("code_profile", action="start").text
    tabwire.ok("capture", action="stop")
    tabwire.ok("code_profile", action="start")
    tabwire.ok("code_profile", action="stop")


def test_a_run_ends_with_its_client(own: Joined, join: Callable[..., Tabwire], site: Site) -> None:
    anna = own.tabwire
    tab = anna.open(shop(site)).data["tabId"]
    ben = join()
    ben.ok("code_profile", action="start", tabId=tab)
    assert "another client measures" in anna.fails("code_profile", action="start", tabId=tab).text
    with Absence(own.browser) as absence:
        ben.close()
        absence.end()
        until(lambda: anna.call("code_profile", action="start", tabId=tab), lambda reply: not reply.is_error)


def test_a_run_ends_by_stop_of_the_person(own: Joined, person: Person, site: Site) -> None:
    anna = own.tabwire
    tab = anna.open(shop(site)).data["tabId"]
    anna.ok("code_profile", action="start", tabId=tab)
    person.stop()
    person.ask("resume")
    failed = anna.fails("code_profile", action="stop", tabId=tab)
    assert "Stop in Tabwire" in failed.text, failed
