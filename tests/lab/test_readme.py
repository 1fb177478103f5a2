"""Every command and file that the pages of the laboratory name is there."""

import re

import pytest

from programs import ROOT

PAGES = ["scripts/lab/README.md", "scripts/lab/bench/README.md", "scripts/lab/apps/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_script_that_a_page_names_exists(page: str) -> None:
    named = set(re.findall(r"\bscripts/[\w/]+", (ROOT / page).read_text()))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()] == []
