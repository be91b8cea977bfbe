"""The command that computes many scenarios: killed, refused, and on a cluster."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from dpviz.command_line import main
from dpviz.sweeps import run
from tests.browser.processes import children_of
from tests.csv_text import rows_of
from tests.sweeps.grids import CHEAP, SMALL, toy_grid
from tests.waiting import until

ROOT = Path(__file__).parents[2]
NUM_ROWS = 24


@pytest.fixture
def grid(tmp_path):
    path = tmp_path / "grid.json"
    path.write_text(toy_grid(**SMALL), encoding="utf-8")
    return path


@pytest.fixture
def longer_grid(grid):
    grid.write_text(toy_grid(**CHEAP), encoding="utf-8")
    return grid


def sweep(grid, out, *options):
    return main(["sweep", str(grid), "--out", str(out), "--processes", "1", *options])


def test_the_table_has_every_row_and_bad_ones_are_told(grid, tmp_path, capsys):
    out = tmp_path / "results.csv"
    assert sweep(grid, out, "--epsilon", "1") == 0
    said = capsys.readouterr()
    assert said.out == f"written: {out} (24 rows: 12 answered, 12 refused)\n"
    assert "dpviz: row 13 is skipped: batch_size = 999 is not allowed: it must be" in said.err
    assert "dpviz: 2 more rows are skipped; the table has why." in said.err
    assert "24 of 24 scenarios" in said.err
    rows = rows_of(out.read_text(encoding="utf-8"))
    assert [int(row["row"]) for row in rows] == [*range(1, NUM_ROWS + 1)]
    assert {row["status"] for row in rows} == {"answered", "refused"}
    assert all(row["delta_upper_at_epsilon_1"] or row["error"] for row in rows)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grid.json", "results.csv"]


def test_the_same_command_again_and_with_json_gives_the_same_file(grid, tmp_path, capsys):
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    assert sweep(grid, one, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "written": str(one),
        "rows": 24,
        "answered": 12,
        "no finite epsilon": 0,
        "refused": 12,
        "failed": 0,
    }
    assert main(["sweep", str(grid), "--out", str(other)]) == 0  # on all processors
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sweep", "g.json"], "--out is needed"),
        (["sweep", "g.json", "--out", "r.xlsx"], "it must end with .parquet or .csv"),
        (["sweep", "nowhere.json", "--out", "r.csv"], "nowhere.json cannot be read: No such file"),
        (
            ["sweep", "g.json", "--out", "r.csv", "--processes", "2", "--dask", "tcp://x:1"],
            "--processes is not allowed beside --dask",
        ),
        (["sweep", "g.json", "--output", "r.csv"], "the nearest is --out"),
        (["sweep", "g.json", "--steps", "3"], "there is no such option for sweep"),
    ],
)
def test_a_wrong_command_is_answered_in_one_sentence(
    words, said, tmp_path, monkeypatch, refusal_of
):
    monkeypatch.chdir(tmp_path)
    assert said in refusal_of(*words)


@pytest.mark.parametrize(("name", "out"), [("a.csv", "a.csv"), ("a.csv.journal", "a.csv")])
def test_no_grid_is_written_over(name, out, tmp_path, refusal_of):
    grid = tmp_path / name
    grid.write_text(toy_grid(**SMALL), encoding="utf-8")
    said = refusal_of("sweep", grid, "--out", tmp_path / out)
    assert f"{name} is not allowed: it must be another file than GRID" in said
    assert grid.read_text(encoding="utf-8") == toy_grid(**SMALL)


def test_without_dask_the_package_is_named(grid, tmp_path, monkeypatch, refusal_of):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(run, "importlib", type(importlib)("importlib"))
    monkeypatch.setattr(run.importlib, "import_module", missing, raising=False)
    said = refusal_of("sweep", str(grid), "--out", str(tmp_path / "r.csv"), "--dask", "tcp://x:1")
    assert "sweep cannot be made: the package distributed is not installed: pip install" in said


def started(grid, out, *options):
    return subprocess.Popen(
        [sys.executable, "-m", "dpviz", "sweep", str(grid), "--out", str(out), *options],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_lines(journal, lines, process):
    def are_there():
        return journal.exists() and journal.read_bytes().count(b"\n") > lines

    until(lambda: are_there() or process.poll() is not None, 600.0)


@pytest.mark.slow
def test_a_sweep_that_is_killed_at_random_times_ends_with_the_undisturbed_file(
    longer_grid, tmp_path
):
    undisturbed, out = tmp_path / "one.parquet", tmp_path / "other.parquet"
    assert sweep(longer_grid, undisturbed) == 0
    journal, draw = tmp_path / "other.parquet.journal", Random(1)
    kills = 0
    for _ in range(12):
        before = journal.read_bytes().count(b"\n") if journal.exists() else 0
        process = started(longer_grid, out, "--processes", draw.choice(["1", "2"]))
        wait_for_lines(journal, before + draw.randrange(40), process)
        time.sleep(0.02 * draw.random())
        if process.poll() is None:
            kills += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if out.exists():
            break
    while not out.exists():
        assert started(longer_grid, out, "--processes", "1").wait() == 0
    assert kills >= 2
    assert out.read_bytes() == undisturbed.read_bytes()
    assert not journal.exists()


@pytest.mark.slow
def test_a_process_of_the_pool_that_dies_costs_no_row(longer_grid, tmp_path):
    undisturbed, out = tmp_path / "one.csv", tmp_path / "other.csv"
    assert sweep(longer_grid, undisturbed) == 0
    process = started(longer_grid, out, "--processes", "2")
    wait_for_lines(tmp_path / "other.csv.journal", 1, process)
    computing = [
        number
        for number, _ in children_of(process.pid)
        if b"LokyProcess" in Path(f"/proc/{number}/cmdline").read_bytes()
    ]
    os.kill(computing[0], signal.SIGKILL)
    assert process.wait() == 0
    assert out.read_bytes() == undisturbed.read_bytes()


@pytest.mark.slow
def test_a_cluster_whose_worker_is_killed_midway_loses_no_row(longer_grid, tmp_path):
    pytest.importorskip("distributed")
    undisturbed, out = tmp_path / "one.csv", tmp_path / "other.csv"
    assert sweep(longer_grid, undisturbed) == 0
    processes = []
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def start(*words):
        process = subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        processes.append(process)
        return process

    try:
        address_file = tmp_path / "scheduler.json"
        local = ["--host", "127.0.0.1"]
        start(
            "distributed.cli.dask_scheduler", *local, "--port", "0", "--no-dashboard",
            "--scheduler-file", str(address_file),
        )  # fmt: skip
        while not address_file.exists() or not address_file.read_text():
            time.sleep(0.05)
        address = json.loads(address_file.read_text())["address"]
        workers = [
            start(
                "distributed.cli.dask_worker", address, *local, "--nthreads", "1", "--no-nanny",
                "--no-dashboard",
            )
            for _ in range(2)
        ]  # fmt: skip
        wait_for_workers(address, 2)
        sweeping = started(longer_grid, out, "--dask", address)
        wait_for_lines(tmp_path / "other.csv.journal", 1, sweeping)
        workers[0].kill()
        assert sweeping.wait(timeout=120) == 0
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert out.read_bytes() == undisturbed.read_bytes()


def wait_for_workers(address, number):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(number, timeout=60)


@pytest.mark.slow
def test_a_scheduler_that_nobody_runs_is_said(grid, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(run, "_CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "tls://127.0.0.1:9", "\u202e"):
        asked = ["sweep", str(grid), "--out", str(tmp_path / "r.csv"), "--dask", address]
        assert main(asked) == 2
        shown = address if address.isprintable() else ascii(address)
        assert f"no Dask scheduler answers at {shown} (" in capsys.readouterr().err
