"""Commands with the names of credit scoring: lift by bands of scores, stability of scores, vintages."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.views.cli.options import (
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
    Weight,
)
from rocsteady._src.views.cli.pages import frame_page
from rocsteady._src.views.cli.render import Format, deliver, refuse_output
from rocsteady._src.views.cli.source import MEMORY, Source, judge

if TYPE_CHECKING:
    from pathlib import Path

    from rocsteady._src.inputs.files import Wanted
    from rocsteady._src.results import Result

Score = Annotated[str, typer.Option("--score", help="Column of scores. Higher means more positive.")]
Bins = Annotated[int, typer.Option("--bins", help="How many; 10 are tenths of the rows.")]


def lift(
    file: File,
    label: Label,
    score: Score,
    bins: Bins = 10,
    weight: Weight = None,
    level: Level = 0.95,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Count positives by tenths of the scores: rate with interval, lift, gains and Kolmogorov-Smirnov distance."""
    from rocsteady._src.evaluation.monitor.credit import lift_table
    from rocsteady._src.views.cli.routes import rounding_told

    refuse_output(output, force=force)
    source = Source(file, label, [score], weight, None, pos_label, missing, delimiter, memory, command="lift")
    result = judge(source, measures=["auc"])
    found = lift_table(result.ranked[score], bins=bins, level=level)
    _tell(found, form, output, force=force, notes=rounding_told(result))


def psi(
    file: File,
    score: Score,
    reference: Annotated[str, typer.Option("--reference", help="File of rows to compare with, with the same column.")],
    bins: Bins = 10,
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Say how far scores have moved from those of a reference: population stability index by bins, and a test."""
    from rocsteady._src.evaluation.monitor.credit import counted_scores, stability_of
    from rocsteady._src.inputs.files import ScannedFiles, Wanted
    from rocsteady._src.results.remarks import noted

    refuse_output(output, force=force)
    with ExitStack() as stack:
        wanted = Wanted(numbers=(score,), labels=())
        tables = [_opened(each, wanted, memory, delimiter, stack) for each in (reference, file)]
        most = [each.most_groups for each in tables if isinstance(each, ScannedFiles)]
        limits = {"most": min(most)} if most else {}
        named = zip(map(_held, tables), (f"{score} of the reference", score), strict=True)
        counted, rounded = counted_scores(list(named), score, **limits)
    found = stability_of(*counted, bins=bins)
    notes = [] if rounded is None else [noted(rounded)]
    _tell(found, form, output, force=force, lead=[str(found)], notes=notes)


def vintage(
    file: File,
    label: Label,
    day: Annotated[str, typer.Option("--day", help="Column of the day on which a row began.")],
    arrived: Annotated[str, typer.Option("--arrived", help="Column of the day on which its label was known.")],
    every: Annotated[int, typer.Option("--every", help="Days of a period, and steps of age.")] = 30,
    today: Annotated[str | None, typer.Option("--today", help="Day up to which labels are known; the last.")] = None,
    level: Level = 0.95,
    pos_label: PosLabel = None,
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Show the share of rows known to be positive, by the period in which they began and by age."""
    from rocsteady._src.evaluation.monitor.vintages import vintage_table
    from rocsteady._src.inputs.files import ScannedFiles, Wanted, typed_label
    from rocsteady._src.inputs.files.scan import label_type

    refuse_output(output, force=force)
    columns: dict[str, Any] = {"label": label, "day": day, "arrived": arrived, "pos_label": None}
    with ExitStack() as stack:
        table = _opened(file, Wanted(numbers=(), labels=(label, day, arrived)), memory, delimiter, stack)
        if pos_label is not None:
            of_files = isinstance(table, ScannedFiles)
            columns["pos_label"] = (
                label_type(table, label, pos_label) if of_files else typed_label(pos_label, table[label])
            )
        found = vintage_table(_held(table), **columns, every=every, today=today, level=level)
    _tell(found, form, output, force=force)


def _opened(file: str, wanted: "Wanted", memory: str, delimiter: str | None, stack: ExitStack) -> Any:
    """The columns in memory, or the files where they are, open until the stack ends."""
    from rocsteady._src.inputs.files import ScannedFiles
    from rocsteady._src.inputs.files.scan import watching
    from rocsteady._src.views.cli.load import open_columns

    table, _ = stack.enter_context(open_columns(file, wanted, memory, delimiter))
    if not isinstance(table, ScannedFiles):
        return dict(table)
    stack.enter_context(table.checked())
    stack.enter_context(watching(table.connection, "grouping"))
    return table


def _held(table: Any) -> Any:
    """The columns, or the relation of the files."""
    return getattr(table, "relation", table)


def _tell(
    found: "Result",
    form: Format,
    output: "Path | None",
    *,
    force: bool,
    lead: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> None:
    page = frame_page(found, [*found._notes(), *notes])  # noqa: SLF001 - what stands under it
    deliver(replace(page, lead=list(lead)), form, output, force=force)
