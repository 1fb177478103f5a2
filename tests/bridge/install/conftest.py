"""What the tests of installation share."""

import pytest

from tabwire.install import extension_files

FEW = ("manifest.json", "extension/background/main.js", "extension/background/base/url.js", "extension/injected/lifeline.js")


@pytest.fixture(autouse=True)
def few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few files of the extension stand for all, which take a tenth of a second to copy; a browser runs all of them in `e2e/install`."""
    few = {name: (extension_files.source() / name).read_bytes() for name in FEW}
    monkeypatch.setattr(extension_files, "contents", lambda: dict(few))
