"""Build the site, with warnings as errors, and check it."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from tools.about import addresses
from tools.site.checks import faults
from tools.site.commands import write_commands
from tools.site.names import write_reference
from tools.site.stage import DOCS, ROOT, stage

if TYPE_CHECKING:
    from pathlib import Path

BUILD = ROOT / "build" / "site"
SOURCE, HTML = BUILD / "source", BUILD / "html"


def build() -> None:
    """Stage, generate, run Sphinx."""
    from rocsteady import __version__

    shutil.rmtree(BUILD, ignore_errors=True)  # pages that are gone must not stay
    stage(SOURCE)
    (SOURCE / "version.txt").write_text(__version__, encoding="utf-8")
    (SOURCE / "repository.txt").write_text(addresses()["repository"], encoding="utf-8")
    write_reference(SOURCE / "names")
    write_commands(SOURCE / "commands.md")
    write_report(SOURCE / "_static" / "report.html")
    asked = ["-W", "--keep-going", "-q", "-j", "2", "-b", "html", "-d", str(BUILD / "trees"), str(SOURCE), str(HTML)]
    done = subprocess.run([sys.executable, "-m", "sphinx", *asked], check=False, cwd=SOURCE)
    if done.returncode:
        raise SystemExit(done.returncode)


def write_report(target: Path) -> None:
    """The report that the landing page shows: what its own lines, and the call that it names, write."""
    text, names = (DOCS / "index.md").read_text(encoding="utf-8"), dict[str, Any]()
    (call,) = re.findall(r"`(result\.report\([^`]+\))`", text)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    with contextlib.chdir(target.parent), contextlib.redirect_stdout(io.StringIO()):
        for example in doctest.DocTestParser().get_examples(text):
            exec(compile(example.source, "index.md", "single"), names)  # noqa: S102 - lines of our own page
        eval(call, names)  # noqa: S307


def check() -> None:
    """End with the faults of the built site, if there are any."""
    found = faults(HTML)
    print(*found[:50], sep="\n")
    if found:
        raise SystemExit(f"{len(found)} faults in {HTML}")


if __name__ == "__main__":
    began = time.monotonic()
    if sys.argv[1:] != ["check"]:
        build()
    check()
    print(f"{HTML / 'index.html'}: {len(list(HTML.rglob('*.html')))} pages in {time.monotonic() - began:.0f} s")
