"""Fast sums over all positive-negative pairs: prefix sums, Chebyshev boxes, a one-dimensional multipole."""

from rocsteady.pairwise.engine import pair_mean, pair_slopes
from rocsteady.pairwise.kernels import Logistic, Power, Ramp, SmoothKernel, Step

__all__ = ["Logistic", "Power", "Ramp", "SmoothKernel", "Step", "pair_mean", "pair_slopes"]
