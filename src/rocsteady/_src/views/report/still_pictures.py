"""Still pictures of charts, drawn in a process of their own.

Vega runs in V8, which reserves more memory than it uses and ends the process where it cannot have it. In a child, the
worst is a picture that is missing; in the user's process it would be the notebook.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.errors import MissingDependencyError, RocsteadyError, printable
from rocsteady._src.base.text import format_tenths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECONDS = 60
WIDTH = 500
NUMBER = re.compile(r"(?<![\w#])-?\d+\.\d{2,}(?:e-?\d+)?")
TAG = re.compile(r"<[^<>]*>")
# What a page gives a picture anyway, what is so without being said, and what only a pointer finds.
NEEDLESS = re.compile(
    r' (?:(?:xmlns(?::\w+)?|version|class|role|aria-\w+|pointer-events|stroke-miterlimit)="[^"]*"'
    r'|(?:opacity|stroke-width)="1"|transform="translate\(0,0\)")'
)
ID = re.compile(r'id="([^"]+)"')
DRAW_ALL = """import json, sys, vl_convert
vl_convert.vegalite_to_svg({"data": {"values": []}, "mark": "point"})
for spec in sys.stdin: print(json.dumps(vl_convert.vegalite_to_svg(spec)), flush=True)"""
DRAW = "import sys, vl_convert; sys.stdout.write(vl_convert.vegalite_to_svg(sys.stdin.read()))"


class Drawer:
    """A process that draws the charts of a page; it starts while their numbers are made, since V8 takes a second.

    Charts may be asked for as soon as they are made, and are drawn while the rest of the page is.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._asked: dict[str, int] = {}
        self._left: SimpleQueue[str | None] = SimpleQueue()
        self._drawn: Future[str] = Future()
        if find_spec("vl_convert") is not None:
            self._start()

    def _start(self) -> None:
        pipe, drop = subprocess.PIPE, subprocess.DEVNULL
        self._process = process = subprocess.Popen(  # noqa: S603 - Python itself, and a constant
            [sys.executable, "-c", DRAW_ALL], stdin=pipe, stdout=pipe, stderr=drop, text=True, encoding="utf-8"
        )
        pool = ThreadPoolExecutor(2)  # one writes while the other reads, so that neither pipe fills up
        pool.submit(_write, process, self._left)
        self._drawn = pool.submit(_read, process)
        pool.shutdown(wait=False)

    def __enter__(self) -> Drawer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._left.put(None)
            self._process.kill()
            self._process.wait()

    def ask(self, specs: Iterable[dict[str, Any]]) -> list[str]:
        """Begin to draw; what was asked for before is drawn once."""
        asked = [json.dumps(_sized(spec), allow_nan=False) for spec in specs]
        for spec in asked:
            if self._process is not None and spec not in self._asked:
                self._asked[spec] = len(self._asked)
                self._left.put(spec)
        return asked

    def stills(self, specs: Sequence[dict[str, Any]]) -> list[str]:
        """Pictures for who reads without scripts, the last to be asked for; empty where they cannot be drawn."""
        asked = self.ask(specs)
        if self._process is None:
            return [""] * len(specs)
        self._left.put(None)
        try:
            drawn = self._drawn.result(timeout=SECONDS).splitlines()
        except (OSError, TimeoutError):
            drawn = []
        if len(drawn) < len(self._asked):
            return [""] * len(specs)
        found = (json.loads(drawn[self._asked[spec]]) for spec in asked)
        return [_own_ids(_shortened(svg), place) for place, svg in enumerate(found)]


def _write(process: subprocess.Popen[str], left: SimpleQueue[str | None]) -> None:
    assert process.stdin is not None  # noqa: S101 - for the reader of types
    with suppress(OSError), process.stdin as into:  # a process that ended takes no more
        for spec in iter(left.get, None):
            into.write(f"{spec}\n")
            into.flush()


def _read(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None  # noqa: S101 - for the reader of types
    with process.stdout as drawn:
        return drawn.read()


class NoDrawer(Drawer):
    """None, for a page whose charts are drawn by its own script where it is shown."""

    def __init__(self) -> None:
        self._process = None


def _sized(spec: dict[str, Any]) -> dict[str, Any]:
    """The chart as a picture: of a fixed width, without what only a pointer finds."""
    layers = [
        {**layer, "encoding": {name: each for name, each in layer["encoding"].items() if name != "tooltip"}}
        for layer in spec["layer"]
        if layer["mark"].get("opacity") != 0
    ]
    width = WIDTH if spec.get("width") == "container" else spec["width"]
    return {**spec, "width": width, "layer": layers, "config": {**spec["config"], "aria": False}}


def _shortened(svg: str) -> str:
    """Coordinates to a tenth of a pixel, and no more: a quarter of the bytes. Words stay as they are.

    Examples
    --------
    >>> _shortened('<g role="x"><text x="1.234" opacity="1">0.05 at 0.154139</text></g>')
    '<g><text x="1.2">0.05 at 0.154139</text></g>'
    """
    return TAG.sub(lambda tag: NUMBER.sub(_tenths, NEEDLESS.sub("", tag.group())), svg)


def _tenths(found: re.Match[str]) -> str:
    return format_tenths(float(found.group()))


def _own_ids(svg: str, place: int) -> str:
    """Names of parts that no other picture of the page has."""
    for name in dict.fromkeys(ID.findall(svg)):
        svg = svg.replace(f'id="{name}"', f'id="still{place}-{name}"').replace(f"#{name})", f"#still{place}-{name})")
    return svg


def svg_of(spec: dict[str, Any]) -> str:
    """The chart as SVG; refused with the reason where it cannot be drawn."""
    if find_spec("vl_convert") is None:
        raise MissingDependencyError('pictures of charts need vl_convert: pip install "rocsteady[report]"')
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
