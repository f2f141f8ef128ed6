"""Still pictures of charts, drawn in a process of their own.

Vega runs in V8, which reserves more memory than it uses and ends the process where it cannot have it. In a child, the
worst is a picture that is missing; in the user's process it would be the notebook.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from rocsteady._src.base.errors import MissingDependencyError, RocsteadyError, printable

SECONDS = 60
DRAW = "import sys, vl_convert; sys.stdout.write(vl_convert.vegalite_to_svg(sys.stdin.read()))"


def svg_of(spec: dict[str, Any]) -> str:
    """The chart as SVG; refused with the reason where it cannot be drawn."""
    if find_spec("vl_convert") is None:
        raise MissingDependencyError("pictures of charts need vl_convert: pip install 'rocsteady[report]'")
    return _drawn(json.dumps(spec, allow_nan=False))


@lru_cache(maxsize=16)
def _drawn(spec: str) -> str:
    call = [sys.executable, "-c", DRAW]
    try:
        ended = subprocess.run(  # noqa: S603 - Python itself, and a constant
            call, input=spec, capture_output=True, text=True, encoding="utf-8", timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RocsteadyError("not_drawn", f"the picture was not drawn: {printable(error, most=200)}") from error
    if ended.returncode or not ended.stdout:
        told = ended.stderr.strip().splitlines()[-1:] if ended.returncode > 0 else []
        killed = f"its process was ended by signal {-ended.returncode}, perhaps by a limit of memory (ulimit -v)"
        why = told or [killed]
        text = f"the picture was not drawn: {printable(why[0], most=200)}; plot() draws with matplotlib"
        raise RocsteadyError("not_drawn", text)
    return ended.stdout
