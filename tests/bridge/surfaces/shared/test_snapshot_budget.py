"""Snapshots within a budget: what goes, in which order, and that it is said."""

from __future__ import annotations

from tabwire.surfaces.shared.snapshot_budget import fit

HEAD = "Page: A (https://a.example/)\nViewport: 800x600\n\n"


def page(*lines: str, foot: str = "") -> str:
    return HEAD + "\n".join(lines) + foot


def test_what_fits_is_left_alone() -> None:
    text = page('- button "A" [ref=@e1]', foot="\n\nNot shown: 1 frame unreachable")
    assert fit(text, 10_000).text == text


def test_long_texts_are_shortened_first_and_controls_stay() -> None:
    lines = [f"- paragraph: {'x' * 900}", '- button "A" [ref=@e1]'] * 3
    fitted = fit(page(*lines), 1_500)
    assert len(fitted.text) <= 1_500
    assert fitted.text.count("[ref=@e1]") == 3
    assert fitted.text.count("…") == 3
    assert fitted.notes == ("3 long texts shortened",)
    assert fitted.rest == ""


def test_then_texts_go_from_the_end() -> None:
    lines = [f"- text: {number:03d} {'y' * 80}" for number in range(100)] + ['- button "Last" [ref=@e9]']
    fitted = fit(page(*lines), 3_000)
    assert len(fitted.text) <= 3_000
    assert "- text: 000" in fitted.text
    assert "- text: 099" not in fitted.text
    assert "[ref=@e9]" in fitted.text
    assert fitted.notes[0].endswith("texts left out")


def test_then_the_tail_is_cut_at_a_line_and_can_be_continued() -> None:
    lines = [f'- button "{number:04d}" [ref=@e{number}]' for number in range(300)]
    fitted = fit(page(*lines, foot="\n\nNot shown: 2 hidden elements"), 2_000)
    assert len(fitted.text) <= 2_000
    assert fitted.text.endswith("Not shown: 2 hidden elements")
    shown = [line for line in fitted.text.splitlines() if line.startswith("- ")]
    assert [*shown, *fitted.rest.removeprefix(HEAD).splitlines()] == lines
    assert fitted.notes == (f"{300 - len(shown)} lines left",)


def test_a_continuation_always_gets_on() -> None:
    rest = page(*(f'- button "{"z" * 2_000}" [ref=@e{number}]' for number in range(3)))
    seen = 0
    while rest:
        fitted = fit(rest, 1_000)
        seen += fitted.text.count("[ref=@e")
        rest = fitted.rest
    assert seen == 3
