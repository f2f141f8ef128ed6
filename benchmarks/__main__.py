"""Run all comparisons, or the named ones, and print ratios: ``python -m benchmarks [ranking] [startup]``."""

from __future__ import annotations

import sys

from benchmarks import (
    first_number,
    granular,
    inference,
    laboratory,
    learning,
    main_job,
    multiclass,
    operating_speed,
    pairwise,
    probabilities,
    ranking,
    scale,
    selection,
    sketch,
    startup,
)

PARTS = {
    "ranking": ranking.main,
    "main_job": main_job.main,
    "startup": startup.main,
    "first_number": first_number.main,
    "pairwise": pairwise.main,
    "granular": granular.main,
    "inference": inference.main,
    "probabilities": probabilities.main,
    "selection": selection.main,
    "multiclass": multiclass.main,
    "laboratory": laboratory.main,
    "scale": scale.main,
    "sketch": sketch.main,
    "learning": learning.main,
    "operating_speed": operating_speed.main,
}

if __name__ == "__main__":
    missed = [line for name in sys.argv[1:] or PARTS for line in PARTS[name]()]
    if missed:
        print("\nnot reached:\n  " + "\n  ".join(missed))
        sys.exit(1)
