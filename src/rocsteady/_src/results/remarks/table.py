"""All codes of remarks with their sentences, in the order of their page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady._src.results.remarks.on_designs import CLASSES, FOLDS, GROUPS
from rocsteady._src.results.remarks.on_diagnostic import DIAGNOSTIC
from rocsteady._src.results.remarks.on_intervals import BANDS, CHOSEN, INTERVALS, RESAMPLES
from rocsteady._src.results.remarks.on_probabilities import CALIBRATION, DECISIONS, RECLASSIFICATION
from rocsteady._src.results.remarks.on_readers import READERS
from rocsteady._src.results.remarks.on_rows import ROWS, SKETCHES
from rocsteady._src.results.remarks.on_tests import TESTS
from rocsteady._src.results.remarks.on_times import TIMES
from rocsteady._src.results.remarks.on_validation import VALIDATION
from rocsteady._src.results.remarks.on_watch import WATCH

if TYPE_CHECKING:
    from rocsteady._src.results.remarks.noun import Told

SECTIONS: dict[str, dict[str, Told]] = {
    "Rows, labels, scores and weights": ROWS,
    "Sketches": SKETCHES,
    "Intervals": INTERVALS,
    "Resampling": RESAMPLES,
    "Thresholds that were chosen": CHOSEN,
    "Bands and binormal curves": BANDS,
    "Tests between models": TESTS,
    "Calibration": CALIBRATION,
    "Reclassification": RECLASSIFICATION,
    "Decision curves": DECISIONS,
    "Cross-validation": FOLDS,
    "More than two classes": CLASSES,
    "Groups": GROUPS,
    "Censored outcomes": TIMES,
    "Reader studies": READERS,
    "Internal validation": VALIDATION,
    "Diagnostic studies": DIAGNOSTIC,
    "Watching": WATCH,
}
TOLD: dict[str, Told] = {code: told for section in SECTIONS.values() for code, told in section.items()}
