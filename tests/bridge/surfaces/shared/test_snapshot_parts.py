"""Long snapshots in parts: the first has what is looked at first, and all together have everything once."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tabwire.surfaces.shared.snapshot_lines import PIECE, json_bytes, tokens
from tabwire.surfaces.shared.snapshot_parts import First, Measure, Page

HEAD = "Page: A (https://a.example/)\nViewport: 800x600\n\n"


def article(sections: int = 60, paragraphs: int = 12) -> list[str]:
    lines = ['- document "A"']
    for at in range(sections):
        lines.append(f'  - heading "Part {at}" [ref=@e{at * 100}] [level=2]')
        for number in range(paragraphs):
            ref = at * 100 + number + 1
            lines += ["  - paragraph", f"    - text: {at} {number} {'some words ' * 5}", f'    - link "to {ref}" [ref=@e{ref}]']
            lines.append(f"    - text: ends {at} {number}")
    return lines


PAGES: dict[str, list[str]] = {
    "an article": article(),
    "a longer article": article(300),
    "paragraphs": [f'- paragraph: "{at} {"word " * 30}"' for at in range(2_600)],
    "links": [f'- link "Link {at}" [ref=@e{at}]' for at in range(5_000)],
    "headings": [f'- heading "Title {at}" [ref=@e{at}] [level=3]' for at in range(3_000)],
    "a table": [
        line
        for at in range(1_000)
        for line in (f'- row "{at}" [ref=@e{at}]', *(f"  - cell: {at} {column}" for column in range(8)))
    ],
    "one paragraph": ['- heading "T" [ref=@e1] [level=1]', f'- paragraph: "{" ".join(f"w{at}" for at in range(9_000))}"'],
    "a long value": [f'- textbox "F" [ref=@e1]: "{"v" * 10_000}"', *(f'- button "B {at}" [ref=@e{at + 2}]' for at in range(900))],
    "long names": [f'- button "{at} {"name " * 700}" [ref=@e{at}] [disabled]' for at in range(20)],
    "no spaces": [f"- text: {'大' * 3_000}{at}" for at in range(9)],
    "deep": [f'{"  " * (at % 90)}- group "{at}"' for at in range(4_000)],
}


def parts(lines: list[str], budget: int = 7_500, measure: Measure = tokens, **more: list[int]) -> tuple[First, list[str]]:
    first = Page(HEAD + "\n".join(lines), more.get("seen", ())).first(budget, measure)
    texts, position = [first.text("s1")], 0
    while position is not None:
        text, position = first.rest.part(position, None, budget, measure)
        texts.append(text)
    return first, texts


def told(texts: list[str]) -> str:
    """The lines of all parts without what is said about them, long ones put together again."""
    lines = [line for text in texts for line in text.removeprefix(HEAD).splitlines() if not re.match(r" *(… |- @e\d+$)", line)]
    return "\n".join(re.sub(r"…(?=$|\")", "", line.replace("- … ", "")) for line in lines)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    ("budget", "measure"), [(7_500, tokens), (1_000, len), (20_000, json_bytes)], ids=["tokens", "chars", "bytes"]
)
def test_all_parts_together_have_everything_once(name: str, budget: int, measure: Measure) -> None:
    lines = PAGES[name]
    _, texts = parts(lines, budget, measure)
    assert all(measure(text) <= budget or text.removeprefix(HEAD).count("\n") < 3 for text in texts)
    words, wanted = (re.findall(r"\S+" if " " in lines[0][20:] else r"\w", text) for text in (told(texts), "\n".join(lines)))
    if name in ("no spaces", "a long value", "long names"):
        words, wanted = list("".join(words)), list("".join(wanted))
    assert Counter(words) == Counter(wanted)


def test_controls_and_headings_are_everywhere_and_text_is_where_the_view_is() -> None:
    lines = article(20, 8)
    at = lines.index('  - heading "Part 12" [ref=@e1200] [level=2]')
    first, texts = parts(lines, 5_000, seen=[at])
    assert texts[0].count("[ref=") == sum("[ref=" in line for line in lines)
    assert all(f"- text: 12 {number} " in texts[0] for number in range(3))
    assert "- text: 0 0 " not in texts[0]
    assert "- text: 0 0 " in texts[1]
    for section in first.sections:
        text, position = first.rest.part(section.start, section.end, 5_000, tokens)
        heading = lines[section.after]
        assert position is None
        assert f"- text: {re.sub('[^0-9]', '', heading.split('[')[0])} " in text


def test_a_text_between_links_that_were_given_before_can_be_read() -> None:
    lines = ["- paragraph", "  - text: See", '  - link "this" [ref=@e1]', f"  - text: and {'more ' * 90}"] * 40
    _, texts = parts(lines, 600)
    assert any("  - text: See\n  - @e1\n  - text: and" in text for text in texts[1:])


def test_a_reference_stays_on_the_first_piece_of_its_line() -> None:
    _, texts = parts(PAGES["long names"])
    assert all(f"[ref=@e{at}]" in "".join(line for line in texts[0].splitlines() if "- button" in line) for at in range(20))


def test_a_page_whose_controls_do_not_fit_shows_those_near_the_view_and_its_headings() -> None:
    lines = article(100, 30)
    at = lines.index('  - heading "Part 70" [ref=@e7000] [level=2]')
    _, texts = parts(lines, seen=[at])
    assert all(f'"Part {number}"' in texts[0] for number in range(100))
    assert '"to 7001"' in texts[0] and "- text: 70 0 " in texts[0]
    assert '"to 101"' not in texts[0]


@pytest.mark.parametrize("length", [PIECE - 30, PIECE - 12, PIECE, PIECE + 1])
def test_a_reference_is_never_broken(length: int) -> None:
    line = f'- button "{"n " * (length // 2)}" [ref=@e12345] [disabled]'
    first, _ = parts([line, *PAGES["links"]])
    assert "[ref=@e12345]" in first.page.lines[0]
