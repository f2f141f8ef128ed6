"""``rocsteady sketch``: count files where they are, merge the counts of many machines, and read answers from them."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.atomic import refuse_existing
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.views.cli.answers import AnsweringCommand, AnsweringGroup
from rocsteady._src.views.cli.options import (
    Delimiter,
    File,
    Force,
    Label,
    Memory,
    Missing,
    Output,
    OutputFormat,
    PosLabel,
    Scores,
    Weight,
    numbers,
)
from rocsteady._src.views.cli.render import Format, Page, deliver, refuse_output
from rocsteady._src.views.cli.sketching import Range  # noqa: TC001 - Typer reads it
from rocsteady._src.views.cli.source import MEMORY, Source
from rocsteady._src.views.cli.typed_options import Commands
from rocsteady._src.views.report.own_page import refuse_strangers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocsteady._src.scale.paired_sketch import PairedSketch
    from rocsteady._src.scale.sketches import Sketches

BITS = 16  # of every group: a megabyte each, where it has many distinct scores
PIECE = 1 << 20

app = Commands(
    cls=AnsweringGroup,
    no_args_is_help=True,
    help="Sketches as files: count rows where they are, merge the counts, read answers from them.",
)
SketchFiles = Annotated[list[str], typer.Argument(help="Files that `sketch make` wrote, or quoted patterns of them.")]
OneFile = Annotated[Path, typer.Argument(help="A file that `sketch make` or `sketch merge` wrote.")]
Into = Annotated[Path, typer.Option("--output", "-o", help="File to write, such as day.rks.")]
Columns = Annotated[str | None, typer.Option("--by", help="Columns that make groups, such as day,segment.")]


@app.command(cls=AnsweringCommand)
def make(
    file: File,
    label: Label,
    score: Scores,
    output: Into,
    weight: Weight = None,
    by: Columns = None,
    part: Annotated[
        str | None, typer.Option("--part", help="What these rows are called; by default a hash of the file's bytes.")
    ] = None,
    bits: Annotated[int, typer.Option("--bits", help="Count scores in 2^BITS buckets.")] = BITS,
    span: Range = None,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    unit: Annotated[
        str | None, typer.Option("--id", help="Column that names rows or subjects, for --replicates.")
    ] = None,
    replicates: Annotated[
        int, typer.Option("--replicates", help="Carry so many replicates of a bootstrap, such as 200, by --id.")
    ] = 0,
    paired: Annotated[
        bool, typer.Option("--paired", help="Count two models together, for the paired test of their AUCs.")
    ] = False,
    delimiter: Delimiter = None,
    memory: Memory = MEMORY,
    force: Force = False,
) -> None:
    """Count the rows of files in sketches, by groups if asked for, and write them to a file."""
    refuse_existing(output, force=force)
    groups = [] if by is None else [name.strip() for name in by.split(",")]
    others = [*groups, *([] if unit is None else [unit])]
    source = Source(file, label, score, weight, None, pos_label, missing, delimiter, memory, others or None)
    ends = None if span is None else numbers(span, "range")
    if ends is not None and len(ends) != 2:
        raise ArgumentError("range", f"--range is two numbers, such as 0,1, got {span!r}")
    how: dict[str, Any] = {"bits": bits, "range": None if ends is None else (ends[0], ends[1])}
    if paired:
        _refuse_with_paired({"--by": by, "--id": unit, "--replicates": replicates or None, "--weight": weight})
    else:
        how |= {"by": groups or None, "id": unit, "replicates": replicates, "weight": weight}
    found = _counted(source._replace(command="sketch make"), part, how, paired=paired)
    found.save(output, force=force)
    typer.echo(f"Wrote {printable(output)}: {found!r}.")


def _refuse_with_paired(given: dict[str, Any]) -> None:
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise ArgumentError("paired", f"--paired counts two models over all rows; leave out {', '.join(named)}")


def _counted(source: Source, part: str | None, how: dict[str, Any], *, paired: bool) -> Sketches | PairedSketch:
    from rocsteady._src.inputs.files import estimate_rows, scan_files
    from rocsteady._src.inputs.files.scan import label_type, memory_bytes
    from rocsteady._src.views.cli.load import files_of
    from rocsteady._src.views.cli.memory import Room
    from rocsteady.scale import pair_table, sketch_table

    room = Room.of(memory_bytes(source.memory), source.command)
    with files_of(source.file) as paths:
        named = digest_of(paths) if part is None else part
        with scan_files(paths, source.wanted, memory=room.work, delimiter=source.delimiter) as files:
            asked: dict[str, Any] = {"missing": source.missing, "n_rows": estimate_rows(paths)}
            if source.pos_label is not None:
                asked["pos_label"] = label_type(files, source.label, source.pos_label)
            columns: dict[str, Any] = {"label": source.label, "score": source.scores}
            count: Any = pair_table if paired else sketch_table
            found: Sketches | PairedSketch = count(files.relation, part=named, **columns, **asked, **how)
            return found


def digest_of(paths: list[Path]) -> str:
    """A name for the rows of files that follows from their bytes: a copy under another name is the same part."""
    whole = hashlib.blake2b(digest_size=16)
    for path in sorted(paths):
        each = hashlib.blake2b(digest_size=16)
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                each.update(piece)
        whole.update(each.digest())
    return whole.hexdigest()


@app.command(cls=AnsweringCommand)
def merge(
    files: SketchFiles,
    output: Into,
    add: Annotated[
        bool, typer.Option("--add", help="Add to the output file, if it is there, under a lock: many may do so.")
    ] = False,
    known: Annotated[
        str, typer.Option("--known", help="Files whose parts were all counted before: refuse or skip them.")
    ] = "refuse",
    force: Force = False,
) -> None:
    """Merge files of sketches into one; a part that two of them count is refused."""
    from rocsteady._src.inputs.files.scan import files_named
    from rocsteady._src.scale.adding import alone_at

    paths = [path for pattern in files for path in files_named(pattern)]
    if not add:
        refuse_existing(output, force=force)
    with alone_at(output) if add else _nobody():
        whole = [output] if add and output.exists() else []
        found = _merged([*whole, *paths], known)
        found.save(output, force=force or add)
    typer.echo(f"Wrote {printable(output)}: {found!r}.")


def _loaded(path: Path) -> Sketches | PairedSketch:
    """What a file holds: sketches by model, or two models counted together."""
    from rocsteady._src.scale.paired_sketch import load_pair
    from rocsteady._src.scale.sketches import load_sketches, read_file
    from rocsteady._src.scale.sketches_bytes import is_paired

    return load_pair(path) if read_file(path, is_paired) else load_sketches(path)


def _merged(paths: list[Path], known: str) -> Sketches | PairedSketch:
    from rocsteady._src.scale.paired_sketch import PairedSketch, merged_pairs
    from rocsteady._src.scale.sketches import load_sketches, merged_sketches

    first = _loaded(paths[0])
    if isinstance(first, PairedSketch):
        return merged_pairs(first, map(_loaded, paths[1:]), known=known)
    return merged_sketches(map(load_sketches, paths), known=known)  # type: ignore[arg-type]


@app.command(cls=AnsweringCommand)
def show(
    file: OneFile,
    by: Annotated[str | None, typer.Option("--by", help="Show by these columns only; none of them: --by ''.")] = None,
    level: Annotated[
        float | None, typer.Option("--level", help="Add confidence intervals of the AUC at this level.")
    ] = None,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Show what a file of sketches counts: rows, classes and the AUC of every group with its bracket."""
    from rocsteady._src.scale.paired_sketch import PairedSketch

    refuse_output(output, force=force)
    found = _loaded(file)
    if isinstance(found, PairedSketch):
        deliver(_pair_page(found, by, level), form, output, force=force)
        return
    if by is not None:
        found = found.over(*(name.strip() for name in by.split(",") if name.strip()))
    columns = found.columns(level)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    lines = [dict(zip(columns, row, strict=True)) for row in rows]
    deliver(
        Page(list(columns), rows, found.notes(), lambda: found.to_dict() | {"groups": lines}, turns=False),
        form,
        output,
        force=force,
    )


@app.command(cls=AnsweringCommand)
def report(
    file: OneFile,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write; .html, .md or .json.")] = Path(
        "report.html"
    ),
    measure: Annotated[list[str] | None, typer.Option("--measure", help="auc, ks_statistic, ...; once each.")] = None,
    title: Annotated[str, typer.Option("--title", help="Heading of the report.")] = "Which model is better?",
    force: Force = False,
) -> None:
    """Write a page of all models of a file, over all of its groups; every number with its bracket."""
    refuse_strangers(output, force=force)
    written = _loaded(file).evaluate(measure or None).report(output, title=title, force=force)
    typer.echo(f"Wrote {printable(written)}.")


def _pair_page(pair: PairedSketch, by: str | None, level: float | None) -> Page:
    """The AUC of both models with its bracket, and the paired test under them."""
    if by:
        raise ArgumentError("by", "two models were counted together over all rows, so that there are no groups")
    columns: dict[str, list[Any]] = pair.columns()
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    notes = pair.notes(0.95 if level is None else level)
    return Page(list(columns), rows, notes, lambda: pair.to_dict(0.95 if level is None else level), turns=False)


@contextmanager
def _nobody() -> Iterator[None]:
    yield
