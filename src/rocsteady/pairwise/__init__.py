"""Fast sums over all positive-negative pairs: prefix sums, Chebyshev boxes, a one-dimensional multipole."""

from rocsteady.pairwise.engine import pair_mean, pair_slopes
from rocsteady.pairwise.kernels import Logistic, Power, Ramp, SmoothKernel, Step
from rocsteady.pairwise.losses import ExponentialLoss, LogisticLoss, PairLoss, SoftAUCLoss, SquaredHingeLoss

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
