"""Hits in the tree of a page."""

from __future__ import annotations

import pytest

from bridge.fake_engine import FakeEngine, Surface
from fences import unfenced
from tabwire.surfaces.agent import tree_search

pytestmark = pytest.mark.anyio

PAGE = """Page: Shop (http://shop.example/)
Viewport: 800x600

- document
  - banner [ref=@e1]
    - link "Home" [ref=@e2]
  - region "Cart" [ref=@e3]
    - generic [ref=@e4]
      - list [ref=@e5]
        - listitem [ref=@e6]: Lamp
          - button "Remove" [ref=@e7] [clickable]
  - region "Saved" [ref=@e8]
    - button "Remove" [ref=@e9]
    - text: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!

Not shown: 2 hidden elements"""


def surface() -> Surface:
    return Surface("agent", FakeEngine({"snapshot.capture": {"tabId": 1, "snapshot": PAGE}}))


async def test_each_hit_has_its_ref_and_what_it_is_in() -> None:
    result = await surface().call("find", text="REMOVE")
    assert unfenced(result.text).splitlines() == [
        "2 lines match:",
        '- button "Remove" [ref=@e7] [clickable] in region "Cart" > list > listitem',
        '- button "Remove" [ref=@e9] in region "Saved"',
        "Not shown: 2 hidden elements",
    ]


async def test_a_regular_expression_is_applied_to_lines_without_refs() -> None:
    assert "1 line matches" in (await surface().call("find", regex='^link "Ho')).text
    assert "No line" in (await surface().call("find", regex="ref=@e2")).text
    assert "No line" in (await surface().call("find", text="hidden elements")).text


async def test_a_limit_says_how_many_more_there_are() -> None:
    result = await surface().call("find", text="remove", limit=1)
    assert "@e7" in result.text and "@e9" not in result.text and "1 more" in result.text


async def test_bad_patterns_are_errors_and_endless_ones_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "PATTERN_S", 0.2)
    assert (await surface().call("find", regex="(")).text.startswith("invalid_argument: pattern is not a valid")
    assert (await surface().call("find", regex="(a+)+$")).text.startswith("timeout: ")
    for arguments in ({}, {"text": "a", "regex": "b"}, {"text": " "}):
        assert (await surface().call("find", **arguments)).text.startswith("invalid_argument: ")


LONG = f"- paragraph [ref=@e10]: {'one item of many. ' * 60}Total: 41.80 EUR. {'More words. ' * 60}"


@pytest.mark.parametrize(
    ("how", "wanted"),
    [("text", "total: 41.80"), ("regex", r"Total: [\d.]+"), ("text", "more words. more"), ("text", "one item")],
)
async def test_a_long_line_is_cut_around_its_hit(how: str, wanted: str) -> None:
    page = PAGE.replace('    - button "Remove" [ref=@e9]', f"    {LONG}")
    found = Surface("agent", FakeEngine({"snapshot.capture": {"tabId": 1, "snapshot": page}}))
    line = unfenced((await found.call("find", **{how: wanted})).text).splitlines()[1]
    assert line.startswith("- paragraph [ref=@e10]: one item")
    assert wanted.casefold() in line.casefold() or (how == "regex" and "Total: 41.80" in line)
    assert len(line) < tree_search.MAX_LINE + 40 and line.endswith('… in region "Saved"')


@pytest.mark.parametrize("length", [30, 35, 40, 200, 260, 267, 270, 400])
async def test_a_reference_in_a_long_line_is_whole(length: int) -> None:
    page = PAGE.replace('"Saved" [ref=@e8]', f'"{"x" * length}" [ref=@e12345]: {"y" * 400} Total {"z" * 400}')
    found = Surface("agent", FakeEngine({"snapshot.capture": {"tabId": 1, "snapshot": page}}))
    for text in ("xxx", "total"):
        line = unfenced((await found.call("find", text=text)).text).splitlines()[1]
        assert text in line.casefold() and line.count("@e") == line.count("[ref=@e12345]") == 1, line
