"""Confusion: the four counts at one threshold or at all of them, with every threshold measure on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable, some_values
from rocsteady._src.base.near_names import no_attribute
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_threshold
from rocsteady._src.inputs.arrays import is_missing
from rocsteady._src.inputs.scores import is_real
from rocsteady._src.measures.reaches_threshold import first_reached
from rocsteady._src.measures.registry import REGISTRY, find_measure
from rocsteady._src.results import Origin, Result
from rocsteady._src.results.as_threshold import AsThreshold
from rocsteady._src.results.pictures import Cells, Paths, source

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from rocsteady._src.base.frames import Table
    from rocsteady._src.ranked import RankedScores

    Threshold: TypeAlias = float | str | AsThreshold | Sequence[float] | NDArray[Any] | None


@dataclass(frozen=True, slots=True, eq=False)
class Confusion(Result):
    """Counts of a thresholded classifier: numbers at one threshold, arrays at several.

    Every threshold measure is an attribute: ``confusion.recall``, ``confusion.f1``, ...; 0/0 is NaN there.
    Adding two of them adds cell by cell, as over the folds of a cross-validation.

    Examples
    --------
    >>> import rocsteady as rs
    >>> counts = rs.confusion([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1], threshold=0.5)
    >>> counts.tp, counts.fp, counts.fn, counts.tn, counts.recall, counts.precision
    (1, 1, 1, 1, 0.5, 0.5)
    """

    tp: Any
    fp: Any
    fn: Any
    tn: Any
    threshold: Any = None
    origin: Origin | None = None

    def __getattr__(self, name: str) -> Any:
        """Look a threshold measure up by name or short form."""
        found = None if name.startswith("_") else find_measure(name)
        if name.startswith("_"):
            raise AttributeError(name)
        if found is None or Confusion not in found.sheet.ready:
            raise AttributeError(no_attribute(Confusion, name), name=name, obj=self)
        return found.sheet.of(self)

    def __dir__(self) -> list[str]:
        measures = [found.sheet.name for found in REGISTRY.values() if Confusion in found.sheet.ready]
        return [*object.__dir__(self), *measures]

    def __add__(self, other: Confusion) -> Confusion:
        if not isinstance(other, Confusion):
            return NotImplemented
        if not np.array_equal(np.asarray(self.threshold), np.asarray(other.threshold)):
            raise ArgumentError("confusion_thresholds", "only counts at the same threshold can be added")
        cells = (self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)
        return Confusion(*cells, threshold=self.threshold)

    def __radd__(self, other: object) -> Confusion:
        return self if other == 0 else NotImplemented

    def _picture(self) -> Cells | Paths:
        if np.ndim(self.tp):
            cells = {"true positives": self.tp, "false positives": self.fp}
            cells |= {"false negatives": self.fn, "true negatives": self.tn}
            counts = {name: np.asarray(cell, dtype=np.float64) for name, cell in cells.items()}
            title = (f"Counts at {format_count(np.size(self.tp))} thresholds", *source(self.origin))
            return Paths(title, "Threshold", "Rows", np.asarray(self.threshold, dtype=np.float64), counts)
        at = "Counts" if self.threshold is None else f"Positive when score >= {format_threshold(self.threshold)}"
        sides = ("positive", "negative")
        counts_of = ((float(self.tp), float(self.fn)), (float(self.fp), float(self.tn)))
        return Cells((at, *source(self.origin), "% of each row"), "called", "is", sides, sides, counts_of)

    def _columns(self) -> Table:
        cells = {"threshold": self.threshold, "tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}
        return {name: np.atleast_1d(np.asarray(cell)) for name, cell in cells.items() if cell is not None}

    def __str__(self) -> str:
        if np.ndim(self.tp):
            return f"Confusion at {format_count(np.size(self.tp))} thresholds"
        at = "" if self.threshold is None else f"positive when score >= {format_threshold(self.threshold)}: "
        cells = {"TP": self.tp, "FP": self.fp, "FN": self.fn, "TN": self.tn}
        return at + ", ".join(f"{name} {format_count(cell)}" for name, cell in cells.items())


def confusion_at(ranked: RankedScores, threshold: Any = None) -> Confusion:
    """Read the four counts off the ranked groups."""
    if isinstance(threshold, str) and threshold == "all":
        return _cells(ranked, slice(None), ranked.thresholds)
    chosen = checked_threshold(ranked, threshold)
    return _cells(ranked, ranked.scores.size - first_reached(ranked.scores, chosen), chosen)


def confusion_at_steps(ranked: RankedScores, steps: NDArray[np.intp]) -> Confusion:
    """The same at some steps of the walk down the scores, which begins with nothing called positive."""
    return _cells(ranked, steps, ranked.thresholds_at(steps))


def threshold_text(ranked: RankedScores, threshold: Any) -> str:
    """A threshold in as few digits as call the same rows of these scores positive."""
    return format_threshold(threshold, score_below(ranked, threshold))


def scores_below(ranked: RankedScores, thresholds: NDArray[Any]) -> NDArray[Any]:
    """The same for each of an array of floats."""
    first = first_reached(ranked.scores, thresholds)
    floats = ranked.scores.dtype.kind == "f"
    below: NDArray[Any] = ranked.scores[np.maximum(first - 1, 0)].astype(ranked.scores.dtype if floats else object)
    below[first == 0] = -np.inf
    return below


def score_below(ranked: RankedScores, threshold: Any) -> Any:
    """The highest score that a threshold leaves out; -inf when it leaves out none."""
    first = int(first_reached(ranked.scores, threshold))
    below = ranked.scores[first - 1] if first else -np.inf
    return below.item() if isinstance(below, np.generic) else below


def _refuse_others(value: Any) -> None:
    """Refuse thresholds that are no numbers."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return
    cells = np.ravel(value).tolist() if isinstance(value, np.ndarray) else [value]
    if not all(is_real(each) for each in cells):
        raise ArgumentError("threshold", f"threshold must be a number, numbers or 'all', got {some_values([value])}")
    if any(is_missing(each) for each in cells):
        raise ArgumentError("threshold_nan", "the threshold is NaN: no score compares with it")


BY_RULE = "rs.best_threshold chooses one by a rule"


def checked_threshold(ranked: RankedScores, threshold: Any) -> Any:
    """Take 0.5 for scores in [0, 1], and 1 for labels -1 and 1, when nothing is said; refuse to guess for others."""
    if isinstance(threshold, AsThreshold):
        return threshold.threshold
    if threshold is None:
        _refuse_calls_of_the_other(ranked)
        if _are_signs(ranked.scores):
            return 1
        if ranked.scores.size and not (ranked.scores[0] >= 0 and ranked.scores[-1] <= 1):
            raise ArgumentError(
                "threshold_required",
                Sentence(
                    "the scores reach from {lowest} to {highest}, so 0.5 means nothing here; pass {threshold=}, a "
                    "number or a rule such as 'youden' or 'f1'",
                    lowest=printable(ranked.scores[0], most=20),
                    highest=printable(ranked.scores[-1], most=20),
                ),
            )
        return 0.5
    if isinstance(threshold, str):
        raise ArgumentError("threshold", f"threshold must be a number, numbers or 'all', got {threshold!r}; {BY_RULE}")
    value = threshold if np.ndim(threshold) == 0 else np.asarray(threshold)
    _refuse_others(value)
    if np.any(np.not_equal(value, value)):
        raise ArgumentError("threshold_nan", "the threshold is NaN: no score compares with it")
    return value


def _refuse_calls_of_the_other(ranked: RankedScores) -> None:
    """Refuse predicted labels 0 and 1, or -1 and 1, where the lower one is positive: 1 would count as a call of it.

    Truth values (bytes here) and floats may be scores of that label, and stay.
    """
    lower, other = (getattr(ranked.origin, name, None) for name in ("pos_label", "neg_label"))
    if isinstance(lower, (str, bytes)) or lower not in (0, -1) or other != 1 or ranked.scores.dtype.kind != "i":
        return
    if 0 < ranked.scores.size <= 2 and {*ranked.scores.tolist()} <= {lower, 1}:
        words = (
            "the scores are the labels {lower} and 1 themselves, and {lower} is positive: 1 would count as a call of "
            "{lower}; pass y_pred == {lower} in their place, or {threshold=...} if they are scores"
        )
        raise ArgumentError("predicted_labels", Sentence(words, lower=int(lower)))


def _are_signs(scores: NDArray[Any]) -> bool:
    """Whether the scores are predicted labels -1 and 1."""
    return bool(0 < scores.size <= 2 and scores[0] == -1 and scores[-1] in (-1, 1))


def _cells(ranked: RankedScores, steps: Any, threshold: Any) -> Confusion:
    walks = ranked.called_positive if isinstance(steps, slice) else ranked.walked
    tp, fp = (walk[steps] for walk in walks)
    if ranked.exact:
        fn, tn = ranked.n_pos - tp, ranked.n_neg - fp
    else:
        fn, tn = (walk[steps] for walk in ranked.called_negative)
    tp, fp, fn, tn = (cell.item() if isinstance(cell, np.generic) else cell for cell in (tp, fp, fn, tn))
    return Confusion(tp, fp, fn, tn, threshold, ranked.origin)
