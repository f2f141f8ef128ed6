"""The report as one sheet of pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.measures.curves import det_curve, gains_curve, pr_curve, roc_curve
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.decisions import decision_curve
from rocsteady._src.views.report.build import models_of_probabilities
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.rows_of_models import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results import Comparison

KINDS = {"ROC": roc_curve, "Precision and recall": pr_curve, "Cumulative gains": gains_curve, "DET": det_curve}


def sheet(result: Evaluation, asked: Options, verdict: str | None = None) -> Any:
    """Curves of all models; with cutoffs, calibration and decision curves too."""
    from rocsteady._src.views.plots.sheet import draw_sheet

    curves = {kind: {model: draw(ranked) for model, ranked in result.ranked.items()} for kind, draw in KINDS.items()}
    title = asked.title if asked.title != Options().title else ""
    said = _verdict(result, asked) if verdict is None else verdict
    titles = (printable(text).replace("$", r"\$") for text in (title, said))
    return draw_sheet(curves, *titles, more=_of_probabilities(result, asked))


def _verdict(result: Evaluation, asked: Options) -> str:
    if len(result.models) < 2:
        return ""
    how: dict[str, Any] = {"method": asked.method, "intervals": asked.intervals, "level": asked.level}
    found: Comparison = result.compare(asked.baseline, **how)
    return found.verdict[0]


def _of_probabilities(result: Evaluation, asked: Options) -> dict[str, Callable[[Any], None]]:
    there = models_of_probabilities(result)
    if asked.cutoffs is None or not there:
        return {}
    absent = [printable(model, most=24) for model in result.models if model not in there]
    without = f"; without {', '.join(absent)}: no probabilities" if absent else ""
    return {
        f"Calibration{without}": partial(_calibration, result, asked),
        f"Net benefit; dotted: the cutoffs{without}": partial(_decisions, result, asked),
    }


def _calibration(result: Evaluation, asked: Options, ax: Any) -> None:
    for model in models_of_probabilities(result):
        curve = calibration_curve(rows_of(result, model), strategy="quantile", level=asked.level)
        curve.plot(ax, name=model)
    keep = [line for line in ax.lines if not line.get_label().startswith("_")]
    ax.legend(handles=keep, loc="upper left", frameon=False)


def _decisions(result: Evaluation, asked: Options, ax: Any) -> None:
    shown = models_of_probabilities(result)
    parts = [(model, decision_curve(rows_of(result, model), level=asked.level)) for model in shown]
    columns: dict[str, Any] = {
        name: {model: next(iter(getattr(found, name).values())) for model, found in parts}
        for name in ("net_benefit", "low", "high")
    }
    replace(parts[0][1], **columns).plot(ax)
    for cut in asked.cutoffs or ():
        ax.axvline(cut, color="0.3", linestyle=":", linewidth=1.2, zorder=1)
    ax.set_box_aspect(1)
