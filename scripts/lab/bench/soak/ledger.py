"""Claims about every act, and what the pages say: the two must agree."""

import enum
import re
import threading
from collections import Counter
from dataclasses import dataclass, field


class Claim(enum.Enum):
    """Claim of a reply about its act."""

    DONE = "done"
    NOT_DONE = "not done"
    UNKNOWN = "unknown"


class Verdict(enum.Enum):
    """Worth of a claim beside what happened. Those in capitals are failures."""

    DONE = "done once"
    NOT_DONE = "reported failed, not done"
    UNKNOWN_DONE = "reported unknown, done"
    UNKNOWN_NOT_DONE = "reported unknown, not done"
    LOST = "LOST"
    DOUBLED = "DOUBLED"
    FALSE = "FALSE (reported failed, done)"
    ASTRAY = "ASTRAY (done in another tab)"

    @property
    def is_failure(self) -> bool:
        return self.name in {"LOST", "DOUBLED", "FALSE", "ASTRAY"}


NOTHING_HAPPENED = frozenset(
    """
    ambiguous_selector dialog_pending element_click_intercepted element_not_editable element_not_interactable frame_unreachable
    invalid_argument invalid_element_state invalid_selector no_such_element no_such_frame no_such_tab not_connected
    permission_denied restricted_page stale_element_reference tab_leased unknown_command unsupported_operation
    """.split()
)
"""Codes that stand for an act that did not begin."""

SAYS_NOTHING_HAPPENED = re.compile(r"nothing (was|has been) (done|changed)|did not start")
SAYS_UNKNOWN = re.compile(r"may (or may not )?have (happened|run)|whether it happened|before you repeat it")


def claim_of(is_error: bool, code: str, text: str) -> Claim:
    """Claim that a reply makes. A sentence about the outcome weighs more than the code it stands beside."""
    if not is_error:
        return Claim.DONE
    if SAYS_UNKNOWN.search(text):
        return Claim.UNKNOWN
    if code in NOTHING_HAPPENED or SAYS_NOTHING_HAPPENED.search(text):
        return Claim.NOT_DONE
    return Claim.UNKNOWN


def verdict_of(claim: Claim, times: int) -> Verdict:
    """The truth table."""
    if times > 1:
        return Verdict.DOUBLED
    return {
        (Claim.DONE, 1): Verdict.DONE,
        (Claim.DONE, 0): Verdict.LOST,
        (Claim.NOT_DONE, 0): Verdict.NOT_DONE,
        (Claim.NOT_DONE, 1): Verdict.FALSE,
        (Claim.UNKNOWN, 0): Verdict.UNKNOWN_NOT_DONE,
        (Claim.UNKNOWN, 1): Verdict.UNKNOWN_DONE,
    }[claim, times]


@dataclass
class Act:
    """An act with an id of its own, which the page tells the site exactly when it happens."""

    id: str
    tool: str
    key: str
    """Key of the tab it was meant for."""
    is_foreign: bool = False
    """Whether another client works in that tab."""
    claim: Claim | None = None
    code: str = ""


@dataclass
class Ledger:
    """Both columns, filled by many threads."""

    acts: dict[str, Act] = field(default_factory=dict)
    _seen: dict[str, Counter[str]] = field(default_factory=dict)
    """Act id → how often it happened, by the key of the tab it happened in."""
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _entries: int = 0

    def open(self, act: Act) -> Act:
        with self._changed:
            self.acts[act.id] = act
        return act

    def happened(self, act_id: str, key: str) -> None:
        with self._changed:
            self._seen.setdefault(act_id, Counter())[key] += 1
            self._entries += 1
            self._changed.notify_all()

    def times(self, act_id: str) -> int:
        return sum(self._seen.get(act_id, {}).values())

    def verdict(self, act: Act) -> Verdict:
        seen = self._seen.get(act.id, Counter())
        if any(key != act.key for key in seen):
            return Verdict.ASTRAY
        return verdict_of(act.claim or Claim.UNKNOWN, seen.total())

    def strangers(self) -> list[str]:
        """Ids that happened and that nobody asked for."""
        return sorted(self._seen.keys() - self.acts.keys())

    def wait_until_quiet(self, seconds: float, limit: float) -> bool:
        """Waits until nothing has happened for so long; False when that did not come within the limit."""
        turns = int(limit / seconds)
        for _ in range(turns):
            before = self._entries
            with self._changed:
                if not self._changed.wait_for(lambda before=before: self._entries != before, seconds):
                    return True
        return False
