"""Weights of reclassification: frequency weights are repeated rows everywhere, and nothing given is left out."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import ArgumentError, InputError

Y, OLD, NEW = [1, 1, 1, 0, 0, 0], [0.3, 0.5, 0.4, 0.4, 0.2, 0.6], [0.6, 0.7, 0.3, 0.2, 0.1, 0.7]
COUNTED: dict[str, Any] = {"weight_type": "frequency"}


def cells(rng: np.random.Generator, per_cell: int) -> tuple[Any, Any, Any]:
    """Rows for the four cells of one cutoff at 0.5, ``per_cell`` in each, in either class."""
    old, new = (np.repeat(column, per_cell) for column in ([0.3, 0.3, 0.7, 0.7], [0.3, 0.7, 0.3, 0.7]))
    old, new = (column + rng.integers(-9, 10, column.size) / 100 for column in (old, new))
    return (rng.random(old.size) < 0.6).astype(int), old, new


class TestCook:
    @pytest.mark.parametrize("clustered", [False, True])
    def test_frequency_weights_are_repeated_rows(self, clustered: bool) -> None:
        rng = np.random.default_rng(1)
        y, old, new = cells(rng, 10)
        weights = rng.integers(2, 5, y.size)
        persons = {"cluster": np.arange(y.size) // 2} if clustered else {}
        weighted = rs.reclassification(y, old, new, cutoffs=[0.5], sample_weight=weights, **COUNTED, **persons)
        often = {name: column.repeat(weights) for name, column in persons.items()}
        whole = rs.reclassification(*(column.repeat(weights) for column in (y, old, new)), cutoffs=[0.5], **often)
        assert whole.cook_old.df > 0
        for name in ("cook_old", "cook_new"):
            ours, theirs = getattr(weighted, name), getattr(whole, name)
            for part in ("statistic", "df", "pvalue"):
                assert getattr(ours, part) == pytest.approx(getattr(theirs, part), rel=1e-9)

    def test_the_engine_of_a_table_counts_alike(self) -> None:
        polars = pytest.importorskip("polars")
        rng = np.random.default_rng(2)
        y, old, new = cells(rng, 10)
        weights = np.full(y.size, 2)
        table = polars.LazyFrame({"y": y, "old": old, "new": new, "w": weights})
        lazy = rs.reclassification(table, "old", "new", cutoffs=[0.5], label="y", sample_weight="w", **COUNTED)
        memory = rs.reclassification(y, old, new, cutoffs=[0.5], sample_weight=weights, **COUNTED)
        assert lazy.cook_old.df == memory.cook_old.df == 2
        assert lazy.cook_old.statistic == pytest.approx(memory.cook_old.statistic, rel=1e-9)

    def test_under_sampling_weights_rows_count(self) -> None:
        y, old, new = cells(np.random.default_rng(3), 10)
        few = rs.reclassification(y, old, new, cutoffs=[0.5], sample_weight=np.full(y.size, 2.5))
        assert few.warnings[1] == "cells with fewer than 20 rows, left out of Cook's test: 4"

    @pytest.mark.parametrize("external", [False, True])
    def test_without_degrees_of_freedom_there_is_a_reason(self, external: bool) -> None:
        result = rs.reclassification([1, 0, 1], OLD[:3], NEW[:3], cutoffs=[0.5], external=external)
        assert math.isnan(result.cook_old.df)
        assert math.isnan(result.cook_old.statistic)
        assert f"at least {1 if external else 3} cells" in result.cook_old.warnings[0]


class TestNriOfSubjects:
    @pytest.mark.parametrize("weights", [[2] * 6, [1, 2, 3, 1, 2, 3]])
    @pytest.mark.parametrize("variance", ["estimate", "null"])
    def test_frequency_weights_are_repeated_rows(self, weights: list[int], variance: Any) -> None:
        cluster = [1, 1, 2, 2, 3, 3]
        often = [np.repeat(column, weights) for column in (Y, OLD, NEW, cluster)]
        ours = rs.net_reclassification(
            Y, OLD, NEW, sample_weight=weights, **COUNTED, cluster=cluster, variance=variance
        )
        theirs = rs.net_reclassification(*often[:3], cluster=often[3], variance=variance)
        for name in ("nri", "events", "nonevents"):
            one, two = getattr(ours, name), getattr(theirs, name)
            assert (one.se, one.statistic) == pytest.approx((two.se, two.statistic), rel=1e-12)

    def test_written_out_in_fractions(self) -> None:
        """Events of the persons 1, 1, 2 move up, up, down; nonevents of 2, 3, 3 move down, down, up; each row twice."""
        third, sixth = Fraction(1, 3), Fraction(1, 6)
        of_events = [2 * sixth * (1 - third) * 2, 2 * sixth * (-1 - third), Fraction(0)]
        of_nonevents = [Fraction(0), 2 * sixth * (-1 + third), 2 * sixth * (-1 + third + 1 + third)]
        two, all_three = Fraction(2, 1) * Fraction(5, 6), Fraction(3, 2) * Fraction(11, 12)
        products = [
            sum(a * b for a, b in zip(one, other, strict=True))
            for one, other in ((of_events, of_events), (of_nonevents, of_nonevents), (of_events, of_nonevents))
        ]
        variance = two * products[0] + two * products[1] - 2 * all_three * products[2]
        found = rs.net_reclassification(Y, OLD, NEW, sample_weight=[2] * 6, **COUNTED, cluster=[1, 1, 2, 2, 3, 3])
        assert found.nri.se == pytest.approx(math.sqrt(variance), rel=1e-12)


class TestNothingIsLeftOut:
    @pytest.mark.parametrize("function", [rs.net_reclassification, rs.integrated_discrimination])
    def test_weight_type_of_a_table(self, function: Any) -> None:
        polars = pytest.importorskip("polars")
        table = polars.LazyFrame({"y": Y, "old": OLD, "new": NEW, "w": [1, 2, 3, 1, 2, 3]})
        named: dict[str, Any] = {"label": "y", "sample_weight": "w"}
        with pytest.raises(ArgumentError, match="'frequency' or 'sampling', got 'bogus'"):
            function(table, "old", "new", weight_type="bogus", **named)
        with pytest.raises(ArgumentError, match=r"frequency weights only.*leave label= out"):
            function(table, "old", "new", weight_type="sampling", **named)
        with pytest.raises(InputError, match="weight_type='frequency'"):
            function(table, "old", "new", **named)
        said = function(table, "old", "new", weight_type="frequency", **named)
        memory = function(Y, OLD, NEW, sample_weight=[1, 2, 3, 1, 2, 3], weight_type="frequency")
        assert said.events.se == pytest.approx(memory.events.se, rel=1e-12)

    def test_the_bootstrap_has_no_null_variance(self) -> None:
        with pytest.raises(ArgumentError, match="'null' is of method='wald'"):
            rs.net_reclassification(Y, OLD, NEW, method="bootstrap", variance="null", n_resamples=20)


class TestNoWidth:
    def test_single_rows(self) -> None:
        told = rs.net_reclassification([1, 0], [0.2, 0.6], [0.3, 0.4]).warnings[1:]
        assert told == (
            "the events are a single row: their width of zero is not certainty",
            "the nonevents are a single row: their width of zero is not certainty",
        )

    def test_a_single_row_under_sampling_weights(self) -> None:
        told = rs.net_reclassification([1, 0, 0], OLD[:3], NEW[:3], sample_weight=[2.5, 1.5, 1.5]).warnings[2:]
        assert told == ("the events are a single row: their width of zero is not certainty",)

    def test_all_alike(self) -> None:
        told = rs.net_reclassification([1, 1, 0, 0], [0.2, 0.2, 0.5, 0.5], [0.3, 0.3, 0.4, 0.6]).warnings[2:]
        assert told == ("the events all moved alike, or not at all: their width of zero is not certainty",)

    def test_none_where_there_is_a_width(self) -> None:
        assert [told.code for told in rs.net_reclassification(Y, OLD, NEW).warnings] == ["nri_misleads", "few_to_move"]
