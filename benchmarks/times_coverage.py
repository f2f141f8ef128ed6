"""Coverage of 95% intervals, and size of 5% tests, of censored outcomes: ``python -m benchmarks.times_coverage 1000``.

Markers are normal, hazards proportional (log hazard ratio ``slope``), censoring exponential. The true value is that of
60,000 rows: without censoring, but for Harrell's C, which depends on it. A second word limits the run to the lines of
a design: "plain", "clusters" (three rows of a subject, alike in marker, fate and end), "weights" (rows drawn with a
higher marker, and weighed back), "competing" (another event of constant hazard) or "sites" (all rows are of so many
subjects, as many of each).
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import log_ndtr

from rocsteady._src.designs.times.areas import cumulative_area, incident_area, integrated_area
from rocsteady._src.designs.times.brier import brier_of, integrated_of
from rocsteady._src.designs.times.concordance import concordance_of
from rocsteady._src.designs.times.known_at import KnownAt, known_at_each
from rocsteady._src.designs.times.risks import benefit_of, ratio_of
from rocsteady._src.designs.times.rows_by_time import TimedRows, read_times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocsteady._src.designs.times.influenced import Influenced

AT, TAU, GRID, THRESHOLD, NOISE = 1.0, 2.0, (0.5, 1.0, 1.5), 0.4, 1.0
LARGE = 60_000
PER_SUBJECT, ALIKE, SHIFT, RIVAL = 3, 0.5, 0.5, 0.5
OF_PAIRS = ("harrell", "uno", "gonen-heller", "incident")  # which know no competing events
MEASURES = ("harrell", "uno", "gonen-heller", "auc", "incident", "integrated auc", "brier", "integrated brier",
            "scaled brier", "o/e", "net benefit", "nri events", "idi")  # fmt: skip
TESTS = ("harrell", "uno", "gonen-heller", "auc", "incident", "integrated auc", "brier", "integrated brier",
         "net benefit", "nri", "idi")  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """How many rows, how strong the marker, which share is censored, and how rows were drawn."""

    n: int
    slope: float
    censored: float
    design: str = "plain"
    n_sites: int = 0

    def rows(self, rng: np.random.Generator, n: int, *, censor: bool = True) -> TimedRows:
        """Draw rows: the marker, two noisy copies of it that are equally good, and true and noisy risks."""
        of_subject = np.arange(n) // (PER_SUBJECT if self.design == "clusters" else 1)
        of_subject = np.arange(n) * self.n_sites // n if self.n_sites else of_subject
        x, one, two = self._alike(rng, of_subject), rng.normal(size=n), rng.normal(size=n)
        x += SHIFT if self.design == "weights" else 0.0
        rival = RIVAL if self.design == "competing" else 0.0
        spent = -log_ndtr(self._alike(rng, of_subject))  # exponential, alike within a subject
        hazard = np.exp(self.slope * x)
        fate = spent / (hazard + rival)
        stop = rng.exponential(1 / self.censored - 1, of_subject[-1] + 1)[of_subject] if censor else np.inf
        event = np.where(rng.uniform(size=n) < hazard / (hazard + rival), 1, 2)
        how: dict[str, Any] = {"cluster": of_subject} if self.design in ("clusters", "sites") else {}
        if self.design == "weights":
            how["sample_weight"] = np.exp(SHIFT**2 / 2 - SHIFT * x)
        columns = {"score": x, "first": x + NOISE * one, "second": x + NOISE * two}
        for name, marker in (("risk", x), *((each, columns[each] / (1 + NOISE**2)) for each in ("first", "second"))):
            columns |= {f"{name} {at:g}": self.risk(marker, at) for at in GRID}
        held = np.where(fate <= stop, event, 0)
        how |= {"competes": rival > 0, "censored": 0 if censor else None}
        return read_times(np.minimum(fate, stop), held, columns, pos_label=1, **how)

    @staticmethod
    def _alike(rng: np.random.Generator, of_subject: Any) -> Any:
        """Normal numbers that share a half of their variance within a subject, where one has several rows."""
        if of_subject.size == of_subject[-1] + 1:
            return rng.normal(size=of_subject.size)
        shared = rng.normal(size=of_subject[-1] + 1)[of_subject]
        return np.sqrt(ALIKE) * shared + np.sqrt(1 - ALIKE) * rng.normal(size=of_subject.size)

    def risk(self, x: Any, at: float) -> Any:
        """Of the event by a time."""
        hazard = np.exp(self.slope * x)
        rival = RIVAL if self.design == "competing" else 0.0
        return hazard / (hazard + rival) * -np.expm1(-at * (hazard + rival))

    def asked(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of some measures that such rows have."""
        return tuple(name for name in names if self.design != "competing" or name not in OF_PAIRS)


def estimates(rows: TimedRows, names: tuple[str, ...]) -> dict[str, tuple[Influenced, str]]:
    """Measures with the scale of their intervals."""
    known, risk = KnownAt.of(rows, AT), rows.rows.doubles_of(f"risk {AT:g}")
    gain = np.sign(risk - rows.rows.doubles_of(f"first {AT:g}"))
    found: dict[str, tuple[Callable[[], Influenced], str]] = {
        **{name: (_of_model(rows, name, "score", "risk"), "logit") for name in MEASURES[:6]},
        **{name: (_of_model(rows, name, "score", "risk"), "log") for name in ("brier", "integrated brier")},
        "scaled brier": (lambda: brier_of(known, f"risk {AT:g}", scaled=True), "wald"),
        "o/e": (lambda: ratio_of(known, risk), "log"),
        "net benefit": (_of_model(rows, "net benefit", "score", "risk"), "wald"),
        "nri events": (lambda: known.share(gain, known.case), "wald"),
        "idi": (_of_model(rows, "idi", "score", "risk"), "wald"),
    }
    return {name: (found[name][0](), found[name][1]) for name in names}


def _of_model(rows: TimedRows, name: str, score: str, risk: str) -> Callable[[], Influenced]:
    """What makes a measure of one model."""
    known, knowns = KnownAt.of(rows, AT), known_at_each(rows, GRID)
    at, each = f"{risk} {AT:g}", [f"{risk} {time:g}" for time in GRID]

    def idi() -> Influenced:
        values = rows.rows.doubles_of(at)
        return known.share(values, known.case) - known.share(values, known.control)

    return {
        "harrell": lambda: concordance_of(rows, score),
        "uno": lambda: concordance_of(rows, score, "uno", TAU),
        "gonen-heller": lambda: concordance_of(rows, score, "gonen-heller"),
        "auc": lambda: cumulative_area(known, score),
        "incident": lambda: incident_area(rows, score, AT),
        "integrated auc": lambda: integrated_area(knowns, [cumulative_area(one, score) for one in knowns]),
        "brier": lambda: brier_of(known, at),
        "integrated brier": lambda: integrated_of(rows, each, np.array(GRID)),
        "net benefit": lambda: benefit_of(known, rows.rows.doubles_of(at) >= THRESHOLD, THRESHOLD),
        "idi": idi,
    }[name]


def differences(rows: TimedRows, names: tuple[str, ...]) -> dict[str, Influenced]:
    """Of two scores, or risks, that are equally good."""
    known = KnownAt.of(rows, AT)
    moved = np.sign(rows.rows.doubles_of(f"first {AT:g}") - rows.rows.doubles_of(f"second {AT:g}"))

    def apart(name: str) -> Influenced:
        if name == "nri":
            return known.share(moved, known.case) - known.share(moved, known.control)
        one, two = (_of_model(rows, name, model, model)() for model in ("first", "second"))
        return one - two

    return {name: apart(name) for name in names}


@cache
def truths(slope: float, censored: float, design: str) -> dict[str, float]:
    """Values of very many rows; subjects and weights leave them as they are."""
    rng = np.random.default_rng([round(100 * slope), round(100 * censored)])
    setting = Setting(LARGE, slope, censored, "competing" if design == "competing" else "plain")
    names = setting.asked(MEASURES)
    whole = estimates(setting.rows(rng, LARGE, censor=False), names)
    found = {name: each.value for name, (each, _) in whole.items()}
    if "harrell" in names:
        found["harrell"] = concordance_of(setting.rows(rng, LARGE), "score").value
    return found


def line(setting: Setting, samples: int) -> str:
    """Shares of intervals that hold the truth, and of tests that reject; blank where an estimate had no interval."""
    seeds = [setting.n, round(100 * setting.slope), round(100 * setting.censored)]
    rng = np.random.default_rng([*seeds, setting.n_sites] if setting.n_sites else seeds)
    truth = truths(setting.slope, setting.censored, setting.design)
    names, tests = setting.asked(MEASURES), setting.asked(TESTS)
    held, made = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    rejected, tested, events = dict.fromkeys(tests, 0), dict.fromkeys(tests, 0), 0
    for _ in range(samples):
        rows = setting.rows(rng, setting.n)
        events += int(rows.event.sum())
        try:
            found, apart = estimates(rows, names), differences(rows, tests)
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
    cells = [_percent(held.get(name), made.get(name), samples) for name in MEASURES]
    cells += [_percent(rejected.get(name), tested.get(name), samples) for name in TESTS]
    design = f"{setting.n_sites} sites" if setting.n_sites else setting.design
    head = [design, str(setting.n), f"{setting.slope:g}", f"{setting.censored:g}", f"{events / samples:.0f}"]
    return "| " + " | ".join([*head, *cells]) + " |"


def _percent(found: int | None, of: int | None, samples: int) -> str:
    """Blank where fewer than a half of the samples had such a number."""
    return "" if found is None or not of or of < samples / 2 else f"{100 * found / of:.1f}"


def settings() -> Iterator[Setting]:
    """Few rows and many, weak markers and strong, and so much censoring that hardly anybody is watched at the time."""
    for n, censored in ((20, 0.7), (30, 0.5), (30, 0.7), (60, 0.5), (60, 0.9), (150, 0.5), (150, 0.95), (500, 0.5)):
        for slope in (0.5, 2.0):
            yield Setting(n, slope, censored)
    for design in ("clusters", "weights", "competing"):
        for n in (60, 150, 500):
            for slope in (0.5, 2.0):
                yield Setting(n, slope, 0.5, design)
    for n_sites in (2, 3, 5, 10, 20):
        yield Setting(120, 0.5, 0.5, "sites", n_sites)


def main(samples: int = 1000, only: str | None = None) -> None:
    """Print a table: coverage of each interval, then sizes of tests."""
    head = ["design", "rows", "slope", "censored", "events", *MEASURES, *(f"test {name}" for name in TESTS)]
    print("| " + " | ".join(head) + " |\n|---|" + "--:|" * (len(head) - 1), flush=True)
    for setting in settings():
        if only is None or setting.design == only:
            print(line(setting, samples), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, *sys.argv[2:3])
