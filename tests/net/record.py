"""Record what the library answers: ``python -m tests.net.record [--missing] [--slow ENGINE] [SUBJECT ...]``.

Without ``--slow`` answers of Spark and Dask stay as they were recorded; ``--missing`` asks only what has no answer yet.
"""

from __future__ import annotations

import argparse
import json
import time

from .ask import ask
from .case import Case
from .cases import SUBJECTS, cases_of
from .store import Answers, read, write


def record(subject: str, *, slow: list[str], missing: bool) -> str:
    """Ask the cases of a subject, write the answers, and say how many there are."""
    before = read(subject)
    kept = {
        case.id: before[case.id]
        for case in cases_of(subject)
        if case.id in before and (missing or not _is_asked(case, slow))
    }
    asked: Answers = {
        case.id: told(case) for case in cases_of(subject) if case.id not in kept and _is_asked(case, slow)
    }
    size = write(subject, kept | asked)
    refused = sum("refusal" in answer for answer in (kept | asked).values())
    return f"{subject}: {len(asked)} asked, {len(kept)} kept, {refused} refused, {size:,} bytes"


def _is_asked(case: Case, slow: list[str]) -> bool:
    return not case.slow or case.slow in slow


def told(case: Case) -> dict[str, object]:
    """The answer as it is read from a file."""
    try:
        answer: dict[str, object] = json.loads(json.dumps(ask(case), allow_nan=False))
    except Exception as error:
        error.add_note(f"{case.subject}: {case.id}")
        raise
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT")
    parser.add_argument("--slow", action="append", default=[], choices=["spark", "dask"], help="ask this engine too")
    parser.add_argument("--missing", action="store_true", help="only what has no answer yet")
    asked = parser.parse_args()
    for subject in asked.subjects or SUBJECTS:
        start = time.process_time()
        print(record(subject, slow=asked.slow, missing=asked.missing), f"{time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main()
