"""Lines for names of other libraries and for terms of the sources work, and pages of the sources are up to date."""

from __future__ import annotations

import csv
import re
import runpy
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB

import rocsteady
from cases import each_case

mpl.use("Agg")
rs: Any = rocsteady
ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "docs" / "sources"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


EQUIVALENTS, TERMS = rows(ROOT / "docs" / "equivalents.csv"), rows(SOURCES / "terms.csv")
LINES = sorted({row["here"] for row in EQUIVALENTS} | {row["line"] for row in TERMS})


def variables() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 120)
    s, t = (1 / (1 + np.exp(-(spread * (2 * y - 1) + rng.normal(size=120)))) for spread in (1.0, 0.6))
    labels = rng.integers(0, 3, 120)
    features = np.column_stack([s, t])
    seen = rng.integers(0, 2, 50)
    return {
        "rs": rs,
        "y": y,
        "s": s,
        "t": t,
        "labels": labels,
        "p": rng.dirichlet(np.ones(3), 120),
        "indicators": rng.integers(0, 2, (120, 3)),
        "df": pd.DataFrame({"y": y, "a": s, "b": t}),
        "X": features,
        "clf": GaussianNB().fit(rng.random((50, 2)), seen),
    }


GIVEN = variables()


@each_case("line", LINES)
@pytest.mark.filterwarnings("ignore")
def test_the_line_to_type_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert eval(line, GIVEN | {"LeaveOneOut": LeaveOneOut}) is not None  # noqa: S307 - our own lines
    plt.close("all")


def test_a_name_of_a_library_has_one_line() -> None:
    names = [(row["there"], row["library"]) for row in EQUIVALENTS]
    assert len(set(names)) == len(names) >= 200
    assert {"scikit-learn", "pROC", "skore", "yardstick", "MLstatkit"} <= {library for _, library in names}


def test_every_source_has_terms() -> None:
    sources = [row["source"] for row in TERMS]
    assert min(sources.count(source) for source in ("thesis", "seminar", "survey", "lecture", "paper")) >= 40
    assert all(row["line"].startswith("rs.") for row in TERMS)


def test_pages_of_terms_are_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_sources.py"))["made"]()
    assert len(made) == 7
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, "run: PYTHONPATH=. python docs/make_sources.py"


def test_the_readme_leads_to_the_terms_in_one_step() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (SOURCES / "terms.md").read_text(encoding="utf-8")
    assert "(docs/sources/terms.md)" in readme
    assert "(docs/sources/README.md)" in readme
    assert not [row["term"] for row in TERMS if row["term"] not in page or row["line"] not in page]


def test_links_between_pages_of_sources_lead_somewhere() -> None:
    for page in SOURCES.glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)


def test_areas_beside_the_diagonal_tell_which_they_are() -> None:
    perfect = rs.roc_curve([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
    assert str(perfect.diagonal_areas) == "(0.5, 0.0)"
    lines = {row["term"]: row["line"] for row in TERMS}
    above, below = (eval(lines[term], dict(GIVEN)) for term in ("S+", "S-"))  # noqa: S307 - our own lines
    assert rs.auc(GIVEN["y"], GIVEN["s"]) == pytest.approx(0.5 + above - below)
