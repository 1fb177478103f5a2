"""Captions of recordings; run by node."""

from extension import in_node

CAPTIONS = {
    '<button class="btn primary"> "Go"': 'Click button "Go"',
    "<button>": "Click button",
    # Nothing else tells which one it was.
    '<button id="go">': 'Click <button id="go">',
}


def test_a_caption_names_an_element_as_people_do() -> None:
    acts = [{"method": "input.click", "params": {}, "result": {"element": element}} for element in CAPTIONS]
    captions = in_node.run(["background/media/act-descriptions.js"], "return given.map(describeAct)", given=acts)
    assert dict(zip(CAPTIONS, captions, strict=True)) == CAPTIONS
