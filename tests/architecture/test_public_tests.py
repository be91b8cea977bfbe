"""The tests on public machines are README's, on every Python and system that is promised."""

import re
import runpy
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.browser.server import REPOSITORY

WORKFLOW = (REPOSITORY / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = dict(
    line.split("==")
    for line in (REPOSITORY / ".ci" / "pinned.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
ASKED = [
    Requirement(text)
    for text in (
        *PROJECT["dependencies"],
        *PROJECT["optional-dependencies"]["app"],
        *PROJECT["optional-dependencies"]["test"],
        *PROJECT["optional-dependencies"]["docs"],
    )
]


def test_every_python_that_is_promised_is_tested():
    allowed = SpecifierSet(PROJECT["requires-python"])
    (listed,) = re.findall(r"^ +python: \[(.+)\]$", WORKFLOW, re.MULTILINE)
    tested = re.findall(r'"([\d.]+)"', listed)
    assert len(tested) >= 4
    assert all(python in allowed for python in tested)
    oldest = int(tested[0].split(".")[1])
    assert f"3.{oldest - 1}" not in allowed


@pytest.mark.parametrize("beginning", ["make test", r".venv\Scripts"])
def test_commands_are_those_of_the_readme(beginning):
    """Whoever reads README does what was tested."""
    runs = re.findall(r"^ +(?:- )?run: (.+)$", WORKFLOW, re.MULTILINE)
    told = [run for run in runs if run.startswith(beginning)]
    assert told
    for run in told:
        assert run in README, run


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_pinned_versions_are_in_the_ranges(asked):
    assert asked.specifier.contains(PINNED[asked.name.lower()], prereleases=True)


def test_lowest_versions_are_those_of_the_ranges():
    """Whoever changes a range runs ``python .ci/lowest.py``."""
    made = runpy.run_path(str(REPOSITORY / ".ci" / "lowest.py"))
    assert made["LOWEST"].read_text(encoding="utf-8") == made["lowest_text"]()


def test_public_machines_keep_to_lists_that_are_there():
    for packages in re.findall(r"packages: \[?([\w, ]+)", WORKFLOW):
        for one in packages.split(", "):
            assert one == "newest" or (REPOSITORY / ".ci" / f"{one}.txt").is_file()


@pytest.mark.parametrize(
    ("words", "tried"),
    [([], ["app", "test", "test-with-browser"]), (["test", "app"], ["test", "app"])],
)
def test_fresh_machines_try_what_is_asked_for_or_everything(words, tried, monkeypatch):
    fresh = runpy.run_path(str(REPOSITORY / ".ci" / "fresh_machine.py"))
    seen, names = [], fresh["main"].__globals__

    def done(what):
        seen.append(what)
        return fresh["Outcome"](what=what, went_well=True, seconds=0.0, last_words="")

    monkeypatch.setitem(names, "FreshMachine", lambda *_, **__: None)
    monkeypatch.setitem(names, "app_answers", lambda _: done("app"))
    monkeypatch.setitem(
        names, "tests_pass", lambda _, *, browser: done("test" + "-with-browser" * browser)
    )
    assert fresh["main"](words) == 0
    assert seen == tried
    with pytest.raises(SystemExit):
        fresh["main"](["elsewhere"])
