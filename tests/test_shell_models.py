"""Several models of more than two classes, and of several labels, in the shell: what the library says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from command import rocsteady

KINDS = ["cat", "dog", "fox"]
MODELS = {model: [f"{model}_{kind}" for kind in KINDS] for model in ("lr", "gb")}
BOTH = [text for columns in MODELS.values() for text in ("--score", ",".join(columns))]
NAMED = [text for model, columns in MODELS.items() for text in ("--score", f"{model.upper()}={','.join(columns)}")]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    kind, present = rng.integers(0, 3, 120), rng.integers(0, 2, (120, 3))
    frame = pd.DataFrame(present, columns=KINDS).assign(kind=np.array(KINDS)[kind], site=np.arange(120) % 2)
    for noise, columns in zip((1.0, 2.0), MODELS.values(), strict=True):
        values = np.exp(noise * rng.normal(size=(120, 3)) + np.eye(3)[kind] + present)
        frame[columns] = (values / values.sum(axis=1, keepdims=True)).round(6)
    return frame


@pytest.fixture(scope="module")
def file(table: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "d.csv"
    table.to_csv(path, index=False)
    return str(path)


def said(*words: str) -> Any:
    done = rocsteady(*words, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("of", "label"), [("--classes", "kind"), ("--labels", "cat,dog,fox")])
def test_models_in_the_shell_are_those_of_the_library(of: str, label: str, file: str, table: pd.DataFrame) -> None:
    several = ["--label", label, *(("--classes", "cat,dog,fox") if of == "--classes" else ())]
    given: dict[str, Any] = {"label": "kind", "classes": KINDS} if of == "--classes" else {"label": KINDS}
    known: Any = rs.evaluate(table, scores=MODELS, **given)
    found = said("evaluate", file, *several, *BOTH)
    assert found == json.loads(json.dumps(known.to_dict()))
    compared = said("compare", file, *several, *BOTH)
    assert compared["pairs"][0]["test"]["pvalue"] == known.compare().pairs[0].test.pvalue
    assert [each["model"] for each in said("evaluate", file, *several, *NAMED)["models"]] == ["LR", "GB"]
    grouped = rs.evaluate(table, scores=MODELS, by="site", **given)
    assert said("evaluate", file, *several, *BOTH, "--by", "site") == json.loads(json.dumps(grouped.to_dict()))


def test_several_measures_and_one_label(file: str) -> None:
    label = ("--labels", "cat,dog,fox")
    done = rocsteady("compare", file, *label, *BOTH, "--measure", "macro_auc,auc(label='dog')")
    assert done.stdout.startswith("macro_auc: ")
    assert "\nauc(label='dog'): " in done.stdout
    one = said("evaluate", file, *label, "--score", "lr_cat,lr_dog,lr_fox")
    assert list(one["auc"]) == KINDS


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("evaluate", "--label", "kind", "--classes", "cat,dog,fox", "--score", "lr_cat,lr_dog"),
            "2 columns of scores",
        ),
        (("compare", "--label", "kind", "--classes", "cat,dog,fox", *BOTH[:2]), "--score lr=p,q,r"),
        (("compare", "--labels", "cat,dog,fox", *BOTH[:2]), "needs at least two models"),
        (("evaluate", "--labels", "cat,dog,fox", *BOTH, "--threshold", "0.5"), "--threshold does nothing"),
        (("compare", "--labels", "cat,dog,fox", *BOTH, "--method", "delong"), "--method does nothing"),
        (("evaluate", "--labels", "cat,dog,fox", *BOTH, "--measure", "auc"), "no measure of several labels"),
        (("evaluate", "--labels", "cat,cow", *BOTH[:2]), "3 columns of scores for 2 labels"),
        (("evaluate", "--labels", "cat,cow", "--score", "lr_cat,lr_dog"), "no column 'cow'"),
        (("evaluate", "--label", "kind", "--classes", "cat,dog,fox", *NAMED[:2], "--score", "gb_cat"), "every model"),
    ],
)
def test_what_does_not_fit_is_one_sentence(words: tuple[str, ...], told: str, file: str) -> None:
    done = rocsteady(words[0], file, *words[1:])
    assert done.returncode == 2
    assert told in done.stderr


def test_columns_are_called_models_by_what_they_begin_with(file: str, tmp_path: Path, table: pd.DataFrame) -> None:
    renamed = table.rename(columns={name: str(place) for place, name in enumerate([*MODELS["lr"], *MODELS["gb"]])})
    renamed.to_csv(tmp_path / "n.csv", index=False)
    scores = [text for place in range(6) for text in ("--score", str(place))]
    found = said("evaluate", str(tmp_path / "n.csv"), "--label", "kind", "--classes", "cat,dog,fox", *scores)
    assert [each["model"] for each in found["models"]] == ["model 1", "model 2"]
