"""Plain functions of labels and scores, such as those of scikit-learn, as measures of ranked scores."""

from __future__ import annotations

import functools
import inspect
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.base.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def takes_rows(function: Callable[..., Any]) -> bool:
    """Whether a function wants labels and scores, and not ranked scores: its second argument has no default.

    Examples
    --------
    >>> takes_rows(lambda y_true, y_score: 0.0), takes_rows(lambda ranked, k=3: 0.0)
    (True, False)
    """
    parameters = _parameters(function)
    if parameters is None:
        return True
    placed = [each for each in parameters.values() if each.kind in POSITIONAL]
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters.values()):
        return True
    return len(placed) > 1 and placed[1].default is inspect.Parameter.empty


def of_ranked(function: Callable[..., Any]) -> Callable[..., float]:
    """``function`` as one of ranked scores: it gets labels 1 and 0, scores, and ``sample_weight`` where it takes it."""
    if not takes_rows(function):
        return function
    weighted = "sample_weight" in (_parameters(function) or {})

    def on_ranked(ranked: RankedScores, **params: Any) -> float:
        labels, scores, weights = _rows(ranked)
        if weighted:
            return float(one_number(function, function(labels, scores, sample_weight=weights, **params)))
        if not ranked.exact:
            text = Sentence(
                "{name_of} takes no {@sample_weight}, and these rows have weights that are no counts",
                name_of=name_of(function),
            )
            raise ArgumentError(
                "measure_weights", Sentence("{text}; add {sample_weight=None} to its arguments, and use it", text=text)
            )
        return float(one_number(function, function(repeat_by(labels, weights), repeat_by(scores, weights), **params)))

    functools.update_wrapper(on_ranked, function)
    ranked_first = [inspect.Parameter("ranked", inspect.Parameter.POSITIONAL_OR_KEYWORD), *_options(function)]
    on_ranked.__signature__ = inspect.Signature(ranked_first)  # type: ignore[attr-defined]
    return on_ranked


def as_measure(function: Callable[..., Any]) -> Callable[..., float]:
    """A function that nobody registered, of ranked scores, or of labels and scores: one number on each call."""
    formula = of_ranked(function)

    @functools.wraps(formula)
    def checked(ranked: RankedScores, **params: Any) -> Any:
        return one_number(function, formula(ranked, **params))

    return checked


def name_of(function: Any) -> str:
    """What a function is called."""
    return printable(getattr(function, "__name__", type(function).__name__), most=60)


def _options(function: Callable[..., Any]) -> list[inspect.Parameter]:
    parameters = list((_parameters(function) or {}).values())[2:]
    kept = [each for each in parameters if each.name != "sample_weight"]
    return [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in kept if each.kind in _NAMED]


_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter] | None:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None


def _rows(ranked: RankedScores) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]:
    """One row per class and score, with its weight."""
    labels = np.repeat([1, 0], ranked.scores.size)
    scores, weights = np.tile(ranked.scores, 2), np.concatenate([ranked.pos, ranked.neg])
    kept = weights > 0
    return labels[kept], scores[kept], weights[kept]


def one_number(function: Callable[..., Any], value: Any) -> Any:
    """What a function of somebody's own returned, if it is one number; NaN with a reason stays what it is."""
    if not isinstance(value, Real):
        text = f"{name_of(function)} must return one number, got {printable(repr(value), most=60)}"
        raise ArgumentError("measure_value", text)
    return value
