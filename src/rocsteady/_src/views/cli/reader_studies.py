"""The command for reader studies: several readers judge the same cases under several modalities."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.base.errors import ArgumentError, RocsteadyError, printable
from rocsteady._src.base.sentences import Door, Option, said
from rocsteady._src.views.cli.options import (
    Delimiter,
    File,
    Force,
    Label,
    Level,
    Missing,
    OutputFormat,
    PosLabel,
    numbers,
)
from rocsteady._src.views.cli.pages import evaluation_page
from rocsteady._src.views.cli.render import Format, deliver, form_of, is_page, refuse_output
from rocsteady._src.views.cli.words import SHELL

if TYPE_CHECKING:
    from rocsteady._src.results.readers import ReaderStudy

OWN = ("method", "covariance", "modalities")  # options of this command, which others lack


def readers(
    context: typer.Context,
    file: File,
    reader: Annotated[str, typer.Option("--reader", help="Column of who judged.")],
    modality: Annotated[str, typer.Option("--modality", help="Column of what is compared.")],
    case: Annotated[str, typer.Option("--case", help="Column of the case that was judged.")],
    label: Label,
    score: Annotated[str, typer.Option("--score", help="Column of ratings. Higher means more positive.")],
    measure: Annotated[str, typer.Option("--measure", help="auc, 'recall(threshold=3)', ...")] = "auc",
    method: Annotated[
        str, typer.Option("--method", help="obuchowski-rockette, or u-statistics, which takes any design.")
    ] = "obuchowski-rockette",
    covariance: Annotated[str | None, typer.Option("--covariance", help="delong, jackknife (DBM) or unbiased.")] = None,
    modalities: Annotated[
        str | None,
        typer.Option("--modalities", help="Their order, or some of them, such as new,old: the first less the second."),
    ] = None,
    alternative: Annotated[
        str, typer.Option("--alternative", help="two-sided, non-inferiority, superiority, equivalence, ...")
    ] = "two-sided",
    margin: Annotated[float | None, typer.Option("--margin", help="The difference that matters.")] = None,
    difference: Annotated[
        float | None, typer.Option("--difference", help="Size a new study that is to find this, with --new-readers.")
    ] = None,
    new_readers: Annotated[
        str | None, typer.Option("--new-readers", help="Of a new study: how many, such as 6,8,10.")
    ] = None,
    power: Annotated[float, typer.Option("--power", help="Of a new study.")] = 0.8,
    level: Level = 0.95,
    pos_label: PosLabel = None,
    missing: Missing = "raise",
    delimiter: Delimiter = None,
    form: OutputFormat = Format.text,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file; .html makes a page.")
    ] = None,
    force: Force = False,
) -> None:
    """Compare modalities by several readers who judged the same cases: for other readers and cases, for these, and why.

    With --difference also says how many cases a new study needs with so many readers.
    """
    how: dict[str, Any] = {"measure": measure, "method": method, "covariance": covariance, "margin": margin}
    how |= {"alternative": alternative, "level": level, "missing": missing}
    columns = {"reader": reader, "modality": modality, "case": case, "label": label, "score": score}
    if (difference is None) != (new_readers is None):
        raise ArgumentError("difference", "--difference and --new-readers size a new study: give both")
    if output is not None and is_page(output, form):
        _write_page(context, _analyzed(file, columns, modalities, pos_label, delimiter, how), output, force=force)
        return
    refuse_output(output, force=force)
    study = _analyzed(file, columns, modalities, pos_label, delimiter, how)
    page = evaluation_page(study, form_of(output, form))
    tail = [] if new_readers is None else _sizes(study, difference or 0.0, numbers(new_readers, "new-readers"), power)
    deliver(replace(page, tail=[*page.tail, *tail]), form, output, force=force)


def _analyzed(
    file: str,
    columns: dict[str, str],
    order: str | None,
    pos_label: str | None,
    delimiter: str | None,
    how: dict[str, Any],
) -> "ReaderStudy":
    import rocsteady as rs
    from rocsteady._src.inputs.files import Wanted, typed_label
    from rocsteady._src.views.cli.load import load_columns

    texts = tuple(dict.fromkeys(name for what, name in columns.items() if what != "score"))
    table = load_columns(file, Wanted(numbers=(columns["score"],), labels=texts), delimiter)
    if order is not None:
        how["modalities"] = [typed_label(name.strip(), table[columns["modality"]]) for name in order.split(",")]
    if pos_label is not None:
        how["pos_label"] = typed_label(pos_label, table[columns["label"]])
    names: Any = columns
    with _own_words():
        return rs.readers.analyze(table, **names, **how)


@contextmanager
def _own_words() -> Iterator[None]:
    """Refusals that name options of this command."""
    try:
        yield
    except RocsteadyError as error:
        raise type(error)(error.code, said(error.sentence, Door(SHELL.name, _spelled, verb=SHELL.verb))) from error


def _spelled(option: Option) -> str:
    if option.name in OWN and option.values and not option.call:
        return f"--{option.name} {' or '.join(map(str, option.values))}"
    return SHELL.spelled(option)


def _sizes(study: "ReaderStudy", difference: float, wanted: list[float], power: float) -> list[str]:
    import rocsteady as rs

    with _own_words():
        plans = [rs.readers.plan(study, difference=difference, readers=int(each), power=power) for each in wanted]
    return ["\na new study\n" + "\n".join(map(str, plans))]


def _write_page(context: typer.Context, study: "ReaderStudy", output: Path, *, force: bool) -> None:
    from rocsteady._src.views.cli.typed_command import typed_command

    written = study.report(output, force=force, command=typed_command(context))
    typer.echo(f"Wrote {printable(written)}; open it in a browser, it contacts nobody.")
