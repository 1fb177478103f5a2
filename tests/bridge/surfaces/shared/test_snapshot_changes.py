"""What changed between two snapshots."""

from __future__ import annotations

from tabwire.surfaces.shared.snapshot_changes import NOTHING, changes

BEFORE = """Page: A (https://a.example/)
Viewport: 800x600

- document "A"
  - heading "Things" [ref=@e1]
  - list
    - listitem [ref=@e2]: One
    - listitem [ref=@e3]: Two
  - paragraph: "Some text that is here to make the page longer than any of the differences between its versions."
  - paragraph: "And more of it, because a diff that is longer than the page is never shown instead of the page."
  - button "Add" [ref=@e4]"""


def test_nothing_changed() -> None:
    assert changes(BEFORE, BEFORE) == NOTHING


def test_changed_lines_stand_under_what_contains_them() -> None:
    after = BEFORE.replace("    - listitem [ref=@e3]: Two", "    - listitem [ref=@e3]: Two\n    - listitem [ref=@e5]: Three")
    assert changes(BEFORE, after).splitlines()[1:] == ["    - list", "+     - listitem [ref=@e5]: Three"]


def test_gone_and_new_lines_are_told_apart() -> None:
    after = BEFORE.replace('- button "Add" [ref=@e4]', '- button "Add" [ref=@e4] [disabled]')
    assert changes(BEFORE, after).splitlines()[1:] == ['-   - button "Add" [ref=@e4]', '+   - button "Add" [ref=@e4] [disabled]']


def test_what_is_gone_with_all_that_was_in_it_is_one_line() -> None:
    gone = """  - list
    - listitem [ref=@e2]: One
    - listitem [ref=@e3]: Two
"""
    assert changes(BEFORE, BEFORE.replace(gone, "")).splitlines()[1:] == ["-   - list (and 2 lines in it)"]


def test_a_new_page_is_shown_whole() -> None:
    after = 'Page: B (https://b.example/)\nViewport: 800x600\n\n- document "B"\n  - heading "Other" [ref=@e9]'
    assert changes(BEFORE, after) == after
