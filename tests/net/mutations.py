"""Wrong formulas that the net must notice: ``python -m tests.net.mutations [WORD ...]`` changes a copy of the source.

Each is a file of ``src/rocsteady``, the text that is changed, and what it becomes, one at a time. Text that has moved
is a failure here: put in where it is now. With words, only those whose names hold them all. Subjects are asked in the
order of ``first``, then the others, until an answer differs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from . import HERE
from .cases import SUBJECTS, cases_of
from .compare import differences
from .record import told
from .store import read

ROOT = HERE.parents[1]
INSIDE = Path("src") / "rocsteady" / "_src"


class Mutation(NamedTuple):
    """A formula, made wrong."""

    what: str
    file: str
    old: str
    new: str
    first: tuple[str, ...]


MUTATIONS = (
    Mutation(
        "n / (n - 1) of units left out",
        "inference/units/units.py",
        "return n_units / (n_units - 1) if n_units > 1 else math.nan",
        "return 1.0 if n_units > 1 else math.nan",
        ("intervals",),
    ),
    Mutation(
        "n instead of n - 1 in the variance of a mean over rows",
        "inference/units/units.py",
        "return squares / (total * (total - 1) if total > 1 else math.nan)",
        "return squares / (total * total if total > 1 else math.nan)",
        ("intervals",),
    ),
    Mutation(
        "ties of a positive and a negative count in full in placements",
        "inference/units/components.py",
        "below = (ranked.neg_below + ranked.neg / 2) / ranked.n_neg",
        "below = (ranked.neg_below + ranked.neg) / ranked.n_neg",
        ("intervals",),
    ),
    Mutation(
        "degrees of freedom with n instead of n - 1",
        "inference/units/units.py",
        "return total**2 / sum(part**2 / (n - 1) for part, n in zip(parts, units, strict=True))",
        "return total**2 / sum(part**2 / n for part, n in zip(parts, units, strict=True))",
        ("differences",),
    ),
    Mutation(
        "the sign of a half in Wilson's centre",
        "inference/intervals/formulas.py",
        "centre = (share + q * q / (2 * rows)) / shrunk",
        "centre = (share - q * q / (2 * rows)) / shrunk",
        ("intervals",),
    ),
    Mutation(
        "a one-sided quantile for two sides of resamples",
        "inference/intervals/replicate_ends.py",
        "tails = np.array([(1 - level) / 2, (1 + level) / 2])",
        "tails = np.array([1 - level, level])",
        ("intervals",),
    ),
    Mutation(
        "the bias of BCa without half of the ties",
        "inference/intervals/replicate_ends.py",
        "np.count_nonzero(values == estimate) / 2)",
        "np.count_nonzero(values == estimate))",
        ("intervals",),
    ),
    Mutation(
        "Holm's factor one too small",
        "inference/comparison/multiplicity.py",
        "np.maximum.accumulate(distinct * (m - first))",
        "np.maximum.accumulate(distinct * (m - last))",
        ("differences",),
    ),
    Mutation(
        "mid-p takes all of the point",
        "inference/paired/mcnemar.py",
        "above, below = above - here / 2, below - here / 2",
        "above, below = above - here, below - here",
        ("outcomes",),
    ),
    Mutation(
        "average precision with a row too many",
        "measures/ranking.py",
        "(tp[at] / (tp[at] + fp[at]))).sum() for at in",
        "(tp[at] / (tp[at] + fp[at] + 1))).sum() for at in",
        ("measures",),
    ),
    Mutation(
        "the sign of false positives in Cohen's kappa",
        "measures/threshold_scores.py",
        "_product(c.tp + c.fp, c.fp + c.tn) + _product(c.tp + c.fn, c.fn + c.tn)",
        "_product(c.tp + c.fp, c.fp + c.tn) - _product(c.tp + c.fn, c.fn + c.tn)",
        ("measures",),
    ),
    Mutation(
        "McClish's half",
        "measures/ranking.py",
        "return (1 + (height - chance) / (1 - chance)) / 2",
        "return (height - chance) / (1 - chance)",
        ("measures",),
    ),
    Mutation(
        "the price of a false positive in net benefit",
        "probabilities/decisions.py",
        "mean = (tp - odds * fp) / n",
        "mean = (tp - fp) / n",
        ("probabilities",),
    ),
    Mutation(
        "n instead of n - 1 in the error of net benefit",
        "probabilities/decisions.py",
        "return mean, np.sqrt(squares / (n * (n - 1)))",
        "return mean, np.sqrt(squares / (n * n))",
        ("probabilities",),
    ),
    Mutation(
        "the variance of a Brier score in Spiegelhalter's test",
        "probabilities/calibration/goodness.py",
        "squared.append((pos + neg) @ (tilt**2 * scores * (1 - scores)))",
        "squared.append((pos + neg) @ (tilt**2 * scores))",
        ("probabilities",),
    ),
    Mutation(
        "learners without what shared training rows add",
        "inference/comparison/learners.py",
        "math.sqrt((1 / n + test_share / (1 - test_share)) * float(found.var(ddof=1)))",
        "math.sqrt((1 / n) * float(found.var(ddof=1)))",
        ("folds",),
    ),
    Mutation(
        "Rubin's rules without 1 / m",
        "designs/validation/rules.py",
        "added = (1 + 1 / m) * between",
        "added = between",
        ("planning",),
    ),
    Mutation(
        "the sign of an error of readers",
        "designs/readers/anova.py",
        'per_reader = known["error"] - known["cov1"] + (self.n_readers - 1) * together',
        'per_reader = known["error"] + known["cov1"] + (self.n_readers - 1) * together',
        ("planning",),
    ),
    Mutation(
        "jackknifed readers without (n - 1) / n",
        "designs/readers/covariances.py",
        "added[place, seen] = np.sqrt((n - 1) / n) * (left - left.mean())",
        "added[place, seen] = left - left.mean()",
        ("planning",),
    ),
    Mutation(
        "events of a time stay at risk of censoring",
        "designs/times/censoring.py",
        "    at_risk -= rows.at_each_time(rows.held * rows.ended)\n",
        "",
        ("times",),
    ),
    Mutation(
        "ties of cases and controls by a time count in full",
        "designs/times/areas.py",
        "below = (at_controls.cumsum() - at_controls / 2)[by_case] / controls",
        "below = at_controls.cumsum()[by_case] / controls",
        ("times",),
    ),
    Mutation(
        "the share of a resample in .632",
        "designs/validation/corrections.py",
        "OUTSIDE = 0.632",
        "OUTSIDE = 0.638",
        ("planning",),
    ),
    Mutation(
        "bounds of a mean over days at alpha instead of half of it",
        "designs/watch/sequences.py",
        "mean, limit = hits / total, math.log(2 / alpha) / total",
        "mean, limit = hits / total, math.log(1 / alpha) / total",
        ("monitoring",),
    ),
    Mutation(
        "the price of a stability index",
        "designs/watch/drift.py",
        "return float(np.sum((actual - expected) * np.log(actual / expected)))",
        "return float(np.sum((actual - expected) * np.log(expected / actual)))",
        ("monitoring",),
    ),
    Mutation(
        "differences of exactly delta count as larger",
        "measures/granularity/consistent.py",
        "return self.auc if delta == 0 else self.share_of(self.won(delta))",
        "return self.auc if delta == 0 else self.share_of(self.won(-delta))",
        ("measures",),
    ),
    Mutation(
        "defective pairs of ordered pairs",
        "measures/ranking.py",
        "value: float = losses_twice / (total * (total - 1))",
        "value: float = losses_twice / (total * total)",
        ("measures",),
    ),
)


def noticed(subjects: tuple[str, ...]) -> str | None:
    """The first answer that differs from the recorded one, or a case that can no longer be asked."""
    for subject in subjects:
        recorded = read(subject)
        for case in cases_of(subject):
            if case.slow or case.id not in recorded:
                continue
            try:
                unlike = differences(told(case), recorded[case.id], exact=case.kind == "exact")
            except Exception as error:  # a formula that fails is noticed too
                unlike = [repr(error)]
            if unlike:
                return f"{subject}: {case.id}: {unlike[0]}"
    return None


def changed_copy(mutation: Mutation, root: Path) -> None:
    """Change one formula of a copy; text that is not there, or stands twice, is refused."""
    path = root / INSIDE / mutation.file
    text = path.read_text()
    if text.count(mutation.old) != 1:
        raise SystemExit(f"{mutation.what}: its text stands {text.count(mutation.old)} times in {mutation.file}")
    _write(path, text.replace(mutation.old, mutation.new))


def _write(path: Path, text: str) -> None:
    """Write a source, and forget what was compiled beside it: its time may be the same to the second."""
    path.write_text(text)
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)


def tried(mutation: Mutation, root: Path) -> str | None:
    """What noticed the mutation, asked by a process of its own."""
    original = (root / INSIDE / mutation.file).read_text()
    changed_copy(mutation, root)
    first = [*mutation.first, *(each for each in SUBJECTS if each not in mutation.first)]
    command = [sys.executable, "-m", "tests.net.mutations", "--ask", *first]
    environment = os.environ | {"PYTHONPATH": str(root / "src")}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    _write(root / INSIDE / mutation.file, original)
    if ended.returncode:
        return f"it does not start: {ended.stderr.strip().splitlines()[-1]}"
    return ended.stdout.strip() or None


def main() -> int:
    if sys.argv[1:2] == ["--ask"]:
        print(noticed(tuple(sys.argv[2:])) or "")
        return 0
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "src", Path(folder) / "src", ignore=shutil.ignore_patterns("__pycache__"))
        chosen = [each for each in MUTATIONS if all(word in each.what for word in sys.argv[1:])]
        for mutation in chosen:
            found = tried(mutation, Path(folder))
            missed += found is None
            print(f"{'noticed' if found else 'MISSED'}: {mutation.what}: {(found or '')[:150]}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} noticed")
    return missed


if __name__ == "__main__":
    sys.exit(main())
