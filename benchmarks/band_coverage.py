"""How often do bands hold the true ROC curve? Rewrites the tables of docs/bands.md.

``python -m benchmarks.band_coverage [--repeats N] [--quick]``; about forty minutes on one core.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri

import rocsteady as rs
from benchmarks.coverage import with_table
from benchmarks.coverage_kit import (
    AUCS,
    LOW_COVERAGE,
    SIZES,
    Setting,
    column_of,
    ends_of_range,
    rank_scores,
    stream,
    table,
)
from rocsteady._src.inference.bands.roc_band import METHODS, RESAMPLED, roc_band

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = Path(__file__).parent.parent / "docs" / "bands.md"
PLACES = np.array([0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9])
# Where each data set has an answer: the whole curve, also between the points of the data.
FINE = np.concatenate([np.geomspace(1e-4, 0.01, 20), np.linspace(0.011, 0.989, 200), 1 - np.geomspace(0.01, 1e-4, 20)])
CUTS = np.array([-0.5, 0.0, 0.5, 1.0, 1.5])
ASKED = 100  # samples of a setting whose bands are asked for their warnings


@dataclass(frozen=True)
class Effort:
    """Samples per setting, for formulas and for resampling, and resamples of each."""

    analytic: int = 1000
    resampled: int = 200
    resamples: int = 300


@dataclass
class Tally:
    """What became of the bands of one method in one setting."""

    held: float = 0.0
    made: int = 0
    refused: int = 0
    asked: int = 0
    warned: int = 0

    @property
    def share(self) -> float:
        return self.held / self.made if self.made else np.nan

    @property
    def low(self) -> bool:
        return self.share < LOW_COVERAGE

    def __str__(self) -> str:
        cell = f"**{self.share:.1%}**" if self.low else f"{self.share:.1%}" if self.made else ""
        none = self.refused / (self.made + self.refused)
        return cell + (f" ({none:.0%} none)" if none >= 0.005 else "")


def true_roc(setting: Setting, fpr: np.ndarray) -> np.ndarray:
    """The curve of the population; straight between the corners of tied scores."""
    if not setting.tied:
        return np.asarray(ndtr(setting.gap + ndtri(fpr)))
    corners = (np.append(0, share[::-1].cumsum()) for share in setting.shares)
    tpr, false_rate = corners
    return np.interp(fpr, false_rate, tpr)


def true_rates(setting: Setting, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both rates at scores of at least ``cuts``, in steps of the rounding if there is one."""
    edge = (np.ceil(cuts) - 0.5) * setting.step if setting.tied else cuts
    return ndtr(-edge), ndtr(setting.gap - edge)


def held(setting: Setting, band: Any) -> float:
    """Share of places that a pointwise band holds; 1 or 0 for the whole curve."""
    if band.method == "threshold":
        return thresholds_held(setting, band)
    true = true_roc(setting, band.fpr)
    inside = (band.low <= true + 1e-12) & (true <= band.high + 1e-12)
    return float(inside.mean() if band.method == "pointwise" else inside.all())


def thresholds_held(setting: Setting, band: Any) -> float:
    """At thresholds fixed beforehand, both rates; the band in force is that of the next score above or at it."""
    at = np.array([np.flatnonzero(band.thresholds >= cut)[-1] for cut in CUTS])
    reached = np.isfinite(band.thresholds[at])
    at = at[reached]
    fpr, tpr = true_rates(setting, CUTS[reached])
    sides = ((band.fpr_low[at], fpr, band.fpr_high[at]), (band.low[at], tpr, band.high[at]))
    return float(np.mean([(low <= true) & (true <= high) for low, true, high in sides]))


def tally(setting: Setting, method: str, effort: Effort) -> Tally:
    found = Tally()
    repeats = effort.resampled if method in RESAMPLED else effort.analytic
    at = {"pointwise": PLACES, "threshold": None}.get(method, FINE)
    for seed, scores in enumerate(setting.samples(stream("band", setting), repeats)):
        ranked = rank_scores(scores, setting.n_pos)
        try:
            band = roc_band(ranked, method=method, fpr=at, n_resamples=effort.resamples, random_state=seed)
        except rs.InputError:
            found.refused += 1
            continue
        if seed < ASKED:
            found.asked, found.warned = found.asked + 1, found.warned + bool(band.warnings)
        share = held(setting, band)
        if not np.isnan(share):
            found.held, found.made = found.held + share, found.made + 1
    return found


def coverage_table(found: dict[tuple[Setting, str], Tally]) -> str:
    settings = dict.fromkeys(setting for setting, _ in found)
    rows = [[s.n, s.n_pos, column_of(s)[4:], *(found[s, method] for method in METHODS)] for s in settings]
    return table(["rows", "positives", "AUC", *(f"`{method}`" for method in METHODS)], rows)


def warning_table(found: dict[tuple[Setting, str], Tally]) -> str:
    """Where a band was measured below 92%, how many bands said so?"""
    rows = []
    for method in METHODS:
        tallies = [each for (_, name), each in found.items() if name == method and each.made]
        groups = ([each for each in tallies if each.low], [each for each in tallies if not each.low])
        cells = [
            f"{np.mean([t.warned / t.asked for t in g]):.0%} of {len(g)} settings" if g else "no setting"
            for g in groups
        ]
        rows.append([f"`{method}`", *cells])
    return table(["method", "measured below 92%", "measured 92% or more"], rows)


def main(arguments: Sequence[str] | None = None, page: Path = PAGE) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, help="samples per setting for formulas; a fifth of it for resampling")
    parser.add_argument("--quick", action="store_true", help="a few samples, to see that all runs; writes nothing")
    asked = parser.parse_args(arguments)
    effort = Effort() if asked.repeats is None else Effort(asked.repeats, max(asked.repeats // 5, 1))
    effort = Effort(10, 2, 50) if asked.quick else effort
    found = {}
    for setting in sorted(ends_of_range(AUCS), key=lambda setting: SIZES.index(setting.n)):
        found |= {(setting, method): tally(setting, method, effort) for method in METHODS}
        print(setting.n, setting.n_pos, column_of(setting), *(found[setting, method] for method in METHODS), flush=True)
    tables = {"bands": coverage_table(found), "warnings": warning_table(found)}
    for name, content in tables.items():
        if asked.quick:
            print(content)
        else:
            page.write_text(with_table(page.read_text(), name, content))


if __name__ == "__main__":
    main()
