"""The coverage script of cross-validation measures what the public functions give, and its truths are true."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs

pytest.importorskip("benchmarks.crossval_coverage")

from benchmarks import crossval_batches as batched
from benchmarks import crossval_coverage as script


def test_intervals_are_those_of_the_public_function() -> None:
    for design in (script.Design(60, 5, 0.8), script.Design(60, 3, 0.9, repeats=2), script.Design(30, 3, 0.8, rows=2)):
        sample = script.drawn(design, np.random.default_rng(1))
        options = {"cluster": sample.subject} if design.rows > 1 else {}
        for method, made in script.intervals_of(sample, **options).items():
            public = rs.crossval_auc(sample.y, sample.scores, **sample.folds, **options, method=method)
            assert (made.low, made.high) == pytest.approx((public.low, public.high), abs=1e-12), method


def test_batches_are_intervals_of_the_public_function() -> None:
    design, rng, k = script.Design(60, 5, 0.8, prevalence=1 / 3), np.random.default_rng(5), 5
    pos, neg = (rng.standard_normal((3, n, script.FEATURES)) + side * design.shift for n, side in ((20, 1), (40, 0)))
    batch = batched.judged(pos, neg, k, design.shift)
    y, fold = np.repeat([1, 0], [20, 40]), np.concatenate([np.arange(20) // 4, np.arange(40) // 8])
    for place in range(3):
        x = np.concatenate([pos[place], neg[place]])
        models = [script.discriminant(x[fold != each], y[fold != each]) for each in range(k)]
        scores = np.array([row @ models[each][0] + models[each][1] for row, each in zip(x, fold, strict=True)])
        assert batch.true[place] == pytest.approx(script.true_auc(np.array([w for w, _ in models]), design.shift))
        for method, (low, high) in batch.ends().items():
            public = rs.crossval_auc(y, scores, fold=fold, method=method)
            assert (low[place], high[place]) == pytest.approx((public.low, public.high), abs=1e-12), method


@pytest.mark.parametrize("repeats", [1, 2])
def test_verdicts_are_those_of_the_public_function(repeats: int) -> None:
    design = script.Design(60, 5, 0.7, repeats=repeats)
    for seed in range(12):
        first, second = script.two_learners(design, np.random.default_rng(seed))
        found = script.verdicts(design, np.random.default_rng(seed))
        both = first.y, first.scores, second.scores
        for name in ("auto", "influence"):
            public = rs.compare_crossval(*both, **first.folds, method=name)
            assert found[name] == (public.pvalue < 0.05)
        bayesian = rs.compare_crossval(*both, **first.folds, method="bayesian", rope=script.ROPE)
        assert found["bayesian"] == (max(bayesian.p_left, bayesian.p_right) > script.SURE)


def test_the_true_auc_and_curve_of_a_trained_model() -> None:
    design, rng = script.Design(50, 5, 0.8), np.random.default_rng(2)
    sample = script.drawn(design, rng)
    w, b = sample.weights[0], sample.intercepts[0]
    pos, neg = (rng.standard_normal((400_000, script.FEATURES)) + side * design.shift for side in (1, 0))
    y = np.repeat([1, 0], 400_000)
    scores = np.concatenate([pos @ w + b, neg @ w + b])
    assert float(rs.auc(y, scores)) == pytest.approx(float(script.true_auc(w, design.shift)), abs=0.002)
    assert np.linalg.norm(w) == pytest.approx(1)
    roc = rs.roc_curve(y, scores)
    expected = script.ndtr(w @ design.shift + script.ndtri(script.RATES))
    assert np.interp(script.RATES, roc.fpr, roc.tpr) == pytest.approx(expected, abs=0.004)


def test_a_model_has_not_seen_the_rows_it_scores() -> None:
    design = script.Design(40, 4, 0.8)
    rng = np.random.default_rng(3)
    x, y, subject = script.rows_of(design, rng)
    sample = script.scored(design, x, y, subject, np.random.default_rng(4))
    for fold in range(4):
        test = sample.fold == fold
        w, b = script.discriminant(x[~test], y[~test])
        assert sample.scores[test] == pytest.approx(x[test] @ w + b, abs=1e-14)
        assert y[test].sum() == 5


def test_tables_are_written_between_their_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- table: effort -->\nold\n<!-- end -->\nafter\n")
    script.main(["--only", "effort", "--repeats", "10"], page)
    assert "10 for tests" in page.read_text()
    assert "old" not in page.read_text()
    assert "effort" in capsys.readouterr().out
