"""Changes that an act makes, as its last step tells them: controls that appeared, and an error of the telling itself."""

import re
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from extension.content_page import ContentPage


@pytest.fixture(scope="module")
def acting(driver: webdriver.Chrome) -> ContentPage:
    """A page with all content scripts."""
    return ContentPage(driver)


def appeared(acting: ContentPage, html: str, script: str) -> list[str]:
    """Names of the controls that are told to have appeared when a script has changed a page."""
    acting.show(f"<body>{html}")
    assert acting.call("effects.begin")["begun"]
    # The first look at the page comes a task later.
    acting.wait()
    acting.run(script)
    (told,) = [one for one in acting.call("effects.end")["changes"] if one.startswith("controls appeared")] or [""]
    return re.findall(r"\[(.*?) \S+\]", told)


CASES: dict[str, tuple[str, str, list[str]]] = {
    "a hidden menu is lifted to the body and shown": (
        "<div><p id=m hidden><button>Copy</button></div>",
        "document.body.append(m); m.hidden = false",
        ["Copy"],
    ),
    "the same, in a box that is new": (
        "<div><p id=m hidden><button>Copy</button></div>",
        "const box = document.createElement('div'); box.append(m); document.body.append(box); m.hidden = false",
        ["Copy"],
    ),
    "the same, hidden by a class": (
        "<style>.off { display: none }</style><div><p id=m class=off><button>Copy</button></div>",
        "document.body.append(m); m.className = ''",
        ["Copy"],
    ),
    "a button that was seen moves": ("<button id=b>Copy</button><p id=m></p>", "m.append(b)", []),
    "it moves into a box that is then shown": (
        "<button id=b>Copy</button><p id=m hidden><button>Paste</button></p>",
        "m.append(b); m.hidden = false",
        ["Paste"],
    ),
    "details are opened": (
        "<details id=d><summary>More</summary><button>Copy</button></details>",
        "d.open = true",
        ["Copy"],
    ),
    "details are shown": (
        "<details id=d hidden open><summary>More</summary><button>Copy</button></details>",
        "d.hidden = false",
        ["More", "Copy"],
    ),
    "details are shown and opened": (
        "<details id=d hidden><summary>More</summary><button>Copy</button></details>",
        "d.hidden = false; d.open = true",
        ["More", "Copy"],
    ),
    "details are opened in a box that is shown": (
        "<div id=m hidden><details id=d><summary>More</summary></details></div>",
        "m.hidden = false; d.open = true",
        ["More"],
    ),
    "details in details that are opened": (
        "<details id=d><summary>More</summary><details><summary>Still more</summary></details></details>",
        "d.open = true",
        ["Still more"],
    ),
    "one that moved and a twin that is drawn anew": (
        "<button id=b>Save</button><p id=m><button>Save</button></p><p id=n></p>",
        "const box = document.createElement('div'); box.append(b); n.append(box); m.innerHTML = m.innerHTML",
        [],
    ),
    "an item of a tree": ("<ul role=tree id=t></ul>", "t.innerHTML = '<li role=treeitem tabindex=0>Leaf'", ["treeitem Leaf"]),
    "a cell of a grid": (
        "<table role=grid><tr id=t></table>",
        "t.innerHTML = '<td role=gridcell>Cell'",
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_controls_that_were_not_seen_before_have_appeared(acting: ContentPage, name: str) -> None:
    html, script, expected = CASES[name]
    assert [told.removeprefix("summary ") for told in appeared(acting, html, script)] == expected


def failing_count(acting: ContentPage) -> None:
    acting.run("MutationObserver.prototype.takeRecords = () => { throw new Error('no count'); }")


def test_the_last_step_of_an_act_succeeds_where_its_changes_cannot_be_told(acting: ContentPage, driver: webdriver.Chrome) -> None:
    acting.show("<body><button>Go</button>")
    ref = acting.ref("Go")
    target: dict[str, Any] = {"ref": ref}
    acting.call("effects.begin")
    acting.call("input.arm", target=target)
    driver.find_element(By.CSS_SELECTOR, "button").click()
    failing_count(acting)
    verdict = acting.call("input.verdict", ends=True)
    assert verdict["reached"] == 1 and verdict["counted"] is None
    acting.call("effects.begin")
    answer = acting.answer("input.withholdNative", ends_act=True)
    assert "error" not in answer and answer["counted"] is None
