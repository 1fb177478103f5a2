"""A click on an element in which the browser or another document takes the press: media controls and frames."""

import pytest

from e2e.client import Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import ShownPage
from e2e.site import Site

INNER = "<body style='margin: 0; height: 100vh'><p>Inside</p><script>addEventListener('click', () => top.postMessage('inside', '*'))</script>"
NOTED = "<script>globalThis.log = []; addEventListener('message', ({ data }) => log.push(data)); addEventListener('click', () => log.push('page'))</script>"
FRAMES = {
    "iframe": "<iframe id=t src='{url}' width=300 height=100></iframe>",
    "object": "<object id=t type=text/html data='{url}' width=300 height=100></object>",
    "embed": "<embed id=t type=text/html src='{url}' width=300 height=100>",
    "frame below the fold": "<div style='height: 3000px'></div><iframe id=t src='{url}' width=300 height=100></iframe>",
}


@pytest.mark.conditions
@pytest.mark.parametrize("where", ["page", "cross_page"])
@pytest.mark.parametrize("kind", FRAMES)
def test_a_click_on_a_frame_is_one_in_its_document(
    tabwire: Tabwire, site: Site, page: ShownPage, condition: Condition, kind: str, where: str
) -> None:
    tabwire.open(site.page(FRAMES[kind].format(url=getattr(site, where)(INNER)) + NOTED))
    reply = tabwire.ok("click", selector="#t")
    page.wait_for("log.length")
    assert page.evaluate("log") == ["inside"], reply


def test_a_frame_in_a_frame_gets_the_click(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    middle = site.cross_page(
        f"<body style='margin: 0'><iframe src='{site.page(INNER)}' style='width: 300px; height: 200px; border: 0'></iframe>"
    )
    tabwire.open(site.page(f"<iframe id=t src='{middle}' width=300 height=200></iframe>{NOTED}"))
    tabwire.ok("click", selector="#t")
    page.wait_for("log.length")
    assert page.evaluate("log") == ["inside"]


def test_what_covers_a_frame_still_does(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    veil = "<div style='position: absolute; inset: 0'>Veil</div>"
    tabwire.open(site.page(f"<iframe id=t src='{site.page(INNER)}' width=300 height=100></iframe>{veil}{NOTED}"))
    assert "Veil" in tabwire.fails("click", selector="#t", timeout=500).text
    assert page.evaluate("log") == []


@pytest.mark.conditions
@pytest.mark.parametrize("tag", ["audio", "video"])
def test_a_click_on_media_controls_is_made_once_and_its_reply_says_who_took_it(
    tabwire: Tabwire, site: Site, page: ShownPage, condition: Condition, tag: str
) -> None:
    tabwire.open(site.page(f"<{tag} id=t controls></{tag}>{NOTED}"))
    reply = tabwire.ok("click", selector="#t")
    assert page.evaluate("[document.activeElement.id, log.length < 2]") == ["t", True]
    assert ("own controls took the press" in reply.data.get("note", "")) == (page.evaluate("log.length") == 0)
