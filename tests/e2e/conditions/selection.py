"""Which tests run in which conditions: the mark ``conditions``, and the options ``--conditions`` and ``--condition``."""

import pytest

from e2e.conditions.condition import CONDITIONS, USUAL, Condition
from e2e.conditions.expected_failures import reason_for

MARK = "conditions"
FIXTURE = "condition"
CASE = "case"
"""Name of the property of a report that holds the id of its test without the condition."""


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("conditions")
    group.addoption("--conditions", action="store_true", help="run the tests marked `conditions` in every condition")
    names = [USUAL.name, *CONDITIONS]
    group.addoption("--condition", action="append", default=[], choices=names, help="run them in this condition; repeatable")


def chosen(config: pytest.Config) -> list[Condition]:
    """The conditions of this run; none in a plain one, in which every test runs once."""
    every = [*CONDITIONS] if config.getoption("--conditions") else []
    names = [*config.getoption("--condition"), *every]
    return [condition for condition in (USUAL, *CONDITIONS.values()) if condition.name in names]


def generate(metafunc: pytest.Metafunc) -> None:
    """Parametrizes a marked test by the conditions of this run."""
    conditions = chosen(metafunc.config)
    if not conditions or not metafunc.definition.get_closest_marker(MARK):
        return
    if FIXTURE not in metafunc.fixturenames:
        raise pytest.UsageError(f"{metafunc.definition.nodeid} has the mark `{MARK}`, but no fixture that depends on `{FIXTURE}`")
    # The tests of a condition share a browser.
    params = [pytest.param(one, id=one.name, marks=pytest.mark.xdist_group(one.name)) for one in conditions]
    metafunc.parametrize(FIXTURE, params, indirect=True, scope="session")


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests that have a condition, sorted by it; the declared exceptions are expected to fail."""
    if not (conditions := chosen(config)):
        return
    found = {item: one for item in items if (one := _condition_of(item))}
    config.hook.pytest_deselected(items=[item for item in items if item not in found])
    items[:] = sorted(found, key=lambda item: conditions.index(found[item]))
    for item in items:
        case, name = _case_of(item), found[item].name
        item.user_properties += [(FIXTURE, name), (CASE, case)]
        if reason := reason_for(case, name):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def _condition_of(item: pytest.Item) -> Condition | None:
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(FIXTURE) if callspec else None


def _case_of(item: pytest.Item) -> str:
    """The id of a test without its condition."""
    test, _, parameters = item.nodeid.partition("[")
    name = found.name if (found := _condition_of(item)) else ""
    rest = parameters.removesuffix("]").removesuffix(name).removeprefix(name).strip("-")
    return f"{test}[{rest}]" if rest else test
