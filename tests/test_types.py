"""What an editor reads of the package: every public answer has a type, and signatures are those of the functions.

``make types`` runs mypy over the package, ``typed_calls.py`` and the tests; those here need no type checker.
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import rocsteady as rs
import typed_calls
from rocsteady._names import public_modules

PACKAGE = Path(__file__).parent.parent / "src" / "rocsteady"
TELLS_NOTHING = re.compile(r"Any|object|<class 'inspect._empty'>")


def public_functions() -> dict[str, Any]:
    """Public functions, and the methods and properties of public classes, by name."""
    found: dict[str, Any] = {}
    for module in public_modules():
        for name in getattr(rs, module).__all__:
            value = getattr(getattr(rs, module), name)
            found[f"{module}.{name}"] = value
            for method in vars(value) if inspect.isclass(value) else ():
                raw = inspect.getattr_static(value, method)
                plain = getattr(raw, "fget", None) or getattr(raw, "__func__", raw)
                found |= {f"{module}.{name}.{method}": plain} if not method.startswith("_") else {}
    return {name: value for name, value in found.items() if inspect.isfunction(value)}


def test_every_public_answer_has_a_type() -> None:
    answers = {name: str(inspect.signature(value).return_annotation) for name, value in public_functions().items()}
    assert len(answers) > 200
    untyped = {name for name, answer in answers.items() if TELLS_NOTHING.fullmatch(answer)}
    assert untyped <= FRAMES | OF_ANY_MEASURE


FRAMES = {"results.Result.to_frame"}  # a DataFrame of the library that is asked for: overloads tell which
OF_ANY_MEASURE = {"measures.FactSheet.of", "measures.FactSheet.settled"}  # one value or many, as their argument is


def stubs() -> dict[str, str]:
    signatures = pytest.importorskip("tools.signatures")  # a copy without the repository has none
    made: dict[str, str] = signatures.stubs()
    return made


def test_signatures_that_editors_read_are_those_of_the_functions() -> None:
    kept = {path.stem: path.read_text() for path in PACKAGE.glob("[a-z]*.pyi")}
    assert kept == stubs(), "run: python -m tools.signatures"


def test_no_stub_answers_with_nothing() -> None:
    for text in stubs().values():
        answers = [node.returns for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        assert answers
        assert not [one for one in answers if one is None or TELLS_NOTHING.fullmatch(ast.unparse(one))]


def test_measures_show_their_parameters() -> None:
    stub = ast.parse((PACKAGE / "measures.pyi").read_text())
    defined = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    for sheet in rs.list_measures():
        shown = {each.arg for each in defined[sheet.name].args.kwonlyargs}
        assert shown == {"sample_weight", "pos_label", "missing", "label", *sheet.params}, sheet.name
        assert defined[sheet.name].args.kwarg is None


def test_the_calls_that_mypy_reads_can_be_made(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    typed_calls.measures()
    typed_calls.curves()
    typed_calls.inference()
    typed_calls.tables(tmp_path)
    typed_calls.engines(pl.LazyFrame(typed_calls.TABLE))


def test_evaluate_checks_its_options() -> None:
    with pytest.raises(rs.ArgumentError, match="level must be a number, got 'a'"):
        rs.evaluate(typed_calls.TABLE, label="y", scores="s", level="a")
