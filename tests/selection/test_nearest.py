"""What is nearest to a change is found by imports, and runs first."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.selection.nearest import FAR, changed_files, distances, distances_of_tests, import_graph


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a small repository whose package has a module that two tests are near and far of."""
    files = {
        "dpviz/__init__.py": "",
        "dpviz/low.py": "VALUE = 1\n",
        "dpviz/high.py": "from dpviz import low\n",
        "pages/shown.py": "import dpviz.high\n",
        "tests/test_high.py": "import dpviz.high\n",
        "tests/test_low.py": "from dpviz.low import VALUE\n",
        "tests/test_other.py": "import math\n",
        "tests/pages/test_shown.py": "import math\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "Begin"]):
        own = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
        subprocess.run(["git", *own, *words], cwd=tmp_path, check=True)
    return tmp_path


def test_tests_are_as_far_as_there_are_imports_between(repository: Path) -> None:
    """A page's tests import the page, which they run by its path."""
    far = distances(import_graph(repository), ["dpviz/low.py"])
    tests = {name: far.get(name) for name in import_graph(repository) if "test_" in name}
    assert tests == {
        "tests/test_low.py": 1,
        "tests/test_high.py": 2,
        "tests/pages/test_shown.py": 3,
        "tests/test_other.py": None,
    }


def test_changes_are_those_of_the_folder_or_else_of_the_last_commit(repository: Path) -> None:
    """New files count; a commit that nobody knows is named."""
    (repository / "dpviz" / "new.py").write_text("", encoding="utf-8")
    (repository / "dpviz" / "low.py").write_text("VALUE = 2\n", encoding="utf-8")
    assert changed_files("HEAD", repository) == {"dpviz/new.py", "dpviz/low.py"}
    with pytest.raises(ValueError, match="nonesuch"):
        changed_files("nonesuch", repository)


def test_nothing_changed_is_the_last_commit(repository: Path) -> None:
    """Who has just committed still asks about that change."""
    (repository / "dpviz" / "low.py").write_text("VALUE = 2\n", encoding="utf-8")
    own = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    subprocess.run(["git", *own, "commit", "-qam", "Change"], cwd=repository, check=True)
    assert changed_files("HEAD", repository) == {"dpviz/low.py"}


@pytest.mark.slow
def test_every_own_test_that_imports_the_package_is_reached() -> None:
    """In this repository: a bound's own tests are nearer than the pages that quote it."""
    graph = import_graph()
    far = distances(graph, ["dpviz/guarantees/poisson.py"])
    own, page = "tests/guarantees/test_left_out_lengths.py", "tests/pages/test_planner.py"
    assert far[own] < far[page] < FAR


@pytest.mark.slow
def test_time_ends_the_run_and_the_summary_says_so() -> None:
    """No test is begun once the time is over, and what is left is counted."""
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    one = "tests/scenario/test_shape_values.py"
    run = subprocess.run(
        [*asked, one, "--for-minutes", "0"], capture_output=True, text=True, check=False
    )
    assert "No time for tests of 1 files further away" in run.stdout
    assert " passed" not in run.stdout


def test_what_looks_at_all_files_is_always_near() -> None:
    """Whatever was changed."""
    found = distances_of_tests(["tests/architecture/test_house.py"], "HEAD")
    assert found == {"tests/architecture/test_house.py": 0}
