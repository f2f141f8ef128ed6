"""The coverage script measures what the public functions give, and its truths are true."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.measures.threshold_rules import read_rule

pytest.importorskip("benchmarks.coverage")

from benchmarks import (
    coverage,
    coverage_auto,
    coverage_auto_designs,
    coverage_batches,
    coverage_every,
    coverage_intervals,
    coverage_remarks,
    coverage_resampled,
    coverage_tests,
    coverage_thresholds,
    group_replicates,
    replicates,
)
from benchmarks.coverage_kit import Effort, Setting, model_rows, rank_scores
from benchmarks.shared_draws import Draws

from rocsteady._src.inference.comparison import advice
from rocsteady._src.inference.comparison.curves import PairedCurves, UnpairedCurves
from rocsteady._src.inference.comparison.omnibus import omnibus_test
from rocsteady._src.inference.comparison.permute import permutation_p
from rocsteady._src.inference.comparison.two_areas import pair_of, pair_of_samples
from rocsteady._src.inference.intervals import thresholds
from rocsteady._src.inference.intervals.chosen_threshold import intervals_when_chosen
from rocsteady._src.inference.intervals.measure_facts import draws_within_classes
from rocsteady._src.inference.resampling.draws import GroupDraws, RowDraws
from rocsteady._src.inference.resampling.resample import replicate
from rocsteady._src.inference.units.components import Area
from rocsteady._src.inference.units.spread import areas_of
from rocsteady._src.measures.requests import parse_requests
from rocsteady._src.results.remarks import Remark

TINY = Effort(analytic=2, resampled=1, resamples=20)
SETTINGS = [Setting(6, 9, 0.9), Setting(12, 20, 0.7, tied=True)]


def drawn(setting: Setting) -> np.ndarray:
    return next(setting.samples(np.random.default_rng(3), 1))


@pytest.mark.parametrize("setting", SETTINGS)
def test_intervals_of_the_auc_are_those_of_the_public_function(setting: Setting) -> None:
    scores = drawn(setting)
    found = coverage_intervals.auc_ends(rank_scores(scores, setting.n_pos))
    for method, ends in found.items():
        public = rs.auc_interval(setting.y, scores, method=method)
        assert (ends.low, ends.high) == pytest.approx((public.low, public.high), abs=1e-12)
        assert tuple(ends.warnings) == public.warnings


@pytest.mark.parametrize("setting", SETTINGS)
def test_many_samples_at_once_are_those_of_the_public_function(setting: Setting) -> None:
    scores = np.array(list(setting.samples(np.random.default_rng(3), 3)))
    found = coverage_batches.areas_and_variances(scores[:, : setting.n_pos], scores[:, setting.n_pos :])
    for line, area, variance in zip(scores, *found, strict=True):
        for method, ends in coverage_batches.ends_of(area, variance, rank_scores(line, setting.n_pos)).items():
            public = rs.auc_interval(setting.y, line, method=method)
            assert ends == pytest.approx((public.low, public.high), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("setting", SETTINGS)
def test_bootstrap_ends_are_those_of_the_public_function(setting: Setting) -> None:
    scores = drawn(setting)
    ranked = rank_scores(scores, setting.n_pos)
    for measure in coverage_resampled.TRUTHS:
        how: dict[str, Any] = {"n_resamples": 60, "random_state": 5}
        public = {
            kind: rs.bootstrap_interval(measure, setting.y, scores, method=kind, **how)
            for kind in coverage_resampled.facts_of(measure)[2]
        }
        replicates = public["percentile"].resampling.distribution
        public |= {"jackknife": rs.jackknife_interval(measure, setting.y, scores)}
        found = coverage_resampled.ends_from(measure, ranked, replicates)
        assert found.keys() == public.keys()
        for kind, ends in found.items():
            assert ends == pytest.approx((public[kind].low, public[kind].high), abs=1e-12)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("within_classes", [True, False])
def test_resamples_by_the_hundred_have_the_values_of_the_measures(setting: Setting, within_classes: bool) -> None:
    ranked = rank_scores(drawn(setting), setting.n_pos)
    rng = np.random.default_rng(2)
    pos, neg = group_replicates.draw_groups(ranked, Draws(rng, 20), within_classes=within_classes)
    assert set((pos + neg).sum(axis=1)) == {setting.n}
    assert not within_classes or set(pos.sum(axis=1)) == {setting.n_pos}
    for measure, compute in coverage_resampled.VALUES.items():
        (request,) = parse_requests([measure])
        for line, value in enumerate(group_replicates.values_of(compute, pos, neg)):
            kept = (pos[line] + neg[line]) > 0
            made = rs.RankedScores.trusted(
                ranked.scores[kept], pos[line][kept].astype(int), neg[line][kept].astype(int), ranked.origin
            )
            assert value == pytest.approx(request.sheet.compute(made, **request.params), abs=1e-12, nan_ok=True)


def test_resamples_without_ties_have_the_same_values_for_less() -> None:
    for seed, setting in enumerate(
        (Setting(6, 9, 0.9), Setting(4, 16, 0.5), Setting(2, 48, 0.97), Setting(30, 20, 0.7))
    ):
        ranked = rank_scores(next(setting.samples(np.random.default_rng(seed), 1)), setting.n_pos)
        draws = Draws(np.random.default_rng(seed), 60)
        for measure, compute in coverage_resampled.VALUES.items():
            apart = draws_within_classes(measure)
            plain = group_replicates.values_of(
                compute, *group_replicates.draw_groups(ranked, draws, within_classes=apart)
            )
            found = coverage_resampled.replicates(measure, ranked, draws)
            assert found == pytest.approx(plain, abs=1e-12, nan_ok=True)
        both = group_replicates.draw_groups(ranked, draws, within_classes=False)
        plain = coverage_thresholds.chosen_cuts(ranked.scores, *both)
        assert coverage_thresholds.cuts_drawn(ranked, draws) == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize("setting", SETTINGS)
def test_thresholds_by_the_hundred_are_those_of_the_rule(setting: Setting) -> None:
    ranked = rank_scores(drawn(setting), setting.n_pos)
    pos, neg = group_replicates.draw_groups(ranked, Draws(np.random.default_rng(5), 40), within_classes=False)
    pos, neg = np.concatenate([pos, pos[:1]]), np.concatenate([neg, neg[:1] * 0])  # the last lacks a class
    found = coverage_thresholds.chosen_cuts(ranked.scores, pos, neg)
    assert len(found) == 40
    for line, values in enumerate(found):
        kept = (pos[line] + neg[line]) > 0
        above, below = (side[line][kept].astype(int) for side in (pos, neg))
        chosen = rs.best_threshold(rs.RankedScores.trusted(ranked.scores[kept], above, below, ranked.origin))
        assert values == pytest.approx((chosen.threshold, chosen.tpr, chosen.fpr), abs=1e-12)


@pytest.mark.parametrize("measure", coverage_auto_designs.MEASURES)
def test_the_bootstrap_test_of_a_measure_is_that_of_the_public_function(measure: str) -> None:
    setting = Setting(15, 45, 0.8)
    scores = next(setting.models(np.random.default_rng(8), 1))
    chances = coverage_every.probability(scores, setting.prevalence)
    params = {"threshold": coverage_auto_designs.cut_of(setting)} if measure == "recall" else None
    how: dict[str, Any] = {"n_resamples": 40, "n_jobs": 1, "params": params}
    public = rs.compare_measure(measure, setting.y, *chances, method="bootstrap", random_state=0, **how)
    rows = model_rows(chances, setting.n_pos)
    draws = RowDraws(rows, stratified=draws_within_classes(measure))
    lines: list[np.ndarray] = []
    replicate(lambda rng: lines.append(sum(draws.draw(rng)[0])) or [0.0], n_resamples=40, seed=0, n_jobs=1)  # type: ignore[func-returns-value]
    times = np.array(lines)[:, rows.places[0]]
    found = coverage_auto_designs.bootstrap_pvalue(measure, setting, chances, times)
    assert found == pytest.approx(public.pvalue, abs=1e-9)


@pytest.mark.parametrize("mixed", [True, False])
def test_models_of_subjects_are_alike(mixed: bool) -> None:
    rng, gap = np.random.default_rng(9), Setting(1, 1, 0.8).gap
    y, scores, subject = coverage_auto_designs.two_of_subjects(rng, 40_000, gap, mixed=mixed)
    noise = scores - gap * y
    assert np.cov(noise) == pytest.approx(np.array([[1, 0.5], [0.5, 1]]), abs=0.03)
    of_one = noise[0].reshape(-1, 3)
    assert np.mean(of_one[:, 0] * of_one[:, 1]) == pytest.approx(0.5, abs=0.03)
    assert subject.max() == 39_999


def test_models_of_weighted_rows_have_the_auc_of_the_population() -> None:
    setting = Setting(40_000, 40_000, 0.8)
    scores, weights = coverage_auto_designs.two_of_kept(np.random.default_rng(10), setting)
    assert rs.auc(setting.y, scores[0], sample_weight=weights) == pytest.approx(0.8, abs=0.01)
    assert rs.auc(setting.y, scores[1], sample_weight=weights) == pytest.approx(0.8, abs=0.01)
    assert abs(rs.auc(setting.y, scores[0]) - 0.8) > 0.01


@pytest.mark.parametrize("cell", [(60, 0.3), (200, 0.5)])
@pytest.mark.parametrize("within_classes", [True, False])
def test_all_measures_by_the_hundred_have_their_values(cell: tuple[int, float], within_classes: bool) -> None:
    n, share = cell
    rng = np.random.default_rng(3)
    positive = np.arange(n) < n * share
    scores = coverage_every.probability(rng.standard_normal(n) + positive, share)
    order = scores.argsort()
    scores, positive = scores[order], positive[order]
    rows = replicates.draw_rows(positive, rng, 3, within_classes=within_classes)
    resamples = replicates.Replicates(scores, positive, rows)
    for name in replicates.VALUES:
        near = 1e-3 if name == "rho_auc" else 1e-6  # eight nodes; single precision
        for line, value in enumerate(replicates.values_of(name, resamples)):
            kept = rows[line] > 0
            made = rs.rank(positive[kept], scores[kept], sample_weight=rows[line][kept])
            assert value == pytest.approx(rs.get_measure(name).sheet.compute(made), abs=near)


def test_intervals_on_trial_are_those_of_an_evaluation() -> None:
    """Formulas and warnings are the same; resampled ends differ by chance alone, and so little in a large sample."""
    cell, rng = (400, 0.5), np.random.default_rng(4)
    positive = rng.random(400) < 0.5
    scores = coverage_every.probability(rng.standard_normal(400) + coverage_every.GAP * positive, 0.5)
    order = scores.argsort()
    found = coverage_every.intervals_of(scores[order], positive[order], cell, rng, 700)
    names = ["auc", "lift", "ks_statistic", "average_precision", "log_loss", "expected_calibration_error"]
    shown = rs.evaluate({"y": positive, "s": scores}, label="y", scores="s", measures=names, intervals=True)
    for name in names:
        public, trial = shown.intervals["s"][name], found[name]
        assert (trial.estimate, trial.method, trial.warnings) == (public.estimate, public.method, public.warnings)
        assert tuple(trial) == pytest.approx(tuple(public), abs=0.25 * (public.high - public.low))


def test_every_measure_has_a_row_on_trial_and_says_where_its_interval_is_short() -> None:
    """A new measure needs a line in the table: python -m benchmarks.coverage --only every."""
    page = coverage.PAGE.read_text()
    table = page.partition("<!-- table: every -->")[2].partition("<!-- end -->")[0]
    lines = {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}
    assert set(lines) >= {sheet.name for sheet in rs.list_measures()}
    for name, line in lines.items():
        cells = line.split("|")[2:-3]
        assert len(cells) == len(coverage_every.CELLS)
        for cell in cells:
            if "**" in cell:  # below 92%
                warned = float(cell.partition("warned ")[2].partition("%")[0])
                assert warned >= 85, f"{name}: {cell} without a warning in print"


def test_truths_of_the_trial_do_not_move_with_a_larger_population() -> None:
    """Their error is far below the width of an interval of a thousand rows."""
    for name in ("auc", "average_precision", "h_measure", "expected_calibration_error", "ks_statistic", "soft_auc"):
        small, large = (coverage_every.truth_of(name, 50, 0.05, size) for size in (100_000, 200_000))
        assert small == pytest.approx(large, abs=3e-4)


def test_partial_logit_is_that_of_the_public_function() -> None:
    setting = Setting(12, 20, 0.9)
    scores = drawn(setting)
    found = coverage_intervals.partial_ends(rank_scores(scores, setting.n_pos))
    for method, ends in found.items():
        public = rs.auc_interval(setting.y, scores, fpr_range=(0, 0.2), method=method)
        assert ends == pytest.approx((public.low, public.high), abs=1e-12)


@pytest.mark.parametrize("setting", SETTINGS)
def test_pvalues_are_those_of_the_public_functions(setting: Setting) -> None:
    scores = next(setting.models(np.random.default_rng(4), 1, 3))
    rows = model_rows(scores, setting.n_pos)
    areas = areas_of(rows, Area())
    columns = {str(i): line for i, line in enumerate(scores)}
    apart = pair_of_samples([areas_of(model_rows(line[None], setting.n_pos), Area()) for line in scores[:2]])
    for method in (*coverage_tests.METHODS, "auto"):
        for paired, both in ((True, pair_of(areas, (0, 1))), (False, apart)):
            public = rs.compare_auc(setting.y, scores[0], scores[1], method=method, paired=paired)
            assert coverage_tests.rejects(both, method, "two-sided") == (public.pvalue <= 0.05)
            for truth in (public.low, public.high):
                inside, outside = (truth + step * (public.estimate - truth) for step in (1e-6, -1e-6))
                assert coverage_tests.holds_difference(both, method, inside)
                assert not coverage_tests.holds_difference(both, method, outside)
        models = rs.compare_models(setting.y, columns, method=method)
        assert models.omnibus is not None
        assert omnibus_test(areas, method).pvalue == pytest.approx(models.omnibus.pvalue)


def drawn_pairs(setting: Setting, n_models: int = 2) -> list[np.ndarray]:
    return list(setting.models(np.random.default_rng(4), 12, n_models))


@pytest.mark.parametrize("setting", [Setting(4, 30, 0.6), Setting(20, 30, 0.9)])
@pytest.mark.parametrize("paired", [True, False])
def test_rejections_are_those_of_the_public_function(setting: Setting, paired: bool) -> None:
    look = coverage_tests.paired_seen if paired else coverage_tests.unpaired_seen
    for scores in drawn_pairs(setting):
        for (method, column), (rejected, warned) in look(setting, scores).items():
            side = "greater" if "greater" in column else "two-sided"
            public = rs.compare_auc(setting.y, *scores, method=method, paired=paired, alternative=side)
            assert (rejected, warned) == (public.pvalue <= 0.05, bool(public.warnings))


@pytest.mark.parametrize("setting", [Setting(4, 30, 0.6), Setting(20, 30, 0.9)])
def test_rejections_with_a_margin_are_those_of_the_public_function(setting: Setting) -> None:
    for scores in drawn_pairs(setting):
        for (method, column), (rejected, warned) in coverage_tests.margin_seen(setting, scores).items():
            how: dict[str, Any] = {"alternative": column.split(",")[0], "margin": coverage_tests.MARGIN}
            public = rs.compare_auc(setting.y, *scores, method=method, **how)
            assert (rejected, warned) == (public.pvalue <= 0.05, bool(public.warnings))


@pytest.mark.parametrize("setting", [Setting(4, 30, 0.6), Setting(15, 15, 0.9)])
def test_partial_and_omnibus_rejections_are_those_of_the_public_functions(setting: Setting) -> None:
    for scores in drawn_pairs(setting, 3):
        seen = {test: both for (test, _), both in coverage_tests.omnibus_seen(setting, scores).items()}
        columns = {str(i): line for i, line in enumerate(scores)}
        partial = rs.compare_auc(setting.y, *scores[:2], fpr_range=(0, 0.2), method="delong")
        omnibus = rs.compare_models(setting.y, columns, method="delong").omnibus
        assert omnibus is not None
        assert seen["partial area"] == (partial.pvalue <= 0.05, bool(partial.warnings))
        assert seen["three models"] == (omnibus.pvalue <= 0.05, bool(omnibus.warnings))


@pytest.mark.parametrize("setting", [Setting(3, 40, 0.8), Setting(8, 30, 0.97), Setting(20, 25, 0.7, tied=True)])
def test_many_samples_at_once_are_judged_as_the_public_functions_judge_them(setting: Setting) -> None:
    drawn = np.array(list(setting.models(np.random.default_rng(6), 8, 3)))
    batch = coverage_auto.Batch.of(drawn, setting.n_pos)
    pairs = coverage_auto.Pairs.of(batch)
    apart = coverage_auto.Pairs.apart(*(coverage_auto.Batch.of(drawn[:, [i]], setting.n_pos) for i in (0, 1)))
    together = coverage_auto.omnibus_pvalue(batch)
    for place, scores in enumerate(drawn):
        for method in ("delong", "auto"):
            for side in ("two-sided", "greater", "less"):
                public = rs.compare_auc(setting.y, *scores[:2], method=method, alternative=side)
                assert pairs.pvalue(method, side)[place] == pytest.approx(public.pvalue, rel=1e-6)
            margin = rs.compare_auc(
                setting.y, *scores[:2], method=method, alternative="non-inferiority", margin=coverage_auto.MARGIN
            )
            found = pairs.pvalue(method, "greater", -coverage_auto.MARGIN, margin=True)[place]
            assert found == pytest.approx(margin.pvalue, rel=1e-6)
        unpaired = rs.compare_auc(setting.y, *scores[:2], paired=False)
        assert apart.pvalue("auto", "two-sided")[place] == pytest.approx(unpaired.pvalue, rel=1e-6)
        three = rs.compare_models(setting.y, {str(i): line for i, line in enumerate(scores)}).omnibus
        assert three is not None
        if not np.isnan(three.pvalue):
            assert together[place] == pytest.approx(three.pvalue, rel=1e-6)


@pytest.mark.parametrize("tied", [False, True])
def test_truths_are_the_limits_of_large_samples(tied: bool) -> None:
    setting = Setting(100_000, 300_000, 0.8, tied)
    ranked = rank_scores(drawn(setting), setting.n_pos)
    assert rs.auc(ranked) == pytest.approx(setting.true_auc, abs=0.003)
    assert rs.partial_auc(ranked, fpr_range=(0, 0.2)) == pytest.approx(setting.true_partial(0.2), abs=0.002)
    assert rs.average_precision(ranked) == pytest.approx(setting.true_average_precision, abs=0.005)
    assert not tied or 5 <= ranked.scores.size <= 11


@pytest.mark.parametrize("tied", [False, True])
def test_a_lead_gives_the_area_asked_for(tied: bool) -> None:
    setting = Setting(50_000, 50_000, 0.8, tied)
    lead = setting.lead_of(setting.true_auc - 0.05)
    scores = next(setting.models(np.random.default_rng(7), 1, lead=lead))
    first, second = (rs.auc(setting.y, line) for line in scores)
    assert second - first == pytest.approx(0.05, abs=0.006)


@pytest.mark.parametrize("tied", [False, True])
def test_the_best_cut_of_the_population_is_that_of_a_large_sample(tied: bool) -> None:
    setting = Setting(100_000, 100_000, 0.9, tied)
    chosen = rs.best_threshold(rank_scores(drawn(setting), setting.n_pos), rule="youden")
    threshold, tpr, fpr = coverage_thresholds.best_cut(setting)
    assert chosen.threshold == pytest.approx(threshold, abs=0.1)
    assert (chosen.tpr, chosen.fpr) == pytest.approx((tpr, fpr), abs=0.03)


def test_weighted_samples_have_the_auc_of_the_population() -> None:
    rng, setting = np.random.default_rng(6), Setting(40_000, 40_000, 0.8)
    parts = [coverage_intervals.kept_scores(rng, 40_000, gap) for gap in (setting.gap, 0.0)]
    scores, weights = (np.concatenate(both) for both in zip(*parts, strict=True))
    assert rs.auc(setting.y, scores, sample_weight=weights) == pytest.approx(0.8, abs=0.01)
    assert abs(rs.auc(setting.y, scores) - 0.8) > 0.02


def test_optimism_of_a_chosen_threshold_is_that_of_an_evaluation() -> None:
    ranked = rank_scores(drawn(Setting(15, 45, 0.8)), 15)
    sheets = [rs.get_measure(measure).sheet for measure in coverage_thresholds.AT_CHOSEN]
    draws = GroupDraws(ranked, stratified=False)
    how: dict[str, Any] = {"rule": read_rule("youden"), "level": 0.95, "seed": 0, "n_resamples": 50}
    found = intervals_when_chosen(draws, [(sheet, {}) for sheet in sheets], **how)
    lines: list[np.ndarray] = []
    replicate(lambda rng: lines.append(sum(draws.draw(rng)[0])) or [0.0], n_resamples=50, seed=0, n_jobs=1)  # type: ignore[func-returns-value]
    optimism = coverage_thresholds.optimism_of(ranked, np.array(lines))
    for interval, expected in zip(found, optimism, strict=True):
        assert interval.resampling is not None
        assert np.nanmean(interval.resampling.distribution) == pytest.approx(expected, abs=1e-12)


def test_counts_add_up_to_the_design() -> None:
    fixed, cohort = (coverage_thresholds.draw_counts(Setting(4, 16, 0.9), 50, cohort=c) for c in (False, True))
    assert set(fixed.sum(axis=1)) == set(cohort.sum(axis=1)) == {20}
    assert set(fixed[:, 0] + fixed[:, 2]) == {4}


def test_words_on_other_settings_are_those_of_their_table() -> None:
    page = coverage.PAGE.read_text()
    lines = page.partition("<!-- table: auto_elsewhere -->")[2].partition("<!-- end -->")[0].splitlines()[3:]
    found = {}
    for line in lines:
        n, n_pos, *more = (float(cell.strip(" *%")) for cell in line.strip("| ").split("|"))
        shares = [share / 100 for share in more[3:]]
        found[int(n), int(n_pos), more[0], more[1], more[2]] = [shares[:2], shares[2:4], shares[4:]]
    assert len(found) == 54
    assert coverage.with_table(page, "auto_elsewhere_text", coverage_auto.other_text(found)) == page


def test_the_page_has_a_place_for_every_table_and_only_that_is_written(tmp_path: Path) -> None:
    page = tmp_path / "coverage.md"
    page.write_text(coverage.PAGE.read_text())
    coverage.main(["--only", "effort", "--repeats", "10"], page)
    assert "10 samples per setting" in page.read_text()
    for name in coverage.TABLES:
        assert coverage.with_table(page.read_text(), name, "new").count("new\n<!-- end -->") == 1


@pytest.mark.parametrize("make", [coverage_intervals.weight_table, coverage_tests.warning_table])
def test_a_table_is_the_same_every_time(make: object) -> None:
    assert callable(make)
    first = make(TINY)
    assert first == make(TINY)
    assert first.startswith("| ")


def lines_of(page: str, name: str) -> list[list[str]]:
    """Cells of a table of the page."""
    found = re.search(rf"<!-- table: {name} -->\n(.*?)\n<!-- end -->", page, re.DOTALL)
    assert found is not None
    return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in found[1].splitlines()[2:]]


def test_words_on_chosen_thresholds_are_those_of_their_table() -> None:
    table = [cells for cells in lines_of(coverage.PAGE.read_text(), "youden") if int(cells[1]) < thresholds.ENOUGH]
    shares = [float(cell.strip("%")) for cells in table for cell in cells[3:]]
    said = str(Remark("choice_unstable", enough=thresholds.ENOUGH))
    assert f"held the truth in {min(shares):.0f}% to {max(shares):.0f}% of such samples" in said


def test_words_on_few_rows_inside_and_on_margins_are_those_of_their_tables() -> None:
    page = coverage.PAGE.read_text()
    inside = [cells for cells in lines_of(page, "partial_difference") if float(cells[0]) < advice.ENOUGH_INSIDE]
    shares = [float(cell.strip("%")) for cells in inside for cell in cells[4:]]
    said = str(Remark("few_inside_both", rows=2.0))
    assert f"held it in {min(shares):.0f}% to {max(shares):.0f}% of such samples" in said
    most = max(float(cells[2].strip("%")) for cells in lines_of(page, "margin_remark"))
    assert f"in up to {most:.0f}% of samples" in str(Remark("margin_rejects", rows=15, auc=0.95, pvalue=0.1))


def test_the_remark_on_margins_is_counted_as_results_carry_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, rng = (15, 45), np.random.default_rng(2)
    scores = np.array([*coverage_remarks.two_models(sizes, 2.0, (0.9, 0.9), rng, 40)])
    monkeypatch.setattr(coverage_remarks, "drawn", lambda *_: [coverage_auto.Batch.of(scores, sizes[0])])
    rejected, told = coverage_remarks.told_with_margin(sizes, 0.9, (0.5, 2.0), 40)
    asked = {"alternative": "non-inferiority", "margin": 0.05}
    found = [rs.compare_auc(np.repeat([1, 0], sizes), *pair, **asked) for pair in scores]
    assert rejected == sum(test.pvalue <= 0.05 for test in found) / 40
    assert told == sum("margin_rejects" in [remark.code for remark in test.warnings] for test in found) / 40
    assert 0 < told < rejected


def test_positives_that_are_lost_have_the_areas_of_their_share() -> None:
    (batch,) = coverage_remarks.lost("a test", 400, (100, 50), (0.9, 0.95), coverage_remarks.LOST)
    assert batch.areas.mean(axis=0) == pytest.approx((0.9, 0.95), abs=0.005)


def test_partial_areas_of_the_population_are_those_of_a_large_sample() -> None:
    scores = next(coverage_remarks.two_models((20_000, 20_000), 3.0, (0.75, 0.9), np.random.default_rng(1), 1))
    for area, line in zip((0.75, 0.9), scores, strict=True):
        measured = rs.partial_auc(np.repeat([1, 0], 20_000), line, fpr_range=(0, 0.1))
        assert measured == pytest.approx(coverage_remarks.true_partial(area, 3.0, 0.1), abs=1e-3)


@pytest.mark.parametrize("paired", [True, False])
def test_permutations_of_curves_stop_early_without_another_decision(paired: bool) -> None:
    rng, said = np.random.default_rng(3), []
    for lead in np.linspace(0.0, 2.0, 12):
        scores = rng.standard_normal((2, 60)) + np.repeat([1.0, 0.0], [25, 35]) * np.array([[1.0], [1.0 + lead]])
        rows = [model_rows(line[None], 25) for line in scores]
        test = PairedCurves.of(model_rows(scores, 25)) if paired else UnpairedCurves.of(*rows)
        whole, step = np.random.default_rng(5), coverage_resampled.AT_ONCE
        values = np.concatenate([test.permuted(whole, step) for _ in range(99 // step)])
        wanted = permutation_p(values, test.observed(), "greater")[0] <= 0.05
        said.append(coverage_resampled.curves_differ(test, np.random.default_rng(5)))
        assert said[-1] == wanted
    assert 0 < sum(said) < 12


def test_lines_of_some_measures_are_written_among_the_others(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    head = "| measure | mean |\n| --- | --- |\n"
    page.write_text(f"<!-- table: every -->\n{head}| `auc_acc` | old |\n| `gini` | kept |\n<!-- end -->\nafter\n")
    coverage.main(["--repeats", "10", "--measures", "auc_acc", "auc"], page)
    lines = page.read_text().splitlines()
    assert [line.split("|")[1].strip() for line in lines[3:6]] == ["`auc_acc`", "`gini`", "`auc`"]
    assert "old" not in lines[3]
    assert lines[4:] == ["| `gini` | kept |", lines[5], "<!-- end -->", "after"]


def test_every_benchmark_can_be_imported() -> None:
    """One asked a reproduction for a name that it no longer had, and ``make bench`` stopped."""
    for path in sorted((Path(__file__).parent.parent / "benchmarks").glob("[a-z]*.py")):
        importlib.import_module(f"benchmarks.{path.stem}")
