"""What scikit-learn's scorers know and do not pass on: the class whose scores they hand to a measure."""

from __future__ import annotations

import sys
from typing import Any

SCORER_MODULE = "sklearn.metrics._scorer"
SCORER_METHOD = "_score"
FRAMES_SEARCHED = 16


def positive_class_of_scorer() -> Any:
    """Return the class whose scores a scikit-learn scorer has asked for, or None outside such a scorer.

    A scorer made by ``make_scorer`` takes the scores of ``classes_[1]``, or of its own ``pos_label``, and calls the
    measure with labels and scores alone. Where labels do not speak for themselves the measure must use that same
    class, and the scorer's own frame is the only place that knows it. Where it is not found the caller asks the
    user for ``pos_label``, so nothing is guessed.
    """
    if SCORER_MODULE not in sys.modules:
        return None
    frame = sys._getframe(1)  # noqa: SLF001 - see above
    for _ in range(FRAMES_SEARCHED):
        if frame.f_globals.get("__name__") == SCORER_MODULE and frame.f_code.co_name == SCORER_METHOD:
            return _class_scored(frame.f_locals)
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return None


def _class_scored(scorer: dict[str, Any]) -> Any:
    if scorer.get("pos_label") is not None:
        return scorer["pos_label"]
    classes = getattr(scorer.get("estimator"), "classes_", None)
    return classes[1] if classes is not None and len(classes) == 2 else None
