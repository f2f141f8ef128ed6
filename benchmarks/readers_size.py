"""Size of 5% tests and coverage of 95% intervals of reader studies: ``python -m benchmarks.readers_size 1000``.

A second word limits the run to a table: "crossed", "designs" (readers who judged some cases, or under one modality
only) or "measures" (other ones than the AUC). Ratings are sums of normal effects of reader, case and their meetings
with the modality, in the manner of Roe and Metz (1997): modalities are equally good for the population of readers and
cases. The test for these readers is judged where readers do not favour a modality (so that it holds for any readers),
that for these cases where cases do not.
"""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri

import rocsteady as rs

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady.results import ReaderStudy

NAMES: Any = {"reader": "reader", "modality": "modality", "case": "case", "label": "ill", "score": "s"}
CUTS = (-0.5, 2.5)  # of ratings in steps, the first and the last
CATEGORY, THRESHOLD = 3, 1.5  # of five steps the fourth and above: where it begins


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
    modalities: int = 2
    design: str = "crossed"

    def drawn(self, rng: np.random.Generator) -> dict[str, Any]:
        """One study, a row per rating."""
        t, r, n = self.modalities, self.readers, self.n_pos + self.n_neg
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
            score = np.digitize(score, np.linspace(*CUTS, self.steps - 1))
        modality, reader, number = (each.ravel() for each in np.indices((t, r, n)))
        table = {
            "modality": modality,
            "reader": reader,
            "case": number,
            "ill": np.tile(ill, t * r) * 1,
            "s": score.ravel(),
        }
        kept = self._judged(rng, modality, reader, number)
        return table if kept is None else {name: values[kept] for name, values in table.items()}

    def _judged(self, rng: np.random.Generator, modality: Any, reader: Any, number: Any) -> Any:
        """Which ratings there are; None for all."""
        return {
            "crossed": lambda: None,
            "two blocks": lambda: number % 2 == reader % 2,  # half of the readers judge half of the cases
            "a fifth is missing": lambda: rng.uniform(size=number.size) > 0.2,
            "readers of one modality": lambda: reader % 2 == modality % 2,
            "cases of one modality": lambda: number % 2 == modality % 2,
        }[self.design]()


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
    Setting(5, 50, 50, 0.85, modalities=3),
]
DESIGNS = [
    Setting(readers, 50, 50, 0.85, design=design)
    for design in ("crossed", "two blocks", "a fifth is missing", "readers of one modality", "cases of one modality")
    for readers in (4, 10)
]
OTHERS = [(measure, Setting(*each, 0.85, steps=5)) for measure in ("recall", "partial_auc", "average_precision")
          for each in ((5, 25, 25), (5, 50, 50), (10, 50, 50))]  # fmt: skip
CALLS = {"recall": f"recall(threshold={CATEGORY})", "partial_auc": "partial_auc(fpr_range=(0, 0.2))"}


def analyzed(table: dict[str, Any], **options: Any) -> ReaderStudy:
    """One study, analyzed."""
    return rs.readers.analyze(table, **NAMES, **options)


def held(study: ReaderStudy, truth: float) -> float:
    """Whether the interval of the first modality's mean holds the truth; NaN where it has none."""
    interval = study.random.means[0]
    return math.nan if math.isnan(interval.low) else float(interval.low <= truth <= interval.high)


def rejects(study: ReaderStudy, population: str = "random") -> float:
    """Whether the test rejects; NaN where there is none."""
    pvalue = getattr(study, population).test.pvalue
    return math.nan if math.isnan(pvalue) else float(pvalue < 0.05)


def crossed_line(setting: Setting, rng: np.random.Generator) -> list[float]:
    """One sample: rejected by four covariances for all, for these readers, for these cases, these taken for all; held.

    The test for these readers is asked of readers who do not favour a modality, that for these cases of such cases.
    """
    no_favour = replace(setting, favoured=0.0)
    alike_cases = replace(setting, cases=(sum(setting.cases[:2]), 0.0, *setting.cases[2:]))
    table = setting.drawn(rng)
    study = analyzed(table)
    others = [{"covariance": "unbiased"}, {"covariance": "jackknife"}, {"method": "u-statistics"}]
    found = [rejects(study), *(rejects(analyzed(table, **how)) for how in others)]
    found += [rejects(analyzed(no_favour.drawn(rng)), "fixed_readers")]
    found += [rejects(analyzed(alike_cases.drawn(rng)), "fixed_cases"), rejects(study, "fixed_readers")]
    return [*found, math.nan if setting.steps else held(study, setting.auc)]  # steps: another AUC


def design_line(setting: Setting, rng: np.random.Generator) -> list[float]:
    """One sample of any design: rejected for all, for these readers; held; whether there was a test at all."""
    study = analyzed(setting.drawn(rng), method="u-statistics")
    fixed = analyzed(replace(setting, favoured=0.0).drawn(rng), method="u-statistics")
    found = [rejects(study), rejects(fixed, "fixed_readers"), held(study, setting.auc)]
    return [*found, float(not math.isnan(found[0]))]


def measure_line(measure: str, setting: Setting, rng: np.random.Generator) -> list[float]:
    """One sample of another measure: rejected for all, for these readers; held, where the truth is known."""
    how: dict[str, Any] = {"measure": CALLS.get(measure, measure)}
    study = analyzed(setting.drawn(rng), **how)
    fixed = analyzed(replace(setting, favoured=0.0).drawn(rng), **how)
    spread = np.sqrt(sum(setting.cases) + setting.of_readers + setting.favoured)
    truth = ndtr(ndtri(setting.auc) * np.sqrt(2) - THRESHOLD / spread)
    return [rejects(study), rejects(fixed, "fixed_readers"), held(study, truth) if measure == "recall" else math.nan]


def percents(line: Callable[[np.random.Generator], list[float]], samples: int) -> str:
    """Of those samples that had an answer."""
    rng = np.random.default_rng(7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # no sample had such a number
        found = 100 * np.nanmean([line(rng) for _ in range(samples)], axis=0)
    return " | ".join("" if math.isnan(value) else f"{value:.1f}" for value in found)


def main(samples: int = 1000, only: str | None = None) -> None:
    """Print the tables of docs/readers.md."""
    for setting in SETTINGS if only in (None, "crossed") else ():
        given = f"{setting.readers} | {setting.n_pos} + {setting.n_neg} | {setting.auc} | {_words(setting)}"
        print("|", given, "|", percents(partial(crossed_line, setting), samples), "|", flush=True)
    for setting in DESIGNS if only in (None, "designs") else ():
        print("|", setting.design, "|", setting.readers, "|", percents(partial(design_line, setting), samples), "|",
              flush=True)  # fmt: skip
    for measure, setting in OTHERS if only in (None, "measures") else ():
        given = f"{measure} | {setting.readers} | {setting.n_pos} + {setting.n_neg}"
        print("|", given, "|", percents(partial(measure_line, measure, setting), samples), "|", flush=True)


def _words(setting: Setting) -> str:
    usual = Setting(5, 50, 50, 0.85)
    if setting.steps:
        return f"ratings in {setting.steps} steps"
    if setting.modalities != usual.modalities:
        return f"{setting.modalities} modalities"
    if setting.favoured != usual.favoured:
        return "unlike readers"
    return "" if setting.cases == usual.cases else "noisy readers"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, *sys.argv[2:3])
