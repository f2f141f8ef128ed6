"""Refusals with numbers: how many values are missing or wrong, counted by the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import Sentence, joined
from rocsteady._src.base.text import format_count
from rocsteady._src.inputs.weights import MOST_EXACT_WEIGHT, checked_weights
from rocsteady._src.ranked.lazy.fetch import fetch, fetch_one
from rocsteady._src.ranked.lazy.labels import POSITIVE, label_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from rocsteady._src.ranked.lazy.columns import LazyColumns


def refuse_gaps(columns: LazyColumns, pos_label: Any, only: Sequence[str] | None = None) -> NoReturn:
    """Refuse missing values, with their number by column and class."""
    import narwhals as nw

    names = columns.wanted if only is None else only
    flags = {f"gap{i}": nw.when(columns.gap(name)).then(nw.lit(1)).otherwise(nw.lit(0)) for i, name in enumerate(names)}
    counted = columns.frame.select(code=label_code(columns, pos_label), **flags)
    summed = counted.group_by("code").agg(*[nw.col(flag).sum() for flag in flags])
    fetched = fetch(summed.with_columns(*[nw.col(flag).cast(nw.Int64) for flag in flags]))
    codes, no_code = fetched["code"]
    unknown = np.zeros(codes.size, dtype=bool) if no_code is None else no_code
    parts = []
    for i, name in enumerate(names):
        counts = fetched[f"gap{i}"][0]
        if not counts.any():
            continue
        positive = int(counts[(codes == POSITIVE) & ~unknown].sum())
        negative = int(counts[(codes != POSITIVE) & ~unknown].sum())
        known = f" ({positive} in positive rows, {negative} in others)" if positive or negative else ""
        parts.append(f"{name}: {int(counts.sum())} missing{known}")
    remedy = (
        Sentence("pass {missing='drop'} to leave incomplete rows out and have them counted")
        if only is None
        else "rows without a group have no place in the answer: fill in or filter them"
    )
    raise InputError("missing_values", joined("; ", [*parts, remedy]))


def every_weight_is_one(values: dict[str, NDArray[Any]]) -> bool:
    """Whether weights say nothing."""
    return bool((values["least"] == 1).all() and (values["most"] == 1).all())


def refuse_weights(
    columns: LazyColumns, values: dict[str, NDArray[Any]], weight_type: str | None = None
) -> NDArray[Any]:
    """Summed weights of the groups, exact for whole numbers; refuse what is no weight with its number."""
    import narwhals as nw

    name = columns.weight or ""
    weight = nw.col(name)
    least, most = values["least"], values["most"]
    for wrong, code, word, expression in (
        (least < 0, "weights_negative", "negative", weight < 0),
        (most == np.inf, "weights_not_finite", "infinite", weight == float("inf")),
    ):
        if wrong.any():
            count = fetch_one(columns.frame.filter(expression).select(nw.len().alias("n")))["n"]
            text = f"{name}: {format_count(count)} {word}; weights count rows, so use finite ones >= 0"
            raise InputError(code, text)
    fractions = bool((values["part"] > 0).any())
    if fractions and weight_type == "frequency":
        broken = weight.cast(nw.Float64) != weight.cast(nw.Float64).floor()
        count = fetch_one(columns.frame.filter(broken).select(nw.len().alias("n")))["n"]
        text = Sentence(
            "{name}: {count:count} not whole: frequency weights are whole numbers; leave {weight_type='frequency'} out "
            "to take them as sampling weights",
            name=name,
            count=count,
        )
        raise ArgumentError("weight_type", text)
    return _sums(values, name, fractions=fractions)


def _sums(values: dict[str, NDArray[Any]], name: str, *, fractions: bool) -> NDArray[Any]:
    """Whole weights of any type add up to whole numbers; sums of others are floats, even where they are whole."""
    total = float(values["rough"].sum())
    if values["weight"].dtype.kind in "iu":
        return checked_weights(values["weight" if total < MOST_EXACT_WEIGHT else "rough"], name)
    checked = checked_weights(values["rough"], name)
    return checked.astype(np.float64) if fractions or total > 2**53 else checked
