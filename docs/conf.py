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
    "thumbnail_size": (800, 640),
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
html_sidebars = {"index": [], "questions": [], "comparison": [], "pictures/index": []}
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher", "navbar-icon-links"],
    "icon_links": [{"name": "Repository", "url": repository, "icon": "fa-solid fa-code-branch"}] if repository else [],
    "header_links_before_dropdown": 7,
    "show_nav_level": 1,
    "navigation_depth": 2,
    "collapse_navigation": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": {"**": ["page-toc"], "pictures/index": []},  # whose cards need the room
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

PICTURES = {  # of the gallery, by the number that their files begin with
    "How well does it rank?": "01 02 22 03 10 11 12",
    "Is one better, and for whom?": "04 15 16 27 18 21",
    "Where does the threshold belong?": "07 08 09 06",
    "Are the probabilities right?": "05 25 24",
    "More classes, times of events, study size, monitoring": "17 26 23 28",
    "What a curve is made of": "19 20 13 14",
}
CARD = re.compile(
    r"\.\. raw:: html\n\n    <div class=\"sphx-glr-thumbcontainer\".*?:doc:`/pictures/(\d\d).*?</div>\n    </div>\n",
    re.DOTALL,
)


def link_pages(_app: Any, _what: str, _name: str, _held: Any, _options: Any, lines: list[str]) -> None:
    """Pages that a docstring names as files of the repository are links here; examples stay as they ran."""
    told = lines.index("Examples") if "Examples" in lines else len(lines)
    lines[:told] = [re.sub(r"(?<![`\w/])docs/([a-z_]+)\.md(?!`)", r":doc:`\1 </\1>`", line) for line in lines[:told]]


def group_pictures(app: Any) -> None:
    """The page of the gallery, which sphinx-gallery has written, in sections; it would want a folder for each."""
    page = Path(app.srcdir) / "pictures" / "index.rst"
    text = page.read_text(encoding="utf-8")
    cards = {found[1]: found[0] for found in CARD.finditer(text)}
    grouped = [number for numbers in PICTURES.values() for number in numbers.split()]
    if sorted(cards) != sorted(grouped):
        raise ValueError(f"{set(cards) ^ set(grouped)} of the pictures are in no section, or no longer there")
    begun, ended = '.. raw:: html\n\n    <div class="sphx-glr-thumbnails">\n\n', ".. raw:: html\n\n    </div>\n\n"
    made = ""
    for title, numbers in PICTURES.items():
        inside = "\n".join(cards[number] for number in numbers.split())
        made += f"{title}\n{'-' * len(title)}\n\n{begun}{inside}\n{ended}"
    first, last = text.index(begun), text.index(ended)
    page.write_text(text[:first] + made + text[last + len(ended) :], encoding="utf-8")


def setup(app: Any) -> None:
    """Before numpydoc, which is at 500, changes the lines; after sphinx-gallery, at 500 too, has written its pages."""
    app.connect("autodoc-process-docstring", link_pages, priority=400)
    app.connect("builder-inited", group_pictures, priority=900)
