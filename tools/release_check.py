"""Everything that a release needs, checked on a fresh clone of what is committed: ``make release-check``.

``--all`` also tries each extra by itself and the oldest versions. ``--publish`` (as the workflow that publishes does)
runs that, and refuses what only a maintainer can fill in: the owner in the addresses of pyproject.toml, the date in the
changelog, and the tag.
"""

from __future__ import annotations

import argparse
import re
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tools import about
from tools.environments import CheckError, Environment, run
from tools.matrix import quick_files, try_readme

if TYPE_CHECKING:
    from collections.abc import Callable

LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)[^)]*\)")
OF_THE_SITE = (
    "names/",
    "commands.md",
    "measures.md",
    "remarks.md",
    "_static/",
)  # made by `make docs`, which checks the links to them
NOT_PACKED = (".ci/", ".gitignore", ".gitattributes")
SCHEMAS = {
    "vendor.citation-file-format": ["CITATION.cff"],
    "vendor.github-workflows": [".github/workflows/*.yml"],
    "vendor.github-issue-forms": [".github/ISSUE_TEMPLATE/[!c]*.yml"],
    "vendor.github-issue-config": [".github/ISSUE_TEMPLATE/config.yml"],
    "vendor.dependabot": [".github/dependabot.yml"],
}


@dataclass
class Release:
    """A clone of what is committed, what is built from it, and what is left to do by hand."""

    clone: Path
    work: Path
    by_hand: list[str] = field(default_factory=list)

    @property
    def dist(self) -> Path:
        """Where wheel and sdist are."""
        return self.work / "dist"

    def git(self, *words: str) -> str:
        """What git says of the clone."""
        return run(["git", "-C", str(self.clone), *words])


def one_version(release: Release) -> str:
    """The version of the code heads the changelog and stands in CITATION.cff and, if there is one, in the tag."""
    version, (newest, date) = about.version(), about.released()
    _same("the changelog", newest, version)
    if (about.ROOT / "CITATION.cff").read_text(encoding="utf-8") != about.citation():
        raise CheckError("CITATION.cff is not up to date; run: python -m tools.about")
    tags = [tag for tag in release.git("tag", "--points-at", "HEAD").split() if re.match(r"v\d", tag)]
    for tag in tags:
        _same("the tag", tag, f"v{version}")
    release.by_hand += (
        [] if date else [f"date the heading of {version} in CHANGELOG.md, then run python -m tools.about"]
    )
    release.by_hand += [] if tags else [f"git tag v{version}"]
    return version


def _same(what: str, found: str, wanted: str) -> None:
    if found != wanted:
        raise CheckError(f"{what} says {found}, _version.py is of {wanted}")


def addresses(release: Release) -> str:
    """Addresses are filled in, in the one place that has them."""
    unfilled = [value for value in about.addresses().values() if about.PLACEHOLDER in value]
    release.by_hand += [f"put the owner for {about.PLACEHOLDER} in pyproject.toml" for _ in unfilled[:1]]
    return ", ".join(about.addresses().values())


def forms(release: Release) -> str:
    """Workflows, issue forms and the citation fit their schemas; workflows have no known weakness."""
    checked = 0
    for schema, patterns in SCHEMAS.items():
        found = [str(path) for pattern in patterns for path in sorted(release.clone.glob(pattern))]
        if not found:
            raise CheckError(f"there is no {patterns[0]}")
        run([_tool("check-jsonschema"), "--builtin-schema", schema, *found])
        checked += len(found)
    run([_tool("zizmor"), "--offline", "--no-progress", str(release.clone / ".github")])
    return f"{checked} files"


def _tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def links(release: Release) -> str:
    """Every link between pages leads to a file that is committed."""
    pages = [*release.clone.glob("*.md"), *(release.clone / "docs").rglob("*.md")]
    found = [(page, target) for page in pages for target in LINK.findall(page.read_text(encoding="utf-8"))]
    found = [(page, target) for page, target in found if not target.startswith(OF_THE_SITE)]
    dead = [f"{page.name}: {target}" for page, target in found if not (page.parent / target).exists()]
    if dead:
        raise CheckError("links lead nowhere: " + ", ".join(dead))
    return f"{len(found)} links of {len(pages)} pages"


def built(release: Release) -> str:
    """Wheel and sdist build and hold what they should; the index can show the README."""
    run([sys.executable, "-m", "build", "--outdir", str(release.dist), str(release.clone)])
    archives = sorted(map(str, release.dist.iterdir()))
    run([sys.executable, "-m", "twine", "check", "--strict", *archives])
    wheel, sdist = next(release.dist.glob("*.whl")), next(release.dist.glob("*.tar.gz"))
    _wheel_is_whole(wheel, release)
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    tracked = [name for name in release.git("ls-files").splitlines() if not name.startswith(NOT_PACKED)]
    if missing := sorted(set(tracked) - names):
        raise CheckError(f"the sdist lacks {len(missing)} files, such as {', '.join(missing[:5])}")
    return f"{wheel.name} {wheel.stat().st_size:,} bytes, {sdist.name} {sdist.stat().st_size:,} bytes"


def _wheel_is_whole(wheel: Path, release: Release) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        metadata = packed.read(next(name for name in names if name.endswith("METADATA"))).decode()
    wanted = {name.removeprefix("src/") for name in release.git("ls-files", "src").splitlines()}
    if missing := sorted(wanted - names):
        raise CheckError(f"the wheel lacks {', '.join(missing[:5])}")
    if odd := [name for name in names if not name.startswith("rocsteady")]:
        raise CheckError(f"the wheel installs {', '.join(odd[:5])}")
    shown = metadata.partition("\n\n")[2]
    if relative := LINK.findall(shown) + re.findall(r"src=\"(?!https:)([^\"]+)", shown):
        raise CheckError(f"the index cannot follow {', '.join(relative[:5])}")


def readme(release: Release) -> str:
    """The demo in the clone, as the README begins; then its other commands in an empty environment and folder."""
    told = _made(release, "demo")[-1]
    page = release.clone / "rocsteady-demo" / "report.html"
    if not page.exists() or str(Path(*page.parts[-2:])) not in told:
        raise CheckError(f"make demo does not end by saying where to look: {told}")
    environment = Environment.fresh(release.work / "readme")
    try_readme(environment, release.dist, release.work / "empty")
    return "its commands work"


def sdist_tests(release: Release) -> str:
    """The unpacked sdist installs and passes the quick tests and the examples of README and pages."""
    (sdist,) = release.dist.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(release.work, filter="data")
    source = release.work / sdist.name.removesuffix(".tar.gz")
    environment = Environment.fresh(release.work / "tests")
    environment.install(f"{source}[dev]")
    chosen = [*quick_files(), "README.md", "docs"]
    told = environment.run("python", "-m", "pytest", "-n", "auto", "--dist", "loadfile", "-rN", *chosen, cwd=source)
    return told.strip().splitlines()[-1]


def suite(release: Release) -> str:
    """Lint, types and all tests, set up in the clone by its own Makefile."""
    return next(line for line in reversed(_made(release, "test")) if " passed" in line)


def site(release: Release) -> str:
    """The site builds without a warning, and no link of it is dead."""
    return _made(release, "docs")[-1]


def extras(release: Release) -> str:
    """Each extra by itself, and the wheel alone."""
    return f"{len(_made(release, 'extras'))} lines"


def oldest(release: Release) -> str:
    """All tests with the oldest versions that are allowed."""
    return next(line for line in reversed(_made(release, "oldest")) if " passed" in line)


def _made(release: Release, target: str) -> list[str]:
    return run(["make", "--no-print-directory", "-C", str(release.clone), target]).strip().splitlines()


CHECKS: tuple[Callable[[Release], str], ...] = (
    *(one_version, addresses, forms, links, built, readme, sdist_tests, suite, site),
)
BEFORE_PUBLISHING = (extras, oldest)


def main() -> None:
    """Run all of them; say what did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--publish", action="store_true", help="refuse what is left to do by hand; as --all")
    parser.add_argument("--all", action="store_true", help="each extra and the oldest versions too")
    asked = parser.parse_args()
    publish = asked.publish
    failed = []
    with tempfile.TemporaryDirectory(prefix="rocsteady-release-") as work:
        release = Release(Path(work) / "clone", Path(work))
        run(["git", "clone", "--quiet", "--no-hardlinks", str(about.ROOT), str(release.clone)])
        for check in (*CHECKS, *(BEFORE_PUBLISHING if publish or asked.all else ())):
            try:
                print(f"ok    {check.__name__}: {check(release)}", flush=True)
            except CheckError as error:
                failed.append(check.__name__)
                print(f"FAIL  {check.__name__}: {error}", flush=True)
    for line in dict.fromkeys(release.by_hand):
        print(f"to do {line}")
    if failed or (publish and release.by_hand):
        sys.exit(f"not ready: {', '.join([*failed, *(release.by_hand if publish else [])])}")
    print("ready" + (", but for what is to do by hand" if release.by_hand else ""))


if __name__ == "__main__":
    main()
