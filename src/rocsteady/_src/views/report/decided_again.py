"""What a page needs to decide again, with intervals, for costs and a prevalence that its reader types."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_digits, format_level
from rocsteady._src.evaluation.choices_elsewhere import DECIMALS, OCTAVES, STEPS
from rocsteady._src.evaluation.decision_elsewhere import UNSETTLED, checks_if_leading, elsewhere
from rocsteady._src.evaluation.trusted_probabilities import Trust, answer_at
from rocsteady._src.inference.intervals.normal import quantile_of
from rocsteady._src.views.report.plain import for_readers
from rocsteady._src.views.report.records import safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady._src.evaluation.choices_elsewhere import Choices, Steps
    from rocsteady._src.evaluation.decision_elsewhere import Elsewhere
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.decision import Check, Decision
    from rocsteady._src.views.report.names import Style

    Look = dict[str, Style]

MOST_CHECKED, MOST_TRUSTED = 12, 6


def decided_again(result: Evaluation, decided: Decision, look: Look) -> dict[str, Any]:
    """Rows that models share, resamples' choices, checks of every model that may lead; by the names of the page."""
    leading = {model for model, *_ in decided.prices if model is not None} | {result.models[0], decided.model}
    found = elsewhere(result, decided.level, leading)
    checked = result.models if len(result.models) <= MOST_CHECKED else [m for m in result.models if m in leading]
    made = checks_if_leading(result, decided, checked)
    return {
        "level": format_level(decided.level),
        "positives": for_readers(decided.positives),
        "alpha": 1 - decided.level,
        "stratified": decided.prevalence_given,
        "baseline": None if decided.baseline is None else look[decided.baseline].name,
        "cheapest": [
            [None if model is None else look[model].name, low, safe(high)] for model, low, high, _ in decided.prices
        ],
        "trusting": trusting(result, decided, look, made),
        "unsettled": UNSETTLED,
        "checks": {look[model].name: _checks(each) for model, each in made.items()},
        "sure": None if found is None else _sure(found, result, decided.level, look),
    }


def trusting(result: Evaluation, decided: Decision, look: Look, made: Mapping[str, Any]) -> list[str]:
    """Models of whose probabilities the page speaks: that which leads, then others that give any."""
    others = [model for model in result.models if model in made and model != decided.model and made[model][2].means]
    return [look[model].name for model in [decided.model, *others[: MOST_TRUSTED - 1]]]


def trust_lines(again: dict[str, Any], decided: Decision, sample: float) -> list[str]:
    """Can the probabilities of the others be trusted? One line of each."""
    there, lines = decided.prevalence if decided.prevalence_given else sample, []
    for name in again["trusting"][1:]:
        answer, text = answer_at(Trust(*again["checks"][name]["probabilities"]), there, sample)
        lines.append(f"{name}: {answer}: {text}")
    return lines


def _checks(found: tuple[Check, Check, Trust]) -> dict[str, list[Any]]:
    """What the page puts together: other costs may change whether measures agree, another prevalence the trust."""
    *checks, trust = found
    told: dict[str, list[Any]] = {check.name: [check.answer, for_readers(check.text)] for check in checks}
    return told | {"probabilities": [trust.answer, for_readers(trust.text), trust.means]}


def _sure(found: Elsewhere, result: Evaluation, level: float, look: Look) -> dict[str, Any]:
    places = {model: place for place, model in enumerate(result.models)}
    groups = next(iter(result.ranked.values()))  # all rows that were counted, those of every repeat
    return {
        "n": [safe(groups.n_pos), safe(groups.n_neg)],
        # alike models, from two on
        "z": [float(quantile_of(1 - 2 * (1 - level) / alike)) for alike in range(2, max(3, len(result.models) + 1))],
        "hulls": {look[model].name: corners for model, corners in found.hulls.items()},
        "pairs": [
            {
                "models": [places[pair.first], places[pair.second]],
                "first": [i for i, _ in pair.at],
                "second": [j for _, j in pair.at],
                "positives": pair.positives,
                "negatives": pair.negatives,
            }
            for pair in found.pairs
        ],
        "units": None
        if found.moments is None
        else asdict(found.moments) | {"alone": _named(found.moments.alone, look)},
        "steps": [STEPS, OCTAVES],
        "choices": {
            look[model].name: None if choices is None else _choices(choices) for model, choices in found.choices.items()
        },
    }


def _named(alone: dict[str, list[list[float]]], look: Look) -> dict[str, list[list[float]]]:
    return {look[model].name: sums for model, sums in alone.items()}


def _choices(found: Choices) -> dict[str, Any]:
    both = {"recall": found.recall, "alarmed": found.alarmed}
    rates = {name: [round(value, DECIMALS) for value in values.tolist()] for name, values in both.items()}
    return {**rates, "count": [*map(_steps, found.by_count)], "rate": [*map(_steps, found.by_rate)]}


def _steps(found: Steps) -> list[list[Any]]:
    """Prices to ten digits, by which the page compares them, and thresholds to more than it shows."""
    return [
        [safe(float(format_digits(value, digits))) for value in values]
        for values, digits in ((found.prices, 10), (found.values, 8))
    ]
