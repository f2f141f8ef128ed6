"""The report as one sheet of pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import printable
from rocsteady._src.measures.curves import det_curve, gains_curve, pr_curve, roc_curve
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.decisions import decision_curve
from rocsteady._src.views.plots.style import line_style
from rocsteady._src.views.report.chart_parts import models_of_probabilities
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.rows_of_models import rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.results import Comparison

KINDS = {"ROC": roc_curve, "Precision and recall": pr_curve, "Cumulative gains": gains_curve, "DET": det_curve}


def sheet(result: Evaluation, asked: Options, before: str = "") -> Any:
    """The decision in a sentence, then pictures: ROC and PR, differences, calibration, net benefit, the rest.

    ``before`` is said before the decision of pooled folds, whose AUCs are not compared here.
    """
    from rocsteady._src.views.plots.sheet import draw_sheet

    curves = {kind: {model: draw(ranked) for model, ranked in result.ranked.items()} for kind, draw in KINDS.items()}
    title = asked.title if asked.title != Options().title else ""
    costs: dict[str, Any] = {name: getattr(asked, name) for name in ("cost_fp", "cost_fn", "prevalence", "baseline")}
    decided = result.decide(**costs, level=asked.level)
    said = f"{before}{decided.verdict[0]}"
    titles = (printable(text, most=600).replace("$", r"\$") for text in (title, *decided.alarms[:1], said))
    more: dict[str, Callable[[Any], object]] = {}
    if len(result.models) > 2 and not before and (found := _compared(result, asked)) is not None:
        more[f"Differences in {found.measure}"] = found.plot
    return draw_sheet(curves, *titles, more=more | _of_probabilities(result, asked))


def _compared(result: Evaluation, asked: Options) -> Comparison | None:
    if len(result.models) < 2:
        return None
    how: dict[str, Any] = {"method": asked.method, "intervals": asked.intervals, "level": asked.level}
    found: Comparison = result.compare(asked.baseline, **how)
    return found


def _of_probabilities(result: Evaluation, asked: Options) -> dict[str, Callable[[Any], object]]:
    there = models_of_probabilities(result)
    if not there:
        return {}
    absent = [printable(model, most=24) for model in result.models if model not in there]
    without = f"; without {', '.join(absent)}: no probabilities" if absent else ""
    cuts = "; dotted: the cutoffs" if asked.cutoffs else ""
    return {
        f"Calibration{without}": partial(_calibration, result, asked),
        f"Net benefit{cuts}{without}": partial(_decisions, result, asked),
    }


def _calibration(result: Evaluation, asked: Options, ax: Any) -> None:
    from rocsteady._src.views.plots.calibration import add_calibration, fit_calibration

    for model in models_of_probabilities(result):
        curve = calibration_curve(rows_of(result, model), strategy="quantile", level=asked.level)
        add_calibration(curve, ax, name=model, **line_style(result.models.index(model)))
    fit_calibration(ax)


def _decisions(result: Evaluation, asked: Options, ax: Any) -> None:
    from rocsteady._src.views.plots.decisions import add_decisions

    shown = models_of_probabilities(result)
    parts = [(model, decision_curve(rows_of(result, model), level=asked.level)) for model in shown]
    columns: dict[str, Any] = {
        name: {model: next(iter(getattr(found, name).values())) for model, found in parts}
        for name in ("net_benefit", "low", "high")
    }
    drawn = add_decisions(replace(parts[0][1], **columns), ax)
    for model, line in drawn.lines_.items():
        style = line_style(result.models.index(model))
        line.set(**style)
        drawn.bands_[model].set(color=style["color"])
    for cut in asked.cutoffs or ():
        ax.axvline(cut, color="0.3", linestyle=":", linewidth=1.2, zorder=1)
    ax.set_box_aspect(1)
