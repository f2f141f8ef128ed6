"""The mean over folds of any measure has an interval, and what is resampled is shown."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import rocsteady as rs


@pytest.fixture(scope="module")
def folded() -> Any:
    rng = np.random.default_rng(3)
    y = np.arange(150) % 3 == 0
    scores = {"a": y + rng.normal(size=150), "b": y + 2 * rng.normal(size=150)}
    fold = rng.permutation(np.arange(150)) % 5
    return rs.evaluate(y, scores, fold=fold, n_resamples=100), y, scores, fold


def test_means_have_the_corrected_t_of_their_folds(folded: Any) -> None:
    found, y, scores, fold = folded
    values = [rs.average_precision(y[fold == k], scores["a"][fold == k]) for k in range(5)]
    mean = found.measures.means["a"]["average_precision"]
    reach = t.ppf(0.975, 4) * np.std(values, ddof=1) * math.sqrt(1 / 5 + 1 / 4)
    assert mean.estimate == pytest.approx(np.mean(values))
    assert (mean.low, mean.high) == pytest.approx((np.mean(values) - reach, np.mean(values) + reach))


def test_the_auc_keeps_its_own_interval(folded: Any) -> None:
    found = folded[0]
    assert found.measures.means["a"]["auc"] is found.models["a"].mean


def test_all_default_measures_and_every_interval_is_shown(folded: Any) -> None:
    found = folded[0]
    assert found.measures.columns == ("auc", "average_precision", "ks_statistic", "h_measure")
    text = str(found)
    for model in "ab":
        for column in found.measures.columns:
            for known in (found.measures.means, found.overall.intervals):
                each = known[model][column]
                assert f"{each.estimate:.4f} [{each.low:.4f}, {each.high:.4f}]" in text
    entry = found.to_dict()["measures"]["a"]["h_measure"]
    assert entry["mean_low"] <= entry["mean"] <= entry["mean_high"]


def test_a_fold_without_a_value_leaves_no_interval() -> None:
    y = [1, 0, 1, 0, 0, 0]
    found = rs.evaluate(y, [3, 1, 4, 2, 6, 5], fold=[1, 1, 1, 2, 2, 2], measures=["average_precision"], n_resamples=40)
    assert math.isnan(found.measures.means["score"]["average_precision"].low)


def test_intervals_of_all_rows_are_made_when_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    from rocsteady._src.evaluation import evaluation

    made: list[int] = []
    make = evaluation.intervals_of_table

    def counted(*given: Any) -> Any:
        made.append(1)
        return make(*given)

    monkeypatch.setattr(evaluation, "intervals_of_table", counted)
    rng = np.random.default_rng(3)
    y = np.tile(rng.integers(0, 2, 60), 2)
    table = {"y": y, "s": y + rng.normal(size=120), "fold": np.tile(np.arange(60) % 3, 2)}
    table |= {"repeat": np.repeat([0, 1], 60), "row": np.tile(np.arange(60), 2)}
    how: dict[str, object] = {"fold": "fold", "repeat": "repeat", "id": "row", "n_resamples": 200, "random_state": 5}
    repeated = rs.evaluate(table, label="y", scores=["s"], **how)
    assert str(repeated)
    assert repeated._repr_html_()
    assert not made
    known = rs.evaluate(table, label="y", scores=["s"], cluster="row").with_intervals(n_resamples=200, random_state=5)
    found = repeated.overall.intervals["s"]
    assert len(made) == 2
    assert found["h_measure"].to_dict() == known.intervals["s"]["h_measure"].to_dict()
    again = pickle.loads(pickle.dumps(repeated.overall.intervals))  # noqa: S301 - made here
    assert type(again) is dict
    assert again["s"].keys() == found.keys() == repeated.overall.intervals.copy()["s"].keys()
    assert len(made) == 2
