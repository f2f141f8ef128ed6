"""Slow, obviously right answers: every definition written out with fractions over all pairs or all thresholds.

Rows of weight zero are absent. A score is called positive when it is >= the threshold; the threshold ``None``
calls nothing positive. Ties count one half. An answer is a ``Fraction``, an ``mpf`` where a root or an integral
is needed, ``inf`` for x/0, and ``None`` where the definition says 0/0.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, groupby, pairwise
from typing import Any, NamedTuple

import mpmath
import numpy as np

DIGITS = 60
HALF = Fraction(1, 2)
Point = tuple[Fraction, Fraction]


class Row(NamedTuple):
    positive: bool
    score: Any
    weight: Fraction


class Cells(NamedTuple):
    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


def rows_of(labels: Any, scores: Any, weights: Any = None) -> list[Row]:
    """Rows with Python scores, which compare exactly, and weights as fractions."""
    labels, scores = _python(labels), _python(scores)
    weights = [1] * len(labels) if weights is None else _python(weights)
    rows = zip(labels, scores, weights, strict=True)
    return [Row(label == 1, score, Fraction(weight)) for label, score, weight in rows if weight]


def _python(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def relative_error(value: float, reference: Any, *, scale: Any = 0) -> float:
    """Error relative to the larger of the reference and ``scale``; 0 when both are the same non-number."""
    if reference is None or math.isnan(value):
        return 0.0 if reference is None and math.isnan(value) else math.inf
    if reference == value:
        return 0.0
    if math.isinf(value) or reference == math.inf:
        return math.inf
    with mpmath.workdps(DIGITS):
        reference, error = _mpf(reference), abs(_mpf(Fraction(value)) - _mpf(reference))
        largest = max(abs(reference), _mpf(scale))
        return float(error / largest) if largest else math.inf


def _mpf(number: Any) -> mpmath.mpf:
    return mpmath.mpf(number.numerator) / number.denominator if isinstance(number, Fraction) else mpmath.mpf(number)


# Pairs


def pairs(rows: list[Row]) -> list[tuple[Row, Row, Fraction]]:
    positives, negatives = _split(rows)
    return [(p, n, p.weight * n.weight) for p in positives for n in negatives]


def _split(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    return [row for row in rows if row.positive], [row for row in rows if not row.positive]


def total(rows: list[Row]) -> Fraction:
    return sum((row.weight for row in rows), Fraction(0))


def n_pos(rows: list[Row]) -> Fraction:
    return total(_split(rows)[0])


def n_neg(rows: list[Row]) -> Fraction:
    return total(_split(rows)[1])


def step(positive: Row, negative: Row) -> Fraction:
    if positive.score == negative.score:
        return HALF
    return Fraction(int(positive.score > negative.score))


def mean_over_pairs(rows: list[Row], value: Any) -> Fraction | None:
    weighed = pairs(rows)
    weight = sum(w for _, _, w in weighed)
    return sum(value(p, n) * w for p, n, w in weighed) / weight if weight else None


def auc(rows: list[Row]) -> Fraction | None:
    return mean_over_pairs(rows, step)


def gini(rows: list[Row]) -> Fraction | None:
    share = auc(rows)
    return None if share is None else 2 * share - 1


def defective_pairs(rows: list[Row]) -> Fraction | None:
    everything = total(rows)
    if not pairs(rows) or everything < 2:
        return None
    wrong = sum((1 - step(p, n)) * w for p, n, w in pairs(rows))
    return wrong * 2 / (everything * (everything - 1))


def tied_pairs(rows: list[Row]) -> Fraction | None:
    return mean_over_pairs(rows, lambda p, n: int(p.score == n.score))


def auc_if_ties_were(rows: list[Row], credit: int) -> Fraction | None:
    return mean_over_pairs(rows, lambda p, n: credit if p.score == n.score else step(p, n))


def neighbour_steps(rows: list[Row]) -> Any:
    """The next float of the precision that holds all scores, single or double."""
    with np.errstate(over="ignore"):
        single = all(float(np.float32(row.score)) == row.score for row in rows)
    return (lambda a, b: float(np.nextafter(np.float32(a), np.float32(b)))) if single else math.nextafter


def near_tied(first: Any, second: Any, ulps: int, step_towards: Any) -> bool:
    """Whether two different floats are at most so many steps apart."""
    reached = first
    for _ in range(ulps):
        reached = step_towards(reached, second)
        if reached == second:
            return first != second
    return False


def near_tied_pairs(rows: list[Row], ulps: int) -> Fraction | None:
    step_towards = neighbour_steps(rows)
    return mean_over_pairs(rows, lambda p, n: int(near_tied(p.score, n.score, ulps, step_towards)))


def auc_if_near_ties_tied(rows: list[Row], ulps: int) -> Fraction | None:
    step_towards = neighbour_steps(rows)
    return mean_over_pairs(rows, lambda p, n: HALF if near_tied(p.score, n.score, ulps, step_towards) else step(p, n))


def wins_of_each_positive(rows: list[Row]) -> list[Fraction]:
    positives, negatives = _split(rows)
    return [sum((step(p, n) * n.weight for n in negatives), Fraction(0)) for p in positives]


# Thresholds


def thresholds(rows: list[Row]) -> list[Any]:
    """First ``None``, which calls nothing positive, then every observed score, decreasing."""
    return [None, *sorted({row.score for row in rows}, reverse=True)]


def cells(rows: list[Row], threshold: Any) -> Cells:
    def count(*, positive: bool, called: bool) -> Fraction:
        return total([row for row in rows if row.positive is positive and _called(row, threshold) is called])

    return Cells(
        tp=count(positive=True, called=True),
        fp=count(positive=False, called=True),
        fn=count(positive=True, called=False),
        tn=count(positive=False, called=False),
    )


def _called(row: Row, threshold: Any) -> bool:
    return threshold is not None and bool(row.score >= threshold)


def all_cells(rows: list[Row]) -> list[Cells]:
    return [cells(rows, threshold) for threshold in thresholds(rows)]


def divide(part: Any, whole: Any) -> Any:
    if part is None or whole is None:
        return None
    if whole == 0:
        return None if part == 0 else math.inf
    return part / whole


def _all(c: Cells) -> Fraction:
    return c.tp + c.fp + c.fn + c.tn


def recall(c: Cells) -> Any:
    return divide(c.tp, c.tp + c.fn)


def false_positive_rate(c: Cells) -> Any:
    return divide(c.fp, c.fp + c.tn)


def specificity(c: Cells) -> Any:
    return divide(c.tn, c.fp + c.tn)


def false_negative_rate(c: Cells) -> Any:
    return divide(c.fn, c.tp + c.fn)


def precision(c: Cells) -> Any:
    return divide(c.tp, c.tp + c.fp)


def negative_predictive_value(c: Cells) -> Any:
    return divide(c.tn, c.tn + c.fn)


def false_discovery_rate(c: Cells) -> Any:
    return divide(c.fp, c.tp + c.fp)


def false_omission_rate(c: Cells) -> Any:
    return divide(c.fn, c.tn + c.fn)


def accuracy(c: Cells) -> Any:
    return divide(c.tp + c.tn, _all(c))


def error_rate(c: Cells) -> Any:
    return divide(c.fp + c.fn, _all(c))


def prevalence(c: Cells) -> Any:
    return divide(c.tp + c.fn, _all(c))


def base_rate(c: Cells) -> Any:
    share = prevalence(c)
    return None if share is None else max(share, 1 - share)


def of_both(formula: Any, first: Any, second: Any) -> Any:
    return None if first is None or second is None else formula(first, second)


def balanced_accuracy(c: Cells) -> Any:
    return of_both(lambda tpr, tnr: (tpr + tnr) / 2, recall(c), specificity(c))


def youden_j(c: Cells) -> Any:
    return of_both(lambda tpr, tnr: tpr + tnr - 1, recall(c), specificity(c))


def markedness(c: Cells) -> Any:
    return of_both(lambda ppv, npv: ppv + npv - 1, precision(c), negative_predictive_value(c))


def g_mean(c: Cells) -> Any:
    return of_both(lambda tpr, tnr: root(tpr * tnr), recall(c), specificity(c))


def fowlkes_mallows(c: Cells) -> Any:
    return of_both(lambda ppv, tpr: root(ppv * tpr), precision(c), recall(c))


def root(number: Fraction) -> mpmath.mpf:
    with mpmath.workdps(DIGITS):
        return mpmath.sqrt(_mpf(number))


def f_beta(c: Cells, *, beta: Any = 1) -> Any:
    """Van Rijsbergen: the harmonic mean of precision and recall, recall weighing beta squared times as much."""
    square = Fraction(beta) ** 2
    if c.tp == 0:
        return Fraction(0) if c.fp + square * c.fn else None
    return (1 + square) / (1 / precision(c) + square / recall(c))


def f1(c: Cells) -> Any:
    return f_beta(c)


def jaccard(c: Cells) -> Any:
    return divide(c.tp, _all(c) - c.tn)


def positive_likelihood_ratio(c: Cells) -> Any:
    return divide(recall(c), false_positive_rate(c))


def negative_likelihood_ratio(c: Cells) -> Any:
    return divide(false_negative_rate(c), specificity(c))


def diagnostic_odds_ratio(c: Cells) -> Any:
    return divide(c.tp * c.tn, c.fp * c.fn)


def matthews_correlation(c: Cells) -> Any:
    """Pearson's correlation of label and decision, both coded 0 and 1."""
    everything = _all(c)
    labels, calls = (c.tp + c.fn) / everything, (c.tp + c.fp) / everything
    covariance = c.tp / everything - labels * calls
    variances = labels * (1 - labels) * calls * (1 - calls)
    with mpmath.workdps(DIGITS):
        return _mpf(covariance) / root(variances) if variances else None


def cohen_kappa(c: Cells) -> Any:
    """Observed agreement against the agreement of independent answers with the same margins."""
    everything = _all(c)
    observed = (c.tp + c.tn) / everything
    expected = ((c.tp + c.fp) * (c.tp + c.fn) + (c.fn + c.tn) * (c.fp + c.tn)) / everything**2
    return divide(observed - expected, 1 - expected)


# Tops of the list


def expected_hits(rows: list[Row], k: Any) -> Fraction:
    """Positives expected among the k highest when rows of equal score come in random order.

    A k between two whole ranks lies on the straight line between them. Whole weights are repeated rows and are
    drawn without replacement; other weights are that in the limit of fine division.
    """
    k = Fraction(k)
    whole = all(row.weight.denominator == 1 for row in rows) and total(rows) < 200
    if not whole:
        return _hits(rows, k, _mean_of_fluid)
    low, high = (_hits(rows, Fraction(at), _mean_of_draws) for at in (math.floor(k), math.ceil(k)))
    return low + (k - math.floor(k)) * (high - low)


def _hits(rows: list[Row], k: Fraction, mean_of_group: Any) -> Fraction:
    found = Fraction(0)
    for score in thresholds(rows)[1:]:
        group = [row for row in rows if row.score == score]
        taken = min(k, total(group))
        found += mean_of_group(n_pos(group), total(group), taken)
        k -= taken
    return found


def _mean_of_draws(positives: Fraction, size: Fraction, drawn: Fraction) -> Fraction:
    """Expectation of the hypergeometric distribution, outcome by outcome."""
    p, g, r = int(positives), int(size), int(drawn)
    outcomes = range(max(0, r - (g - p)), min(p, r) + 1)
    return sum(
        (Fraction(h * math.comb(p, h) * math.comb(g - p, r - h), math.comb(g, r)) for h in outcomes), Fraction(0)
    )


def _mean_of_fluid(positives: Fraction, size: Fraction, drawn: Fraction) -> Fraction:
    return positives * drawn / size


def r_precision(rows: list[Row]) -> Fraction | None:
    return divide(expected_hits(rows, n_pos(rows)), n_pos(rows))


def precision_at_k(rows: list[Row], k: Any) -> Fraction | None:
    return None if k > total(rows) else expected_hits(rows, k) / Fraction(k)


def recall_at_k(rows: list[Row], k: Any) -> Fraction | None:
    return None if k > total(rows) else divide(expected_hits(rows, k), n_pos(rows))


def lift(rows: list[Row], fraction: Any) -> Fraction | None:
    """Precision at the top over prevalence."""
    top = Fraction(fraction) * total(rows)
    return divide(expected_hits(rows, top) / top, n_pos(rows) / total(rows))


def average_precision(rows: list[Row]) -> Fraction | None:
    """Mean over the positives of the precision at their score."""
    positives = [row for row in rows if row.positive]
    weighed = sum(row.weight * precision(cells(rows, row.score)) for row in positives)
    return divide(weighed, n_pos(rows))


def pr_area(rows: list[Row]) -> mpmath.mpf:
    """Davis and Goadrich: false positives linear in true ones between thresholds, integrated numerically."""
    with mpmath.workdps(DIGITS):
        segments = pairwise(all_cells(rows))
        area = sum((_pr_segment(a, b) for a, b in segments if b.tp > a.tp), mpmath.mpf(0))
        return area / _mpf(n_pos(rows))


def _pr_segment(start: Cells, stop: Cells) -> mpmath.mpf:
    gained = stop.tp - start.tp
    if start.tp + start.fp == 0:
        return _mpf(gained * precision(stop))
    tp, fp, rise, paid = map(_mpf, (start.tp, start.fp, gained, stop.fp - start.fp))
    near_its_pole = 10 * (tp + fp) < rise + paid  # below 0, where many more are called next than were before
    cuts = [0, *(mpmath.mpf(10) ** -power for power in range(20, 0, -4)), 1] if near_its_pole else [0, 1]
    value, error = mpmath.quad(lambda t: (tp + t * rise) / (tp + fp + t * (rise + paid)), cuts, error=True)
    assert error < 1e-20
    return value * rise


# Curves


def roc_points(rows: list[Row]) -> list[Point]:
    """(FPR, TPR) at every threshold, from (0, 0) to (1, 1)."""
    return [(false_positive_rate(c), recall(c)) for c in all_cells(rows)]


def ks_statistic(rows: list[Row]) -> Fraction:
    return max(tpr - fpr for fpr, tpr in roc_points(rows))


def area_under(points: list[Point], start: Any = 0, stop: Any = 1) -> Fraction:
    """Area under straight lines between the points, over abscissae from ``start`` to ``stop``."""
    return sum((_segment_area(a, b, Fraction(start), Fraction(stop)) for a, b in pairwise(points)), Fraction(0))


def _segment_area(left: Point, right: Point, start: Fraction, stop: Fraction) -> Fraction:
    low, high = max(left[0], start), min(right[0], stop)
    if low >= high:
        return Fraction(0)
    slope = (right[1] - left[1]) / (right[0] - left[0])
    middle = left[1] + slope * ((low + high) / 2 - left[0])
    return (high - low) * middle


def partial_auc(rows: list[Row], *, fpr_range: Any = None, tpr_range: Any = None, standardize: bool = False) -> Any:
    """Area over FPR, or area to the right of the curve over TPR; McClish puts the diagonal at one half."""
    points, limits = roc_points(rows), fpr_range or (0, 0.1)
    diagonal: list[Point] = [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))]
    if tpr_range is not None:
        points, diagonal, limits = _to_the_right(points), _to_the_right(diagonal), tpr_range
    area = area_under(points, *limits)
    if not standardize:
        return area
    least, most = area_under(diagonal, *limits), Fraction(limits[1]) - Fraction(limits[0])
    return (1 + (area - least) / (most - least)) / 2


def _to_the_right(points: list[Point]) -> list[Point]:
    return [(tpr, 1 - fpr) for fpr, tpr in points]


def hull(points: list[Point]) -> list[Point]:
    """Vertices of the upper convex hull by Andrew's monotone chain, exactly."""
    vertices: list[Point] = []
    for point in sorted(set(points)):
        while len(vertices) > 1 and not _right_turn(vertices[-2], vertices[-1], point):
            vertices.pop()
        vertices.append(point)
    return vertices


def _right_turn(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) < (b[1] - a[1]) * (c[0] - a[0])


def auch(rows: list[Row]) -> Fraction:
    return area_under(hull(roc_points(rows)))


def h_measure(rows: list[Row], *, alpha: Any = 2, beta: Any = 2) -> mpmath.mpf:
    """Hand: 1 - expected loss of the best threshold at each cost / that of the better of all and nothing."""
    losses = [(c.fp, c.fn) for c in all_cells(rows)]
    with mpmath.workdps(DIGITS):
        share = 1 - _least_loss(losses, alpha, beta) / _least_loss([losses[0], losses[-1]], alpha, beta)
        return mpmath.chop(share, tol=mpmath.mpf(10) ** (10 - DIGITS))


def _least_loss(losses: list[Point], alpha: Any, beta: Any) -> mpmath.mpf:
    """Integrate min over thresholds of c FP + (1 - c) FN, up to the constant of the Beta density."""
    costs = (_crossing(a, b) for a, b in combinations(set(losses), 2))
    crossings = {cost for cost in costs if cost is not None}
    pieces = list(pairwise([Fraction(0), *sorted(crossings), Fraction(1)]))
    value = mpmath.mpf(0)
    for (fp, fn), run in groupby(pieces, key=lambda piece: _best_at(sum(piece) / 2, losses)):
        (low, _), *_, (_, high) = [*run] * 2
        value += _loss_between(low, high, _mpf(fp), _mpf(fn), alpha, beta)
    return value


def _crossing(first: Point, second: Point) -> Fraction | None:
    """The cost at which two thresholds lose alike, where there is one."""
    more_fp, more_fn = first[0] - second[0], first[1] - second[1]
    cost = divide(more_fn, more_fn - more_fp)
    return cost if cost is not None and cost != math.inf and 0 < cost < 1 else None


def _best_at(cost: Fraction, losses: list[Point]) -> Point:
    return min(losses, key=lambda loss: cost * loss[0] + (1 - cost) * loss[1])


def _loss_between(low: Fraction, high: Fraction, fp: Any, fn: Any, alpha: Any, beta: Any) -> mpmath.mpf:
    start, rest, width = _mpf(low), _mpf(1 - low), _mpf(high - low)
    most = max(fp, fn)  # in units of which the integral is asked for: the digits that are sought are no relative ones
    if not most:
        return most
    if not (float(alpha).is_integer() and float(beta).is_integer()):
        part = {"x1": start, "x2": start + width}
        return fp * mpmath.betainc(alpha + 1, beta, **part) + fn * mpmath.betainc(alpha, beta + 1, **part)

    def weighed_loss(t: mpmath.mpf) -> mpmath.mpf:
        c, d = start + t * width, rest - t * width
        return (c * fp + d * fn) / most * c ** (alpha - 1) * d ** (beta - 1)

    return most * width * mpmath.quad(weighed_loss, [0, 1], method="gauss-legendre")  # a few points know a polynomial
