"""Scores of a study to come, as log-odds with weights, and how surely such scores tell the calibration slope."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, is_number, some_values
from rocsteady._src.base.text import format_count, format_setting
from rocsteady._src.inputs.reals import real_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

REACH, POINTS = 10.0, 4001  # the trapezoid rule of a normal density times a smooth function: beyond 12 digits


@dataclass(frozen=True, slots=True, eq=False)
class Predictor:
    """Log-odds of the scores, with the share of rows at each; ``told`` says where they come from."""

    log_odds: Array
    shares: Array
    told: str

    @classmethod
    def of_scores(cls, scores: Any) -> Predictor:
        """Probabilities of rows like those to come, each as likely as the others."""
        values = real_numbers(scores, "scores")
        outside = ~((values > 0) & (values < 1))
        if values.ndim != 1 or not values.size or outside.any():
            found = some_values(values[outside].tolist()) if values.ndim == 1 and values.size else "none"
            raise InputError(
                "scores", f"scores must be probabilities between 0 and 1, as a list or column; got {found}"
            )
        return cls(
            np.log(values / (1 - values)), np.full(values.size, 1 / values.size), f"{format_count(values.size)} scores"
        )

    @classmethod
    def of_normal(cls, mean: float, sd: float) -> Predictor:
        """Log-odds that are normal in all rows together."""
        if not (is_number(mean) and is_number(sd) and math.isfinite(mean) and 0 < sd < math.inf):
            raise ArgumentError("log_odds", f"log_odds are mean and standard deviation above 0, got {(mean, sd)!r}")
        at, shares = _normal()
        return cls(mean + sd * at, shares, f"normal log-odds, mean {format_setting(mean)}, sd {format_setting(sd)}")

    @classmethod
    def of_auc(cls, auc: float, prevalence: float) -> Predictor:
        """True risks with this AUC whose log-odds are normal with one variance in each class.

        Then the log-odds of a row are that of the prevalence plus the log of its likelihood ratio, so that the means of
        both classes are as far apart as the variance is large.
        """
        gap, start = class_gap(auc), math.log(prevalence / (1 - prevalence))
        at, shares = _normal()
        both = [start + side * gap**2 / 2 + gap * at for side in (1, -1)]
        weights = np.concatenate([prevalence * shares, (1 - prevalence) * shares])
        return cls(np.concatenate(both), weights, f"true risks with AUC {format_setting(auc)}")

    @property
    def mean_risk(self) -> float:
        """Share of positives if scores are true risks."""
        return float(self.shares @ (1 / (1 + np.exp(-self.log_odds))))

    def slope_variance(self, intercept: float = 0.0, slope: float = 1.0) -> float:
        """Variance of the fitted slope times the number of rows, by Fisher's information on intercept and slope."""
        risk = 1 / (1 + np.exp(-(intercept + slope * self.log_odds)))
        weights = self.shares * risk * (1 - risk)
        mean = weights @ self.log_odds / weights.sum()
        spread = float(weights @ (self.log_odds - mean) ** 2)
        if spread <= 0:
            raise InputError("scores", "scores are all alike: they have no calibration slope")
        return 1 / spread


def class_gap(auc: float) -> float:
    """Standard deviation of the log-odds in each class of true risks with this AUC, normal in both.

    Examples
    --------
    >>> round(class_gap(0.8), 4), class_gap(0.5)
    (1.1902, 0.0)
    """
    from scipy.special import ndtri

    return math.sqrt(2) * float(ndtri(auc))


def _normal() -> tuple[Array, Array]:
    at = np.linspace(-REACH, REACH, POINTS)
    density = np.exp(-(at**2) / 2)
    return at, density / density.sum()


def check_share(name: str, value: Any) -> float:
    """A rate strictly between 0 and 1."""
    if not (is_number(value) and 0 < value < 1):
        raise ArgumentError(name, f"{name} must lie between 0 and 1, got {value!r}")
    return float(value)
