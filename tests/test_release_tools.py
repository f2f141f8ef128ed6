"""The checks of a release notice what they are there for, and the workflows run what the Makefile has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

about = pytest.importorskip("tools.about")  # a copy without the repository has none
from tools import environments, extras, matrix, release_check, smoke  # noqa: E402

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def texts() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)


def test_actions_are_pinned_to_commits() -> None:
    used = re.findall(r"uses: (\S+)(.*)", texts())
    assert used
    assert not [action for action, version in used if not re.fullmatch(r"[\w/.-]+@[0-9a-f]{40}", action)]
    assert not [action for action, version in used if not re.fullmatch(r" # v\d+\.\d+\.\d+", version)]


def test_workflows_run_targets_that_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"make ([a-z-]+)", texts())) <= targets


def test_workflows_try_every_python_that_is_claimed() -> None:
    claimed = [line.split(":: ")[-1] for line in about.project()["project"]["classifiers"] if re.search(r"3\.\d", line)]
    lists = re.findall(r"python: \[([^]]+)\]", texts())
    assert [re.findall(r"3\.\d+", each) for each in lists] == [claimed] * 2


def test_every_extra_of_users_has_something_to_try() -> None:
    tried = {extra for _, extra, _ in smoke.TRIED.values()}
    alone = set(extras.names()) - {"none", "all"}
    assert tried == alone
    assert smoke.PARTS["all"] == alone - {
        "dask",
        "spark",
        "boosting",
        "mlflow",
        "inspect",
    }


def test_smoke_refuses_an_extra_that_brings_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smoke, "find_spec", lambda name: None)
    monkeypatch.setattr(smoke, "_asked", lambda tried, extra: f"{tried.__name__} asks for {extra}")
    assert "plots asks for plots" in smoke.check("none")
    with pytest.raises(AssertionError, match="spark does not bring"):
        smoke.check("spark")


def test_the_first_commands_are_those_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    cloned = [["git", "clone", "<repository>", "rocsteady"], ["cd", "rocsteady"]]
    assert matrix.first_commands(readme) == [*cloned, ["make", "demo"], ["make", "test"]]
    commands = matrix.install_commands(readme)
    assert [command[0] for command in commands] == ["pip", "python", "rocsteady"]
    assert commands[0] == ["pip", "install", ".[all]"]
    assert commands[1] == ["python", "-m", "rocsteady", "demo", "--force"]


def test_quick_tests_are_there() -> None:
    assert all((ROOT / name).exists() for name in [*matrix.quick_files(), *environments.listed(extras.WITHOUT_EXTRAS)])


class TestVersions:
    """One version in code, changelog, citation and tag."""

    @staticmethod
    def release(tags: str) -> release_check.Release:
        found = release_check.Release(ROOT, ROOT)
        found.git = lambda *words: tags  # type: ignore[method-assign]
        return found

    def test_they_agree(self) -> None:
        assert release_check.one_version(self.release(f"v{about.version()}\nother\n")) == about.version()

    def test_another_tag_is_noticed(self) -> None:
        with pytest.raises(environments.CheckError, match=r"the tag says v9\.9\.9"):
            release_check.one_version(self.release("v9.9.9\n"))

    def test_another_changelog_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(about, "released", lambda: ("9.9.9", None))
        with pytest.raises(environments.CheckError, match=r"the changelog says 9\.9\.9"):
            release_check.one_version(self.release(""))

    def test_a_stale_citation_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(about, "citation", lambda: "")
        with pytest.raises(environments.CheckError, match=r"python -m tools\.about"):
            release_check.one_version(self.release(""))

    def test_what_is_left_by_hand_is_listed(self) -> None:
        release = self.release("")
        release_check.one_version(release)
        assert f"git tag v{about.version()}" in release.by_hand


def test_a_dead_link_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.md").write_text("[one](docs/b.md) [two](docs/c.md#x) [web](https://x.example) [here](#there)")
    (tmp_path / "docs" / "b.md").write_text("")
    release = release_check.Release(tmp_path, tmp_path)
    with pytest.raises(environments.CheckError, match=r"nowhere: a\.md: docs/c\.md$"):
        release_check.links(release)
    (tmp_path / "docs" / "c.md").write_text("")
    assert release_check.links(release) == "2 links of 3 pages"


def test_a_command_that_fails_is_told_with_its_words() -> None:
    with pytest.raises(environments.CheckError, match="ended with 3"):
        environments.run(["sh", "-c", "exit 3"])


def test_commands_of_an_environment_are_found_from_other_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(environments, "run", lambda words, **_: asked.append(words))
    environments.Environment.fresh(Path("here") / "none").run("python", cwd=Path("elsewhere"))
    assert all(Path(words[-1]).is_absolute() for words in asked)
    assert len(asked) == 2
