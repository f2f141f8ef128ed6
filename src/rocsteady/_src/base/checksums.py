"""Saved files with a checksum: what has changed on the way is refused, and so is JSON that cannot be read."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rocsteady._src.base.errors import InputError, printable

KEY = "checksum"
DIGEST = 16


def checksum(told: dict[str, Any]) -> str:
    """Of the values, whatever the order of keys and the spaces between them; a checksum among them does not count."""
    kept = {name: value for name, value in told.items() if name != KEY}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(text.encode(), digest_size=DIGEST).hexdigest()


def with_checksum(told: dict[str, Any]) -> dict[str, Any]:
    """The same with its checksum.

    Examples
    --------
    >>> checked(with_checksum({"n": 3}), "damaged", "x.json")
    {'n': 3}
    """
    return {**told, KEY: checksum(told)}


def checked(told: dict[str, Any], code: str, where: str) -> dict[str, Any]:
    """The values without their checksum; refused where it does not fit or is not there."""
    if KEY not in told:
        raise InputError(code, f"{where} has no checksum, so that nobody can tell whether it is whole; write it anew")
    try:
        fits = told[KEY] == checksum(told)
    except (TypeError, ValueError, RecursionError):
        fits = False
    if not fits:
        raise InputError(code, f"{where} is damaged: its checksum does not fit what it holds; write it anew")
    return {name: value for name, value in told.items() if name != KEY}


def parsed_json(data: str | bytes, code: str, where: str) -> Any:
    """One JSON value, or a sentence: text that is no JSON, nested too deeply, or numbers of too many digits."""
    try:
        return json.loads(data)
    except RecursionError as error:
        raise InputError(code, f"{where} is nested too deeply to be read") from error
    except ValueError as error:
        raise InputError(code, f"{where} is no JSON and cannot be read: {printable(error, most=200)}") from error
