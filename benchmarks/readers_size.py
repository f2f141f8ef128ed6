"""Size of 5% tests and coverage of 95% intervals of reader studies: ``python -m benchmarks.readers_size 500``.

Ratings are sums of normal effects of reader, case and their meetings with the modality, in the manner of Roe and Metz
(1997): modalities are equally good for the population of readers and cases. The test for these readers is judged where
readers do not favour a modality (so that it holds for any readers), that for these cases where cases do not.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

import rocsteady as rs

if TYPE_CHECKING:
    from rocsteady.results import ReaderStudy

MODALITIES = 2


@dataclass(frozen=True)
class Setting:
    """Sizes of the study, the AUC, and variances of effects; those of cases and of the rest sum to 1."""

    readers: int
    n_pos: int
    n_neg: int
    auc: float
    of_readers: float = 0.0055
    favoured: float = 0.0055
    cases: tuple[float, float, float, float] = (0.3, 0.3, 0.2, 0.2)  # case, with modality, with reader, with both
    steps: int = 0  # ratings in so many categories; 0 for continuous ones

    def drawn(self, rng: np.random.Generator) -> dict[str, Any]:
        """One study, a row per rating."""
        t, r, n = MODALITIES, self.readers, self.n_pos + self.n_neg
        ill = np.arange(n) < self.n_pos
        case, with_modality, with_reader, rest = np.sqrt(self.cases)
        score = case * rng.normal(size=(1, 1, n)) + with_modality * rng.normal(size=(t, 1, n))
        score = score + with_reader * rng.normal(size=(1, r, n)) + rest * rng.normal(size=(t, r, n))
        for chosen in (ill, ~ill):  # readers have a threshold of their own in each class
            own = np.sqrt(self.of_readers) * rng.normal(size=(1, r, 1))
            own = own + np.sqrt(self.favoured) * rng.normal(size=(t, r, 1))
            score[:, :, chosen] += own
        score[:, :, ill] += ndtri(self.auc) * np.sqrt(2 * (sum(self.cases) + self.of_readers + self.favoured))
        if self.steps:
            score = np.digitize(score, np.linspace(-0.5, 2.5, self.steps - 1))
        modality, reader, number = (each.ravel() for each in np.indices((t, r, n)))
        return {
            "modality": modality,
            "reader": reader,
            "case": number,
            "ill": np.tile(ill, t * r) * 1,
            "s": score.ravel(),
        }


SETTINGS = [
    Setting(2, 50, 50, 0.85),
    Setting(3, 50, 50, 0.85),
    Setting(5, 50, 50, 0.85),
    Setting(10, 50, 50, 0.85),
    Setting(5, 25, 25, 0.70),
    Setting(5, 25, 25, 0.85),
    Setting(5, 25, 25, 0.96),
    Setting(5, 10, 90, 0.85),
    Setting(5, 10, 90, 0.96),
    Setting(5, 50, 50, 0.85, of_readers=0.03, favoured=0.03),
    Setting(5, 50, 50, 0.85, cases=(0.1, 0.1, 0.2, 0.6)),
    Setting(5, 50, 50, 0.85, steps=5),
]


def analyzed(setting: Setting, rng: np.random.Generator, **options: Any) -> ReaderStudy:
    """One study, analyzed."""
    names: Any = {"reader": "reader", "modality": "modality", "case": "case", "label": "ill", "score": "s"}
    return rs.readers.analyze(setting.drawn(rng), **names, **options)


def line_of(setting: Setting, samples: int) -> list[float]:
    """Percent rejected: for all, for these readers, for these cases, these readers taken for all; percent held."""
    rng = np.random.default_rng(7)
    no_favour = replace(setting, favoured=0.0)
    alike_cases = replace(setting, cases=(sum(setting.cases[:2]), 0.0, *setting.cases[2:]))
    found = np.zeros(6)
    for _ in range(samples):
        study = analyzed(setting, rng)
        unbiased = analyzed(setting, rng, covariance="unbiased")
        tests = [
            study.random.test,
            unbiased.random.test,
            analyzed(no_favour, rng).fixed_readers.test,
            analyzed(alike_cases, rng).fixed_cases.test,
            study.fixed_readers.test,
        ]
        found[:5] += [test.pvalue < 0.05 for test in tests]
        interval = study.random.means[0]
        found[5] += math.nan if setting.steps else interval.low <= setting.auc <= interval.high  # steps: another AUC
    return (100 * found / samples).tolist()


def main(samples: int) -> None:
    """Print the table of docs/readers.md."""
    for setting in SETTINGS:
        given = f"{setting.readers} | {setting.n_pos} + {setting.n_neg} | {setting.auc} | {_words(setting)}"
        print("|", given, "|", " | ".join(map(_cell, line_of(setting, samples))), "|", flush=True)


def _cell(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.1f}"


def _words(setting: Setting) -> str:
    usual = Setting(5, 50, 50, 0.85)
    if setting.steps:
        return f"ratings in {setting.steps} steps"
    if setting.favoured != usual.favoured:
        return "unlike readers"
    return "" if setting.cases == usual.cases else "noisy readers"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
