"""What "auto" does: size, coverage and power of the test that it takes, many samples at a time.

All samples of a setting are ranked by comparing all pairs at once; decisions are those of ``compare_auc``, which
tests/test_coverage_script.py holds against it sample by sample.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import fdtrc, ndtr, ndtri, stdtr

from benchmarks.coverage_kit import AUCS, column_of, coverage, grid, model_rows, pivot, size, stream, table
from benchmarks.coverage_tests import ALPHA, LEAD, MARGIN, MARGIN_AUCS, PART
from rocsteady._src.inference.comparison.automatic import FEW_WRONG, FEW_WRONG_WITH_MARGIN, chosen_method
from rocsteady._src.inference.comparison.hypotheses import all_equal
from rocsteady._src.inference.comparison.omnibus import hotelling
from rocsteady._src.inference.comparison.score import UNSURE
from rocsteady._src.inference.comparison.simultaneous import each_level
from rocsteady._src.inference.comparison.two_areas import Asked, pair_of, pair_of_samples, paired_test
from rocsteady._src.inference.intervals.normal import p_value
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from benchmarks.coverage_kit import Effort, Setting

    Other = tuple[int, int, float, float, float]

    Array = NDArray[Any]
    Found = dict[tuple[Any, ...], float]

BOTH = ("delong", "auto")
MOST_HELD = 4_000_000  # pairs held at a time
MOST_PAIRS = 50_000
OTHER_SIZES = ((6, 54), (8, 12), (15, 135), (20, 480), (30, 70), (300, 60))
OTHER_AUCS = (0.6, 0.8, 0.95)
OTHER_SHAPES = ((0.3, 1.0), (0.8, 1.0), (0.5, 2.0))
LARGE = 0.065  # what a test at 5% may reject
POWER = (
    (10, 40, 0.7, 0.9),
    (25, 25, 0.7, 0.85),
    (40, 160, 0.7, 0.8),
    (40, 160, 0.9, 0.95),
    (100, 100, 0.8, 0.87),
    (100, 100, 0.95, 0.98),
    (50, 950, 0.7, 0.78),
    (50, 950, 0.95, 0.98),
)
TOGETHER = ((10, 190, 3), (25, 25, 3), (40, 160, 3), (40, 160, 6), (100, 100, 6))
FEW_SAMPLES, PERMUTATIONS = 1000, 59  # of what permutes


class Batch(NamedTuple):
    """Areas of many samples, and their covariances that come from positives and from negatives."""

    areas: Array
    of_pos: Array
    of_neg: Array
    sizes: tuple[int, int]
    scores: Array

    @classmethod
    def of(cls, scores: Array, n_pos: int) -> Batch:
        """From scores by sample, model and row, positives first."""
        pos, neg = scores[..., :n_pos, None], scores[..., None, n_pos:]
        wins = (pos > neg).astype(np.float32) + 0.5 * (pos == neg)
        placed = [wins.mean(axis=axis, dtype=np.float64) for axis in (3, 2)]
        areas = placed[0].mean(axis=2)
        spread = []
        for each in placed:
            away, n = each - areas[..., None], each.shape[2]
            spread.append(away @ away.transpose(0, 2, 1) / (n * (n - 1)))
        return cls(areas, spread[0], spread[1], (n_pos, scores.shape[2] - n_pos), scores)


class Pairs(NamedTuple):
    """The difference of two models in many samples, as ``comparison.pairs.Pair`` knows it of one."""

    first: Array
    second: Array
    se: Array
    df: Array
    correlation: Array
    sizes: tuple[int, int]
    scores: tuple[Array, ...]  # of both models on the same rows, or of one model each

    @classmethod
    def of(cls, batch: Batch, i: int = 0, j: int = 1) -> Pairs:
        parts = [
            np.maximum(each[:, i, i] + each[:, j, j] - 2 * each[:, i, j], 0.0) for each in (batch.of_pos, batch.of_neg)
        ]
        both, (m, n) = batch.of_pos + batch.of_neg, batch.sizes
        own = both[:, i, i] * both[:, j, j]
        r = np.divide(both[:, i, j], np.sqrt(own), out=np.zeros(len(own)), where=own > 0)
        df = freedom(parts, (m, n))
        areas, same = (batch.areas[:, i], batch.areas[:, j]), (batch.scores[:, [i, j]],)
        return cls(*areas, np.sqrt(sum(parts)), df, np.clip(r, -1, 1), batch.sizes, same)

    @classmethod
    def apart(cls, one: Batch, two: Batch) -> Pairs:
        """Of independent samples."""
        parts = [each[:, 0, 0] for batch in (one, two) for each in (batch.of_pos, batch.of_neg)]
        df = freedom(parts, (*one.sizes, *two.sizes))
        nothing = np.zeros(len(df))
        own = (one.scores[:, :1], two.scores[:, :1])
        return cls(one.areas[:, 0], two.areas[:, 0], np.sqrt(sum(parts)), df, nothing, one.sizes, own)

    def pvalue(self, method: str, side: str, null: float = 0.0, *, margin: bool = False) -> Array:
        """Of "two-sided", "greater" or "less" against ``null``; "auto" chooses as for a margin, or not.

        "unlike" is "auto" where the smaller class spreads so much more that the AUCs vary as much as they can.
        """
        away = self.first - self.second - null
        plain = standardised(away, self.se**2)
        if method == "delong":
            return _tail(plain, None, side)
        fewest = min(self.sizes)
        nearest = np.minimum(np.minimum(self.first, 1 - self.first), np.minimum(self.second, 1 - self.second))
        few = (fewest < UNSURE) | (fewest * nearest < (FEW_WRONG_WITH_MARGIN if margin else FEW_WRONG))
        under = self._under(null, unlike=method == "unlike")
        found = _tail(np.where(few, standardised(away, under), plain), self.df, side)
        return self._bounded(found, side, null, "non-inferiority" if margin else side) if method == "auto" else found

    def _bounded(self, found: Array, side: str, null: float, alternative: str) -> Array:
        """The same with the bounds of few misranked rows, sample by sample, where "auto" takes them."""
        for place in range(len(found)):
            areas = [areas_of(model_rows(each[place], self.sizes[0]), Area()) for each in self.scores]
            pair = pair_of(areas[0], (0, 1)) if len(areas) == 1 else pair_of_samples(areas)
            if pair.bounds is not None:
                made = pair.chosen(Asked(), chosen_method(pair.areas, pair.sizes, alternative))
                found[place] = p_value(made.statistic(null), side, df=made.df)
        return found

    def _under(self, null: float, *, unlike: bool = False) -> Array:
        half, own = abs(null) / 2, self.se**2
        middle = np.clip((self.first + self.second) / 2, half, 1 - half)
        supposed = middle + null / 2, middle - null / 2
        there, here = self._modelled(*supposed), self._modelled(self.first, self.second)
        moved = np.where((own > 0) & (here > 0), own * there / np.where(here > 0, here, 1.0), there)
        safe = self._modelled(*supposed, _largest) if unlike else there
        return np.sqrt(np.maximum(moved, np.minimum(own, safe)) * np.maximum(safe, own))

    def _modelled(self, one: Array, two: Array, variance: Callable[..., Array] | None = None) -> Array:
        u, v = ((variance or newcombe)(each, *self.sizes) for each in (one, two))
        fewest = min(self.sizes)
        r = self.correlation * (1 - 1 / fewest) if fewest < UNSURE else self.correlation
        return np.maximum(u + v - 2 * r * np.sqrt(u * v), 0.0)


def freedom(parts: list[Array], units: tuple[int, ...]) -> Array:
    """Satterthwaite's degrees of freedom."""
    total = np.add.reduce(parts)
    below = np.add.reduce([part**2 / (n - 1) for part, n in zip(parts, units, strict=True)])
    return np.divide(total**2, below, out=np.full(len(total), min(units) - 1.0), where=below > 0)


def newcombe(area: Array, n_pos: int, n_neg: int) -> Array:
    a, half = np.clip(area, 0, 1), (n_pos + n_neg) / 2 - 1
    return a * (1 - a) * (1 + half * (1 - a) / (2 - a) + half * a / (1 + a)) / (n_pos * n_neg)


def _largest(area: Array, n_pos: int, n_neg: int) -> Array:
    a = np.clip(area, 0, 1)
    return a * (1 - a) / min(n_pos, n_neg)


def standardised(away: Array, variance: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(away) < 1e-12, 0.0, away / np.sqrt(variance))


def _tail(z: Array, df: Array | None, side: str) -> Array:
    def below(value: Array) -> Array:
        return ndtr(value) if df is None else stdtr(df, value)

    if side == "two-sided":
        return np.minimum(1.0, 2 * below(-np.abs(z)))
    return below(-z if side == "greater" else z)


def batches(setting: Setting, key: str, repeats: int, *, n_models: int = 2, lead: float = 0.0) -> Iterator[Batch]:
    """Models of a setting with correlation 1/2, some samples at a time."""
    rng, step = stream(key, setting), max(1, MOST_HELD // (n_models * setting.n_pos * setting.n_neg))
    gaps = np.array([setting.gap + lead] + [setting.gap] * (n_models - 1))[:, None] * setting.y
    for start in range(0, repeats, step):
        count = min(step, repeats - start)
        shared, own = (rng.standard_normal((count, models, setting.n)) for models in (1, n_models))
        yield Batch.of(setting.rounded(math.sqrt(0.5) * (shared + own) + gaps), setting.n_pos)


def small(aucs: tuple[float, ...]) -> Iterator[Setting]:
    """The grid without its largest settings, where "auto" is DeLong's test with so many degrees of freedom."""
    return (setting for setting in grid(aucs) if setting.n_pos * setting.n_neg <= MOST_PAIRS)


def _by_setting(settings: Any, effort: Effort, look: Any) -> Found:
    found: Found = {}
    for setting in settings:
        for (method, column), share in look(setting, effort.analytic).items():
            found[setting.n, setting.n_pos, method, column] = share
    return dict(sorted(found.items(), key=lambda item: item[0][:2]))


def paired_table(effort: Effort) -> str:
    """Equal models on the same rows."""

    def look(setting: Setting, repeats: int) -> dict[tuple[str, str], float]:
        hits: dict[tuple[str, str], float] = {}
        for batch in batches(setting, "auto", repeats):
            pairs = Pairs.of(batch)
            for method in BOTH:
                for side in ("two-sided", "greater") if setting.auc == 0.9 and not setting.tied else ("two-sided",):
                    key = method, column_of(setting) + ("" if side == "two-sided" else ", greater")
                    hits[key] = hits.get(key, 0) + float((pairs.pvalue(method, side) <= ALPHA).sum()) / repeats
        return hits

    return pivot(_by_setting(grid(AUCS), effort, look), LEAD, size)


def unpaired_table(effort: Effort) -> str:
    """Equal models on independent samples."""

    def look(setting: Setting, repeats: int) -> dict[tuple[str, str], float]:
        made = (batches(setting, key, repeats, n_models=1) for key in ("auto first", "auto second"))
        hit = sum(
            float((Pairs.apart(one, two).pvalue("auto", "two-sided") <= ALPHA).sum())
            for one, two in zip(*made, strict=True)
        )
        return {("auto", column_of(setting)): hit / repeats}

    return pivot(_by_setting(small(AUCS), effort, look), LEAD, size)


def margin_table(effort: Effort) -> str:
    """The first model is worse by exactly the margin: non-inferiority, and the interval of the difference."""

    def look(setting: Setting, repeats: int) -> dict[tuple[str, str], float]:
        hits: dict[tuple[str, str], float] = {}
        lead = setting.lead_of(setting.true_auc - MARGIN)
        for batch in batches(setting, "auto margin", repeats, lead=lead):
            pairs = Pairs.of(batch)
            for method in BOTH:
                rejected = pairs.pvalue(method, "greater", -MARGIN, margin=True) <= ALPHA
                key = method, f"non-inferiority, {column_of(setting)}"
                hits[key] = hits.get(key, 0) + float(rejected.sum()) / repeats
        return hits

    return pivot(_by_setting(small(MARGIN_AUCS), effort, look), LEAD, size)


def difference_table(effort: Effort) -> str:
    """Coverage of the interval of a difference of 0.05."""

    def look(setting: Setting, repeats: int) -> dict[tuple[str, str], float]:
        hits: dict[tuple[str, str], float] = {}
        lead = setting.lead_of(setting.true_auc - MARGIN)
        for batch in batches(setting, "auto difference", repeats, lead=lead):
            pairs = Pairs.of(batch)
            for method in BOTH:
                held = pairs.pvalue(method, "two-sided", -MARGIN) > ALPHA
                hits[method, column_of(setting)] = hits.get((method, column_of(setting)), 0) + held.sum() / repeats
        return hits

    return pivot(_by_setting(small(MARGIN_AUCS), effort, look), ("n", "positives", "interval"), coverage)


def partial_table(effort: Effort) -> str:
    """Two equal models over FPR 0 to 0.2; few samples, since some are permuted."""
    return pivot(_by_setting(small(AUCS), effort, _partial), LEAD, size)


def omnibus_table(effort: Effort) -> str:
    """Three equal models at once."""

    def look(setting: Setting, repeats: int) -> dict[tuple[str, str], float]:
        hit = sum(
            float((omnibus_pvalue(batch) <= ALPHA).sum())
            for batch in batches(setting, "auto three", repeats, n_models=3)
        )
        return {("auto", column_of(setting)): hit / repeats}

    return pivot(_by_setting(small(AUCS), effort, look), LEAD, size)


def omnibus_pvalue(batch: Batch) -> Array:
    """Hotelling's F of three models, 1 where it is undefined."""
    contrast = np.eye(3)[:-1] - np.eye(3)[1:]
    both = batch.of_pos + batch.of_neg
    spread, away = contrast @ both @ contrast.T, batch.areas @ contrast.T
    full = np.linalg.cond(spread) < 1e9
    pairs = [Pairs.of(batch, i, j) for i, j in combinations(range(3), 2)]
    free = np.minimum.reduce([np.where(pair.se > 0, pair.df, np.inf) for pair in pairs])
    found = np.ones(len(away))
    squared = np.einsum("ri,ri->r", away[full], np.linalg.solve(spread[full], away[full][..., None])[..., 0])
    within = free[full] - 1
    p = fdtrc(2, np.where(within > 0, within, 1), np.maximum(squared * within / (2 * free[full]), 0.0))
    found[full] = np.where(within > 0, p, 1.0)
    for place in np.flatnonzero(~full):
        statistic, pvalue, rank = all_equal(batch.areas[place], both[place], 1e-12)
        if rank and math.isfinite(statistic):
            pvalue = hotelling(statistic, rank, float(free[place]))[1]
        found[place] = 1.0 if math.isnan(pvalue) else pvalue
    return found


def _partial(setting: Setting, repeats: int) -> dict[tuple[str, str], float]:
    few = min(repeats, FEW_SAMPLES)
    asked, hit = Asked(PART, n_resamples=PERMUTATIONS), 0
    for scores in setting.models(stream("auto partial", setting), few):
        hit += paired_test(areas_of(model_rows(scores, setting.n_pos), PART), (0, 1), asked).pvalue <= ALPHA
    return {("auto", column_of(setting)): hit / few}


def drawn(key: str, repeats: int, sizes: tuple[int, int], aucs: tuple[float, ...], shape: Any) -> Iterator[Batch]:
    """Models with these AUCs on the same rows: correlation of the scores, standard deviation of positives."""
    alike, sd = shape
    y = np.repeat([1.0, 0.0], sizes)
    rng, spread = stream(key, sizes, aucs, shape), np.where(y == 1, sd, 1.0)
    gaps = np.array([math.sqrt(1 + sd**2) * float(ndtri(area)) for area in aucs])[:, None] * y
    step = max(1, MOST_HELD // (len(aucs) * sizes[0] * sizes[1]))
    for start in range(0, repeats, step):
        count = min(step, repeats - start)
        shared, own = (rng.standard_normal((count, models, y.size)) for models in (1, len(aucs)))
        yield Batch.of(spread * (math.sqrt(alike) * shared + math.sqrt(1 - alike) * own) + gaps, sizes[0])


@cache
def other_found(effort: Effort) -> dict[Other, list[list[float]]]:
    """By rows, positives, AUC, correlation and spread of positives: shares by DeLong and by auto, kind by kind."""
    settings = [(sizes, area, shape) for sizes in OTHER_SIZES for area in OTHER_AUCS for shape in OTHER_SHAPES]
    return {
        (sum(sizes), sizes[0], area, *shape): _measured(sizes, area, shape, effort.analytic)
        for sizes, area, shape in settings
    }


def other_table(effort: Effort) -> str:
    """Settings that were not used to choose the rule: size, non-inferiority, and coverage of a difference of 0.05."""
    rows = []
    for (n, n_pos, area, correlation, spread), found in other_found(effort).items():
        shown = [f(value) for f, both in zip((size, size, coverage), found, strict=True) for value in both]
        rows.append([n, n_pos, area, f"{correlation:g}", f"{spread:g}", *shown])
    kinds = ("no difference", "non-inferiority", "difference held")
    head = ["n", "positives", "AUC", "correlation", "sd of positives"]
    return table([*head, *(f"{kind}, {method}" for kind in kinds for method in BOTH)], rows)


def other_text(found: dict[Other, list[list[float]]]) -> str:
    """What the table shows, in words: the extremes of auto, and where non-inferiority rejects more than 6.5%."""
    differ, held = ([each[kind][1] for each in found.values()] for kind in (0, 2))
    lines = [
        f"By auto, the test of no difference rejected at most {max(differ):.1%}, and the interval held the difference",
        f"in {min(held):.1%} of samples or more. Non-inferiority, by auto:",
        "",
    ]
    for spread, words in ((1.0, "both classes spread alike"), (2.0, "positives spread twice as much")):
        shares = {at: each[1][1] for at, each in found.items() if at[4] == spread}
        over = [f"{share:.1%} ({_place(at)})" for at, share in shares.items() if share > LARGE]
        rest = max(share for share in shares.values() if share <= LARGE)
        lines.append(
            f"- {words}: above {LARGE:.1%} in {len(over)} of {len(shares)} settings; elsewhere {rest:.1%} at most."
        )
        lines += [f"  {text}{',' if text != over[-1] else '.'}" for text in over]
    return "\n".join([*lines, "", f"By DeLong up to {max(each[1][0] for each in found.values()):.1%}."])


def _place(at: Other) -> str:
    return f"{at[1]} of {at[0]} rows positive, AUC {at[2]}, correlation {at[3]:g}"


def _measured(sizes: tuple[int, int], area: float, shape: Any, repeats: int) -> list[list[float]]:
    hits = np.zeros((3, 2))
    for batch in drawn("other", repeats, sizes, (area, area), shape):
        pairs = Pairs.of(batch)
        hits[0] += [(pairs.pvalue(method, "two-sided") <= ALPHA).sum() for method in BOTH]
    for batch in drawn("other", repeats, sizes, (area - MARGIN, area), shape):
        pairs = Pairs.of(batch)
        hits[1] += [(pairs.pvalue(method, "greater", -MARGIN, margin=True) <= ALPHA).sum() for method in BOTH]
        hits[2] += [(pairs.pvalue(method, "two-sided", -MARGIN) > ALPHA).sum() for method in BOTH]
    shares: list[list[float]] = (hits / repeats).tolist()
    return shares


def power_table(effort: Effort) -> str:
    """How often a real difference is found."""
    rows = []
    for n_pos, n_neg, one, two in POWER:
        hits = np.zeros(2)
        for batch in drawn("power", effort.analytic, (n_pos, n_neg), (two, one), (0.5, 1.0)):
            pairs = Pairs.of(batch)
            hits += [(pairs.pvalue(method, "two-sided") <= ALPHA).sum() for method in BOTH]
        rows.append([n_pos + n_neg, n_pos, f"{one} and {two}", *(f"{hit / effort.analytic:.1%}" for hit in hits)])
    return table(["n", "positives", "AUCs", *BOTH], rows)


def together_table(effort: Effort) -> str:
    """How often the intervals of all pairs hold their differences, all of them."""
    rows, repeats = [], max(effort.analytic // 4, 4)
    for n_pos, n_neg, n_models in TOGETHER:
        which = list(combinations(range(n_models), 2))
        for area in (0.7, 0.9):
            hits = np.zeros(2)
            for batch in drawn("together", repeats, (n_pos, n_neg), (area,) * n_models, (0.5, 1.0)):
                smallest = np.minimum.reduce([Pairs.of(batch, i, j).pvalue("auto", "two-sided") for i, j in which])
                levels = np.array([each_level(each, which, 1 - ALPHA) for each in batch.of_pos + batch.of_neg])
                hits += [(smallest > ALPHA).sum(), (smallest > 1 - levels).sum()]
            rows.append([n_pos + n_neg, n_pos, n_models, area, *(coverage(hit / repeats) for hit in hits)])
    return table(["n", "positives", "models", "AUC", "separate", "simultaneous"], rows)
