"""From what a page asks to a job for a worker: ids become files of this run, and nothing else of it is trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady._src.views.serve.doors import Refusal

if TYPE_CHECKING:
    from rocsteady._src.views.serve.store import Store

ENDINGS = {
    "answer": ".html",
    "laboratory": ".html",
    "look": "",
    "export": "",
}
FORMS = {"html": ".html", "csv": ".zip", "json": ".json", "md": ".md"}
OF_FILES = ("look", "answer", "export")


def job_of(asked: dict[str, Any], store: Store, memory: str) -> dict[str, Any]:
    """The job of a question; refused where it names none, or a file that is not here."""
    do = asked.get("do")
    if do not in ENDINGS:
        raise Refusal(400, "this question is not known")
    job: dict[str, Any] = {"do": do, "memory": memory, "names": {}, "key": ""}
    job["asked"] = asked.get("asked") if isinstance(asked.get("asked"), dict) else {}
    ending = FORMS.get(str(asked.get("form")), ".bin") if do == "export" else ENDINGS[do]
    if ending:
        job["target"] = str(store.new_path(ending))
    if do == "export":
        job["form"] = str(asked.get("form"))
    if do in OF_FILES:
        held = store.get(str(asked.get("file")))
        job |= {"path": str(held.path), "name": held.name, "key": str(asked.get("file"))}
        job["names"][str(held.path)] = held.name
        job["delimiter"] = asked["delimiter"] if asked.get("delimiter") in (",", ";", "\t", "|") else ""
    return job
