"""Scores as probabilities: are they right, and what are they worth?"""

from rocsteady._src.probabilities.calibration.brier import (
    brier_interval,
    compare_brier,
)
from rocsteady._src.probabilities.calibration.curve import (
    calibration_curve,
)
from rocsteady._src.probabilities.calibration.decomposition import (
    brier_decomposition,
    log_loss_decomposition,
)
from rocsteady._src.probabilities.calibration.goodness import (
    hosmer_lemeshow,
    spiegelhalter_test,
)
from rocsteady._src.probabilities.calibration.smooth import (
    smooth_calibration_error,
)
from rocsteady._src.probabilities.calibration.summary import (
    calibration_summary,
)
from rocsteady._src.probabilities.decisions import (
    compare_net_benefit,
    decision_curve,
)
from rocsteady._src.probabilities.label_shift import (
    estimate_prevalence,
    shift_prevalence,
)
from rocsteady._src.probabilities.reclassification.idi import (
    integrated_discrimination,
)
from rocsteady._src.probabilities.reclassification.nri import (
    net_reclassification,
)
from rocsteady._src.probabilities.reclassification.tables import (
    reclassification,
)

__all__ = [
    "brier_decomposition",
    "brier_interval",
    "calibration_curve",
    "calibration_summary",
    "compare_brier",
    "compare_net_benefit",
    "decision_curve",
    "estimate_prevalence",
    "hosmer_lemeshow",
    "integrated_discrimination",
    "log_loss_decomposition",
    "net_reclassification",
    "reclassification",
    "shift_prevalence",
    "smooth_calibration_error",
    "spiegelhalter_test",
]
