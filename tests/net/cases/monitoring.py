"""A model over days: alarms, delays of labels, segments, saved states, drift of scores."""

from __future__ import annotations

from ..case import Case, cases, each

LINE = "monitoring/monitor"
CASES: list[Case] = [
    *cases("monitor", "days", LINE, reference=20),
    *cases("monitor", "days", LINE, reference=20, by="segment"),
    *cases("monitor", "days", LINE, reference=20, by="segment", control="fdr"),
    *cases("monitor", "days", LINE, reference=20, margin=each(0.02, 0.3)),
    *cases("monitor", "days", LINE, reference=20, method="exact"),
    *cases("monitor", "days", LINE, reference=20, alpha=0.2, level=0.9),
    *cases("monitor", "days", LINE, reference=20, average_run_length=500.0),
    *cases("monitor", "days", LINE, reference=20, label_date="arrived", label_delay=7),
    *cases("monitor", "days", LINE, reference=20, label_date="arrived", label_delay=each(0, 7), as_of=50),
    *cases("monitor", "days", LINE, reference=4, period=5),
    *cases("monitor", "days", LINE, reference=20, weight="w"),
    *cases(
        "monitor",
        "days",
        LINE,
        reference=20,
        measures=("recall", "precision", "false_positive_rate", "accuracy", "prevalence"),
        threshold=0.4,
    ),
    *cases("monitor", "days", LINE, reference=20, measures=each("brier_score", "calibration_gap"), probabilities=True),
    *cases("monitor", "days", LINE, reference=20, probabilities=True),
    *cases("monitor", "days", LINE, reference=20, scores=("a", "b")),
    *cases("monitor", "days", LINE, reference=(5, 25)),
    *cases("monitor", "days", LINE, reference=20, then=each(30, 45)),
    *cases("monitor", "days", "scale/Sketches", reference=20, sketched=True),
    *cases("monitor", "days", LINE, reference=each(0, 60)),
    *cases("metrics of a monitor", "days", "members/openmetrics of MonitorResult", reference=20, by="segment"),
    *cases(
        "stability of scores",
        each("large", "ties", "binary"),
        "monitoring/stability_index",
        split=60,
        n_bins=each(None, 5),
    ),
]
