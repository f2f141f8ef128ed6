"""How a text file divides its columns and writes decimals."""

from __future__ import annotations

from dataclasses import dataclass

from rocsteady._src.base.errors import ArgumentError, printable


@dataclass(frozen=True, slots=True)
class TextForm:
    """How a text file divides its columns and writes decimals; None where it is as usual, or to be seen."""

    delimiter: str | None = None
    decimal: str | None = None

    def __post_init__(self) -> None:
        if self.decimal not in (None, ".", ","):
            raise ArgumentError("decimal", f"decimals stand after a point or a comma, got {printable(self.decimal)!r}")


def form_given(given: str | TextForm | None) -> TextForm:
    """The form of a text file, of which only the delimiter may be named."""
    return given if isinstance(given, TextForm) else TextForm(given)
