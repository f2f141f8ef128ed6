"""How often NRI, IDI and Cook's test cry wolf: ``python -m benchmarks.reclassification_size`` prints the table.

Four settings in which the new model is no better than the old one. Only in the first is the hypothesis of these tests
true as well; the others are the known failures.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr
from sklearn.linear_model import LogisticRegression

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable

    Rows = tuple[np.ndarray, np.ndarray, np.ndarray]

CUTOFFS = [0.1, 0.3]
N = 500


def risks(rng: np.random.Generator, n: int, k: int, *, matter: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes at about a quarter and k predictors, of which the first ones matter; a probit model."""
    x = rng.normal(size=(n, k))
    return (rng.random(n) < ndtr(-1 + 0.8 * x[:, :matter].sum(axis=1))).astype(int), x


def exchangeable(rng: np.random.Generator) -> Rows:
    """Two perfectly calibrated models, each of which sees another half of the truth."""
    y, x = risks(rng, N, 2, matter=2)
    return y, *(ndtr((-1 + 0.8 * x[:, which]) / np.sqrt(1 + 0.8**2)) for which in (0, 1))  # type: ignore[return-value]


def overconfident(rng: np.random.Generator) -> Rows:
    """The new model is the old one, which is the truth, stretched: the same ranking, worse calibration."""
    y, x = risks(rng, N, 1)
    return y, ndtr(-1 + 0.8 * x[:, 0]), ndtr(-1 + 1.2 * x[:, 0])


def useless_marker_same_data(rng: np.random.Generator) -> Rows:
    """A marker without effect is added and both models are fitted and judged on the same rows."""
    y, x = risks(rng, N, 2)
    return y, *(_fitted(y, x[:, : 1 + more], x[:, : 1 + more]) for more in (0, 1))  # type: ignore[return-value]


def useless_markers_new_data(rng: np.random.Generator) -> Rows:
    """Ten markers without effect are added to a model fitted on 100 rows; both are judged on new rows."""
    train_y, train_x = risks(rng, 100, 11)
    y, x = risks(rng, N, 11)
    return y, *(_fitted(train_y, train_x[:, :k], x[:, :k]) for k in (1, 11))  # type: ignore[return-value]


def _fitted(y: np.ndarray, x: np.ndarray, at: np.ndarray) -> np.ndarray:
    return LogisticRegression(C=1e6, max_iter=200).fit(x, y).predict_proba(at)[:, 1]


SETTINGS: dict[str, Callable[[np.random.Generator], Rows]] = {
    "as good, calibrated": exchangeable,
    "same ranking, overconfident": overconfident,
    "useless marker, judged on the same rows": useless_marker_same_data,
    "ten useless markers, judged on new rows": useless_markers_new_data,
}


def finds_better(result: rs.results.TestResult) -> bool:
    """Whether a two-sided test at 5% says that the new model is better."""
    return bool(result.pvalue < 0.05 and result.estimate > 0)


def verdicts(y: np.ndarray, old: np.ndarray, new: np.ndarray) -> list[bool]:
    """For each test: does it find the new model better? For Cook: does it find a model badly calibrated?"""
    cook, cook_external = (
        rs.reclassification(y, old, new, cutoffs=CUTOFFS, external=external).cook_old for external in (False, True)
    )
    nri, categorical = rs.net_reclassification(y, old, new), rs.net_reclassification(y, old, new, cutoffs=CUTOFFS)
    idi = rs.integrated_discrimination(y, old, new)
    return [
        *(part.pvalue < 0.05 and part.estimate > 0 for part in (nri.nri, categorical.nri, idi.idi)),
        finds_better(rs.compare_auc(y, new, old)),
        cook.pvalue < 0.05,
        cook_external.pvalue < 0.05,
    ]


COLUMNS = ["NRI, any change", "NRI, cutoffs", "IDI", "AUC (DeLong)", "Cook of old, df K - 2", "Cook of old, df K"]


def main(repeats: int = 2000) -> str:
    """The share of simulated samples in which each test speaks, as a Markdown table."""
    lines = [f"| {' | '.join(['new model', *COLUMNS])} |", "|:---" + "|---:" * len(COLUMNS) + "|"]
    for number, (name, draw) in enumerate(SETTINGS.items()):
        rng = np.random.default_rng([7, number])
        shares = np.mean([verdicts(*draw(rng)) for _ in range(repeats)], axis=0)
        lines.append(f"| {name} | " + " | ".join(f"{share:.1%}" for share in shares) + " |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
