"""How an answer is held against the recorded one."""

from __future__ import annotations

import math
from typing import Any

# Words whose numbers are found by approximation, or follow from such: standard errors, p, ends of intervals.
LOOSE = (
    "low",
    "high",
    "se",
    "p",
    "p_adjusted",
    "p_each",
    "p_bh",
    "df",
    "statistic",
    "covariance",
    "gap_low",
    "gap_high",
)
FINE, COARSE = 1e-12, 1e-9


def difference(word: str, got: Any, want: Any, *, exact: bool) -> str | None:
    """What differs, by the words' rule: exact estimates to the bit, others to 1e-12, ends and errors to 1e-9."""
    if isinstance(want, list) and isinstance(got, list):
        if len(got) != len(want):
            return f"{word}: {len(got)} numbers instead of {len(want)}"
        found = (
            difference(f"{word}[{place}]", *pair, exact=exact) for place, pair in enumerate(zip(got, want, strict=True))
        )
        return next((each for each in found if each), None)
    if _alike(word, got, want, exact=exact):
        return None
    return f"{word}: {got!r} instead of {want!r}"


def _alike(word: str, got: Any, want: Any, *, exact: bool) -> bool:
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (got, want))
    loose = _is_loose(word)
    if not numbers or (exact and not loose):
        return type(got) is type(want) and bool(got == want) if not numbers else bool(got == want)
    tolerance = COARSE if loose else FINE
    return math.isclose(got, want, rel_tol=tolerance, abs_tol=tolerance)


def _is_loose(word: str) -> bool:
    last = word.rpartition("/")[2].partition("[")[0]
    return last in LOOSE or last.endswith(("_low", "_high", "_se", "_p"))


def differences(got: dict[str, Any], want: dict[str, Any], *, exact: bool) -> list[str]:
    """All differences of two answers, those of single words and words that only one of them has."""
    told = [f"{word}: absent, was {want[word]!r}" for word in want if word not in got]
    told += [f"{word}: {got[word]!r} was not there" for word in got if word not in want]
    both = (difference(word, got[word], want[word], exact=exact) for word in want if word in got)
    return told + [each for each in both if each]
