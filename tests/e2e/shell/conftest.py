"""The shell of these tests, which share its browser and its sessions."""

from collections.abc import Iterator

import pytest

from e2e.plain import PlainChromium
from e2e.shell.typed import Shell
from e2e.site import Site


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Shell]:
    # Chrome's notice of a debugger takes height from the page when it likes: two snapshots would differ in it.
    flags = ["--silent-debugger-extension-api"]
    chromium = PlainChromium(tmp_path_factory.mktemp("shell"), running_site.url("/blank.html"), flags=flags)
    try:
        shell = Shell(chromium)
        yield shell
        shell.ok("tabwire close --all")
    finally:
        chromium.close()
