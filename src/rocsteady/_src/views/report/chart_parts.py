"""Charts and look-up tables of a page, model by model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.text import format_digits, format_level, format_setting
from rocsteady._src.base.threads import for_each
from rocsteady._src.evaluation.trusted_probabilities import are_probabilities
from rocsteady._src.measures.model_thresholds import rule_of_model
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.calibration.groups import n_groups_of
from rocsteady._src.probabilities.decisions import decision_curve
from rocsteady._src.views.report import charts, records, threshold_charts
from rocsteady._src.views.report.document import Chart, chart_of
from rocsteady._src.views.report.operating import operating_points
from rocsteady._src.views.report.records import safe
from rocsteady._src.views.report.rows_of_models import rows_of, subjects_of
from rocsteady._src.views.report.smooth_calibration import records_of, smooth_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.decision import Decision
    from rocsteady._src.views.report.names import Style
    from rocsteady._src.views.report.options import Options

    OfModel = dict[str, list[dict[str, Any]]]

THINNED = f"Points were dropped for display; none moves by more than {format_setting(records.DEVIATION)}."
WORDS: dict[str, tuple[Callable[..., dict[str, Any]], str, str]] = {
    "roc": (
        charts.roc,
        "ROC curves",
        "The band ({level}, each point by itself) and the dotted hull belong to the selected model.",
    ),
    "pr": (
        charts.pr,
        "Precision and recall",
        "In your situation. Dotted: the share of positives, which a coin reaches.",
    ),
    "cost": (
        threshold_charts.cost,
        "Cost against the threshold",
        "Of the selected model, in your situation. Shaded: where another sample might have chosen ({level}).",
    ),
    "rates": (
        threshold_charts.rates,
        "Rates against the threshold",
        "Of the selected model, in your situation. Shaded: where another sample might have chosen ({level}).",
    ),
    "dist": (
        threshold_charts.distributions,
        "Scores by class",
        "Positives upwards, negatives downwards; the line is the threshold.",
    ),
    "gains": (
        charts.gains,
        "Cumulative gains",
        "Work down the list of these rows: how many positives are found how soon?",
    ),
    "calibration": (
        charts.calibration,
        "Calibration",
        (
            "Rows in groups of about the same size; lines are {level} intervals of the observed share. Dotted, of the "
            "selected model and where one fits: a smooth curve (spline) from the 5% to the 95% quantile of its scores. "
            "Shaded: its {level} band, where that is narrower than 50 points."
        ),
    ),
    "granular": (
        charts.granular,
        "Granularity",
        "If scores closer than delta could not be told apart, the curve would lie between these two.",
    ),
}


class Parts:
    """Charts and look-up tables, model by model."""

    def __init__(
        self,
        result: Evaluation,
        look: dict[str, Style],
        options: Options,
        decided: Decision,
        report: Callable[[float], object],
    ) -> None:
        self.result, self.look, self.options, self.decided, self.report = result, look, options, decided, report
        self.operating: dict[str, dict[str, Any]] = {}
        self.granular: dict[str, list[dict[str, Any]]] = {}
        self.probabilities = models_of_probabilities(result)
        self.leader = look[decided.model].name

    def charts(self) -> dict[str, Chart]:
        """All charts by name; those of probabilities of the models that give them."""
        data: dict[str, list[dict[str, Any]]] = {
            name: []
            for name in ("roc", "pr", "band", "hull", "gains", "dist", "calibration", "smooth", "op", "granular")
        }
        done: list[str] = []

        def made(model: str) -> OfModel:
            found = self._of_model(model)
            done.append(model)
            self.report(len(done) / len(self.look))
            return found

        for found in for_each(made, list(self.look), n_rows=self.result.origin.n_rows):
            for name, drawn in found.items():
                data[name] += drawn
        self.operating, self.granular = (self._in_order(found) for found in (self.operating, self.granular))
        table = self.operating[self.leader]
        data["op"] = [operating_record(self.leader, table, table["start"])]
        data |= at_thresholds(self.leader, table, self.decided)
        if self.granular.get(self.leader):
            family = self.granular[self.leader]
            data["granular"] = family[min(1, len(family) - 1)]["records"]
        return {chart.id: self._led(chart) for chart in self._made(data)}

    def _in_order(self, found: dict[str, Any]) -> dict[str, Any]:
        """Models in the order of the table, whichever thread was first."""
        return {style.name: found[style.name] for style in self.look.values() if style.name in found}

    def _led(self, chart: Chart) -> Chart:
        """The chart with the leader selected."""
        params = [
            {**each, "value": self.leader} if each["name"] == "selected" else each for each in chart.spec["params"]
        ]
        return replace(chart, spec={**chart.spec, "params": params})

    def _of_model(self, model: str) -> OfModel:
        """Records of one model by chart."""
        ranked, data = self.result.ranked[model], dict[str, list[dict[str, Any]]]()
        level, name, rows = self.options.level, self.look[model].name, rows_of(self.result, model)
        costs: dict[str, Any] = {"cost_fp": self.decided.cost_fp, "cost_fn": self.decided.cost_fn}
        given: dict[str, Any] = {"prevalence": self.decided.prevalence if self.decided.prevalence_given else None}
        subjects = subjects_of(self.result, model)
        rule = rule_of_model(self.result.threshold_rule, model)
        how: dict[str, Any] = {"level": level, "subjects": subjects, "rule": rule, "n_models": len(self.look)}
        leads = model == (self.options.model or self.decided.model)
        how["opens"] = self.options.threshold if leads else None
        self.operating[name] = operating_points(ranked, **costs, **given, **how)
        roc, pr = records.walk(name, ranked, level, subjects)
        data["roc"], data["pr"] = roc, pr
        data["band"] = records.band(name, rows, level)
        data["hull"] = records.hull(name, ranked)
        data["gains"] = records.gains(name, ranked)
        data["dist"] = records.distributions(name, ranked)
        if not ranked.has_infinite_scores:
            self.granular[name] = records.granular_family(name, ranked)
        if model in self.probabilities:
            n_bins = n_groups_of(self.result.origin.n_rows)
            curve = calibration_curve(rows, strategy="quantile", n_bins=n_bins, level=level)
            columns = {key: getattr(curve, key) for key in ("predicted", "observed", "low", "high", "count")}
            data["calibration"] = records.as_records(name, columns)
            data["smooth"] = records_of(name, smooth_of(self.result, model, level))
        return data

    def _made(self, data: dict[str, list[dict[str, Any]]]) -> list[Chart]:
        look = list(self.look.values())
        names = ["roc", "pr", "cost", "rates", "dist", "gains"] + (["calibration"] if self.probabilities else [])
        made = [self._chart(name, look, data) for name in names]
        if self.probabilities:
            made.append(decision_chart(self.result, self.probabilities, self.look, self.options.level))
        if any(self.granular.values()):
            made.append(self._chart("granular", look, data))
        return made

    def _chart(self, name: str, look: list[Style], data: dict[str, list[dict[str, Any]]]) -> Chart:
        """A chart with the line that chance would draw: the diagonal, or the share of positives."""
        share = float(self.result.n_pos / (self.result.n_pos + self.result.n_neg))
        ends = (share, share) if name == "pr" else (0, 1)
        chance = [{"x": 0, "y": ends[0]}, {"x": 1, "y": ends[1]}]
        spec, title, text = WORDS[name]
        more: dict[str, Any] = {"share": share} if name in ("pr", "rates") else {}
        more |= {"unit": self.decided.cases} if name == "cost" else {}
        if name == "calibration":
            more["reach"] = _reach(data["calibration"])
            chance = [{"x": 0, "y": 0}, {"x": more["reach"], "y": more["reach"]}]
        note = THINNED if name in ("roc", "pr", "gains") else ""
        told = text.format(level=format_level(self.options.level))
        return chart_of(name, title, told, spec(look, **more), data | {"chance": chance}, note)


def _reach(drawn: list[dict[str, Any]]) -> float:
    """The end of both axes of a calibration curve: what is drawn, and no empty half."""
    known = [record[name] for record in drawn for name in ("predicted", "observed", "high")]
    most = max((value for value in known if isinstance(value, float)), default=1.0)
    return float(min(1.0, math.ceil(20 * most) / 20 or 1.0))


def at_thresholds(name: str, table: dict[str, Any], decided: Decision) -> dict[str, list[dict[str, Any]]]:
    """Rates and cost of a model at every position, and where another sample might have chosen."""
    rates, costs = [], []
    for place in range(table["tp"].size):
        at = {"threshold": safe(table["_threshold"][place]), "drawn": safe(table["drawn"][place])}
        for field, rate in (("tpr", "recall"), ("fpr", "false positive rate"), ("precision", "precision")):
            rates.append({**at, "rate": rate, "value": safe(table[field][place])})
        costs.append({"model": name, **at, "cost": safe(decided.cases * table["cost"][place])})
    found = decided.threshold_interval
    known = found is not None and np.isfinite([found.low, found.high]).all()
    ends = (found.low, found.high) if found is not None and known else (table["drawn"].min(), table["drawn"].max())
    choice = [{"model": name if known else "", "low": float(ends[0]), "high": float(ends[1])}]
    return {"rates": rates, "costs": costs, "choice": choice}


def decision_chart(result: Evaluation, models: list[str], look: dict[str, Style], level: float) -> Chart:
    """Net benefit at all thresholds, whole; the axis ends where nothing is won any more."""
    data: dict[str, list[dict[str, Any]]] = {"decision": [], "treat": []}
    for model in models:
        found = decision_curve(rows_of(result, model), level=level)
        (name,) = found.net_benefit
        columns = {"threshold": found.thresholds, "net_benefit": found.net_benefit[name]}
        columns |= {"low": found.low[name], "high": found.high[name]}
        rounded = {key: np.asarray(values, dtype=np.float64).round(6) for key, values in columns.items()}
        data["decision"] += records.as_records(look[model].name, rounded)
    share = float(result.n_pos / (result.n_pos + result.n_neg))
    treat = np.asarray(found.treat_all, dtype=np.float64).round(6)
    for policy, values in (("treat all", treat), ("treat none", np.zeros_like(treat))):
        rows = records.as_records("", {"threshold": found.thresholds, "net_benefit": values})
        data["treat"] += [{**record, "policy": policy} for record in rows]
    ends = (-share / 2, 1.1 * share)
    below = treat < ends[0]
    leaves = float(np.asarray(found.thresholds)[int(np.argmax(below))]) if below.any() else 0.9
    text = "What a model is worth if a false alarm costs the odds of the threshold, beside treating all cases alike, "
    text += f"on these rows, {format_digits(100 * share, 4)}% of which are positive."
    note = "What lies below the axis is in the table and the CSV."
    spec = charts.decision(list(look.values()), ends, leaves)
    return chart_of("decision", "Decision curve", text, spec, data, note)


def operating_record(model: str, table: dict[str, Any], position: int) -> dict[str, Any]:
    """One position of the slider as a record."""
    columns = {name: values for name, values in table.items() if isinstance(values, np.ndarray)}
    record = {name: records.safe(values[position]) for name, values in columns.items()}
    return {"model": model, **record}


def models_of_probabilities(result: Evaluation) -> list[str]:
    """Models whose scores are probabilities."""
    return [model for model, ranked in result.ranked.items() if are_probabilities(ranked)]
