"""An updated model: what was changed, and ``predict``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, refuse_outside
from rocsteady._src.base.text import format_count, format_interval, format_level, format_number, format_setting, p_words
from rocsteady._src.results.base import Origin, Result
from rocsteady._src.results.pictures import Forest, Line, source
from rocsteady._src.results.remarks import noted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.results.inference import Interval
    from rocsteady._src.results.remarks import Remark


@dataclass(frozen=True, slots=True, eq=False)
class UpdatedModel(Result):
    """Probabilities moved, or stretched, on the log-odds scale; see :func:`rocsteady.validation.update`.

    ``chosen`` is "as it is", "intercept" or "slope" (both numbers); ``pvalues`` are those of the closed test.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = rs.examples.loans(200)
    >>> found = rs.validation.update(table["defaulted"], table["boosted"], method="intercept")
    >>> bool(found.predict([0.5])[0] < 0.5)
    True
    """

    chosen: str
    intercept: Interval
    slope: Interval
    pvalues: dict[str, float]
    method: str
    alpha: float
    level: float
    n_pos: Any
    n_neg: Any
    origin: Origin
    warnings: tuple[Remark, ...] = ()

    def predict(self, probabilities: Any) -> NDArray[np.float64]:
        """Updated probabilities of other rows, of which the old model said these."""
        given = np.asarray(probabilities, np.float64)
        if np.isnan(given).any():
            raise InputError("missing_values", f"{format_count(np.isnan(given).sum())} probabilities are missing")
        if given.size:
            refuse_outside(float(given.min()), float(given.max()), "an update needs probabilities")
        if self.chosen == "as it is":
            return given.copy()
        with np.errstate(divide="ignore"):
            line = self.intercept.estimate + self.slope.estimate * (np.log(given) - np.log1p(-given))
            return np.asarray(1 / (1 + np.exp(-line)))  # one probability is an array, too

    def __str__(self) -> str:
        parts = {"intercept": self.intercept, "slope": self.slope}
        told = [f"{name} {_shown(each)}" for name, each in parts.items()]
        tests = ", ".join(f"{name} {p_words(value)}" for name, value in self.pvalues.items())
        how = "by the closed test" if self.method == "closed-test" else "as asked"
        first = f"updated: {self.chosen} ({how}); {'; '.join(told)}"
        last = f"{self.origin.sizes(self.n_pos, self.n_neg)}; tests: {tests}; {format_setting(self.level)} level"
        return "\n".join([first, last, *map(noted, self.warnings)])

    def _picture(self) -> Forest:
        rows = source(self.origin, self.n_pos, self.n_neg)
        title = (f"Update: {self.chosen}, {format_level(self.level)} intervals", *rows)
        made = (("intercept", self.intercept, 0.0), ("slope", self.slope, 1.0))
        lines = tuple(Line(name, each.estimate, each.low, each.high, (null,)) for name, each, null in made)
        return Forest(title, "Estimate; dashed: no change", lines)


def _shown(each: Interval) -> str:
    known = not math.isnan(each.low)
    return format_interval(each.estimate, each.low, each.high) if known else format_number(each.estimate)
