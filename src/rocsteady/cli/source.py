"""From the options of a command to an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rocsteady.errors import InputError

if TYPE_CHECKING:
    from rocsteady.evaluation import Evaluation


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


def judge(source: Source, **options: Any) -> Evaluation:
    """Read the columns, turn the positive label into the type that its column has, and evaluate."""
    import rocsteady as rs
    from rocsteady.cli.load import load_columns
    from rocsteady.files import Wanted, typed_label

    numbers = (*source.scores, *([] if source.weight is None else [source.weight]))
    labels = (source.label, *([] if source.id_column is None else [source.id_column]))
    table = load_columns(source.file, Wanted(numbers=numbers, labels=labels), source.delimiter)
    result = rs.evaluate(
        table,
        label=source.label,
        scores=source.scores,
        weight=source.weight,
        id=source.id_column,
        pos_label=None if source.pos_label is None else typed_label(source.pos_label, table[source.label]),
        missing=source.missing,  # type: ignore[arg-type]
        **options,
    )
    if not (result.n_pos and result.n_neg):
        raise InputError("single_class", f"only one class is left to judge: {result.assumptions()}")
    return result
