"""Each subject that clinicians ask about has a page: the question first, its name in R, and where it misleads."""

from __future__ import annotations

import re
from pathlib import Path

from cases import each_case

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {  # the subject's page, and the call that it must show as an executed example
    "validation.md": "rs.validation.optimism(",
    "censored.md": "rs.times.concordance(",
    "readers.md": "rs.readers.analyze(",
    "verification.md": "rs.inference.partial_verification(",
}
SECTIONS = {  # smaller subjects: the page, the title of the section, and the call
    ("how_sure.md", "Several AUCs at once"): "rs.inference.auc_contrasts(",
    ("how_sure.md", "Very few rows"): "rs.inference.auc_null_test(",
    ("calibration.md", "The smooth curve, as clinicians draw it"): "rs.calibration_curve(",
    ("validation.md", "One answer from several imputed data sets"): "rs.validation.pool(",
    ("verification.md", "Is the marker any good beyond age?"): "rs.inference.adjusted_roc(",
    ("multiclass.md", "One score, several ordered classes"): "rs.multiclass.ordinal_auc(",
}
NAMED_IN_R = re.compile(r"R users|in R\b|Known in R")
FIRST_WORDS = re.compile(r"#* .+\n\n\*[^*]*\?[^*]*\*")  # the title, then a question in italics


@each_case("page", PAGES)
def test_a_subject_has_its_page(page: str) -> None:
    check_parts((DOCS / page).read_text(), page, PAGES[page])
    assert f"]({page})" in (DOCS / "questions.md").read_text(), f"{page} is reached from no question"


@each_case("place", SECTIONS)
def test_a_small_subject_has_its_section(place: tuple[str, str]) -> None:
    page, title = place
    sections = re.split(r"^## ", (DOCS / page).read_text(), flags=re.MULTILINE)
    (found,) = (each for each in sections if each.startswith(title))
    check_parts(f"## {found}", title, SECTIONS[place])
    assert f"]({page}" in (DOCS / "questions.md").read_text(), f"{page} is reached from no question"


def check_parts(text: str, name: str, call: str) -> None:
    assert FIRST_WORDS.match(text), f"{name} does not begin with the question of who comes to it"
    assert NAMED_IN_R.search(text), f"{name} does not say by what name R users know it"
    assert re.search("[Ww]here it misleads", text), f"{name} does not show where the method misleads"
    examples = [line for line in text.splitlines() if line.startswith((">>> ", "... "))]
    assert any(call in line for line in examples), f"{name} runs no {call}...)"
