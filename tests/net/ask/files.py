"""The same rows from files of every format, and answers of other programs."""

from __future__ import annotations

import csv
import json
import tempfile
from pathlib import Path
from typing import Any

import rocsteady as rs

from .words import verb

Table = dict[str, Any]
GRADED = Path(__file__).parents[2] / "fixtures" / "answers"
COLUMNS = ("y", "a", "b", "site", "k", "id")


def write(table: Table, folder: Path, ending: str, columns: tuple[str, ...] = COLUMNS) -> Path:
    """The table as a file of a format."""
    path = folder / f"rows.{ending}"
    rows = {name: table[name].tolist() for name in columns if name in table}
    if ending in ("csv", "tsv", "csv.gz"):
        _delimited(path, rows, "\t" if ending == "tsv" else ",")
    elif ending == "jsonl":
        lines = (json.dumps(dict(zip(rows, row, strict=True))) for row in zip(*rows.values(), strict=True))
        path.write_text("".join(f"{line}\n" for line in lines))
    elif ending == "parquet":
        import pyarrow as pa
        from pyarrow import parquet

        parquet.write_table(pa.table(rows), path)
    elif ending == "xlsx":
        _workbook(path, rows)
    return path


def _delimited(path: Path, rows: dict[str, list[Any]], delimiter: str) -> None:
    import gzip
    import io

    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows([list(rows), *zip(*rows.values(), strict=True)])
    data = text.getvalue().encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def _workbook(path: Path, rows: dict[str, list[Any]]) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [list(rows), *zip(*rows.values(), strict=True)]:
        sheet.append(row)
    book.save(path)


@verb("file")
def file(table: Table, ending: str, **words: Any) -> Any:
    """The evaluation of a file by the command line, which reads all formats."""
    from .commands import answer_of

    with tempfile.TemporaryDirectory() as folder:
        path = write(table, Path(folder), ending)
        given = [str(each) for name, value in words.items() for each in (f"--{name}", value)]
        return answer_of(
            "evaluate", str(path), "--label", "y", "--score", "a", "--score", "b", *given, "--format", "json"
        )


@verb("answers of a language model")
def graded(table: Table, reader: str, **words: Any) -> Any:
    """Answers that other programs graded, or predictions beside references, and the models compared by them."""
    partial = {"correct": "right", "incorrect": "wrong"}.get(words.pop("partial", ""))
    how = words | ({"partial": partial} if partial else {})
    found = _answers(table, reader, how)
    right = dict(found.right)
    compared = rs.compare_outcomes(right, cluster=found.question)
    names = list(right)[:2]
    plain = found.compare(*names) if len(names) == 2 else None
    told = {"n": len(found.question), "right": {name: float(sum(each)) for name, each in right.items()}}
    return told | {"by_question": compared, "by_answer": plain}


def _answers(table: Table, reader: str, how: dict[str, Any]) -> Any:
    if reader == "lm_eval":
        return rs.trackers.read_lm_eval({name: GRADED / "lm_eval" / name for name in ("new", "old")}, **how)
    if reader == "inspect":
        return rs.trackers.read_inspect({name: GRADED / "inspect" / name for name in ("new", "old")}, **how)
    models = {
        name: {"predictions": table[name].tolist(), "references": [1] * len(table[name]), "ids": table["id"].tolist()}
        for name in ("a", "b")
    }
    return rs.trackers.read_evaluate(models, **how)
