"""``rocsteady select``: which measure picks the better models?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady._src.views.cli.drawing import refuse_picture, write_picture
from rocsteady._src.views.cli.options import Force, Level, Output, OutputFormat, PosLabel, known_measures
from rocsteady._src.views.cli.render import Format, Page, deliver, form_of, refuse_output

if TYPE_CHECKING:
    from rocsteady._src.results import ModelSelection

DataSource = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="CSV, TSV, JSON lines or Parquet, breast_cancer, digits, iris, wine, or openml:NAME."
    ),
]


def select(
    data: DataSource,
    label: Annotated[str | None, typer.Option("--label", help="Column of labels of a file.")] = None,
    classifier: Annotated[
        list[str] | None, typer.Option("--classifier", help="tree, logistic, forest, bayes or knn; repeat to mix.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", callback=known_measures, help="rho_auc, 'lambda_auc(delta=0.1)', ...; repeat."),
    ] = None,
    reference: Annotated[str, typer.Option("--reference", help="Measure to compare with.")] = "auc",
    splits: Annotated[int, typer.Option("--splits", help="Random divisions of the rows.")] = 40,
    bootstraps: Annotated[int, typer.Option("--bootstraps", help="Bootstrap samples of each train part.")] = 100,
    seed: Annotated[int | None, typer.Option("--seed", help="Drawn and reported unless given.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; -1 for one per core.")] = 1,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw the differences: .png, .pdf or .svg.")] = None,
    level: Level = 0.95,
    pos_label: PosLabel = None,
    form: OutputFormat = Format.text,
    output: Output = None,
    force: Force = False,
) -> None:
    """Let measures pick models on validation rows, and compare the picks on test rows."""
    from rocsteady.lab import select_models

    refuse_picture(plot, force=force)
    refuse_output(output, force=force)
    found = select_models(
        data,
        classifier or "tree",
        measure or None,
        label=label,
        pos_label=_typed(data, label, pos_label),
        n_splits=splits,
        n_bootstraps=bootstraps,
        reference=reference,
        level=level,
        random_state=seed,
        n_jobs=jobs,
        progress=sys.stderr.isatty(),
    )
    write_picture(found.plot, plot, force=force)
    deliver(_page(found, form_of(output, form)), form, output, force=force)


def _typed(data: str, label: str | None, pos_label: str | None) -> Any:
    """The positive label as its column holds it."""
    if pos_label is None:
        return None
    from rocsteady._src.inputs.files import Wanted, read_file, typed_label

    path = Path(data)
    if label is not None and path.is_file():
        return typed_label(pos_label, read_file(path, Wanted((), (label,)))[label])
    return int(pos_label) if pos_label.lstrip("+-").isdigit() and not data.startswith("openml:") else pos_label


def _page(found: ModelSelection, form: Format) -> Page:
    if form in (Format.csv, Format.json):
        columns = found._columns()  # noqa: SLF001 - the rows of to_frame, without needing a DataFrame library
        return Page(list(columns), [list(row) for row in zip(*columns.values(), strict=True)], [], found.to_dict)
    header, rows = found.cells()
    return Page(header, rows, found.remarks(), found.to_dict)
