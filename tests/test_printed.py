"""The table of printed numbers is as it was made, and every number stands where it is said to stand."""

from __future__ import annotations

import csv
import io

import pytest

pytest.importorskip("reproductions.printed")  # a copy without the repository has none

from reproductions import printed, printed_paper, printed_survey
from reproductions.printed import Number

from cases import each_case

COUNTS = {
    "thesis": {"agrees": 650, "misprint": 1, "float artefact": 6, "no data": 66},
    "seminar": {"agrees": 18},
    "survey": {"agrees": 48, "rounding": 11, "misprint": 3, "contradiction": 10, "no data": 26},
    "lecture": {"agrees": 6},
    "paper": {"agrees": 4, "rounding": 1, "float artefact": 2, "contradiction": 6, "no data": 60},
}


@pytest.fixture(scope="module")
def numbers() -> list[Number]:
    return printed.every_number()


def test_the_table_is_as_it_was_made(numbers: list[Number]) -> None:
    assert printed.FILE.read_text(encoding="utf-8") == printed.as_csv(numbers), "run: python -m reproductions.printed"


def test_numbers_are_counted_by_where_they_stand(numbers: list[Number]) -> None:
    found: dict[str, dict[str, int]] = {}
    for number in numbers:
        of_source = found.setdefault(number.source, {})
        of_source[number.standing] = of_source.get(number.standing, 0) + 1
    assert found == COUNTS
    assert {number.standing for number in numbers} == set(printed.STANDINGS)
    places = [(number.source, number.place) for number in numbers]
    assert len(set(places)) == len(places) == 918


def test_what_is_obtained_is_there_unless_there_are_no_data(numbers: list[Number]) -> None:
    for number in numbers:
        assert bool(number.obtained) == (number.standing != printed.NO_DATA), number
        assert number.remark or number.standing == printed.AGREES, number


def test_the_file_reads_back(numbers: list[Number]) -> None:
    rows = list(csv.DictReader(io.StringIO(printed.FILE.read_text(encoding="utf-8"))))
    assert [Number(**row) for row in rows] == numbers


@each_case(
    ("text", "value", "agrees"),
    [
        ("0.51", 0.505, True),  # a half goes either way
        ("0.50", 0.505, True),
        ("0.51", 0.5049, False),
        ("0.505", 0.5049999999999999, True),
        ("69,2%", 0.692307, True),
        ("69,3%", 0.692307, False),
        ("2/3", 2 / 3, True),
        ("2/3", 0.666667, False),
        ("81", 81, True),
    ],
)
def test_a_print_is_reached_to_its_last_digit(text: str, value: float, agrees: bool) -> None:
    assert printed.reaches(text, value) == agrees


def test_nothing_agrees_or_differs_by_being_said_to() -> None:
    with pytest.raises(AssertionError, match=r"printed 0\.81, obtained 0\.8"):
        printed.same("thesis", "here", "0.81", 0.8)
    with pytest.raises(AssertionError, match="agrees with"):
        printed.other("thesis", "here", "0.81", 0.81, printed.MISPRINT, "")
    with pytest.raises(AssertionError, match="rounding does not explain"):
        printed_survey._nearly("here", "0.50", [0.6, 0.59, 0.61], "")


def test_the_survey_contradicts_itself_by_one_hit() -> None:
    assert printed_survey.hits("SVM") == (40, 39)
    assert [printed_survey.hits_in_table_5(part) for part in (0, 1)] == [{41}, {38}]


def test_people_moved_come_out_whole_and_the_slope_the_same() -> None:
    for model in printed_survey.TABLE_5:
        assert printed_survey.moved(model) == pytest.approx(round(printed_survey.moved(model)), abs=0.02)
    relative = {model: cells[-1] for model, cells in printed_survey.TABLE_5.items()}
    swapped = relative | {"QDA": relative["LDA"], "LDA": relative["QDA"]}
    right = [printed_survey.new_slope(model, text) for model, text in swapped.items()]
    wrong = [printed_survey.new_slope(model, text) for model, text in relative.items()]
    assert max(right) - min(right) < 2e-4
    assert max(wrong) - min(wrong) > 0.03


def test_spearman_s_p_fit_twenty_models() -> None:
    for r, p in printed_paper.SPEARMAN:
        by_count = {n: abs(printed_paper.p_of_spearman(float(r), n) - float(p)) for n in range(10, 101)}
        assert min(by_count, key=by_count.__getitem__) in (19, 20)
