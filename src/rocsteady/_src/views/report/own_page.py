"""A page carries a mark of the data it is about, so that writing it again replaces it and no other file."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from rocsteady._src.base.atomic import refuse_existing

if TYPE_CHECKING:
    from pathlib import Path

WORD = "rocsteady-data"
MOST_BYTES = 1 << 26  # a larger file is none of ours


def mark_of(result: Any) -> str:
    """A short hash of models and data, the same for every page about them."""
    whole = _of_calls(result) or getattr(result, "overall", result)
    if hasattr(whole, "fingerprints"):
        told: Any = sorted(whole.fingerprints.items())
    else:
        found = getattr(whole, "models", {"": whole})
        areas = {name: _numbers(each) for name, each in found.items()}
        told = [list(map(str, whole.labels)), areas]
    split = [str(getattr(result, name, "")) for name in ("by", "fold")]
    return hashlib.sha256(repr((told, split)).encode()).hexdigest()[:24]


def _of_calls(result: Any) -> Any:
    """Models given as predicted classes, in groups or folds too."""
    from rocsteady._src.evaluation.classes.called_models import CalledModels

    whole = getattr(result, "whole", None)
    return whole if isinstance(whole, CalledModels) else None


def _numbers(each: Any) -> Any:
    """Areas of classes, or of labels; of predicted classes who is taken for whom."""
    areas = each.class_auc if hasattr(each, "class_auc") else each.auc
    if not areas:
        return each.confusion.matrix.tolist()
    return [repr(float(area.estimate)) for area in areas.values()]


def marked(text: str, form: str, mark: str) -> str:
    """A page with its mark, where no reader sees it."""
    if form == "html":
        return text.replace(
            '<meta charset="utf-8">', f'<meta charset="utf-8">\n<meta name="{WORD}" content="{mark}">', 1
        )
    if form == "json":
        return text.replace("{", f'{{\n "{WORD}": "{mark}",', 1)
    return f"{text}\n<!-- {WORD} {mark} -->\n"


def metadata(form: str, mark: str) -> dict[str, str]:
    """The mark of a picture, as its format keeps such words."""
    name = {"png": "Comment", "svg": "Description"}[form]
    return {name: f"{WORD} {mark}"}


def refuse_strangers(path: Path, mark: str = "", *, force: bool = False) -> bool:
    """Refuse a file that is no page about the same data; tell whether it may be replaced."""
    own = not force and _holds(path, mark)
    refuse_existing(path, force=force or own)
    return force or own


def _holds(path: Path, mark: str) -> bool:
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        return False
    content = path.read_bytes()
    place = content.find(WORD.encode())
    return place >= 0 and mark.encode() in content[place : place + 100]
