"""What is asked of a reader study, by the names that people know it by: the measure, and the method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from rocsteady._src.base.errors import ArgumentError
from rocsteady._src.base.sentences import Option, Sentence
from rocsteady._src.base.text import format_count
from rocsteady._src.designs.readers.covariances import Covariance
from rocsteady._src.inference.intervals.normal import check_choice
from rocsteady._src.measures.plain_functions import name_of
from rocsteady._src.measures.requests import one_request

if TYPE_CHECKING:
    from rocsteady._src.measures.requests import Request


def asked_measure(measure: Any) -> tuple[Request, str]:
    """The one measure that was asked for, and what it is called: by its name, or that of a dict of one function."""
    if isinstance(measure, (Mapping, list, tuple)) and len(measure) != 1:
        text = f"a study is judged by one measure at a time, got {format_count(len(measure))}"
        raise ArgumentError("measure", f"{text}: analyze it once for each")
    if isinstance(measure, (list, tuple)):
        measure = measure[0]
    if callable(measure) and not hasattr(measure, "sheet") and name_of(measure) == "<lambda>":
        named = Option("measure", written="measure={'name': lambda y_true, y_score: ...}")
        raise ArgumentError("measure_name", Sentence("a lambda has no name: pass {named}", named=named))
    request = one_request(measure)
    own = bool(request.params) or isinstance(measure, Mapping)
    return request, request.column if own else request.sheet.label


def covariance_asked(asked: Covariance | None, method: str, *, plain: bool) -> Covariance:
    """How values vary together over cases: what was asked for, where it can be had; ``plain`` of whole AUCs."""
    if asked is not None:
        check_choice("covariance", asked, get_args(Covariance))
    usual: Covariance = "jackknife" if not plain else "unbiased" if method == "u-statistics" else "delong"
    found = usual if asked is None else asked
    possible = ("jackknife",) if not plain else ("unbiased", "jackknife") if method == "u-statistics" else (found,)
    if found not in possible:
        of = Option("method", ("u-statistics",)) if plain else "other measures than the AUC"
        words = "{covariance} is not for {of}; it is {possible}"
        asked_for = Option("covariance", (found,))
        raise ArgumentError(
            "covariance", Sentence(words, covariance=asked_for, of=of, possible=" or ".join(map(repr, possible)))
        )
    return found
