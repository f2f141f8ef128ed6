"""``rocsteady measures``: all measures with their facts, or one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rocsteady._src.base.text import format_setting
from rocsteady._src.views.cli.options import OutputFormat  # noqa: TC001 - read when the command is made
from rocsteady._src.views.cli.render import Format, Page, deliver

if TYPE_CHECKING:
    from rocsteady._src.measures.registry import FactSheet

FACTS = ["name", "family", "better", "range", "chance", "parameters", "meaning"]
Name = Annotated[str | None, typer.Argument(help="Only this one, by its name or another that is known.")]


def measures(
    name: Name = None,
    family: Annotated[str | None, typer.Option("--family", help="Only this family.")] = None,
    form: OutputFormat = Format.text,
) -> None:
    """List all measures with their facts, or one of them."""
    import rocsteady as rs

    sheets = rs.list_measures(family) if name is None else [rs.get_measure(name).sheet]
    rows = [_facts(sheet) for sheet in sheets]
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
