"""Do groups that are alike pass for alike? Rewrites the table of docs/subgroups.md.

``python -m benchmarks.subgroup_size [--repeats N]``; about three minutes on one core. All pairs of many samples are
compared at once; tests/test_subgroups.py holds decisions against ``evaluate(by=)`` sample by sample.
"""

from __future__ import annotations

import argparse
import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import chdtrc, fdtrc, ndtri, stdtr

from benchmarks.coverage import with_table
from benchmarks.coverage_auto import newcombe, standardised
from benchmarks.coverage_kit import coverage, size, stream, table
from rocsteady._src.inference.comparison.automatic import FEW_WRONG
from rocsteady._src.inference.comparison.score import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]

PAGE = Path(__file__).parent.parent / "docs" / "subgroups.md"
GROUPS, SIZES, PREVALENCES, AUCS, SPREADS = (2, 5, 10), (30, 100, 400), (0.1, 0.5), (0.7, 0.9, 0.97), (1.0, 2.0)
ALPHA = 0.05
MOST_HELD = 4_000_000  # pairs at a time


class Groups(NamedTuple):
    """AUCs of all groups of many samples, their variances, and how surely these are known."""

    areas: Array
    variances: Array
    free: Array
    sizes: tuple[int, int]

    @classmethod
    def of(cls, pos: Array, neg: Array) -> Groups:
        """From scores by sample, group and row."""
        m, n = pos.shape[2], neg.shape[2]
        wins = (pos[..., :, None] > neg[..., None, :]) + 0.5 * (pos[..., :, None] == neg[..., None, :])
        areas = wins.mean(axis=(2, 3))
        squares = [(wins.mean(axis=axis) - areas[..., None]) ** 2 for axis in (3, 2)]
        variances = squares[0].sum(axis=2) / m / (m - 1) + squares[1].sum(axis=2) / n / (n - 1)
        summed = squares[0].sum(axis=2) / m**2 + squares[1].sum(axis=2) / n**2
        fourth = (squares[0] ** 2).sum(axis=2) / m**4 + (squares[1] ** 2).sum(axis=2) / n**4
        with np.errstate(divide="ignore", invalid="ignore"):
            unequal = fourth / summed**2 - 1 / (m + n)
            free = np.where(unequal > 0, np.maximum(2 / unequal, 1.0), np.inf)
        return cls(areas, variances, free, (m, n))

    @property
    def kept(self) -> Array:
        return self.variances > 0

    def pvalues(self) -> tuple[Array, Array]:
        """That all groups are alike, by Welch's F and by chi-square; 1 where fewer than two are left."""
        kept, k = self.kept, self.kept.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            logit = np.where(kept, np.log(self.areas / (1 - self.areas)), 0.0)
            weight = np.where(kept, (self.areas * (1 - self.areas)) ** 2 / self.variances, 0.0)
            share = weight / weight.sum(axis=1, keepdims=True)
            chi = (weight * (logit - (share * logit).sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
            unsure = np.where(kept, (1 - share) ** 2 / self.free, 0.0).sum(axis=1)
            ratio = chi / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * unsure)
            by_f = fdtrc(k - 1, (k * k - 1) / (3 * unsure), ratio)
            by_f = np.where(k == 2, self._of_two(), by_f)
            return np.where(k > 1, by_f, 1.0), np.where(k > 1, chdtrc(k - 1, chi), 1.0)

    def _of_two(self) -> Array:
        """p of the difference of two groups; NaN where there are more or fewer."""
        found = [self.against_others(group)[0] for group in range(self.areas.shape[1])]
        largest: Array = np.max(np.nan_to_num(found, nan=-1.0), axis=0)
        return np.where(self.kept.sum(axis=1) == 2, largest, np.nan)

    def against_others(self, group: int) -> tuple[Array, Array]:
        """p of a group's difference to the others, all of one size, by auto and by a normal statistic; NaN if none."""
        kept, others = self.kept, self.kept.copy()
        others[:, group] = False
        number = others.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.where(others, self.areas, 0.0).sum(axis=1) / number
            parts = np.where(others, self.variances, 0.0) / number[:, None] ** 2
            parts[:, group] = self.variances[:, group]
            df = parts.sum(axis=1) ** 2 / np.where(kept, parts**2 / self.free, 0.0).sum(axis=1)
        one, own, (m, n) = self.areas[:, group], parts.sum(axis=1), self.sizes
        there, here = (newcombe(a, m, n) + _of_many(b, m, n, number) for a, b in (((one + mean) / 2,) * 2, (one, mean)))
        moved = np.where((own > 0) & (here > 0), own * there / np.where(here > 0, here, 1.0), there)
        under = np.sqrt(np.maximum(moved, np.minimum(own, there)) * np.maximum(there, own))
        wrong = min(m, n) * np.minimum(np.minimum(one, 1 - one), number * np.minimum(mean, 1 - mean))
        few = (kept.sum(axis=1) > 2) | (min(m, n) < UNSURE) | (wrong < FEW_WRONG)
        z = standardised(one - mean, np.where(few, under, own))
        plain = standardised(one - mean, own)
        missing = ~kept[:, group] | (number == 0)
        return tuple(  # type: ignore[return-value]
            np.where(missing, np.nan, 2 * tail) for tail in (stdtr(df, -np.abs(z)), stdtr(np.inf, -np.abs(plain)))
        )


def _of_many(area: Array, m: int, n: int, number: Array) -> Array:
    """Newcombe's variance of so many groups taken as one sample."""
    a, pos, neg = np.clip(area, 0, 1), m * number, n * number
    half = (pos + neg) / 2 - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = a * (1 - a) * (1 + half * (1 - a) / (2 - a) + half * a / (1 + a)) / (pos * neg)
    return found


def samples(
    n_groups: int, sizes: tuple[int, int], auc: float, spread: float, repeats: int
) -> Iterator[tuple[Array, Array]]:
    """Scores of positives, whose standard deviation is ``spread``, and of negatives, some samples at a time."""
    rng, gap = stream("groups", n_groups, sizes, auc, spread), math.sqrt(1 + spread**2) * float(ndtri(auc))
    step = max(1, MOST_HELD // (n_groups * sizes[0] * sizes[1]))
    for start in range(0, repeats, step):
        count = min(step, repeats - start)
        pos, neg = (rng.standard_normal((count, n_groups, n)) for n in sizes)
        yield gap + spread * pos, neg


def measured(n_groups: int, sizes: tuple[int, int], auc: float, spread: float, repeats: int) -> list[str]:
    """Share of samples in which groups seem to differ, and of differences whose interval holds 0."""
    rejected: list[Array] = []
    held: list[Array] = []
    for pos, neg in samples(n_groups, sizes, auc, spread, repeats):
        found = Groups.of(pos, neg)
        rejected.append(np.column_stack(found.pvalues()) <= ALPHA)
        for group in range(n_groups):
            p = np.column_stack(found.against_others(group))
            held.append(p[~np.isnan(p[:, 0])] > ALPHA)
    by_f, by_chi = np.concatenate(rejected).mean(axis=0)
    auto, normal = np.concatenate(held).mean(axis=0)
    return [size(by_f), size(by_chi), coverage(auto), coverage(normal)]


def size_table(repeats: int) -> str:
    rows = []
    for spread, n_groups, n, prevalence, auc in product(SPREADS, GROUPS, SIZES, PREVALENCES, AUCS):
        sizes = round(n * prevalence), n - round(n * prevalence)
        if spread == 1.0 or n < SIZES[-1]:
            cells = measured(n_groups, sizes, auc, spread, repeats)
            rows.append([f"{spread:g}", n_groups, n, sizes[0], auc, *cells])
    head = ["sd of positives", "groups", "rows in each", "positives in each", "AUC"]
    return table([*head, "test at 5%", "by chi-square", "intervals at 95%", "normal ones"], rows)


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2000, help="samples per setting")
    page.write_text(with_table(page.read_text(), "size", size_table(parser.parse_args(arguments).repeats)))


if __name__ == "__main__":
    main()
