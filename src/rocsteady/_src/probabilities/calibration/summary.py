"""One look at a validation: intercept, slope, and everything else that is reported about probabilities."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady._src.base.errors import InputError, Undefined
from rocsteady._src.inference.intervals.normal import check_level, p_value, quantile_of
from rocsteady._src.inference.units.row_means import mean_of_groups, mean_of_rows
from rocsteady._src.inference.units.subjects import few_units
from rocsteady._src.inference.units.units import Units
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.measures.probability import (
    bin_starts,
    bin_sums,
    log_loss,
    probabilities_of,
    scaled_brier,
)
from rocsteady._src.probabilities.calibration.brier import interval_of_groups, interval_of_subjects
from rocsteady._src.probabilities.calibration.goodness import hosmer_lemeshow, made_test, spiegelhalter_test
from rocsteady._src.probabilities.calibration.logistic import Groups, fit_intercept, fit_line
from rocsteady._src.probabilities.calibration.subjects import (
    NO_SPREAD,
    block_effects,
    blocks_of_rows,
    by_units_of,
    clustered_doors,
    logit_terms,
    rao_scott,
    row_scores,
    sandwich,
)
from rocsteady._src.results import Interval
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.calibration import CalibrationSummary
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.probabilities.calibration.logistic import LogisticFit
    from rocsteady._src.ranked import RankedScores, Rows
    from rocsteady._src.results import TestResult

    Array = NDArray[Any]

SMALL_VARIANCE = 5


class Fits(NamedTuple):
    """Recalibrations, shifted and by a line, and log-likelihoods: of the scores, the base rate and the line."""

    as_is: float
    base_rate: float
    shifted: LogisticFit | None
    line: LogisticFit | None
    reached: float
    remarks: tuple[Remark, ...]
    subjects: Rows | None = None

    @property
    def how(self) -> str:
        """What the methods say about subjects."""
        return by_units_of(self.subjects)


@clustered_doors
def calibration_summary(
    ranked: RankedScores, *, level: float = 0.95, n_bins: int = 10, external: bool = True, cluster: Any = None
) -> CalibrationSummary:
    """All that is usually reported about the calibration of probabilities, on rows the model was not fitted on.

    The fields, and what they are when scores are true probabilities:

    - ``in_the_large``: a of logit P = a + logit s; 0. Positive when more happens than the scores promise.
    - ``slope``, ``intercept``: b and a of logit P = a + b logit s; 1 and 0. A slope below 1 means scores too extreme,
      as after overfitting. The p of the slope is for b = 1.
    - ``observed_expected``: positives over the sum of the scores; 1. The interval is that of log O/E as a ratio of
      means over rows.
    - ``unreliability_test``: chi-square with 2 df for a = 0 and b = 1 together.
    - ``discrimination`` D (gain over the base rate), ``unreliability`` U (what a + b logit s would still gain),
      ``quality`` Q = D - U, all in twice the log-likelihood per row less its mean under chance, and Nagelkerke's
      ``r2``: of the scores as they are, as ``val.prob`` of the R package rms defines them.
    - ``brier`` with its interval, ``scaled_brier``, ``log_loss``.
    - ``ece``, and ``expected_ece``: what it would be on average under perfect calibration, given these scores and bins
      (normal approximation). An ece near expected_ece shows no miscalibration.
    - ``spiegelhalter``, ``hosmer_lemeshow``: see there.

    What cannot be fitted is NaN, and ``warnings`` say why: scores of exactly 0 or 1 have no logit; separated classes
    have no slope. Fits are Newton's, to 1e-12: O(distinct scores) per step, some 6 steps.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`. A row of a sampling weight is handled as a subject of its own.
    level : float
        Confidence level.
    n_bins : int
        Quantile bins of ``ece`` and groups of ``hosmer_lemeshow``.
    external : bool
        As in :func:`rocsteady.calibration.hosmer_lemeshow`, which it is for: True, as everything else here, for rows
        the model was
        not fitted on.
    cluster : array-like, optional
        Subject of each row, where subjects have several; estimates stay, uncertainty counts subjects. Slope, intercept
        and in_the_large get the sandwich covariance times n / (n - 1) of subjects, which holds for a wrong line too and
        with one row per subject is White's, close to but not equal to that of the likelihood; observed_expected and
        brier the variance of sums over subjects; chi-squares are divided by Rao and Scott's design effects (second
        order); expected_ece grows by the design effect of each bin.

    Returns
    -------
    CalibrationSummary
        ``print`` shows a table, ``to_frame`` gives it.

    References
    ----------
    Cox (1958), Biometrika 45:562-565. Miller, Hui and Tierney (1991), Statistics in Medicine 10:1213-1226. Harrell,
    Regression Modeling Strategies, 2nd ed. (2015), section 10.9. Van Calster et al. (2019), BMC Medicine 17:230.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> risk = [0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
    >>> found = rs.calibration.calibration_summary(y, risk, n_bins=3)
    >>> print(found.observed_expected)
    0.9756 [0.5792, 1.6433] (0.95 level, log)
    """
    check_level(level)
    if not ranked.scores.size:
        raise InputError("empty", "there are no rows")
    scores = probabilities_of(ranked, "calibration_summary")
    loss = log_loss.sheet.formula(ranked)
    fits = _fits(ranked, scores, -loss * ranked.n_rows_counted)
    if cluster is not None:
        fits = _by_subjects(fits, cluster)
    ece, expected, rough = _ece(ranked, n_bins, cluster)
    brier = interval_of_groups(ranked, level) if cluster is None else interval_of_subjects(cluster, level)
    return CalibrationSummary(
        in_the_large=_in_the_large(ranked, fits, level),
        slope=_slope(ranked, fits, level),
        intercept=_intercept(ranked, fits, level),
        observed_expected=_observed_expected(ranked, cluster, level),
        unreliability_test=_unreliability_test(ranked, fits),
        spiegelhalter=spiegelhalter_test(cluster or ranked),
        hosmer_lemeshow=hosmer_lemeshow(cluster or ranked, n_groups=max(n_bins, 3), external=external),
        brier=brier,
        scaled_brier=_scaled(ranked),
        log_loss=loss,
        **_indices(ranked, fits),
        ece=ece,
        expected_ece=expected,
        **facts_of(ranked),
        warnings=(*reading_remarks(ranked.origin), *fits.remarks, *rough),
    )


def _scaled(ranked: RankedScores) -> float:
    return scaled_brier.sheet.of(ranked) if ranked.n_pos and ranked.n_neg else Undefined("single_class")


def _fits(ranked: RankedScores, scores: Array, as_is: float) -> Fits:
    base = -sum(side * math.log(ranked.n_rows_counted / side) for side in (ranked.n_pos, ranked.n_neg) if side)
    if scores[0] == 0 or scores[-1] == 1:
        certain = float((ranked.pos + ranked.neg)[(scores == 0) | (scores == 1)].sum())
        return Fits(math.nan, base, None, None, math.nan, (Remark("certain_scores", n=certain),))
    if not (ranked.n_pos and ranked.n_neg):
        return Fits(as_is, base, None, None, math.nan, (Remark("one_class_not_fitted"),))
    groups = Groups.of(ranked)
    levels = groups.levels()
    shifted = _converged(fit_intercept(levels))
    if separated(ranked):
        return Fits(as_is, base, shifted, None, math.nan, (Remark("separated"),))
    line = _converged(fit_line(levels))
    reached = math.nan if line is None else line.log_likelihood
    remarks = (Remark("not_converged"),) if shifted is None or line is None else ()
    return Fits(as_is, base, shifted, line, reached, remarks)


def _by_subjects(fits: Fits, rows: Rows) -> Fits:
    before = [fit for fit in (fits.shifted, fits.line) if fit is not None]
    shifted, line = (None if fit is None else sandwich(fit, rows) for fit in (fits.shifted, fits.line))
    after = [fit for fit in (shifted, line) if fit is not None]
    still = any(
        (np.diag(new.covariance) <= NO_SPREAD * np.diag(old.covariance)).any()
        for old, new in zip(before, after, strict=True)
    )
    remarks = (*fits.remarks, *few_units(rows), *((Remark("cancelled_in_subjects"),) if still else ()))
    return fits._replace(shifted=shifted, line=line, subjects=rows, remarks=remarks)


def _converged(fit: LogisticFit) -> LogisticFit | None:
    return fit if fit.converged else None


def separated(ranked: RankedScores) -> bool:
    """Whether no negative lies above a positive, or no positive above a negative."""
    if ranked.row_labels is not None:
        labels = ranked.row_labels
        first_pos, first_neg = int(labels.argmax()), int(labels.argmin())
        last_pos, last_neg = (labels.size - 1 - int(place) for place in (labels[::-1].argmax(), labels[::-1].argmin()))
        return last_neg <= first_pos or last_pos <= first_neg
    pos, neg = np.flatnonzero(ranked.pos), np.flatnonzero(ranked.neg)
    return bool(neg[-1] <= pos[0] or pos[-1] <= neg[0])


def _estimate(fit: LogisticFit | None, which: int) -> tuple[float, float]:
    """Estimate and standard error; NaN for what was not fitted."""
    if fit is None:
        return math.nan, math.nan
    return float(fit.estimates[which]), math.sqrt(float(fit.covariance[which, which]))


def _wald(ranked: RankedScores, found: tuple[float, float], null: float, level: float, **words: Any) -> TestResult:
    value, se = found
    statistic, reach = (value - null) / se if se else math.nan, quantile_of(level) * se
    numbers = {"estimate": value, "low": value - reach, "high": value + reach, "se": se, "level": level, "null": null}
    return made_test(ranked, statistic, p_value(statistic), **numbers, **words)


def _in_the_large(ranked: RankedScores, fits: Fits, level: float) -> TestResult:
    words = {"method": "logistic, offset" + fits.how, "hypothesis": "the mean score is off"}
    return _wald(ranked, _estimate(fits.shifted, 0), 0.0, level, **words, warnings=fits.remarks)


def _slope(ranked: RankedScores, fits: Fits, level: float) -> TestResult:
    words = {"method": "logistic" + fits.how, "hypothesis": "the slope is not 1"}
    return _wald(ranked, _estimate(fits.line, 1), 1.0, level, **words, warnings=fits.remarks)


def _intercept(ranked: RankedScores, fits: Fits, level: float) -> Interval:
    value, se = _estimate(fits.line, 0)
    reach = quantile_of(level) * se
    facts: dict[str, Any] = {"se": se, "warnings": fits.remarks, **facts_of(ranked)}
    return Interval(value, value - reach, value + reach, level, "logistic" + fits.how, **facts)


def _observed_expected(ranked: RankedScores, rows: Rows | None, level: float) -> Interval:
    expected = math.fsum((pos + neg) @ s.astype(np.float64) for s, pos, neg in ranked.chunks())
    observed, total = float(ranked.n_pos), float(ranked.n_rows_counted)
    if not (observed and expected):
        ratio = observed / expected if expected else math.nan
        undefined = (Remark("no_positives_expected"),)
        return Interval(ratio, math.nan, math.nan, level, "log", warnings=undefined, **facts_of(ranked))
    ratio = observed / expected
    if rows is None:
        found, method = mean_of_groups(ranked, lambda s: (1 - ratio * s, -ratio * s)), "log"
    else:
        found, method = mean_of_rows(rows.positive - ratio * row_scores(rows), rows), "log" + by_units_of(rows)
    spread = found.se / (observed / total)
    factor = math.exp(quantile_of(level) * spread)
    return Interval(ratio, ratio / factor, ratio * factor, level, method, se=ratio * spread, **facts_of(ranked))


def _unreliability_test(ranked: RankedScores, fits: Fits) -> TestResult:
    from scipy.special import chdtrc

    statistic, df = _unreliable(fits), 2.0
    if fits.subjects is not None and not math.isnan(statistic):
        statistic, df = rao_scott(statistic, df, *_null_covariances(fits.subjects))
    pvalue = math.nan if math.isnan(statistic) else float(chdtrc(df, statistic))
    words = {"method": "likelihood ratio" + fits.how, "hypothesis": "intercept and slope are not 0 and 1"}
    return made_test(ranked, statistic, pvalue, df=df, warnings=fits.remarks, **words)


def _null_covariances(rows: Rows) -> tuple[Array, Array]:
    """Covariance, by subjects and by rows, of the slopes of the log-likelihood at the scores as they are."""
    pulls = (rows.positive - row_scores(rows)) * logit_terms(rows)
    return Units.of(rows).sums_by_subject_and_row(pulls)


def _unreliable(fits: Fits) -> float:
    """Twice what recalibration by a line gains in log-likelihood."""
    return math.nan if fits.line is None else max(2 * (fits.reached - fits.as_is), 0.0)


def _indices(ranked: RankedScores, fits: Fits) -> dict[str, Any]:
    total = float(ranked.n_rows_counted)
    gain = 2 * (fits.as_is - fits.base_rate)
    discrimination, unreliability = (gain - 1) / total, (_unreliable(fits) - 2) / total
    with np.errstate(over="ignore"):
        r2 = float(np.expm1(-gain / total) / math.expm1(2 * fits.base_rate / total)) if fits.base_rate else math.nan
    return {
        "discrimination": discrimination,
        "unreliability": unreliability,
        "quality": discrimination - unreliability,
        "r2": r2,
    }


def _ece(ranked: RankedScores, n_bins: int, rows: Rows | None) -> tuple[float, float, tuple[Remark, ...]]:
    """The expected calibration error, and its mean under calibration: of |X - mean| for a normal X in each bin."""
    starts = bin_starts(ranked, n_bins, "quantile")
    pos, _, mean, square = bin_sums(ranked, starts)
    variances = np.maximum(mean - square, 0.0)
    if rows is not None:
        variances = variances * _bin_effects(rows, starts)
    expected = float(np.sqrt(2 / np.pi * variances).sum() / ranked.n_rows_counted)
    low = int((variances < SMALL_VARIANCE).sum())
    rough = (Remark("ece_rough", n=low, enough=SMALL_VARIANCE),) if low else ()
    return float(np.abs(pos - mean).sum() / ranked.n_rows_counted), expected, rough


def _bin_effects(rows: Rows, starts: Array) -> Array:
    """Design effects of what happens beyond the scores in each bin."""
    scores = row_scores(rows)
    with np.errstate(invalid="ignore", divide="ignore"):
        away = (rows.positive - scores) / np.sqrt(scores * (1 - scores))
    return block_effects(rows, away, blocks_of_rows(rows, starts), starts.size)
