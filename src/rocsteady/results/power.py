"""Result of a power calculation."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsteady.results.base import Result
from rocsteady.results.pictures import Spot


@dataclass(frozen=True, slots=True)
class PowerResult(Result):
    """Power, sample size, AUC and level that belong together; ``solved_for`` names the one that was asked for.

    Sample sizes are not rounded: round them up. ``second_auc`` is 0.5 for one curve, which is compared with chance.
    ``n_subjects`` is None unless subjects have several rows.
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
        areas = f"AUC {self.auc:.4g} against {self.second_auc:.4g}"
        title = (f"Power of a test of {areas}, solved for {self.solved_for}",)
        note = (
            f"{math.ceil(self.n_pos):,} positives, {math.ceil(self.n_neg):,} negatives",
            f"power {self.power:.4g}",
            f"{self.alternative} at {self.alpha:.4g}",
            self.method,
        )
        reach = (2.5 * rows, 1.0)
        return Spot(title, "Rows of both classes", "Power", rows, self.power, note, reach, level=self.alpha)

    def __str__(self) -> str:
        sizes = f"{math.ceil(self.n_pos)} positives and {math.ceil(self.n_neg)} negatives"
        sizes += "" if self.n_subjects is None else f" of {math.ceil(self.n_subjects)} subjects"
        return (
            f"AUC {self.auc:.4g} against {self.second_auc:.4g}: power {self.power:.4g} with {sizes}, "
            f"{self.alternative} at {self.alpha:.4g} (solved for {self.solved_for}, {self.method})"
        )
