"""Coverage of 95% intervals, and size of 5% tests, of censored outcomes: ``python -m benchmarks.times_coverage 500``.

Markers are normal, hazards proportional (log hazard ratio ``slope``), censoring exponential. The true value is that of
60,000 rows: without censoring, but for Harrell's C, which depends on it. A second number limits the run to lines of
so many rows.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady._src.designs.times.areas import cumulative_area, incident_area, integrated_area
from rocsteady._src.designs.times.brier import brier_of
from rocsteady._src.designs.times.concordance import concordance_of
from rocsteady._src.designs.times.influenced import Influenced
from rocsteady._src.designs.times.known_at import KnownAt, known_at_each
from rocsteady._src.designs.times.risks import benefit_of, incidence_of, mean_risk
from rocsteady._src.designs.times.rows_by_time import TimedRows, read_times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AT, TAU, GRID, THRESHOLD, NOISE = 1.0, 2.0, (0.5, 1.0, 1.5), 0.4, 1.0
LARGE = 60_000
MEASURES = ("harrell", "uno", "gonen-heller", "auc", "incident", "integrated auc", "brier", "scaled brier", "o/e",
            "net benefit", "nri events", "idi")  # fmt: skip
TESTS = ("harrell", "uno", "auc", "brier")


@dataclass(frozen=True)
class Setting:
    """How many rows, how strong the marker, which share is censored."""

    n: int
    slope: float
    censored: float

    def rows(self, rng: np.random.Generator, n: int, *, censor: bool = True) -> TimedRows:
        """Draw rows: the marker, two noisy copies of it that are equally good, and true and noisy risks."""
        x, one, two = rng.normal(size=n), rng.normal(size=n), rng.normal(size=n)
        fate = rng.exponential(np.exp(-self.slope * x))
        stop = rng.exponential(1 / self.censored - 1, n) if censor else np.full(n, np.inf)
        time, event = np.minimum(fate, stop), (fate <= stop).astype(int)
        first, second = x + NOISE * one, x + NOISE * two
        columns = {"score": x, "first": first, "second": second, "risk": self.risk(x)}
        columns |= {"one": self.risk(first / (1 + NOISE**2)), "two": self.risk(second / (1 + NOISE**2))}
        return read_times(time, event, columns)

    def risk(self, x: Any) -> Any:
        """Of the event by the time."""
        return -np.expm1(-AT * np.exp(self.slope * x))


def estimates(rows: TimedRows) -> dict[str, tuple[Influenced, str]]:
    """Every measure with the scale of its interval."""
    known, risk = KnownAt.of(rows, AT), rows.rows.doubles_of("risk")
    knowns = known_at_each(rows, GRID)
    observed, expected = incidence_of(known), mean_risk(known, risk)
    ratio = observed.value / expected.value
    gain = np.sign(risk - rows.rows.doubles_of("one"))
    idi = known.share(risk, known.case) - known.share(risk, known.control)
    found: dict[str, tuple[Callable[[], Influenced], str]] = {
        "harrell": (lambda: concordance_of(rows, "score"), "logit"),
        "uno": (lambda: concordance_of(rows, "score", "uno", TAU), "logit"),
        "gonen-heller": (lambda: concordance_of(rows, "score", "gonen-heller"), "logit"),
        "auc": (lambda: cumulative_area(known, "score"), "logit"),
        "incident": (lambda: incident_area(rows, "score", AT), "logit"),
        "integrated auc": (
            lambda: integrated_area(knowns, [cumulative_area(each, "score") for each in knowns]),
            "logit",
        ),
        "brier": (lambda: brier_of(known, "risk"), "log"),
        "scaled brier": (lambda: brier_of(known, "risk", scaled=True), "wald"),
        "o/e": (
            lambda: Influenced(rows, ratio, (observed.pulls - ratio * expected.pulls) / expected.value),
            "log",
        ),
        "net benefit": (lambda: benefit_of(known, risk >= THRESHOLD, THRESHOLD), "wald"),
        "nri events": (lambda: known.share(gain, known.case), "wald"),
        "idi": (lambda: idi, "wald"),
    }
    return {name: (make(), scale) for name, (make, scale) in found.items()}


def differences(rows: TimedRows) -> dict[str, Influenced]:
    """Of two scores, or risks, that are equally good."""
    known = KnownAt.of(rows, AT)
    return {
        "harrell": concordance_of(rows, "first") - concordance_of(rows, "second"),
        "uno": concordance_of(rows, "first", "uno", TAU) - concordance_of(rows, "second", "uno", TAU),
        "auc": cumulative_area(known, "first") - cumulative_area(known, "second"),
        "brier": brier_of(known, "one") - brier_of(known, "two"),
    }


@cache
def truths(slope: float, censored: float) -> dict[str, float]:
    """Values of very many rows."""
    rng, setting = np.random.default_rng([round(100 * slope), round(100 * censored)]), Setting(LARGE, slope, censored)
    whole = {name: found.value for name, (found, _) in estimates(setting.rows(rng, LARGE, censor=False)).items()}
    return whole | {"harrell": concordance_of(setting.rows(rng, LARGE), "score").value}


def line(setting: Setting, samples: int) -> str:
    """Shares of intervals that hold the truth, and of tests that reject; a dash where an estimate had no interval."""
    rng = np.random.default_rng([setting.n, round(100 * setting.slope), round(100 * setting.censored)])
    truth = truths(setting.slope, setting.censored)
    held, made = dict.fromkeys(MEASURES, 0), dict.fromkeys(MEASURES, 0)
    rejected, tested, events = dict.fromkeys(TESTS, 0), dict.fromkeys(TESTS, 0), 0
    for _ in range(samples):
        rows = setting.rows(rng, setting.n)
        events += int(rows.event.sum())
        try:
            found, apart = estimates(rows), differences(rows)
        except ValueError:  # no pair of rows, no finite slope
            continue
        for name, (each, scale) in found.items():
            interval = each.interval(0.95, "", scale)
            if not math.isnan(interval.low):
                made[name] += 1
                held[name] += interval.low <= truth[name] <= interval.high
        for name, each in apart.items():
            pvalue = each.test("two-sided", None, 0.95, "").pvalue
            if not math.isnan(pvalue):
                tested[name] += 1
                rejected[name] += pvalue < 0.05
    cells = [f"{100 * held[name] / max(made[name], 1):.1f}" for name in MEASURES]
    cells += [f"{100 * rejected[name] / max(tested[name], 1):.1f}" for name in TESTS]
    head = [str(setting.n), f"{setting.slope:g}", f"{setting.censored:g}", f"{events / samples:.0f}"]
    fewest = min([*made.values(), *tested.values()])
    return "| " + " | ".join([*head, f"{truth['harrell']:.2f}", *cells, str(fewest)]) + " |"


def settings() -> Iterator[Setting]:
    """Few rows and many, weak markers and strong, and so much censoring that hardly anybody is watched at the time."""
    for n, censored in ((20, 0.7), (30, 0.5), (30, 0.7), (60, 0.5), (60, 0.9), (150, 0.5), (150, 0.95)):
        for slope in (0.5, 2.0):
            yield Setting(n, slope, censored)


def main(samples: int = 500, only: int | None = None) -> None:
    """Print a table: coverage of each interval, then sizes of tests."""
    head = ["rows", "slope", "censored", "events", "C", *MEASURES, *(f"test {name}" for name in TESTS), "fewest"]
    print("| " + " | ".join(head) + " |\n|" + "--:|" * len(head))
    for setting in settings():
        if only is None or setting.n == only:
            print(line(setting, samples), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
