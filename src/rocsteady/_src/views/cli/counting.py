"""The commands that count at a threshold, and that hold probabilities against what happened."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_interval, format_setting, table_cells, text_table
from rocsteady._src.views.cli.drawing import refuse_picture, write_picture
from rocsteady._src.views.cli.options import (
    Cluster,
    Delimiter,
    File,
    Force,
    Label,
    Level,
    Memory,
    Missing,
    Output,
    OutputFormat,
    PosLabel,
    Scores,
    Thresholds,
    Weight,
    WeightType,
    given_thresholds,
)
from rocsteady._src.views.cli.render import Format, Page, deliver, form_of, refuse_output
from rocsteady._src.views.cli.routes import rounding_told
from rocsteady._src.views.cli.source import MEMORY, Source, judge, with_weight_type

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.calibration import CalibrationSummary

RATES = ["recall", "specificity", "precision", "negative_predictive_value", "accuracy", "f1", "matthews_correlation"]
CELLS = ("tp", "fp", "fn", "tn")
THERE = ("ppv_there", "npv_there", "accuracy_there")


def confusion(
    file: File,
    label: Label,
    score: Scores,
    threshold: Thresholds = None,
    prevalence: Annotated[
        float | None,
        typer.Option("--prevalence", help="Also predictive values and accuracy where this share is positive."),
    ] = None,
    weight: Weight = None,
    weight_type: WeightType = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Count true and false positives and negatives at a threshold or rule, and the rates with intervals."""
    refuse_output(output, force=force)
    if prevalence is not None and not 0 <= prevalence <= 1:
        raise ArgumentError("prevalence", f"--prevalence lies in [0, 1], got {prevalence}")
    chosen = given_thresholds(threshold, score)
    source = Source(file, label, score, weight, cluster, pos_label, missing, delimiter, memory, command="confusion")
    source = with_weight_type(source, weight_type)
    wanted = RATES if prevalence is None else [*RATES, "positive_likelihood_ratio", "negative_likelihood_ratio"]
    result = judge(source, measures=wanted, threshold=chosen, intervals=True, level=level, cluster=cluster)
    deliver(_counts_page(result, prevalence, form_of(output, form)), form, output, force=force)


def _counts_page(result: "Evaluation", prevalence: float | None, form: Format) -> Page:
    from rocsteady._src.measures.confusion import confusion_at

    counts = {model: confusion_at(ranked, result.thresholds.get(model)) for model, ranked in result.ranked.items()}
    found = {model: {cell: getattr(each, cell) for cell in CELLS} for model, each in counts.items()}
    there: dict[str, dict[str, Any]] = {}
    if prevalence is not None:
        there = {model: _there(result, model, each, prevalence) for model, each in counts.items()}
        result = _without_ratios(result)
        for model, both in there.items():
            found[model] |= _shown(both, form)
    if form is Format.csv:
        frame = result._columns()  # noqa: SLF001 - the page is the frame
        header, rows = list(frame), [list(row) for row in zip(*frame.values(), strict=True)]
    else:
        header, cells = result.cells()
        rows = [list(row) for row in cells]
    added = list(next(iter(found.values())))
    first = 2 if result.thresholds else 1
    rows = [
        [*row[:first], *found[model].values(), *row[first:]] for model, row in zip(result.models, rows, strict=True)
    ]
    notes = [*result.notes(), "a row is called positive when score >= threshold" + _default_threshold(counts, result)]
    if prevalence is not None:
        notes += _notes_there(there, prevalence)

    def data() -> dict[str, Any]:
        told = result.to_dict()
        for entry in told["models"]:
            model = entry["model"]
            entry |= {"threshold": counts[model].threshold, **found[model]}
            entry["intervals"] |= {name: each.to_dict() for name, each in there.get(model, {}).items()}
        return told

    return Page([*header[:first], *added, *header[first:]], rows, notes, data)


def _notes_there(there: dict[str, dict[str, Any]], prevalence: float) -> list[str]:
    share = f"{', '.join(THERE)}: with these rates, where {format_setting(prevalence)} of the rows are positive"
    return [f"{share}, with intervals through likelihood ratios, recall and specificity"] + [
        f"note: {model}: {name}: {remark}"
        for model, both in there.items()
        for name, each in both.items()
        for remark in each.warnings
    ]


def _shown(both: dict[str, Any], form: Format) -> dict[str, Any]:
    """Each with its interval, in columns of their own where a program reads them."""
    if form is Format.json:
        return {name: each.estimate for name, each in both.items()}
    if form is Format.csv:
        ends = {
            name: {name: each.estimate, f"{name}_low": each.low, f"{name}_high": each.high}
            for name, each in both.items()
        }
        return {column: value for columns in ends.values() for column, value in columns.items()}
    return {name: format_interval(each.estimate, each.low, each.high) for name, each in both.items()}


def _default_threshold(counts: dict[str, Any], result: "Evaluation") -> str:
    if result.thresholds:
        return ""
    return f" {', '.join(dict.fromkeys(format_setting(each.threshold) for each in counts.values()))}"


def _there(result: "Evaluation", model: str, counts: Any, share: float) -> dict[str, Any]:
    """Predictive values and accuracy where another share is positive, by the intervals of ratios and rates."""
    from rocsteady._src.inference.intervals.joint_measures import RECALL, SPECIFICITY
    from rocsteady._src.inference.intervals.predictive import RATIOS, intervals_at_prevalence, logit_ratios
    from rocsteady._src.inference.intervals.rates_elsewhere import Rates
    from rocsteady._src.inference.units.subjects import subject_cells

    known = result.intervals[model]
    rows = None if result.cluster is None else result.rows.of_models(model)
    cells = None if rows is None else subject_cells(rows.in_memory(), counts.threshold)[1]
    if result.threshold_rule is None:
        ratios = logit_ratios(counts, known["recall"].level, cells)
    else:  # less the optimism of the choice
        ratios = known[RATIOS[0]], known[RATIOS[1]]
    together = 0.0 if cells is None else cells.together(RECALL, SPECIFICITY)
    rates = Rates(known["recall"], known["specificity"], together)
    values = intervals_at_prevalence(counts, *ratios, share)
    return dict(zip(THERE, (*values, rates.accuracy(share)), strict=True))


def _without_ratios(result: "Evaluation") -> "Evaluation":
    """The evaluation without the measures that are asked for on behalf of others."""
    from rocsteady._src.inference.intervals.predictive import RATIOS

    def kept(by_model: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        return {
            model: {name: each for name, each in row.items() if name not in RATIOS} for model, row in by_model.items()
        }

    columns = tuple(name for name in result.columns if name not in RATIOS)
    remarks = tuple(remark for remark in result.remarks if not any(str(remark).startswith(name) for name in RATIOS))
    return replace(
        result, columns=columns, values=kept(result.values), intervals=kept(result.intervals), remarks=remarks
    )


def calibration(
    file: File,
    label: Label,
    score: Scores,
    weight: Weight = None,
    weight_type: WeightType = None,
    cluster: Cluster = None,
    level: Level = 0.95,
    bins: Annotated[
        int | None,
        typer.Option("--bins", help="Bins of equally many rows, for the table of each model; at most 10 unless given."),
    ] = None,
    method: Annotated[
        str,
        typer.Option("--method", help="The curve: bins, or a smooth one with its band: spline, lowess or belt."),
    ] = "bins",
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw the curves into this file: png, pdf or svg.")
    ] = None,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Hold probabilities against what happened: slope, calibration in the large, Brier score and bins."""
    from rocsteady._src.probabilities.calibration.curve import calibration_curve
    from rocsteady._src.probabilities.calibration.summary import calibration_summary
    from rocsteady._src.ranked import rows_by_unit
    from rocsteady._src.views.plots import draw_calibrations

    refuse_output(output, force=force)
    refuse_picture(plot, force=force)
    source = Source(file, label, score, weight, cluster, pos_label, missing, delimiter, memory, command="calibration")
    result = judge(with_weight_type(source, weight_type), measures=["auc"], cluster=cluster)
    summaries, curves = {}, {}
    for model, ranked in result.ranked.items():
        sampled = result.origin.reading == "sampling"
        rows = rows_by_unit(result.rows, model, subjects=cluster is not None, sampled=sampled) or ranked
        summaries[model] = calibration_summary(rows, level=level, n_bins=10 if bins is None else bins)
        curves[model] = calibration_curve(rows, level=level, n_bins=bins, method=method)
    write_picture(partial(draw_calibrations, curves), plot, force=force)
    deliver(_calibration_page(result, summaries, curves), form, output, force=force)


def _bins(curve: Any) -> str:
    frame = curve._columns()  # noqa: SLF001 - the table is the frame
    return text_table(list(frame), table_cells(list(frame), [list(row) for row in zip(*frame.values(), strict=True)]))


def _curve(curve: Any) -> str:
    """The bins, or what is said of a smooth curve; its points are in the JSON output."""
    smooth = hasattr(curve, "distances")
    return str(curve) if smooth else f"shares of positives in bins of the score\n{_bins(curve)}"


def _calibration_page(result: "Evaluation", summaries: dict[str, "CalibrationSummary"], curves: dict[str, Any]) -> Page:
    from rocsteady._src.results.remarks import noted

    header: list[str] = []
    rows: list[list[Any]] = []
    notes = [result.assumptions(), *rounding_told(result)]
    for model, summary in summaries.items():
        frame = summary._columns()  # noqa: SLF001 - the page is the frame
        header = ["model", *frame]
        rows += [[model, *row] for row in zip(*frame.values(), strict=True)]
        notes += [f"{model}: {noted(remark)}" for remark in summary.warnings]
        notes += [f"{model}: {noted(remark)}" for remark in curves[model].warnings if remark.code == "fewer_bins"]
    tail = [f"\n{model}: {_curve(curve)}" for model, curve in curves.items()]

    def data() -> dict[str, Any]:
        models = [
            {"model": model, "summary": summary.to_dict(), "curve": curves[model].to_dict()}
            for model, summary in summaries.items()
        ]
        return {"origin": result.origin.to_dict(), "models": models}

    return Page(header, rows, notes, data, turns=False, tail=tail)
