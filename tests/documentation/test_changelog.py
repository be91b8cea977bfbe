"""The changelog has the form that it names, and the checklist's commands are there."""

import re
from datetime import date

import dpviz
from tests.documentation.pages import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CHECKLIST = (ROOT / "docs" / "release-checklist.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## \[([^\]]+)\](?: - (.+))?$", CHANGELOG, re.MULTILINE)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_versions_are_in_the_form_of_keep_a_changelog():
    (first, nothing), *versions = HEADINGS
    assert (first, nothing) == ("Unreleased", "")
    numbers = [tuple(map(int, version.split("."))) for version, _ in versions]
    assert numbers == sorted(set(numbers), reverse=True)
    for at, (_, day) in enumerate(versions):
        if at > 0 or day != "unreleased":
            date.fromisoformat(day)
    assert set(re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)) <= KINDS


def test_version_of_the_package_is_the_newest_of_the_changelog():
    assert dpviz.__version__ == HEADINGS[1][0]


def test_files_of_the_checklist_are_there():
    named = re.findall(r"(?:\.ci|docs|tests|bench|\.github)/[\w./-]+", CHECKLIST)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name.rstrip(".")).exists()] == []
    for module in re.findall(r"python -m (bench\.\w+)", CHECKLIST):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists()
