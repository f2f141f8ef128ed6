"""Data for the tests about probabilities: R's reference values, calibrated samples, rows as fractions."""

from __future__ import annotations

import csv
import hashlib
import json
from fractions import Fraction
from pathlib import Path

import numpy as np

from strategies import ScoreTable, score_tables

FIXTURES = Path(__file__).with_name("fixtures")
R_REFERENCE = json.loads((FIXTURES / "r_calibration.json").read_text())
NAMES = ("continuous", "rounded", "rival", "poor")
UNIT = ("heavy ties", "eighths", "probabilities", "half precision", "single precision")


def reference_data() -> dict[str, np.ndarray]:
    raw = (FIXTURES / "reference_data.csv").read_bytes()
    assert hashlib.md5(raw).hexdigest() == R_REFERENCE["made_by"]["data_md5"]  # noqa: S324 - R prints MD5
    rows = list(csv.DictReader(raw.decode().splitlines()))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


DATA = reference_data()
Y = DATA["y"].astype(int)
WEIGHT = DATA["weight"].astype(int)


def calibrated(n: int = 400, *, seed: int = 0, digits: int = 16) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    p = rng.beta(1.2, 2.0, n).round(digits).clip(0.001, 0.999)
    return (rng.random(n) < p).astype(int), p


def fractions(table: ScoreTable) -> list[tuple[int, Fraction, Fraction]]:
    weights = np.ones(len(table.y_true)) if table.sample_weight is None else table.sample_weight
    rows = zip(table.y_true.tolist(), table.y_score.tolist(), weights.tolist(), strict=True)
    return [(y, Fraction(s), Fraction(w)) for y, s, w in rows if w]


unit_tables = score_tables(scores=UNIT, weights=("none", "small integers"))
