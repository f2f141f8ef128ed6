"""A wall of small cases fails as one test, and says which of them did."""

from __future__ import annotations

import inspect

import pytest

from cases import each_case


def test_every_case_runs_and_those_that_fail_are_named() -> None:
    seen = []

    @each_case("number", range(4))
    @each_case("letter", ["a", "b"])
    def judged(number: int, letter: str) -> None:
        seen.append((number, letter))
        if letter == "b":
            assert number != 1
            raise_if(number == 3)

    with pytest.raises(pytest.fail.Exception) as failed:
        judged()
    assert len(seen) == 8
    told = str(failed.value)
    assert told.startswith("2 of 4 cases failed\n[1] ")
    assert "['b']" in told
    assert "[3] " in told
    assert "ValueError: three" in told
    assert "[2]" not in told


def raise_if(wrong: bool) -> None:
    if wrong:
        raise ValueError("three")


def test_cases_without_failures_pass_and_skips_count_only_when_all_do() -> None:
    @each_case(("one", "two"), [(1, 1), pytest.param(2, 2, id="second")])
    def same(one: int, two: int) -> None:
        assert one == two
        if one == 2:
            pytest.skip("not here")

    same()

    @each_case("path", ["x", "y"], ids=str.upper)
    def never(path: str) -> None:
        pytest.skip(path)

    with pytest.raises(pytest.skip.Exception):
        never()


def test_names_that_were_given_are_used() -> None:
    @each_case(("one", "two"), [(1, 1), pytest.param(2, 3, id="second")])
    def same(one: int, two: int) -> None:
        assert one == two

    with pytest.raises(pytest.fail.Exception, match=r"^1 of 2 cases failed\n\[second\] line \d+: "):
        same()


def test_only_fixtures_are_left_to_pytest() -> None:
    @each_case("case", [1])
    def judged(case: int, tmp_path: object) -> None:
        assert case

    assert list(inspect.signature(judged).parameters) == ["tmp_path"]


def test_no_cases_and_marked_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="could not fail"):
        each_case("case", [])
    with pytest.raises(ValueError, match="no marks"):
        each_case("case", [pytest.param(1, marks=pytest.mark.skip)])
