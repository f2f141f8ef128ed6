"""The layout of DESIGN.md, at the root of this repository, read from the sources.

Checked are: twelve rooms, imports downwards only with views opened late, what pictures, pages and commands may read,
down to the modules that compute for a page, public modules without code of their own, one room that sorts, one that
knows engines, one class and one file of rows, optional packages that load inside functions and ask for themselves,
small files and functions, docstrings of all public names, executed examples of all public functions, and the contract.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cases import each_case
from rocsteady._names import public_modules
from sources import nodes_of, tree_of

PACKAGE = Path(__file__).parent.parent / "src" / "rocsteady"
HOUSE = PACKAGE / "_src"
FILES = sorted(PACKAGE.rglob("*.py"))
INSIDE = sorted(HOUSE.rglob("*.py"))
WINDOW = sorted(PACKAGE.glob("*.py"))

# Each room may import those before it, and itself.
ROOMS = (
    "base",
    "results",
    "inputs",
    "ranked",
    "measures",
    "inference",
    "probabilities",
    "designs",
    "evaluation",
    "scale",
    "extras",
    "views",
)
# The one exception: what people hold opens a view of itself, inside the function that is asked for it.
OPENS_VIEWS = {"results", "evaluation", "scale"}
# And one door: a table in an engine whose groups are too many to come here is counted in cells instead.
OPENS_CELLS = {"evaluation/brought_home.py": "scale"}
# Pictures are drawn from results alone, and pages from results and what is computed for them in the rooms before.
VIEWS_READ = {
    "plots": {"base", "results"},
    "report": set(ROOMS) - {"inputs", "designs", "extras"},
    "cli": set(ROOMS),
    "serve": set(ROOMS),
    "trackers": {"base", "results", "inputs", "evaluation"},
}
# What computes for a page, besides results: it asks the rows of an evaluation, and never reads, sorts or draws anew.
REPORT_ASKS = {
    "ranked": {"RankedScores", "Rows", "rows_by_unit"},
    "measures": {
        "best_threshold",
        "costs",
        "model_thresholds",
        "rule",
        "threshold_rules",
        "confusion",
        "curves",
        "granularity",
        "ranking",
        "registry",
        "requests",
        "set_properties",
        "ties",
    },
    "inference": {"bands", "comparison", "intervals", "units"},
    "probabilities": {"calibration", "decisions", "reclassification"},
    "evaluation": {
        "choices_elsewhere",
        "probability_checks",
        "classes",
        "decision_elsewhere",
        "evaluation",
        "evaluation_by_fold",
        "groups",
        "labels",
        "timed",
        "trusted_probabilities",
    },
    "scale": {"sketch"},
}
ENGINES = HOUSE / "ranked" / "lazy"
COMMAND_LINE = HOUSE / "views" / "cli"
SERVER = HOUSE / "views" / "serve"
OPTIONAL = {"typer", "rich", "duckdb", "matplotlib", "sklearn", "polars", "pandas", "pyarrow", "narwhals", "scipy"}
OPTIONAL |= {"openpyxl", "mlflow"}
SORTING = {"sort", "argsort", "lexsort", "argpartition", "sort_values"}
MAY_SORT = "ranked"


def room_of(path: Path) -> str:
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


def names_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@cache
def import_statements(path: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Each with whether it stands inside a function; expressions hold none."""
    found: list[tuple[ast.Import | ast.ImportFrom, bool]] = []
    left: list[tuple[ast.AST, bool]] = [(tree_of(path), False)]
    while left:
        node, inside = left.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append((node, inside))
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        left += [(child, inside) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
    return found


@cache
def imported(path: Path, *, late: bool = True) -> list[tuple[str, ...]]:
    """Modules of the house that a file imports, cut at the dots; without those inside functions unless ``late``."""
    modules = []
    for node, inside in import_statements(path):
        if late or not inside:
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
            modules += [f"{module}{alias.name}" for alias in node.names if module or isinstance(node, ast.Import)]
    cut = [tuple(name.split(".")) for name in modules]
    return [parts[1:] if len(parts) > 1 else ("__init__",) for parts in cut if parts[0] == "rocsteady"]


def rooms_reached(path: Path, *, late: bool = True) -> set[str]:
    reached = imported(path, late=late)
    outside = [parts for parts in reached if parts[0] not in ("_src", "_version")]
    assert not outside or any(path.is_relative_to(each) for each in (COMMAND_LINE, SERVER)), (
        f"{names_of(path)} imports from outside: {outside}"
    )
    return {parts[1] for parts in reached if parts[0] == "_src"}


def test_a_dozen_rooms() -> None:
    assert {path.name for path in HOUSE.iterdir() if path.suffix != ".py" and path.name != "__pycache__"} == set(ROOMS)
    assert [path.name for path in HOUSE.glob("*.py")] == ["__init__.py"]


@each_case("path", [path for path in INSIDE if path.parent != HOUSE], ids=names_of)
def test_imports_go_one_way(path: Path) -> None:
    here = room_of(path)
    before = set(ROOMS[: ROOMS.index(here) + 1])
    assert rooms_reached(path, late=False) <= before, f"{here} imports rooms that stand above it"
    above = rooms_reached(path) - before
    may = {"views"} if here in OPENS_VIEWS else set()
    may |= {OPENS_CELLS.get(str(path.relative_to(HOUSE)), "")}
    assert above <= may, f"{here} reaches {above}, which stand above it"


@each_case("path", sorted((HOUSE / "views").rglob("*.py")), ids=names_of)
def test_a_view_reads_what_it_may(path: Path) -> None:
    view = path.relative_to(HOUSE / "views").parts[0]
    reached = rooms_reached(path) - {"views"}
    assert reached <= VIEWS_READ.get(view, set()), f"{view} reads {reached}"
    others = {parts[2] for parts in imported(path) if parts[:2] == ("_src", "views") and len(parts) > 2} - {view}
    # A command opens the server's page, and the page asks what commands ask: by the same functions.
    known = {"plots": set(), "report": {"plots"}, "cli": {"plots", "report", "serve"}, "serve": {"report", "cli"}}
    assert others <= known.get(view, set())


@each_case("path", sorted((HOUSE / "views" / "report").glob("*.py")), ids=names_of)
def test_a_page_asks_those_that_compute_for_it(path: Path) -> None:
    asked = {parts[1:3] for parts in imported(path) if parts[0] == "_src"}
    for room, *what in asked:
        if room not in ("base", "results", "views"):
            assert set(what) <= REPORT_ASKS[room], f"{path.name} asks {room}.{what[0]}"


@each_case("path", [path for path in INSIDE if ENGINES not in path.parents], ids=names_of)
def test_only_one_place_knows_engines(path: Path) -> None:
    """Elsewhere rows in memory and rows in an engine answer the same protocol: nobody asks which they are."""
    asked = [
        node.lineno
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        for name in ast.walk(node.args[1])
        if isinstance(name, ast.Name) and name.id.startswith("Lazy")
    ]
    assert not asked, f"lines {asked} ask whether rows are lazy; add to the protocol of ranked/protocol.py"


def test_rows_are_one_class_in_one_file() -> None:
    assert [names_of(path) for path in INSIDE if path.name == "rows.py"] == ["_src/ranked/rows.py"]
    classes = [names_of(p) for p in INSIDE for n in tree_of(p).body if isinstance(n, ast.ClassDef) and n.name == "Rows"]
    assert classes == ["_src/ranked/rows.py"]


@each_case("path", WINDOW, ids=names_of)
def test_public_modules_hold_no_code_of_their_own(path: Path) -> None:
    if path.name.startswith("_"):
        return
    tree = tree_of(path)
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert functions <= {"__getattr__", "__dir__"}
    assert "__all__" in path.read_text()


@each_case("path", INSIDE, ids=names_of)
def test_only_ranked_sorts(path: Path) -> None:
    if room_of(path) == MAY_SORT:
        return
    calls = [
        f"line {node.lineno}"
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SORTING
    ]
    assert not calls, f"{path.name} sorts at {calls}; rank once, in ranked"


@each_case("path", FILES, ids=names_of)
def test_optional_packages_are_imported_inside_functions(path: Path) -> None:
    if path.is_relative_to(COMMAND_LINE):
        return
    for node in tree_of(path).body:
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


READ_A_FILE = "from rocsteady._src.inputs.files import *; read_file(Path('x.csv'), Wanted((), ('y',)))"


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
    assert f'pip install "{command}"' in shown.stderr


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
        assert text.count("\n") <= 700, path.name
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                assert length <= 40, f"{path.name}: {node.name} has {length} lines"


def public() -> list[tuple[str, Any]]:
    """Every public function and class, with the module in which it is promised."""
    import rocsteady as rs

    modules = {"rs": rs} | {f"rs.{name}": getattr(rs, name) for name in public_modules()}
    found = [(f"{module}.{name}", getattr(held, name)) for module, held in modules.items() for name in held.__all__]
    return [(name, value) for name, value in found if callable(value)]


def test_every_public_name_has_a_docstring() -> None:
    assert not [name for name, value in public() if not value.__doc__]


def test_every_public_function_has_an_executed_example() -> None:
    bare = {name for name, value in public() if inspect.isfunction(value) and ">>>" not in (value.__doc__ or "")}
    assert not bare


def test_every_parameter_of_a_public_function_is_explained() -> None:
    """By name, in its docstring: an option that nobody can explain to a user has no place in a signature."""
    functions = [(name, value) for name, value in public() if inspect.isfunction(value)]
    silent = {
        f"{name}({parameter}=)"
        for name, value in functions
        for parameter in inspect.signature(value).parameters
        if not re.search(rf"\b{parameter}\b", value.__doc__ or "")
    }
    assert not silent


def test_flat_names_are_few_and_each_has_a_home_in_a_public_module() -> None:
    import rocsteady as rs

    flat = set(rs.__all__) - set(public_modules())
    assert len(flat) <= 80
    assert "numpy" not in flat
    homes = {name for module in public_modules() for name in getattr(rs, module).__all__}
    assert flat - homes <= {
        "evaluate",
        "evaluate_estimators",
        "gate",
        "load",
        "rank",
        "merge",
        "join_by_id",
        "RankedScores",
        "__version__",
        *EVALUATIONS,
    }


def test_public_names_of_the_contract_are_there() -> None:
    import rocsteady as rs

    assert set(CONTRACT.split()) <= set(rs.__all__)
    for module, names in CONTRACT_OF_MODULES.items():
        assert set(names.split()) <= set(getattr(rs, module).__all__)
        for name in names.split():  # whoever types rs.NAME finds it, listed there or not
            assert getattr(rs, name) is getattr(getattr(rs, module), name)


def test_the_map_names_every_room_and_files_that_are_there() -> None:
    told = (PACKAGE.parent.parent / "DESIGN.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE) == list(ROOMS)
    folders = (HOUSE, HOUSE / "measures", HOUSE / "inference", PACKAGE, PACKAGE.parent.parent)
    for name in re.findall(r"`([\w/]+\.py)`", told.split("## Tried")[0]):
        assert any((folder / name).exists() for folder in folders), name


def test_internals_do_not_leak_from_public_modules() -> None:
    import rocsteady as rs

    for module in public_modules():
        held = getattr(rs, module)
        leaked = [name for name in vars(held) if name.isupper() and name != "TYPE_CHECKING"]
        assert not leaked, f"rs.{module} shows {leaked}"
        ours = {
            name for name, value in vars(held).items() if str(getattr(value, "__module__", "")).startswith("rocsteady")
        }
        assert ours <= {*held.__all__, "__getattr__", "__dir__"}, module


def test_promises_name_every_public_module() -> None:
    told = (PACKAGE.parent.parent / "docs" / "promises.md").read_text(encoding="utf-8")
    assert not [name for name in public_modules() if f"`rs.{name}`" not in told]


def test_a_name_that_is_not_there_is_refused() -> None:
    import rocsteady as rs

    with pytest.raises(AttributeError, match="has no attribute 'aucc'"):
        rs.aucc  # noqa: B018 - asking is the point
    with pytest.raises(AttributeError, match=r"; did you mean rs\.auc or "):
        rs.aucc  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean rs\.calibration\.hosmer_lemeshow\?"):
        rs.hosmer_lemshow  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no attribute 'zzzzzz'$"):
        rs.zzzzzz  # noqa: B018
    assert rs.hosmer_lemeshow is rs.calibration.hosmer_lemeshow


EVALUATIONS = ("Evaluation", "FoldedEvaluation", "GroupedEvaluation")
CONTRACT = """
rank evaluate confusion roc_curve pr_curve roc_hull prob_roc scored_roc granular_roc interval_auc gains_curve
auc gini partial_auc average_precision r_precision defective_pairs ks_statistic h_measure prob_auc scored_auc
softened_auc soft_auc mm1_auc mm4_auc mm6_auc mm7_auc mm11_auc mm12_auc low_auc up_auc lambda_auc rho_auc brier_score
log_loss pairwise_mean set_properties best_threshold auc_interval bootstrap_interval roc_band proportion_interval
compare_auc compare_measure compare_curves power_auc reclassification net_reclassification integrated_discrimination
decision_curve calibration_curve multiclass_auc crossval_auc
operating_point equal_error_rate threshold_guarantee compare_outcomes gate
"""
CONTRACT_OF_MODULES = {
    "lab": "parse_sets generate count_errors select_models",
    "learning": "AUCClassifier xgboost_objective lightgbm_objective pairwise_loss_and_gradient",
    "scale": "rank_table Sketch",
    "inference": "operating_point threshold_guarantee compare_outcomes predictive_values",
    "measures": "equal_error_rate",
    "curves": "cost_curve brier_curve pr_gain_curve",
}
