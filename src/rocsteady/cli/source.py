"""From the options of a command to an evaluation."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rocsteady.errors import ArgumentError, InputError

if TYPE_CHECKING:
    from rocsteady.evaluation import Evaluation
    from rocsteady.files import ScannedFiles

MEMORY = "4GB"


class Source(NamedTuple):
    """Where the rows of a command come from."""

    file: str
    label: str
    scores: list[str]
    weight: str | None
    id_column: str | None
    pos_label: str | None
    missing: str
    delimiter: str | None
    memory: str = MEMORY


def judge(source: Source, **options: Any) -> Evaluation:
    """Read the columns, turn the positive label into the type that its column has, and evaluate.

    Files that do not fit stay open until the command ends.
    """
    from rocsteady.cli.load import open_table
    from rocsteady.evaluation import Remark
    from rocsteady.files import ScannedFiles, Wanted

    numbers = (*source.scores, *([] if source.weight is None else [source.weight]))
    labels = (source.label, *([] if source.id_column is None else [source.id_column]))
    stack = _closed_with_command()
    opened = open_table(source.file, Wanted(numbers=numbers, labels=labels), source.delimiter, source.memory)
    table, route = stack.enter_context(opened)
    result = _scanned(source, table, options) if isinstance(table, ScannedFiles) else _in_memory(source, table, options)
    if not (result.n_pos and result.n_neg):
        raise InputError("single_class", f"only one class is left to judge: {result.assumptions()}")
    return replace(result, remarks=(*result.remarks, Remark("route", None, route))) if route else result


def _closed_with_command() -> ExitStack:
    """What is opened here is closed when the command is done."""
    import click

    stack = ExitStack()
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(stack.close)
    return stack


def _in_memory(source: Source, table: dict[str, Any], options: dict[str, Any]) -> Evaluation:
    import rocsteady as rs
    from rocsteady.files import typed_label

    return rs.evaluate(
        table,
        label=source.label,
        scores=source.scores,
        weight=source.weight,
        id=source.id_column,
        pos_label=None if source.pos_label is None else typed_label(source.pos_label, table[source.label]),
        missing=source.missing,  # type: ignore[arg-type]
        **options,
    )


def _scanned(source: Source, files: ScannedFiles, options: dict[str, Any]) -> Evaluation:
    """Evaluate files where they are; what needs rows in memory is refused with the way out."""
    from rocsteady.evaluation import evaluate_rows
    from rocsteady.files.scan import label_type, watching
    from rocsteady.scale.rows import lazy_rows

    if source.id_column is not None:
        text = f"subjects ({source.id_column!r}) need their rows in memory, more than --memory {source.memory}"
        raise ArgumentError("memory", f"{text}; raise it, or leave --id and --cluster out")
    rows = lazy_rows(
        files.relation,
        label=source.label,
        scores=source.scores,
        weight=source.weight,
        pos_label=None if source.pos_label is None else label_type(files, source.label, source.pos_label),
        missing=source.missing,  # type: ignore[arg-type]
        most_groups=files.most_groups,
    )
    asked = {name: options.get(name) for name in ("measures", "threshold")}
    how = {name: options[name] for name in ("level", "n_resamples", "random_state") if name in options}
    with watching(files.connection, "grouping"):
        result = evaluate_rows(rows, tuple(source.scores), **asked)
    return result.with_intervals(**how) if options.get("intervals") else result
