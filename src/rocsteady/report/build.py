"""Results become a plain document: words, tables and charts as data. Nothing here knows HTML."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._version import __version__
from rocsteady.calibration.curve import calibration_curve
from rocsteady.decisions import decision_curve
from rocsteady.errors import printable
from rocsteady.measures.sets import set_properties
from rocsteady.measures.ties import tie_diagnostics
from rocsteady.progress import progress_bar
from rocsteady.ranked import rank_models
from rocsteady.report import charts, records
from rocsteady.report.document import Chart, Document, TableBlock, chart_of
from rocsteady.report.names import styles
from rocsteady.report.operating import operating_points
from rocsteady.results import DIRECTION
from rocsteady.scale.rows import LazyRows
from rocsteady.text import format_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocsteady.evaluation import Evaluation
    from rocsteady.ranked import ModelRows, RankedScores
    from rocsteady.report.names import Style
    from rocsteady.results import Comparison


@dataclass(frozen=True, slots=True)
class Options:
    """What a report is asked for."""

    title: str = "Which model is better?"
    level: float = 0.95
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    cutoffs: Sequence[float] | None = None
    baseline: str | None = None


def build(result: Evaluation, options: Options) -> Document:
    """Compute what the evaluation does not hold yet, and put it in order. Shows progress."""
    levels = {interval.level for found in result.intervals.values() for interval in found.values()}
    if levels != {options.level}:
        result = result.with_intervals(level=options.level)
    look = styles(result.models)
    comparison = result.compare(options.baseline, level=options.level) if len(result.models) > 1 else None
    with progress_bar("report") as report:
        parts = _Parts(result, look, options, report)
        made = parts.charts()
    moved = _reclassified(result, options, look)
    return Document(
        title=options.title,
        verdict=comparison.verdict if comparison else _alone(result),
        models=list(look.values()),
        tables=[_measures(result, look), *_differences(comparison, look), _diagnostics(result, look)],
        charts=made,
        operating=parts.operating,
        granular=parts.granular,
        reclassified=moved,
        assumptions=_assumptions(result, options),
        notes=[*result.notes()[1:], *(comparison.warnings if comparison else ())],
    )


def _alone(result: Evaluation) -> tuple[str, ...]:
    (model,) = result.models
    found = result.intervals.get(model, {}).get("auc")
    value = result.values[model].get("auc")
    if found is None or value is None:
        return (f"{printable(model)} was measured on {result.origin.n_rows} rows",)
    sure = "ranks better than chance" if found.low > 0.5 else "cannot be told from chance"
    sure = "ranks worse than chance" if found.high < 0.5 else sure
    return (f"{printable(model)} {sure}: AUC {found.estimate:.3f} [{found.low:.3f}, {found.high:.3f}]",)


THINNED = f"Points were dropped for display; none moves by more than {records.DEVIATION:g}."
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
        self.probabilities = all(_are_probabilities(ranked) for ranked in result.ranked.values())

    def charts(self) -> list[Chart]:
        """All charts; those of probabilities only where all scores are probabilities."""
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

    def _rows(self, model: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """What functions take in place of ranked scores: rows, where subjects are to be counted."""
        rows, cluster = self.result.rows, self.result.cluster
        if cluster is None or isinstance(rows, LazyRows):
            return (self.result.ranked[model],), {}
        weights = {} if rows.weight is None else {"sample_weight": rows.columns[rows.weight]}
        options = {"cluster": rows.columns[cluster], "pos_label": self.result.origin.pos_label, **weights}
        return (rows.columns[rows.label], rows.columns[model]), options

    def _subjects(self, model: str) -> ModelRows | None:
        rows = self.result.rows
        if self.result.cluster is None or isinstance(rows, LazyRows):
            return None
        return rank_models(rows, (model,), self.result.origin.pos_label)

    def _add(self, data: dict[str, list[dict[str, Any]]], model: str, ranked: RankedScores) -> None:
        level, name, (rows, options) = self.options.level, self.look[model].name, self._rows(model)
        costs = {"cost_fp": self.options.cost_fp, "cost_fn": self.options.cost_fn}
        subjects = self._subjects(model)
        self.operating[name] = operating_points(ranked, **costs, level=level, subjects=subjects)
        roc, pr = records.walk(name, ranked, level, subjects)
        data["roc"] += roc
        data["pr"] += pr
        data["band"] += records.band(name, rows, level, **options)
        data["hull"] += records.hull(name, ranked)
        data["gains"] += records.gains(name, ranked)
        data["dist"] += records.distributions(name, ranked)
        if not ranked.has_infinite_scores:
            self.granular[name] = records.granular_family(name, ranked)
        if self.probabilities:
            curve = calibration_curve(*rows, strategy="quantile", level=level, **options)
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
            name, title, text.format(level=f"{self.options.level:.0%}"), spec(look), data | {"chance": chance}, note
        )

    def _decision(self, look: list[Style]) -> Chart:
        """Net benefit, clipped below to what can be seen."""
        data: dict[str, list[dict[str, Any]]] = {"decision": [], "treat": []}
        floor = -0.1
        for model in self.result.ranked:
            given, options = self._rows(model)
            found = decision_curve(*given, level=self.options.level, **options)
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
    record = {name: records.safe(_item(values[position])) for name, values in table.items() if name != "start"}
    return {"model": model, **record}


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _are_probabilities(ranked: RankedScores) -> bool:
    scores = ranked.scores
    return bool(scores.dtype.kind == "f" and scores.size and scores[0] >= 0 and scores[-1] <= 1)


def _measures(result: Evaluation, look: dict[str, Style]) -> TableBlock:
    header, rows = result.cells()
    for row, model in zip(rows, result.models, strict=True):
        row[0] = look[model].name
    keys = [
        [look[model].name, *([records.safe(float(result.thresholds[model]))] if result.thresholds else [])]
        + [records.safe(float(result.values[model][column])) for column in result.columns]
        for model in result.models
    ]
    text = "Values with their intervals; press a heading to sort."
    return TableBlock("measures", "Models", header, rows, keys, text)


def _differences(comparison: Comparison | None, look: dict[str, Style]) -> list[TableBlock]:
    """All pairs as a matrix: row minus column, with Holm's p."""
    if comparison is None:
        return []
    cells = {}
    for pair in comparison.pairs:
        for first, second, sign in ((pair.first, pair.second, 1), (pair.second, pair.first, -1)):
            cells[first, second] = f"{sign * pair.test.estimate:+.3f} (p {records.p_value(pair.p_holm)})"
    rows = [
        [
            look[first].name,
            *("" if first == second else cells.get((first, second), "-") for second in comparison.models),
        ]
        for first in comparison.models
    ]
    text = "Difference in AUC, row minus column, with p adjusted for the number of pairs (Holm)."
    return [
        TableBlock(
            "differences", "Differences", ["", *(look[model].name for model in comparison.models)], rows, text=text
        )
    ]


def _diagnostics(result: Evaluation, look: dict[str, Style]) -> TableBlock:
    """Set properties and ties of each model."""
    header = ["model", "distinct scores", "lowest", "median", "highest", "margin", "pairs not in order"]
    header += ["tied pairs", "AUC if ties broke badly", "AUC if they broke well"]
    rows = []
    for model, ranked in result.ranked.items():
        ties = tie_diagnostics(ranked)
        ends = [printable(ranked.scores[place], most=24) for place in (0, -1)]
        about = None if ranked.has_infinite_scores else set_properties(ranked)
        middle = (
            ["-"] * 3
            if about is None
            else [f"{about.median:g}", f"{about.abs_margin:g}", f"{about.rel_error_size:.2%}"]
        )
        counts = [f"{ties.n_distinct:,}", ends[0], middle[0], ends[1], *middle[1:]]
        broken = [format_number(value) for value in (ties.auc_worst, ties.auc_best)]
        rows.append([look[model].name, *counts, f"{ties.tied_pairs:.2%}", *broken])
    text = "Margin: the lowest positive minus the highest negative score."
    return TableBlock("diagnostics", "Scores and ties", header, rows, text=text)


def _reclassified(result: Evaluation, options: Options, look: dict[str, Style]) -> dict[str, list[TableBlock]]:
    """Tables for every ordered pair of models, when cutoffs are given."""
    if options.cutoffs is None or len(result.models) < 2:
        return {}
    made = {}
    for base in result.models:
        for pair in result.compare(base, level=options.level, cutoffs=options.cutoffs).reclassified:
            key = f"{look[pair.second].name}\n{look[pair.first].name}"
            made[key] = [_moves(pair, name) for name in ("events", "nonevents")]
    return made


def _moves(pair: Any, name: str) -> TableBlock:
    table, part = getattr(pair.table, name), getattr(pair.nri, name)
    rows = [[label, *(f"{cell:g}" for cell in row)] for label, row in zip(pair.table.labels, table, strict=True)]
    moved = pair.table.moved[name]
    text = (
        f"{moved['up']:.1%} up, {moved['down']:.1%} down; NRI of {name} {part.estimate:+.3f} "
        f"[{part.low:+.3f}, {part.high:+.3f}]"
    )
    return TableBlock(f"moves-{name}", name, ["old \\ new", *pair.table.labels], rows, text=text)


def _assumptions(result: Evaluation, options: Options) -> list[tuple[str, str]]:
    origin = result.origin
    seeds = {f.resampling.seed for found in result.intervals.values() for f in found.values() if f.resampling}
    return [
        ("Rows", f"{origin.n_rows:,}"),
        (
            "Positives and negatives",
            f"{result.n_pos:,g} and {result.n_neg:,g}" + (" (weighted)" if origin.weighted else ""),
        ),
        ("Positive label", printable(origin.pos_label, most=80)),
        ("Direction", DIRECTION),
        ("Incomplete rows dropped", f"{origin.n_dropped:,}"),
        ("Subjects", "one per row" if result.cluster is None else f"by column {printable(result.cluster, most=60)}"),
        ("Confidence level", f"{options.level:g}"),
        ("Cost of a false positive, of a missed positive", f"{options.cost_fp:g}, {options.cost_fn:g}"),
        ("Seed of resamples", ", ".join(map(str, sorted(seeds))) or "none drawn"),
        *((f"Fingerprint of {printable(model, most=40)}", mark) for model, mark in result.fingerprints.items()),
        ("rocsteady", __version__),
        ("Python, NumPy", f"{platform.python_version()}, {np.__version__}"),
    ]
