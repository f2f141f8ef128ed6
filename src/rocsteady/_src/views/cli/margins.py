"""compare --margin: whether one model is better than another, not worse or as good, by a margin that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.errors import ArgumentError, printable, some_values
from rocsteady._src.base.text import format_count, format_setting, p_words
from rocsteady._src.views.cli.render import Page

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results import TestResult

Margin = Annotated[
    float | None,
    typer.Option("--margin", help="The difference in AUC that matters: is the first model less than this below?"),
]
Alternative = Annotated[
    str, typer.Option("--alternative", help="With --margin: non-inferiority, superiority or equivalence.")
]
SHOWN = {
    "non-inferiority": "{first} is not below {second} by {margin} or more",
    "superiority": "{first} is above {second} by more than {margin}",
    "equivalence": "{first} and {second} differ by less than {margin}",
}
HEADER = ["first", "second", "difference", "low", "high", "statistic", "pvalue", "p_holm"]


def margin_page(result: Evaluation, baseline: str | None, *, alternative: str, margin: float, **how: Any) -> Page:
    """Each model against the baseline, or the first against the second; p adjusted by Holm where there are several."""
    from rocsteady._src.inference.comparison.auc import tests_with_margin
    from rocsteady._src.inference.comparison.multiplicity import adjust_pvalues
    from rocsteady._src.results.remarks import noted

    if alternative not in SHOWN:
        text = f"--margin goes with --alternative {', '.join(SHOWN)}, got {printable(alternative)}"
        raise ArgumentError("alternative", text)
    pairs = _pairs(result.models, baseline)
    how |= {"alternative": alternative, "margin": margin}
    tests = tests_with_margin(result.rows.paired(result.ranked), pairs, **how)
    adjusted = adjust_pvalues([test.pvalue for test in tests]).tolist()
    named = [(result.models[i], result.models[j]) for i, j in pairs]
    told = [(*names, test, p) for names, test, p in zip(named, tests, adjusted, strict=True)]
    rows = [
        [first, second, test.estimate, test.low, test.high, test.statistic, test.pvalue, p]
        for first, second, test, p in told
    ]
    lead = [_line(*each, alternative, margin) for each in told]
    notes = dict.fromkeys(noted(remark) for test in tests for remark in test.warnings)
    return Page(HEADER, rows, [_made(tests, result), *notes], lambda: _data(told, alternative, margin), lead=lead)


def _pairs(models: tuple[str, ...], baseline: str | None) -> list[tuple[int, int]]:
    if baseline is None and len(models) != 2:
        text = f"{format_count(len(models))} models were given with --margin"
        raise ArgumentError("baseline", f"{text}: name the one to hold them against with --baseline")
    if baseline is not None and baseline not in models:
        text = f"there is no model {printable(baseline)}; these are: {some_values(models, most=20)}"
        raise ArgumentError("baseline", text)
    second = 1 if baseline is None else models.index(baseline)
    return [(first, second) for first in range(len(models)) if first != second]


def _line(first: str, second: str, test: TestResult, p: float, alternative: str, margin: float) -> str:
    """What the test says at one minus the level."""
    names = {"first": printable(first), "second": printable(second), "margin": format_setting(margin)}
    claim, alpha = SHOWN[alternative].format(**names), 1 - test.level
    shown = "shown" if p < alpha else "not shown"
    return f"{shown} at {format_setting(round(alpha, 12))}: {claim} ({p_words(p)})"


def _made(tests: list[TestResult], result: Evaluation) -> str:
    methods = ", ".join(dict.fromkeys(test.how for test in tests))
    level = format_setting(tests[0].level)
    return f"AUC, first less second, {methods}; two-sided intervals at level {level}; {result.assumptions()}"


def _data(told: list[tuple[str, str, TestResult, float]], alternative: str, margin: float) -> dict[str, Any]:
    tests = [{"first": first, "second": second, **test.to_dict(), "p_holm": p} for first, second, test, p in told]
    return {"alternative": alternative, "margin": margin, "tests": tests}
