"""The page and the pictures of a result, as files for trackers that keep files."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import InputError, require
from rocsteady._src.evaluation.evaluation import Evaluation
from rocsteady._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rocsteady._src.results.base import Result

# Pictures of an evaluation by the names that MLflow gives its own.
CURVES = {"roc_curve_plot": "roc", "precision_recall_curve_plot": "pr", "calibration_curve_plot": "calibration"}


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that is gone afterwards: a tracker copies what it is given."""
    with TemporaryDirectory(prefix="rocsteady-") as name:
        yield Path(name)


def write_page(result: Result, folder: Path, options: Mapping[str, Any]) -> Path | None:
    """The report of an evaluation as one page; None of a result that has no report."""
    report = getattr(type(result), "report", None)
    return None if report is None else Path(report(result, folder / "rocsteady_report.html", **options))


def write_pictures(result: Result, folder: Path) -> dict[str, Path]:
    """Pictures by name, as PNG; a calibration curve of scores that are no probabilities is left out."""
    drawn = {}
    for name, figure in figures(result):
        drawn[name] = folder / f"rocsteady_{name}.png"
        figure.savefig(drawn[name], dpi=150)
    return drawn


def figures(result: Result) -> Iterator[tuple[str, Any]]:
    """Each picture of a result, closed when the next is asked for: pyplot would keep it."""
    pyplot = require("matplotlib.pyplot", extra="plots", purpose="plots=True")
    for name, kind in CURVES.items() if isinstance(result, Evaluation) else [("plot", None)]:
        try:
            shown: Any = result.plot(kind) if kind else result.plot()  # type: ignore[arg-type]
        except InputError:
            if kind != "calibration":
                raise
            continue
        yield name, shown.figure_
        pyplot.close(shown.figure_)


def facts_of(result: Any) -> dict[str, Any]:
    """Where the numbers of a result come from, as plain values: positive label, direction, rows, version."""
    origin = getattr(result, "origin", None) or getattr(getattr(result, "overall", None), "origin", None)
    return {"version": __version__} if origin is None else dict(origin.to_dict())
