"""README and pages claim nothing that is not there: names, options, commands, targets, extras, files, versions."""

from __future__ import annotations

import ast
import csv
import functools
import inspect
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tools.site.tables import RESULTS, read_rows
from typer.main import get_command

import rocsteady as rs
from cases import each_case
from command import rocsteady
from rocsteady._src.measures.threshold_rules import RULES
from rocsteady._src.results.displays import ReportOptions
from rocsteady._src.views.cli.app import app
from rocsteady._src.views.report.write import FORMATS
from rocsteady.examples import loans

ROOT = Path(__file__).parent.parent
OURS = ("README", "CONTRIBUTING", "SECURITY", "DESIGN", "CHANGELOG")
PAGES = [ROOT / f"{name}.md" for name in OURS] + sorted((ROOT / "docs").rglob("*.md"))
NOT_MEANT = {"NAME", "name", "mcnemar"}  # any name, and foreign ones
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS: dict[str, Any] = get_command(app).commands
SPAN = re.compile(r"```.*?```|``[^`]+``|`([^`\n]+)`", re.DOTALL)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)[^)]*\)|src=\"(?!\w+:)([^\"]+)\"")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def inline(page: Path) -> list[str]:
    """Code within sentences and tables."""
    return [span for span in SPAN.findall(page.read_text(encoding="utf-8")) if span]


def shell_lines(page: Path) -> Iterator[str]:
    """Commands of code blocks that are no Python, and of sentences."""
    for language, block in FENCE.findall(page.read_text(encoding="utf-8")):
        if language in ("", "sh", "bash", "shell", "console"):
            yield from (line.removeprefix("$ ") for line in block.replace("\\\n", " ").splitlines())
    yield from inline(page)


def resolved(dotted: str) -> Any:
    return functools.reduce(getattr, dotted.split(".")[1:], rs)


@each_case("page", PAGES, ids=named)
def test_names_of_the_library_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for dotted in set(re.findall(r"(?<![\w.])rs(?:\.[A-Za-z]\w*)+", text)):
        if dotted.split(".")[1] in NOT_MEANT:
            continue
        module = resolved(".".join(dotted.split(".")[:2]))
        assert not isinstance(module, ModuleType) or resolved(dotted) is not None


@each_case("page", PAGES, ids=named)
def test_options_of_calls_are_there(page: Path) -> None:
    for call in calls(inline(page)):
        if ast.unparse(call.func).split(".")[1] in NOT_MEANT:
            continue
        function = resolved(ast.unparse(call.func))
        known = inspect.signature(function).parameters
        if any(each.kind is each.VAR_KEYWORD for each in known.values()):
            continue
        assert not {word.arg for word in call.keywords if word.arg} - set(known), ast.unparse(call)


def calls(spans: list[str]) -> Iterator[ast.Call]:
    """Calls of ``rs.`` in code that is a whole expression; ``label=, score=`` stands for values of them."""
    for span in spans:
        whole = re.sub(r"=(?=[,)])", "=None", span.replace("...)", "None)").replace("..., ", ""))
        try:
            tree = ast.parse(whole, mode="eval")
        except SyntaxError:
            continue
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        yield from (node for node in found if re.fullmatch(r"rs(\.[a-zA-Z]\w*)+", ast.unparse(node.func)))


def test_methods_of_results_are_there() -> None:
    asked = set(re.findall(r"(?<![\w.])result\.(\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert asked >= {"compare", "decide", "report"}
    assert not [name for name in asked if not hasattr(rs.Evaluation, name)]


@each_case("page", [ROOT / "README.md", ROOT / "docs" / "index.md"], ids=named)
def test_options_of_an_evaluation_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    asked = [found.replace("...", "") for found in re.findall(r"\bresult\.\w+\([^()]*\)", text)]
    assert asked
    for call in (ast.parse(each, mode="eval").body for each in asked):
        known = set(inspect.signature(getattr(rs.Evaluation, call.func.attr)).parameters)
        known |= {*ReportOptions.__annotations__} if "options" in known else set()
        assert not {word.arg for word in call.keywords} - known, ast.unparse(call)


Y, S = [1, 0, 1, 0, 1, 0], [0.9, 0.4, 0.6, 0.6, 0.3, 0.1]


def rows_of_the_table() -> list[list[str]]:
    """Code in each row of the README's table of what is in it."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## What is in it")[1].split("\n## ")[0]
    return [[span for span in SPAN.findall(row) if span] for row in table.splitlines() if row.startswith("| ")][1:]


def functions_in(row: list[str]) -> list[Any]:
    """What the calls and names of a row stand for; those of ``result`` are an evaluation's."""
    dotted = [found[0] for span in row if (found := re.match(r"(rs|result)(\.[A-Za-z]\w*)+", span))]
    return [getattr(rs.Evaluation, name[7:]) if name.startswith("result.") else resolved(name) for name in dotted]


def test_the_table_has_attributes_of_what_its_calls_return() -> None:
    asked = [
        (row, [span[1:].partition("(")[0] for span in row if re.match(r"\.\w", span)]) for row in rows_of_the_table()
    ]
    asked = [(row, names) for row, names in asked if names]
    assert len(asked) >= 3
    for row, names in asked:
        given = [{"threshold": 0.5}, {"rule": "f1"}, {}]
        for function in functions_in(row):
            known = inspect.signature(function).parameters
            result = function(Y, S, **next(each for each in given if set(each) <= set(known)))
            assert not [name for name in names if not hasattr(result, name)], function


def test_the_table_has_options_that_its_calls_take() -> None:
    asked = [(row, [span[:-1] for span in row if re.fullmatch(r"\w+=", span)]) for row in rows_of_the_table()]
    assert sum(map(len, (names for _, names in asked))) >= 4
    for row, names in asked:
        known = [set(inspect.signature(function).parameters) for function in functions_in(row)]
        assert not [name for name in names if not any(name in each for each in known)], row


def test_the_rules_of_the_table_choose_thresholds() -> None:
    (row,) = [row for row in rows_of_the_table() if row[0].startswith("rs.best_threshold")]
    rules = [span for span in row[1:] if not span.startswith(".")]
    assert len(rules) >= 4
    for rule in rules:
        assert rs.best_threshold(Y, S, rule=rule).threshold in (*S, float("inf")), rule


def test_bare_words_of_the_table_are_names_commands_or_rules() -> None:
    """``openmetrics`` after ``rs.trackers.log_mlflow``."""
    told = 0
    for row in rows_of_the_table():
        modules = [resolved(span.rpartition(".")[0]) for span in row if re.fullmatch(r"rs\.\w+\.\w+", span)]
        modules += [
            resolved(span.split("(")[0].rpartition(".")[0]) for span in row if re.match(r"rs\.\w+\.\w+\(", span)
        ]
        known = {*RULES}
        for word in (span for span in row if re.fullmatch(r"[a-z]+(_[a-z]+)*", span)):
            told += 1
            assert word in known or any(hasattr(module, word) for module in [*modules, rs]), (word, row)
    assert told >= 5


def test_endings_and_counts_of_the_readme_are_those_of_the_code() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (row,) = [line for line in readme.splitlines() if line.startswith("| one page to send |")]
    endings = set(re.findall(r"(?<=[ ,\"t])\.[a-z]+(?=[,;\"])", row))
    assert len(endings) >= 4
    assert endings <= set(FORMATS)
    entries = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8").count("\n- **")
    assert "more than a hundred questions" in readme
    assert entries > 100


@each_case("page", PAGES, ids=named)
def test_commands_and_their_options_are_there(page: Path) -> None:
    for line in shell_lines(page):
        for part in re.split(r" \| | && ", line.partition("  #")[0]):
            words = _words(part.strip())
            if words[:1] == ["rocsteady"]:
                _check_command(words[1:], part)


def _words(line: str) -> list[str]:
    try:
        words = shlex.split(line)
    except ValueError:
        return []
    return words[2:] if words[:2] == ["python", "-m"] else words


def _check_command(words: list[str], line: str) -> None:
    if not words or not re.fullmatch(r"[a-z]+(-[a-z]+)*", words[0]):
        assert {word for word in words if word.startswith("--")} <= {"--help", "--version"}, line
        return
    assert words[0] in COMMANDS, line
    command, *words = COMMANDS[words[0]], *words[1:]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    used = {word.partition("=")[0] for word in words if re.match(r"--[a-z]|-[a-z]$", word)}
    assert not used - known - {"--help"}, line


@each_case("page", PAGES, ids=named)
def test_make_targets_are_there(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    used = {found[1] for line in shell_lines(page) if (found := re.match(r"make ([a-z-]+)", line))}
    assert not used - targets


@each_case("page", PAGES, ids=named)
def test_extras_are_there(page: Path) -> None:
    asked = re.findall(r"rocsteady\[([a-z,]+)\]", page.read_text(encoding="utf-8"))
    assert not {name for each in asked for name in each.split(",")} - set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent == ROOT], ids=named)
def test_links_lead_to_files(page: Path) -> None:
    targets = [a or b for a, b in LINK.findall(page.read_text(encoding="utf-8"))]
    assert not [target for target in targets if not (page.parent / target).exists()]


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent == ROOT], ids=named)
def test_files_that_are_named_are_there(page: Path) -> None:
    files = re.findall(r"`((?:tests|tools|benchmarks|src|docs)/[\w/.]+\.\w+)`", page.read_text(encoding="utf-8"))
    assert not [name for name in files if not (ROOT / name).exists()]


def test_the_readme_begins_with_what_to_type() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    """Purpose, a clone, the demo, the tests, one picture and six lines of Python: all on the first screen."""
    screen = readme.split("\n## ")[0]
    assert len(screen) <= 1500
    (_, first), (language, shown) = FENCE.findall(screen)
    assert [line.split()[:2] for line in first.splitlines()] == [["git", "clone"], ["make", "demo"], ["make", "test"]]
    assert (language, shown.count(">>>")) == ("python", 6)
    assert len(re.findall("<img|!\\[", readme)) == len(re.findall("<img|!\\[", screen)) == 1
    assert "minute" in first.splitlines()[1]
    assert "rocsteady-demo/report.html" in first


@each_case("page", PAGES, ids=named)
def test_nothing_is_installed_from_where_nothing_was_published(page: Path) -> None:
    """Blocks of commands; sentences and tables may name an extra."""
    for language, block in FENCE.findall(page.read_text(encoding="utf-8")):
        assert not re.search(r"pip install [\"']?rocsteady(?!.*@ git\+)", block), (language, block)


def test_versions_of_python_are_those_of_the_package() -> None:
    told = re.search(r"Python (\d\.\d+) or later", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert told is not None
    assert PROJECT["requires-python"] == f">={told[1]}"
    named_ones = [line for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert named_ones[0].endswith(told[1])


def test_plain_installation_needs_what_the_readme_says() -> None:
    hard = [re.match(r"\w+", each)[0] for each in PROJECT["dependencies"]]
    assert f"needs {hard[0]}, {hard[1]} and {hard[2]} only" in (ROOT / "README.md").read_text(encoding="utf-8")


OF_REPAIR = re.compile(  # what an unreleased state did, or how long it took, is no offer
    r"before\)|than before|less time|no longer|used to|repaired|not merged|what one expects|since then"
    r"|(?:^|[.:;] |- )now ",
    re.IGNORECASE | re.MULTILINE,
)


def test_the_changelog_names_every_command_and_fits_a_page() -> None:
    """What a version offers, for who uses it; how it came about is in the history of the repository."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.split(r"^## ", text, flags=re.MULTILINE)[1]
    assert len(first.splitlines()) <= 90
    assert not [line for line in text.splitlines() if len(line) > 200]
    assert not [name for name in COMMANDS if f"`{name}`" not in text and f"`rocsteady {name}`" not in text]


def test_the_changelog_tells_what_is_offered_and_not_what_was_repaired() -> None:
    first = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
    assert not OF_REPAIR.findall(first)
    for told in ("1e-6 costs three times (fourteen before)", "two fifths less time", "Now it says so", "- now sorted"):
        assert OF_REPAIR.search(told), told
    assert not OF_REPAIR.search("a threshold given before looking, once `--time` is known")


# Lists of the others, and what is for who changes the code.
LISTS = {"explanation", "how_to", "index", "project", "reference", "tutorials"}


def test_the_readme_leads_to_every_page() -> None:
    listed = (ROOT / "README.md").read_text(encoding="utf-8").split("## Where to read on")[1].split("\n## ")[0]
    found = set(re.findall(r"\(docs/(\w+)\.md\)", listed))
    assert found == {path.stem for path in (ROOT / "docs").glob("*.md")} - LISTS


def own_data() -> list[str]:
    """Commands that the README shows for one's own data; a pipe is given its file."""
    told = (ROOT / "README.md").read_text(encoding="utf-8").split("## Your own data")[1].split("\n## ")[0]
    return next(block for _, block in FENCE.findall(told) if "rocsteady evaluate" in block).splitlines()


@pytest.fixture(scope="module")
def folder_of_loans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("duckdb")
    folder, table = tmp_path_factory.mktemp("readme"), loans()
    with (folder / "loans.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([table, *zip(*table.values(), strict=True)])
    return folder


@pytest.mark.parametrize("line", own_data())
def test_commands_of_the_readme_answer(line: str, folder_of_loans: Path) -> None:
    given, _, command = line.rpartition(" | ")
    data = (folder_of_loans / given.removeprefix("cat ")).read_bytes() if given else b""
    done = rocsteady(*shlex.split(command)[1:], stdin=data, cwd=folder_of_loans)
    assert done.returncode == 0, done.stderr
    if " -o " in line:
        assert (folder_of_loans / line.split(" -o ")[1]).stat().st_size > 100_000
    else:
        assert done.stdout


def test_the_readme_shows_files_and_a_pipe() -> None:
    assert [line.split()[0] for line in own_data()].count("cat") == 1
    assert len(own_data()) >= 6


def table_of(page: str, name: str) -> list[list[str]]:
    """Cells of the lines of a table that a page names."""
    lines = read_rows(RESULTS / "tables" / f"{page}-{name}.csv")[1:]
    return [[cell.strip("%") for cell in line] for line in lines]


def test_what_a_reviewer_is_told_stands_in_the_tables_of_coverage() -> None:
    told = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8").split("## What to tell a reviewer")[1]
    told = " ".join(told.split("\n## ")[0].split())
    lowest = min(float(row[2]) for row in table_of("coverage", "summary"))
    assert f"ties; the lowest was {lowest:.1f}%." in told
    others = [float(cell.split("%")[0]) for row in table_of("coverage", "holdout") for cell in row[3:7]]
    reached = sum(share >= 93 for share in others)
    assert f"In {len(others)} other settings" in told
    assert f"it reached 93% in {reached}, and the lowest was {min(others):.1f}%." in told
    coverage = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    assert f"{int(coverage.split('<!-- table: effort -->')[1].split()[0]):,} for each combination" in told


def test_the_floor_of_lines_reached_is_that_of_the_settings() -> None:
    """How many are reached is known when all tests have run; the settings say it beside the floor."""
    told = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    floor, reached = re.search(
        r"^fail_under = (\d+)  # all tests together reach (\d+)", (ROOT / "pyproject.toml").read_text(), re.MULTILINE
    ).groups()
    assert f"reach {reached}% of the lines and branches of the package; `make coverage` fails below {floor}%" in told


def test_pages_with_tables_of_samples_are_listed_as_measured() -> None:
    told = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    listed = told.split("## Measured, not assumed")[1].split("\n## ")[0]
    pages = {path for path in (ROOT / "docs").glob("*.md") if "<!-- drawn: " in path.read_text(encoding="utf-8")}
    assert pages
    assert not [path.name for path in pages if f"({path.name})" not in listed]


# Words by which a page that says what is missing would name what each how-to page does; a new page brings its own.
SUBJECTS = {
    "serve": r"without programming|graphical",
    "decisions": r"decisions?\b|costs?\b",
    "gate": r"\bgate|pipelines",
    "watch": r"\bwatch|drift|monitor",
    "trackers": r"tracking|dashboard|mlflow",
    "operating_point": r"operating point|biometric",
    "paired": r"diagnostic tests?\b|mcnemar",
    "language_models": r"language model|graded answers",
    "credit": r"credit|scorecard",
    "planning": r"sample size|power\b|planning",
    "how_sure": r"confidence interval",
    "calibration": r"calibrat|net benefit|belt|smooth",
    "prevalence": r"prevalence",
    "clusters": r"rows per|clusters?\b",
    "subgroups": r"subgroup|fairness|between \[?groups",
    "crossval": r"cross-validat|learners",
    "multiclass": r"classes|multiclass|ordered|\bvus\b",
    "reclassification": r"reclassif|\bnri\b",
    "bands": r"\bbands?\b",
    "censored": r"survival|censor|time-dependent",
    "readers": r"reader|mrmc",
    "validation": r"optimis|training rows|imput|filling in|fill in",
    "verification": r"verif|reference test|covariate|adjusted",
    "checklists": r"checklist|tripod|stard",
    "scale": r"memory|engines?\b|out of core",
    "sketch": r"sketch|federated",
    "learning": r"train for|training for",
}


def denials() -> list[str]:
    """What pages say is missing, or better done elsewhere."""
    limits, why = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("limits", "comparison"))
    parts = [limits.split("## Not here")[1].split("\n## ")[0], why.split("## When to use")[1].split("\n## ")[0]]
    return [each for part in parts for each in re.split(r"^- ", part, flags=re.MULTILINE)[1:]]


def test_what_is_called_missing_names_the_page_of_what_is_there() -> None:
    """Where a subject has a page, who is sent away from it is told of the page."""
    assert len(denials()) >= 10
    for told in denials():
        about = [page for page, words in SUBJECTS.items() if re.search(words, told, re.IGNORECASE)]
        assert not [page for page in about if f"({page}.md" not in told], told


def test_every_way_to_do_something_has_words_by_which_it_would_be_denied() -> None:
    text = (ROOT / "docs" / "how_to.md").read_text(encoding="utf-8")
    listed = re.findall(r"^(.+) <(\w+)>$", text.split("```{toctree}")[1].split("```")[0], re.MULTILINE)
    assert {page for _, page in listed} == set(SUBJECTS)
    assert listed == re.findall(r"\| \[(.+)\]\((\w+)\.md\) \|$", text, re.MULTILINE), "one name and one order for each"


def test_the_landing_page_has_every_extra_and_the_versions_of_python() -> None:
    text = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    asked = {name for each in re.findall(r"rocsteady\[([a-z,]+)\]", text) for name in each.split(",")}
    assert asked == set(PROJECT["optional-dependencies"]) - {"dev", "docs", "release"}
    versions = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert f"Python {versions[0]} to {versions[-1]}." in text
