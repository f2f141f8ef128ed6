"""The one engine for variances of means: against fractions, and by the laws that tie its kinds of units together."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsteady as rs
from cases import each_case
from rocsteady._src.inference.units.precision import precision_components
from rocsteady._src.inference.units.units import Units, as_for_rows, mean_known, of_groups, over_rows, unbiased

Array = NDArray[np.float64]
SOURCES = Path(__file__).parent.parent / "src" / "rocsteady" / "_src"
N = 60


def drawn(seed: int) -> tuple[Array, NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Two lines of values, a class, a whole weight and a subject of each row."""
    rng = np.random.default_rng(seed)
    positive = rng.random(N) < 0.4
    positive[:4] = True, True, False, False
    subjects = np.unique(rng.integers(0, 17, N), return_inverse=True)[1]
    return rng.integers(-8, 9, (2, N)) / 4.0, positive, rng.integers(1, 5, N), subjects


def centred(values: Array, masks: list[NDArray[np.bool_]], units: Units) -> Array:
    away = values.copy()
    for mask in masks:
        held = units.held(mask)
        away[:, mask] -= (away[:, mask] @ held / held.sum())[:, None]
    return away


def covariance(values: Array, units: Units, positive: NDArray[np.bool_], **options: object) -> Array:
    masks = [positive, ~positive]
    away = centred(values, masks, units)
    return units.covariance(lambda _, chosen: away[:, chosen], masks, **options)


def in_fractions(values: NDArray[Any]) -> NDArray[Any]:
    return np.array([Fraction(float(value)) for value in values.ravel()], dtype=object).reshape(values.shape)


def slow(values: Array, units: Units, positive: NDArray[np.bool_]) -> Array:
    """Covariance of two sums over both classes of weighted means, in fractions, straight from the definition."""
    held, lines, subjects = in_fractions(units.held()), in_fractions(values), np.unique(units.numbers)
    sums, counts = [], []
    for mask in (positive, ~positive):
        means = (lines[:, mask] @ held[mask]) / held[mask].sum()
        away = np.where(mask, (lines - means[:, None]) * held / held[mask].sum(), Fraction(0))
        sums.append(np.stack([away[:, units.numbers == each].sum(axis=1) for each in subjects], axis=1))
        counts.append(np.unique(units.numbers[mask]).size)
    pos, neg = sums
    factors = [Fraction(n, n - 1) for n in (*counts, subjects.size)]
    across = factors[2] * (pos @ neg.T)
    return (factors[0] * (pos @ pos.T) + factors[1] * (neg @ neg.T) + across + across.T).astype(np.float64)


@pytest.mark.parametrize("kind", ["sampling", "subjects", "subjects, weighted"])
def test_against_fractions(kind: str) -> None:
    values, positive, weights, subjects = drawn(3)
    units = {
        "sampling": Units(N, weights / 4, "sampling"),
        "subjects": Units(N, None, None, subjects),
        "subjects, weighted": Units(N, weights, "frequency", subjects),
    }[kind]
    found = covariance(values, units, positive).sum(axis=(0, 1))
    assert found == pytest.approx(slow(values, units, positive), rel=1e-12)


def test_rows_against_numpy() -> None:
    values, positive, _, _ = drawn(4)
    found = covariance(values, Units(N), positive)
    for side, mask in enumerate((positive, ~positive)):
        assert found[side, side] == pytest.approx(np.cov(values[:, mask]) / mask.sum(), rel=1e-12)
    assert not found[0, 1].any()


def test_a_frequency_weight_repeats_its_row() -> None:
    values, positive, weights, subjects = drawn(5)
    long = np.repeat(np.arange(N), weights)
    for some in (None, subjects):
        weighted = Units(N, weights, "frequency", some)
        written_out = Units(long.size, None, None, None if some is None else some[long])
        expected = covariance(values[:, long], written_out, positive[long])
        assert covariance(values, weighted, positive) == pytest.approx(expected, rel=1e-12)
        assert weighted.count(positive) == written_out.count(positive[long])


def test_a_sampling_weight_is_one_unit_whatever_its_scale() -> None:
    values, positive, weights, _ = drawn(6)
    expected = covariance(values, Units(N, weights.astype(float), "sampling"), positive)
    for other in (Units(N, weights * 1000.0, "sampling"), Units(N, weights, "sampling", np.arange(N))):
        assert covariance(values, other, positive) == pytest.approx(expected, rel=1e-11, abs=1e-18)
        assert other.count(positive) == positive.sum()
    equal = Units(N, np.full(N, 7.0), "sampling")
    assert covariance(values, equal, positive) == pytest.approx(covariance(values, Units(N), positive), rel=1e-12)
    assert equal.worth(positive) == pytest.approx(positive.sum())
    assert Units(N, weights, "sampling").worth(positive) < positive.sum()


@pytest.mark.parametrize("subjects_known", [False, True])
def test_sums_of_statistics_follow_from_the_matrix(subjects_known: bool) -> None:
    values, positive, weights, subjects = drawn(7)
    units = Units(N, weights / 3, "sampling", subjects if subjects_known else None)
    both = covariance(values, units, positive)
    mixed = covariance(np.array([2.0, -3.0])[None] @ values, units, positive)
    assert mixed[:, :, 0, 0] == pytest.approx(np.einsum("cdij,i,j->cd", both, [2.0, -3.0], [2.0, -3.0]), rel=1e-10)


@each_case("kind", [None, "frequency", "sampling"])
@each_case("subjects_known", [False, True])
def test_exact_sums_do_not_depend_on_the_order_of_rows(kind: str | None, subjects_known: bool) -> None:
    values, positive, weights, subjects = drawn(8)
    order = np.random.default_rng(1).permutation(N)
    held = None if kind is None else weights
    one, two = values[0] / 3, Units(N, held, kind, subjects if subjects_known else None)
    shuffled = Units(N, None if held is None else held[order], kind, subjects[order] if subjects_known else None)
    plain = two.covariance(lambda _, rows: one[None, rows], [positive, ~positive], exact=True)
    again = shuffled.covariance(lambda _, rows: one[order][None, rows], [positive[order], ~positive[order]], exact=True)
    near = two.covariance(lambda _, rows: one[None, rows], [positive, ~positive])
    assert plain == pytest.approx(near, rel=1e-12)
    if not subjects_known:  # the rows of a subject are added in their order
        assert np.array_equal(plain, again)
    assert again == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("kind", [None, "frequency", "sampling"])
def test_the_error_of_one_mean_is_the_root_of_its_variance(kind: str | None) -> None:
    values, positive, weights, subjects = drawn(9)
    held = None if kind is None else weights
    everything = np.ones(N, dtype=bool)
    for some in (None, subjects):
        units = Units(N, held, kind, some)
        away = centred(values, [everything], units)
        expected = units.covariance(lambda _, rows, away=away: away[:1, rows], [everything])[0, 0, 0, 0]  # type: ignore[misc]
        se, _ = units.error(away[0], [(slice(None), 1.0)])
        assert se**2 == pytest.approx(expected, rel=1e-12)
    sides = [(positive, 0.3), (~positive, 0.7)]
    rows = Units(N, held, kind)
    away = centred(values, [positive, ~positive], rows)[0]
    parts = [share**2 * rows.variance(away[mask], mask) for mask, share in sides]
    assert rows.error(away, sides)[0] ** 2 == pytest.approx(sum(parts), rel=1e-12)


@pytest.mark.parametrize("kind", [None, "frequency", "sampling", "subjects"])
def test_many_classes_at_once_are_each_class_alone(kind: str | None) -> None:
    values, positive, weights, subjects = drawn(10)
    units = Units(N, weights, "sampling", subjects) if kind == "subjects" else Units(N, weights if kind else None, kind)
    codes = positive.astype(np.intp)
    away = centred(values, [positive, ~positive], units)[0]
    found = units.by_class(away, codes, 3)
    for code in (0, 1):
        mask = codes == code
        own = units.covariance(lambda _, rows: away[None, rows], [mask])[0, 0, 0, 0]
        expected = own * units.held(mask).sum() ** 2
        assert found.variances[code] == pytest.approx(expected, rel=1e-12)
        assert found.counts[code] == units.count(mask)
        assert found.worth[code] == pytest.approx(units.worth(mask), rel=1e-12)
    assert found.variances[2] == 0


def test_one_unit_tells_nothing() -> None:
    alone = np.array([True, False, False])
    for units in (Units(3), Units(3, np.ones(3), "sampling"), Units(3, None, None, np.array([0, 1, 1]))):
        found = units.covariance(lambda _, rows: np.ones((1, rows.size)), [alone, ~alone])
        assert np.isnan(found[0, 0, 0, 0])
    told = over_rows(1.0, 1.0), of_groups(np.ones(1), np.ones(1), 1), unbiased(1)
    assert np.isnan(told).all()


def test_factors_agree_where_every_row_is_a_unit() -> None:
    assert as_for_rows(7, 7) == mean_known(7, 7) == 1.0
    assert as_for_rows(7, 10**9) == pytest.approx(unbiased(7))
    away = np.array([0.5, -1.5, 1.0])
    assert of_groups(away, np.array([4, 2, 1]), 7) == pytest.approx(over_rows([4, 2, 1] @ away**2, 7))


def test_the_small_sample_factor_is_written_once() -> None:
    written = re.compile(r"(?<![\w.])([\w.]+) / \(\1 - 1\)")
    found = [
        f"{path.relative_to(SOURCES)}: {line.strip()}"
        for path in sorted(SOURCES.rglob("*.py"))
        for line in path.read_text().splitlines()
        if written.search(line) and (" = " in line or "return" in line)
    ]
    assert [line.split(":")[0] for line in found] == ["inference/units/units.py"], found


@pytest.mark.parametrize("code", ["single_class", "not_probabilities"])
def test_refusals_that_many_give_are_written_once(code: str) -> None:
    """Two others of the laboratory and one of the command line know more than the classes: which set, which data."""
    raising = re.compile(rf'InputError\(\s*"{code}"')
    found = {str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py") if raising.search(path.read_text())}
    own = {"extras/lab/sets.py", "extras/lab/selection_data.py", "extras/learning/risk.py",
           "extras/learning/classifier.py", "views/cli/source.py"}  # fmt: skip
    assert found == {"base/errors.py"} | (own if code == "single_class" else set())


@each_case("kind", ["rows", "ties", "weights"])
def test_what_a_row_adds_to_average_precision_is_its_derivative(kind: str) -> None:
    rng = np.random.default_rng(5)
    y = rng.random(30) < 0.4
    s = rng.integers(0, 6, 30).astype(float) if kind == "ties" else rng.random(30) + y / 2
    weight = rng.random(30) + 0.2 if kind == "weights" else np.ones(30)
    ranked = rs.rank(y, s, sample_weight=weight if kind == "weights" else None)
    parts, places = precision_components(ranked), np.searchsorted(ranked.scores, s)
    added = np.where(y, parts.of_pos[places], parts.of_neg[places])
    assert weight @ added / weight.sum() == pytest.approx(parts.theta, abs=1e-12)
    for row in np.eye(30) * 1e-5:
        up, down = (rs.average_precision(y, s, sample_weight=weight + sign * row) for sign in (1, -1))
        assert (up - down) / 2e-5 * weight.sum() == pytest.approx(added[row > 0][0] - parts.theta, abs=1e-6)
