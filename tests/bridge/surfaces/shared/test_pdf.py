"""The text of PDFs: what is read within the time, and what is said where nothing can be."""

import importlib.util
import sys

import anyio
import pytest

from bridge.pdf_files import pdf
from tabwire.surfaces.shared import pdf as shared_pdf
from tabwire.surfaces.shared.pdf import LATE, PdfText, read_pdf


def read(body: bytes, seconds: float = 20) -> PdfText:
    return anyio.run(read_pdf, body, seconds)


def test_the_pages_are_read() -> None:
    assert read(pdf(["One", "Two"], title="Both")) == PdfText("Both", 2, ["One", "Two"])


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_pdf, "find_spec", lambda name: None if name == "pypdf" else importlib.util.find_spec(name))
    assert 'pip install "tabwire[pdf]"' in read(pdf(["One"])).left_out


def test_the_pages_for_which_there_is_time_are_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("packages")
    (folder / "pypdf.py").write_text(
        "class Page:\n def __init__(self, at): self.at = at\n def extract_text(self):\n  while self.at: pass\n  return 'First'\n"
        "class PdfReader:\n is_encrypted = False\n metadata = None\n pages = [Page(0), Page(1), Page(2)]\n def __init__(self, body): pass\n"
    )
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    assert read(b"", 2) == PdfText("", 3, ["First"], "pages 2 to 3, for which there was no time")


def test_a_file_that_takes_all_the_time_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("packages")
    (folder / "pypdf.py").write_text("while True: pass\n")
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    assert read(b"", 1).left_out == LATE
