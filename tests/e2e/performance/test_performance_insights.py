"""performance_insights: why a page loads or answers slowly, and what is to blame."""

import io
import json
from typing import Any

import pytest
from PIL import Image

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

SLOW = """function burn(ms) {
  for (const end = performance.now() + ms; performance.now() < end;) document.body.offsetHeight;
}
document.querySelector('#buy').addEventListener('click', function handleBuy() { burn(260); count += 1; });
"""
#: Each line is ten lines further down in the source.
MAP = {"version": 3, "sources": ["src/shop.ts"], "names": [], "mappings": "AAUA;AACA;AACA;AACA"}
LARGEST_AT = """new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))"""
PAGE = """<link rel=stylesheet href=/slow.css><style>body, h1 {{ margin: 0 }} img {{ width: 600px; height: 300px; display: block }}</style>
<h1>Shop</h1><button id=buy>Buy</button><p id=below>Below</p><script>count = 0</script><script src=/shop.js></script>
<script>
const painted = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
addEventListener('load', () => painted(() => {{
  const banner = document.createElement('div');
  banner.style.height = '200px';
  banner.id = 'offer';
  document.body.prepend(banner);
  const hero = new Image();
  hero.alt = 'Hero';
  setTimeout(() => {{ hero.src = '/hero.png'; document.body.append(hero); }}, 350);
  // Chrome tells of the picture some time after it has painted it.
  new PerformanceObserver((list) => {{ if (list.getEntries().some(({{ url }}) => url)) document.title = 'shown'; }})
    .observe({{ type: 'largest-contentful-paint', buffered: true }});
}}));
</script>"""


def noise() -> bytes:
    """A picture that Chrome counts as content: plain ones have too few bytes for their size."""
    file = io.BytesIO()
    Image.effect_noise((300, 150), 90).save(file, "PNG")
    return file.getvalue()


def shop(site: Site) -> str:
    """The address of a page with a slow style sheet, a late picture, a banner that moves the rest and a slow button."""
    site.serve("/slow.css", "h1 { color: teal }", "text/css", delay_ms=120)
    site.serve("/shop.js", SLOW + "//# sourceMappingURL=shop.js.map\n", "text/javascript")
    site.serve("/shop.js.map", json.dumps(MAP), "application/json")
    site.serve("/hero.png", noise(), "image/png", delay_ms=60)
    return site.page(PAGE.format())


def handler_in(reply: Reply) -> dict[str, Any]:
    """The slow handler in the long frames; on a busy machine there are others."""
    scripts = [script for frame in reply.data["frames"]["worst"] for script in frame["scripts"]]
    (found,) = [script for script in scripts if script.get("name") == "handleBuy"]
    return found


def test_what_took_long_is_told_with_what_is_to_blame(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(shop(site))
    page.wait_for("document.title === 'shown'")
    reply = tabwire.ok("performance_insights")
    largest, shifts = reply.data["largest"], reply.data["shifts"]
    assert largest["url"].endswith("/hero.png") and "<img>" in largest["element"]
    assert largest["at"] == pytest.approx(page.evaluate(LARGEST_AT), abs=1)
    assert largest["parts"]["until its request"] >= 350 and largest["parts"]["its request"] >= 60
    assert sum(largest["parts"].values()) == pytest.approx(largest["at"], abs=2)
    assert "Its request began late: name it in the document itself" in reply.text
    assert {request["url"].rpartition("/")[2] for request in reply.data["blocking"]} == {"slow.css", "shop.js"}
    assert max(reply.data["blocking"], key=lambda request: float(request["ms"]))["ms"] >= 120
    moved = {one["element"].split()[1]: one["after"][1] - one["before"][1] for one in shifts["worst"][0]["moved"]}
    assert shifts["count"] == 1 and moved["<h1>"] == moved["<button"] == 200
    assert (reply.data["interactions"], page.evaluate("count")) == ([], 0)
    (cause,) = shifts["worst"][0]["causes"]
    assert cause["element"].endswith('<div id="offer">') and cause["height"] == 200
    assert f", perhaps pushed by {cause['element']} (200 px high): " in reply.text
    # The reference is that of snapshots: what is blamed can be looked at.
    tabwire.ok("hover", selector=largest["element"].split()[0])
    assert page.evaluate("document.querySelector('img').matches(':hover')") is True

    tabwire.ok("click", selector="#buy")
    page.wait_for("count === 1")
    slow = tabwire.ok("performance_insights", since_last=True)
    assert "load" not in slow.data and slow.data["shifts"]["count"] == 0
    one = next(one for one in slow.data["interactions"] if '<button id="buy"> "Buy"' in one["element"])
    parts = one["parts"]
    if one["type"] == "click":
        assert parts["listeners"] >= 260, one
    else:
        # A busy machine let the press wait for longer than the listener of the click takes, and painted it before.
        assert one["type"].startswith("pointer") and parts["waiting"] + parts["until painted"] >= 260, one
    script = handler_in(slow)
    assert script["invoker"] == "BUTTON#buy.onclick" and script["ms"] >= 260
    assert script["place"].startswith("/shop.js at character ") and "`sources` looks them up" in slow.text
    assert list(slow.data["frames"]["by_site"]) == [site.origin]

    assert "code_profile measures the ones that they call" in slow.text
    assert handler_in(tabwire.ok("performance_insights", sources=True))["place"] == "/src/shop.ts:14:1"
    tabwire.ok("performance_insights", since_last=True)
    assert tabwire.ok("performance_insights", since_last=True).data["frames"]["count"] == 0


JUMPS = """<h1>News</h1><section><p>One</p><p>Two</p></section><script>
const painted = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
addEventListener('load', () => painted(() => {
  const offer = document.createElement('div');
  offer.id = 'offer';
  offer.style.height = '150px';
  // The margin of the heading no longer leaves the body, which moves up and grows: it is all that the browser tells of.
  document.body.prepend(offer);
  painted(() => {
    document.querySelector('h1').style.fontSize = '60px';
    painted(() => { document.title = 'jumped'; });
  });
}));
</script>"""


def test_what_came_into_an_element_that_moved_is_told_and_none_where_nothing_came(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(JUMPS))
    page.wait_for("document.title === 'jumped'")
    came, grew = sorted(tabwire.ok("performance_insights").data["shifts"]["worst"], key=lambda shift: float(shift["at"]))
    assert [one["element"].split()[1] for one in came["moved"]] == ["<body>"]
    (cause,) = came["causes"]
    assert cause["element"].endswith('<div id="offer">') and cause["height"] == 150
    assert "causes" not in grew


FRAME = "<button id=slow>Slow</button><script>slow.onclick = () => { for (const end = performance.now() + 150; performance.now() < end;); }</script>"


def test_frames_are_measured_too(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(f"<h1>Outside</h1><iframe src={site.cross_page(FRAME)}></iframe>"))
    first = tabwire.ok("performance_insights")
    assert first.data["interactions"] == [] and "Slow interactions: none" in first.text
    tabwire.ok("click", selector="text:Slow")
    reply = tabwire.ok("performance_insights", since_last=True)
    (one,) = reply.data["interactions"]
    assert one["frameId"] > 0 and '<button id="slow">' in one["element"] and f" in frame {one['frameId']} at " in reply.text
    # The page around it may have been slow as well.
    assert one["frameId"] in [frame.get("frameId") for frame in reply.data["frames"]["worst"]]


def test_a_hidden_page_says_so(tabwire: Tabwire, site: Site) -> None:
    hidden = tabwire.ok("tab_new", url=site.page("<h1>Behind</h1>"), active=False).data["tabId"]
    reply = tabwire.ok("performance_insights", tabId=hidden)
    assert "largest" not in reply.data and "hidden while the page loaded" in reply.text
