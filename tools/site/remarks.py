"""The page of remarks, made from their tables."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from rocsteady._src.results.remarks.table import SECTIONS

if TYPE_CHECKING:
    from rocsteady._src.results.remarks import Told

INTRODUCTION = """# Remarks

What a reader of a number should know travels with it: in `warnings` of intervals, tests, curves and comparisons, and in
`remarks` of an evaluation. Each is text, and knows its `code`, which never changes between versions, its `params`, and
the `model` that it concerns, or None:

```python
>>> import rocsteady as rs
>>> remark = rs.auc_interval([1, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1], method="delong").warnings[0]
>>> remark.code, remark.params["area"]
('components_agree', 1.0)
>>> print(remark)
all components agree (area 1): a width of zero is not certainty; use rs.auc_interval(method='auto')

```

The command line says the same with its own options (`use --auc-method auto`), a report in words (`use the default
method`). In the sentences below, what stands in angle brackets differs from case to case.
"""


def remarks_page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *(section(title, told) for title, told in SECTIONS.items())])


def section(title: str, told: dict[str, Told]) -> str:
    """One table."""
    lines = ["| code | what it says | what to do |", "|---|---|---|"]
    lines += [linked(f"| `{code}` | {sentence(each.says)} | {each.do} |") for code, each in told.items()]
    return f"## {title}\n\n" + "\n".join(lines) + "\n"


def linked(line: str) -> str:
    """Pages that a sentence names, as links."""
    return re.sub(r"docs/(\w+\.md)", r"[\g<0>](\1)", line)


def sentence(template: str) -> str:
    """A template for reading: arguments as the library writes them, parameters by their names."""
    return "".join(text + field(name) for text, name, _, _ in string.Formatter().parse(template)).replace("|", "\\|")


def field(name: str | None) -> str:
    """One field of a template."""
    if name is None:
        return ""
    if name.startswith(" (docs/"):
        return name
    return f"`{name}`" if "=" in name or name.startswith("rs.") else f"&lt;{name}&gt;"
