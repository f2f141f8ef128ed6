"""Three plain questions about a decision, and what must be known before it is read."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.text import format_count, format_digits, format_interval, format_number
from rocsteady._src.evaluation.decision_words import pays, rows_tell, settled
from rocsteady._src.evaluation.trusted_probabilities import trusted
from rocsteady._src.measures.registry import get_measure
from rocsteady._src.results.cases import FEW, NARROW, VERY_FEW
from rocsteady._src.results.decision import Check

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.decision import Decision

TOO_FEW = "too few to tell the cheapest course at these costs"
MAYBE = 10  # how many times the price of a miss may be another than was said
LEADING = {"auc": "the highest AUC", "average_precision": "the highest average precision"}
SHORT = ("short_interval", "few_subjects", "few_weighted_rows", "few_heavy", "single_row", "single_unit")


def checks(result: Evaluation, decision: Decision) -> tuple[Check, ...]:
    """Is there enough data, do the measures agree, can the probabilities be trusted?"""
    sizes = _at_these_costs(enough(result, decision), decision)
    return sizes, agree(result, decision, leading_values(result)), trusted(result, decision)


def _at_these_costs(check: Check, decision: Decision) -> Check:
    """Rows that are many, and still too few to tell which course is the cheapest."""
    if not pays(decision) or settled(decision) or not rows_tell(decision):
        return check
    answer = "partly" if check.answer == "yes" else check.answer
    return replace(check, answer=answer, text=f"{check.text}; {TOO_FEW}")


def alarms(result: Evaluation, decision: Decision) -> tuple[str, ...]:
    """What decides whether the numbers may be used at all: too few cases, scores upside down, short intervals."""
    told = []
    fewest, which = _smaller_class(result)
    if fewest < VERY_FEW:
        told.append(f"Only {_cases(fewest, which)}: every number here is rough, and another sample may differ")
    for model, ranked in result.ranked.items():
        area = float(get_measure("auc").sheet.compute(ranked))
        if area < 0.5:
            told.append(_below_chance(printable(model, most=48), area, _sizes(result)))
    for model in result.models:
        found = result.intervals.get(model, {}).get("auc")
        short = [] if found is None else [remark for remark in found.warnings if remark.code in SHORT]
        told += [f"{printable(model, most=48)}: {remark}" for remark in short]
    if result.cluster is None and any(remark.code == "repeated_ids" for remark in result.remarks):
        told.append("Rows repeat subjects, so that intervals are too short")
    return tuple(dict.fromkeys(told))


def _below_chance(model: str, area: float, sizes: tuple[float, float]) -> str:
    """Whether that low an AUC is chance, by its spread when scores say nothing, or scores that are upside down."""
    spread = math.sqrt((sizes[0] + sizes[1] + 1) / (12 * sizes[0] * sizes[1]))
    if area >= 0.5 - 2 * spread:
        return f"{model} ranks no better than chance (AUC {format_number(area, 3)})"
    words = "{model} ranks worse than chance (AUC {area:number3}): if low scores mean positive, {@negate} them"
    return Sentence(words, model=model, area=area)


def _cases(count: float, which: str) -> str:
    return f"{format_count(count)} {which} case{'' if count == 1 else 's'}"


def _sizes(result: Evaluation) -> tuple[float, float]:
    """Different rows of both classes: a frequency weight stands for so many, a sampling weight for one."""
    rows = result.rows.of_models(result.models[0])
    if rows is None or result.origin.reading != "sampling":
        return result.n_pos, result.n_neg
    n_pos = round(result.origin.n_rows * float(rows.positive.mean()))  # those of several repeats count once
    return n_pos, result.origin.n_rows - n_pos


def _smaller_class(result: Evaluation) -> tuple[float, str]:
    n_pos, n_neg = _sizes(result)
    return min((n_pos, "positive"), (n_neg, "negative"))


def _subjects(result: Evaluation, which: str) -> int | None:
    """How many subjects have rows of a class; None where each row is one."""
    rows = result.rows.of_models(result.models[0]) if result.cluster is not None else None
    if rows is None or rows.clusters is None:
        return None
    found = np.unique(rows.clusters[rows.positive == (which == "positive")]).size
    return found if found < min(_sizes(result)) else None


def enough(result: Evaluation, decision: Decision) -> Check:
    """Rows of the smaller class, and how wide the interval of the AUC is."""
    fewest, which = _smaller_class(result)
    subjects = _subjects(result, which)
    units = fewest if subjects is None else subjects
    found = result.intervals.get(decision.model, {}).get("auc")
    half = math.nan if found is None else (found.high - found.low) / 2
    answer = "no" if units < VERY_FEW else "partly" if units < FEW or half > NARROW else "yes"
    text = _cases(fewest, which)
    if subjects is not None:
        text += f" of {format_count(subjects)} subject{'' if subjects == 1 else 's'}"
    if found is not None and not math.isnan(half):
        text += f"; AUC {format_interval(found.estimate, found.low, found.high, 3)}"
    return Check("enough", "Enough data?", answer, text)


def leading_values(result: Evaluation) -> dict[str, dict[str, float]]:
    """The measures that may disagree with the cost, of every model."""
    return {
        name: {model: float(get_measure(name).sheet.compute(ranked)) for model, ranked in result.ranked.items()}
        for name in LEADING
    }


def agree(result: Evaluation, decision: Decision, known: Mapping[str, Mapping[str, float]]) -> Check:
    """Whether cost, AUC and average precision name the same model; ``known`` are the values of the latter two."""
    question = "Do the measures agree?"
    if len(result.models) < 2:
        return Check("agree", question, "unknown", "there is only one model")
    leaders, level = {"the lowest cost": decision.model}, _equals(decision)
    for name, words in LEADING.items():
        values = known[name]
        best = max(values.values())
        level = [model for model in level if values[model] == values[decision.model]]
        leaders[words] = decision.model if values[decision.model] == best else max(values, key=values.__getitem__)
    others = {words: model for words, model in leaders.items() if model != decision.model}
    reigning = _others_on_hull(decision)
    if others:
        told = [f"{printable(model, most=40)} has {words}" for words, model in others.items()]
        if len(others) == 2 and len(set(others.values())) == 1:
            told = [f"{printable(next(iter(others.values())), most=40)} has the highest AUC and average precision"]
        text = f"at these costs {_name(decision)} is cheapest, but {' and '.join(told)}"
        return Check("agree", question, "no", f"{text}; at other costs {reigning}" if reigning else text)
    beside = f", level with {', '.join(printable(model, most=40) for model in level[:3])}," if level else ""
    text = f"{_name(decision)} leads{beside} in cost, AUC and average precision"
    if reigning:
        return Check("agree", question, "partly", f"{text}; at other costs {reigning}")
    return Check("agree", question, "yes", text)


def _others_on_hull(decision: Decision) -> str:
    """Who would be cheapest at other costs that one might have given instead."""
    price = decision.cost_fn / decision.cost_fp if decision.cost_fp else math.inf
    ranges: dict[str, list[tuple[float, float]]] = {}
    for model, low, high, _ in decision.prices:
        if model not in (None, decision.model) and low < MAYBE * price and high > price / MAYBE:
            ranges.setdefault(str(model), []).append((low, high))
    told = [
        f"{printable(model, most=40)} costs less on these rows ({price_range(*found)})"
        for model, found in ranges.items()
    ]
    return ", ".join(told[:3])


def _equals(decision: Decision) -> list[str]:
    """Models of the same cost as the leader."""
    least = decision[decision.model].cost
    return [each.model for each in decision.courses if each.model not in (None, decision.model) and each.cost == least]


def price_range(*ranges: tuple[float, float]) -> str:
    """For which prices of a miss, in false alarms.

    Examples
    --------
    >>> price_range((0, 2.5)), price_range((2.5, 40), (50, math.inf))
    ('a miss worth fewer than 2.5 false alarms', 'a miss worth 2.5 to 40 or more than 50 false alarms')
    """
    return f"a miss worth {' or '.join(_prices(low, high) for low, high in ranges)} false alarms"


def _prices(low: float, high: float) -> str:
    if low == 0:
        return f"fewer than {_rough(high)}"
    return f"more than {_rough(low)}" if math.isinf(high) else f"{_rough(low)} to {_rough(high)}"


def _rough(price: float) -> str:
    return format_count(round(price)) if price >= 999.5 else format_digits(price, 3 if price >= 10 else 2)


def _name(decision: Decision) -> str:
    return printable(decision.model, most=48)
