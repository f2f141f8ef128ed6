"""Do intervals and tests of probabilities hold when subjects have several rows? A minute or two.

``python -m benchmarks.cluster_coverage_probabilities [--quick]`` rewrites the tables about subjects in
docs/calibration.md and docs/reclassification.md. Subjects have three rows; scores of a subject, and its luck, each have
a correlation of 1/2 between rows. Every quantity is taken by subjects (``cluster=``) and, wrongly, by rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtri

from benchmarks.coverage import with_table
from rocsteady._src.probabilities.calibration.curve import calibration_curve
from rocsteady._src.probabilities.calibration.summary import calibration_summary
from rocsteady._src.probabilities.reclassification.idi import integrated_discrimination
from rocsteady._src.probabilities.reclassification.nri import net_reclassification
from rocsteady._src.probabilities.reclassification.tables import reclassification

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]

DOCS = Path(__file__).parent.parent / "docs"
SEED, SAMPLES, ROWS, SIZES, CUTOFFS = 20, 1000, 3, (50, 200), (0.3, 0.6)
SPREAD = 1.3
TRUTH_SUBJECTS = 700_000
CALIBRATION = ("in the large", "slope", "O/E", "Brier", "curve, 5 bins", "U", "Spiegelhalter", "Hosmer-Lemeshow")
MOVES = ("NRI, any change", "NRI, cutoffs", "IDI", "relative IDI")
NEW_MODELS = {"as good": 1.0, "better": 0.6}  # noise of the new model; the old one has 1


def shared(rng: np.random.Generator, n: int) -> Array:
    """Standard normal, one line per subject, with a correlation of 1/2 within it."""
    values: Array = np.sqrt(0.5) * (rng.standard_normal((n, 1)) + rng.standard_normal((n, ROWS)))
    return values


def happened(rng: np.random.Generator, risk: Array) -> Array:
    """Outcomes with these probabilities, which rows of a subject share luck in; both classes occur."""
    while True:
        y: Array = shared(rng, len(risk)) < ndtri(risk)
        if 0 < y.sum() < y.size:
            return y


def subjects_of(values: Array) -> Array:
    return np.repeat(np.arange(len(values)), ROWS)


def holds(part: Any, truth: float) -> bool:
    return bool(part.low <= truth <= part.high)


def accepts(test: Any) -> bool:
    """Whether a test does not reject; nor does an undefined one."""
    return not test.pvalue < 0.05


def true_brier() -> float:
    def risk(z: float) -> float:
        return float(expit(SPREAD * z))

    return quad(lambda z: risk(z) * (1 - risk(z)) * np.exp(-z * z / 2) / np.sqrt(2 * np.pi), -9, 9)[0]


def of_calibration(y: Array, scores: Array, cluster: Array | None, brier: float) -> list[float]:
    """Whether intervals hold the truth, the share of bins that do, and whether tests accept."""
    found = calibration_summary(y, scores, cluster=cluster, n_bins=5)
    curve = calibration_curve(y, scores, cluster=cluster, n_bins=5)
    parts = ((found.in_the_large, 0), (found.slope, 1), (found.observed_expected, 1), (found.brier, brier))
    bins = np.mean((curve.low <= curve.predicted) & (curve.predicted <= curve.high))
    tests = (found.unreliability_test, found.spiegelhalter, found.hosmer_lemeshow)
    return [*(holds(*part) for part in parts), float(bins), *(accepts(test) for test in tests)]


def calibration_table(samples: int) -> str:
    lines, brier = [], true_brier()
    for n in SIZES:
        rng = np.random.default_rng(SEED)
        kept: dict[str, list[list[float]]] = {"subjects": [], "rows": []}
        for _ in range(samples):
            risk = expit(SPREAD * shared(rng, n))
            y = happened(rng, risk).ravel()
            for units, cluster in (("subjects", subjects_of(risk)), ("rows", None)):
                kept[units].append(of_calibration(y, risk.ravel(), cluster, brier))
        lines += [line(n, units, found) for units, found in kept.items()]
    return table(("subjects", "taken by", *CALIBRATION), lines)


def line(n: int, units: str, found: Sequence[Sequence[float]], *words: str) -> tuple[str, ...]:
    return (*words, str(n), units, *(f"{share:.1%}" for share in np.mean(found, axis=0)))


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [heads, ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def two_models(rng: np.random.Generator, n: int, noise: float) -> tuple[Array, Array, Array]:
    """Outcomes, and what two models see of the risk, each through noise of its own."""
    signal = shared(rng, n)
    y = happened(rng, expit(SPREAD * signal))
    old, new = (expit(signal + much * shared(rng, n)) for much in (1.0, noise))
    return y.ravel(), old.ravel(), new.ravel()


def moves(y: Array, old: Array, new: Array, cluster: Array | None) -> list[Any]:
    idi = integrated_discrimination(y, old, new, cluster=cluster)
    nri = [net_reclassification(y, old, new, cutoffs=cuts, cluster=cluster).nri for cuts in (None, CUTOFFS)]
    return [*nri, idi.idi, idi.relative]


def cook(rng: np.random.Generator, n: int, cluster: Array) -> tuple[bool, bool]:
    """Whether Cook's test accepts a calibrated old model beside a new one that knows no more."""
    risk = expit(SPREAD * shared(rng, n))
    y, old = happened(rng, risk).ravel(), risk.ravel()
    new = expit(1.5 * np.log(old / (1 - old)))
    options: dict[str, Any] = {"cutoffs": CUTOFFS, "external": True}
    by_subject, by_row = (reclassification(y, old, new, cluster=units, **options).cook_old for units in (cluster, None))
    return accepts(by_subject), accepts(by_row)


def moves_table(samples: int, truth_subjects: int) -> str:
    lines = []
    for name, noise in NEW_MODELS.items():
        truth = [0.0, 0.0, 0.0, 1.0]
        if noise != 1:
            large = two_models(np.random.default_rng(SEED + 1), truth_subjects, noise)
            truth = [part.estimate for part in moves(*large, None)]
        for n in SIZES:
            rng = np.random.default_rng(SEED)
            cluster = np.repeat(np.arange(n), ROWS)
            kept: dict[str, list[list[float]]] = {"subjects": [], "rows": []}
            for _ in range(samples):
                drawn, accepted = two_models(rng, n, noise), cook(rng, n, cluster)
                for units, given, cooked in zip(kept, (cluster, None), accepted, strict=True):
                    found = moves(*drawn, given)
                    kept[units].append([*(holds(*each) for each in zip(found, truth, strict=True)), cooked])
            lines += [line(n, units, found, name) for units, found in kept.items()]
    return table(("new model", "subjects", "taken by", *MOVES, "Cook of old"), lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few samples, to see that all runs; writes nothing")
    asked = parser.parse_args(arguments)
    samples, many = (10, 2000) if asked.quick else (SAMPLES, TRUTH_SUBJECTS)
    made = {"calibration.md": calibration_table(samples), "reclassification.md": moves_table(samples, many)}
    for name, content in made.items():
        print(content, flush=True)
        if not asked.quick:
            page = DOCS / name
            page.write_text(with_table(page.read_text(), "subjects", content))


if __name__ == "__main__":
    main()
