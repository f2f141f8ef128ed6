"""How the site is built: ``make docs``. Sphinx reads a copy of these pages that ``tools/site`` has completed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

project = "rocsteady"
project_copyright = "the rocsteady project"
release = (
    Path(__file__).parent.joinpath("version.txt").read_text(encoding="utf-8").strip()
    if Path(__file__).parent.joinpath("version.txt").exists()
    else ""
)
version = release
where = Path(__file__).parent / "repository.txt"  # tools/site writes it
repository = where.read_text(encoding="utf-8").strip() if where.exists() else ""

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery/*", "_static/*", "**/README.txt"]
templates_path: list[str] = []
smartquotes = False  # dashes and quotes of commands are copied into a shell

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline", "attrs_block", "html_image"]
myst_heading_anchors = 4

numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
add_module_names = False
python_use_unqualified_type_names = True

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "pictures",
    "filename_pattern": r"\.py$",
    "ignore_pattern": r"conftest\.py$",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "capture_repr": ("_repr_html_", "__str__"),
    "ignore_repr_types": r"Display|matplotlib|Axes|Figure",
    "image_srcset": ["2x"],
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
    "backreferences_dir": "pictures/of",
    "doc_module": ("rocsteady",),
    "inspect_global_variables": False,
    "write_computation_times": False,
    "recommender": {"enable": False},
}

html_theme = "pydata_sphinx_theme"
html_title = "rocsteady"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = "_static/scorer.js"
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {"index": [], "questions": [], "why_not": []}
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher", "navbar-icon-links"],
    "icon_links": [{"name": "Repository", "url": repository, "icon": "fa-solid fa-code-branch"}] if repository else [],
    "header_links_before_dropdown": 7,
    "show_nav_level": 1,
    "navigation_depth": 2,
    "collapse_navigation": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def link_pages(_app: Any, _what: str, _name: str, _held: Any, _options: Any, lines: list[str]) -> None:
    """Pages that a docstring names as files of the repository are links here; examples stay as they ran."""
    told = lines.index("Examples") if "Examples" in lines else len(lines)
    lines[:told] = [re.sub(r"(?<![`\w/])docs/([a-z_]+)\.md(?!`)", r":doc:`\1 </\1>`", line) for line in lines[:told]]


def setup(app: Any) -> None:
    """Before numpydoc, which is at 500, changes the lines."""
    app.connect("autodoc-process-docstring", link_pages, priority=400)
