"""rocsteady: which classifier is better, at what threshold, and how sure can I be?

>>> import rocsteady as rs
>>> y, score = [0, 0, 1, 1, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9, 0.6, 0.7]
>>> print(rs.auc_interval(y, score))
0.8750 [0.3993, 0.9866] (0.95 level, wilson, chosen by auto)

Of a table with several models: ``result = rs.evaluate(table, label="y", scores=["a", "b"])``, ``result.compare()``,
``result.decide(cost_fp=1, cost_fn=10)``, ``result.report("report.html")``. In a shell: ``rocsteady --help``, and for
something to look at ``python -m rocsteady demo``.

Names load when they are first used, so that ``import rocsteady`` stays light; ``__init__.pyi`` lists them.
"""

from __future__ import annotations

from rocsteady._names import all_names, found, homes
from rocsteady._version import __version__ as __version__


def __getattr__(name: str) -> object:
    """Load a public name from the module it lives in."""
    if name == "__all__":
        return all_names()
    value = found(name)
    if name in homes():  # other names for them may have something to say, each time
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return all_names()
