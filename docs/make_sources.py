"""Write what is made of docs/sources/terms.csv: terms.md, the terms of each page, and the paper's Table 5."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from tools.site.tables import RESULTS, read_rows

NOT_OFFERED = "not offered"
FOLDER = Path(__file__).parent / "sources"
OURS = {"Breast-W": "breastw"}
SELECTED = ("auc: test AUC", "scored_auc", "lambda_auc(delta=0.02)", "rho_auc")
START = """# Terms of the sources

Made by `docs/make_sources.py` of [terms.csv](terms.csv), the same as a table for programs; every line is run by the
test-suite.

Find your term, type the line. `y` are labels of two classes and `labels` of three, `s` and `t` scores of two models,
`p` probabilities of three classes, `X` features, `clf` a classifier.
"""


def every_term() -> list[dict[str, str]]:
    """All terms, source by source; variants of a term are rows of their own."""
    with (FOLDER / "terms.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def rows_of(terms: list[dict[str, str]]) -> list[tuple[str, str, str]]:
    """Words that share a line and a meaning stand together."""
    found: dict[tuple[str, str], list[str]] = {}
    for term in terms:
        english = f"{term['english']}; {term['remark']}" if term["remark"] else term["english"]
        if term["remark"] == NOT_OFFERED:
            english += ", nearest is:"
        words = found.setdefault((english, term["line"]), [])
        if term["term"] not in words:
            words.append(term["term"])
    return [(", ".join(words), english, line) for (english, line), words in found.items()]


def table(terms: list[dict[str, str]]) -> str:
    lines = ["| term | English | type |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {words} | {english} | `{line}` |" for words, english, line in rows_of(terms))])


def terms_page() -> str:
    """All terms, by language."""
    parts = [START]
    languages = {term["source"]: term["language"] for term in every_term()}
    for language in dict.fromkeys(languages.values()):
        terms = [term for term in every_term() if term["language"] == language]
        pages = [f"[{name}]({name}.md)" for name, spoken in languages.items() if spoken == language]
        parts.append(f"## {language}\n\nFrom {' and '.join(pages)}.\n\n{table(terms)}\n")
    return "\n".join(parts)


def with_terms(page: str, source: str) -> str:
    """A page with the terms of its source between its marks."""
    pattern = re.compile(r"(<!-- terms -->\n).*?(\n<!-- end -->)", re.DOTALL)
    made = table([term for term in every_term() if term["source"] == source])
    return pattern.sub(lambda found: f"{found[1]}{made}{found[2]}", page)


def table_5() -> str:
    """The paper's Table 5 beside our forty splits, as docs/laboratory.md has them."""
    from reproductions.printed_paper import TABLE_5

    ours, text = _selection_rows(), io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    printed_and_ours = ["printed: AUC", "sAUC", "lambdaAUC", "rhoAUC", "ours: AUC", "sAUC", "lambdaAUC, 0.02", "rhoAUC"]
    writer.writerow(["set", *printed_and_ours])
    for name, printed in TABLE_5.items():
        writer.writerow([name, *printed, *(ours[row][OURS.get(name, name.lower())] for row in SELECTED)])
    return text.getvalue()


def _selection_rows() -> dict[str, dict[str, str]]:
    rows = read_rows(RESULTS / "tables" / "selection-sets-bayes.csv")
    return {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows}


def made() -> dict[Path, str]:
    """Every file with its text."""
    files = {FOLDER / "terms.md": terms_page()}
    for source in dict.fromkeys(term["source"] for term in every_term()):
        path = FOLDER / f"{source}.md"
        files[path] = with_terms(path.read_text(encoding="utf-8"), source)
    files[RESULTS / "tables" / "paper-table-5.csv"] = table_5()
    return files


if __name__ == "__main__":
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
