"""Remarks are codes with parameters, said by each door in its own words; nothing reads sentences again."""

from __future__ import annotations

import ast
import copy
import json
import pickle
import re
import string
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from cases import each_case
from rocsteady._src.base.errors import ArgumentError, InputError
from rocsteady._src.base.sentences import FORMS, PYTHON, Option, Sentence
from rocsteady._src.results.plain_values import plain
from rocsteady._src.results.remarks import Remark, noted
from rocsteady._src.results.remarks.table import SECTIONS, TOLD
from rocsteady._src.views.cli.words import FLAGS, SHELL, for_shell
from rocsteady._src.views.report.plain import PAGE, for_readers, told_once
from sources import nodes_of

SOURCES = sorted((Path(rs.__file__).parent / "_src").rglob("*.py"))
DOORS = (PYTHON, SHELL, PAGE)


def restored(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes


# What a door says otherwise: arguments with a value or without, and calls that the command line knows as options.
OPTION = re.compile(
    rf"(?<![\w('\"-])({'|'.join(FLAGS)}|method)=(?![=\w{{}}\[(])"
    rf"|(?<![\w('\"-])({'|'.join(FLAGS)}|method)=(['\"{{]|\.\.\.|True)"
    r"|rs\.(list_measures|compare_auc|compare_models|auc_interval)\("
)


@cache
def walked() -> list[tuple[Path, tuple[ast.AST, ...]]]:
    """Sources, parsed and walked once for all tests."""
    return [(path, nodes_of(path)) for path in SOURCES]


def docstrings(nodes: list[ast.AST]) -> set[int]:
    owners = (node for node in nodes if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)))
    return {id(node.body[0].value) for node in owners if node.body and isinstance(node.body[0], ast.Expr)}


def texts(nodes: list[ast.AST]) -> list[tuple[int, str]]:
    """Literal texts, without what stands in braces: of a template its fields, of an f-string its values."""
    told, within = docstrings(nodes), set()
    found = []
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            within |= {id(part) for part in ast.walk(node)}
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            found.append((node.lineno, "".join(map(str, parts))))
    known = told | within
    alone = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in known]
    return found + [
        (node.lineno, re.sub(r"\{[^{}]*\}", "", node.value)) for node in alone if isinstance(node.value, str)
    ]


def named(text: str) -> bool:
    """Whether a text names an argument or a call; most have neither sign, and need no search."""
    return ("=" in text or "rs." in text) and OPTION.search(text) is not None


def test_no_sentence_names_an_argument_that_a_door_could_not_spell() -> None:
    spoken = [(path.name, line, text) for path, nodes in walked() for line, text in texts(nodes) if " " in text.strip()]
    markup = {"page.py", "page_situation.py", "markup.py", "tables.py", "notebook.py"}  # HTML and SQL: attributes
    markup |= {"provenance.py", "lines.py"}  # the lines that make a page again, in Python and in a shell
    markup |= {"near_names.py"}  # lines of Python, for those who type Python
    assert not [each for each in spoken if named(each[2]) and each[0] not in markup]


@pytest.mark.parametrize("module", ["cli/words.py", "cli/ending.py", "cli/pages.py", "report/plain.py"])
def test_doors_do_not_search_sentences(module: str) -> None:
    tree = ast.parse((Path(rs.__file__).parent / "_src" / "views" / module).read_text(encoding="utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert "re" not in imported


def test_every_code_is_in_the_table_and_in_use() -> None:
    assert sum(map(len, SECTIONS.values())) == len(TOLD)
    used = set()
    for path, nodes in walked():
        if path.parent.name == "remarks":
            continue
        for node in nodes:
            if isinstance(node, ast.Constant) and node.value in TOLD:
                used.add(node.value)
    assert set(TOLD) - used <= {"undefined"}  # made by undefined_because
    calls = [node for _, nodes in walked() for node in nodes if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Remark" and call.args]
    codes = {call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)}
    assert codes <= set(TOLD)
    assert len(codes) > 80


def names_in(template: str) -> set[str]:
    parsed = [(name, form) for _, name, form, _ in string.Formatter().parse(template) if name]
    assert {form for _, form in parsed if form} <= set(FORMS)
    return {name for name, _ in parsed if name.isidentifier()}


@each_case("code", TOLD)
def test_all_doors_know_the_same_parameters(code: str) -> None:
    told = TOLD[code]
    assert told.do.endswith(".")
    for other in (told.shell, told.page):
        assert other is None or names_in(other) <= names_in(told.says)
    numbers = dict.fromkeys(names_in(told.says), 3)
    lists = {name: ["a", "b"] for name in numbers if f"{{{name}:list}}" in told.says}
    remark = Remark(code, **numbers | lists)
    for door in DOORS:
        assert remark.said(door)
    assert "method=" not in remark.said(PAGE)
    assert "docs/" not in remark.said(PAGE)


def found_remarks(result: Any) -> list[Any]:
    """All elements of ``warnings`` and ``remarks``, also of what a result holds."""
    if isinstance(result, dict):
        return [each for value in result.values() for each in found_remarks(value)]
    if isinstance(result, (list, tuple)):
        return [each for value in result for each in found_remarks(value)]
    if not is_dataclass(result):
        return []
    own = [each for name in ("warnings", "remarks") for each in getattr(result, name, ())]
    return own + [each for field in fields(result) for each in found_remarks(getattr(result, field.name, None))]


Y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
A = np.array([0.9, 0.55, 0.4, 0.8, 0.7, 0.6, 0.5, 0.3, 0.2, 0.15, 0.1, 0.05])
B = A[::-1].copy()
CALLS = {
    "auc_interval": lambda: rs.auc_interval(Y, A, method="delong"),
    "few subjects": lambda: rs.auc_interval(Y, A, method="delong", cluster=np.arange(12) // 2),
    "weights": lambda: rs.auc_interval(Y, A, sample_weight=np.arange(1, 13)),
    "bootstrap": lambda: rs.bootstrap_interval("auc", Y, A, method="percentile", n_resamples=50, random_state=1),
    "jackknife": lambda: rs.bootstrap_interval("brier_score", Y, A, method="basic", n_resamples=50, random_state=1),
    "share": lambda: rs.measure_interval("recall", Y, A, threshold=0.5),
    "delta": lambda: rs.measure_interval("f1", Y, A, threshold=0.5),
    "compare": lambda: rs.compare_auc(Y, A, B, method="delong"),
    "margin": lambda: rs.compare_auc(Y, A, B, method="delong", alternative="non-inferiority", margin=0.1),
    "permutation": lambda: rs.compare_measure("auc", Y, A, B, method="permutation", n_resamples=50, random_state=1),
    "models": lambda: rs.compare_models(Y, {"a": A, "b": B, "c": A**2}, method="delong"),
    "band": lambda: rs.roc_band(Y, A, method="fixed-width", n_resamples=50, random_state=1),
    "calibration": lambda: rs.calibration.calibration_summary(Y, A),
    "reclassification": lambda: rs.calibration.net_reclassification(Y, A, B, method="wald"),
    "evaluation": lambda: rs.evaluate({"y": Y, "a": A, "b": B}, label="y", scores=["a", "b"], intervals=True),
}


@each_case("call", CALLS)
@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_results_carry_remarks(call: str) -> None:
    result = CALLS[call]()
    remarks = found_remarks(result)
    assert remarks
    for remark in remarks:
        assert isinstance(remark, Remark)
        assert remark == str(remark)
        assert remark in (restored(remark), copy.deepcopy(remark))
        assert restored(remark).said(SHELL) == remark.said(SHELL)
        assert "rs.auc_interval(" not in remark.said(SHELL)
        assert type(plain(remark)) is str
    assert json.loads(json.dumps(result.to_dict(), default=str))


def test_a_remark_is_text_with_a_code() -> None:
    remark = Remark("short_interval", rows=1200, auc=0.95, method="delong", better=Sentence("use {method='auto'}"))
    assert remark.code == "short_interval"
    assert remark.params["rows"] == 1200
    assert remark.options == (Option("method", ("auto",)),)
    assert remark.startswith("1,200 rows in the smaller class and an AUC of 0.9500: ")
    assert remark.endswith("; use method='auto'")
    of_model = remark.about("a")
    assert (of_model.model, of_model, of_model.text) == ("a", f"a: {remark}", remark)
    assert noted(of_model) == f"note: a: {remark}"
    assert for_readers(noted(remark, "b")).endswith("; use the default method")


def test_names_that_look_like_templates_or_options_stay_as_they_are() -> None:
    for name in ("{n}", "weight=2", "{method='auto'}", "rs.list_measures()", "a\x1b[31m"):
        shown = name.replace("\x1b", "\N{REPLACEMENT CHARACTER}")
        for door in DOORS:
            assert Remark("hooked", name).said(door).startswith(f"{shown}: the fitted")
            assert Remark("emerging", measures=[name]).said(door).endswith(shown)


def test_errors_keep_their_sentence() -> None:
    with pytest.raises(InputError) as caught:
        rs.auc(["weight=2", "no"], [1, 2])
    assert str(caught.value).endswith("say which one is positive with pos_label=...")
    assert for_shell(caught.value.sentence).endswith("'weight=2'; say which one is positive with --pos-label ...")
    again = restored(caught.value)
    assert for_shell(again.sentence) == for_shell(caught.value.sentence)
    with pytest.raises(ArgumentError) as unknown:
        rs.get_measure("no such")
    assert for_shell(unknown.value.sentence).endswith("; 'rocsteady measures' lists them all")


def test_one_function_makes_values_that_json_can_hold() -> None:
    """Others that turn infinities into words would say it a second way."""
    rooms = {"results", "views", "extras", "evaluation"}
    answering = [
        (path, nodes) for path, nodes in walked() if rooms & {*path.parts} and "-inf" in path.read_text("utf-8")
    ]
    functions = [(path, node) for path, nodes in answering for node in nodes if isinstance(node, ast.FunctionDef)]
    texts_of = [
        (path.name, {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)})
        for path, node in functions
    ]
    assert {name for name, texts in texts_of if {"inf", "-inf"} <= texts} == {"plain_values.py"}
    assert plain([np.float64("nan"), np.inf, 2**60, "a"], doubles=True) == [None, "inf", str(2**60), "a"]


def test_a_page_says_a_remark_once_with_the_name_of_whom_it_concerns() -> None:
    few, more = (Remark("few_resamples", n=n) for n in (200, 300))
    told = told_once([few, noted(few.about("a")), noted(few, "b", "auc"), more, few.about("a")])
    assert told == [f"a: {for_readers(few)}", f"b: auc: {for_readers(few)}", for_readers(more)]


def test_texts_that_end_alike_are_different_notes() -> None:
    assert told_once(["note: ties", "a: ties", "ties"]) == ["ties", "a: ties"]
    assert told_once([noted(Remark("hooked"), "a"), str(Remark("hooked"))])[1:] == [Remark("hooked")]
