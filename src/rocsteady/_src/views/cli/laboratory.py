"""The command ``rocsteady lab``: errors of measures on score sets, and sweeps of their parameters."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rocsteady as rs  # rs.lab loads when a command of the laboratory runs, not for --help
from rocsteady._src.base.errors import ArgumentError, InputError, printable
from rocsteady._src.base.text import format_count, format_number, text_table
from rocsteady._src.base.written_numbers import number_of
from rocsteady._src.views.cli.drawing import refuse_picture, write_picture
from rocsteady._src.views.cli.options import Force, Output, OutputFormat, known_measures
from rocsteady._src.views.cli.render import Format, Page, deliver, is_page, refuse_output
from rocsteady._src.views.cli.typed_command import typed_command
from rocsteady._src.views.cli.unused_options import check_laboratory

MOST_ON_PAGE = 1_000  # sets whose values a page has without being asked

if TYPE_CHECKING:
    from rocsteady._src.results.lab import ErrorCounts, Sweep


SetsFile = Annotated[
    str | None,
    typer.Argument(
        help="Score sets, each ended by its line or by ; (0.85p 0.80p 0.75n), or CSV with label and score; - for "
        "standard input."
    ),
]
Margin = Annotated[int | None, typer.Option("--margin", help="Shrink margins in so many steps.")]
Range = Annotated[int | None, typer.Option("--range", help="Narrow ranges in so many steps.")]
Distribution = Annotated[bool, typer.Option("--distribution", help="Take all labellings of every set of scores.")]
Labellings = Annotated[
    int | None, typer.Option("--labellings", help="Take so many labellings instead: all correct ones, others sampled.")
]
Noise = Annotated[float, typer.Option("--noise", help="Standard deviation of noise added to every score.")]
LabSeed = Annotated[int, typer.Option("--seed", help="Of noise and sampled labellings.")]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        callback=known_measures,
        help="mm7_auc, 'mm7_auc(n=0.0625)', family:granular, ...; AUC and score-aware if absent.",
    ),
]
Tolerance = Annotated[float, typer.Option("--tolerance", help="How far below a value must lie to be an error.")]
Sweeps = Annotated[
    list[str] | None,
    typer.Option("--sweep", help="n=0.001:0.1:20 (20 even steps), n=0.001:0.1:20:log, or n=0.01,0.0625; once or more."),
]
By = Annotated[
    list[str] | None, typer.Option("--by", help="Break errors down by range, margin or ratio (share of positives).")
]
Values = Annotated[bool, typer.Option("--values", help="Print the value of every measure on every set, not errors.")]
Plot = Annotated[Path | None, typer.Option("--plot", help="Draw to this .png, .pdf or .svg file.")]
Kind = Annotated[
    str, typer.Option("--kind", help="Picture of errors: errors, range, margin, ratio or clouds of values.")
]


def lab(
    context: typer.Context,
    file: SetsFile = None,
    margin: Margin = None,
    range_: Range = None,
    distribution: Distribution = False,
    labellings: Labellings = None,
    noise: Noise = 0.0,
    seed: LabSeed = 0,
    measure: Measures = None,
    tolerance: Tolerance = 0.0,
    sweep: Sweeps = None,
    by: By = None,
    values: Values = False,
    plot: Plot = None,
    kind: Kind = "errors",
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Measure the measures: how often is a correctly ranked score set valued below an incorrectly ranked one?"""
    check_laboratory(context)
    refuse_picture(plot, force=force)
    refuse_output(output, force=force)
    if file is None:
        raise ArgumentError("file", "name a file of score sets, or - for standard input")
    sets = rs.lab.generate(
        _sets(file),
        margin_steps=margin,
        range_steps=range_,
        distribution=labellings if labellings is not None else distribution,
        noise=noise,
        seed=seed,
    )
    if output is not None and is_page(output, form):
        _page(context, sets, plot)
        return
    if sweep:
        _sweep(sets, measure, sweep, tolerance, (plot, output, form), force=force)
        return
    if values:
        _values(sets, measure, (plot, output, form), force=force)
        return
    found = rs.lab.count_errors(sets, measure or None, tolerance, progress=True)
    page = _errors_page(found, by or [])
    write_picture(partial(found.plot, kind=kind), plot, force=force)
    deliver(page, form, output, force=force)


def _page(context: typer.Context, sets: Any, plot: Path | None) -> None:
    """All that was asked for, and what goes with it, as one page."""
    given = context.params
    measures, tolerance, force = given["measure"] or None, given["tolerance"], given["force"]
    grid = dict(read_grid(text) for text in given["sweep"] or [])
    names = (measures or measures_with(set(grid))) if grid else []
    refuse_several(names, plot)
    found, swept, also = all_results(sets, measures, tolerance, names, grid, values=given["values"])
    draw = swept[0].plot if swept else also[-2].plot if given["values"] else partial(found.plot, kind=given["kind"])
    write_picture(draw, plot, force=force)
    page = found.report(given["output"], also=also, command=typed_command(context), force=force)
    sys.stderr.write(f"Wrote {printable(page)}.\n")


def all_results(
    sets: Any, measures: list[str] | None, tolerance: float, swept: list[str], grid: dict[str, Any], *, values: bool
) -> tuple[Any, list[Any], list[Any]]:
    """What a page of the laboratory shows: errors, sweeps of these measures, and what goes with them."""
    stricter = {"tolerance": tolerance} if tolerance else {}  # else each has its own
    found = rs.lab.count_errors(sets, measures, tolerance, progress=True)
    sweeps = [rs.lab.sweep(sets, name, tolerance=tolerance, progress=True, **grid) for name in swept]
    also: list[Any] = [rs.lab.count_order_errors(sets, measures, **stricter), *sweeps]
    also += [rs.lab.set_values(sets, measures)] if values or sets.n_sets <= MOST_ON_PAGE else []
    return found, sweeps, [*also, rs.lab.difference_functions()]


def _values(
    sets: Any, measures: list[str] | None, where: tuple[Path | None, Path | None, Format], *, force: bool
) -> None:
    plot, output, form = where
    found = rs.lab.set_values(sets, measures or None)
    write_picture(found.plot, plot, force=force)
    header, rows = found.cells()
    deliver(Page(header, rows, found.sentences(), found.to_dict, turns=False), form, output, force=force)


def _sets(file: str) -> Any:
    """Score sets of a file; a table without their columns is told which they are."""
    try:
        return rs.lab.parse_sets(sys.stdin if file == "-" else file)
    except InputError as error:
        table = file.lower().endswith((".csv", ".tsv"))
        if not (table and error.code == "score_token" and str(error).startswith("line 1:")):
            raise
        columns = "label (1 or p, 0 or n) and score, and perhaps set, which names the set of a row"
        text = f"{printable(file)}: a table of score sets has the columns {columns}; its header has others"
        raise InputError("column_absent", text) from None


def _errors_page(found: ErrorCounts, by: list[str]) -> Page:
    columns = ["measure", "errors", "min_correct", "max_incorrect"]
    rows = [[getattr(row, column) for column in columns] for row in found]
    tail = [_breakdown_text(found, name) for name in by]
    return Page(columns, rows, found.sentences(), found.to_dict, tail=tail)


def _breakdown_text(found: ErrorCounts, by: str) -> str:
    """Errors by a property, measures across."""
    split = found.breakdown(by)
    bins = [
        format_number(low) if low == high else f"{format_number(low)} to {format_number(high)}"
        for low, high in zip(split.low, split.high, strict=True)
    ]
    rows = [[bins[place], str(count), *map(str, split.errors[:, place])] for place, count in enumerate(split.n_correct)]
    return f"\nErrors by {by}\n" + text_table([by, "correct", *split.measures], rows)


def _sweep(
    sets: Any,
    measures: list[str] | None,
    grids: list[str],
    tolerance: float,
    where: tuple[Path | None, Path | None, Format],
    *,
    force: bool,
) -> None:
    grid = dict(read_grid(text) for text in grids)
    plot, output, form = where
    names = measures or measures_with(set(grid))
    refuse_several(names, plot)
    found = [rs.lab.sweep(sets, name, tolerance=tolerance, progress=True, **grid) for name in names]
    write_picture(found[0].plot, plot, force=force)
    deliver(_sweep_page(found), form, output, force=force)


def refuse_several(names: list[str], plot: Path | None) -> None:
    """Refuse a picture of several sweeps, before the work."""
    if plot is not None and len(names) > 1:
        text = f"a picture shows the sweep of one measure; choose --measure among {', '.join(names)}"
        raise ArgumentError("plot", text)


def measures_with(params: set[str]) -> list[str]:
    from rocsteady._src.measures import list_measures

    names = [sheet.name for sheet in list_measures("score-aware") if params <= set(sheet.params)]
    if not names:
        text = f"no score-aware measure has the parameters {', '.join(sorted(params))}; 'rocsteady measures' lists them"
        raise ArgumentError("sweep", text)
    return names


def read_grid(text: str) -> tuple[str, Any]:
    """``n=0.001:0.1:20``, ``n=0.001:0.1:20:log`` or ``n=0.01,0.0625``."""
    import numpy as np

    name, _, values = text.partition("=")
    try:
        if ":" not in values:
            return name.strip(), np.array([number_of(value, "sweep") for value in values.split(",")])
        start, stop, steps, spacing = values.split(":") if values.endswith(":log") else (*values.split(":"), "")
        spread = np.geomspace if spacing else np.linspace
        return name.strip(), spread(number_of(start, "sweep"), number_of(stop, "sweep"), int(steps))
    except ArgumentError:
        raise
    except ValueError:
        shown = printable(text, most=60)
        message = f"cannot read {shown!r}; write n=0.001:0.1:20, n=0.001:0.1:20:log or n=0.01,0.0625"
        raise ArgumentError("sweep", message) from None


def _sweep_page(found: list[Sweep]) -> Page:
    frames = [result._columns() for result in found]  # noqa: SLF001 - the page is the frame
    header = ["measure", *frames[0]]
    rows = [
        [result.measure, *line]
        for result, frame in zip(found, frames, strict=True)
        for line in zip(*frame.values(), strict=True)
    ]
    counted = f"{format_count(found[0].n_sets)} sets, {format_count(found[0].n_correct)} of them correctly ranked"
    notes = [counted, *found[0].notes]
    return Page(header, rows, notes, lambda: {"sweeps": [result.to_dict() for result in found]}, turns=False)
