"""What does the check "Can the probabilities be trusted?" answer? Rewrites the table of docs/decisions.md.

``python -m benchmarks.trust_size [--samples N]``; some minutes on one core. Scores are drawn, then outcomes from the
scores, from scores bent on the logit scale, or from scores with two of ten groups moved.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rocsteady as rs
from benchmarks.calibration_size import BENT, SPREADS, draw, outcomes, truth
from benchmarks.coverage import with_table
from rocsteady._src.evaluation.trusted_probabilities import trust_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

PAGE = Path(__file__).parent.parent / "docs" / "decisions.md"
SIZES, SEED, LEVEL = (100, 500, 2000), 21, 0.95
ANSWERS = ("yes", "partly", "no", "unknown")
MOVED = "two of ten groups: x + 0.1 and x - 0.1"


def moved(scores: Array) -> Array:
    """The truth is ten points above the scores of the third tenth, and ten below those of the seventh."""
    tenth = np.argsort(np.argsort(scores)) * 10 // scores.size
    found: Array = (scores + 0.1 * (tenth == 2) - 0.1 * (tenth == 6)).clip(0, 1)
    return found


def answers(spread: str, n: int, bend: str | None, samples: int) -> list[str]:
    """Shares of samples with each answer, in percent."""
    rng, counted = np.random.default_rng(SEED), Counter[str]()
    for _ in range(samples):
        scores = draw(rng, spread, n)
        y = outcomes(rng, moved(scores) if bend == MOVED else truth(scores, bend))
        counted[trust_of(rs.evaluate(y, {"m": scores}, measures=["auc"]), "m", LEVEL).answer] += 1
    return [f"{100 * counted[answer] / samples:.1f}" for answer in ANSWERS]


def table(samples: int) -> str:
    """One line for each truth, spread of scores and number of rows."""
    settings: list[tuple[str, str, str | None]] = [("as the model says", spread, None) for spread in SPREADS]
    settings += [(bend, "broad", bend) for bend in (*BENT, MOVED)]
    header = ["truth when the model says x", "scores", "rows", *ANSWERS]
    lines = [header, ["---"] * 2 + ["---:"] * (len(header) - 2)]
    for told, spread, bend in settings:
        for n in SIZES:
            lines.append([told, spread, f"{n:,}", *answers(spread, n, bend, samples)])
            print(lines[-1], flush=True)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    made = table(parser.parse_args().samples)
    PAGE.write_text(with_table(PAGE.read_text(), "trust", made))


if __name__ == "__main__":
    main()
