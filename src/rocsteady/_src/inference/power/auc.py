"""Power and sample size of tests about the AUC, for one curve against chance and for two on the same rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.text import format_count
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.normal import ALTERNATIVES, Alternative, check_choice
from rocsteady._src.inference.power.variance import CHANCE, Design, of_difference, one_curve, seen, two_curves
from rocsteady._src.ranked import read_models
from rocsteady._src.results import PowerResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import Rows

Method = Literal["delong", "obuchowski"]
METHODS = ("delong", "obuchowski")
NullVariance = Literal["same", "first"]
NULLS = ("same", "first")
SAMPLE_SIZE = "sample size"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is known; None is open. ``ratio`` is negatives per positive."""

    n_pos: float | None
    n_neg: float | None
    ratio: float
    power: float | None
    alpha: float | None
    alternative: str


@typed
def power_auc(
    *,
    auc: float | None = None,
    second_auc: float | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    ratio: float | None = None,
    power: float | None = None,
    alpha: float | None = 0.05,
    alternative: Alternative = "two-sided",
    spread: float = 1.0,
    second_spread: float = 1.0,
    corr_pos: float = 0.0,
    corr_neg: float = 0.0,
    null_variance: NullVariance = "same",
    method: Method = "delong",
) -> PowerResult:
    """Solve for power, sample size, AUC or level: leave exactly one of them open.

    One curve is tested against chance by its rank sum; two are compared by DeLong's test. Scores are normal in
    each class after some increasing map (binormal), which fixes the variance of the AUC:

    "delong" is the exact variance of the empirical AUC in that model. "obuchowski" are the published formulas
    (Obuchowski and McClish 1997), as in pROC. They leave out the covariance of the two binormal parameters: for one
    curve that matters little, for two the variance is too large and the power too low (0.53 where simulation says
    0.67, at AUCs 0.8 and 0.7, correlations 0.5, 60 and 90 rows). Both use the normal approximation; as elsewhere,
    power of a two-sided test counts rejections on the true side only.

    Parameters
    ----------
    auc : float, optional
        True AUC; left open, the one nearest to ``second_auc`` (or 0.5) that is detected with this power.
    second_auc : float, optional
        True AUC of a second model on the same rows. Without it the AUC is compared with 0.5.
    n_pos, n_neg : float, optional
        Rows of each class; leave both open to solve for them. One is enough together with ``ratio``.
    ratio : float, optional
        Negatives per positive; 1 when sample sizes are asked for and nothing is said.
    power : float, optional
        Probability of rejecting.
    alpha : float or None
        Level of the test; None solves for it.
    alternative : {"two-sided", "greater", "less"}
        "greater": the first AUC is larger.
    spread, second_spread : float
        Standard deviation of negatives over that of positives, after the map: b of the binormal curve.
    corr_pos, corr_neg : float
        Correlation of the two models' scores among positives and among negatives; 0 for independent samples, then
        each of these sizes.
    null_variance : {"same", "first"}
        Variance of the difference under the hypothesis: the same as in truth, which is what DeLong's test divides
        by, or that of two curves like the first, as in pROC. The latter depends on the order of the models, and
        overstates the power when the first is the better one (0.78 in the example above).
    method : {"delong", "obuchowski"}
        Which variance.

    Returns
    -------
    PowerResult
        Sample sizes are not rounded.

    Examples
    --------
    >>> print(power_auc(auc=0.7, n_pos=40, n_neg=60))
    AUC 0.7 against 0.5: power 0.9432 with 40 positives and 60 negatives, two-sided at 0.05
    (solved for power, delong)
    >>> print(power_auc(auc=0.8, second_auc=0.75, power=0.9, ratio=2, corr_pos=0.5, corr_neg=0.5))
    AUC 0.8 against 0.75: power 0.9 with 361 positives and 722 negatives, two-sided at 0.05
    (solved for sample size, delong)
    """
    check_choice("method", method, METHODS)
    check_choice("null_variance", null_variance, NULLS)
    asked = _checked(n_pos, n_neg, ratio, power, alpha, alternative)
    open_ones = [*_open(asked), *(["auc"] if auc is None else [])]
    if len(open_ones) != 1:
        what = ", ".join(open_ones) or "nothing"
        text = f"leave exactly one of power, sample size, auc and alpha open (None); open here: {what}"
        raise ArgumentError("power_unknowns", text)
    _check_model((auc, second_auc), (spread, second_spread), (corr_pos, corr_neg))
    if second_auc is None and (second_spread, corr_pos, corr_neg, null_variance) != (1.0, 0.0, 0.0, "same"):
        text = "second_spread, corr_pos, corr_neg and null_variance are about a second model: pass its second_auc"
        raise ArgumentError("second_auc", text)
    other = CHANCE if second_auc is None else second_auc

    def design(value: float) -> Design:
        if second_auc is None:
            return one_curve(value, spread, method)
        curves = (value, spread), (second_auc, second_spread)
        return two_curves(*curves, (corr_pos, corr_neg), method, null_variance)

    if auc is None:
        auc = _solve_auc(design, other, asked)
    return _answer(design(auc), asked, open_ones[0], (auc, other), method)


@typed
def power_auc_pilot(
    y_true: object,
    first: object,
    second: object,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    ratio: float | None = None,
    power: float | None = None,
    alpha: float | None = 0.05,
    alternative: Alternative = "two-sided",
    null_variance: NullVariance = "same",
    cluster: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> PowerResult:
    """Power, sample size or level of a comparison of two models like the one seen in pilot data.

    Difference and DeLong's covariance are taken as seen. Power at the pilot's own size says no more than its p-value
    does; use this to plan other sizes, and remember that a pilot's difference is often too large.

    Parameters
    ----------
    y_true, first, second : array-like
        Labels, and the scores of both models on the same rows.
    n_pos, n_neg : float, optional
        Rows of each class; those of the pilot unless given. Open when ``power`` and ``alpha`` are both given.
    ratio : float, optional
        Negatives per positive; that of the pilot unless given. The variance follows it. In pROC it does not:
        there ``kappa`` changes the number of controls and leaves that of cases as it was.
    power, alpha, alternative, null_variance
        As in :func:`rocsteady.power_auc`; leave one of power, sample size and alpha open.
    cluster : array-like, optional
        The subject of each row, when subjects have several rows. Subjects to come are taken to have as many rows as
        those of the pilot, so that variance follows their number, ``n_subjects`` of the result. Where subjects have
        rows of both classes the ratio is the pilot's.
    pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    PowerResult

    Notes
    -----
    There is no binormal method here. That of pROC, "obuchowski", puts intercept and slope of specificity on
    sensitivity into formulas made for sensitivity on 1 - specificity.

    Examples
    --------
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> found = power_auc_pilot(y, [8, 7, 6, 3, 5, 4, 2, 1], [5, 8, 3, 2, 7, 4, 6, 1], power=0.8)
    >>> round(found.n_pos, 1), round(found.n_neg, 1)
    (11.6, 11.6)
    """
    check_choice("null_variance", null_variance, NULLS)
    scores = {"first": first, "second": second}
    rows = read_models(y_true, scores, cluster=cluster, pos_label=pos_label, missing=missing)
    pilot = int(rows.positive.sum()), int((~rows.positive).sum())
    if min(pilot) < 2:
        raise ArgumentError("pilot_rows", "a pilot needs two rows or more of each class to tell a variance")
    if n_pos is None and n_neg is None:
        ratio = pilot[1] / pilot[0] if ratio is None else ratio
        n_pos, n_neg = (None, None) if power is not None and alpha is not None else pilot
    asked = _checked(n_pos, n_neg, ratio, power, alpha, alternative)
    if len(_open(asked)) != 1:
        raise ArgumentError("power_unknowns", "give power and alpha, or leave one of them open; sizes are the pilot's")
    areas, parts = seen(rows)
    design = Design(areas[0] - areas[1], *of_difference(*parts, null_variance))
    found = _answer(design, asked, _open(asked)[0], areas, "delong")
    return found if cluster is None else _in_subjects(found, rows)


def _in_subjects(found: PowerResult, rows: Rows) -> PowerResult:
    """Count the subjects of as many rows as in the pilot."""
    subjects = np.asarray(rows.clusters)
    times = [
        (size / int(mask.sum()), set(subjects[mask].tolist()))
        for size, mask in ((found.n_pos, rows.positive), (found.n_neg, ~rows.positive))
    ]
    mixed = times[0][1] & times[1][1]
    if mixed and not math.isclose(times[0][0], times[1][0]):
        text = (
            f"{format_count(len(mixed))} subjects of the pilot have rows of both "
            "classes, so that the ratio is the pilot's"
        )
        raise ArgumentError("ratio", f"{text}; leave ratio out, or give n_pos and n_neg in that ratio")
    n_subjects = sum(factor * len(members) for factor, members in times) - times[0][0] * len(mixed)
    return replace(found, n_subjects=n_subjects, method=f"{found.method}, by cluster")


@typed
def detectable_difference(
    se: float, *, power: float = 0.8, alpha: float = 0.05, alternative: Alternative = "two-sided", n_times: float = 1.0
) -> float:
    """Smallest true difference that a test with this standard error detects with this power.

    Parameters
    ----------
    se : float
        Standard error of the difference.
    power, alpha, alternative
        Of the test.
    n_times : float
        How many times as many rows as ``se`` comes from: it shrinks with their square root.

    Examples
    --------
    >>> round(detectable_difference(0.03), 4), round(detectable_difference(0.03, n_times=4), 4)
    (0.084, 0.042)
    """
    asked = _checked(n_times, n_times, None, power, alpha, alternative)
    return (_z_alpha(asked) + _z(power)) * se / math.sqrt(n_times)


def _checked(
    n_pos: float | None,
    n_neg: float | None,
    ratio: float | None,
    power: float | None,
    alpha: float | None,
    alternative: str,
) -> _Asked:
    check_choice("alternative", alternative, ALTERNATIVES)
    for name, share in (("power", power), ("alpha", alpha)):
        if share is not None and not (is_number(share) and 0 < share < 1):
            raise ArgumentError(name, f"{name} must lie between 0 and 1, got {share!r}")
    for name, size in (("n_pos", n_pos), ("n_neg", n_neg), ("ratio", ratio)):
        if size is not None and not 0 < size < math.inf:
            raise ArgumentError(name, f"{name} must be a finite number above 0, got {size!r}")
    if (n_pos is None) != (n_neg is None):
        if ratio is None:
            raise ArgumentError("power_sizes", "give n_pos and n_neg, or one of them and ratio")
        n_pos, n_neg = (n_pos or (n_neg or 0) / ratio), (n_neg or (n_pos or 0) * ratio)
    elif n_pos is not None and n_neg is not None and ratio is not None and not math.isclose(n_neg, ratio * n_pos):
        raise ArgumentError("power_sizes", "n_neg is not ratio times n_pos: leave one of them out")
    return _Asked(n_pos, n_neg, 1.0 if ratio is None else ratio, power, alpha, alternative)


def _open(asked: _Asked) -> list[str]:
    values = {"power": asked.power, SAMPLE_SIZE: asked.n_pos, "alpha": asked.alpha}
    return [name for name, value in values.items() if value is None]


def _check_model(areas: tuple[float | None, ...], spreads: tuple[float, ...], corrs: tuple[float, ...]) -> None:
    if any(area is not None and not (is_number(area) and 0 < area < 1) for area in areas):
        raise ArgumentError("auc", f"an AUC must lie between 0 and 1, got {areas}")
    if not all(is_number(spread) and 0 < spread < math.inf for spread in spreads):
        raise ArgumentError("spread", f"spreads must be finite and above 0, got {spreads}")
    if not all(is_number(corr) and -1 <= corr <= 1 for corr in corrs):
        raise ArgumentError("correlation", f"correlations must lie in [-1, 1], got {corrs}")


def _z(probability: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(probability))


def _z_alpha(asked: _Asked) -> float:
    alpha = asked.alpha or 0.0
    return -_z(alpha / 2 if asked.alternative == "two-sided" else alpha)


def _effect(difference: float, alternative: str) -> float:
    return abs(difference) if alternative == "two-sided" else difference if alternative == "greater" else -difference


def _answer(design: Design, asked: _Asked, unknown: str, areas: tuple[float, float], method: str) -> PowerResult:
    effect = _effect(design.difference, asked.alternative)
    n_pos, n_neg, power, alpha = asked.n_pos or 0.0, asked.n_neg or 0.0, asked.power or 0.0, asked.alpha or 0.0
    if unknown == SAMPLE_SIZE:
        n_pos = _solve_size(design, effect, asked)
        n_neg = asked.ratio * n_pos
    elif unknown == "power":
        power = _solve_power(design, effect, asked)
    elif unknown == "alpha":
        alpha = _solve_alpha(design, effect, asked)
    return PowerResult(power, n_pos, n_neg, *areas, alpha, asked.alternative, unknown, method)


def _solve_power(design: Design, effect: float, asked: _Asked) -> float:
    from scipy.special import ndtr

    null, true = design.spreads(asked.n_pos or 0.0, asked.n_neg or 0.0)
    return float(ndtr(_over(effect - _z_alpha(asked) * null, true)))


def _solve_alpha(design: Design, effect: float, asked: _Asked) -> float:
    from scipy.special import ndtr

    null, true = design.spreads(asked.n_pos or 0.0, asked.n_neg or 0.0)
    tail = float(ndtr(-_over(effect - _z(asked.power or 0.0) * true, null)))
    return min(2 * tail, 1.0) if asked.alternative == "two-sided" else tail


def _over(gap: float, spread: float) -> float:
    """A gap in standard errors; identical models have neither, and are told apart with probability alpha at most."""
    return gap / spread if spread > 0 else math.copysign(math.inf, gap) if gap else -math.inf


def _solve_size(design: Design, effect: float, asked: _Asked) -> float:
    """Positives needed. Without a coefficient of 1/(n_pos n_neg) the equation is solved at once."""
    from scipy.optimize import brentq

    def excess(n_pos: float) -> float:
        null, true = design.spreads(n_pos, asked.ratio * n_pos)
        return _z_alpha(asked) * null + _z(asked.power or 0.0) * true - effect

    if effect <= 0:
        raise ArgumentError("power_effect", "no sample size detects this: the AUCs do not differ in that direction")
    large = Design(design.difference, design.null * (1, 1, 0), design.true * (1, 1, 0)).spreads(1, asked.ratio)
    needed = _z_alpha(asked) * large[0] + _z(asked.power or 0.0) * large[1]
    if needed <= 0:
        raise ArgumentError("power", "any sample size reaches a power that low: it must lie above alpha")
    guess = (needed / effect) ** 2
    if not (design.null[2] or design.true[2]):
        return guess
    return float(brentq(excess, guess / 16, 16 * guess + 16, xtol=1e-14 * guess, rtol=1e-15))


def _solve_auc(design: Callable[[float], Design], other: float, asked: _Asked) -> float:
    """The AUC nearest to the other one that is detected, above it unless the alternative is "less"."""
    from scipy.optimize import brentq

    def excess(auc: float) -> float:
        found = design(auc)
        null, true = found.spreads(asked.n_pos or 0.0, asked.n_neg or 0.0)
        return _effect(found.difference, asked.alternative) - _z_alpha(asked) * null - _z(asked.power or 0.0) * true

    end = 1e-12 if asked.alternative == "less" else 1 - 1e-12
    if excess(other) >= 0:
        raise ArgumentError("power", "any AUC reaches a power that low: it must lie above alpha")
    if excess(end) <= 0:
        raise ArgumentError("power_sizes", "no AUC is detected with this power by so few rows")
    return float(brentq(excess, *((end, other) if end < other else (other, end)), xtol=1e-15, rtol=1e-15))
