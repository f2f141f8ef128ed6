"""The command for scores that moved."""

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.views.cli.options import Delimiter, File, Force, Memory, Output, OutputFormat
from rocsteady._src.views.cli.pages import frame_page
from rocsteady._src.views.cli.render import Format, deliver, refuse_output
from rocsteady._src.views.cli.source import MEMORY

if TYPE_CHECKING:
    from rocsteady._src.inputs.files import Wanted

Score = Annotated[str, typer.Option("--score", help="Column of scores. Higher means more positive.")]
Bins = Annotated[int, typer.Option("--bins", help="How many; 10 are tenths of the rows.")]


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
    page = frame_page(found, [*found._notes(), *notes])  # noqa: SLF001 - what stands under it
    deliver(replace(page, lead=[str(found)]), form, output, force=force)


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
