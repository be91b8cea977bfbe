"""The package as others install it: out of the source archive, where nothing else of it is."""

import json
import os
import subprocess
import sys
import zipfile

import pytest

from tests.browser.server import REPOSITORY, Server, free_port, wait_until_served

pytestmark = pytest.mark.slow
# Neither the repository nor what it runs in is found from there.
_ALONE = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
_SCENARIO = [
    *("--top-rate", "0.1", "--bottom-rate", "0.1", "--noise-multiplier", "1", "--steps", "10"),
]


def _environment(folder):
    """Make an empty environment, and return the folder of its commands."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    return folder / "bin"


def _install(commands, *what):
    pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", *what]
    subprocess.run(pip, check=True, env=_ALONE, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel that is built from the source archive."""
    folder = tmp_path_factory.mktemp("build")
    commands = _environment(folder / "environment")
    _install(commands, "build")
    build = [str(commands / "python"), "-m", "build", "--outdir", str(folder), str(REPOSITORY)]
    subprocess.run(build, check=True, env=_ALONE, stdout=subprocess.DEVNULL)
    assert len(list(folder.glob("dpviz-*.tar.gz"))) == 1
    (made,) = folder.glob("dpviz-*.whl")
    return made


def test_wheel_holds_all_files_of_the_package_and_no_other(wheel):
    told = subprocess.run(
        ["git", "ls-files", "dpviz", "app.py", "pages", ".streamlit"],
        check=True, cwd=REPOSITORY, capture_output=True, text=True,
    )  # fmt: skip
    expected = {
        name if name.startswith("dpviz/") else f"dpviz/dashboard/{name}"
        for name in told.stdout.splitlines()
    }
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == expected


def test_computation_alone_needs_no_dashboard(wheel, tmp_path):
    commands = _environment(tmp_path / "environment")
    _install(commands, str(wheel))
    told = [
        subprocess.run(
            [*command, "epsilon", *_SCENARIO, "--json"],
            check=True, cwd=tmp_path, env=_ALONE, capture_output=True, text=True,
        ).stdout
        for command in ([str(commands / "dpviz")], [str(commands / "python"), "-m", "dpviz"])
    ]  # fmt: skip
    assert told[0] == told[1]
    assert json.loads(told[0])["scenario"]["steps"] == 10
    refused = subprocess.run(
        [commands / "dpviz", "app"], cwd=tmp_path, env=_ALONE, capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert refused.stderr == 'dpviz: the dashboard needs streamlit: pip install "dpviz[app]".\n'


@pytest.fixture
def installed(wheel, tmp_path):
    """Serve the dashboard from an environment of its own, started elsewhere."""
    commands = _environment(tmp_path / "environment")
    _install(commands, f"{wheel}[app]")
    port, log = free_port(), tmp_path / "server.log"
    quiet = {"STREAMLIT_SERVER_HEADLESS": "true", "STREAMLIT_SERVER_ADDRESS": "127.0.0.1"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [commands / "dpviz", "app", "--port", str(port)],
            cwd=tmp_path, env=_ALONE | quiet, stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    server = Server(process, f"http://127.0.0.1:{port}/", log)
    wait_until_served(server)
    yield server
    server.stop()


def test_dashboard_runs_from_the_wheel(installed, lasting_page):
    visitor = lasting_page(f"{installed.url}privacy_curve")
    assert "ε ≤" in visitor.headline
    assert visitor.locator(".dpviz-control").count() > 3
    assert "Traceback" not in installed.log.read_text()
