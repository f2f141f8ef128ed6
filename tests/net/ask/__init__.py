"""Today's calls: the only code of the net that knows them.

Every verb of the cases is a function of a table and of words of the subject, registered by its name; whatever the
library returns is put into words of the subject by ``reading.py``. When calls change, this folder is rewritten; cases
and answers stay.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

from rocsteady import RocsteadyError

from ..case import Case
from ..data import columns
from .reading import codes_of, flat
from .words import VERBS, named

MODULES = (
    "arrays",
    "curves",
    "designs",
    "truths",
    "decisions",
    "planning",
    "engines",
    "laboratory",
    "files",
    "commands",
)
for each in MODULES:
    import_module(f"{__name__}.{each}")


def ask(case: Case) -> dict[str, Any]:
    """What the library answers: numbers by words of the subject, codes of remarks, or the code of a refusal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = VERBS[case.verb](columns(case.data), **case.words)
            return {named(name): value for name, value in flat(found).items()} | remarks(found)
        except RocsteadyError as error:
            return {"refusal": f"{type(error).__name__} {error.code}"}
        except AttributeError as error:  # a result that has no such verb
            if error.obj is None or not type(error.obj).__module__.startswith("rocsteady"):
                raise
            return {"refusal": f"no {error.name}"}


def remarks(found: Any) -> dict[str, Any]:
    codes = sorted(set(codes_of(found)))
    return {"remarks": codes} if codes else {}
