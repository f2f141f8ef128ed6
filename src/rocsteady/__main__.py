"""Entry of the command line; says what to install when the parts it needs are absent."""

from __future__ import annotations

import sys

from rocsteady._src.base.errors import MissingDependencyError, require


def main() -> None:
    """Run the command line."""
    try:
        require("typer", extra="cli", purpose="the command line")
    except MissingDependencyError as error:
        sys.exit(f"rocsteady: {error}")
    from rocsteady._src.views.cli.app import run

    run()


if __name__ == "__main__":
    main()
