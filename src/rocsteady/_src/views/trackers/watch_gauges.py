"""A watch as text that a scraper of metrics reads (OpenMetrics 1.0): gauges, one sample per measure and segment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.views.trackers.openmetrics import labelled, value_text

if TYPE_CHECKING:
    from rocsteady._src.results.monitor import MonitorResult
    from rocsteady._src.results.watched import ScoreDrift, WatchedMeasure

GAUGES = (
    ("value", "Value on the newest day that has one"),
    ("so_far", "Mean since the watch began"),
    ("so_far_low", "Lower end of the mean since the watch began; holds at all looks together"),
    ("so_far_high", "Upper end of the mean since the watch began; holds at all looks together"),
    ("expected", "Expected on the newest day, without labels, if scores are calibrated"),
    ("evidence", "Evidence for a change for the worse; an alarm at the limit"),
)


def openmetrics_text(found: MonitorResult) -> str:
    """All gauges; what is not known has no sample."""
    lines: list[str] = []
    lines += _gauge("decision", "0 quiet, 1 alarm, 3 cannot tell", [({}, _code(found.decision))])
    lines += _gauge("open_rows", "Rows whose label has not come", [({}, found.open_rows)])
    lines += _gauge("reference", "Value in the reference", [(_labels(each), each.reference) for each in found.measures])
    for name, text in GAUGES:
        samples = [(_labels(each), _newest(getattr(each, name))) for each in found.measures]
        lines += _gauge(name, text, samples)
    lines += _gauge("limit", "Evidence that raises an alarm", [(_labels(each), each.limit) for each in found.measures])
    alarms = [(_labels(each), float(each.alarm_day is not None)) for each in found.measures]
    lines += _gauge("alarm", "1 where the measure has raised an alarm", alarms)
    drift = [(_where(each), each.pvalue) for each in found.drift]
    lines += _gauge("score_drift_pvalue", "Smallest p of the tests of scores, adjusted for all looks", drift)
    index = [(_where(each), _newest(each.psi)) for each in found.drift]
    lines += _gauge("score_psi", "Population stability index of the newest day", index)
    tested = [({} if each.model is None else {"model": each.model}, each.strongest) for each in found.calibrations]
    lines += _gauge("calibration_evidence", "Evidence against calibration", tested)
    return "\n".join([*lines, "# EOF", ""])


def _code(decision: str) -> float:
    return {"quiet": 0.0, "alarm": 1.0}.get(decision, 3.0)


def _labels(each: WatchedMeasure) -> dict[str, str]:
    return {"measure": each.measure, **_where(each)}


def _where(each: WatchedMeasure | ScoreDrift) -> dict[str, str]:
    """The segment, and where there are several the model."""
    return ({} if each.model is None else {"model": each.model}) | {"segment": each.segment or "all"}


def _newest(values: Any) -> float:
    known = np.asarray(values, dtype=np.float64)
    known = known[~np.isnan(known)]
    return float(known[-1]) if known.size else math.nan


def _gauge(name: str, text: str, samples: list[tuple[dict[str, str], float]]) -> list[str]:
    known = [(labels, value) for labels, value in samples if not math.isnan(value)]
    if not known:
        return []
    full = f"rocsteady_watch_{name}"
    head = [f"# TYPE {full} gauge", f"# HELP {full} {text}"]
    return head + [f"{full}{labelled(labels)} {value_text(value)}" for labels, value in known]
