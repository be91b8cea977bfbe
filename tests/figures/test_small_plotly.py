"""A third of plotly.js draws all charts; where it cannot be had, the whole one is served."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from io import BytesIO

import pytest

from deploy import small_plotly
from deploy.small_plotly import KINDS, NotFetchedError, fetch
from dpviz.figures import browser_files
from dpviz.figures.browser_files import (
    plotly_script_path,
    version_of_script,
    whole_plotly_script_path,
)
from tests.goldens.store import FOLDER

TRACE = "- trace "


def script_of(version):
    return f"/**\n* plotly.js (cartesian - minified) v{version}\n*/\nvar Plotly".encode()


def test_it_draws_every_kind_of_chart_there_is():
    drawn = {
        json.loads(line.split(": ", 1)[1])["type"]
        for file in FOLDER.glob("*.txt")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith(TRACE) and '"type"' in line
    }
    assert {"scatter", "heatmap", "bar"} <= drawn <= KINDS


def test_installed_plotly_names_its_version():
    assert version_of_script(whole_plotly_script_path())[0].isdigit()


@pytest.mark.parametrize("is_same", [True, False])
def test_it_is_served_only_if_it_is_of_the_installed_version(monkeypatch, tmp_path, is_same):
    """Reports and pages tell charts what the installed version understands."""
    small = tmp_path / "small.js"
    monkeypatch.setattr(browser_files, "path_of_small_script", lambda: small)
    assert plotly_script_path() == whole_plotly_script_path()
    version = version_of_script(whole_plotly_script_path()) if is_same else "0.1"
    small.write_bytes(script_of(version))
    assert (plotly_script_path() == small) == is_same


@pytest.fixture
def npm(monkeypatch, tmp_path):
    """Stand in for npm: returns what sets the version that it gives; ``None`` for a refusal."""
    folder = tmp_path / "bin"
    folder.mkdir()
    archive, program = tmp_path / "given.tgz", folder / "npm"
    program.write_text(f"#!{sys.executable}\nimport shutil\nshutil.copy({str(archive)!r}, '.')\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)

    def give(version):
        with tarfile.open(archive, "w:gz") as packed:
            entry = tarfile.TarInfo("package/plotly-cartesian.min.js" if version else "package/x")
            entry.size = len(script_of(version))
            packed.addfile(entry, BytesIO(script_of(version)))

    return give


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for npm")
def test_it_is_fetched_in_the_version_that_plotly_brings(npm, tmp_path):
    npm(version := version_of_script(whole_plotly_script_path()))
    into = tmp_path / "share" / "small.js"
    fetch(whole_plotly_script_path(), into)
    assert version_of_script(into) == version
    assert [path.name for path in into.parent.iterdir()] == ["small.js"]


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for npm")
@pytest.mark.parametrize(("version", "said"), [("0.1", "another version"), (None, "npm gives no")])
def test_what_is_not_what_was_asked_for_is_not_kept(npm, tmp_path, version, said):
    npm(version)
    with pytest.raises(NotFetchedError, match=said):
        fetch(whole_plotly_script_path(), tmp_path / "small.js")
    assert not (tmp_path / "small.js").exists()


def test_without_npm_installation_goes_on_and_says_so(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    small_plotly.main()
    assert capsys.readouterr().out == (
        "Charts load the whole of plotly.js: npm is not installed.\n"
    )


def test_npm_that_does_not_answer_is_not_waited_for(monkeypatch, tmp_path):
    def late(command, **_):
        raise subprocess.TimeoutExpired(command, 1.0)

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", late)
    with pytest.raises(NotFetchedError, match="npm gives no"):
        fetch(whole_plotly_script_path(), tmp_path / "small.js")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_npm_has_it(tmp_path):
    """Asks npm's registry, as installation does."""
    into = tmp_path / "small.js"
    fetch(whole_plotly_script_path(), into)
    assert into.stat().st_size < 0.4 * whole_plotly_script_path().stat().st_size
