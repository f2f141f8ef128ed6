"""What scikit-learn's scorers know and do not pass on: the class whose scores they hand to a metric."""

from __future__ import annotations

import sys
from typing import Any

SCORER_MODULE = "sklearn.metrics._scorer"
FRAMES_SEARCHED = 16


def positive_class_of_scorer() -> Any:
    """Return ``classes_[1]`` of the estimator being scored, or None outside a scikit-learn scorer.

    A scorer made by ``make_scorer`` takes the scores of ``classes_[1]`` and calls the metric with labels and
    scores alone. For text labels the metric must use that same class, and the scorer's own frame is the only
    place that knows it. Where it is not found the caller asks the user for ``pos_label``, so nothing is guessed.
    """
    if SCORER_MODULE not in sys.modules:
        return None
    frame = sys._getframe(1)  # noqa: SLF001 - see above
    for _ in range(FRAMES_SEARCHED):
        if frame.f_globals.get("__name__") == SCORER_MODULE and "estimator" in frame.f_locals:
            classes = getattr(frame.f_locals["estimator"], "classes_", None)
            return classes[1] if classes is not None and len(classes) == 2 else None
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return None
