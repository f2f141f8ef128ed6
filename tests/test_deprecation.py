"""What goes is announced: it works as before, warns at the caller's line, and is gone when its time has come."""

from __future__ import annotations

import pkgutil
import warnings
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module

import pytest

import rocsteady as rs
from rocsteady._src.base import deprecation
from rocsteady._src.base.deprecation import deprecated, overdue, renamed, renamed_option


@pytest.fixture(autouse=True)
def _as_they_were() -> Iterator[None]:
    announced, names = list(deprecation.ANNOUNCED), dict(deprecation.RENAMED)
    yield
    deprecation.ANNOUNCED[:] = announced
    deprecation.RENAMED.clear()
    deprecation.RENAMED.update(names)
    vars(rs).pop("area_under", None)


def test_nothing_is_overdue() -> None:
    for module in pkgutil.walk_packages(rs.__path__, "rocsteady."):  # names are announced where they are made
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # of an extra that is not here
                import_module(module.name)
    assert not overdue(rs.__version__), "remove what this version no longer has, or move its end"


def test_a_function_that_goes_works_and_warns_where_it_is_called() -> None:
    @deprecated(since="0.2", until="0.3", instead="rs.auc(y, s)")
    def area(first: float, *, times: float = 1) -> float:
        """An area."""
        return first * times

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert area(2, times=3) == 6
    assert [(each.category, each.filename) for each in told] == [(rs.errors.DeprecatedWarning, __file__)]
    assert str(told[0].message) == "area() is deprecated since 0.2 and will be gone in 0.3; write rs.auc(y, s)"
    assert issubclass(rs.errors.DeprecatedWarning, FutureWarning)  # Python shows these by default
    assert area.__doc__ == "An area."
    assert [each.what for each in overdue("0.3.1")] == ["area()"]
    assert not overdue("0.2.9")


def test_an_option_by_its_old_name() -> None:
    @renamed_option("measure_name", "measure", since="0.2", until="0.3")
    def ask(*, measure: str) -> str:
        return measure

    assert ask(measure="auc") == "auc"
    with pytest.warns(rs.errors.DeprecatedWarning, match=r"measure_name= of ask\(\) is deprecated .* write measure=$"):
        assert ask(measure_name="auc") == "auc"  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="keep measure="):
        ask(measure="auc", measure_name="auc")  # type: ignore[call-arg]


def test_a_name_that_was() -> None:
    with pytest.raises(AttributeError):
        rs.area_under  # noqa: B018 - asking is the point
    renamed("area_under", "auc", since="0.2", until="0.3")
    with pytest.warns(rs.errors.DeprecatedWarning, match=r"rs\.area_under is deprecated .* write rs\.auc$"):
        assert rs.area_under is rs.auc
    assert "area_under" not in dir(rs)


def test_a_name_of_a_module_that_was() -> None:
    renamed("inference.old_values", "inference.predictive_values", since="0.2", until="0.3")
    told = r"rs\.inference\.old_values is deprecated .* write rs\.inference\.predictive_values$"
    for home in (rs.inference, rs):
        with pytest.warns(rs.errors.DeprecatedWarning, match=told):
            assert home.old_values is rs.inference.predictive_values
    with pytest.warns(rs.errors.DeprecatedWarning, match=told):
        from rocsteady.inference import old_values
    assert old_values is rs.inference.predictive_values
    assert "old_values" not in rs.inference.__all__


@pytest.mark.parametrize(
    ("since", "until", "fits"), [("0.9", "1.0", True), ("1.0", "2.0", True), ("1.4", "1.9", False)]
)
def test_the_promise_of_how_long_is_kept(since: str, until: str, fits: bool) -> None:
    if fits:
        assert deprecation.Leaving("x", since, until, "y").until == until
        return
    with pytest.raises(ValueError, match="too early"):
        deprecation.Leaving("x", since, until, "y")
