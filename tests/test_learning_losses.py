"""Losses over pairs and their gradients: against all pairs in extended precision, and against finite differences."""

from __future__ import annotations

from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rocsteady as rs
from cases import each_case
from pair_losses import LONG, LOSS, all_pairs, hardest_negatives
from rocsteady._src.extras.learning.risk import PairRisk, focused_weights, make_loss
from rocsteady._src.measures.pairwise import smooth
from rocsteady.learning import pairwise_loss_and_gradient
from strategies import ALL_WEIGHTS, ScoreTable, score_tables

LOSSES = list(LOSS)
KINDS = ("heavy ties", "near ties", "eighths", "small integers", "signed zeros", "probabilities", "half precision")
CUT = np.exp(-45.0)  # where the tails of smooth losses are cut
BETAS = (1e-3, 0.5, 1.0, 7.0, 40.0)
tables = score_tables(scores=KINDS, weights=ALL_WEIGHTS)
places = st.tuples(st.sampled_from([0.01, 1.0, 9.0]), st.sampled_from([0.0, -3.0, 4096.0]))


def risk_of(table: ScoreTable, loss: str, beta: float) -> PairRisk:
    return PairRisk.of(table.y_true == 1, table.sample_weight, make_loss(loss, beta))


def moved(table: ScoreTable, place: tuple[float, float]) -> np.ndarray:
    scale, offset = place
    return table.y_score.astype(float) * scale + offset


def rows(n: int, seed: int = 0, *, weighted: bool = True, tied: bool = False) -> ScoreTable:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    s = rng.normal(size=n) + y
    return ScoreTable(y, np.round(s, 1) if tied else s, rng.random(n) * (rng.random(n) < 0.95) if weighted else None)


def assert_close(found: np.ndarray, truth: np.ndarray, allowed: float, least: float = 0.0) -> None:
    """An exponential may be larger than doubles go; it is infinite then, and must be so."""
    beyond = np.abs(truth) > np.finfo(np.float64).max
    np.testing.assert_array_equal(found[beyond], np.sign(truth[beyond]) * np.inf)
    assert np.isfinite(found[~beyond]).all()
    assert (np.abs(found - truth)[~beyond] <= allowed * np.abs(truth).max() + least).all()


@settings(max_examples=30, deadline=None)
@given(table=tables, place=places, beta=st.sampled_from(BETAS))
@example(ScoreTable(np.array([1, 0, 0]), np.array([0, 0, 2]), None), (9.0, 0.0), 40.0)
@example(ScoreTable(np.array([1, 0, 0]), np.array([-2, 0, 0]), None), (9.0, 0.0), 40.0)
def test_loss_gradient_and_curvature_equal_all_pairs(
    table: ScoreTable, place: tuple[float, float], beta: float
) -> None:
    s = moved(table, place)
    for loss in LOSSES:
        # A derivative is made of a row's pairs before its weight: there one may be too large for a float that is light.
        if loss != "exponential" or table.sample_weight is None or beta * np.ptp(s) < 700:
            equal_all_pairs(loss, table, s, beta)


def equal_all_pairs(loss: str, table: ScoreTable, s: np.ndarray, beta: float) -> None:
    truth = all_pairs(s, table.y_true, loss, beta, table.sample_weight)
    for pair_cost in (0.0, 1e3):  # one by one, and by boxes
        with mock.patch.object(smooth, "PAIR_COST", pair_cost):
            equals(truth, loss, table, s, beta)


def equals(truth: Any, loss: str, table: ScoreTable, s: np.ndarray, beta: float) -> None:
    found = risk_of(table, loss, beta).at(s, curvature=True)
    if truth.loss > np.finfo(np.float64).max:
        assert found.value == found.value.error_bound == np.inf
    else:
        assert abs(found.value - truth.loss) <= min(1e-9 * truth.loss + CUT, found.value.error_bound + 1e-300)
    assert_close(found.gradient, truth.gradient, 1e-9, CUT * beta)
    if loss != "squared_hinge" or not at_the_kink(s, table.y_true, beta):
        assert_close(found.curvature, truth.curvature, 1e-9, CUT * beta**2)


def at_the_kink(s: np.ndarray, y: np.ndarray, beta: float) -> bool:
    """Whether rounding of d may decide on which side of the jump of the second derivative a pair lies."""
    u = beta * (s[y == 1][:, None] - s[y == 0])
    return bool((np.abs(u - 1) < 1e-9 * (1 + beta * np.abs(s).max())).any())


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("beta", [0.05, 30.0])
@pytest.mark.parametrize("tied", [False, True])
def test_large_tables_equal_all_pairs(loss: str, beta: float, tied: bool) -> None:
    """Sizes at which the boxes are taken by themselves; errors far below what is promised."""
    table = rows(600, tied=tied)
    value, gradient = pairwise_loss_and_gradient(
        table.y_score, table.y_true, loss=loss, beta=beta, sample_weight=table.sample_weight
    )
    truth = all_pairs(table.y_score, table.y_true, loss, beta, table.sample_weight)
    assert (value.method == "Chebyshev boxes") == (loss in {"logistic", "soft_auc"})
    assert abs(value - truth.loss) <= value.error_bound <= 1e-9 * truth.loss
    assert_close(gradient, truth.gradient, 1e-13)


@pytest.mark.parametrize("loss", ["logistic", "soft_auc"])
def test_the_bound_of_the_boxes_has_room_to_spare(loss: str) -> None:
    table = rows(500)
    for beta in (0.1, 1.0, 10.0):
        found = risk_of(table, loss, beta).at(table.y_score)
        truth = all_pairs(table.y_score, table.y_true, loss, beta, table.sample_weight)
        assert found.value.method == "Chebyshev boxes"
        assert abs(LONG(found.value) - truth.loss) <= 0.1 * found.value.error_bound


@settings(max_examples=12, deadline=None)
@given(table=score_tables(scores=("probabilities", "eighths", "heavy ties"), weights=("none", "floats")))
def test_gradients_equal_finite_differences(table: ScoreTable) -> None:
    for loss in LOSSES:
        equals_finite_differences(loss, table)


def equals_finite_differences(loss: str, table: ScoreTable) -> None:
    risk, s = risk_of(table, loss, 1.3), table.y_score.astype(float)
    step, gradient = 1e-5, risk.at(s).gradient
    for row, slope in enumerate(gradient):
        moves = np.zeros(s.size)
        moves[row] = step
        difference = (risk.at(s + moves).value - risk.at(s - moves).value) / (2 * step)
        assert difference == pytest.approx(slope, abs=3e-9 + 1e-7 * abs(slope))


@pytest.mark.parametrize("loss", ["logistic", "exponential", "squared_hinge"])
def test_the_curvature_is_the_derivative_of_the_gradient(loss: str) -> None:
    table, step = rows(40), 1e-6
    risk = risk_of(table, loss, 1.0)
    curvature = risk.at(table.y_score, curvature=True).curvature
    for row in range(40):
        moves = step * (np.arange(40) == row)
        ends = [risk.at(table.y_score + sign * moves).gradient[row] for sign in (1, -1)]
        assert curvature[row] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_of_the_two_classes_balance(loss: str) -> None:
    """Adding a constant to all scores changes no pair."""
    table = rows(5000)
    found = risk_of(table, loss, 2.0).at(table.y_score)
    assert abs(found.gradient.sum()) <= 1e-13 * np.abs(found.gradient).sum()
    assert (found.gradient[table.y_true == 1] <= 0).all()
    assert (found.gradient[table.y_true == 0] >= 0).all()


@pytest.mark.parametrize("loss", LOSSES)
def test_a_weight_is_a_repetition_and_no_weight_is_no_row(loss: str) -> None:
    rng = np.random.default_rng(3)
    y, s, w = np.arange(30) % 2, rng.integers(0, 9, 30) / 4, rng.integers(0, 4, 30)
    once = pairwise_loss_and_gradient(s, y, loss=loss, sample_weight=w)
    often = pairwise_loss_and_gradient(np.repeat(s, w), np.repeat(y, w), loss=loss)
    assert once[0] == pytest.approx(float(often[0]), rel=1e-12)
    together = np.bincount(np.repeat(np.arange(30), w), often[1], minlength=30)
    assert once[1] == pytest.approx(together, abs=1e-15)
    assert (once[1][w == 0] == 0).all()


def test_one_minus_soft_auc_is_its_loss() -> None:
    table = rows(4000)
    soft = rs.soft_auc(table.y_true, table.y_score, beta=3.0, sample_weight=table.sample_weight)
    loss, _ = pairwise_loss_and_gradient(
        table.y_score, table.y_true, loss="soft_auc", beta=3.0, sample_weight=table.sample_weight
    )
    assert loss == pytest.approx(1 - soft, abs=1e-13)


@pytest.mark.parametrize("loss", LOSSES)
def test_all_scores_equal(loss: str) -> None:
    """Where a fit starts: thousands of ties, and boxes of no width."""
    y = np.arange(5000) % 5 == 0
    for beta in (1e-3, 1.0, 1e3):
        found = PairRisk.of(y, None, make_loss(loss, beta)).at(np.full(5000, 0.7))
        assert found.value == pytest.approx(float(LOSS[loss](np.zeros(1, dtype=LONG))[0]), rel=1e-14)
        slope = {"logistic": 0.5, "squared_hinge": 2.0, "exponential": 1.0, "soft_auc": 0.25}[loss] * beta
        assert found.gradient == pytest.approx(np.where(y, -slope / 1000, slope / 4000), rel=1e-13)


@pytest.mark.parametrize("loss", ["logistic", "exponential", "soft_auc"])
def test_classes_far_apart_keep_their_digits(loss: str) -> None:
    """Tails are cut far below the hardest pair, wherever that stands."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    s = rng.random(400) + 90.0 * y
    for pair_cost in (0.0, 1e3):
        with mock.patch.object(smooth, "PAIR_COST", pair_cost):
            found = PairRisk.of(y == 1, None, make_loss(loss, 2.0)).at(s)
        truth = all_pairs(s, y, loss, 2.0)
        assert found.value == pytest.approx(float(truth.loss), rel=1e-9)
        assert_close(found.gradient, truth.gradient, 1e-9)


def test_a_light_weight_brings_a_large_exponential_back_into_range() -> None:
    weights = np.ones(12)
    weights[-1] = 1e8
    found, gradient = pairwise_loss_and_gradient(
        np.r_[-18.0, np.zeros(9), 0.0, -18.0],
        np.r_[1, np.zeros(11)],
        loss="exponential",
        beta=39.5,
        sample_weight=weights,
    )
    assert found == pytest.approx(10 / (10 + 1e8) * np.exp(39.5 * 18 - 3) * np.exp(3), rel=1e-9)
    assert np.isfinite(gradient[0])


def test_exponential_loss_overflows_to_infinity_and_not_before() -> None:
    at = [pairwise_loss_and_gradient([0.0, gap], [1, 0], loss="exponential")[0] for gap in (700.0, 720.0)]
    assert at == [np.exp(700.0), np.inf]
    far = pairwise_loss_and_gradient([-400.0, 9e5, -400.5, -1e6], [1, 1, 0, 0], loss="exponential")
    assert far[0] == pytest.approx(np.exp(-0.5) / 4)
    assert not np.isnan(far[1]).any()


# The left end of the curve


@settings(max_examples=12, deadline=None)
@given(table=score_tables(scores=("heavy ties", "eighths", "probabilities"), weights=("none", "floats")))
def test_focus_is_the_loss_of_the_chosen_negatives(table: ScoreTable) -> None:
    for focus, loss in product([(0.0, 0.1), (0.0, 0.37), (0.2, 0.5), (0.9, 1.0)], LOSSES):
        is_the_loss_of_the_chosen(loss, focus, table)


def is_the_loss_of_the_chosen(loss: str, focus: tuple[float, float], table: ScoreTable) -> None:
    s = table.y_score.astype(float)
    value, gradient = pairwise_loss_and_gradient(
        s, table.y_true, loss=loss, sample_weight=table.sample_weight, fpr_range=focus
    )
    chosen = hardest_negatives(s, table.y_true, *focus, table.sample_weight)
    truth = all_pairs(s, table.y_true, loss, weights=chosen)
    assert value == pytest.approx(float(truth.loss), rel=1e-9)
    assert_close(gradient, truth.gradient, 1e-9)


def test_focus_of_the_step_loss_is_the_partial_area() -> None:
    """The chosen negatives are those under the partial AUC: its mean over pairs is the mean height of the curve."""
    table = rows(400)
    chosen = hardest_negatives(table.y_score, table.y_true, 0.1, 0.3, table.sample_weight)
    partial = rs.partial_auc(table.y_true, table.y_score, fpr_range=(0.1, 0.3), sample_weight=table.sample_weight)
    assert rs.auc(table.y_true, table.y_score, sample_weight=chosen) == pytest.approx(partial / 0.2, rel=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_of_a_focus_equal_finite_differences(loss: str) -> None:
    """Where no score is tied the choice does not change under a small move."""
    table, step = rows(60), 1e-6
    risk = PairRisk.of(table.y_true == 1, table.sample_weight, make_loss(loss, 1.0), (0.05, 0.4))
    gradient = risk.at(table.y_score).gradient
    for row in range(60):
        moves = step * (np.arange(60) == row)
        ends = [float(risk.at(table.y_score + sign * moves).value) for sign in (1, -1)]
        assert gradient[row] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5, abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(first=tables, seed=st.integers(0, 99), share=st.floats(0.05, 0.95))
def test_a_focus_on_the_hardest_is_convex(first: ScoreTable, seed: int, share: float) -> None:
    """Above every tangent: the value at any scores is at least the value and slope from any others."""
    for loss in ("logistic", "squared_hinge", "exponential"):
        is_convex(loss, first, seed, share)


def is_convex(loss: str, first: ScoreTable, seed: int, share: float) -> None:
    risk = PairRisk.of(first.y_true == 1, first.sample_weight, make_loss(loss, 1.0), (0.0, share))
    assert risk.convex
    here = first.y_score.astype(float)
    there = np.random.default_rng(seed).permutation(here) + np.random.default_rng(seed).normal(size=here.size)
    at = risk.at(here)
    assert risk.at(there).value >= at.value + at.gradient @ (there - here) - 1e-9 * (1 + np.abs(there).max())


def test_weights_of_a_focus_add_up_to_one_and_tied_negatives_share() -> None:
    weights = focused_weights(np.array([3.0, 2.0, 2.0, 1.0]), np.full(4, 0.25), (0.0, 0.5))
    assert weights.tolist() == [0.5, 0.25, 0.25, 0.0]


# Refusals


@each_case(
    ("options", "code"),
    [
        ({"loss": "hinge"}, "loss"),
        ({"beta": 0.0}, "beta"),
        ({"beta": float("nan")}, "beta"),
        ({"fpr_range": (0.5, 0.5)}, "fpr_range"),
        ({"fpr_range": 0.1}, "fpr_range"),
        ({"sample_weight": [1.0, 2.0]}, "lengths_differ"),
        ({"sample_weight": [1.0, 0.0, 0.0]}, "single_class"),
        ({"sample_weight": [1.0, None, 1.0]}, "missing_values"),
        ({"sample_weight": [1.0, -1.0, 1.0]}, "weights_negative"),
    ],
)
def test_refusals_name_the_argument(options: dict[str, object], code: str) -> None:
    with pytest.raises(rs.RocsteadyError) as refused:
        pairwise_loss_and_gradient([0.1, 0.2, 0.3], [1, 0, 0], **options)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("scores", "y", "code"),
    [
        ([1.0, np.inf], [1, 0], "infinite_scores"),
        ([1.0, np.nan], [1, 0], "missing_values"),
        ([-1e308, 1.7e308], [1, 0], "score_range"),
        ([1.0, 2.0], [1, 1], "single_class"),
    ],
)
def test_scores_without_a_loss_are_refused(scores: list[float], y: list[int], code: str) -> None:
    with pytest.raises(rs.InputError) as refused:
        pairwise_loss_and_gradient(scores, y)
    assert refused.value.code == code
