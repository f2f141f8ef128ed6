"""Tests whether probabilities can be believed: Hosmer-Lemeshow and Spiegelhalter."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, short
from rocsteady._src.base.text import format_count
from rocsteady._src.inference.intervals.normal import p_value
from rocsteady._src.inference.units.subjects import few_units
from rocsteady._src.inference.units.units import Units
from rocsteady._src.inputs.weights import reading_remarks
from rocsteady._src.measures.probability import MOST_BINS, bin_sums, probabilities_of, quantile_groups
from rocsteady._src.probabilities.calibration.subjects import (
    NO_SPREAD,
    block_covariances,
    blocks_of_rows,
    by_units_of,
    clustered_doors,
    rao_scott,
    row_scores,
)
from rocsteady._src.results import TestResult
from rocsteady._src.results.remarks import Remark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.ranked import RankedScores, Rows

FEW_EXPECTED = 5


@clustered_doors
def hosmer_lemeshow(
    ranked: RankedScores, *, n_groups: int = 10, external: bool = True, cluster: Any = None
) -> TestResult:
    """Hosmer-Lemeshow test: do positives and negatives in groups of rising score number what the scores promise?

    Groups are cut at quantiles of the scores (R's type 7, equal cuts merged, upper ends included), as
    ResourceSelection's ``hoslem.test`` does. O(distinct scores). Its answer depends on the number of groups, it sees
    neither what direction an error has nor how large it is, and with enough rows it rejects any model: use it beside
    a calibration curve, not instead.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`. A row of a sampling weight is handled as a subject of its own.
    n_groups : int
        At least 3. Ties may leave fewer; the degrees of freedom follow the groups that are there.
    external : bool
        True for new rows: df = groups. False for rows on which the model was fitted: df = groups - 2, as R's
        ``hoslem.test`` has it; on new rows that would reject calibrated models in 11% of samples at 5%.
    cluster : array-like, optional
        Subject of each row, where subjects have several: the chi-square and its df are divided by the design effects
        of Rao and Scott (second order). Without it rows must be independent.

    Returns
    -------
    TestResult
        Chi-square ``statistic``, ``df`` and ``pvalue``; ``estimate`` is NaN: the test estimates nothing.

    References
    ----------
    Hosmer and Lemeshow (1980), Communications in Statistics A 9:1043-1069. Rao and Scott (1984), Annals of Statistics
    12:46-60.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y = [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> risk = [0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9, 0.9]
    >>> test = rs.calibration.hosmer_lemeshow(y, risk, n_groups=4)
    >>> round(test.statistic, 4), test.df, round(test.pvalue, 4)
    (3.2167, 4.0, 0.5222)
    """
    from scipy.special import chdtrc

    if not (isinstance(n_groups, (int, np.integer)) and n_groups >= 3):
        raise ArgumentError("n_groups", f"n_groups must be a whole number of at least 3, got {n_groups!r}")
    if n_groups > MOST_BINS:
        raise ArgumentError("n_groups", f"n_groups must be at most {format_count(MOST_BINS)}, got {short(n_groups)}")
    starts = group_starts(ranked, n_groups)
    observed, expected = group_table(ranked, starts)
    terms = np.zeros_like(expected)
    with np.errstate(over="ignore"):  # a positive where 1e-310 was expected
        np.divide((observed - expected) ** 2, expected, out=terms, where=expected > 0)
    terms[(expected <= 0) & (observed > 0)] = np.inf
    found = observed.shape[1]
    statistic, df = float(terms.sum()), float(found - (0 if external else 2))
    if cluster is not None and df > 0:
        statistic, df = _by_subjects(statistic, df, cluster, starts)
    method = f"Hosmer-Lemeshow, {found} groups, {'new rows' if external else 'rows of the fit'}"
    return made_test(
        ranked,
        statistic,
        float(chdtrc(df, statistic)) if df > 0 else math.nan,
        method=method + by_units_of(cluster),
        df=df,
        warnings=_remarks(expected, n_groups, df) + _about_units(ranked, cluster),
    )


def _by_subjects(statistic: float, df: float, rows: Rows, starts: NDArray[np.int64]) -> tuple[float, float]:
    units, blocks = Units.of(rows), blocks_of_rows(rows, starts)
    surplus: NDArray[np.float64] = rows.positive - row_scores(rows)
    shape = (rows.n_clusters, starts.size)
    return rao_scott(statistic, df, *block_covariances(surplus, units.held(), blocks, units.numbers, shape))


def _about_units(ranked: RankedScores, cluster: Rows | None) -> tuple[Remark, ...]:
    return reading_remarks(ranked.origin) + (() if cluster is None else few_units(cluster))


def group_starts(ranked: RankedScores, n_groups: int) -> NDArray[np.int64]:
    """First score of each group."""
    if not ranked.scores.size:
        raise InputError("empty", "there are no rows")
    scores = probabilities_of(ranked, "hosmer_lemeshow")
    last, beside = quantile_groups(ranked, n_groups)
    # A quantile equal to the lowest score is no cut of its own: R drops it as a repeated break.
    starts = np.concatenate([[0], last[(beside > 0) & (last < scores.size - 1)] + 1])
    found: NDArray[np.int64] = starts[np.diff(starts, prepend=-1) > 0]
    return found


def group_table(ranked: RankedScores, starts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Observed and expected positives and negatives, two lines, one column per group."""
    pos, rows, expected, _ = bin_sums(ranked, starts)
    return np.array([pos, rows - pos]), np.array([expected, rows - expected])


def _remarks(expected: NDArray[np.float64], n_groups: int, df: float) -> tuple[Remark, ...]:
    remarks = []
    found = expected.shape[1]
    if found < n_groups:
        remarks.append(Remark("groups_tied", n=found, asked=n_groups))
    if df <= 0:
        remarks.append(Remark("no_groups_left"))
    small = int((expected < FEW_EXPECTED).sum())
    if small:
        remarks.append(Remark("few_expected", n=small, total=expected.size, enough=FEW_EXPECTED))
    return tuple(remarks)


@clustered_doors
def spiegelhalter_test(ranked: RankedScores, *, cluster: Any = None) -> TestResult:
    """Spiegelhalter's z: is the Brier score what it would be if the scores were true probabilities?

    z = sum (y - s)(1 - 2s) / sqrt(sum (1 - 2s)^2 s (1 - s)). No groups to choose. Positive when the Brier score is
    larger than promised, as for scores too extreme, negative when it is smaller, as for scores too cautious. Errors
    that leave the Brier score near its expectation go unseen: a score of 1/2 says nothing here, whatever happens. For
    rows the model was not fitted on. O(distinct scores).

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, missing
        As in :func:`rocsteady.rank`; scores are probabilities.
    weight_type : {"frequency", "sampling"}, optional
        As in :func:`rocsteady.auc_interval`. A row of a sampling weight is handled as a subject of its own.
    cluster : array-like, optional
        Subject of each row, where subjects have several: the variance under calibration is multiplied by the design
        effect, sum over subjects of (sum of (y - s)(1 - 2s))^2 / sum over rows of ((y - s)(1 - 2s))^2.

    Returns
    -------
    TestResult
        ``estimate`` is the Brier score minus its expectation, ``se`` its standard deviation under calibration. NaN
        when every score is 0, 1/2 or 1.

    References
    ----------
    Spiegelhalter (1986), Statistics in Medicine 5:421-433.

    Examples
    --------
    >>> import rocsteady as rs
    >>> test = rs.calibration.spiegelhalter_test([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1])
    >>> round(test.statistic, 4), round(test.pvalue, 4)
    (-0.8729, 0.3827)
    """
    if not ranked.scores.size:
        raise InputError("empty", "there are no rows")
    probabilities_of(ranked, "spiegelhalter_test")
    total, above, squared = ranked.n_rows_counted, [], []
    for piece, pos, neg in ranked.chunks():
        scores = piece.astype(np.float64)
        tilt = 1 - 2 * scores
        above.append(pos @ (tilt * (1 - scores)) - neg @ (tilt * scores))
        squared.append((pos + neg) @ (tilt**2 * scores * (1 - scores)))
    surplus, spread = math.fsum(above), math.sqrt(math.fsum(squared))
    remarks: tuple[Remark, ...] = () if spread > 0 else (Remark("nothing_to_test"),)
    if cluster is not None and spread > 0:
        effect = _design_effect(cluster)
        spread *= math.sqrt(effect)
        remarks = few_units(cluster) + (() if effect else (Remark("cancelled_in_subjects"),))
    statistic = surplus / spread if spread > 0 else math.nan
    return made_test(
        ranked,
        statistic,
        p_value(statistic),
        method="Spiegelhalter" + by_units_of(cluster),
        estimate=surplus / total,
        se=spread / total,
        warnings=reading_remarks(ranked.origin) + remarks,
    )


def _design_effect(rows: Rows) -> float:
    scores = row_scores(rows)
    pulls = (rows.positive - scores) * (1 - 2 * scores)
    by_subject, by_row = Units.of(rows).sums_by_subject_and_row(pulls[None])
    effect = float(by_subject[0, 0] / by_row[0, 0])
    return effect if effect > NO_SPREAD else 0.0


def made_test(ranked: RankedScores, statistic: float, pvalue: float, **facts: Any) -> TestResult:
    """A test about calibration; what is not given is NaN or follows from the data."""
    unknown = dict.fromkeys(("estimate", "low", "high"), math.nan)
    about = {"hypothesis": "the scores are not calibrated", "alternative": "two-sided", "origin": ranked.origin}
    given: dict[str, Any] = {**unknown, **about, "n_pos": ranked.n_pos, "n_neg": ranked.n_neg, **facts}
    given.setdefault("null", None if math.isnan(given["estimate"]) else 0.0)
    return TestResult(statistic=statistic, pvalue=pvalue, **given)
