"""Pages that the site makes are whole; the other pages are executed as doctests."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from tools.site.measures import TITLES, measures_page
from tools.site.remarks import remarks_page

import rocsteady as rs
from rocsteady._src.results.remarks.table import SECTIONS

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_of_measures_has_a_line_for_each() -> None:
    text = measures_page()
    assert [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")] == [
        sheet.name for family in _families() for sheet in rs.list_measures(family)
    ]
    assert {f"## {title}" for title in TITLES.values()} <= set(text.splitlines())
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("|")}
    assert widths == {9}


def _families() -> list[str]:
    return list(dict.fromkeys(sheet.family for sheet in rs.list_measures()))


def test_the_page_of_remarks_has_a_line_for_each_and_its_example_runs() -> None:
    text = remarks_page()
    codes = [code for told in SECTIONS.values() for code in told]
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == codes
    assert not [page for page in re.findall(r"\]\((\w+\.md)\)", text) if not (DOCS / page).exists()]
    example = doctest.DocTestParser().get_doctest(text, {}, "remarks", None, None)
    assert doctest.DocTestRunner().run(example).failed == 0
    assert example.examples


def test_links_of_the_readme_lead_somewhere() -> None:
    readme = DOCS.parent / "README.md"
    for target in re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", readme.read_text()):
        assert (readme.parent / (target[0] or target[1])).exists(), target


ROOT = DOCS.parent
READ = [path for folder in ("src", "docs", "tests") for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
WRITTEN = [path for path in [*READ, *ROOT.glob("*.md")] if path.suffix in (".py", ".pyi", ".md")]
THE_OTHER_WORD = re.compile("(?<![a-z])metrics?(?![a-z])|Metric|METRIC", re.IGNORECASE)
WHOSE_WORD_IT_IS = re.compile(
    r"scikit|sklearn|torchmetrics|xgboost|\bmetrics\.\w+\(|share\[.metric.\]"
)  # its modules, and a file made by R


def test_measure_is_the_one_word() -> None:
    of_others = {
        Path(__file__).name,
        "near_names.py",
        "side_by_side.py",
        "equivalents.md",
        "comparison.md",
        "make_sksurv_times.py",
        "make_torchsurv_times.py",
        "answers.py",
        "test_answers.py",
        "test_first_calls.py",
        "test_wrong_calls.py",
        "test_shell_answers.py",
        "test_evidently.py",
        "test_mlflow.py",
        "test_trackers.py",
        "trackers.md",
    }  # their words
    doors = {"trackers", "answers"}  # folders of what is handed to MLflow and others, or read from their files
    asked = ROOT / "tests" / "net"  # which asks the doors too
    written = [path for path in WRITTEN if path.name not in of_others and path.parent.name not in doors]
    written = [path for path in written if asked not in path.parents]
    assert not [path.name for path in written if THE_OTHER_WORD.search(path.name)]
    lines = [(path.name, line) for path in written for line in path.read_text(encoding="utf-8").splitlines()]
    assert not [named for named in lines if _says_the_other(named[1])]


def _says_the_other(line: str) -> bool:
    plain = re.sub("(?i)(para|sym|geo|bio|open)metric", "", line)
    return bool(THE_OTHER_WORD.search(plain)) and not WHOSE_WORD_IT_IS.search(line)


def test_pages_and_examples_call_names_where_they_live() -> None:
    import rocsteady as rs

    named = re.compile(r"\brs\.([a-z]\w*)")
    pages = [
        path for path in WRITTEN if path.suffix == ".md" and path.parent in (ROOT, DOCS) and path.name != "CHANGELOG.md"
    ]
    examples = [path for path in WRITTEN if path.suffix == ".py" and "src" in path.parts]
    used = {(path.name, name) for path in pages for name in named.findall(path.read_text(encoding="utf-8"))}
    for path in examples:
        lines = [
            line for line in path.read_text(encoding="utf-8").splitlines() if line.strip().startswith((">>>", "..."))
        ]
        used |= {(path.name, name) for name in named.findall("\n".join(lines))}
    asked_otherwise = {"NAME", "hosmer_lemeshow", "mm7AUC"}
    assert not {(page, name) for page, name in used if name not in dir(rs) and name not in asked_otherwise}
