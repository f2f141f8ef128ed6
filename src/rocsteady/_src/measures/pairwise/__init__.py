"""Fast sums over all positive-negative pairs: prefix sums, Chebyshev boxes, a one-dimensional multipole."""

from rocsteady._src.measures.pairwise.engine import pair_mean, pair_slopes
from rocsteady._src.measures.pairwise.kernels import Logistic, Power, Ramp, SmoothKernel, Step
from rocsteady._src.measures.pairwise.losses import (
    ExponentialLoss,
    LogisticLoss,
    PairLoss,
    SoftAUCLoss,
    SquaredHingeLoss,
)

__all__ = [
    "ExponentialLoss",
    "Logistic",
    "LogisticLoss",
    "PairLoss",
    "Power",
    "Ramp",
    "SmoothKernel",
    "SoftAUCLoss",
    "SquaredHingeLoss",
    "Step",
    "pair_mean",
    "pair_slopes",
]
