"""The decision on a page: its table, what the page assumes, and forests of what others cost or rank less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.text import format_digits, format_interval, format_level, format_p
from rocsteady._src.results.cases import makes_up, of_cases
from rocsteady._src.views.report.document import Situation, TableBlock, chart_of
from rocsteady._src.views.report.forests import against
from rocsteady._src.views.report.records import ends_of, safe

if TYPE_CHECKING:
    from rocsteady._src.results import Comparison
    from rocsteady._src.results.decision import Course, Decision
    from rocsteady._src.views.report.document import Chart, Opened
    from rocsteady._src.views.report.names import Style

    Look = dict[str, Style]

NUMBERS = ("threshold", "found", "missed", "false_alarms", "cost")


ROUNDED = " Counts and costs are rounded."
STAYS = " Recall and false positive rate are taken to be there what they are on these rows."
ASSUMED = {"given": "", "1:1": " (assumed: none were given)", "neutral": " (both classes weigh the same)"}


def situation(decision: Decision, look: Look, opened: Opened | None = None) -> Situation:
    """What the page opens with."""
    sample = float(decision.n_pos / (decision.n_pos + decision.n_neg))
    costs = (decision.cost_fp, decision.cost_fn, decision.prevalence)
    shown = {name: getattr(decision, name) for name in ("level", "cases", "decimals")}
    return Situation(look[decision.model].name, *costs, sample, decision.costs, **shown, opened=opened)


def decision_table(decision: Decision, look: Look) -> TableBlock:
    """What each course does to so many cases."""
    rows, values = [], []
    header, cells = decision.cells()
    for course, told in zip(decision.courses, cells, strict=True):
        name = course.name if course.model is None else look[course.model].name
        rows.append([name, *told[1:]])
        values.append([name, *(safe(_plain(getattr(course, each))) for each in NUMBERS), _more(course, decision.cases)])
    costs = f"a false alarm costs {_price(decision.cost_fp)} and a miss {_price(decision.cost_fn)}"
    where = f"{costs}{ASSUMED[decision.costs]}, and {_price(100 * decision.prevalence)}% of cases are positive"
    costed = (decision.decimals, decision.cost_fp, decision.cost_fn)
    exact = all(makes_up(course.parts, *costed) for course in decision.courses)
    elsewhere = STAYS if decision.prevalence_given else ""
    text = f"Every model at its own threshold of least cost on these rows, where {where}.{elsewhere}"
    text += "" if exact else ROUNDED
    return TableBlock("decision", f"Of {of_cases(decision.cases)}", header, rows, text=text, values=values)


def _price(value: float) -> str:
    return format_digits(value, 4)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _more(course: Course, unit: int) -> dict[str, Any] | None:
    if course.more is None:
        return None
    return {name: safe(unit * float(getattr(course.more, name))) for name in ("estimate", "low", "high")}


def differences(comparison: Comparison | None, leader: str, look: Look) -> list[TableBlock]:
    """Every other model less the leader, or all less the baseline, as the comparison has them."""
    if comparison is None:
        return []
    against_whom = comparison.baseline or leader
    rows, keys, values = [], [], []
    for name, (estimate, low, high), pair in _less(comparison, against_whom):
        told = [look[name].name, format_interval(estimate, low, high, 3, signed=True), format_p(pair.p_holm)]
        rows.append(told)
        keys.append([told[0], safe(estimate), safe(float(pair.p_holm))])
        ends = dict(zip(("estimate", "low", "high"), map(safe, (estimate, low, high)), strict=True))
        values.append([told[0], {**ends, "p": safe(float(pair.p_holm))}, safe(float(pair.p_holm))])
    if not rows:
        return []
    whom = look[against_whom].name
    text = f"AUC less that of {whom}; each interval by itself, p adjusted for the number of pairs (Holm)."
    header = ["model", f"AUC less that of {whom}", "p by Holm" if len(comparison.pairs) > 1 else "p"]
    return [TableBlock("differences", f"Against {whom}", header, rows, keys, text, values)]


def _less(comparison: Comparison, leader: str) -> list[tuple[str, tuple[float, float, float], Any]]:
    """Other models with what their AUC is above the leader's, the nearest first."""
    found = []
    for pair in comparison.pairs:
        if leader not in (pair.first, pair.second):
            continue
        test = pair.test
        ends = (float(test.estimate), float(test.low), float(test.high))
        if pair.first == leader:
            found.append((pair.second, (-ends[0], -ends[2], -ends[1]), pair))
        else:
            found.append((pair.first, ends, pair))
    return sorted(found, key=lambda each: -each[1][0])


def forests(decision: Decision, comparison: Comparison | None, look: Look) -> list[Chart]:
    """Differences in AUC and in cost against the leader, each with its interval."""
    styles, level = list(look.values()), format_level(decision.level)
    made = []
    if comparison is not None:
        whom = comparison.baseline or decision.model
        lines = [
            {
                "model": look[name].name,
                "row": look[name].name,
                "estimate": safe(e),
                "low": safe(low),
                "high": safe(high),
            }
            for name, (e, low, high), _ in _less(comparison, whom)
        ]
        if lines:
            title = f"AUC less that of {look[whom].name}"
            text = f"Dots with {level} intervals; left of the line: ranks worse."
            made.append(_forest("auc-differences", title, text, lines, styles))
    costs = [
        {"model": name, "row": name, **(_more(course, decision.cases) or {})}
        for course, name in (
            (each, each.name if each.model is None else look[each.model].name) for each in decision.courses
        )
        if course.more is not None and course.model is not None
    ]
    if costs:
        title = f"Cost of {of_cases(decision.cases)} beyond {look[decision.model].name}"
        text = f"At each model's own threshold, with {level} intervals; right of the line: costs more."
        made.append(_forest("cost-differences", title, text, costs, styles))
    return made


def _forest(name: str, title: str, text: str, lines: list[dict[str, Any]], styles: list[Style]) -> Chart:
    # at a reader's costs another model may be the cheapest
    costs = name == "cost-differences"
    axis, order = ("Cost beyond the cheapest", "ascending") if costs else (title, "descending")
    spec = against(styles, [line["row"] for line in lines], axis, order)
    return chart_of(name, title, text, spec, {"against": lines, "zero": [{"x": 0}]})


def all_pairs(comparison: Comparison | None, look: Look) -> list[TableBlock]:
    """Every pair that was tested, one line each, the clearest first."""
    if comparison is None or len(comparison.pairs) < 2:
        return []
    pairs = sorted(comparison.pairs, key=lambda pair: pair.p_holm)
    rows, keys, values = [], [], []
    for pair in pairs:
        names = [look[pair.first].name, look[pair.second].name]
        test = pair.test
        told = format_interval(test.estimate, test.low, test.high, 3, signed=True)
        rows.append([" less ".join(names), told, format_p(test.pvalue), format_p(pair.p_holm)])
        numbers = [safe(float(each)) for each in (test.estimate, test.pvalue, pair.p_holm)]
        keys.append([rows[-1][0], *numbers])
        values.append([rows[-1][0], ends_of(test), *numbers[1:]])
    header = ["pair", "difference in AUC", "p", "p by Holm"]
    return [TableBlock("pairs", "All pairs", header, rows, keys, f"By {comparison.method}.", values)]
