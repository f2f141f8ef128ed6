"""Names beside the lines of a page's charts, and the line that makes a page again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from page_forms import FORMS
from rocsteady._src.views.plots.places import nearest_of
from rocsteady._src.views.report.line_names import LETTER, LINE, NAMES, WIDTH
from rocsteady._src.views.report.options import Options
from rocsteady._src.views.report.provenance import command
from rocsteady._src.views.report.still_pictures import svg_of
from rocsteady._src.views.report.write import document_of
from rocsteady.examples import loans

LOANS: dict[str, Any] = {**loans(240), "times": np.arange(240) % 3 + 1, "who": np.arange(240) // 2}
LOANS["state"] = np.where(np.asarray(LOANS["defaulted"]) == 1, "bad", "good")


@each_case("form", ["two", "twelve", "classes"])
def test_names_stand_beside_their_lines_and_clear_of_others(form: str) -> None:
    made, options = FORMS[form]
    page = document_of(made(), **options)
    named = [chart for chart in page.all_charts if NAMES in chart.data]
    assert {"roc", "gains"} <= {chart.id for chart in named} or form == "classes"
    assert named
    for chart in named:
        (layer,) = (each for each in chart.spec["layer"] if each["data"]["name"] == NAMES)
        x, y = (layer["encoding"][side]["field"] for side in "xy")
        lines = next(
            each for each in chart.spec["layer"] if each["mark"]["type"] == "line" and "order" in each["encoding"]
        )
        ends = [lines["encoding"][side]["scale"]["domain"] for side in "xy"]
        height = chart.spec["height"] - 60
        scale = np.array([WIDTH / (ends[0][1] - ends[0][0]), height / (ends[1][1] - ends[1][0])])
        for name in chart.data[NAMES]:
            middle = (np.array([name[x], name[y]]) - [ends[0][0], ends[1][0]]) * scale
            half = np.array([LETTER * min(len(name["model"]), 24), LINE]) / 2
            assert (middle - half >= 0).all()
            assert (middle + half <= [WIDTH, height]).all()
            box = np.concatenate([middle - half, middle + half])[None]
            for model in {record["model"] for record in chart.data[lines["data"]["name"]]}:
                points = [
                    (np.array([record[x], record[y]]) - [ends[0][0], ends[1][0]]) * scale
                    for record in chart.data[lines["data"]["name"]]
                    if record["model"] == model and record[y] is not None
                ]
                assert nearest_of(box, np.array(points))[0] > 0, (form, chart.id, name["model"], model)


def test_pictures_have_the_names() -> None:
    pytest.importorskip("vl_convert")
    page = document_of(FORMS["two"][0](), cost_fn=5)
    (chart,) = (each for each in page.all_charts if each.id == "roc")
    drawn = svg_of({**chart.spec, "width": 400, "datasets": chart.data})
    assert drawn.count(">logistic<") == 2  # in the legend and beside its line


@each_case(
    "asked",
    [
        {"label": "defaulted", "scores": ["boosted", "logistic"]},
        {"label": "state", "scores": ["boosted"], "pos_label": "bad", "sample_weight": "times"},
        {"label": "defaulted", "scores": ["boosted"], "sample_weight": "times", "weight_type": "frequency"},
        {"label": "defaulted", "scores": ["boosted", "logistic"], "threshold": 0.3, "measures": ["recall", "f1"]},
        {"label": "defaulted", "scores": ["boosted", "logistic"], "threshold": {"boosted": 0.2, "logistic": 0.3}},
        {"label": "defaulted", "scores": ["boosted"], "threshold": "youden", "cluster": "who"},
    ],
)
def test_the_line_that_makes_a_page_again_finds_the_same(asked: dict[str, Any]) -> None:
    result = rs.evaluate(LOANS, **asked)
    line, supplied = command(result, Options())
    call = line.removeprefix("import rocsteady as rs; ").replace("intervals=True).report('report.html')", ")")
    again = eval(call, {"rs": rs, "table": LOANS})  # noqa: S307 - a line of our own
    assert again.fingerprints == result.fingerprints
    assert again.values == result.values
    assert again.cluster == result.cluster
    assert supplied.startswith("You supply table, with these columns and 240 rows")
