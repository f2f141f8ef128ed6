"""What the package index is told, from one table of pyproject.toml: addresses and the README.

Links of the README lead to files of the repository, which the index does not have: here they become addresses of the
repository at the tag of this version. Only ``[tool.hatch.metadata.hooks.custom]`` knows the project's addresses.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)]+)(?=\))")
PICTURE = re.compile(r"(?<=src=\")(?!\w+:)([^\"]+)(?=\")")
VERSION = re.compile(r"__version__ = \"([^\"]+)\"")


class CustomMetadataHook(MetadataHookInterface):
    """Fills in what ``dynamic`` of pyproject.toml names."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add addresses and README."""
        root, repository = Path(self.root), self.config["repository"]
        version = VERSION.search((root / "src" / "rocsteady" / "_version.py").read_text(encoding="utf-8"))[1]
        readme = (root / "README.md").read_text(encoding="utf-8")
        metadata["urls"] = addresses(repository, self.config["site"])
        metadata["readme"] = {"content-type": "text/markdown", "text": for_the_index(readme, repository, version)}


def addresses(repository: str, site: str) -> dict[str, str]:
    """The addresses that the index shows beside the README."""
    return {
        "Documentation": site,
        "Repository": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
    }


def for_the_index(readme: str, repository: str, version: str) -> str:
    """The README with absolute links and pictures, those of this version."""
    linked = LINK.sub(rf"{repository}/blob/v{version}/\1", readme)
    return PICTURE.sub(rf"{repository}/raw/v{version}/\1", linked)
