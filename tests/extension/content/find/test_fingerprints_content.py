"""Likeness of elements to a recorded one: the score of two fingerprints, and what follows from scores."""

from typing import Any

import pytest
from selenium import webdriver

from extension.content_page import ContentPage
from extension.in_node import run

SCORE = "return __inside.fingerprintScore.score(arguments[0], arguments[1])"
BUTTON: dict[str, Any] = {
    "tag": "button",
    "role": "button",
    "name": "Save address",
    "text": "Save address",
    "id": "save",
    "classes": ["btn", "primary"],
    "landmark": "main",
    "heading": "Delivery",
    "before": "two days.",
    "after": "Cancel order",
    "place": [100, 400],
    "path": "body > main > button",
    "frame": "",
}


@pytest.fixture(scope="module")
def shown(driver: webdriver.Chrome) -> ContentPage:
    page = ContentPage(driver)
    page.show("<p>Nothing</p>")
    return page


def score(page: ContentPage, recorded: dict[str, Any], found: dict[str, Any]) -> float:
    return float(page.run(SCORE, recorded, found))


def test_an_element_is_wholly_like_itself(shown: ContentPage) -> None:
    assert score(shown, BUTTON, BUTTON) == 1
    assert score(shown, {}, BUTTON) == 0


@pytest.mark.parametrize(
    ("change", "least"),
    [
        ({"classes": ["button"]}, 0.95),
        ({"name": "Keep address", "text": "Keep address"}, 0.8),
        ({"name": "Speichern", "text": "Speichern"}, 0.65),
        ({"id": "other"}, 0.85),
        ({"tag": "div"}, 0.95),
        ({"place": [100, 4000], "heading": "Basket", "before": "", "after": ""}, 0.65),
    ],
)
def test_each_change_costs_its_worth(change: dict[str, Any], least: float, shown: ContentPage) -> None:
    assert least <= score(shown, BUTTON, {**BUTTON, **change}) < 1


def test_a_neighbour_is_another_element(shown: ContentPage) -> None:
    other = {**BUTTON, "name": "Cancel order", "text": "Cancel order", "id": "", "before": "Save address", "after": ""}
    assert score(shown, BUTTON, other) < 0.55


def test_what_the_recorded_element_did_not_have_does_not_count(shown: ContentPage) -> None:
    assert score(shown, BUTTON, {**BUTTON, "test_id": "save", "label": "Save", "turn": [0, 2]}) == 1


def test_twins_are_told_apart_by_their_surroundings(shown: ContentPage) -> None:
    twin = {**BUTTON, "turn": [1, 3], "heading": "Pears"}
    assert score(shown, twin, {**twin, "heading": "Plums"}) == 0.5
    assert score(shown, {**twin, "turn": None}, {**twin, "heading": "Plums"}) > 0.9


def test_a_fingerprint_has_nothing_that_was_typed(driver: webdriver.Chrome) -> None:
    page = ContentPage(driver)
    page.show("""<main><h2>Log in</h2><label>User <input id=user value=typed-user></label><p contenteditable>typed-note</p><ul><li><i contenteditable>typed-item</i><button>Pin</button></ul>
      <textarea aria-label=Note>typed-text</textarea><input type=password name=pw value=typed-secret><button>Go</button></main>""")
    found = page.run(
        "return [...document.querySelectorAll('input, textarea, p, button')].map((one) => __inside.fingerprints.of(one))"
    )
    assert "typed" not in str(found)
    assert found[0]["label"] == "User" and found[0]["heading"] == "Log in" and found[-1]["before"] == "Note"


def test_one_of_many_twins_is_found_by_its_row(driver: webdriver.Chrome) -> None:
    row = "<tr><td>Order {0}</td><td>open</td><td><button>Cancel</button> <button>Ship</button></td></tr>"
    page = ContentPage(driver)
    page.show(f"<table>{''.join(row.format(at) for at in range(300))}</table>")
    recorded = page.run("return __inside.fingerprints.of(document.querySelector('tr:nth-child(252) button:nth-of-type(2)'))")
    assert "Order 251" in recorded["item"] and recorded["turn"] == [251, 300]
    # Rows come and go before it.
    page.show(f"<table>{''.join(row.format(at) for at in range(40, 290))}</table>")
    found = page.call("fingerprints.nearest", fingerprint=recorded)
    assert found["isWhole"] and found["candidates"][0]["target"]["css"][0].startswith(
        "body > table > tbody > tr:nth-of-type(212)"
    )


def asked(call: str, cases: list[Any]) -> list[Any]:
    """What a function of the worker answers for each case, in one run of node."""
    answers = run(["background/steps/likeness.js"], f"return given.map((one) => {call})", given=cases)
    assert isinstance(answers, list)
    return answers


def test_nothing_is_guessed_between_equals() -> None:
    clear = [[0.55], [0.9, 0.8]]
    unclear: list[list[float]] = [[], [0.54], [0.9, 0.81], [0.64, 0.55]]
    is_clear = asked("isClear(one)", [*clear, *unclear])
    assert [scores for scores, said in zip([*clear, *unclear], is_clear, strict=True) if said] == clear


def test_a_selector_is_trusted_as_long_as_nothing_contradicts() -> None:
    trusted = [(0.35, []), (0.5, [0.64]), (0.85, [0.99])]
    untrusted: list[tuple[float, list[float]]] = [(0.34, []), (0.5, [0.65])]
    is_other = asked("isOther(...one)", [*trusted, *untrusted])
    assert [scores for scores, said in zip([*trusted, *untrusted], is_other, strict=True) if said] == untrusted
