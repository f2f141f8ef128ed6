"""How many cases each line of the map has: ``python -m tests.net.coverage`` writes the table of the README.

``lines.txt`` holds the lines: a key, and for results and fields the verbs that answer with them (``*``: as every case
does; ``-``: nothing that a number could tell, with the reason).
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from . import HERE
from .ask.words import VERBS
from .cases import SUBJECTS, all_cases, cases_of

README = HERE / "README.md"
LINES = HERE / "lines.txt"
START, END = "<!-- the table of lines, made by python -m tests.net.coverage -->", "<!-- end of the table -->"


@cache
def lines() -> dict[str, tuple[str, ...]]:
    """Lines of the map with the verbs that answer with them."""
    made = {}
    for line in LINES.read_text().splitlines():
        if line and not line.startswith("#"):
            key, _, verbs = line.partition("\t")
            several = [verbs] if verbs.startswith("-") else verbs.split(";")
            made[key] = tuple(each.strip() for each in several if each.strip())
    return made


@cache
def counts() -> dict[str, int]:
    """Cases of each line: those that name it, and those of its verbs."""
    named = Counter(line for case in all_cases() for line in case.lines)
    asked = Counter(case.verb for case in all_cases())
    everything = sum(asked.values())
    return {
        key: named[key] + (everything if verbs == ("*",) else sum(asked[verb] for verb in verbs))
        for key, verbs in lines().items()
    }


def uncovered() -> list[str]:
    return [key for key, count in counts().items() if not count and not _without_numbers(key)]


def unknown() -> list[str]:
    """Lines that cases name and the map has not, and verbs that lines name and nobody asks."""
    named = {line for case in all_cases() for line in case.lines}
    verbs = {verb for key, each in lines().items() if not _without_numbers(key) and each != ("*",) for verb in each}
    return sorted(named - set(lines())) + sorted(verbs - set(VERBS))


def _without_numbers(key: str) -> bool:
    return lines()[key][:1] != () and lines()[key][0].startswith("-")


def table() -> str:
    """The table of the README, by the parts of the map, with the subjects before it."""
    sizes = ", ".join(f"{subject} {len(cases_of(subject)):,}" for subject in SUBJECTS)
    rows = [
        f"| {key} | {'none: ' + lines()[key][0][1:].strip() if _without_numbers(key) else format(count, ',')} |"
        for key, count in counts().items()
    ]
    head = f"{len(all_cases()):,} cases: {sizes}."
    return "\n".join([START, "", head, "", "| line of the map | cases |", "|---|---|", *rows, "", END])


def main() -> None:
    text = README.read_text()
    before, after = text.split(START)[0], text.split(END)[1]
    README.write_text(before + table() + after)
    for key in uncovered():
        print("no case:", key)


if __name__ == "__main__":
    main()
