"""Censored outcomes: events that have a time, and rows that were watched for a while only."""

from rocsteady._src.designs.times.auc import (
    auc_at,
    compare_auc_at,
    integrated_auc,
)
from rocsteady._src.designs.times.brier import (
    brier_at,
    compare_brier_at,
    integrated_brier,
)
from rocsteady._src.designs.times.concordance import (
    compare_concordance,
    concordance,
)
from rocsteady._src.designs.times.reclassified import (
    integrated_discrimination_at,
    net_reclassification_at,
)
from rocsteady._src.designs.times.risks import (
    calibration_at,
    compare_net_benefit_at,
    net_benefit_at,
)

__all__ = [
    "auc_at",
    "brier_at",
    "calibration_at",
    "compare_auc_at",
    "compare_brier_at",
    "compare_concordance",
    "compare_net_benefit_at",
    "concordance",
    "integrated_auc",
    "integrated_brier",
    "integrated_discrimination_at",
    "net_benefit_at",
    "net_reclassification_at",
]
