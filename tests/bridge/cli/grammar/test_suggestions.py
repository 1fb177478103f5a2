"""Suggestions of `tabwire shell`, and what of its lines may be kept on disk."""

import pytest

from tabwire.cli.grammar.kept_lines import may_be_kept
from tabwire.cli.grammar.parsing import parse
from tabwire.cli.grammar.suggestions import MAX_ELEMENTS, Elements, suggestions
from tabwire.cli.session.prompt import split

SNAPSHOT = '- textbox "E-mail" [ref=@e4] [required]\n- button "Save" [ref=@e7]\n- img [ref=@e9]'


def elements(*replies: str) -> Elements:
    found = Elements()
    for reply in replies:
        found.read(reply)
    return found


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sna"], ["snapshot"]),
        (["hel"], ["help"]),
        (["click", "@e"], ["@e9", "@e7", "@e4"]),
        (["click", "@e7"], ["@e7"]),
        (["click", "sav"], ['button "Save"']),
        (["click", ""], []),
        (["click", "--for"], ["--force"]),
        (["wait", "te"], ["text", "text_hidden"]),
        (["click", "@e7", "--button", "m"], ["middle"]),
        (["nonsense", "x"], []),
    ],
)
def test_the_last_word_is_completed(words: list[str], expected: list[str]) -> None:
    assert [text for text, _ in suggestions(words, elements(SNAPSHOT), ["help"])] == expected


def test_elements_are_known_by_their_last_words_and_acts_name_them_too() -> None:
    found = elements(SNAPSHOT, "Click · input: trusted\nObserved: [button Saved @e12]", "Click · ref: @e4")
    assert [ref for ref, _ in found.refs()][:2] == ["@e4", "@e12"]
    assert dict(found.refs())["@e7"] == 'button "Save"'


def test_only_the_latest_elements_are_remembered() -> None:
    found = elements("\n".join(f"- link [ref=@e{number}]" for number in range(MAX_ELEMENTS + 5)))
    assert [len(list(found.refs())), next(found.refs())[0]] == [MAX_ELEMENTS, f"@e{MAX_ELEMENTS + 4}"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", [""]),
        ("click ", ["click", ""]),
        ("click @e", ["click", "@e"]),
        ("click 'button \"Sa", ["click", 'button "Sa']),
        ("fill 'label:A b' x", ["fill", "label:A b", "x"]),
    ],
)
def test_a_line_that_is_still_open_has_its_words(typed: str, words: list[str]) -> None:
    assert split(typed)[1] == words


@pytest.mark.parametrize(
    ("words", "is_kept"),
    [
        (["click", "@e7"], True),
        (["snapshot"], True),
        (["press", "Enter"], True),
        (["fill", "label:Password", "hunter2"], False),
        (["press", "x"], False),
        (["open", "https://ann:secret@shop.example/"], False),
        (["cookies", "set", "sid", "abc"], False),
    ],
)
def test_lines_with_what_may_be_secret_are_not_kept(words: list[str], is_kept: bool) -> None:
    assert may_be_kept(parse(words, "/")) is is_kept
