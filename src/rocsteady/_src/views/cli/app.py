"""Commands; cli/ending.py says how they end."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from rocsteady._src.base.errors import printable, quietly, rows_counted_from
from rocsteady._src.views.cli.answers import AnsweringCommand, AnsweringGroup
from rocsteady._src.views.cli.columns import measures_of, with_models
from rocsteady._src.views.cli.comparing import compare
from rocsteady._src.views.cli.counting import calibration, confusion
from rocsteady._src.views.cli.credit import psi
from rocsteady._src.views.cli.deciding import decide
from rocsteady._src.views.cli.ending import ending_well
from rocsteady._src.views.cli.gaps import gaps
from rocsteady._src.views.cli.gating import gate
from rocsteady._src.views.cli.laboratory import lab
from rocsteady._src.views.cli.looking_up import measures
from rocsteady._src.views.cli.operating import operating_point
from rocsteady._src.views.cli.options import (
    Absent,
    At,
    AucMethod,
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
    Kind,
    Labels,
    Level,
    Lower,
    Memory,
    Missing,
    ModelScores,
    OpenModel,
    OpenThreshold,
    Output,
    OutputFormat,
    PosLabel,
    Repeat,
    Seed,
    Simultaneous,
    TestMethod,
    Thresholds,
    Time,
    Weight,
    WeightType,
    given_thresholds,
    numbers,
)
from rocsteady._src.views.cli.pages import any_page
from rocsteady._src.views.cli.reader_studies import readers
from rocsteady._src.views.cli.render import Format, deliver, form_of, refuse_output
from rocsteady._src.views.cli.routes import write_report
from rocsteady._src.views.cli.selecting import select
from rocsteady._src.views.cli.serving import serve
from rocsteady._src.views.cli.signals import ending_on_signals, interruptible
from rocsteady._src.views.cli.sketching import (
    Bits,
    Exact,
    Range,
    Sketching,
    Width,
    bracketed_page,
    judge_sketched,
    refuse_pairs,
    tell_unmet,
)
from rocsteady._src.views.cli.source import (
    MEMORY,
    OPENED,
    Source,
    judge,
    judge_any,
    one_subject,
    with_lower,
    with_weight_type,
)
from rocsteady._src.views.cli.thresholding import thresholds
from rocsteady._src.views.cli.typed_command import typed_command
from rocsteady._src.views.cli.typed_options import Commands
from rocsteady._src.views.cli.unused_options import check_evaluate, check_report
from rocsteady._src.views.cli.watching import watch
from rocsteady._src.views.report.own_page import refuse_strangers
from rocsteady._version import __version__

app = Commands(
    cls=AnsweringGroup,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    pretty_exceptions_enable=False,
    help="Which classifier is better, at what threshold, and how sure can I be?",
)


def run() -> None:
    """Run a command and turn errors into messages and exit codes."""
    with ending_on_signals():
        ending_well(partial(interruptible, partial(app, standalone_mode=True)))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rocsteady {__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Which classifier is better, at what threshold, and how sure can I be?"""
    del version
    context.call_on_close(OPENED.close)
    context.with_resource(rows_counted_from(1))
    context.with_resource(quietly())  # commands print warnings as notes


@app.command(cls=AnsweringCommand)
def evaluate(
    context: typer.Context,
    file: File,
    label: Labels,
    score: ModelScores,
    weight: Weight = None,
    weight_type: WeightType = None,
    id_column: IdColumn = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            help="auc, family:threshold, 'partial_auc(fpr_range=(0, .2))', ...; macro_auc, ... with --classes.",
        ),
    ] = None,
    threshold: Thresholds = None,
    intervals: Annotated[
        bool, typer.Option("--intervals/--no-intervals", help="Confidence intervals beside the values.")
    ] = True,
    level: Level = 0.95,
    auc_method: AucMethod = "auto",
    resamples: Annotated[
        int | None, typer.Option("--resamples", help="For intervals without a formula; 2000 below 100,000 scores.")
    ] = None,
    seed: Seed = 0,
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
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    sketch: Bits = None,
    span: Range = None,
    width: Width = None,
    exact: Exact = False,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Measure one or more models on the rows of a file, with confidence intervals."""
    refuse_output(output, force=force)
    subject = one_subject(id_column, cluster)
    source = Source(file, label, score, weight, subject, pos_label, missing, delimiter, memory, by, fold, classes)
    source = with_weight_type(source, weight_type, repeat)._replace(command="evaluate")
    source = with_models(source._replace(averaged=classes_averaged, absent=absent, exact=exact))
    source = source._replace(time=time, at=at, censored=censored, ipcw=ipcw)
    measure = context.params["measure"] = measures_of(measure, source)
    check_evaluate(context, source.split)
    chosen = given_thresholds(threshold, score)
    if how := Sketching.of(sketch, span, width):
        brackets = judge_sketched(source, how, measures=measure, threshold=chosen)
        deliver(bracketed_page(brackets, form_of(output, form)), form, output, force=force)
        tell_unmet(brackets, how)
        return
    result = (judge if source.split is None else judge_any)(
        source,
        measures=measure or None,
        threshold=chosen,
        intervals=intervals,
        level=level,
        n_resamples=resamples,
        random_state=seed,
        auc_method=auc_method,
        cluster=cluster,
    )
    deliver(any_page(result, form_of(output, form)), form, output, force=force)


app.command("compare", cls=AnsweringCommand)(compare)


@app.command(cls=AnsweringCommand)
def report(
    context: typer.Context,
    file: File,
    label: Labels,
    score: ModelScores,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write; .html, .md, .json, .png or .svg.")
    ] = Path("report.html"),
    kind: Kind = None,
    lower: Lower = None,
    title: Annotated[str, typer.Option("--title", help="Heading of the report.")] = "Which model is better?",
    weight: Weight = None,
    weight_type: WeightType = None,
    id_column: IdColumn = None,
    cluster: Cluster = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="Compare each model to this one.")] = None,
    level: Level = 0.95,
    method: TestMethod = "auto",
    simultaneous: Simultaneous = False,
    auc_method: AucMethod = "auto",
    cost_fp: Annotated[float | None, typer.Option("--cost-fp", help="Cost of a false positive; 1 if absent.")] = None,
    cost_fn: Annotated[float | None, typer.Option("--cost-fn", help="Cost of a missed positive; 1 if absent.")] = None,
    prevalence: Annotated[
        float | None,
        typer.Option("--prevalence", help="Share of positives where it is used; the data's if absent."),
    ] = None,
    model: OpenModel = None,
    threshold: OpenThreshold = None,
    cutoffs: Annotated[
        str | None, typer.Option("--cutoffs", help="Limits of risk categories, such as 0.2,0.5.")
    ] = None,
    resamples: Annotated[int | None, typer.Option("--resamples", help="For intervals without a formula.")] = None,
    seed: Seed = 0,
    by: By = None,
    fold: Fold = None,
    repeat: Repeat = None,
    classes: Classes = None,
    time: Time = None,
    at: At = None,
    censored: Censored = None,
    ipcw: Ipcw = None,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    sketch: Bits = None,
    span: Range = None,
    width: Width = None,
    force: Force = False,
) -> None:
    """Write one self-contained page: the verdict, and why."""
    check_report(context, output)
    refuse_strangers(output, force=force)
    subject = one_subject(id_column, cluster)
    source = Source(file, label, score, weight, subject, pos_label, missing, delimiter, memory, by, fold, classes)
    source = with_weight_type(source, weight_type, repeat)._replace(command="report")
    source = with_models(source._replace(time=time, at=at, censored=censored, ipcw=ipcw))
    source = with_lower(source, lower)
    if sketched := Sketching.of(sketch, span, width):
        refuse_pairs(cutoffs=cutoffs, baseline=baseline)
        brackets = judge_sketched(source, sketched)
        written = brackets.report(output, force=force, title=title)
    else:
        how: dict[str, Any] = {"level": level, "n_resamples": resamples, "random_state": seed, "cluster": cluster}
        how["auc_method"] = auc_method
        result = (judge if source.split is None else judge_any)(source, intervals=True, **how)
        shown = {
            "level": level,
            "cost_fp": cost_fp,
            "cost_fn": cost_fn,
            "prevalence": prevalence,
            "command": typed_command(context),
            "kind": kind,
            "baseline": baseline,
            "model": model,
            "threshold": threshold,
            "method": method,
            "intervals": "simultaneous" if simultaneous else "separate",
            "cutoffs": None if cutoffs is None else numbers(cutoffs),
        }
        written = write_report(result, output, shown, title=title, force=force)
    page = written.suffix.lower() in (".html", ".htm")
    typer.echo(f"Wrote {printable(written)}{'; open it in a browser, it contacts nobody' if page else ''}.")
    if sketched is not None:
        tell_unmet(brackets, sketched)


@app.command(cls=AnsweringCommand)
def demo(
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder to make.")] = Path("rocsteady-demo"),
    force: Force = False,
) -> None:
    """Write example data, evaluate its models, draw their ROC curves, and say where to look."""
    from rocsteady._src.views.cli.demo import run_demo

    typer.echo(run_demo(folder, force=force))


app.command("decide", cls=AnsweringCommand)(decide)
for _command in (gate, watch, psi):
    app.command(_command.__name__, cls=AnsweringCommand)(_command)
app.command("thresholds", cls=AnsweringCommand)(thresholds)
app.command("operating-point", cls=AnsweringCommand)(operating_point)
app.command("confusion", cls=AnsweringCommand)(confusion)
app.command("calibration", cls=AnsweringCommand)(calibration)
app.command("gaps", cls=AnsweringCommand)(gaps)
app.command("lab", cls=AnsweringCommand)(lab)
app.command("measures", cls=AnsweringCommand)(measures)
app.command("readers", cls=AnsweringCommand)(readers)
app.command("serve", cls=AnsweringCommand)(serve)
app.command("select", cls=AnsweringCommand)(select)
