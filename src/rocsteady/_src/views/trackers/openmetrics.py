"""Results as OpenMetrics text, which Prometheus and others read."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import write_whole
from rocsteady._src.base.errors import ArgumentError, printable
from rocsteady._src.base.typed import typed
from rocsteady._src.views.trackers.files import facts_of
from rocsteady._src.views.trackers.readings import Reading, keyed, readings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_]+")
NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
ENDS = {"_low": "lower end of the interval of ", "_high": "upper end of the interval of "}


@typed
def openmetrics(
    result: object,
    path: str | PathLike[str] | None = None,
    *,
    prefix: str = "rocsteady",
    labels: Mapping[str, object] | None = None,
) -> str:
    """A result as OpenMetrics text: a gauge per number, with intervals as gauges of their own.

    Parameters
    ----------
    result : Result
        An evaluation, a comparison, a test, an interval.
    path : str or Path, optional
        A file to write as well, whole or not at all and in place of the last one: what the textfile collector of
        Prometheus' node exporter asks of those who write for it.
    prefix : str
        What the name of each gauge begins with: ``rocsteady_auc``.
    labels : mapping, optional
        Labels that every line has, such as ``{"release": "2.1"}``.

    Returns
    -------
    str
        With ``prefix_info``, which states positive label, direction, rows and version. What is undefined is NaN.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.auc_interval([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> print(rs.trackers.openmetrics(found, labels={"model": "b"}))  # doctest: +ELLIPSIS
    # TYPE rocsteady_estimate gauge
    # HELP rocsteady_estimate estimate
    rocsteady_estimate{model="b",measure="auc"} 0.8888888888888888
    # TYPE rocsteady_estimate_low gauge
    ...
    # EOF
    """
    if not NAME.fullmatch(prefix):
        raise ArgumentError("prefix", f"prefix must be a name of letters, digits and _, got {prefix!r}")
    common = _checked(dict(labels or {}))
    found = readings(result)
    lines = keyed(found, lambda each: _line(each, prefix, common), lambda each: each)
    families: dict[str, list[str]] = {}
    helped: dict[str, str] = {}
    for line, each in lines.items():
        family = _name(each, prefix)
        if helped.setdefault(family, each.name) != each.name:
            text = f"{helped[family]!r} and {each.name!r} would both be called {family}; ask for them one by one"
            raise ArgumentError("names_collide", text)
        families.setdefault(family, []).append(f"{line} {value_text(each.value)}")
    told = [row for family, rows in families.items() for row in (*_head(family, helped[family]), *rows)]
    text = "\n".join([*told, *_info(result, prefix, common), "# EOF"]) + "\n"
    if path is not None:
        write_whole(Path(path), text, force=True)
    return text


def _checked(labels: dict[str, object]) -> dict[str, str]:
    wrong = [name for name in labels if not NAME.fullmatch(str(name)) or str(name).startswith("__")]
    if wrong:
        raise ArgumentError("labels", f"labels must be names of letters, digits and _, got {wrong[0]!r}")
    return {str(name): printable(value) for name, value in labels.items()}


def _name(each: Reading, prefix: str) -> str:
    return f"{prefix}_{NOT_IN_NAMES.sub('_', each.name).strip('_')}"


def _line(each: Reading, prefix: str, common: dict[str, str]) -> str:
    own = {NOT_IN_NAMES.sub("_", name): value for name, value in each.labels}
    both = [name for name in own if name in common and own[name] != common[name]]
    if both:
        text = f"label {both[0]!r} is {own[both[0]]!r} in the result and {common[both[0]]!r} in labels; rename yours"
        raise ArgumentError("labels", text)
    return _name(each, prefix) + labelled({**common, **own})


def labelled(labels: dict[str, str]) -> str:
    written = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{written}}}" if written else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _head(family: str, name: str) -> list[str]:
    end = next((end for end in ENDS if name.endswith(end)), "")
    told = f"{ENDS[end]}{name.removesuffix(end)}" if end else name
    return [f"# TYPE {family} gauge", f"# HELP {family} {_escaped(told)}"]


def value_text(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return repr(value) if math.isfinite(value) else ("+Inf" if value > 0 else "-Inf")


def _info(result: Any, prefix: str, common: dict[str, str]) -> list[str]:
    """Where the numbers come from, as a metric of the type that is made for it."""
    told = {name: printable(value) for name, value in facts_of(result).items() if value is not None}
    both = {**told, **common}
    return [
        f"# TYPE {prefix} info",
        f"# HELP {prefix} where the numbers come from",
        f"{prefix}_info{labelled(both)} 1",
    ]
