"""Numbers about labels with what each row adds to them, for comparisons, folds and groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.designs.classes.estimates import ClassEstimate
from rocsteady._src.designs.classes.influence import Influence
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.designs.labels.rows_by_label import LabelRows

ENOUGH = 40


@dataclass(frozen=True, slots=True, eq=False)
class LabelEstimate(ClassEstimate):
    """A number that rests on ``fewest`` units with a label, or without, in the mean over labels.

    ``rarest`` units have the rarest label, or lack the commonest one, where tests are known to mind.
    """

    fewest: float = np.inf
    rarest: float = np.inf

    def free(self) -> float:
        """As many as the rarer side has: its rows make most of the variance."""
        return max(self.fewest - 1, 1.0)

    @property
    def smallest(self) -> int | None:
        """Rows of the rarer side."""
        return int(self.fewest)

    def on_p(self) -> tuple[Remark, ...]:
        """What to beware of in tests of it; measured in docs/multiclass.md."""
        few = (Remark("few_of_label_for_p", rows=self.rarest, enough=ENOUGH),) if self.rarest < ENOUGH else ()
        return (*ClassEstimate.on_p(self), *few)


def label_estimate(
    rows: LabelRows, value: float, added: NDArray[np.float64], fewest: float, rarest: float = np.inf
) -> LabelEstimate:
    """What each row adds; labels of a row vary together, so that rows are of one class."""
    return LabelEstimate(Influence(value, added, np.zeros(1)), rows.rows, fewest, rarest)
