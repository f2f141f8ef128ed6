"""Write what editors and type checkers read of the public modules: ``python -m tools.signatures``.

Measures and curves get their two doors from a decorator, and some answers depend on an argument. The type system
cannot say so at the place of the definition; stub files beside the public modules, made from the functions, can.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from rocsteady._names import public_modules

PACKAGE = Path(__file__).parent.parent / "src" / "rocsteady"
ONE, SEVERAL = "float | ThresholdChoice | None", "Literal['all'] | Sequence[float] | NDArray[Any]"
NAMES = "list[str] | tuple[str, ...]"
# Answers that depend on arguments: the annotations that change, first to last, and the answer.
OVERLOADS: dict[str, list[tuple[dict[str, str], str]]] = {
    "rank_table": [
        ({"score": "str", "by": "None"}, "RankedScores"),
        ({"score": NAMES, "by": "None"}, "dict[str, RankedScores]"),
        ({"score": "str", "by": "str | Sequence[str]"}, "dict[Any, RankedScores]"),
        ({"score": NAMES, "by": "str | Sequence[str]"}, "dict[Any, dict[str, RankedScores]]"),
    ],
    "sketch_table": [
        ({"score": "str", "by": "None"}, "Sketch"),
        ({"score": NAMES, "by": "None"}, "dict[str, Sketch]"),
        ({"score": "str", "by": "str | Sequence[str]"}, "dict[Any, Sketch]"),
        ({"score": NAMES, "by": "str | Sequence[str]"}, "dict[Any, dict[str, Sketch]]"),
    ],
    "multiclass_auc": [({"average": "AverageName"}, "float"), ({"average": "None"}, "NDArray[np.float64]")],
    "multiclass_auc_interval": [({"average": "AverageName"}, "Interval"), ({"average": "None"}, "dict[Any, Interval]")],
    "bootstrap_interval": [
        ({"y_score": "Mapping[str, Any]"}, "dict[str, Interval]"),
        ({"y_score": "ArrayLike | None"}, "Interval"),
    ],
    "scorer": [
        ({"measure": "str | Callable[..., Any]"}, "Callable[..., float]"),
        ({"measure": "Mapping[str, Any] | list[Any] | tuple[Any, ...]"}, "dict[str, Callable[..., float]]"),
    ],
    "compare_crossval": [
        ({"method": "Literal['auto', 'nadeau-bengio', 'influence']"}, "TestResult"),
        ({"method": "Literal['bayesian']"}, "BayesianComparison"),
    ],
    "compare_learners": [
        ({"method": "Literal['auto', 'nadeau-bengio']"}, "TestResult"),
        ({"method": "Literal['bayesian']"}, "BayesianComparison"),
    ],
}
HOMES = {
    "Any": "typing",
    "Literal": "typing",
    "overload": "typing",
    "Callable": "collections.abc",
    "Mapping": "collections.abc",
    "Sequence": "collections.abc",
    "ArrayLike": "numpy.typing",
    "NDArray": "numpy.typing",
    "BayesianComparison": "rocsteady._src.results.crossval",
    "Interval": "rocsteady._src.results",
    "TestResult": "rocsteady._src.results",
    "ThresholdChoice": "rocsteady._src.results",
    "RankedScores": "rocsteady._src.ranked",
    "WeightType": "rocsteady._src.inputs.weights",
}


def main() -> None:
    """Write the stub of every public module that needs one."""
    for module, text in stubs().items():
        (PACKAGE / f"{module}.pyi").write_text(text, encoding="utf-8")


def stubs() -> dict[str, str]:
    """Stubs of the modules that hold such functions, by name."""
    held = {module: import_module(f"rocsteady.{module}") for module in public_modules()}
    needed = [
        module for module, each in held.items() if any(is_written(name, getattr(each, name)) for name in each.__all__)
    ]
    return {module: stub(module) for module in needed}


def stub(module: str) -> str:
    """The stub of one public module."""
    held = import_module(f"rocsteady.{module}")
    told = {name: getattr(held, name) for name in held.__all__}
    written = {name: functions(name, value) for name, value in told.items() if is_written(name, value)}
    needed = {each for _, names in written.values() for each in names}
    lines = {imported(name, home) for name, home in needed if name not in told} - {""}
    kept = [f"from {home_of(value)} import {name} as {name}" for name, value in told.items() if name not in written]
    bodies = [text for text, _ in written.values()]
    names = "\n".join(f'    "{name}",' for name in held.__all__)
    head = f'"""{(held.__doc__ or "").splitlines()[0]}\n\nMade by ``python -m tools.signatures``.\n"""\n'
    return "\n".join([head, *sorted([*lines, *kept]), "", f"__all__ = [\n{names}\n]", "", *bodies]).rstrip() + "\n"


def is_written(name: str, value: Any) -> bool:
    """Whether a function's own definition does not tell its signature, or not the whole of its answer."""
    return name in OVERLOADS or (inspect.isfunction(value) and hasattr(value, "__signature__"))


def home_of(value: Any) -> str:
    """The module in which a public name is defined."""
    home = getattr(value, "__module__", None)
    if not isinstance(home, str) or not home.startswith("rocsteady."):
        raise TypeError(f"{value!r} does not say where it is defined")
    return home


def functions(name: str, value: Any) -> tuple[str, set[tuple[str, str]]]:
    """The signature, or one per answer, and the names that annotations use."""
    signature = _with_label(inspect.signature(value)) if hasattr(value, "takes_tables") else inspect.signature(value)
    changes = OVERLOADS.get(name, [({}, _answer(signature))])
    if _answer(signature) == "float" and "threshold" in signature.parameters and name not in OVERLOADS:
        changes = [({"threshold": ONE}, "float"), ({"threshold": SEVERAL}, "NDArray[np.float64]")]
    several = len(changes) > 1
    texts = [_one(name, signature, change, answer, several=several) for change, answer in changes]
    used = set.union(*(_names(text) for text in texts)) | ({"overload"} if several else set())
    return "\n".join(texts), {(word, home_of(value)) for word in used}


def _with_label(signature: inspect.Signature) -> inspect.Signature:
    """The same for tables, whose columns are named: their label too."""
    if "label" in signature.parameters:
        return signature
    label = inspect.Parameter("label", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="str | None")
    given = list(signature.parameters.values())
    place = next((at for at, each in enumerate(given) if each.name == "missing"), len(given) - 1) + 1
    return signature.replace(parameters=[*given[:place], label, *given[place:]])


def _answer(signature: inspect.Signature) -> str:
    return str(signature.return_annotation).strip("'")


def _one(name: str, signature: inspect.Signature, change: dict[str, str], answer: str, *, several: bool) -> str:
    parameters = []
    for each in signature.parameters.values():
        kind = change.get(each.name, str(each.annotation).strip("'"))
        # A default stands where the overload's type has it; the others must be given.
        keeps = each.default is not each.empty and (each.name not in change or _fits(each.default, kind))
        parameters.append((each, kind, keeps))
    texts, starred = [], False
    for each, kind, keeps in parameters:
        if each.kind is each.KEYWORD_ONLY and not starred:
            texts, starred = [*texts, "*"], True
        mark = {each.VAR_KEYWORD: "**", each.VAR_POSITIONAL: "*"}.get(each.kind, "")
        starred = starred or each.kind is each.VAR_POSITIONAL
        texts.append(f"{mark}{each.name}: {kind}" + (f" = {each.default!r}" if keeps else ""))
    body = textwrap.indent(",\n".join(texts), "    ")
    return f"{'@overload' + chr(10) if several else ''}def {name}(\n{body},\n) -> {answer}: ...\n"


def _fits(default: object, kind: str) -> bool:
    """Whether a default is of an overload's type."""
    if default is None:
        return "None" in kind
    return repr(default) in kind or (isinstance(default, str) and kind in ("str", "AverageName"))


def _names(text: str) -> set[str]:
    tree = ast.parse(text)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def imported(name: str, home: str) -> str:
    """The line that brings a name of an annotation of a function of ``home``."""
    if hasattr(builtins, name):
        return ""
    if name == "np":
        return "import numpy as np"
    return f"from {HOMES.get(name) or found_in(name, home)} import {name}"


@cache
def found_in(name: str, home: str) -> str:
    """The module that an annotation's name comes from: imported in, or defined by, the module of the function."""
    tree = ast.parse(Path(str(import_module(home).__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return str(node.module)
    return home


if __name__ == "__main__":
    main()
