"""A fixed dose of each fuzzer; ``make fuzz`` runs them for longer, with other seeds."""

from __future__ import annotations

import pytest

pytest.importorskip("fuzz.calls")

from fuzz import hostile
from fuzz.__main__ import case
from fuzz.calls import public_calls
from fuzz.values import WHOLE_COLUMNS

DOSES = {"exact": 80, "delong": 60, "hostile": 400, "commands": 10, "orders": 40, "counts": 12, "flips": 12}


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
@pytest.mark.parametrize("family", DOSES)
def test_a_fixed_dose(family: str) -> None:
    failures = [wrong for number in range(DOSES[family]) if (wrong := case(family, number))]
    assert not failures, "\n".join(failures[:10])


@pytest.mark.filterwarnings("ignore")
def test_the_calls_that_are_made_hostile_work_as_they_are() -> None:
    for call in public_calls():
        call.run()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", ["labels", "scores", "weights", "keys"])
def test_odd_columns_in_every_place(part: str) -> None:
    """Each odd column as labels, scores, weights and subjects of a few functions of every kind."""
    chosen = {"auc", "auc_interval", "brier_interval", "compare_auc", "crossval_auc", "multiclass_confusion"}
    for call in public_calls():
        for each in call.arguments if call.name in chosen else ():
            for make in WHOLE_COLUMNS if each.part == part else ():
                assert hostile.trial(call, {each.name: make()}) is None


def test_a_failure_tells_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from fuzz import __main__ as runner

    def broken(_: int) -> str:
        raise ZeroDivisionError("oops")

    monkeypatch.setitem(runner.FAMILIES, "exact", broken)
    assert case("exact", 7) == "python -m fuzz exact 7  # ZeroDivisionError: oops"
