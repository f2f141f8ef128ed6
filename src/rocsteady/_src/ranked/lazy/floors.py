"""Scores rounded down to steps that fit into memory, where different scores are too many: counts at steps stay exact.

A step is a power of two, by which a double is divided without rounding, so that a score reaches a step exactly if its
floor does: rows called positive at a threshold that is a step are those of the scores themselves. A threshold that was
given cuts its step in two, so that counts there are exact too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError, RocsteadyWarning, is_number, warn
from rocsteady._src.ranked.lazy.fetch import fetch
from rocsteady._src.ranked.lazy.lazy_rows import named_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.ranked.lazy.columns import LazyColumns
    from rocsteady._src.ranked.lazy.lazy_rows import LazyRows

MOST_STEPS = 1 << 20
HALF = 0.5
DEFAULT = 0.5  # the threshold of probabilities for which none is given
FARTHEST = 2.0**52  # steps from 0; what lies beyond stands there, infinities too


@dataclass(frozen=True, slots=True)
class Floors:
    """Steps of 2**exponent; ``cuts`` are thresholds by model."""

    exponent: int
    cuts: Mapping[str, float]

    @property
    def resolution(self) -> float:
        """The step."""
        return 2.0**self.exponent

    def key(self, columns: LazyColumns, model: str) -> Any:
        """The expression to group by: the number of the step, and a half more from a threshold in it on."""
        import narwhals as nw

        score = nw.col(model).cast(nw.Float64)
        number = self.step_of(score, columns.gap(model))
        cut = self.cuts.get(model)
        if cut is None:
            return number
        above = (score >= cut) & (number == float(self._number(cut)))
        return nw.when(above).then(number + HALF).otherwise(number)

    def step_of(self, score: Any, gap: Any) -> Any:
        """The number of a score's step; ``gap`` says what is missing: NaN is the greatest number to some engines."""
        import narwhals as nw

        scaled = score * 2.0**-self.exponent
        low = nw.when(scaled <= -FARTHEST).then(nw.lit(-FARTHEST)).otherwise(scaled)
        clipped = nw.when((scaled >= FARTHEST) & ~gap).then(nw.lit(FARTHEST)).otherwise(low)
        return clipped.floor()  # whole numbers, which Ibis makes of them

    def steps(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same of scores in memory."""
        return np.floor(np.clip(scores * 2.0**-self.exponent, -FARTHEST, FARTHEST))

    def scores(self, keys: NDArray[Any], model: str) -> NDArray[Any]:
        """The lowest score that each key stands for."""
        keys = keys.astype(np.float64)
        lowest: NDArray[Any] = np.where(keys <= -FARTHEST, -np.inf, np.floor(keys) * self.resolution)
        return np.where(keys == np.floor(keys), lowest, self.cuts.get(model, 0.0))

    def key_of(self, score: Any, model: str) -> Any:
        """The key of one of the scores that keys stand for."""
        number = self._number(max(score, -FARTHEST * self.resolution))
        return float(number) if number * self.resolution == score else number + HALF

    def safe(self, threshold: float, model: str) -> float:
        """The lowest step that a threshold between steps reaches: rows of the step below it are not told apart."""
        if threshold == self.cuts.get(model) or not math.isfinite(threshold):
            return threshold
        return math.ceil(threshold * 2.0**-self.exponent) * self.resolution

    def _number(self, score: float) -> int | float:
        scaled = score * 2.0**-self.exponent
        return math.floor(scaled) if math.isfinite(scaled) else scaled


def step_exponent(spans: Sequence[float], most_groups: int) -> int:
    """Of the power of two that cuts the widest of these spans into as many steps as may come here."""
    widest = max((span for span in spans if span > 0), default=1.0)
    return math.ceil(math.log2(widest / max(min(most_groups // 2, MOST_STEPS), 16)))


def with_floors(rows: LazyRows, thresholds: Any, most_groups: int) -> LazyRows:
    """The same rows with scores rounded down, to as many steps as may come here; one query for the ends of the scores.

    ``thresholds`` are a number, or numbers by model; rules are applied to the steps later.
    """
    import narwhals as nw

    names = rows.columns.scores
    wanted: dict[str, Any] = {}
    for place, name in enumerate(names):
        score = nw.col(name).cast(nw.Float64)
        finite = nw.when((score < math.inf) & (score > -math.inf)).then(score)
        wanted |= {f"low{place}": finite.min(), f"high{place}": finite.max()}
    found = {name: float(values[0]) for name, (values, _) in fetch(rows.columns.frame.select(**wanted)).items()}
    exponent = step_exponent([found[f"high{place}"] - found[f"low{place}"] for place in range(len(names))], most_groups)
    given = thresholds if isinstance(thresholds, dict) else dict.fromkeys(names, thresholds)
    cuts = {name: float(value) for name, value in given.items() if is_number(value) and math.isfinite(value)}
    return replace(rows, floors=Floors(exponent, cuts))


def rank_at(
    table: object,
    score: object,
    threshold: Any,
    *,
    label: str,
    sample_weight: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    weight_type: str | None = None,
) -> RankedScores:
    """Groups of a table for counts at a threshold; where they are too many, of scores rounded down, with a warning.

    A number cuts its step in two, and a rule chooses a step: counts are those of the scores at either. Several
    thresholds would fall between steps.
    """
    rows = named_rows(table, (score,), label, sample_weight, pos_label, missing, weight_type)
    cut = DEFAULT if threshold is None else getattr(threshold, "threshold", threshold)
    try:
        return rows.rank()[str(score)]
    except InputError as error:
        if error.code != "too_many_groups" or not (is_number(cut) or isinstance(cut, str) or callable(cut)):
            raise
    rounded = with_floors(rows, cut, rows.most_groups)
    ranked = rounded.rank()
    warn(RocsteadyWarning("rounded_down", rounded.route(ranked)))
    return ranked[str(score)]
