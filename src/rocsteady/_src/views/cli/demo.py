"""Example data, made by a seeded script, and the main job run on it."""

from __future__ import annotations

import csv
import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.atomic import whole_file, write_whole
from rocsteady._src.base.errors import in_shell
from rocsteady._src.base.examples import binormal, loans
from rocsteady._src.evaluation.evaluate import evaluate
from rocsteady._src.measures.curves import roc_curve
from rocsteady._src.measures.granular_curves import granular_roc
from rocsteady._src.views.cli.pages import evaluation_page
from rocsteady._src.views.cli.render import RENDERERS, Format

if TYPE_CHECKING:
    from pathlib import Path

    from rocsteady._src.evaluation.evaluation import Evaluation

REPORTED = ("boosted", "logistic", "coin")
MODELS = ("boosted", "logistic", "scorecard", "grade", "coin")


def run_demo(folder: Path, *, force: bool) -> str:
    """Write data, table and picture into a folder and tell what is there."""
    folder.mkdir(parents=True, exist_ok=True)
    table = loans()
    write_whole(folder / "loans.csv", _csv(table), force=force)
    result = evaluate(table, label="defaulted", scores=list(MODELS), threshold="youden", intervals=True)
    page = evaluation_page(result)
    write_whole(folder / "evaluation.md", RENDERERS[Format.markdown](page), force=force)
    write_whole(folder / "evaluation.json", RENDERERS[Format.json](page), force=force)
    told = [
        RENDERERS[Format.text](page),
        f"Wrote {folder / 'loans.csv'} (the data) and {folder / 'evaluation.md'}.",
    ]
    if find_spec("matplotlib"):
        _draw(result, folder / "roc.png", force=force)
        _draw_family(folder / "granular.png", force=force)
        told.append(f"Look at {folder / 'roc.png'}: the ROC curves of the five models.")
        told.append(f"Look at {folder / 'granular.png'}: what small gaps and sampling do to a curve (other data).")
    scores = " ".join(f"--score {model}" for model in MODELS)
    data = in_shell(folder / "loans.csv")
    told.append(f"Do it again: rocsteady evaluate {data} --label defaulted {scores} --threshold youden")
    _report(table, folder / "report.html", force=force)
    told.append(
        f"Open {folder / 'report.html'} in a browser (a double click does): which of the three models that give "
        "probabilities is better, and why."
    )
    return "\n".join(told)


def _report(table: dict[str, Any], path: Path, *, force: bool) -> None:
    result = evaluate(table, label="defaulted", scores=list(REPORTED), intervals=True)
    result.report(path, force=force, title="Which model should decide about loans?", cost_fn=5, cutoffs=[0.1, 0.4])


def _csv(table: dict[str, Any]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return out.getvalue()


def _draw(result: Evaluation, path: Path, *, force: bool) -> None:
    _use_files_only()
    _save(result.plot()[0].figure_, path, force=force)


def _draw_family(path: Path, *, force: bool) -> None:
    """One sample of the binormal model with its granular band, over fifty other samples."""
    from rocsteady._src.views.plots import draw_family

    _use_files_only()
    rng = np.random.default_rng(3)
    one = granular_roc(*binormal(200, rng), delta=0.02)
    others = [roc_curve(*binormal(200, rng)) for _ in range(50)]
    _save(draw_family(one, others).figure_, path, force=force)


def _use_files_only() -> None:
    import matplotlib as mpl

    mpl.use("Agg")


def _save(figure: Any, path: Path, *, force: bool) -> None:
    with whole_file(path, force=force) as temporary:
        figure.savefig(temporary, dpi=160)
