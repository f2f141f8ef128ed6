"""Results become a plain document: words, tables and charts as data. Nothing here knows HTML."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.text import format_count, format_interval
from rocsteady._src.views.report import records, tables
from rocsteady._src.views.report.chart_parts import Parts, models_of_probabilities
from rocsteady._src.views.report.decided_again import decided_again, trust_lines
from rocsteady._src.views.report.decision_parts import all_pairs, decision_table, differences, forests, situation
from rocsteady._src.views.report.document import Chart, Document, Section, TableBlock
from rocsteady._src.views.report.elsewhere import elsewhere
from rocsteady._src.views.report.made_again import in_words, line_parts, opened, untyped
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.options import WHICH, Options
from rocsteady._src.views.report.plain import for_readers, told_once
from rocsteady._src.views.report.provenance import assumptions, command
from rocsteady._src.views.report.records import safe
from rocsteady._src.views.report.smooth_calibration import distances

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results import Comparison, PairReclassification
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.views.report.names import Style

__all__ = ["Options", "build"]
MOST_LINES = 6
HOLDS = (
    "This file holds curves and, by model, how many rows of either class reach its scores, so that a threshold can be"
    " typed; it holds no other column and no row across models, and contacts nobody."
)
HOLDS_PARTS = HOLDS.replace("by model,", "by model and part,").replace(
    "no other column", "parts by name, no other column"
)
HOW_GOOD = "How good is it?"  # of one model nobody asks which
ONE_MODEL = "Risk categories compare two models: with one model the cutoffs have nothing to say"


def build(
    result: Evaluation,
    options: Options,
    draw: Callable[[Iterable[dict[str, Any]]], object] = list,
    **divided: str,
) -> Document:
    """Compute what the evaluation does not hold yet, and put it in order; rows may be ``divided``. Shows progress.

    ``draw`` is told of charts as soon as they are made.
    """
    again = command(result, options, **divided)
    look = styles(result.models)
    comparison = _compared(result, options)
    pairs = _reclassified(result, options)
    levels = {interval.level for found in result.intervals.values() for interval in found.values()}
    method = options.auc_method or result.auc_method
    if levels != {options.level} or method != result.auc_method:
        result = result.with_intervals(level=options.level, auc_method=method)
    costs: dict[str, Any] = {name: getattr(options, name) for name in ("cost_fp", "cost_fn", "prevalence", "baseline")}
    decided = result.decide(**costs, level=options.level)
    shown = opened(result, decided, options, look)
    with progress_bar("report") as report:
        parts = Parts(result, look, options, decided, report)
        made = parts.charts()
    draw(chart.whole for chart in made.values())
    again_there = decided_again(result, decided, look)
    sections = _sections(result, comparison, decided, parts, made, in_words(shown, decided), again_there)
    page = Document(
        title=HOW_GOOD if options.title == WHICH and len(look) == 1 else options.title,
        verdict=tuple(for_readers(line) for line in decided.verdict),
        alarms=tuple(for_readers(line) for line in decided.alarms),
        checks=tuple(replace(check, text=for_readers(check.text)) for check in decided.checks),
        decision=decision_table(decided, look),
        situation=situation(decided, look, shown),
        again=again_there,
        models=list(look.values()),
        sections=sections,
        operating=parts.operating,
        granular=parts.granular,
        assumptions=assumptions(result, decided, options),
        notes=_notes(result, comparison, decided, options),
        numbers=_numbers(result, comparison, decided, options, look),
        command=again[0],
        line=line_parts(options, command(result, untyped(options), **divided)[0], look),
        supplied=again[1],
        baseline=None if options.baseline is None else look[options.baseline].name,
        holds=HOLDS,
    )
    return _with_moves(page, pairs, tables.moved_words(pairs, decided, options.baseline), look) if pairs else page


def _with_moves(
    page: Document, pairs: list[PairReclassification], moved: tuple[str, ...], look: dict[str, Style]
) -> Document:
    """The page with who moves between risk categories: in its verdict, and for statisticians the tables."""
    return replace(
        page,
        verdict=(*page.verdict, *moved),
        reclassified={f"{look[pair.old].name}\n{look[pair.new].name}": tables.moves(pair) for pair in pairs},
        moved=moved,
    )


def _sections(
    result: Evaluation,
    comparison: Comparison | None,
    decided: Decision,
    parts: Parts,
    made: dict[str, Chart],
    asked: list[str],
    again: dict[str, Any],
) -> list[Section]:
    """The questions of a reader, in the order in which they come up."""
    look, level = parts.look, decided.level
    verdict = _alone(result) if comparison is None else comparison.verdict
    beside = tables.probabilities(comparison, look) if comparison is not None and comparison.probabilities else []
    trusted = beside or tables.calibrations(result, parts.probabilities, level, look)
    trusted = [*trusted, *distances(result, parts.probabilities, level, look)]
    return [
        Section(
            "compare",
            "How good is it?" if comparison is None else "Compare",
            [for_readers(line) for line in verdict[:MOST_LINES]],
            [tables.measures(result, look), *differences(comparison, decided.model, look)],
            [*forests(decided, comparison, look), *(made[name] for name in ("roc", "pr"))],
        ),
        Section(
            "threshold",
            "Threshold",
            asked,
            elsewhere(result, decided, look),
            [made[n] for n in ("cost", "rates", "dist", "gains")],
            panel="operating",
        ),
        Section(
            "trust",
            "Can I trust the probabilities?",
            [_trusted(decided), *trust_lines(again, decided, _share(result)), *_without_probabilities(result)],
            trusted,
            [made[name] for name in ("calibration", "decision") if name in made],
        ),
        Section(
            "statisticians",
            "For statisticians",
            [],
            [*all_pairs(comparison, look), _methods(result, comparison, decided), tables.diagnostics(result, look)],
            [made[name] for name in ("granular",) if name in made],
            folded=True,
            panel="moves",
        ),
    ]


def after_compare(page: Document, section: Section) -> list[Section]:
    """The sections of a page with one more, right after that which compares models."""
    place = next(place for place, each in enumerate(page.sections) if each.id == "compare") + 1
    return [*page.sections[:place], section, *page.sections[place:]]


def _share(result: Evaluation) -> float:
    return float(result.n_pos / (result.n_pos + result.n_neg))


def _trusted(decided: Decision) -> str:
    check = next(check for check in decided.checks if check.name == "probabilities")
    return for_readers(f"{printable(decided.model, most=48)}: {check.answer}: {check.text}")


def _methods(result: Evaluation, comparison: Comparison | None, decided: Decision) -> TableBlock:
    """How the numbers were made, and how well such intervals were measured to hold."""
    methods: dict[str, str] = {}
    for found in result.intervals.values():
        for column, interval in found.items():
            methods.setdefault(column, interval.method)
    lines = [[column, method, HELD.get(column, HELD["other"])] for column, method in methods.items()]
    if comparison is not None:
        lines.append(["differences in AUC", comparison.method, HELD["difference"]])
    tested = next((course.more for course in decided.courses if course.more is not None), None)
    if tested is not None:
        lines.append(["differences in cost", f"{tested.method}; {ALLOWED}", HELD["cost"]])
    header = ["number", "method", "measured"]
    return TableBlock("methods", "Methods", header, [[for_readers(cell) for cell in line] for line in lines])


ALLOWED = (
    "wider where several models cannot be told apart; beside flagging nobody or everybody the lower end allows for what"
    " choosing the threshold flatters"
)
# What docs/coverage.md and docs/decisions.md measured for the defaults; tests/test_report_decides.py reads them there.
HELD = {
    "auc": "95% intervals held the truth in at least 94.0% of samples with normal scores, in 86.4% with other shapes",
    "difference": "sizes of tests stand in docs/coverage.md",
    "cost": "95% intervals held the truth in at least 90.5% of samples, in all settings",
    "other": "docs/coverage.md has a line for every measure",
}


def _compared(result: Evaluation, options: Options) -> Comparison | None:
    if len(result.models) < 2:
        return None
    how: dict[str, Any] = {"method": options.method, "intervals": options.intervals, "level": options.level}
    found: Comparison = result.compare(options.baseline, cutoffs=options.cutoffs, **how)
    return found


def _notes(result: Evaluation, comparison: Comparison | None, decided: Decision, options: Options) -> list[str]:
    unused = [ONE_MODEL] if comparison is None and options.cutoffs is not None else []
    compared = () if comparison is None else (*comparison.conventions(), *comparison.warnings)
    return told_once([*result.notes()[1:], *compared, *decided.warnings, *unused])


def _without_probabilities(result: Evaluation) -> list[str]:
    """Which models are left out of the charts of probabilities, where others are not."""
    there = models_of_probabilities(result)
    absent = [printable(model, most=48) for model in result.models if model not in there]
    if not there or not absent:
        return []
    return [f"Calibration and decision curve leave out {', '.join(absent)}: scores that are no probabilities in [0, 1]"]


def _numbers(
    result: Evaluation, comparison: Comparison | None, decided: Decision, options: Options, look: dict[str, Style]
) -> dict[str, Any]:
    """What a program would otherwise have to read out of text; models by the names of the page."""
    found = tables.measured(result)
    pairs = () if comparison is None else comparison.pairs
    return {
        "settings": _settings(result, decided, options),
        "decision": {**decided.to_dict(), "model": look[decided.model].name},
        "measures": {look[model].name: found[model] for model in result.models},
        "comparisons": [
            {
                "first": look[pair.first].name,
                "second": look[pair.second].name,
                **records.ends_of(pair.test),
                "p_holm": records.safe(float(pair.p_holm)),
            }
            for pair in pairs
        ],
    }


def _settings(result: Evaluation, decided: Decision, options: Options) -> dict[str, Any]:
    origin, sizes = result.origin, {"n_pos": result.n_pos, "n_neg": result.n_neg}
    asked = {name: getattr(options, name) for name in ("level", "baseline", "method", "intervals")}
    asked |= {name: safe(getattr(decided, name)) for name in ("cost_fp", "cost_fn", "costs", "prevalence")}
    return {
        "n_rows": origin.n_rows,
        "n_dropped": origin.n_dropped,
        **{name: records.safe(size) for name, size in sizes.items()},
        "pos_label": records.safe(origin.pos_label),
        "weighted": origin.weighted,
        "cluster": result.cluster,
        **asked,
        "cutoffs": None if options.cutoffs is None else [float(cut) for cut in options.cutoffs],
    }


def _reclassified(result: Evaluation, options: Options) -> list[PairReclassification]:
    """Every ordered pair of models, when cutoffs are given; from the first, the old one, to others first."""
    if options.cutoffs is None or len(result.models) < 2:
        return []
    made: list[PairReclassification] = []
    bases = [options.baseline] if options.baseline is not None else []
    for base in [*bases, *(model for model in result.models if model not in bases)]:
        made += result.compare(base, method="delong", level=options.level, cutoffs=options.cutoffs).reclassified
    return made


def _alone(result: Evaluation) -> tuple[str, ...]:
    (model,) = result.models
    found = result.intervals.get(model, {}).get("auc")
    value = result.values[model].get("auc")
    if found is None or value is None:
        return (f"{printable(model)} was measured on {format_count(result.origin.n_rows)} rows",)
    sure = "ranks better than chance" if found.low > 0.5 else "cannot be told from chance"
    sure = "ranks worse than chance" if found.high < 0.5 else sure
    return (f"{printable(model)} {sure}: AUC {format_interval(found.estimate, found.low, found.high, 3)}",)
