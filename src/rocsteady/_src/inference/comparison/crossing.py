"""Do two ROC curves cross, or does one lie above the other? Limits of their gap that hold everywhere at once.

Curves turned by 45 degrees are functions of FPR + TPR, and one curve dominates another exactly where its function is
nowhere lower. The gap of the two is resampled with the rows. If the first curve lay nowhere above the second, the
largest gap, in standard errors, would pass what is seen no more often than the largest resampled departure does: a
one-sided test. Curves that cross are rejected by both of these tests, each at the full level (intersection-union).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.base.errors import ArgumentError, is_number
from rocsteady._src.base.typed import typed
from rocsteady._src.inference.comparison.auc import areas_test
from rocsteady._src.inference.comparison.samples import read_samples
from rocsteady._src.inference.resampling.draws import RowDraws
from rocsteady._src.inference.resampling.resample import fresh_seed
from rocsteady._src.ranked import canonical_samples, in_canonical_order
from rocsteady._src.results import Resampling
from rocsteady._src.results.base import facts_of
from rocsteady._src.results.crossing import CrossingTest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocsteady._src.inputs.clean import Missing
    from rocsteady._src.ranked import Rows
    from rocsteady._src.results.remarks import Remark

    Array = NDArray[np.float64]

PLACES = np.linspace(0, 2, 101)[1:-1]
FLOOR = 0.3  # of the largest standard error: near the corners a gap has next to none, and its quotient means nothing


@typed
def crossing_test(
    y_true: object,
    first: object,
    second: object,
    *,
    paired: bool = True,
    level: float = 0.95,
    n_resamples: int = 2000,
    y_true_second: object = None,
    cluster: object = None,
    cluster_second: object = None,
    pos_label: Any = None,
    missing: Missing = "raise",
    random_state: int | None = None,
) -> CrossingTest:
    """Test whether two ROC curves cross, or one lies above the other.

    A crossing is shown where each curve lies above the other somewhere: two one-sided tests of the largest lead, both
    at the full level. That one curve is nowhere below another cannot be shown, since they may meet; ``first_short`` and
    ``second_short`` say by how much it may be below at the most. :func:`rocsteady.curves.crossings` has the points
    where curves of these rows cross, chance crossings among them. Measured sizes are on the page on credit.

    Parameters
    ----------
    y_true, first, second, paired, y_true_second, cluster, cluster_second, pos_label, missing
        As in :func:`rocsteady.compare_curves`; subjects are drawn whole.
    level : float
        Of what ``found`` says, and of the limits of the gap, which hold at all places together.
    n_resamples : int
        How many resamples.
    random_state : int, optional
        Seed; recorded in ``resampling`` either way.

    Returns
    -------
    CrossingTest
        ``pvalue`` of a crossing, the larger of ``p_first`` and ``p_second``; ``found``, ``verdict``, and the gap with
        its limits. ``statistic`` is the smaller of the two largest leads, in standard errors.

    References
    ----------
    Berger (1982), Multiparameter hypothesis testing and acceptance sampling, for intersection-union tests. Limits are
    of the kind of Horvath, Horvath and Zhou (2008), Journal of Statistical Planning and Inference 138:1894-1904.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(3)
    >>> y = np.repeat([1, 0], 500)
    >>> plain, wide = rng.normal(1.2, 1, 500), rng.normal(1.9, 2.5, 500)
    >>> negative = rng.normal(size=(2, 500))
    >>> found = rs.curves.crossing_test(y, np.append(plain, negative[0]), np.append(wide, negative[1]), random_state=1)
    >>> found.found, found.pvalue < 0.01
    ('crossing', True)
    """
    if not is_number(n_resamples) or n_resamples < 1:
        raise ArgumentError("n_resamples", f"n_resamples must be 1 or more, got {n_resamples!r}")
    samples = read_samples(
        y_true,
        first,
        second,
        paired=paired,
        y_true_second=y_true_second,
        cluster=cluster,
        cluster_second=cluster_second,
        pos_label=pos_label,
        missing=missing,
    )
    areas, by = (
        areas_test([in_canonical_order(sample) for sample in samples], level=level),
        () if cluster is None else ("by cluster",),
    )
    seed = fresh_seed(random_state)
    gap, off = resampled_gaps(samples, n_resamples, np.random.default_rng(seed))
    tests = _tests(gap, off, level)
    return CrossingTest(
        **tests,
        estimate=areas.estimate,
        low=areas.low,
        high=areas.high,
        alternative="two-sided",
        method=", ".join(["bootstrap of the largest leads", "paired" if paired else "unpaired", *by]),
        hypothesis="the ROC curves of first and second cross",
        level=level,
        se=areas.se,
        **facts_of(areas),
        warnings=remarks_on(samples),
        resampling=Resampling("bootstrap", n_resamples, 0, seed, off[:, 0]),
        along=PLACES,
        lead=gap,
    )


def resampled_gaps(samples: list[Rows], n_resamples: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """The gap of the two curves at each place, and how far resamples depart from it."""
    schemes, turns = [RowDraws(sample) for sample in samples], canonical_samples(samples)
    gap = np.subtract(*(turned(ranked.pos, ranked.neg) for sample in samples for ranked in sample.ranked))
    off = np.empty((n_resamples, PLACES.size))
    for line in off:
        drawn = {turn: schemes[turn].draw(rng) for turn in turns}
        heights = [turned(pos, neg) for turn in sorted(drawn) for pos, neg in drawn[turn]]
        line[:] = heights[0] - heights[1] - gap
    return gap, off


def turned(pos: NDArray[Any], neg: NDArray[Any]) -> Array:
    """TPR - FPR of groups in ascending order where FPR + TPR has its places, straight lines between points.

    Examples
    --------
    >>> heights = turned(np.array([0, 1, 1]), np.array([2, 0, 0]))  # all positives above all negatives
    >>> heights[[0, 49, 98]].round(2).tolist()
    [0.02, 1.0, 0.02]
    """
    tpr, fpr = (np.concatenate([[0.0], counts[::-1].cumsum()]) for counts in (pos, neg))
    tpr, fpr = tpr / max(tpr[-1], 1e-300), fpr / max(fpr[-1], 1e-300)
    found: Array = np.interp(PLACES, tpr + fpr, tpr - fpr)
    return found


def _tests(gap: Array, off: Array, level: float) -> dict[str, Any]:
    """Both one-sided tests, that of a crossing, and limits of the gap."""
    errors = off.std(axis=0, ddof=1) if len(off) > 1 else np.zeros(gap.size)
    scale = np.maximum(errors, FLOOR * errors.max())
    if not scale.max():  # curves that are the same in every resample
        return {"statistic": 0.0, "pvalue": 1.0, "lead_low": gap, "lead_high": gap}
    leads = float((gap / scale).max()), float((-gap / scale).max())
    largest = (off / scale).max(axis=1), (-off / scale).max(axis=1)
    pvalues = [(1 + int((drawn >= lead).sum())) / (1 + len(off)) for drawn, lead in zip(largest, leads, strict=True)]
    reach = float(np.quantile(np.maximum(*largest), level, method="higher")) * scale
    return {
        "statistic": min(leads),
        "pvalue": max(pvalues),
        "p_first": pvalues[0],
        "p_second": pvalues[1],
        "lead_low": gap - reach,
        "lead_high": gap + reach,
    }


def remarks_on(samples: list[Rows]) -> tuple[Remark, ...]:
    """Where the measured sizes say to beware."""
    return ()
