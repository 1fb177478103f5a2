"""The pages that `scripts/docs` builds the site from, and its checks of what was built."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from publishing.scripts import ROOT, module

pages = module("site/pages")
built = module("site/built")


def named(entries: list[Any]) -> list[str]:
    """Pages that the navigation names."""
    found: list[str] = []
    for entry in entries:
        for target in entry.values() if isinstance(entry, dict) else [entry]:
            found += named(target) if isinstance(target, list) else [target]
    return found


def test_the_navigation_names_every_page_once() -> None:
    site = tomllib.loads((ROOT / "scripts/site/zensical.toml").read_text())
    shown = [page for page in pages.sources().values() if page.endswith(".md")]
    assert sorted(named(site["project"]["nav"])) == sorted(shown)


@pytest.mark.parametrize(
    ("source", "link", "target"),
    [
        ("README.md", "docs/tools.md#tabs", "tools.md#tabs"),
        ("docs/tools.md", "../README.md", "index.md"),
        ("docs/tools.md", "../CHANGELOG.md", "CHANGELOG.md"),
        ("docs/tools.md", "#tabs", "#tabs"),
        ("docs/tools.md", "https://example.com/a.md", "https://example.com/a.md"),
        ("docs/tools.md", "../scripts/lab/bench", "https://github.com/tabwire/tabwire/tree/main/scripts/lab/bench"),
        ("README.md", "LICENSE", "https://github.com/tabwire/tabwire/blob/main/LICENSE"),
    ],
)
def test_a_link_leads_to_the_page_or_to_the_repository(source: str, link: str, target: str) -> None:
    assert pages.relinked(f"See [it]({link}).", source) == f"See [it]({target})."


def test_a_link_in_code_is_left_as_it_is() -> None:
    text = "`[a](../README.md)`\n```\n[b](../README.md)\n```\n"
    assert pages.relinked(text, "docs/tools.md") == text


def test_a_link_to_a_missing_file_is_an_error_that_names_both() -> None:
    with pytest.raises(pages.BadLink, match=r"docs/tools\.md links to gone\.md"):
        pages.relinked("[it](gone.md)", "docs/tools.md")


def test_parts_of_list_items_go_to_columns_of_four() -> None:
    before = "- **A**\n  - one\n    more\n  - two\n\n1. First:\n   ```sh\n   - x\n   ```\nend\n```\n  - code\n```\n"
    after = "- **A**\n    - one\n        more\n    - two\n\n1. First:\n    ```sh\n    - x\n    ```\nend\n```\n  - code\n```\n"
    assert pages.reindented(before) == after


BODY = '<h1 id="top">T</h1><p>Text <code>a | b</code></p>'


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        (BODY, None),
        (BODY + '<a href="#top">up</a><a href="b.html#there">b</a>', None),
        (BODY + '<a href="https://example.com/">out</a>', None),
        ("<p>no heading</p>", "a.html: 0 first headings"),
        (BODY + '<a href="c.html">c</a>', "a.html: c.html leads nowhere"),
        (BODY + '<a href="b.html#gone">b</a>', "a.html: b.html#gone: no such heading"),
        (BODY + '<script src="https://example.com/x.js"></script>', "a.html: fetches https://example.com/x.js from elsewhere"),
        (BODY + "<p>text\n| a | b |\n</p>", "a.html: unrendered Markdown: '| a | b |'"),
        (BODY + "<p>text\n- item</p>", "a.html: unrendered Markdown: '-'"),
    ],
)
def test_damage_of_a_built_page_is_found(tmp_path: Path, html: str, problem: str | None) -> None:
    (tmp_path / "a.html").write_text(html)
    (tmp_path / "b.html").write_text(BODY + '<h2 id="there">there</h2>')
    assert built.damage(tmp_path) == ([problem] if problem else [])
