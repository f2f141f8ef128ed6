"""Does a measure tell the classes apart at all? Labels are exchanged among the rows."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady._src.base.errors import ArgumentError, InputError, refuse_one_class
from rocsteady._src.base.repeat_counts import repeat_by
from rocsteady._src.base.typed import typed
from rocsteady._src.measures.pairwise.engine import pair_mean
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.ranked import RankedScores, rank
from rocsteady._src.results import Resampling, TestResult
from rocsteady._src.results.base import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocsteady._src.inputs.clean import Missing

    Value = Callable[[RankedScores], float]

SAME = 1e-12
HYPOTHESES = {
    "two-sided": "{name} differs from what labels at random give",
    "greater": "{name} is above what labels at random give",
    "less": "{name} is below what labels at random give",
}


@typed
def measure_null_test(
    measure: Any,
    y_true: object,
    y_score: object = None,
    *,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    n_resamples: int = 9999,
    random_state: int = 0,
    pos_label: Any = None,
    missing: Missing = "raise",
) -> TestResult:
    """Permutation test of whether a measure sees the classes: labels are exchanged among the rows.

    Under the hypothesis that scores and labels have nothing to do with each other every labelling with as many
    positives is as likely. With ``n_resamples`` labellings or fewer all are taken and p is exact; else p is
    (b + 1) / (m + 1), where b of m random ones are as far out as the labels given, and never too small. Two-sided p is
    twice the smaller one. With ``auc`` it is the exact rank-sum test; ``scored_auc`` makes a two-sample test that looks
    at distances, which depends on the scale of the scores.

    Parameters
    ----------
    measure : str, measure or callable
        A registered measure, ``"softened_auc(q=0.5)"``, or a function of the difference d = positive - negative of a
        pair, whose mean over all pairs is tested.
    y_true, y_score : array-like
        Labels and scores, or ranked scores alone. Rows count one each.
    alternative : {"two-sided", "greater", "less"}
        About the measure, compared with its mean over the labellings.
    n_resamples : int
        Labellings to draw.
    random_state : int
        Seed.
    pos_label, missing
        As in :func:`rocsteady.rank`.

    Returns
    -------
    TestResult
        ``statistic`` is the measure, ``estimate`` that minus its mean over the labellings; ``plot()`` draws them.

    Examples
    --------
    >>> import rocsteady as rs
    >>> y, s = [1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.6, 0.3, 0.1]
    >>> found = rs.inference.measure_null_test("scorAUC", y, s, alternative="greater")
    >>> round(found.statistic, 4), found.pvalue, found.method                 # one of 20 labellings is better
    (0.3889, 0.1, 'permutation of labels, all 20')
    """
    if n_resamples < 1:
        raise ArgumentError("n_resamples", f"n_resamples must be at least 1, got {n_resamples!r}")
    ranked = rank(y_true, y_score, pos_label=pos_label, missing=missing)
    refuse_one_class(ranked.n_pos, ranked.n_neg, "exchanging labels needs")
    if not (ranked.exact and ranked.counts_rows):
        raise InputError("weights", "labels are exchanged among rows: weights are not taken")
    name, value = _value_of(measure)
    observed = value(ranked)
    labellings, method = _labellings(ranked, n_resamples, random_state)
    drawn = np.array([value(each) for each in labellings])
    if not np.isfinite([observed, *drawn]).all():
        raise InputError("undefined", f"{name} is undefined for some labellings of these rows")
    return TestResult(
        statistic=observed,
        pvalue=_pvalue(observed, drawn, alternative, exact="all" in method),
        estimate=observed - float(drawn.mean()),
        low=math.nan,
        high=math.nan,
        alternative=alternative,
        method=method,
        hypothesis=HYPOTHESES[alternative].format(name=name),
        **facts_of(ranked),
        resampling=Resampling("permutation", drawn.size, 0, random_state, drawn),
        null=None,
    )


def _value_of(measure: Any) -> tuple[str, Value]:
    if callable(measure) and not hasattr(measure, "sheet"):
        return getattr(measure, "__name__", "the mean"), lambda ranked: float(pair_mean(ranked, measure))
    request = parse_requests([measure])[0]
    if "threshold" in request.sheet.params and "threshold" not in request.params:
        text = f"{request.sheet.name} needs a threshold, such as {request.sheet.name}(threshold=0.5)"
        raise ArgumentError("threshold", text)
    return request.column, lambda ranked: float(request.sheet.compute(ranked, **request.params))


def _labellings(ranked: RankedScores, most: int, seed: int) -> tuple[Iterator[RankedScores], str]:
    rows = (ranked.pos + ranked.neg).astype(np.int64)
    n_pos, total = int(ranked.n_pos), int(rows.sum())
    count = math.comb(total, n_pos)
    if count <= most:
        groups = repeat_by(np.arange(rows.size), rows)
        chosen = (np.bincount(groups[list(each)], minlength=rows.size) for each in combinations(range(total), n_pos))
        return _relabelled(ranked, rows, chosen), f"permutation of labels, all {count}"
    rng = np.random.default_rng(seed)
    dealt = (rng.multivariate_hypergeometric(rows, n_pos) for _ in range(most))
    return _relabelled(ranked, rows, dealt), "permutation of labels"


def _relabelled(ranked: RankedScores, rows: Any, chosen: Iterator[Any]) -> Iterator[RankedScores]:
    return (RankedScores.trusted(ranked.scores, pos, rows - pos, ranked.origin) for pos in chosen)


def _pvalue(observed: float, drawn: Any, alternative: str, *, exact: bool) -> float:
    slack = SAME * max(1.0, abs(observed))
    counts = {"greater": int((drawn >= observed - slack).sum()), "less": int((drawn <= observed + slack).sum())}
    added = 0 if exact else 1  # the labels given are among all labellings
    shares = {side: (count + added) / float(drawn.size + added) for side, count in counts.items()}
    return shares[alternative] if alternative in shares else min(1.0, 2 * min(shares.values()))
