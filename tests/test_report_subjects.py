"""With subjects, every interval of the page counts subjects."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._src.views.report.write import document_of

pytest.importorskip("vl_convert")


@pytest.fixture(scope="module")
def table() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(80), 3)
    y = patient % 2
    raw = rng.normal(size=80)[patient] + 0.5 * rng.normal(size=240) + y
    return {"y": y, "a": (1 / (1 + np.exp(-raw))).round(3), "patient": patient}


def data_of(table: dict[str, np.ndarray], **options: Any) -> Any:
    found = rs.evaluate(table, label="y", scores="a", measures=["auc"], intervals=True, **options)
    return {chart.id: chart for chart in document_of(found).all_charts}, found


def test_band_and_tooltips_are_those_of_subjects(table: dict[str, np.ndarray]) -> None:
    charts, _ = data_of(table, cluster="patient")
    wanted = rs.roc_band(table["y"], table["a"], fpr=np.linspace(0, 1, 101), cluster=table["patient"])
    drawn = [record["low"] for record in charts["roc"].data["band"]]
    assert drawn == pytest.approx(wanted.low.round(5).tolist())
    record = charts["roc"].data["roc"][len(charts["roc"].data["roc"]) // 2]
    cut = min(np.unique(table["a"]), key=lambda score: abs(score - record["threshold"]))
    recall = rs.measure_interval("recall", table["y"], table["a"], threshold=cut, cluster=table["patient"])
    assert (record["tpr_low"], record["tpr_high"]) == (round(recall.low, 4), round(recall.high, 4))


def test_limits_are_wider_than_those_of_rows(table: dict[str, np.ndarray]) -> None:
    with_subjects, _ = data_of(table, cluster="patient")
    rows_only, _ = data_of({name: values for name, values in table.items() if name != "patient"})
    for chart, name in (("roc", "band"), ("calibration", "calibration"), ("decision", "decision")):
        widths = [
            np.nanmean([record["high"] - record["low"] for record in charts[chart].data[name]])
            for charts in (with_subjects, rows_only)
        ]
        assert widths[0] > 1.15 * widths[1], chart


def test_the_page_is_written(table: dict[str, np.ndarray], tmp_path: Any) -> None:
    found = rs.evaluate(table, label="y", scores="a", measures=["auc"], intervals=True, cluster="patient")
    path = found.report(tmp_path / "report.json")
    assert json.loads(path.read_text())
