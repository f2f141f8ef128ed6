"""Entry of the command line; says what to install when the parts it needs are absent."""

from __future__ import annotations

import sys
from pathlib import Path

from rocsteady._src.base.errors import MissingDependencyError, require
from rocsteady._version import __version__


def main() -> None:
    """Run the command line; demo and version also run without the packages that the other commands need."""
    try:
        require("typer", extra="cli", purpose="the command line")
    except MissingDependencyError as error:
        if sys.argv[1:] in (["--version"], ["-V"], ["version"]):
            sys.stdout.write(f"rocsteady {__version__}\n")
            return
        if sys.argv[1:] not in (["demo"], ["demo", "--force"]):
            sys.stderr.write(f"rocsteady: {error}\n")
            sys.exit(2)  # as all that was typed or is missing; 1 is the fail of a gate
        _show(force="--force" in sys.argv)
        sys.stderr.write(f"rocsteady: {error}\n")
        return
    from rocsteady._src.views.cli.app import run

    run()


def _show(*, force: bool) -> None:
    from rocsteady._src.views.cli.demo import run_demo
    from rocsteady._src.views.cli.ending import ending_well

    ending_well(lambda: sys.stdout.write(run_demo(Path("rocsteady-demo"), force=force) + "\n"))


if __name__ == "__main__":
    main()
