"""The page's metric for Evidently is run as it stands, where Evidently can be imported: beside pandas 3 it cannot."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rocsteady as rs

pytest.importorskip("evidently", exc_type=ImportError)
PAGE = Path(__file__).parents[1] / "docs" / "trackers.md"


def test_the_metric_of_the_page_and_its_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = [part for part in PAGE.read_text().split("```")[1::2] if "from evidently" in part]
    loans = pd.DataFrame(rs.examples.loans(400))
    (tmp_path / "page.py").write_text(code)
    held: dict[str, Any] = runpy.run_path("page.py", {"loans": loans})
    own = rs.auc_interval(loans["defaulted"], loans["boosted"])
    run = held["report"].run(held["Dataset"].from_pandas(loans, data_definition=held["DataDefinition"]()), None)
    told = run.dict()
    assert [each["value"] for each in told["metrics"]] == pytest.approx([own.estimate, own.low])
    assert [str(each["status"]).rsplit(".", 1)[-1] for each in told["tests"]] == ["SUCCESS"]
    assert "auc_low of boosted" in (tmp_path / "evidently.html").read_text()
