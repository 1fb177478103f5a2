"""The browser of the tests of the side panel, which share it: each of them leaves it as it was."""

from collections.abc import Iterator

import pytest

from e2e.plain import NO_BAR
from e2e.site import Site
from e2e.ui.desk import Desk
from e2e.ui.own_pages import UNTHROTTLED


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with Desk.started(tmp_path_factory.mktemp("panel"), pairing={"permissions": {}}, flags=[UNTHROTTLED, NO_BAR]) as desk:
        desk.page.wait_for("document.querySelectorAll('#clients > li').length === 2", 30)
        yield desk


@pytest.fixture
def desk(running: Desk, site: Site) -> Iterator[Desk]:
    with running.for_a_test():
        yield running
    if running.page.evaluate("document.querySelector('#view-now').hidden"):
        running.view("now")
    # What a test has allowed or refused is not the next one's.
    for pattern in {
        one.get("pattern", one.get("site")) for part in ("rules", "answers") for one in running.person.ask("siteRules")[part]
    }:
        running.person.ask("forgetSite", pattern=pattern)
