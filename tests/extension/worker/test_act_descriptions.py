"""Captions of recordings; run by node."""

from typing import Any

import pytest

from extension import in_node


@pytest.mark.parametrize(
    ("element", "caption"),
    [
        ('<button class="btn primary"> "Go"', 'Click button "Go"'),
        ("<button>", "Click button"),
        # Nothing else tells which one it was.
        ('<button id="go">', 'Click <button id="go">'),
    ],
)
def test_a_caption_names_an_element_as_people_do(element: str, caption: str) -> None:
    act: dict[str, Any] = {"method": "input.click", "params": {}, "result": {"element": element}}
    assert in_node.run(["background/media/act-descriptions.js"], "return describeAct(given)", given=act) == caption
