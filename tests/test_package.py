"""What is installed: light to import, typed, cited as it is, described on the index as in the README."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest

import rocsteady as rs

ROOT = Path(__file__).parent.parent
ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LIGHT = {"rocsteady", "rocsteady._names", "rocsteady._version"}


def test_importing_loads_the_list_of_names_and_nothing_else() -> None:
    code = (
        "import json, sys; before = set(sys.modules); import rocsteady; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(shown.stdout)
    assert {name for name in loaded if name.startswith("rocsteady")} == LIGHT
    assert {name.partition(".")[0] for name in loaded} <= {"rocsteady", "typing", *sys.stdlib_module_names}


@pytest.mark.parametrize(
    ("intervals", "spared"),
    [(False, {"narwhals", "scipy"}), (True, {"narwhals", "scipy.optimize", "scipy.stats", "scipy.linalg"})],
)
def test_a_first_answer_imports_no_more_than_it_needs(intervals: bool, spared: set[str]) -> None:
    needed = "scipy.special" if intervals else "numpy"  # which loads scipy.linalg itself from scipy 1.18 on
    code = (
        f"import sys, {needed}; before = set(sys.modules); "
        "import numpy as np, rocsteady as rs; y = np.arange(200) % 2; s = y + np.arange(200) % 7; "
        f"str(rs.evaluate(y, s, intervals={intervals})); print(sorted({spared!r} & set(sys.modules) - before))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_type_checkers_are_told_that_it_is_typed() -> None:
    assert Path(rs.__file__).with_name("py.typed").exists()
    assert "Typing :: Typed" in ABOUT["project"]["classifiers"]


def test_the_version_stands_in_one_place() -> None:
    number = re.compile(rf"(?<![\d.]){re.escape(rs.__version__)}(?![\d.])")
    assert "version" in ABOUT["project"]["dynamic"]
    places = [path for path in (ROOT / "src").rglob("*.py") if number.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in places] == ["_version.py"]


def test_the_citation_is_made_of_what_is_known() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "about.py"))
    assert (ROOT / "CITATION.cff").read_text(encoding="utf-8") == made["citation"](), "run: python -m tools.about"
    assert made["released"]()[0] == rs.__version__
    assert f"version: {rs.__version__}\n" in made["citation"]()


def test_addresses_stand_in_one_place() -> None:
    owner = ABOUT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"].split("/")[-2]
    made = {"CITATION.cff", "pyproject.toml", "about.py"}
    pages = [
        *ROOT.glob("*.*"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / ".github").rglob("*.*"),
    ]
    asking = [
        path.name
        for path in pages
        if path.is_file() and path.name not in made and f"/{owner}/" in path.read_text(errors="ignore")
    ]
    assert not asking


class TestIndexPage:
    """The README as the package index shows it."""

    @staticmethod
    def hook() -> dict[str, object]:
        pytest.importorskip("hatchling")
        return runpy.run_path(str(ROOT / "hatch_build.py"))

    def test_links_and_the_picture_are_absolute(self) -> None:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        shown = self.hook()["for_the_index"](readme, "https://host/us/rocsteady", "1.2.3")
        assert not re.findall(r"\]\((?!https:|#)", shown)
        assert 'src="https://host/us/rocsteady/raw/v1.2.3/docs/report.png"' in shown
        assert "(https://host/us/rocsteady/blob/v1.2.3/docs/tutorial.md)" in shown
        assert re.sub(r"https://host/us/rocsteady/(blob|raw)/v1\.2\.3/", "", shown) == readme

    def test_it_renders(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns where it came without what renders Markdown
            markdown = pytest.importorskip("readme_renderer.markdown")
        if not markdown.variants:
            pytest.skip("nothing renders Markdown: pip install 'readme-renderer[md]'")
        html = markdown.render((ROOT / "README.md").read_text(encoding="utf-8"))
        assert html is not None
        assert html.count("<table>") == 2
        assert "pip install" in html


def test_the_demo_runs_without_the_packages_of_commands(tmp_path: Path) -> None:
    hide = "import sys; sys.modules.update(dict.fromkeys(['typer', 'rich', 'duckdb', 'matplotlib', 'vl_convert']))"
    few = "from rocsteady._src.views.cli import demo; table = demo.loans(200); demo.loans = lambda: table"
    run = "from rocsteady.__main__ import main; main()"
    demo = [sys.executable, "-c", f"{hide}; {few}; sys.argv[1:] = ['demo']; {run}"]
    shown = subprocess.run(demo, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[-1].startswith(f"Open {Path('rocsteady-demo', 'report.html')} in a browser")
    assert 'pip install "rocsteady[cli]"' in shown.stderr
    assert {path.name for path in (tmp_path / "rocsteady-demo").iterdir()} >= {"loans.csv", "report.html"}
    again = subprocess.run(demo, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (again.returncode, "--force" in again.stderr) == (2, True)
    call = [*demo[:2], f"{hide}; sys.argv[1:] = ['measures']; {run}"]
    other = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (other.returncode, other.stdout) == (2, "")
    call = [*demo[:2], f"{hide}; sys.argv[1:] = ['--version']; {run}"]
    version = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (version.returncode, version.stdout) == (0, f"rocsteady {rs.__version__}\n")
