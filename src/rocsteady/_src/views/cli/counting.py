"""The commands that count at a threshold, and that hold probabilities against what happened."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.text import format_setting, table_cells, text_table
from rocsteady._src.results.remarks import noted
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
from rocsteady._src.views.cli.render import Format, Page, deliver, refuse_output
from rocsteady._src.views.cli.source import MEMORY, Source, judge, with_weight_type

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results.calibration import CalibrationSummary

RATES = ["recall", "specificity", "precision", "negative_predictive_value", "accuracy", "f1", "matthews_correlation"]
CELLS = ("tp", "fp", "fn", "tn")


def confusion(
    file: File,
    label: Label,
    score: Scores,
    threshold: Thresholds = None,
    prevalence: Annotated[
        float | None, typer.Option("--prevalence", help="Also the predictive values where this share is positive.")
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
    result = judge(source, measures=RATES, threshold=chosen, intervals=True, level=level, cluster=cluster)
    deliver(_counts_page(result, prevalence, form), form, output, force=force)


def _counts_page(result: "Evaluation", prevalence: float | None, form: Format) -> Page:
    from rocsteady._src.measures.confusion import confusion_at

    counts = {model: confusion_at(ranked, result.thresholds.get(model)) for model, ranked in result.ranked.items()}
    found = {model: {cell: getattr(each, cell) for cell in CELLS} for model, each in counts.items()}
    if prevalence is not None:
        for model, each in counts.items():
            found[model] |= _at_prevalence(each, prevalence)
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
        notes.append(
            f"ppv_there and npv_there: these rates where {format_setting(prevalence)} of the rows are positive"
        )

    def data() -> dict[str, Any]:
        told = result.to_dict()
        for entry in told["models"]:
            entry |= {"threshold": counts[entry["model"]].threshold, **found[entry["model"]]}
        return told

    return Page([*header[:first], *added, *header[first:]], rows, notes, data)


def _default_threshold(counts: dict[str, Any], result: "Evaluation") -> str:
    if result.thresholds:
        return ""
    return f" {', '.join(dict.fromkeys(format_setting(each.threshold) for each in counts.values()))}"


def _at_prevalence(counts: Any, share: float) -> dict[str, float]:
    """Predictive values by Bayes' rule, of the rates here, where another share is positive."""
    hits, alarms = share * counts.recall, (1 - share) * counts.false_positive_rate
    misses, rightly = share * counts.false_negative_rate, (1 - share) * counts.specificity
    nan = float("nan")
    called, left = hits + alarms, misses + rightly
    return {"ppv_there": hits / called if called else nan, "npv_there": rightly / left if left else nan}


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
        curves[model] = calibration_curve(rows, level=level, n_bins=bins)
    write_picture(partial(draw_calibrations, curves), plot, force=force)
    deliver(_calibration_page(result, summaries, curves), form, output, force=force)


def _bins(curve: Any) -> str:
    frame = curve._columns()  # noqa: SLF001 - the table is the frame
    return text_table(list(frame), table_cells(list(frame), [list(row) for row in zip(*frame.values(), strict=True)]))


def _calibration_page(result: "Evaluation", summaries: dict[str, "CalibrationSummary"], curves: dict[str, Any]) -> Page:
    header: list[str] = []
    rows: list[list[Any]] = []
    notes = [result.assumptions()]
    for model, summary in summaries.items():
        frame = summary._columns()  # noqa: SLF001 - the page is the frame
        header = ["model", *frame]
        rows += [[model, *row] for row in zip(*frame.values(), strict=True)]
        notes += [f"{model}: {noted(remark)}" for remark in summary.warnings]
        notes += [f"{model}: {noted(remark)}" for remark in curves[model].warnings if remark.code == "fewer_bins"]
    tail = [f"\n{model}: shares of positives in bins of the score\n{_bins(curve)}" for model, curve in curves.items()]

    def data() -> dict[str, Any]:
        models = [
            {"model": model, "summary": summary.to_dict(), "curve": curves[model].to_dict()}
            for model, summary in summaries.items()
        ]
        return {"origin": result.origin.to_dict(), "models": models}

    return Page(header, rows, notes, data, turns=False, tail=tail)
