"""How a command ends: with its answer, with a sentence, or, where the fault is ours, with a trace and where to send it.

Exit codes: 0 done; 2 what was typed or read is wrong; 3 the answer is there, but wider than --width; of a gate
0 pass, 1 fail, 3 cannot tell; of a watch 0 quiet, 1 alarm, 3 cannot tell; 70 a fault of rocsteady; 74 the answer could
not be written; 128 and the number of the signal that ended it. 70 and 74 are those of sysexits.h: no 1 but an answer.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from typing import TYPE_CHECKING, NoReturn

from rocsteady._src.base.errors import MissingDependencyError, RocsteadyError, printable
from rocsteady._src.views.cli.words import ending_of
from rocsteady._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

WRONG, OUR_FAULT, UNWRITTEN = 2, 70, 74
OF_NAMES = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP)
REPORT = (
    "rocsteady: this is a fault of rocsteady, not of your call or your data. Please report it in the project's issue "
    f"tracker, with the lines above, the command, and the versions: rocsteady {__version__}, "
    f"Python {sys.version.split()[0]}. A few rows that show it help most; leave out what is private."
)


def ending_well(command: Callable[[], object]) -> None:
    """Run a command; whatever happens becomes a message and an exit code."""
    _safe_streams()
    stdout = sys.stdout
    try:
        command()
        sys.stdout.flush()
    except SystemExit as ended:
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        sys.stdout = stdout  # typer and rich end with 1 where the reader has gone
        _forget(stdout)
        sys.exit(UNWRITTEN)
    except (RocsteadyError, MissingDependencyError) as error:
        _end(ending_of(error), WRONG)
    except BrokenPipeError:
        _forget(sys.stdout)  # the reader has gone; Python would complain about it once more
        sys.exit(UNWRITTEN)
    except MemoryError:
        _end(
            "there is not enough memory; lower --memory, so that files are grouped on disk, or use --sketch", UNWRITTEN
        )
    except OSError as error:
        _end(printable(error), WRONG if error.errno in OF_NAMES else UNWRITTEN)
    except Exception:  # a fault of ours, and the only trace that anybody sees
        lines = traceback.format_exc().rstrip().splitlines()
        sys.stderr.write("\n".join([*map(printable, lines), REPORT, ""]))
        sys.exit(OUR_FAULT)


def _end(told: str, code: int) -> NoReturn:
    sys.stderr.write(f"rocsteady: {told}\n")
    _forget(sys.stdout)
    sys.exit(code)


def _safe_streams() -> None:
    """Characters that a terminal lacks are written as escapes; a closed stream is one that cannot be written to."""
    sys.stdout = sys.stdout if _is_open(sys.stdout) else _Closed()
    sys.stderr = sys.stderr if _is_open(sys.stderr) else open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _is_open(stream: object) -> bool:
    """Whether a standard stream is there: Python has None for one that was closed before it started."""
    return stream is not None and not getattr(stream, "closed", False)


class _Closed(io.StringIO):
    """Standard output that is closed: nothing can be written to it."""

    def write(self, text: str) -> int:
        """Refuse."""
        raise OSError(errno.EBADF, "standard output is closed; name a file with --output")


def _forget(stream: object) -> None:
    """Let nothing more be written, so that Python does not fail while it ends."""
    if isinstance(stream, io.TextIOWrapper):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
