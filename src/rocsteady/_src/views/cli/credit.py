"""Commands with the names of credit scoring: lift by bands of scores, stability of scores, vintages."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.views.cli.options import (
    Delimiter,
    File,
    Force,
    Label,
    Level,
    Missing,
    Output,
    OutputFormat,
    PosLabel,
    Weight,
)
from rocsteady._src.views.cli.pages import frame_page
from rocsteady._src.views.cli.render import Format, deliver, refuse_output

if TYPE_CHECKING:
    from pathlib import Path

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
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Count positives by tenths of the scores: rate with interval, lift, gains and Kolmogorov-Smirnov distance."""
    from rocsteady._src.evaluation.monitor.credit import lift_table

    refuse_output(output, force=force)
    weights = [] if weight is None else [weight]
    table = _columns(file, delimiter, numbers=[score, *weights], labels=[label], weights=weights)
    how: dict[str, Any] = {"pos_label": _positive(pos_label, table[label]), "missing": missing}
    how |= {"bins": bins, "level": level}
    if weight is not None:
        how["sample_weight"] = table[weight]
    _tell(lift_table(table[label], table[score], **how), form, output, force=force)


def psi(
    file: File,
    score: Score,
    reference: Annotated[str, typer.Option("--reference", help="File of rows to compare with, with the same column.")],
    bins: Bins = 10,
    delimiter: Delimiter = None,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Say how far scores have moved from those of a reference: population stability index by bins, and a test."""
    from rocsteady._src.evaluation.monitor.credit import stability_index

    refuse_output(output, force=force)
    now, before = (_columns(each, delimiter, numbers=[score])[score] for each in (file, reference))
    found = stability_index(before, now, bins=bins)
    _tell(found, form, output, force=force, lead=[str(found)])


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
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Show the share of rows known to be positive, by the period in which they began and by age."""
    from rocsteady._src.evaluation.monitor.vintages import vintage_table

    refuse_output(output, force=force)
    table = _columns(file, delimiter, labels=[label, day, arrived])
    columns = {"label": label, "day": day, "arrived": arrived, "pos_label": _positive(pos_label, table[label])}
    _tell(vintage_table(table, **columns, every=every, today=today, level=level), form, output, force=force)


def _columns(
    file: str,
    delimiter: str | None,
    *,
    numbers: Sequence[str] = (),
    labels: Sequence[str] = (),
    weights: Sequence[str] = (),
) -> dict[str, Any]:
    """The columns in memory."""
    from rocsteady._src.inputs.files import Wanted
    from rocsteady._src.inputs.files.read import read_files
    from rocsteady._src.views.cli.load import files_of

    wanted = Wanted(numbers=tuple(numbers), labels=tuple(labels), weights=tuple(weights))
    with files_of(file) as paths:
        return dict(read_files(paths, wanted, delimiter=delimiter))


def _positive(typed: str | None, labels: Any) -> Any:
    from rocsteady._src.inputs.files import typed_label

    return None if typed is None else typed_label(typed, labels)


def _tell(found: "Result", form: Format, output: "Path | None", *, force: bool, lead: Sequence[str] = ()) -> None:
    page = frame_page(found, found._notes())  # noqa: SLF001 - what stands under it
    deliver(replace(page, lead=list(lead)), form, output, force=force)
