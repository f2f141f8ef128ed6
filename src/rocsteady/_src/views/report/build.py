"""Results become a plain document: words, tables and charts as data. Nothing here knows HTML."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import printable
from rocsteady._src.base.progress import progress_bar
from rocsteady._src.base.text import format_count, format_interval, format_level, format_setting
from rocsteady._src.measures.model_thresholds import rule_of_model
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.decisions import decision_curve
from rocsteady._src.results import DIRECTION
from rocsteady._src.views.report import charts, records, tables
from rocsteady._src.views.report.document import Chart, Document, chart_of
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.operating import operating_points
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.plain import told_once
from rocsteady._src.views.report.rows_of_models import rows_of, subjects_of
from rocsteady._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.ranked import RankedScores
    from rocsteady._src.results import Comparison
    from rocsteady._src.views.report.document import TableBlock
    from rocsteady._src.views.report.names import Style

__all__ = ["Options", "build", "operating_record"]
ONE_MODEL = "Risk categories compare two models: with one model the cutoffs have nothing to say"


def build(result: Evaluation, options: Options) -> Document:
    """Compute what the evaluation does not hold yet, and put it in order. Shows progress."""
    look = styles(result.models)
    comparison = _compared(result, options)
    moved = _reclassified(result, options, look)
    levels = {interval.level for found in result.intervals.values() for interval in found.values()}
    method = options.auc_method or result.auc_method
    if levels != {options.level} or method != result.auc_method:
        result = result.with_intervals(level=options.level, auc_method=method)
    with progress_bar("report") as report:
        parts = _Parts(result, look, options, report)
        made = parts.charts()
    beside = [] if comparison is None else tables.probabilities(comparison, look)
    last = tables.diagnostics(result, look)
    return Document(
        title=options.title,
        verdict=comparison.verdict if comparison else _alone(result),
        models=list(look.values()),
        tables=[tables.measures(result, look), *tables.differences(comparison, look), *beside, last],
        charts=made,
        operating=parts.operating,
        granular=parts.granular,
        reclassified=moved,
        assumptions=_assumptions(result, options),
        notes=_notes(result, comparison, options),
        numbers=_numbers(result, comparison, options, look),
    )


def _compared(result: Evaluation, options: Options) -> Comparison | None:
    if len(result.models) < 2:
        return None
    how: dict[str, Any] = {"method": options.method, "intervals": options.intervals, "level": options.level}
    found: Comparison = result.compare(options.baseline, cutoffs=options.cutoffs, **how)
    return found


def _notes(result: Evaluation, comparison: Comparison | None, options: Options) -> list[str]:
    unused = [ONE_MODEL] if comparison is None and options.cutoffs is not None else []
    compared = () if comparison is None else (*comparison.conventions(), *comparison.warnings)
    return told_once([*result.notes()[1:], *compared, *unused, *_without_probabilities(result)])


def _without_probabilities(result: Evaluation) -> list[str]:
    """Which models are left out of the charts of probabilities, where others are not."""
    there = models_of_probabilities(result)
    absent = [printable(model, most=48) for model in result.models if model not in there]
    if not there or not absent:
        return []
    return [f"calibration and decision curve leave out {', '.join(absent)}: scores that are no probabilities in [0, 1]"]


def _numbers(
    result: Evaluation, comparison: Comparison | None, options: Options, look: dict[str, Style]
) -> dict[str, Any]:
    """What a program would otherwise have to read out of text; models by the names of the page."""
    found = tables.measured(result)
    pairs = () if comparison is None else comparison.pairs
    return {
        "settings": _settings(result, options),
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


def _settings(result: Evaluation, options: Options) -> dict[str, Any]:
    origin, sizes = result.origin, {"n_pos": result.n_pos, "n_neg": result.n_neg}
    named = ("level", "cost_fp", "cost_fn", "baseline", "method", "intervals")
    asked = {name: getattr(options, name) for name in named}
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


def _reclassified(result: Evaluation, options: Options, look: dict[str, Style]) -> dict[str, list[TableBlock]]:
    """Tables for every ordered pair of models, when cutoffs are given; from the first, the old one, to others first."""
    if options.cutoffs is None or len(result.models) < 2:
        return {}
    made = {}
    bases = [options.baseline] if options.baseline is not None else []
    for base in [*bases, *(model for model in result.models if model not in bases)]:
        for pair in result.compare(base, method="delong", level=options.level, cutoffs=options.cutoffs).reclassified:
            key = f"{look[pair.old].name}\n{look[pair.new].name}"
            made[key] = tables.moves(pair)
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


THINNED = f"Points were dropped for display; none moves by more than {format_setting(records.DEVIATION)}."
WORDS: dict[str, tuple[Callable[[list[Style]], dict[str, Any]], str, str]] = {
    "roc": (
        charts.roc,
        "ROC curves",
        "The band ({level}, each point by itself) and the dotted hull belong to the selected model.",
    ),
    "pr": (charts.pr, "Precision and recall", "Dotted: the share of positives, which a coin reaches."),
    "dist": (
        charts.distributions,
        "Scores by class",
        "Positives upwards, negatives downwards; the line is the threshold.",
    ),
    "gains": (charts.gains, "Cumulative gains", "Work down the list: how many positives are found how soon?"),
    "calibration": (
        charts.calibration,
        "Calibration",
        "Ten groups of rows; lines are {level} intervals of the observed share.",
    ),
    "granular": (
        charts.granular,
        "Granularity",
        "If scores closer than delta could not be told apart, the curve would lie between these two.",
    ),
}


class _Parts:
    """Charts and look-up tables, model by model."""

    def __init__(
        self, result: Evaluation, look: dict[str, Style], options: Options, report: Callable[[float], object]
    ) -> None:
        self.result, self.look, self.options, self.report = result, look, options, report
        self.operating: dict[str, dict[str, Any]] = {}
        self.granular: dict[str, list[dict[str, Any]]] = {}
        self.probabilities = models_of_probabilities(result)

    def charts(self) -> list[Chart]:
        """All charts; those of probabilities of the models that give them."""
        data: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("roc", "pr", "band", "hull", "gains", "dist", "calibration", "op", "granular")
        }
        for place, (model, ranked) in enumerate(self.result.ranked.items(), start=1):
            self._add(data, model, ranked)
            self.report(place / len(self.look))
        first = next(iter(self.look.values())).name
        data["op"] = [operating_record(first, self.operating[first], self.operating[first]["start"])]
        if self.granular.get(first):
            data["granular"] = self.granular[first][0]["records"]
        return self._made(data)

    def _add(self, data: dict[str, list[dict[str, Any]]], model: str, ranked: RankedScores) -> None:
        level, name, rows = self.options.level, self.look[model].name, rows_of(self.result, model)
        costs = {"cost_fp": self.options.cost_fp, "cost_fn": self.options.cost_fn}
        subjects = subjects_of(self.result, model)
        rule = rule_of_model(self.result.threshold_rule, model)
        self.operating[name] = operating_points(ranked, **costs, level=level, subjects=subjects, rule=rule)
        roc, pr = records.walk(name, ranked, level, subjects)
        data["roc"] += roc
        data["pr"] += pr
        data["band"] += records.band(name, rows, level)
        data["hull"] += records.hull(name, ranked)
        data["gains"] += records.gains(name, ranked)
        data["dist"] += records.distributions(name, ranked)
        if not ranked.has_infinite_scores:
            self.granular[name] = records.granular_family(name, ranked)
        if model in self.probabilities:
            curve = calibration_curve(rows, strategy="quantile", level=level)
            columns = {key: getattr(curve, key) for key in ("predicted", "observed", "low", "high", "count")}
            data["calibration"] += records.as_records(name, columns)

    def _made(self, data: dict[str, list[dict[str, Any]]]) -> list[Chart]:
        look = list(self.look.values())
        names = ["roc", "pr", "dist", "gains"] + (["calibration"] if self.probabilities else [])
        made = [self._chart(name, look, data) for name in names]
        if self.probabilities:
            made.append(self._decision(look))
        if any(self.granular.values()):
            made.append(self._chart("granular", look, data))
        return made

    def _chart(self, name: str, look: list[Style], data: dict[str, list[dict[str, Any]]]) -> Chart:
        """A chart with the line that chance would draw: the diagonal, or the share of positives."""
        share = self.result.n_pos / (self.result.n_pos + self.result.n_neg)
        ends = (share, share) if name == "pr" else (0, 1)
        chance = [{"x": 0, "y": ends[0]}, {"x": 1, "y": ends[1]}]
        spec, title, text = WORDS[name]
        note = THINNED if name in ("roc", "pr", "gains") else ""
        return chart_of(
            name,
            title,
            text.format(level=format_level(self.options.level)),
            spec(look),
            data | {"chance": chance},
            note,
        )

    def _decision(self, look: list[Style]) -> Chart:
        """Net benefit, clipped below to what can be seen."""
        data: dict[str, list[dict[str, Any]]] = {"decision": [], "treat": []}
        floor = -0.1
        for model in self.probabilities:
            found = decision_curve(rows_of(self.result, model), level=self.options.level)
            (name,) = found.net_benefit
            columns = {
                "threshold": found.thresholds,
                "net_benefit": found.net_benefit[name],
                "low": found.low[name],
                "high": found.high[name],
            }
            rounded = {key: np.maximum(values, floor).round(5) for key, values in columns.items()}
            data["decision"] += records.as_records(self.look[model].name, rounded)
            treat = np.maximum(found.treat_all, floor).round(5)
        for policy, values in (("treat all", treat), ("treat none", np.zeros_like(treat))):
            rows = records.as_records("", {"threshold": found.thresholds, "net_benefit": values})
            data["treat"] += [{**record, "policy": policy} for record in rows]
        text = "What a model is worth if a false alarm costs the odds of the threshold. Dotted: treat all, treat none."
        return chart_of("decision", "Decision curve", text, charts.decision(look), data)


def operating_record(model: str, table: dict[str, Any], position: int) -> dict[str, Any]:
    """One position of the slider as a record."""
    record = {name: records.safe(values[position]) for name, values in table.items() if name != "start"}
    return {"model": model, **record}


def models_of_probabilities(result: Evaluation) -> list[str]:
    """Models whose scores are probabilities."""
    return [model for model, ranked in result.ranked.items() if _are_probabilities(ranked)]


def _are_probabilities(ranked: RankedScores) -> bool:
    scores = ranked.scores
    return bool(scores.dtype.kind == "f" and scores.size and scores[0] >= 0 and scores[-1] <= 1)


def _assumptions(result: Evaluation, options: Options) -> list[tuple[str, str]]:
    origin = result.origin
    seeds = {f.resampling.seed for found in result.intervals.values() for f in found.values() if f.resampling}
    return [
        ("Rows", format_count(origin.n_rows)),
        (
            "Positives and negatives",
            f"{format_count(result.n_pos)} and {format_count(result.n_neg)}"
            + (" (weighted)" if origin.weighted else ""),
        ),
        ("Positive label", printable(origin.pos_label, most=80)),
        ("Direction", DIRECTION),
        ("Incomplete rows dropped", format_count(origin.n_dropped)),
        ("Subjects", "one per row" if result.cluster is None else f"by column {printable(result.cluster, most=60)}"),
        ("Confidence level", format_setting(options.level)),
        (
            "Cost of a false positive, of a missed positive",
            f"{format_setting(options.cost_fp)}, {format_setting(options.cost_fn)}",
        ),
        ("Seed of resamples", ", ".join(map(str, sorted(seeds))) or "none drawn"),
        *((f"Fingerprint of {printable(model, most=40)}", mark) for model, mark in result.fingerprints.items()),
        ("rocsteady", __version__),
        ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
    ]
