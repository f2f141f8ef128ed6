"""What the page can ask for. Each job is done by what the command line does it with, and told in parts."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import write_whole
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.inputs.files.expansion import refuse_exploding_gzip
from rocsteady._src.inputs.files.formats import format_of
from rocsteady._src.inputs.files.preview import divided_by, preview
from rocsteady._src.inputs.files.scan import memory_bytes
from rocsteady._src.inputs.files.scratch_folders import private_folder
from rocsteady._src.views.cli.columns import listed
from rocsteady._src.views.cli.load import files_of
from rocsteady._src.views.cli.render import no_formula
from rocsteady._src.views.cli.source import MEMORY, OPENED, judge, judge_any
from rocsteady._src.views.report.decision_parts import decision_table
from rocsteady._src.views.report.names import styles
from rocsteady._src.views.report.own_page import mark_of, marked
from rocsteady._src.views.report.page import to_html
from rocsteady._src.views.report.plain import for_readers
from rocsteady._src.views.report.still_pictures import NoDrawer
from rocsteady._src.views.report.tables import measures
from rocsteady._src.views.report.write import document_of, write_report
from rocsteady._src.views.serve.asked import Asked
from rocsteady._src.views.serve.laboratory import laboratory
from rocsteady._src.views.serve.lines import command_of, python_of
from rocsteady._src.views.serve.proposals import propose
from rocsteady._src.views.serve.words import of_step

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.results.decision import Check
    from rocsteady._src.views.report.document import Document, TableBlock

    Job = dict[str, Any]
    Teller = Callable[..., None]

EXPORTS = {"html": "report.html", "csv": "tables.zip", "json": "report.json", "md": "report.md"}
_kept: dict[str, Any] = {}  # the last evaluation, for other costs, other words and exports


def warm_up() -> None:
    """Judge a few rows as a page would: what is imported late is there when somebody waits."""
    with private_folder() as folder:
        path = folder / "rows.csv"
        path.write_text("y,a,b\n" + "1,0.9,0.8\n0,0.2,0.3\n1,0.4,0.6\n0,0.3,0.5\n" * 8, encoding="utf-8")
        job = {"path": str(path), "name": "rows.csv", "memory": MEMORY}
        look(job, _unheard)
        _evaluated(job, Asked.of({"label": "y", "scores": ["a"]}), _unheard)
        forget()


def _unheard(kind: str, **what: Any) -> None:
    """Tell nobody."""


def look(job: Job, tell: Teller) -> None:
    """What a file holds, and which column may be what."""
    memory = memory_bytes(job["memory"])
    with files_of(job["path"]) as (path,):
        kind = format_of(path)
        if path.suffix.lower() == ".gz":
            refuse_exploding_gzip(path)
        delimiter = job.get("delimiter") or divided_by(path, kind)
        seen = preview(path, kind, memory=memory, delimiter=delimiter)
    proposed = propose(seen)
    tell(
        "preview",
        n_rows=seen.n_rows,
        about=seen.about,
        means=seen.means,
        columns=[asdict(column) for column in seen.columns],
        first=seen.first,
        left_out=[printable(line) for line in seen.left_out],
        proposed=asdict(proposed),
        delimiter=delimiter or "",
    )


def answer(job: Job, tell: Teller) -> None:
    """The verdict first, then intervals, then the page."""
    asked = Asked.of(job["asked"])
    result = _evaluated(job, asked, tell)
    tell("lines", **_lines(job, asked))
    document = document_of(result, **asked.report_options(command_of(job["name"], asked)))
    if asked.classes or asked.by or asked.fold:
        _tell_verdict(tell, document.verdict, document.alarms, document.checks, document.decision)
    page = marked(to_html(document, NoDrawer()), "html", mark_of(result))
    write_whole(Path(job["target"]), page)
    tell("page", target=job["target"], name="page.html")


def _evaluated(job: Job, asked: Asked, tell: Teller) -> Any:
    """The evaluation with intervals; the last one is kept. Of plain rows the verdict is told before the intervals."""
    key = (job["path"], asked.evaluated)
    source = asked.source(job["path"], job["memory"])
    split = source.split is not None
    level = 0.95 if asked.level is None else asked.level
    if _kept.get("key") != key:
        forget()
        how: dict[str, Any] = {"level": level, "random_state": 0, "cluster": source.id_column}
        _kept["plain"] = judge_any(source, intervals=True, **how) if split else judge(source, intervals=False, **how)
        _kept["key"] = key
    if split:
        return _kept["plain"]
    plain = _kept["plain"]
    tell("progress", what="choosing thresholds")
    costs = {name: getattr(asked, name) for name in ("cost_fp", "cost_fn", "prevalence")}
    decided = plain.decide(**costs, baseline=asked.baseline or None, level=level)
    table = decision_table(decided, styles(plain.models))
    _tell_verdict(tell, decided.verdict, decided.alarms, decided.checks, table)
    if "whole" not in _kept:
        _kept["whole"] = plain.with_intervals(level=level, random_state=0)
    tell("table", **_table(measures(_kept["whole"], styles(plain.models))))
    return _kept["whole"]


def forget() -> None:
    """Let the last evaluation go, and the files that it may have open."""
    _kept.clear()
    OPENED.close()


def _tell_verdict(
    tell: Teller, verdict: tuple[str, ...], alarms: tuple[str, ...], checks: tuple[Check, ...], table: TableBlock | None
) -> None:
    tell(
        "verdict",
        lines=[for_readers(line) for line in verdict],
        alarms=[of_step(line) for line in alarms],
        checks=[{"question": c.question, "answer": c.answer, "text": for_readers(c.text)} for c in checks],
        table=None if table is None else _table(table),
    )


def _table(table: TableBlock) -> dict[str, Any]:
    return {"id": table.id, "title": table.title, "header": table.header, "rows": table.rows, "text": table.text}


def _lines(job: Job, asked: Asked) -> dict[str, str]:
    with files_of(job["path"]) as (path,):
        kind = format_of(path)
    kind = "xlsx" if str(job["path"]).endswith(".xlsx") else kind
    whole = getattr(_kept["plain"], "overall", _kept["plain"])  # of groups and folds
    value: Any = getattr(getattr(whole, "origin", None), "pos_label", None)
    value = value.item() if hasattr(value, "item") else value
    if asked.classes:
        value = _class_values(asked, _kept["plain"])
    return {"command": command_of(job["name"], asked), "python": python_of(job["name"], kind, asked, value)}


def _class_values(asked: Asked, result: Any) -> list[Any]:
    whole = getattr(result, "overall", result)
    known = getattr(whole, "labels", None)
    found = listed(asked.classes) if known is None else list(known)
    return [each.item() if hasattr(each, "item") else each for each in found]


def export(job: Job, tell: Teller) -> None:
    """The page as a file, as the command would write it."""
    form = job.get("form")
    if form not in EXPORTS:
        raise ArgumentError("form", f"a page is saved as {', '.join(EXPORTS)}")
    asked = Asked.of(job["asked"])
    result = _evaluated(job, asked, _unheard)
    target, options = Path(job["target"]), asked.report_options(command_of(job["name"], asked))
    if form == "csv":
        write_whole(target, _tables(document_of(result, **options)))
    else:
        write_report(result, target, format=form, **options)
    tell("file", target=str(target), name=EXPORTS[form])


def _tables(document: Document) -> bytes:
    """Every table of the page as a CSV file of its own, numbers as numbers."""
    listed = [*([] if document.decision is None else [document.decision]), *document.tables]
    listed += [table for section in document.sections for table in section.tables]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        for table in listed:
            parts.writestr(f"{table.id}.csv", _csv(table))
    return out.getvalue()


def _csv(table: TableBlock) -> str:
    """A table for programs; of an estimate with its ends, three columns."""
    values = table.values or table.keys or table.rows
    wide = [
        next((list(row[place]) for row in values if isinstance(row[place], dict)), [])
        for place in range(len(table.header))
    ]
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(
        [
            no_formula(f"{name} {part}" if part else name)
            for name, parts in zip(table.header, wide, strict=True)
            for part in parts or [""]
        ]
    )
    for row in values:
        cells = [
            (value.get(part) if isinstance(value, dict) else value if part == parts[0] else None) if parts else value
            for value, parts in zip(row, wide, strict=True)
            for part in parts or [""]
        ]
        write.writerow([no_formula(cell) for cell in cells])
    return out.getvalue()


JOBS: dict[str, Callable[[Job, Teller], None]] = {
    "look": look,
    "answer": answer,
    "export": export,
    "laboratory": laboratory,
}
