"""The site without building it: every public name has a page, every page a place, and every link leads somewhere."""

from __future__ import annotations

import inspect
import re
import runpy
from importlib import import_module
from pathlib import Path

import pytest
from tools.about import addresses
from tools.site.checks import faults
from tools.site.commands import commands, of_command
from tools.site.names import measured, modules, of_module, of_name, pages
from tools.site.pictures import LEFT_AS_TABLES, MARKS, in_words, panels_of, with_pictures
from tools.site.searched import SEARCHED, with_entries
from tools.site.stage import AT_ROOT, DOCS, ROOT, with_links
from tools.site.tables import BLOCK, FOLDED, MARKED, NUMBERS, RESULTS, marked_panels, panels, read_page

import rocsteady as rs
from cases import each_case
from rocsteady._names import public_modules

PAGES = sorted(DOCS.rglob("*.md"))
TOCTREE = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s#]*)(?:#([^)\s]+))?\)")
GENERATED = re.compile(r"^(names/|pictures/|commands|measures|remarks|repository/)")


def listed(page: Path) -> list[str]:
    """What the toctrees of a page name, without options."""
    blocks = TOCTREE.findall(page.read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.splitlines() if line and not line.startswith(":")]
    return [re.sub(r"^.+ <(.+)>$", r"\1", line) for line in lines]  # which may have a title of their own


def anchors(page: Path) -> set[str]:
    """Places of a page, as its headings make them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    return {heading.strip().replace(" ", "-") for heading in headings}


def test_every_page_is_in_a_toctree() -> None:
    named = {(page.parent / name).resolve() for page in PAGES for name in listed(page)}
    lost = [page.name for page in PAGES if page.with_suffix("").resolve() not in named]
    assert lost == ["index.md"]


def test_toctrees_name_pages_that_are_there() -> None:
    named = [(page, name) for page in PAGES for name in listed(page) if not GENERATED.match(name)]
    assert not [name for page, name in named if not (page.parent / f"{name}.md").exists()]
    modules_named = {name for page in PAGES for name in listed(page) if name.startswith("names/rocsteady.")}
    assert modules_named == {f"names/rocsteady.{name}" for name in public_modules()}


@each_case("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target, anchor in LINK.findall(text):
        if "://" in target or target.startswith(("repository:", "_static/")) or GENERATED.match(target):
            continue
        aimed = page if not target else (page.parent / target).resolve()
        assert aimed.exists(), target
        assert not anchor or anchor in anchors(aimed), f"{target}#{anchor}"


def test_every_public_name_has_a_page_and_a_line() -> None:
    made = {name.path: name for name in pages().values()}
    for module in ("", *public_modules()):
        opened = import_module(f"rocsteady.{module}" if module else "rocsteady")
        names = (
            opened.__all__ if module else [name for name in dir(rs) if name not in (*public_modules(), "__version__")]
        )
        told = of_module(opened.__name__, modules()[opened.__name__])
        for name in names:
            path = next(each for each in (f"rocsteady.{name}", f"{opened.__name__}.{name}") if each in made)
            assert made[path].held is getattr(opened, name)
            assert f"</names/{made[path].page}>`" in told


def test_pages_of_names_do_not_overwrite_each_other() -> None:
    files = [page.lower() for page in pages()]
    assert len(files) == len(set(files))


def test_every_public_name_has_an_executed_example() -> None:
    bare = sorted(name.path for name in pages().values() if ">>>" not in (inspect.getdoc(name.held) or ""))
    assert bare == []


def test_what_was_measured_is_linked() -> None:
    known = {name.path for name in pages().values()}
    for name, tables in measured().items():
        assert name in known
        for where, what in tables:
            page, _, anchor = where.partition("#")
            assert what
            assert anchor in anchors(DOCS / f"{page}.md"), where
    told = of_name(pages()["rocsteady.auc_interval"], measured()["rocsteady.auc_interval"])
    assert "coverage.html#intervals-of-the-auc" in told


def test_links_are_those_of_the_site() -> None:
    text = "[a](../CHANGELOG.md), [b](../tests/test_site.py), [c](coverage.md#what-to-use), [d](https://example.org)"
    of_file = f"{addresses()['repository']}/blob/main/tests/test_site.py"
    moved = f"[a](repository/changelog.md), [b]({of_file}), [c](coverage.md#what-to-use), [d](https://example.org)"
    assert with_links(text, DOCS / "promises.md") == moved
    asked = with_links("[source](repository:), [ask](repository:issues)", DOCS / "index.md")
    assert asked == f"[source]({addresses()['repository']}), [ask]({addresses()['repository']}/issues)"
    assert "CHANGELOG.md" in AT_ROOT


def test_tables_of_shares_are_read() -> None:
    text = "| n | method | AUC 0.5 | AUC 0.9 | mean |\n|---|---|---|---|---|\n"
    text += "| 20 | auto | 95.0% | **91.0%** | 93.0% |\n| 20 | delong | 94.0% (80.0%) | - | 94.0% |\n"
    (panel,) = panels(text)
    assert panel.kind == "held"
    assert [(each.name, each.shares, each.others) for each in panel.series] == [
        ("auto", [95.0, 91.0], []),
        ("delong", [94.0], [80.0]),
    ]
    assert "auto 91 to 95%" in in_words(panel)
    (sizes,) = panels(text.replace("95.0", "5.0").replace("91.0", "7.1").replace("94.0", "4.9"))
    assert sizes.kind == "rejected"


def test_long_tables_of_coverage_are_drawn_with_their_numbers_behind(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    text = read_page(DOCS / "coverage.md")
    (block,) = [found for found in BLOCK.finditer(text) if found[1] == "clusters"]
    made = with_pictures(block[0], "coverage.md", tmp_path)
    assert block[2] in made
    assert made.count(":::{image}") == 4
    assert {path.name for path in (tmp_path / "_static" / "measured").iterdir()} == {
        f"coverage-clusters-coverage-{look}{width}.svg" for look in ("light", "dark") for width in ("", "-narrow")
    }


def test_a_line_before_a_table_says_what_is_drawn_of_it() -> None:
    text = "| measure | rows | held | alike | broken |\n|---|---|---|---|---|\n"
    text += "| AUC | 20 | 0.95 | 0.041 | |\n| KS | 20 | **0.9** | - | 0.05\\* |\n"
    held, broken = marked_panels("held 3, broken 4-5, by 1, of 1", text)
    assert [(each.name, each.shares) for each in held.series] == [("AUC, held", [95.0]), ("KS, held", [90.0])]
    assert [(each.name, each.shares) for each in broken.series] == [("AUC, alike", [4.1]), ("KS, broken", [5.0])]
    (both,) = marked_panels("rejected 3+5", "| a | b | c | d | e |\n|-|-|-|-|-|\n| 1 | 2 | 3 (4%) | x | 5% |\n")
    assert [(each.name, each.shares, each.others) for each in both.series] == [("c", [3.0], [4.0]), ("e", [5.0], [])]
    for mark, told in {"held 1": "'AUC' is no share", "holds 3": "none of held"}.items():
        with pytest.raises(ValueError, match=told):
            marked_panels(mark, text)


SHARE = re.compile(r"\|\s*\**\d+(?:\.\d+)?%\**\s*(?=\|)")


@each_case("page", PAGES)
def test_no_page_has_a_wall_of_shares(page: Path) -> None:
    text = read_page(page)
    for found in MARKED.finditer(text):
        assert marked_panels(found[1], found[2])
    place = page.relative_to(DOCS).as_posix()
    left = BLOCK.sub(lambda found: "" if panels_of(place, found[1], found[2]) else found[0], text)
    for table in re.findall(r"(?:^\|.*\n)+", FOLDED.sub("", MARKED.sub("", left)), re.MULTILINE):
        assert len(SHARE.findall(table)) < 60, table[:200]


DECIMALS = re.compile(r"\|\s*\**[-+]?\d*\.\d+%?\**\s*(?=\|)")


@each_case("page", [page for page in PAGES if page.parent == DOCS])
def test_no_page_holds_a_table_of_measurements(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"^<!-- (?:table|drawn|folded)\b.*-->\n\|", text, re.MULTILINE)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        compared = table.startswith("| there | value | here |")  # with R, by test_from_pages
        assert compared or len(DECIMALS.findall(table)) < 6, table[:200]


def test_every_file_of_numbers_is_named_by_one_page() -> None:
    named = [name for page in PAGES for name in NUMBERS.findall(page.read_text(encoding="utf-8"))]
    assert sorted(named) == sorted(path.relative_to(RESULTS).as_posix() for path in (RESULTS / "tables").iterdir())


def test_tables_that_stay_tables_are_there() -> None:
    for page, names in LEFT_AS_TABLES.items():
        found = {block[1] for block in BLOCK.finditer(read_page(DOCS / page))}
        assert names <= found
    for page, name in MARKS:
        (block,) = [each for each in BLOCK.finditer(read_page(DOCS / page)) if each[1] == name]
        assert marked_panels(MARKS[page, name], block[2])


def test_the_page_of_commands_has_their_options() -> None:
    found = commands()
    assert {"evaluate", "report", "watch"} <= set(found)
    told = of_command("evaluate", found["evaluate"])
    assert "rocsteady evaluate FILE [OPTIONS]" in told
    assert "`--score TEXT`" in told


def test_faults_of_a_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#there">x</a><a href="b.html#gone">y</a><a href="c.html">z</a>')
    (tmp_path / "b.html").write_text('<h1 id="there"></h1><script src="https://cdn.example.org/x.js"></script>')
    assert faults(tmp_path) == [
        "a.html: b.html#gone leads nowhere",
        "a.html: c.html leads nowhere",
        "b.html: fetches https://cdn.example.org/x.js",
    ]


def test_the_gallery_draws_with_names_that_are_there() -> None:
    scripts = sorted((DOCS / "gallery").glob("*.py"))
    assert len(scripts) >= 15
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        title, line = text.splitlines()[1:3]
        assert line == "=" * len(title)
        assert ".plot(" in text
        assert set(re.findall(r"\brs\.([a-z]\w*)", text)) <= set(dir(rs))


def test_every_picture_stands_in_one_section() -> None:
    sections = runpy.run_path(str(DOCS / "conf.py"))["PICTURES"]
    grouped = [number for numbers in sections.values() for number in numbers.split()]
    assert sorted(grouped) == [script.name[:2] for script in sorted((DOCS / "gallery").glob("*.py"))]


def test_the_root_is_the_repository() -> None:
    assert (ROOT / "pyproject.toml").exists()


def test_words_of_searchers_stand_below_the_title_of_a_page_that_is_there() -> None:
    for page in SEARCHED:
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        title, _, entries, *_ = with_entries(text, f"{page}.md").splitlines()
        assert title == text.splitlines()[0]
        assert title.startswith("# ")
        assert entries.startswith("```{index} ! ")
    words = [word.lower() for each in SEARCHED.values() for word in each]
    assert len(words) == len(set(words))
    assert with_entries("# Limits\n", "limits.md") == "# Limits\n"
