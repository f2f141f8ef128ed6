"""Rounding moves no value to the other side of an edge: bins against the same bins in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady import lab
from rocsteady._src.base.binning import counting_edges, equal_edges, middle_bins
from rocsteady._src.designs.times.risks import _quantiles
from rocsteady._src.designs.watch.drift import in_tenths

SET_A = "1.0p 0.9p 0.8p 0.2n 0.1n 0.0n"
SOURCES = (SET_A, "1.0p 0.8p 0.6p 0.4n 0.2n 0.0n", "100.3p 100.2p 100.15n 100.1n", "0.7p 0.55p 0.3n -0.1n")


def exact_sets(source: str, margin: int | None, steps: int | None) -> list[tuple[list[bool], list[Fraction]]]:
    """The sets that margin and range steps make of one, each with all labellings, in exact fractions."""
    scores = sorted((Fraction(token[:-1]) for token in source.split()), reverse=True)
    n_pos = source.count("p")
    made = [_shrunk(scores, n_pos, Fraction(margin - h, margin)) for h in range(margin)] if margin else [scores]
    if steps:
        made = [[_drawn(each, x, Fraction(steps - h, steps)) for x in each] for each in made for h in range(steps)]
    labellings = [each for each in product((True, False), repeat=len(scores)) if any(each) and not all(each)]
    return [(list(each), sorted(one, reverse=True)) for one in made for each in labellings]


def _drawn(scores: list[Fraction], x: Fraction, by: Fraction) -> Fraction:
    middle = (scores[0] + scores[-1]) / 2
    return middle + (x - middle) * by


def _shrunk(scores: list[Fraction], n_pos: int, by: Fraction) -> list[Fraction]:
    """Positives above negatives: their margin narrower, the extremes where they are, the others spread evenly."""
    high_p, low_p, high_n, low_n = scores[0], scores[n_pos - 1], scores[n_pos], scores[-1]
    middle = (low_p + high_n) / 2
    new_low, new_high = middle + (low_p - middle) * by, middle + (high_n - middle) * by
    up = [new_low + (x - low_p) * (high_p - new_low) / (high_p - low_p) for x in scores[:n_pos]]
    down = [new_high - (high_n - x) * (new_high - low_n) / (high_n - low_n) for x in scores[n_pos:]]
    return up + down


def counted(values: list[Fraction]) -> list[int]:
    """Ten bins from 0 to the largest value, each with its lower edge, the last with both."""
    return np.bincount([min(int(10 * each / max(values)), 9) for each in values], minlength=10).tolist()


def test_ranges_of_ten_and_of_thirty_steps() -> None:
    for steps, expected in ((10, [0, *[5] * 8, 10]), (30, [10, *[15] * 8, 20])):
        found = lab.count_errors(lab.generate(SET_A, range_steps=steps, distribution=True), "scored_auc")
        assert found.breakdown("range").n_correct.tolist() == expected
        assert found.breakdown("range").high.tolist() == pytest.approx(np.arange(1, 11) / 10, abs=1e-15)


@each_case("source", SOURCES)
@each_case(("margin", "steps"), [(None, 10), (None, 30), (None, 100), (10, None), (20, None), (5, 4), (10, 10)])
def test_sets_are_counted_where_exact_fractions_are(source: str, margin: int | None, steps: int | None) -> None:
    made = lab.generate(source, margin_steps=margin, range_steps=steps, distribution=True)
    found = lab.count_errors(made, "scored_auc")
    ranges, margins = list[Fraction](), list[Fraction]()
    for labels, scores in exact_sets(source, margin, steps):
        lowest = min(x for x, label in zip(scores, labels, strict=True) if label)
        highest = max(x for x, label in zip(scores, labels, strict=True) if not label)
        if lowest > highest:
            ranges.append(scores[0] - scores[-1])
            margins.append(lowest - highest)
    assert found.breakdown("range").n_correct.tolist() == counted(ranges)
    assert found.breakdown("margin").n_correct.tolist() == counted(margins)


@each_case("bins", [4, 10, 50, 100])
def test_middles_on_an_edge_belong_to_the_later_part(bins: int) -> None:
    rng = np.random.default_rng(bins)
    for size in range(1, 260, 3):
        for counts in (np.ones(size), rng.integers(1, 6, size).astype(float)):
            after = np.cumsum(counts).astype(int).tolist()
            twice = [2 * end - int(own) for end, own in zip(after, counts, strict=True)]
            expected = [min(each * bins // (2 * after[-1]), bins - 1) for each in twice]
            assert middle_bins(counts, bins).tolist() == expected
            assert middle_bins(counts / 10, bins).tolist() == expected  # weights, which are added up with rounding


def test_tenths_are_those_of_whole_numbers() -> None:
    tenths = in_tenths(np.ones(5), np.ones(5))
    assert tenths.tolist() == [0, 1] * 5


@each_case("n_groups", [4, 10, 20, 50])
def test_groups_of_risks_part_at_exact_quantiles(n_groups: int) -> None:
    for size in range(2, 500, 3):
        values = np.arange(size) / size
        inner = [Fraction(k * (size - 1), n_groups) for k in range(1, n_groups)]
        expected = [sum(each <= place for each in inner) for place in range(size)]
        edges = _quantiles(values, n_groups, None)
        assert edges.searchsorted(values, side="right").tolist() == expected
        assert edges == pytest.approx(np.quantile(values, np.arange(1, n_groups) / n_groups), abs=1e-14)


def test_a_scored_roc_passes_gaps_of_its_grid() -> None:
    """Scores and grid in thousandths: whether p - n > tau is decided as whole numbers decide it."""
    rng = np.random.default_rng(1)
    k = np.append(rng.integers(0, 1001, 1500), [0, 1000])
    y = (rng.random(k.size) < k / 1000).astype(int)
    curve = rs.scored_roc(y, k / 1000, grid=200)
    gaps = k[y == 1][:, None] - k[y == 0]
    assert curve.share == pytest.approx([(gaps > tau).mean() for tau in range(0, 1001, 5)], abs=1e-12)


@each_case("values", [[0.3], [0.1 * 3, 0.7 - 0.4], [0.29999999999999993]])
def test_a_value_that_was_meant_as_an_edge_is_at_it(values: list[float]) -> None:
    edges = equal_edges(0.0, 1.0, 10)
    places = counting_edges(edges, 1.0).searchsorted(values, side="right") - 1
    assert places.tolist() == [3] * len(values)


def test_nothing_else_moves() -> None:
    """A millionth below an edge is below it, and bins as narrow as rounding keep their values."""
    counting: Any = counting_edges(equal_edges(0.0, 1.0, 10), 1.0)
    assert (counting.searchsorted([0.299999, 0.3, 1.0], side="right") - 1).tolist() == [2, 3, 10]
    narrow = np.linspace(1e9, 1e9 + 1e-4, 11)
    assert np.histogram(narrow[:-1] + np.diff(narrow) / 2, counting_edges(narrow, 1e9))[0].sum() == 10


def test_bars_of_a_histogram_hold_decimals_above_their_edges() -> None:
    pytest.importorskip("matplotlib")
    from rocsteady._src.results.pictures import Histogram
    from rocsteady._src.views.plots.records import N_BINS, draw_histogram

    values = np.arange(5 * N_BINS + 1) / (5 * N_BINS)
    picture = Histogram(("decimals", ""), "value", {"all": (values, None)}, {})
    shown = draw_histogram(None, picture, None)
    assert (shown.bars_[0].get_data()[0] * values.size).round(6).tolist() == [5] * (N_BINS - 1) + [6]
