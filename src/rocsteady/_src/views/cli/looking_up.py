"""``rocsteady measures``: all measures with their facts, or where one name or term is, in any language."""

from __future__ import annotations

from inspect import getdoc
from typing import TYPE_CHECKING, Annotated

import typer

from rocsteady._src.base.errors import printable
from rocsteady._src.base.text import format_setting
from rocsteady._src.views.cli.options import OutputFormat  # noqa: TC001 - read when the command is made
from rocsteady._src.views.cli.render import Format, Page, deliver

if TYPE_CHECKING:
    from rocsteady._src.measures.registry import FactSheet

FACTS = ["name", "family", "better", "range", "chance", "parameters", "meaning"]
Term = Annotated[
    str | None,
    typer.Argument(help="A name, or a term in Slovene, Russian, Polish or Chinese: what to type for it."),
]


def measures(
    term: Term = None,
    family: Annotated[str | None, typer.Option("--family", help="Only this family.")] = None,
    form: OutputFormat = Format.text,
) -> None:
    """List all measures with their facts, or say where a name or a term of any language is."""
    import rocsteady as rs

    if term is not None:
        deliver(_answer(term), form, None)
        return
    rows = [_facts(sheet) for sheet in rs.list_measures(family)]
    data = {"measures": [dict(zip(FACTS, row, strict=True)) for row in rows]}
    deliver(Page(FACTS, rows, [], lambda: data, turns=False), form, None)


def _facts(sheet: FactSheet) -> list[str]:
    return [
        sheet.name + (" (emerging)" if sheet.emerging else ""),
        sheet.family,
        sheet.better,
        f"[{format_setting(sheet.bounds[0])}, {format_setting(sheet.bounds[1])}]",
        "" if sheet.chance is None else format_setting(sheet.chance),
        ", ".join(f"{name}={value!r}" for name, value in sheet.params.items()),
        sheet.summary.replace("``", ""),
    ]


def _answer(asked: str) -> Page:
    """What a name or term is, and the line to type."""
    from rocsteady._src.base.foreign_names import LIBRARIES
    from rocsteady._src.base.source_terms import NOT_OFFERED, find_term, near_term
    from rocsteady._src.measures.names import aside, refuse_unknown
    from rocsteady._src.measures.registry import DECLARED, find_measure

    if (measure := find_measure(asked)) is not None:
        typed = f"in the shell: rocsteady evaluate FILE --label ... --score ... --measure {measure.sheet.name}"
        return _found(asked, measure.sheet.summary, _line_of(measure.sheet), aside(asked), typed)
    if (meaning := _summary_of_function(asked)) is not None:
        return _found(asked, meaning, f"rs.{asked}")
    for library, lines in LIBRARIES.items():
        if (name := asked.strip().replace(" ", "_").replace(".", "_")) in lines:
            return _found(asked, f"a name of {library or 'other libraries'}", lines[name])
    term = find_term(asked) or near_term(asked)
    if term is None:
        raise refuse_unknown(asked, DECLARED)
    nearest = "; the line is the nearest there is" if term.remark.startswith(NOT_OFFERED) else ""
    return _found(asked, f"{term.word} ({term.language}: {term.english})", term.line, f"{term.remark}{nearest}")


def _line_of(sheet: FactSheet) -> str:
    at = ", threshold=0.5" if "threshold" in sheet.params else ""
    return f"rs.{sheet.name}(y, s{at})"


def _summary_of_function(name: str) -> str | None:
    """The first sentence of a public function that is no measure."""
    import rocsteady as rs
    from rocsteady._names import homes

    if name not in homes():
        return None
    return (getdoc(getattr(rs, name)) or "").split("\n", 1)[0]


def _found(asked: str, meaning: str, line: str, *notes: str) -> Page:
    header, row = ["term", "meaning", "type"], [printable(asked), meaning.replace("``", ""), line]
    told = [note for note in notes if note]
    data = dict(zip(header, row, strict=True)) | {"notes": told}
    return Page(header, [row], told, lambda: data, turns=False)
