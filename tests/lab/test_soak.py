"""The conclusions of the soak (scripts/lab/bench/soak): a judge that errs would pass anything."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tabwire.errors import ERROR_CODES

FOLDER = str(Path(__file__).resolve().parents[2] / "scripts/lab/bench/soak")


@pytest.fixture
def folder() -> Iterator[None]:
    """Its modules can be imported."""
    sys.path.insert(0, FOLDER)
    yield
    sys.path.remove(FOLDER)


@pytest.fixture
def soak(folder: None) -> ModuleType:
    """Its module `ledger`."""
    return importlib.import_module("ledger")


@pytest.mark.parametrize(
    ("is_error", "code", "text", "times", "verdict"),
    [
        (False, "", "Click", 1, "DONE"),
        (False, "", "Click", 0, "LOST"),
        (False, "", "Click", 2, "DOUBLED"),
        (True, "no_such_tab", "the tab is closed", 0, "NOT_DONE"),
        (True, "no_such_tab", "the tab is closed", 1, "FALSE"),
        (True, "timeout", "input.click did not end within 5000 ms; take a snapshot before you repeat it", 1, "UNKNOWN_DONE"),
        (True, "timeout", "input.click did not start within 5000 ms; nothing was done: try again", 1, "FALSE"),
        (True, "outcome_unknown", "whether it happened is unknown", 0, "UNKNOWN_NOT_DONE"),
        (True, "outcome_unknown", "whether it happened is unknown", 2, "DOUBLED"),
        (True, "not_connected", "It may have happened: take a snapshot", 1, "UNKNOWN_DONE"),
        (True, "bridge_gone", "Connection closed", 1, "UNKNOWN_DONE"),
    ],
)
def test_a_reply_is_judged_by_what_happened(
    soak: ModuleType, is_error: bool, code: str, text: str, times: int, verdict: str
) -> None:
    ledger = soak.Ledger()
    act = ledger.open(soak.Act("a1", "click", "L0.1"))
    act.claim = soak.claim_of(is_error, code, text)
    for _ in range(times):
        ledger.happened("a1", "L0.1")
    assert ledger.verdict(act).name == verdict
    assert ledger.verdict(act).is_failure == (verdict in {"LOST", "DOUBLED", "FALSE"})


def test_an_act_in_the_wrong_tab_and_one_nobody_asked_for_are_found(soak: ModuleType) -> None:
    ledger = soak.Ledger()
    act = ledger.open(soak.Act("a1", "click", "L0.1", claim=soak.Claim.DONE))
    ledger.happened("a1", "L1.1")
    ledger.happened("a2", "L0.1")
    assert ledger.verdict(act).name == "ASTRAY"
    assert ledger.strangers() == ["a2"]


def test_the_soak_knows_only_codes_that_exist(soak: ModuleType) -> None:
    assert set(ERROR_CODES) >= soak.NOTHING_HAPPENED


def test_growth_is_a_trend_and_not_a_bad_moment(folder: None) -> None:
    memory = importlib.import_module("memory")
    flat = [(float(at), 10.0) for at in range(20)]
    assert memory.trend([*flat, (20.0, 30.0)]) == 0
    rising = [(at, 10 + at / 10) for at, _ in flat]
    assert memory.trend(rising) == pytest.approx(0.19)
    assert memory.trend(rising, held_before=11.9) == pytest.approx(0)
    leaking = memory.Series("leaking", True, [(float(at), 10 + at / 10) for at in range(60)])
    assert leaking.growth(20) > 0.3
    sawtooth = memory.Series("sawtooth", True, [(float(at), 10 + (at % 30) / 10) for at in range(60)])
    assert sawtooth.growth(29) < 0.1


def test_percentiles_are_values_that_were_seen(folder: None) -> None:
    percentile = importlib.import_module("report").percentile
    values = [float(value) for value in range(1, 101)]
    assert [percentile(values, share) for share in (0.5, 0.95, 0.99, 1)] == [50, 95, 99, 100]
    assert percentile([7.0], 0.5) == 7


def test_memory_that_was_hardly_looked_at_is_a_failure(folder: None) -> None:
    unseen = importlib.import_module("report").unseen
    assert unseen(90, 100) == []
    assert unseen(0, 100) == ["memory could be sampled only 0 of 100 times"]
    assert unseen(0, 0)
