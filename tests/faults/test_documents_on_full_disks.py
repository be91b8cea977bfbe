"""A document is written whole or not at all, and one sentence says what was in the way."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from dpviz.command_line import main

pytest.importorskip("resource", reason="limits of this kind are for Unix")
from tests.faults.disks import short_files, small_disk

SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
OPTIONS = [*SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=3"]
GOOD = "a good statement of an earlier run"


@pytest.fixture
def earlier(tmp_path):
    path = tmp_path / "statement.md"
    path.write_text(GOOD)
    return path


def refused(path, command="statement"):
    """Check that a command which cannot write ends as one that was refused."""
    assert main([command, *OPTIONS, "--output", str(path)]) == 2


def reason_told(told, path):
    """Return the reason that the one sentence gives."""
    assert told.out == ""
    begin = "dpviz: --output "
    assert told.err.startswith(begin)
    assert told.err.count("\n") == 1
    shown, _, reason = told.err.removeprefix(begin).rstrip(".\n").partition(" cannot be written: ")
    assert shown == str(path) or (shown.endswith("...") and str(path).startswith(shown[:-3]))
    return reason


@pytest.mark.parametrize("command", ["statement", "report"])
def test_file_that_is_cut_off_leaves_the_good_one(command, earlier, capsys):
    with short_files(1000):
        refused(earlier, command)
    assert reason_told(capsys.readouterr(), earlier) == "File too large"
    assert earlier.read_text() == GOOD
    assert [path.name for path in earlier.parent.iterdir()] == [earlier.name]


def test_full_disk_leaves_the_good_file_and_is_named(tmp_path, capsys):
    with small_disk(tmp_path / "disk", kilobytes=8) as disk:
        path = disk / "s.md"
        path.write_text(GOOD)
        refused(path)
        assert reason_told(capsys.readouterr(), path) == "No space left on device"
        assert path.read_text() == GOOD
        assert sorted(file.name for file in disk.iterdir()) == ["filling", "s.md"]


def test_read_only_disk_is_named(tmp_path, capsys):
    with small_disk(tmp_path / "disk", read_only=True) as disk:
        refused(disk / "s.md")
        assert reason_told(capsys.readouterr(), disk / "s.md") == "Read-only file system"


@pytest.mark.parametrize(
    ("refusing", "number", "reason"),
    [
        ("dpviz.files.replacement.tempfile.mkstemp", 13, "Permission denied"),
        # Some file systems take what is written and say later that there was no room.
        ("os.fsync", 28, "No space left on device"),
    ],
)
def test_refusal_of_the_system_leaves_the_good_file_and_is_named(
    earlier, capsys, monkeypatch, refusing, number, reason
):
    monkeypatch.setattr(refusing, Mock(side_effect=OSError(number, reason)))
    refused(earlier)
    assert reason_told(capsys.readouterr(), earlier) == reason
    assert earlier.read_text() == GOOD
    assert [path.name for path in earlier.parent.iterdir()] == [earlier.name]


def test_file_that_is_replaced_keeps_its_permissions_and_its_links(earlier, tmp_path, capsys):
    earlier.chmod(0o640)
    link = tmp_path / "latest.md"
    link.symlink_to(earlier)
    assert main(["statement", *OPTIONS, "--output", str(link)]) == 0
    assert link.is_symlink()
    assert "ε ≤" in earlier.read_text(encoding="utf-8")
    assert stat.S_IMODE(earlier.stat().st_mode) == 0o640
    assert capsys.readouterr().out == f"written: {link}\n"
    (tmp_path / "other").touch()
    assert main(["statement", *OPTIONS, "--output", str(tmp_path / "s.md")]) == 0
    assert (tmp_path / "s.md").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_link_that_leads_to_itself_is_refused(tmp_path, capsys):
    loop = tmp_path / "loop.md"
    loop.symlink_to(loop)
    refused(loop)
    assert "symbolic links" in reason_told(capsys.readouterr(), loop)


def test_pipe_is_written_to_and_not_replaced(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as readers:
        read = readers.submit(pipe.read_text, encoding="utf-8")
        assert main(["statement", *OPTIONS, "--output", str(pipe)]) == 0
        assert "ε ≤" in read.result(timeout=30)
    assert pipe.is_fifo()
