"""Record what the library answers: ``python -m tests.net.record [--slow] [--missing] [SUBJECT ...]``.

Without ``--slow`` answers of Spark and Dask stay as they were recorded; ``--missing`` asks only what has no answer yet.
"""

from __future__ import annotations

import argparse
import json
import time

from .store import Answers, read, write
from .ask import ask
from .case import Case
from .cases import SUBJECTS, cases_of


def record(subject: str, *, slow: bool, missing: bool) -> str:
    """Ask the cases of a subject, write the answers, and say how many there are."""
    before = read(subject)
    kept = {case.id: before[case.id] for case in cases_of(subject) if case.id in before and _stays(case, slow, missing)}
    asked: Answers = {
        case.id: told(case) for case in cases_of(subject) if case.id not in kept and (slow or not case.slow)
    }
    size = write(subject, kept | asked)
    refused = sum("refusal" in answer for answer in (kept | asked).values())
    return f"{subject}: {len(asked)} asked, {len(kept)} kept, {refused} refused, {size:,} bytes"


def _stays(case: Case, slow: bool, missing: bool) -> bool:
    return missing or (case.slow and not slow)


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
    parser.add_argument("--slow", action="store_true", help="ask Spark and Dask too")
    parser.add_argument("--missing", action="store_true", help="only what has no answer yet")
    asked = parser.parse_args()
    for subject in asked.subjects or SUBJECTS:
        start = time.process_time()
        print(record(subject, slow=asked.slow, missing=asked.missing), f"{time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main()
