"""Rows for the validation of a model of risks: the four criteria of Riley and others (2021)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.sentences import Sentence
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.intervals.formulas import newcombe_variance
from rocsteady._src.inference.intervals.normal import check_level, quantile_of
from rocsteady._src.inference.power.expected_width import fewest
from rocsteady._src.inference.power.predictor import Predictor, check_share, class_gap
from rocsteady._src.results.planning import Criterion, ValidationSize

if TYPE_CHECKING:
    from collections.abc import Iterator


@typed
def validation_size(
    *,
    prevalence: float,
    auc: float,
    scores: object = None,
    log_odds: tuple[float, float] | None = None,
    oe_width: float = 0.2,
    slope_width: float = 0.2,
    auc_width: float = 0.1,
    threshold: float | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    net_benefit_width: float = 0.2,
    level: float = 0.95,
) -> ValidationSize:
    """Rows that the external validation of a model of risks needs, by the criteria of Riley and others (2021).

    So many that the intervals of observed over expected positives, of the calibration slope, of the AUC and, where a
    threshold is given, of the standardised net benefit are no wider than asked for, if the model is well calibrated.

    Parameters
    ----------
    prevalence : float
        Share of positives where the model is to be validated.
    auc : float
        The AUC to be expected there.
    scores : array-like, optional
        Probabilities of rows like those to come, for the slope.
    log_odds : tuple of float, optional
        Mean and standard deviation of normal log-odds of the scores, as reported of the development study. Without it
        and ``scores`` they are true risks with this AUC and prevalence, their log-odds normal in each class.
    oe_width, slope_width, auc_width, net_benefit_width : float
        Widths of the intervals, from end to end.
    threshold : float, optional
        The risk from which one acts; asks for the net benefit there, divided by the prevalence.
    sensitivity, specificity : float, optional
        At the threshold; those of true risks with this AUC and prevalence unless given.
    level : float
        Confidence level.

    Returns
    -------
    ValidationSize
        ``n`` rows in all, and the ``criteria`` one by one.

    Notes
    -----
    O/E: n = (1 - p) / (p se^2) with se of log O/E from the width of the interval around 1. Slope: Fisher's information.
    AUC: Newcombe's variance, +- z se. Net benefit: the delta method. Numbers that public test files of calculators
    ascribe to the paper, which we did not have, round the standard errors first (0.051 for a width of 0.2), and are
    lower or higher by up to 1% for it.

    References
    ----------
    Riley, Debray, Collins, Archer, Ensor, van Smeden and Snell (2021), Minimum sample size for external validation of
    a clinical prediction model with a binary outcome, Statistics in Medicine 40:4230-4251.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.power.validation_size(prevalence=0.018, auc=0.8, log_odds=(-5, 2.5), oe_width=1))
    4,554 rows, 82 positive, for calibration slope (95% level, normal log-odds, mean -5, sd 2.5)
      observed/expected 1 with an interval 1 wide: 906 rows, 17 positive
      calibration slope 1 with an interval 0.2 wide: 4,554 rows, 82 positive
      AUC 0.8 with an interval 0.1 wide: 4,252 rows, 77 positive
    """
    check_level(level)
    check_share("prevalence", prevalence)
    check_share("auc", auc)
    widths = {"oe": oe_width, "slope": slope_width, "auc": auc_width, "net_benefit": net_benefit_width}
    for name, width in widths.items():
        if not (is_number(width) and 0 < width < math.inf):
            raise ArgumentError("width", f"{name}_width must be a finite number above 0, got {width!r}")
    predictor = _predictor(prevalence, auc, scores, log_odds)
    z = quantile_of(level)
    wanted = [
        ("observed/expected", 1.0, oe_width, rows_for_oe(prevalence, math.asinh(oe_width / 2) / z)),
        ("calibration slope", 1.0, slope_width, predictor.slope_variance() / (slope_width / (2 * z)) ** 2),
        ("AUC", auc, auc_width, rows_for_auc(prevalence, auc, auc_width / (2 * z))),
    ]
    if threshold is not None:
        calls = _calls(prevalence, auc, check_share("threshold", threshold), sensitivity, specificity)
        value = standardised_net_benefit(prevalence, threshold, *calls)
        rows = rows_for_net_benefit(prevalence, threshold, *calls, net_benefit_width / (2 * z))
        wanted.append(("standardised net benefit", value, net_benefit_width, rows))
    elif sensitivity is not None or specificity is not None:
        told = Sentence("sensitivity and specificity are those at a threshold: give {threshold=} too")
        raise ArgumentError("threshold", told)
    return ValidationSize(tuple(_criteria(wanted, prevalence, z)), prevalence, auc, level, predictor.told)


def _criteria(wanted: list[tuple[str, float, float, float]], prevalence: float, z: float) -> Iterator[Criterion]:
    for name, value, width, rows in wanted:
        n = math.ceil(rows)
        se = math.asinh(width / 2) / z if name == "observed/expected" else width / (2 * z)
        yield Criterion(name, value, width, se, n, n * prevalence)


def _predictor(prevalence: float, auc: float, scores: Any, log_odds: Any) -> Predictor:
    if scores is not None and log_odds is not None:
        raise ArgumentError("scores", Sentence("give {scores=} or {log_odds=}, not both"))
    if scores is not None:
        return Predictor.of_scores(scores)
    return Predictor.of_auc(auc, prevalence) if log_odds is None else Predictor.of_normal(*log_odds)


def rows_for_oe(prevalence: float, se: float) -> float:
    """Rows for this standard error of log O/E.

    Examples
    --------
    >>> round(rows_for_oe(0.5, 0.051), 1), round(rows_for_oe(0.1, 0.175), 1)
    (384.5, 293.9)
    """
    return (1 - prevalence) / (prevalence * se**2)


def rows_for_auc(prevalence: float, auc: float, se: float) -> float:
    """The fewest rows with this standard error by Newcombe's formula.

    Examples
    --------
    >>> rows_for_auc(0.1, 0.7, 0.1 / (2 * 1.96)), rows_for_auc(0.5, 0.8, 0.1 / (2 * 1.96))
    (1154.0, 302.0)
    """

    def enough(rows: int) -> bool:
        return newcombe_variance(auc, rows * prevalence, rows * (1 - prevalence)) <= se**2

    found = fewest(enough, start=2)
    return math.inf if found is None else float(found)


def standardised_net_benefit(prevalence: float, threshold: float, sensitivity: float, specificity: float) -> float:
    """Net benefit over the prevalence, its largest value.

    Examples
    --------
    >>> round(standardised_net_benefit(0.5, 0.5, 0.9, 0.8), 12)
    0.7
    """
    return sensitivity - _weight(prevalence, threshold) * (1 - specificity)


def rows_for_net_benefit(
    prevalence: float, threshold: float, sensitivity: float, specificity: float, se: float
) -> float:
    """Rows for this standard error of the standardised net benefit, of rows drawn together (Marsh and others 2020)."""
    weight = _weight(prevalence, threshold)
    of_pos = sensitivity * (1 - sensitivity) / prevalence
    of_neg = weight**2 * specificity * (1 - specificity) / (1 - prevalence)
    of_share = weight**2 * (1 - specificity) ** 2 / (prevalence * (1 - prevalence))
    return (of_pos + of_neg + of_share) / se**2


def _weight(prevalence: float, threshold: float) -> float:
    return (1 - prevalence) / prevalence * threshold / (1 - threshold)


def _calls(
    prevalence: float, auc: float, threshold: float, sensitivity: float | None, specificity: float | None
) -> tuple[float, float]:
    if sensitivity is not None and specificity is not None:
        return check_share("sensitivity", sensitivity), check_share("specificity", specificity)
    if sensitivity is not None or specificity is not None:
        raise ArgumentError("sensitivity", Sentence("give {sensitivity=} and {specificity=}, or neither"))
    from scipy.special import ndtr

    gap = class_gap(auc)
    if gap <= 0:
        told = Sentence("true risks have an AUC above 0.5: give {sensitivity=} and {specificity=}")
        raise ArgumentError("auc", told)
    odds = math.log(threshold / (1 - threshold)) - math.log(prevalence / (1 - prevalence))
    return float(ndtr((gap**2 / 2 - odds) / gap)), float(ndtr((odds + gap**2 / 2) / gap))
