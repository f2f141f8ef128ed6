"""The threshold of least expected cost, with costs or benefits of all four cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.text import format_setting
from rocsteady._src.measures.rule import Rule, check_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.measures.confusion import Confusion


def cost_rule(
    *,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    cost_tp: float | None = None,
    cost_tn: float | None = None,
    benefit_tp: float | None = None,
    benefit_tn: float | None = None,
    prevalence: float | None = None,
    tp: float | None = None,
    fp: float | None = None,
    fn: float | None = None,
    tn: float | None = None,
) -> Rule:
    """The smallest expected cost of a row: what each cell costs, times how often it comes.

    A missed positive costs as many times ``fn - tp``, a false alarm ``fp - tn``, beyond what right calls cost: of two
    terms that are not negative nothing is lost to rounding.
    """
    fp_, fn_ = _cell("fp", 1.0, cost_fp, fp), _cell("fn", 1.0, cost_fn, fn)
    tp_ = _cell("tp", 0.0, cost_tp, tp, benefit_tp)
    tn_ = _cell("tn", 0.0, cost_tn, tn, benefit_tn)
    _check(fp_, fn_, tp_, tn_)
    if prevalence is not None:
        check_share(prevalence)
    errors_cost = min(missed := fn_ - tp_, alarmed := fp_ - tn_) >= 0

    def shares(counts: Confusion) -> tuple[Any, Any]:
        share = _prevalence(counts) if prevalence is None else prevalence
        return share, 1 - share

    def objective(counts: Confusion) -> NDArray[Any]:
        of_pos, of_neg = shares(counts)
        lost = of_pos * missed * counts.false_negative_rate + of_neg * alarmed * counts.false_positive_rate
        return np.asarray(-lost)

    def size(counts: Confusion) -> Any:
        of_pos, of_neg = shares(counts)
        return 0.0 if errors_cost else max(of_pos * abs(missed), of_neg * abs(alarmed))

    def of_right_calls(counts: Confusion) -> Any:
        of_pos, of_neg = shares(counts)
        return of_pos * tp_ + of_neg * tn_

    cells = {"FP": fp_, "FN": fn_, **({"TP": tp_} if tp_ else {}), **({"TN": tn_} if tn_ else {})}
    told = ", ".join(f"{name} {format_setting(value)}" for name, value in cells.items())
    at = "" if prevalence is None else f", at prevalence {format_setting(prevalence)}"
    criterion = f"smallest expected cost per row ({told}{at})"
    return Rule(
        "cost",
        criterion,
        objective,
        minimised=True,
        size=size,
        offset=of_right_calls,
        joins_negatives=errors_cost,
        on_hull=errors_cost,
        of_lines=errors_cost,
    )


def _prevalence(counts: Confusion) -> Any:
    """That at the first of several thresholds, which is that of all; a column of them where counts have many lines."""
    if np.ndim(counts.tp) > 1:
        return type(counts)(*(cell[:, :1] for cell in (counts.tp, counts.fp, counts.fn, counts.tn))).prevalence
    return float(type(counts)(*(cell[0] for cell in (counts.tp, counts.fp, counts.fn, counts.tn))).prevalence)


def _cell(name: str, usual: float, cost: Any, short: Any, benefit: Any = None) -> float:
    """The cost of a cell under whichever name it was given; a benefit is a cost below zero."""
    written = {f"cost_{name}": cost, name: short, f"benefit_{name}": benefit}
    given = {option: value for option, value in written.items() if value is not None}
    if len(given) > 1:
        raise ArgumentError("costs", f"{' and '.join(given)} are one cell: give one of them")
    for option, value in given.items():
        if not is_number(value):
            raise ArgumentError("costs", f"{option} must be a number, got {value!r}")
    return float(-benefit if benefit is not None else next(iter(given.values()), usual))


def check_costs(cost_fp: float, cost_fn: float) -> None:
    """Refuse costs of errors that no threshold can be chosen by."""
    numbers = is_number(cost_fp) and is_number(cost_fn)
    if not (numbers and cost_fp >= 0 and cost_fn >= 0 and 0 < cost_fp + cost_fn < float("inf")):
        text = f"costs must be finite, >= 0 and not both 0, got {cost_fp!r} and {cost_fn!r}"
        raise ArgumentError("costs", text)


def _check(fp: float, fn: float, tp: float, tn: float) -> None:
    if not (tp or tn):
        check_costs(fp, fn)
        return
    if not (fp >= 0 and fn >= 0 and np.isfinite([fp, fn, tp, tn]).all()):
        text = "costs must be finite, and those of errors >= 0 (what pays is cost_tp or cost_tn below 0, or benefit_tp)"
        raise ArgumentError("costs", f"{text}; got fp {fp!r}, fn {fn!r}, tp {tp!r}, tn {tn!r}")
    if fn == tp and fp == tn:
        raise ArgumentError("costs", "an error costs what the right call costs, so every threshold costs the same")
