"""Result of a power calculation."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsteady._src.base.text import format_count, format_digits, format_setting
from rocsteady._src.results.base import Result
from rocsteady._src.results.pictures import Spot


@dataclass(frozen=True, slots=True)
class PowerResult(Result):
    """Power, sample size, AUC and level that belong together; ``solved_for`` names the one that was asked for.

    Sample sizes are not rounded: round them up. ``second_auc`` is 0.5 for one curve, which is compared with chance.
    ``n_subjects`` is None unless subjects have several rows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.power_auc(auc=0.7, n_pos=40, n_neg=60)
    PowerResult(AUC 0.7 against 0.5: power 0.9432 with 40 positives and 60 negatives, two-sided at 0.05 (solved ...)
    """

    power: float
    n_pos: float
    n_neg: float
    auc: float
    second_auc: float
    alpha: float
    alternative: str
    solved_for: str
    method: str
    n_subjects: float | None = None

    def _picture(self) -> Spot:
        rows = self.n_pos + self.n_neg
        areas = f"AUC {format_digits(self.auc, 4)} against {format_digits(self.second_auc, 4)}"
        title = (f"Power of a test of {areas}, solved for {self.solved_for}",)
        note = (
            f"{format_count(math.ceil(self.n_pos))} positives, {format_count(math.ceil(self.n_neg))} negatives",
            f"power {format_digits(self.power, 4)}",
            f"{self.alternative} at {format_setting(self.alpha)}",
            self.method,
        )
        reach = (2.5 * rows, 1.0)
        return Spot(title, "Rows of both classes", "Power", rows, self.power, note, reach, level=self.alpha)

    def __str__(self) -> str:
        sizes = f"{math.ceil(self.n_pos)} positives and {math.ceil(self.n_neg)} negatives"
        sizes += "" if self.n_subjects is None else f" of {math.ceil(self.n_subjects)} subjects"
        return (
            f"AUC {format_digits(self.auc, 4)} against {format_digits(self.second_auc, 4)}: power "
            f"{format_digits(self.power, 4)} with {sizes}, "
            f"{self.alternative} at {format_setting(self.alpha)} (solved for {self.solved_for}, {self.method})"
        )
