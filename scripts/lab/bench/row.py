"""Row of the result."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """Measured value, the value it is compared with, and the goal for their ratio (None: no goal, for information)."""

    what: str
    value: float
    floor: float
    unit: str
    goal: float | None = None

    @property
    def ratio(self) -> float:
        return self.value / self.floor

    @property
    def is_met(self) -> bool:
        return self.goal is None or self.ratio <= self.goal

    def __str__(self) -> str:
        verdict = "" if self.goal is None else f"goal {self.goal:4.2f}x  {'PASS' if self.is_met else 'OVER'}"
        return f"{self.what:<44} {self.value:9.2f} {self.unit:<3} {self.floor:9.2f} {self.unit:<3} {self.ratio:6.2f}x  {verdict}"
