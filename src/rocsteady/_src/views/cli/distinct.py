"""Groups, folds, subjects and classes of files that do not fit: different rows, counted by DuckDB, come into memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, InputError

if TYPE_CHECKING:
    from rocsteady._src.inputs.files import ScannedFiles
    from rocsteady._src.views.cli.source import Source

NEED_ROWS = ("time", "labels")
LINE_BYTES, VALUE_BYTES = 64, 48  # of a line in memory while it is read and ranked, and of each of its values


def distinct_source(source: Source, files: ScannedFiles) -> tuple[dict[str, Any], Source]:
    """The columns of the different rows, and the source whose weights count them; refused where they do not fit."""
    from rocsteady._src.inputs.files.scan import watching
    from rocsteady._src.ranked.lazy.distinct_rows import distinct_rows

    if source.split in NEED_ROWS:
        text = f"--{source.split} needs the rows in memory, and they do not fit --memory {source.memory}"
        raise ArgumentError("memory", f"{text}; raise it")
    names, most = _names(source), most_lines(source, files)
    told_apart = source.weight is not None or source.id_column is not None
    try:
        with files.checked(), watching(files.connection, "grouping"):
            columns, count = distinct_rows(files.relation, names, most=most, repeated=most, written_out=told_apart)
    except InputError as error:
        if error.code not in ("too_many_groups", "memory_limit"):
            raise
        text = f"there are more different rows than --memory {source.memory} holds"
        raise InputError("too_many_groups", f"{text}; raise it, or {_other_way(source)}") from error
    return columns, source if count is None else source._replace(weight=count, weight_type="frequency")


def _names(source: Source) -> list[str]:
    others = (source.weight, source.id_column, *(source.by or ()), source.fold, source.repeat)
    return [source.label, *source.scores, *(name for name in others if name is not None)]


def most_lines(source: Source, files: ScannedFiles) -> int:
    """How many different rows may come into memory."""
    from rocsteady._src.inputs.files.scan import GROUP_BYTES

    return files.most_groups * GROUP_BYTES // (LINE_BYTES + VALUE_BYTES * len(_names(source)))


def _other_way(source: Source) -> str:
    """What gives less, and does not need the rows."""
    if source.classes is not None:
        return "leave --classes out and judge one class at a time with --pos-label"
    if source.id_column is not None:
        return "leave --id and --cluster out"
    return "count them by group in Python, with rs.scale.sketch_table"
