"""The layout of DESIGN.md, enforced: imports go one way, one file sorts, optional packages load lazily."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "rocsteady"
FILES = sorted(PACKAGE.rglob("*.py"))

# Each room may import the rooms before it. A room is the first part of a module's name.
ROOMS = [
    {"_version", "errors"},
    {"frames", "text", "exact", "geometry", "atomic", "examples", "progress", "threads", "typed"},
    {"results"},
    {"inputs"},
    {"ranked"},
    {"scale"},
    {"doors"},
    {"pairwise"},
    {"granularity"},
    {"measures"},
    {"curves", "scored_curves"},
    {"granular_curves", "bracketed"},
    {"uncertainty"},
    {"comparison"},
    {"calibration", "decisions", "reclassified"},
    {"multiclass", "crossval"},
    {"table_intervals", "beside"},
    {"evaluation"},
    {"fold_measures"},
    {"subgroups", "folded"},
    {"evaluating"},
    {"files", "plots"},
    {"lab", "learning"},
    {"report"},
    {"cli"},
    {"__init__", "__main__"},
]
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
# Methods such as Curve.plot reach forward, inside the function, to rooms that read results only.
DOORS = {
    ("results", "plots"),
    ("evaluation", "plots"),
    ("evaluation", "report"),
    ("results", "report"),
    ("folded", "report"),
    ("subgroups", "report"),
    ("scale", "bracketed"),
}
READS_RESULTS_ONLY = {"plots": {"errors", "results", "geometry", "plots", "text"}}
OPTIONAL = {"typer", "rich", "duckdb", "matplotlib", "sklearn", "polars", "pandas", "pyarrow", "narwhals", "scipy"}
SORTING = {"sort", "argsort", "lexsort", "argpartition", "sort_values"}
MAY_SORT = "ranked"


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("rocsteady"):
            parts = node.module.split(".")
            found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {"__init__" for alias in node.names if alias.name == "rocsteady"}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    here = room_of(path)
    reached = imported_rooms(ast.parse(path.read_text()))
    wrong = {there for there in reached if LEVEL[there] > LEVEL[here] and (here, there) not in DOORS}
    if here == "cli":
        wrong -= {"__init__"}
    assert not wrong, f"{here} imports {wrong}, which stand above it"
    assert reached <= READS_RESULTS_ONLY.get(here, set(LEVEL)), f"{here} may read results only"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_ranked_sorts(path: Path) -> None:
    if room_of(path) == MAY_SORT:
        return
    calls = [
        f"line {node.lineno}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SORTING
    ]
    assert not calls, f"{path.name} sorts at {calls}; rank once, in ranked"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_optional_packages_are_imported_inside_functions(path: Path) -> None:
    if path.relative_to(PACKAGE).parts[0] == "cli":
        return
    for node in ast.parse(path.read_text()).body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not OPTIONAL & {name.split(".")[0] for name in names}, f"{path.name} line {node.lineno}"


def test_importing_the_package_loads_nothing_optional() -> None:
    code = f"import sys, rocsteady; print(sorted({OPTIONAL!r} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


HIDE = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {names!r}:
            raise ImportError(name)
sys.meta_path.insert(0, Hidden())
"""


READ_A_FILE = "from rocsteady.files import *; read_file(Path('x.csv'), Wanted((), ('y',)))"


@pytest.mark.parametrize(
    ("package", "use", "command"),
    [
        ("matplotlib", "rs.roc_curve([1, 0], [2, 1]).plot()", "rocsteady[plots]"),
        ("duckdb", READ_A_FILE, "rocsteady[cli]"),
        ("typer", "from rocsteady.__main__ import main; main()", "rocsteady[cli]"),
    ],
)
def test_a_missing_package_is_asked_for_with_its_command(package: str, use: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("y\n1\n")
    code = HIDE.format(names={package}) + f"import rocsteady as rs\nfrom pathlib import Path\n{use}\n"
    call = [sys.executable, "-c", code]
    shown = subprocess.run(call, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert shown.returncode != 0
    assert f"pip install '{command}'" in shown.stderr


def test_the_core_works_with_hard_dependencies_only() -> None:
    hidden = OPTIONAL - {"narwhals", "scipy"}
    code = HIDE.format(names=hidden) + (
        "import rocsteady as rs\n"
        "table = {'y': [1, 0, 1, 0], 'a': [4, 3, 2, 1]}\n"
        "print(rs.evaluate(table, label='y', scores='a', measures=['auc', 'h_measure', 'auch']))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "0.7500" in shown.stdout


def test_files_and_functions_stay_small() -> None:
    for path in FILES:
        text = path.read_text()
        assert text.count("\n") <= 400, path.name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                assert length <= 40, f"{path.name}: {node.name} has {length} lines"


def test_every_public_name_has_a_docstring_and_every_public_function_an_example() -> None:
    import rocsteady as rs

    for name in rs.__all__:
        value = getattr(rs, name)
        if name.startswith("__") or not callable(value):
            continue
        assert value.__doc__, name


def test_public_names_of_the_contract_are_there() -> None:
    import rocsteady as rs

    contract = (
        "rank evaluate confusion roc_curve pr_curve roc_hull gains_curve auc gini partial_auc average_precision "
        "r_precision defective_pairs ks_statistic h_measure best_threshold"
    )
    assert set(contract.split()) <= set(rs.__all__)
