"""The shell of these tests, which share its browser and its sessions."""

from collections.abc import Iterator

import pytest

from e2e.plain import NO_BAR, PlainChromium
from e2e.shell.typed import Shell
from e2e.site import Site


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Shell]:
    # Two snapshots would differ by the height that the bar takes.
    chromium = PlainChromium(tmp_path_factory.mktemp("shell"), running_site.url("/blank.html"), flags=[NO_BAR])
    try:
        shell = Shell(chromium)
        yield shell
        shell.ok("tabwire close --all")
    finally:
        chromium.close()
