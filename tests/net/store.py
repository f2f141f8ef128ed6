"""The record: answers by subject and case, in files that are the same whenever the answers are."""

from __future__ import annotations

import gzip
import json
from typing import Any

from . import HERE

FOLDER = HERE / "answers"
Answers = dict[str, dict[str, Any]]


def read(subject: str) -> Answers:
    """What was recorded of a subject: answers by the id of the case; floats are written in full."""
    path = FOLDER / f"{subject}.json.gz"
    found: Answers = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}
    return found


def write(subject: str, answers: Answers) -> int:
    """Write the answers of a subject, one line per case, and say how many bytes they take."""
    lines = (f"{json.dumps(name)}: {json.dumps(answers[name], allow_nan=False)}" for name in sorted(answers))
    data = gzip.compress(("{\n" + ",\n".join(lines) + "\n}\n").encode(), compresslevel=9, mtime=0)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{subject}.json.gz").write_bytes(data)
    return len(data)


def changed() -> set[str]:
    """Ids of answers that were changed knowingly, which the changelog tells."""
    lines = (HERE / "changed.txt").read_text().splitlines()
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}
