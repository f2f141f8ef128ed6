"""Numbers do not change by accident: every recorded answer is asked for again."""

from __future__ import annotations

import pytest

from . import coverage, store
from .cases import SUBJECTS, cases_of
from .compare import differences
from .record import told

SHOWN = 12


def _unlike(subject: str, *, slow: str = "") -> list[str]:
    """Lines that tell which answers of a subject differ, or have not been recorded."""
    recorded, knowingly, found = store.read(subject), store.changed(), []
    for case in cases_of(subject):
        if case.slow != slow or f"{subject}: {case.id}" in knowingly:
            continue
        if case.id not in recorded:
            found.append(f"[{case.id}] was not recorded: python -m tests.net.record --missing {subject}")
        elif unlike := differences(told(case), recorded[case.id], exact=case.kind == "exact"):
            found.append(f"[{case.id}] ({case.kind}) " + "; ".join(unlike[:3]))
    return found


def _say(found: list[str]) -> None:
    if found:
        pytest.fail(f"{len(found)} answers differ\n" + "\n".join(found[:SHOWN]), pytrace=False)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_answers_are_those_that_were_recorded(subject: str) -> None:
    _say(_unlike(subject))


@pytest.mark.parametrize(("engine", "package"), [("spark", "pyspark"), ("dask", "dask")])
def test_answers_of_slow_engines_are_those_that_were_recorded(engine: str, package: str) -> None:
    pytest.importorskip(package, reason=f"{package} is absent: pip install 'rocsteady[{engine}]'")
    _say([line for subject in SUBJECTS for line in _unlike(subject, slow=engine)])


def test_answers_of_cases_that_went_are_gone_too() -> None:
    left = {subject: set(store.read(subject)) - {case.id for case in cases_of(subject)} for subject in SUBJECTS}
    assert not {subject: names for subject, names in left.items() if names}


def test_answers_changed_knowingly_are_those_of_cases() -> None:
    assert store.changed() <= {f"{subject}: {case.id}" for subject in SUBJECTS for case in cases_of(subject)}


def test_answers_are_small() -> None:
    assert sum(path.stat().st_size for path in store.FOLDER.iterdir()) < 3_000_000


def test_the_table_of_lines_is_current() -> None:
    assert coverage.table() in (coverage.README).read_text(), "run python -m tests.net.coverage"


def test_every_line_of_the_map_has_cases() -> None:
    assert not coverage.uncovered()
    assert not coverage.unknown()
