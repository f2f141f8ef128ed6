"""The smooth calibration curve on a page: a line and a band in the chart, distances in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import InputError
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.calibration.smooth_curve import WIDE
from rocsteady._src.results.smooth_calibration import DISTANCES, SmoothCalibrationCurve
from rocsteady._src.views.report.document import TableBlock
from rocsteady._src.views.report.records import as_records, ends_of, interval_text, safe
from rocsteady._src.views.report.rows_of_models import rows_of

if TYPE_CHECKING:
    from rocsteady._src.evaluation.evaluation import Evaluation
    from rocsteady._src.views.report.names import Style

MOST_ROWS = 100_000  # beyond, a band is thinner than its line, and a page should be quick
SHOWN = 60  # points of the curve in the chart
INNER = (0.05, 0.95)  # quantiles of the scores between which it is drawn: beyond, few rows decide where it goes


def smooth_of(result: Evaluation, model: str, level: float) -> SmoothCalibrationCurve | None:
    """A spline with its band; None of many rows, and where none can be fitted."""
    if result.origin.n_rows > MOST_ROWS:
        return None
    try:
        found = calibration_curve(rows_of(result, model), method="spline", level=level)
    except InputError:
        return None
    return found if isinstance(found, SmoothCalibrationCurve) else None


def records_of(name: str, curve: SmoothCalibrationCurve | None) -> list[dict[str, Any]]:
    """The line where most rows are, and its band where that says something, for the chart."""
    if curve is None:
        return []
    reached = np.cumsum(curve.count) / np.sum(curve.count)
    first, last = (min(int(np.searchsorted(reached, end)), len(curve) - 1) for end in INNER)
    kept = np.unique(np.linspace(first, last, SHOWN).round().astype(int))
    wide = curve.band_high - curve.band_low > WIDE
    columns = {"predicted": curve.predicted, "observed": curve.observed}
    columns |= {"low": np.where(wide, np.nan, curve.band_low), "high": np.where(wide, np.nan, curve.band_high)}
    return as_records(name, {key: values[kept].round(5) for key, values in columns.items()})


def distances(result: Evaluation, models: list[str], level: float, look: dict[str, Style]) -> list[TableBlock]:
    """How far probabilities are from the smooth curve, by model; no table where no curve was fitted."""
    found = {model: smooth_of(result, model, level) for model in models}
    known = {model: curve for model, curve in found.items() if curve is not None}
    if not known:
        return []
    parts = {look[model].name: list(curve.distances.values()) for model, curve in known.items()}
    rows = [[name, *map(interval_text, each)] for name, each in parts.items()]
    keys = [[name, *(safe(float(part.estimate)) for part in each)] for name, each in parts.items()]
    values = [[name, *map(ends_of, each)] for name, each in parts.items()]
    text = (
        "Mean (ICI), median, 90% quantile and maximum over the rows. All are above 0 even of true probabilities: "
        "what is shown to be wrong is the lower end of an interval."
    )
    if any(remark.code == "band_wide" for curve in known.values() for remark in curve.warnings):
        text += " Upper ends reach far where rows of one class alone leave the curve unknown."
    header = ["model", *DISTANCES.values()]
    return [
        TableBlock("distances", "Distance of probabilities from the smooth curve", header, rows, keys, text, values)
    ]
