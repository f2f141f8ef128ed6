"""Models by measures from sketches, with intervals where counts allow: what one looks at."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, some_values
from rocsteady._src.base.typed import typed
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.results.scale import BracketedEvaluation
from rocsteady._src.scale.brackets import bracketed_pr, bracketed_roc, requested_bracket
from rocsteady._src.scale.sketch_intervals import known_interval
from rocsteady._src.scale.sketch_reading import FixedReading, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocsteady._src.measures.requests import Request
    from rocsteady._src.ranked import RankedScores

DEFAULT_MEASURES = ("auc", "average_precision", "ks_statistic", "h_measure")


@typed
def evaluate_sketches(
    sketches: Mapping[str, Reading],
    *,
    measures: Iterable[Any] | str | None = None,
    threshold: float | None = None,
    level: float | None = None,
    auc_method: str = "auto",
    curves: bool = True,
) -> BracketedEvaluation:
    """Models by measures, each value with its bracket.

    Parameters
    ----------
    sketches : dict of Sketch by model
        Of the same rows.
    measures, threshold
        As in :func:`rocsteady.evaluate`.
    level : float, optional
        Add confidence intervals of the AUC and of threshold measures, which contain those of the rows.
    auc_method : str
        As in :meth:`Sketch.auc_interval`.
    curves : bool
        Whether to make the curves that a report draws.

    Examples
    --------
    >>> from rocsteady.scale import Sketch, evaluate_sketches
    >>> evaluate_sketches({"a": Sketch().update([1, 0], [2.0, 1.0])}, measures=["auc"]).exact
    True
    """
    if not isinstance(sketches, Mapping):
        raise ArgumentError("sketches", f"pass a dict of sketches by model, got {type(sketches).__name__}")
    if not sketches:
        raise ArgumentError("sketches", "there are no sketches to evaluate; pass {name: sketch}")
    other = next((name for name, sketch in sketches.items() if not isinstance(sketch, Reading)), None)
    if other is not None:
        told = f"{some_values([other])} is a {type(sketches[other]).__name__}"
        raise ArgumentError("sketches", f"pass a dict of sketches by model; {told}")
    wanted = [measures] if isinstance(measures, str) else DEFAULT_MEASURES if measures is None else measures
    requests = parse_requests(wanted)
    made = BracketedEvaluation({}, {}, {}, {})
    for name, sketch in sketches.items():
        held = _Held(sketch)  # of one model at a time: its two orders are as large as it is
        asked = {request.column: (request, _given(request, threshold)) for request in requests}
        made.brackets[name] = {column: requested_bracket(held, *how) for column, how in asked.items()}
        if level is not None:
            found = {column: known_interval(held, *how, level, auc_method) for column, how in asked.items()}
            made.intervals[name] = {column: each for column, each in found.items() if each is not None}
        if curves and sketch.n_pos and sketch.n_neg:
            made.curves[name], made.pr_curves[name] = bracketed_roc(held), bracketed_pr(held)
    return made


def _given(request: Request, threshold: float | None) -> dict[str, Any]:
    wanted = threshold is not None and "threshold" in request.sheet.params and "threshold" not in request.params
    return {"threshold": threshold} if wanted else {}


class _Held(FixedReading):
    """A sketch as it was when it was asked, whose orders are made once for all measures."""

    def __init__(self, sketch: Reading) -> None:
        super().__init__(sketch.cells, sketch.origin, sketch.n_outside, width_asked=sketch.width_asked)
        self.range = None if getattr(sketch, "plan", None) is not None else getattr(sketch, "range", None)

    @cached_property
    def _best(self) -> RankedScores:
        return super().best()

    @cached_property
    def _worst(self) -> RankedScores:
        return super().worst()

    @cached_property
    def _average_precision(self) -> tuple[float, float]:
        return super().average_precision_bounds()

    @cached_property
    def _pairs(self) -> tuple[Any, Any, Any]:
        return super().pairs_twice()

    def best(self) -> RankedScores:
        return self._best

    def worst(self) -> RankedScores:
        return self._worst

    def average_precision_bounds(self) -> tuple[float, float]:
        return self._average_precision

    def pairs_twice(self) -> tuple[Any, Any, Any]:
        return self._pairs
