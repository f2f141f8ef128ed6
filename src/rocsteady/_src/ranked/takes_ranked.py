"""Two doors for every function of ranked scores: labels and scores, which are ranked first, or ranked scores."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import numpy as np

from rocsteady._src.base.near_names import refuse_more_arguments, refuse_unknown
from rocsteady._src.base.typed import USUAL, options_checked, rules_of
from rocsteady._src.ranked import RankedScores, rank, refuse_more_than_one
from rocsteady._src.ranked.lazy.floors import rank_at
from rocsteady._src.ranked.lazy.lazy_rows import rank_named

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)


class TwoDoors(Protocol[Answer_co]):
    """A function of (y_true, y_score) that also takes ranked scores alone."""

    __name__: str

    def __call__(
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        missing: Literal["raise", "drop"] = "raise",
        **params: Any,
    ) -> Answer_co:
        """Rank if need be, then compute."""
        ...


COMMON = ("y_true", "y_score", "sample_weight", "pos_label", "missing", "weight_type", "label")


def takes_ranked(
    formula: Callable[..., Answer],
    *,
    ready: tuple[type, ...] = (),
    on_rows: Callable[[RankedScores], None] | None = None,
    ranker: Callable[..., RankedScores] = rank,
    reads_weights: bool = False,
) -> TwoDoors[Answer]:
    """Let ``formula(ranked, *, params)`` also take labels and scores, or ``table, "score", label="y"``.

    Objects of the types in ``ready`` go to the formula as they are; ``on_rows`` sees what was ranked here, by
    ``ranker``. With ``reads_weights`` the door takes ``weight_type``, as what has standard errors must.
    """
    own = own_parameters(formula)
    rules = rules_of({each.name: each for each in own})
    known = None if any(each.kind is each.VAR_KEYWORD for each in own) else {*COMMON, *(each.name for each in own)}
    words = rules_of(inspect.signature(rank).parameters)
    ranks = inspect.unwrap(ranker)  # the door has checked the options

    @functools.wraps(formula)
    def door(
        y_true: object = None,
        y_score: object = None,
        *others: object,
        sample_weight: object = None,
        pos_label: Any = None,
        missing: Literal["raise", "drop"] = "raise",
        **params: Any,
    ) -> Answer:
        if others:
            refuse_more_arguments(formula.__name__, (y_true, y_score, *others), COMMON[:2])
        if known is not None and not known.issuperset(params):
            refuse_unknown(formula.__name__, params, known)
        params = options_checked(params, rules)
        with np.errstate(**USUAL):
            if isinstance(y_true, ready):
                refuse_more_than_one(y_score, sample_weight, pos_label)
                return formula(y_true, **params)
            how: dict[str, Any] = {"sample_weight": sample_weight, "pos_label": pos_label, "missing": missing}
            if reads_weights:
                how["weight_type"] = params.pop("weight_type", None)
            how = options_checked(how, words)
            if (label := params.pop("label", None)) is not None:  # a table comes first, with names of its columns
                ranked = _of_table(y_true, y_score, params, how | {"label": label}, own)
            else:
                ranked = ranks(y_true, y_score, **how)
            if on_rows is not None and ranked is not y_true:
                on_rows(ranked)
            return formula(ranked, **params)

    vars(door).update(__signature__=_signature(formula), takes_tables=True)  # label= is told by tools/signatures.py
    return door


def _of_table(
    table: object, score: object, params: dict[str, Any], how: dict[str, Any], own: list[inspect.Parameter]
) -> RankedScores:
    """Groups of a table; for a formula at a threshold of scores rounded down where they are too many."""
    if any(each.name == "threshold" for each in own):
        return rank_at(table, score, params.get("threshold"), **how)
    return rank_named(table, score, **how)


def own_parameters(formula: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a formula after the first, which is its data; they are given by name."""
    _, *others = inspect.signature(formula).parameters.values()
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    own = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in others if each.kind in named]
    return own + [each for each in others if each.kind is inspect.Parameter.VAR_KEYWORD]


def _signature(formula: Callable[..., Any]) -> inspect.Signature:
    """The arguments of the door, then the formula's own, as help() and scikit-learn should see them."""
    _, *common, _ = inspect.signature(TwoDoors.__call__).parameters.values()
    answer = inspect.signature(formula).return_annotation
    return inspect.Signature([*common, *own_parameters(formula)], return_annotation=answer)
