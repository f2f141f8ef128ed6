"""rocsteady compare: which of several models is better, and how sure is that?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rocsteady._src.views.cli.columns import compared_models, measures_of, with_models
from rocsteady._src.views.cli.margins import Alternative, Margin, margin_page
from rocsteady._src.views.cli.options import (
    Absent,
    At,
    By,
    Censored,
    Classes,
    ClassesAveraged,
    Cluster,
    Delimiter,
    File,
    Fold,
    Force,
    IdColumn,
    Ipcw,
    Labels,
    Level,
    Memory,
    Missing,
    ModelScores,
    Output,
    OutputFormat,
    PosLabel,
    Repeat,
    Simultaneous,
    TestMethod,
    Thresholds,
    Time,
    Weight,
    WeightType,
    given_thresholds,
    named_by,
    numbers,
)
from rocsteady._src.views.cli.pages import comparison_page
from rocsteady._src.views.cli.render import Format, deliver, form_of, refuse_output
from rocsteady._src.views.cli.source import MEMORY, Source, judge, judge_any, one_subject, with_weight_type
from rocsteady._src.views.cli.unused_options import check_compare


def compare(
    context: typer.Context,
    file: File,
    label: Labels,
    score: ModelScores,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Compare each model to this one; all pairs if absent.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", help="What to compare by: auc if absent, brier_score, ...; again for several."),
    ] = None,
    threshold: Thresholds = None,
    weight: Weight = None,
    weight_type: WeightType = None,
    id_column: IdColumn = None,
    cluster: Cluster = None,
    by: By = None,
    fold: Fold = None,
    repeat: Repeat = None,
    classes: Classes = None,
    classes_averaged: ClassesAveraged = None,
    absent: Absent = "undefined",
    time: Time = None,
    at: At = None,
    censored: Censored = None,
    ipcw: Ipcw = None,
    level: Level = 0.95,
    method: TestMethod = "auto",
    simultaneous: Simultaneous = False,
    margin: Margin = None,
    alternative: Alternative = "non-inferiority",
    cutoffs: Annotated[
        str | None,
        typer.Option(
            "--cutoffs", help="Limits of risk categories, such as 0.2,0.5: adds NRI and IDI; the first model is old."
        ),
    ] = None,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Compare models on the same rows: a verdict, and differences with intervals and adjusted p.

    With --by within each group, and whether the difference is the same in all; with --fold as learners over folds.
    With --threshold and no --measure as tests that call yes or no: sensitivity, specificity, predictive values.
    With --margin whether a difference in AUC is small enough.
    With --time on censored rows, by Harrell's C or --measure.
    """
    refuse_output(output, force=force)
    subject = one_subject(id_column, cluster)
    source = Source(file, label, score, weight, subject, pos_label, missing, delimiter, memory, by, fold, classes)
    source = with_weight_type(source, weight_type, repeat)._replace(command="compare")
    source = with_models(source._replace(averaged=classes_averaged, absent=absent))
    source = source._replace(time=time, at=at, censored=censored, ipcw=ipcw)
    measure = context.params["measure"] = measures_of(measure, source)
    check_compare(context, source.split)
    if margin is not None:
        judged = judge(source, cluster=cluster, measures=["auc"])
        page = margin_page(judged, baseline, alternative=alternative, margin=margin, method=method, level=level)
        return deliver(page, form, output, force=force)
    how: dict[str, Any] = {"method": method, "intervals": "simultaneous" if simultaneous else "separate"}
    how |= {} if cutoffs is None else {"cutoffs": numbers(cutoffs)}
    chosen = given_thresholds(threshold, score)
    found = _compared(source, baseline, measure, {"cluster": cluster, "level": level}, chosen, how)
    return deliver(comparison_page(found, form_of(output, form)), form, output, force=force)


def _compared(
    source: Source,
    baseline: str | None,
    measure: list[str] | None,
    asked: dict[str, Any],
    threshold: Any,
    how: dict[str, Any],
) -> Any:
    """Models compared as their rows ask for it; ``how`` is for models of two classes alone."""
    named = {"level": asked["level"], **named_by(measure)}
    if source.split == "time":
        return judge_any(source, **asked).compare(*(measure or ()), baseline=baseline)
    if source.split in ("classes", "labels"):
        return compared_models(judge_any(source, **asked, measures=measure if source.models else None), baseline, named)
    if source.fold is not None:
        judged = judge_any(source, **asked, measures=["auc", *(measure or ())], threshold=threshold, intervals=False)
        return judged.compare(baseline, **named)
    plain = {"cluster": asked["cluster"], "measures": ["auc"]}
    judged = judge_any(source, **plain, intervals=False) if source.split == "by" else judge(source, **plain)
    return judged.compare(baseline, **named, **how, threshold=threshold)
