"""The options --sketch, --range and --width: brackets in bounded memory, however many distinct scores there are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.text import format_digits, format_number, format_setting
from rocsteady._src.views.cli.options import numbers
from rocsteady._src.views.cli.render import Format, Page

if TYPE_CHECKING:
    from rocsteady._src.results.scale import Bracket, BracketedEvaluation
    from rocsteady._src.views.cli.source import Source

Bits = Annotated[
    int | None,
    typer.Option("--sketch", help="Count scores in 2^BITS buckets (20 is usual): bounded memory, brackets that hold."),
]
Range = Annotated[
    str | None, typer.Option("--range", help="With --sketch: where the scores lie, such as 0,1; narrower brackets.")
]
Width = Annotated[
    float | None, typer.Option("--width", help="With --sketch: read again until AUC brackets are this narrow.")
]
Exact = Annotated[
    bool,
    typer.Option("--exact", help="No brackets: where scores are too many to group, the exact auc by sums on disk."),
]
UNMET = 3  # exit code of an answer that is wider than asked for
MORE_ROWS = 1.2  # than were estimated, at the most


class Sketching(NamedTuple):
    """How to sketch."""

    bits: int
    range: tuple[float, float] | None
    width: float | None

    @classmethod
    def of(cls, bits: int | None, span: str | None, width: float | None) -> Sketching | None:
        """None without --sketch, to which the other two belong."""
        if bits is None:
            if span is not None or width is not None:
                raise ArgumentError("sketch", "--range and --width belong to --sketch, such as --sketch 20")
            return None
        ends = None if span is None else numbers(span, "range")
        if ends is not None and len(ends) != 2:
            raise ArgumentError("range", f"--range is two numbers, such as 0,1, got {span!r}")
        return cls(bits, None if ends is None else (ends[0], ends[1]), width)


def judge_sketched(
    source: Source, how: Sketching, *, measures: list[str] | None = None, threshold: Any = None
) -> BracketedEvaluation:
    """Count the files in sketches, and measure them."""
    from rocsteady._src.inputs.files import estimate_rows, scan_files
    from rocsteady._src.inputs.files.scan import label_type, memory_bytes
    from rocsteady._src.scale.evaluate_sketches import evaluate_sketches
    from rocsteady._src.scale.sketch_keys import checked_bits
    from rocsteady._src.scale.sketch_refine import CELLS
    from rocsteady._src.views.cli.load import files_of
    from rocsteady._src.views.cli.memory import Room
    from rocsteady.scale import sketch_table

    if source.split is not None or source.id_column is not None:
        option = source.split or "id or --cluster"
        raise ArgumentError("sketch", f"--{option} needs rows, and a sketch keeps none; leave it or --sketch out")
    room = Room.of(memory_bytes(source.memory), source.command)
    with files_of(source.file) as paths:
        n_rows = estimate_rows(paths)
        models, refined = len(source.scores), how.width is not None
        cells = room.cells(checked_bits(how.bits), models, int(n_rows * MORE_ROWS), refined=refined)
        with scan_files(paths, source.wanted, memory=room.work, delimiter=source.delimiter) as files:
            found = sketch_table(  # type: ignore[call-overload]  # words of the command line
                files.relation,
                label=source.label,
                score=source.scores,
                weight=source.weight,
                pos_label=None if source.pos_label is None else label_type(files, source.label, source.pos_label),
                missing=source.missing,
                cells=min(CELLS, cells),
                n_rows=n_rows,
                **how._asdict(),
            )
    asked: dict[str, Any] = {"measures": measures or None, "threshold": threshold}
    return evaluate_sketches(found, **asked, curves=source.command == "report" or "auc" not in (measures or ["auc"]))


def tell_unmet(result: BracketedEvaluation, how: Sketching) -> None:
    """Say that brackets are wider than asked for, and leave with an exit code of its own."""
    if how.width is None:
        return
    areas = {model: row["auc"] for model, row in result.brackets.items() if "auc" in row and not row["auc"].exact}
    widths = {model: curve.up_auc - curve.low_auc for model, curve in result.curves.items() if not curve.exact}
    widths |= {model: area.high - area.low for model, area in areas.items()}
    wide = {model: width for model, width in widths.items() if width > how.width}
    if not wide:
        return
    told = ", ".join(f"{printable(model)} is known to {format_number(width)}" for model, width in wide.items())
    typer.echo(
        f"rocsteady: --width {format_setting(how.width)} is not met: {told}; raise --memory, or ask for less", err=True
    )
    raise typer.Exit(UNMET)


def bracketed_page(result: BracketedEvaluation, form: Format) -> Page:
    """One line per model and measure; for people with as many digits as are sure and two more."""
    frame = result._columns()  # noqa: SLF001 - the page is the frame
    whole = [list(row) for row in zip(*frame.values(), strict=True)]
    flat = [found for row in result.brackets.values() for found in row.values()]
    shown = [[*row[:2], *_digits(found), row[5], *map(_end, row[6:])] for row, found in zip(whole, flat, strict=True)]
    return Page(list(frame), whole if form is Format.csv else shown, result.notes(), result.to_dict, turns=False)


def _digits(found: Bracket) -> list[str]:
    return [format_digits(value, found.digits) for value in (found.estimate, found.low, found.high)]


def _end(value: float) -> float | str:
    return value if math.isnan(value) else format_digits(value, 6)


def refuse_pairs(**given: object) -> None:
    """Refuse options that pair the rows of two models, or need their groups."""
    name = next((name for name, value in given.items() if value is not None), None)
    if name in ("cutoffs", "baseline"):
        raise ArgumentError("sketch", f"--{name} pairs the rows of two models, and a sketch keeps none; leave it out")
    if name is not None:
        flag = f"--{name.replace('_', '-')}"
        text = f"{flag} needs the scores in memory, which are more than --memory holds"
        raise ArgumentError("memory", f"{text}; raise it, or leave {flag} out")
