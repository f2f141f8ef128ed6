"""cluster= of reclassification and calibration: subjects, not rows, are the independent units."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.special import expit, logit, ndtri

import rocsteady as rs
from rocsteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    Array = np.ndarray[Any, Any]

COPIES = 3
CUTOFFS = [0.3, 0.6]


def subjects(n: int, rows: int = 3, seed: int = 0, *, mixed: bool = True) -> tuple[Array, Array, Array, Array]:
    """Labels, old and new probabilities and subjects; what a subject's rows share is half of everything."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(n), rows)

    def shared() -> Array:
        return (rng.normal(size=n)[cluster] + rng.normal(size=n * rows)) / math.sqrt(2)

    risk, luck = shared(), shared()
    y = (luck < risk if mixed else (luck < risk)[cluster * rows]).astype(int)
    old, new = expit(1.1 * risk + 0.8 * shared()), expit(1.7 * risk + 0.6 * shared())
    return y, old, new, cluster


Y, OLD, NEW, CLUSTER = subjects(120)
ROW = np.arange(Y.size)
WEIGHTS = np.random.default_rng(5).uniform(0.2, 2.0, Y.size)


def copied(*columns: Array) -> list[Array]:
    return [np.repeat(column, COPIES) for column in columns]


def numbers(result: Any, name: str) -> list[float]:
    part = getattr(result, name)
    return [part.se, part.statistic, part.pvalue, part.low, part.high]


NRI = pytest.mark.parametrize("options", [{}, {"cutoffs": CUTOFFS}, {"variance": "null", "cutoffs": CUTOFFS}], ids=str)
WEIGHTED = pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["rows", "sampling weights"])


class TestSingletons:
    """With one row per subject nothing changes."""

    @NRI
    @WEIGHTED
    def test_nri(self, options: dict[str, Any], weights: Array | None) -> None:
        plain = rs.net_reclassification(Y, OLD, NEW, sample_weight=weights, **options)
        single = rs.net_reclassification(Y, OLD, NEW, sample_weight=weights, cluster=ROW, **options)
        for name in ("nri", "events", "nonevents"):
            assert numbers(single, name) == pytest.approx(numbers(plain, name), rel=1e-10)

    @WEIGHTED
    def test_idi(self, weights: Array | None) -> None:
        plain = rs.integrated_discrimination(Y, OLD, NEW, sample_weight=weights)
        single = rs.integrated_discrimination(Y, OLD, NEW, sample_weight=weights, cluster=ROW)
        for name in ("idi", "events", "nonevents", "relative"):
            assert numbers(single, name) == pytest.approx(numbers(plain, name), rel=1e-10)

    @pytest.mark.parametrize("external", [True, False])
    def test_tests(self, external: bool) -> None:
        pairs = [
            (rs.spiegelhalter_test(Y, OLD), rs.spiegelhalter_test(Y, OLD, cluster=ROW)),
            (rs.hosmer_lemeshow(Y, OLD, external=external), rs.hosmer_lemeshow(Y, OLD, external=external, cluster=ROW)),
        ]
        tables = [rs.reclassification(Y, OLD, NEW, cutoffs=CUTOFFS, external=external, cluster=c) for c in (None, ROW)]
        pairs += [(getattr(tables[0], name), getattr(tables[1], name)) for name in ("cook_old", "cook_new")]
        for plain, single in pairs:
            assert (single.statistic, single.pvalue) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-9)
            assert single.df == pytest.approx(plain.df)

    @pytest.mark.parametrize("strategy", ["quantile", "uniform", "isotonic"])
    def test_limits_of_the_curve(self, strategy: str) -> None:
        plain = rs.calibration_curve(Y, OLD, strategy=strategy)
        single = rs.calibration_curve(Y, OLD, strategy=strategy, cluster=ROW)
        np.testing.assert_allclose([single.low, single.high], [plain.low, plain.high], rtol=1e-12)
        assert (plain.method, single.method) == ("wilson", "wilson, by cluster")

    def test_summary(self) -> None:
        plain, single = rs.calibration_summary(Y, OLD), rs.calibration_summary(Y, OLD, cluster=ROW)
        for name in ("brier", "observed_expected"):
            found, expected = getattr(single, name), getattr(plain, name)
            assert (found.se, found.low, found.high) == pytest.approx((expected.se, expected.low, expected.high))
        assert single.unreliability_test.pvalue == pytest.approx(plain.unreliability_test.pvalue, rel=1e-9)
        assert single.expected_ece == pytest.approx(plain.expected_ece)
        assert single.slope.estimate == plain.slope.estimate

    def test_sandwich_of_many_calibrated_rows_is_near_the_likelihood(self) -> None:
        rng = np.random.default_rng(3)
        scores = rng.beta(1.2, 2, 40_000).clip(0.001, 0.999)
        y = rng.random(scores.size) < scores
        plain, single = (rs.calibration_summary(y, scores, cluster=c) for c in (None, np.arange(y.size)))
        for name in ("slope", "intercept", "in_the_large"):
            assert getattr(single, name).se == pytest.approx(getattr(plain, name).se, rel=0.03)


class TestCopies:
    """Rows copied under the same subject tell nothing new: standard errors stay, but for n / (n - 1)."""

    def test_nri(self) -> None:
        first = rs.net_reclassification(Y, OLD, NEW, cutoffs=CUTOFFS, cluster=ROW)
        y, old, new, cluster = copied(Y, OLD, NEW, ROW)
        more = rs.net_reclassification(y, old, new, cutoffs=CUTOFFS, cluster=cluster)
        for name, n in (("events", Y.sum()), ("nonevents", Y.size - Y.sum())):
            correction = n / (n - 1) * (COPIES * n - 1) / (COPIES * n)
            expected = getattr(first, name).se * math.sqrt(correction)
            assert getattr(more, name).se == pytest.approx(expected, rel=1e-10)

    def test_idi(self) -> None:
        first = rs.integrated_discrimination(Y, OLD, NEW, cluster=ROW)
        y, old, new, cluster = copied(Y, OLD, NEW, ROW)
        more = rs.integrated_discrimination(y, old, new, cluster=cluster)
        for name in ("idi", "events", "nonevents", "relative"):
            assert getattr(more, name).se == pytest.approx(getattr(first, name).se, rel=1e-10)

    def test_summary(self) -> None:
        y, old, cluster = copied(Y, OLD, ROW)
        first, more = rs.calibration_summary(Y, OLD, cluster=ROW), rs.calibration_summary(y, old, cluster=cluster)
        for name in ("slope", "intercept", "in_the_large", "observed_expected", "brier"):
            assert getattr(more, name).se == pytest.approx(getattr(first, name).se, rel=1e-9)
        assert more.expected_ece == pytest.approx(first.expected_ece, rel=0.02)  # quantiles may move a row
        for name in ("unreliability_test", "spiegelhalter"):
            assert getattr(more, name).pvalue == pytest.approx(getattr(first, name).pvalue, rel=1e-8)

    @pytest.mark.parametrize("strategy", ["uniform", "isotonic"])
    def test_limits_of_the_curve(self, strategy: str) -> None:
        y, old, cluster = copied(Y, OLD, ROW)
        first = rs.calibration_curve(Y, OLD, strategy=strategy)
        more = rs.calibration_curve(y, old, strategy=strategy, cluster=cluster)
        np.testing.assert_allclose([more.low, more.high], [first.low, first.high], rtol=1e-9)

    def test_chi_squares(self) -> None:
        y, old, new, cluster = copied(Y, OLD, NEW, ROW)
        first = rs.reclassification(Y, OLD, NEW, cutoffs=[0.5], external=True)
        more = rs.reclassification(y, old, new, cutoffs=[0.5], external=True, cluster=cluster)
        assert (first.all >= 20).all(), "the same cells must be used"
        assert more.cook_new.pvalue == pytest.approx(first.cook_new.pvalue, rel=1e-9)

    def test_whole_weights_of_a_subject_are_copies(self) -> None:
        times = np.random.default_rng(2).integers(1, 4, Y.size)
        y, old, new, cluster = (np.repeat(column, times) for column in (Y, OLD, NEW, CLUSTER))
        for function in (rs.net_reclassification, rs.integrated_discrimination):
            long = function(y, old, new, cluster=cluster)
            short = function(Y, OLD, NEW, sample_weight=times, weight_type="frequency", cluster=CLUSTER)
            assert short.events.se == pytest.approx(long.events.se, rel=2e-3)
        long_fit = rs.calibration_summary(y, old, cluster=cluster)
        short_fit = rs.calibration_summary(Y, OLD, sample_weight=times, weight_type="frequency", cluster=CLUSTER)
        for name in ("slope", "brier", "observed_expected", "spiegelhalter"):
            assert getattr(short_fit, name).se == pytest.approx(getattr(long_fit, name).se, rel=1e-9)
        curves = [
            rs.calibration_curve(y, old, cluster=cluster, strategy="uniform"),
            rs.calibration_curve(
                Y, OLD, sample_weight=times, weight_type="frequency", cluster=CLUSTER, strategy="uniform"
            ),
        ]
        np.testing.assert_allclose(curves[1].low, curves[0].low, rtol=1e-9)


def resampled(statistic: Callable[[Array], list[float]], cluster: Array, n_resamples: int = 800) -> Array:
    """Standard deviations over resampled subjects, taken row by row: slow and plain."""
    rng = np.random.default_rng(11)
    members = [np.flatnonzero(cluster == subject) for subject in np.unique(cluster)]
    values = []
    for _ in range(n_resamples):
        drawn = rng.integers(0, len(members), len(members))
        values.append(statistic(np.concatenate([members[subject] for subject in drawn])))
    found: Array = np.std(values, axis=0, ddof=1)
    return found


class TestAgainstResampledSubjects:
    def test_nri_and_idi(self) -> None:
        y, old, new, cluster = subjects(150, seed=4)

        def plain(rows: Array) -> list[float]:
            event, before, after = y[rows] == 1, old[rows], new[rows]
            moved = np.sign(np.digitize(after, CUTOFFS) - np.digitize(before, CUTOFFS))
            slopes = [p[event].mean() - p[~event].mean() for p in (before, after)]
            return [moved[event].mean() - moved[~event].mean(), slopes[1] - slopes[0], slopes[1] / slopes[0]]

        nri = rs.net_reclassification(y, old, new, cutoffs=CUTOFFS, cluster=cluster).nri
        idi = rs.integrated_discrimination(y, old, new, cluster=cluster)
        expected = resampled(plain, cluster)
        assert [nri.se, idi.idi.se, idi.relative.se] == pytest.approx(expected, rel=0.12)

    def test_summary(self) -> None:
        y, old, _, cluster = subjects(200, seed=6)

        def plain(rows: Array) -> list[float]:
            found = rs.calibration_summary(y[rows], old[rows])
            names = ("slope", "intercept", "in_the_large", "observed_expected", "brier")
            return [getattr(found, name).estimate for name in names]

        found = rs.calibration_summary(y, old, cluster=cluster)
        naive = rs.calibration_summary(y, old)
        ses = [found.slope.se, found.intercept.se, found.in_the_large.se, found.observed_expected.se, found.brier.se]
        assert ses == pytest.approx(resampled(plain, cluster, 400), rel=0.12)
        assert found.in_the_large.se > 1.15 * naive.in_the_large.se

    def test_shares_in_bins_of_equal_scores(self) -> None:
        rng = np.random.default_rng(8)
        cluster = np.repeat(np.arange(240), 3)
        scores = np.repeat(rng.choice([0.2, 0.4, 0.6, 0.8], 240), 3)
        shared = rng.normal(size=240)[cluster] + rng.normal(size=720)
        y = (shared / math.sqrt(2) < ndtri(scores)).astype(int)
        curve = rs.calibration_curve(y, scores, strategy="isotonic", cluster=cluster)
        naive = rs.calibration_curve(y, scores, strategy="isotonic")
        expected = resampled(lambda rows: [y[rows][scores[rows] == s].mean() for s in (0.2, 0.4, 0.6, 0.8)], cluster)
        assert curve.observed.size == 4
        width, old_width = curve.high - curve.low, naive.high - naive.low
        # One correlation serves all bins, a bootstrap of one bin knows only its own: hence on average.
        assert np.mean(width / (2 * 1.96 * expected)) == pytest.approx(1, rel=0.12)
        assert (width > 1.2 * old_width).all()

    def test_own_bootstrap_draws_subjects(self) -> None:
        for mixed, scheme in ((True, "subjects"), (False, "subjects within each class")):
            y, old, new, cluster = subjects(150, seed=9, mixed=mixed)
            options: dict[str, Any] = {"cluster": cluster, "random_state": 1, "n_resamples": 800}
            for function, name in ((rs.net_reclassification, "nri"), (rs.integrated_discrimination, "idi")):
                wald = getattr(function(y, old, new, cluster=cluster), name)
                drawn = getattr(function(y, old, new, method="bootstrap", **options), name)
                assert drawn.resampling.scheme == scheme
                assert drawn.se == pytest.approx(wald.se, rel=0.12)

    def test_isotonic_limits_draw_subjects(self) -> None:
        options: dict[str, Any] = {"strategy": "isotonic", "limits": "bootstrap", "random_state": 1, "n_resamples": 300}
        y, old, cluster = copied(Y, OLD, ROW)
        naive = rs.calibration_curve(y, old, **options)
        curve = rs.calibration_curve(y, old, cluster=cluster, **options)
        assert curve.method == "bootstrap percentile, by cluster"
        assert np.mean(curve.high - curve.low) > 1.3 * np.mean(naive.high - naive.low)

    def test_a_draw_of_one_class_is_undefined_and_counted(self) -> None:
        rng = np.random.default_rng(4)
        cluster = np.repeat(np.arange(20), 2)
        y = np.isin(np.arange(40), [0, 2, 4]).astype(int)  # three subjects have an event: 4% of draws have none
        old, new = rng.random((2, 40))
        options: dict[str, Any] = {"cluster": cluster, "method": "bootstrap", "random_state": 3, "n_resamples": 500}
        for function, name in ((rs.net_reclassification, "nri"), (rs.integrated_discrimination, "idi")):
            found = getattr(function(y, old, new, **options), name)
            assert 5 < found.resampling.n_failed < 45
            assert np.isfinite([found.low, found.se]).all()


def test_idi_and_nri_by_hand() -> None:
    """Sums over subjects, one by one; events and nonevents of a subject are taken together."""
    idi = rs.integrated_discrimination(Y, OLD, NEW, cluster=CLUSTER)
    nri = rs.net_reclassification(Y, OLD, NEW, cluster=CLUSTER)
    n, n_all = [int(np.sum(side == Y)) for side in (1, 0)], 120
    for result, values, over_rows in ((idi.idi, NEW - OLD, False), (nri.nri, np.sign(NEW - OLD), True)):
        means = [values[side == Y].mean() for side in (1, 0)]
        sums = np.zeros((n_all, 2))
        for row in ROW:
            side = 1 - Y[row]
            sums[CLUSTER[row], side] += (values[row] - means[side]) / n[side]
        have = [len({CLUSTER[row] for row in ROW if Y[row] == side}) for side in (1, 0)]
        factors = [
            g / (g - 1) * ((m - 1) / m if over_rows else 1) for g, m in zip([*have, n_all], [*n, Y.size], strict=True)
        ]
        own = factors[0] * np.sum(sums[:, 0] ** 2) + factors[1] * np.sum(sums[:, 1] ** 2)
        assert result.se**2 == pytest.approx(own - 2 * factors[2] * np.sum(sums[:, 0] * sums[:, 1]), rel=1e-9)


def test_sandwich_by_hand() -> None:
    found = rs.calibration_summary(Y, OLD, cluster=CLUSTER)
    x, a, b = logit(OLD), found.intercept.estimate, found.slope.estimate
    p = expit(a + b * x)
    information, meat = np.zeros((2, 2)), np.zeros((2, 2))
    for subject in range(120):
        score = np.zeros(2)
        for row in np.flatnonzero(subject == CLUSTER):
            terms = np.array([1, x[row]])
            information += p[row] * (1 - p[row]) * np.outer(terms, terms)
            score += (Y[row] - p[row]) * terms
        meat += np.outer(score, score) * 120 / 119
    bread = np.linalg.inv(information)
    expected = np.sqrt(np.diag(bread @ meat @ bread))
    assert [found.intercept.se, found.slope.se] == pytest.approx(expected, rel=1e-9)


def test_design_effects_by_hand() -> None:
    """Rao and Scott with the eigenvalues themselves."""
    plain = rs.hosmer_lemeshow(Y, OLD, external=True, n_groups=4)
    found = rs.hosmer_lemeshow(Y, OLD, external=True, n_groups=4, cluster=CLUSTER)
    edges = np.quantile(OLD, [0.25, 0.5, 0.75])
    group = np.array([np.sum(score > edges) for score in OLD])
    sums = np.zeros((120, 4))
    for row in ROW:
        sums[CLUSTER[row], group[row]] += Y[row] - OLD[row]
    alone = np.array([np.sum((Y - OLD)[group == g] ** 2) for g in range(4)])
    effects = np.linalg.eigvalsh(sums.T @ sums / np.sqrt(np.outer(alone, alone)))
    df = effects.sum() ** 2 / np.sum(effects**2)
    assert (found.df, found.statistic) == pytest.approx((df, plain.statistic / (effects.sum() / df)), rel=1e-9)


def test_order_of_rows_and_names_of_subjects_do_not_matter() -> None:
    order = np.random.default_rng(1).permutation(Y.size)
    names = np.array([f"subject {number}" for number in CLUSTER], dtype=object)
    first = rs.net_reclassification(Y, OLD, NEW, cluster=CLUSTER)
    again = rs.net_reclassification(Y[order], OLD[order], NEW[order], cluster=names[order].tolist())
    assert numbers(again, "nri") == pytest.approx(numbers(first, "nri"), rel=1e-10)
    low = rs.calibration_curve(Y, OLD, cluster=CLUSTER).low
    np.testing.assert_allclose(rs.calibration_curve(Y[order], OLD[order], cluster=names[order]).low, low, rtol=1e-10)


def test_sampling_weights_with_subjects_have_limits() -> None:
    alone = rs.calibration_curve(Y, OLD, sample_weight=WEIGHTS)
    np.testing.assert_allclose(rs.calibration_curve(Y, OLD, sample_weight=WEIGHTS, cluster=ROW).low, alone.low)
    curve = rs.calibration_curve(Y, OLD, sample_weight=WEIGHTS, cluster=CLUSTER)
    scaled = rs.calibration_curve(Y, OLD, sample_weight=100 * WEIGHTS, cluster=CLUSTER)
    assert np.isfinite(curve.low).all()
    np.testing.assert_allclose(scaled.low, curve.low, rtol=1e-9)
    summaries = [rs.calibration_summary(Y, OLD, sample_weight=k * WEIGHTS, cluster=CLUSTER) for k in (1.0, 100.0)]
    for name in ("slope", "in_the_large", "spiegelhalter", "brier", "observed_expected"):
        assert getattr(summaries[1], name).se == pytest.approx(getattr(summaries[0], name).se, rel=1e-8)
    for name in ("hosmer_lemeshow", "unreliability_test"):
        assert getattr(summaries[1], name).pvalue == pytest.approx(getattr(summaries[0], name).pvalue, rel=1e-6)


def test_missing_subjects_are_settled_with_the_rows() -> None:
    cluster = CLUSTER.astype(float)
    cluster[[4, 9]] = np.nan
    kept = np.isfinite(cluster)
    for function, columns in ((rs.net_reclassification, (OLD, NEW)), (rs.spiegelhalter_test, (OLD,))):
        with pytest.raises(InputError):
            function(Y, *columns, cluster=cluster)
        dropped = function(Y, *columns, cluster=cluster, missing="drop")
        alone = function(Y[kept], *(column[kept] for column in columns), cluster=cluster[kept])
        assert dropped.origin.n_dropped == 2
        part, other = (each.nri if hasattr(each, "nri") else each for each in (dropped, alone))
        assert part.se == pytest.approx(other.se)


def test_size_with_subjects_is_kept_where_rows_reject_too_often() -> None:
    """Calibrated scores, the same for all rows of a subject; 200 samples, 0.05 nominal: 0.14 is 6 standard errors."""
    rng = np.random.default_rng(21)
    cluster = np.repeat(np.arange(100), 4)
    rejected = np.zeros((2, 3))
    for _ in range(200):
        scores = np.repeat(rng.beta(1.2, 2, 100).clip(0.01, 0.99), 4)
        shared = rng.normal(size=100)[cluster] + rng.normal(size=400)
        y = shared / math.sqrt(2) < ndtri(scores)
        for line, given in enumerate((None, cluster)):
            tests = (
                rs.spiegelhalter_test(y, scores, cluster=given),
                rs.hosmer_lemeshow(y, scores, external=True, n_groups=5, cluster=given),
                rs.calibration_summary(y, scores, cluster=given).in_the_large,
            )
            rejected[line] += [test.pvalue < 0.05 for test in tests]
    assert (rejected[1] / 200 < 0.12).all()
    assert (rejected[0] / 200 > 0.12).all()
