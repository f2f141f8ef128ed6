"""The command that opens a page on this machine: drop a file, get the decision."""

from typing import Annotated

import typer

from rocsteady._src.views.cli.options import Memory
from rocsteady._src.views.cli.source import MEMORY


def serve(
    file: Annotated[str | None, typer.Argument(help="A file to begin with; it is read where it is.")] = None,
    port: Annotated[int, typer.Option("--port", help="Of the address; any free one if absent.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in a browser.")] = True,
    memory: Memory = MEMORY,
) -> None:
    """Open a page on this machine: drop a file, say what its columns are, and read the decision."""
    from rocsteady._src.views.serve.run import serve_forever

    serve_forever(file, port=port, memory=memory, browser=browser, say=typer.echo)
