"""However a command ends, it ends with a sentence and an exit code, and never with a traceback."""

import errno
import json
import os
import shlex
import subprocess
import sys
from importlib import util
from types import SimpleNamespace

import pytest

from dpviz.command_line import app, main
from dpviz.command_line.ends import end_of
from tests.browser.server import REPOSITORY
from tests.command_line.interrupted import SECONDS, interrupted

SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
EPSILON = ["epsilon", *SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=3"]
ENDLESS = ["simulate", *SHAPE, "--batch-size=32", "--batches=2000000"]


def shell(arguments, around):
    """Run a command as a shell does, with redirections or limits around it."""
    command = shlex.join([sys.executable, "-m", "dpviz", *arguments])
    return subprocess.run(
        ["sh", "-c", around.format(command)],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


@pytest.mark.parametrize(
    "ready", ["| signal", "dpviz.scenario.errors", "dpviz.command_line.parser"]
)
def test_ctrl_c_while_python_imports_is_a_sentence(ready):
    assert interrupted(ENDLESS, ready) == (130, "dpviz: stopped.")


def test_ctrl_c_while_a_command_is_about_to_begin_is_a_sentence():
    program = """
import signal
import dpviz.__main__ as command
known = signal.signal
def with_ctrl_c(number, handler):
    known(number, handler)
    if isinstance(handler, command._Stop):
        handler()
signal.signal = with_ctrl_c
command.run()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.strip()) == (130, "dpviz: stopped.")


def test_ctrl_c_inside_of_executed_text_ends_with_the_exit_code_and_no_signal(tmp_path):
    """A dataclass executes text, and so do packages while they are imported."""
    (tmp_path / "stopped.py").write_text("""
import sys
import dpviz.command_line
from dpviz.__main__ import run
def main():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 130
dpviz.command_line.main = main
sys.exit(run())
""")
    paths = os.pathsep.join([str(tmp_path), str(REPOSITORY)])
    ended = subprocess.run(
        [sys.executable, "-m", "stopped"], env=os.environ | {"PYTHONPATH": paths}, check=False
    )
    assert ended.returncode == 130


@pytest.mark.parametrize("line", ["import time", "class _Stop:", "def run() -> int:"])
def test_ctrl_c_while_the_command_itself_is_read_is_a_sentence(line):
    program = f"""
import linecache, os, runpy, signal, sys
def press(frame, event, argument):
    if frame.f_code.co_filename.endswith("dpviz/__main__.py"):
        if linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip() == {line!r}:
            os.kill(os.getpid(), signal.SIGINT)
    return press
sys.settrace(press)
runpy.run_module("dpviz", run_name="__main__")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.strip()) == (130, "dpviz: stopped.")


def test_ctrl_c_while_the_dashboard_starts_is_a_sentence():
    pytest.importorskip("streamlit", reason="the dashboard is Streamlit's")
    assert interrupted(["app"], "streamlit.proto") == (130, "dpviz: stopped.")


@pytest.mark.every(3)
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_in_a_sweep_says_how_it_goes_on(tmp_path, times):
    grid, out = tmp_path / "grid.json", tmp_path / "out.csv"
    fields = {"num_series": 862, "series_length": 17544, "context_length": 96, "steps": 60000}
    fields |= {"forecast_length": 24, "batch_size": [*range(10, 90)], "noise_multiplier": 1}
    grid.write_text(json.dumps(fields))
    code, said = interrupted(
        ["sweep", str(grid), "--out", str(out)], "of 80 scenarios", times=times
    )
    assert code == 130
    assert "Traceback" not in said
    again = f"python -m dpviz sweep {grid} --out {out}"
    told = f"stopped: what is finished is in {out}.journal; the same command goes on from there"
    assert f"dpviz: {told}: {again}" in said


def test_any_command_that_is_stopped_says_so(monkeypatch, capsys):
    def stopped(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("dpviz.command_line.answers.scenario_from", stopped)
    assert main(EPSILON) == 130
    assert capsys.readouterr().err == "dpviz: stopped.\n"


@pytest.mark.parametrize(
    ("arguments", "around", "said"),
    [
        (EPSILON, "{} >&-", "dpviz: standard output is closed: send it to a file or a program.\n"),
        (EPSILON, "{} >/dev/full", "dpviz: the answer cannot be written: No space left on device."),
        (["--help"], "{} >/dev/full", "dpviz: the answer cannot be written: No space left"),
        (["risk", "--help"], "{} >/dev/full", "dpviz: the answer cannot be written: No space left"),
        (EPSILON, "ulimit -v 200000; {}", "dpviz: held up by the system: it allows less memory"),
        (ENDLESS, "ulimit -t 1; {}", "dpviz: held up by the system: no more processor time"),
        (["epsilon"], "{} 2>/dev/full", ""),
        (["epsilon"], "{} 2>&-", ""),
        (EPSILON, "{} >&- 2>&- <&-", ""),
        (EPSILON, "{} >&- 2>/dev/full", ""),
        (EPSILON, "ulimit -v 200000; {} 2>/dev/full", ""),
    ],
)
def test_streams_and_limits_that_hold_a_command_up_are_named(arguments, around, said):
    done = shell(arguments, around)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == (1 if said else 0)
    assert done.stdout == ""


@pytest.mark.parametrize("around", ["{} 2>&-", "{} --processes 2 2>&-"])
def test_closed_errors_do_not_get_into_the_answer(tmp_path, around):
    grid = tmp_path / "grid.json"
    grid.write_text(json.dumps({"num_series": 3, "steps": [1, 0]}))
    done = shell(["sweep", str(grid), "--out", str(tmp_path / "o.csv"), "--json"], around)
    assert done.returncode == 0
    assert json.loads(done.stdout)["rows"] == 2


def test_a_limit_of_memory_is_not_used_up_by_threads_of_arithmetic(tmp_path):
    """What a machine with many processors takes for them ends numpy without a word of dpviz."""
    run = ["train", "--data", "synthetic", "--model", "linear", "--target-epsilon", "8"]
    rest = ["--steps", "5", "--noise-multiplier", "4", "--out", str(tmp_path / "run"), "--json"]
    done = shell([*run, *rest], "unset OPENBLAS_NUM_THREADS; ulimit -v 500000; {}")
    assert (done.returncode, done.stderr) == (0, "")


def test_limits_neither_end_a_command_that_has_answered_nor_make_it_wait_for_memory(tmp_path):
    program = """
import resource, signal, sys
import dpviz.__main__ as command
resource.setrlimit(resource.RLIMIT_CPU, (3600, 3600))
resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))
command.run()
import pyarrow
print(signal.getitimer(signal.ITIMER_PROF)[0], pyarrow.default_memory_pool().backend_name)
"""
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3,4\n5,6\n")
    ended = subprocess.run(
        [sys.executable, "-c", program, "shape", str(tmp_path / "a.csv")],
        capture_output=True,
        text=True,
    )
    assert ended.stdout.splitlines()[-1] == "0.0 system", ended.stderr


def test_too_few_files_are_not_the_fault_of_a_path(tmp_path, monkeypatch, refusal_of):
    def full(*_, **__):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("tempfile.mkstemp", full)
    path = str(tmp_path / "a.md")
    said = refusal_of("statement", *EPSILON[1:], "--output", path)
    assert said == (
        "dpviz: held up by the system: too many files are open: allow more of them (ulimit -n).\n"
    )


def test_what_stops_a_package_while_it_is_loaded_is_told_as_what_it_was():
    def ended(cause):
        problem = ImportError("no module")
        problem.__cause__ = cause
        return end_of(problem)

    assert ended(KeyboardInterrupt()) == (130, "stopped.")
    assert "memory" in ended(ImportError("x.so: failed to map segment from shared object"))[1]
    assert ended(None) == (2, "a package cannot be loaded: no module.")
    with pytest.raises(RuntimeError):
        end_of(RuntimeError("a fault of dpviz"))


@pytest.fixture
def started(monkeypatch):
    """Return what Streamlit is asked for instead."""
    asked: list[list[str]] = []
    streamlit = SimpleNamespace(main=lambda arguments, **_: asked.append(arguments))
    monkeypatch.setattr(app, "import_module", lambda _: streamlit)
    monkeypatch.setattr(app.signal, "signal", lambda *_: None)
    return asked


@pytest.mark.parametrize(("given", "port"), [((), "8501"), (("--port", "8600"), "8600")])
def test_the_repository_s_own_dashboard_is_served(started, given, port):
    assert main(["app", *given]) == 0
    assert started == [["run", str(REPOSITORY / "app.py"), "--server.port", port]]


@pytest.mark.parametrize("package", ["streamlit", "plotly"])
def test_what_the_dashboard_needs_is_named(package, started, monkeypatch, refusal_of):
    there = util.find_spec
    monkeypatch.setattr(app, "find_spec", lambda name: None if name == package else there(name))
    assert f'needs {package}: pip install "dpviz[app]"' in refusal_of("app")
    assert not started


def test_a_package_without_the_dashboard_says_so(started, monkeypatch, refusal_of):
    monkeypatch.setattr(app, "dashboard_script", lambda: None)
    assert "the dashboard is missing" in refusal_of("app")


def test_dashboard_that_streamlit_does_not_start_is_a_refusal(monkeypatch, refusal_of):
    """Its port is taken, say: Streamlit tells that, and ends with exit code 1."""
    streamlit = SimpleNamespace(main=lambda *_, **__: sys.exit(1))
    monkeypatch.setattr(app, "import_module", lambda _: streamlit)
    monkeypatch.setattr(app.signal, "signal", lambda *_: None)
    assert "the dashboard was not started" in refusal_of("app")
