"""A browser in which documents of two sites are never touched, and those of two others only read."""

from collections.abc import Iterator

import pytest

from e2e.rules.barred_frames import ASKED, LEDGERS, TAKEN, TICK, VAULT, Ground
from e2e.rules.ruling import BANK, Ruled
from e2e.site import Site


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Ruled]:
    allowed = {"sensitive": {"evaluate": "allow"}}
    with Ruled.started(tmp_path_factory.mktemp("frames"), pairing={"permissions": allowed}) as ruled:
        ruled.site = running_site
        for site in (BANK, VAULT):
            ruled.rule(site, "never")
        for site in LEDGERS.values():
            ruled.rule(site, "read")
        yield ruled


@pytest.fixture
def ground(guarded: Ruled, site: Site) -> Iterator[Ground]:
    site.serve(TICK, "")
    for path in (TAKEN, ASKED):
        site.serve(path, "")
    with guarded.for_a_test():
        yield Ground(guarded)
