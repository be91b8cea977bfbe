"""The chart's files are whole where they are served, or the chart is drawn in another way."""

import gzip
import os
import time

import pytest

from dpviz.figures.browser_files import packed_plotly_script, plotly_script_path
from dpviz.ui import static_files
from dpviz.ui.static_files import CHART_FILE, CHART_MODULE, MODULES, PLOTLY_FILE, ServedFolder

GOOD = MODULES | {PLOTLY_FILE: packed_plotly_script()}
BROKEN = {
    "empty": lambda _: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "of another kind": lambda _: b"<html>Not found</html>",
    "changed in one place": lambda content: content[:5000] + b"x" + content[5001:],
}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "static"


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("how", BROKEN)
def test_broken_file_is_written_anew_when_the_server_starts(name, how, folder):
    folder.mkdir()
    for other, content in GOOD.items():
        (folder / other).write_bytes(BROKEN[how](content) if other == name else content)
    assert ServedFolder(folder).is_ready()
    assert content_of(folder) == GOOD


def test_file_that_breaks_while_the_server_runs_is_written_anew(folder):
    served = ServedFolder(folder)
    assert served.is_ready()
    (folder / PLOTLY_FILE).write_bytes(b"")
    assert served.is_ready()
    (folder / CHART_FILE).unlink()
    assert served.is_ready()
    assert content_of(folder) == GOOD


def test_folder_that_vanishes_comes_back(folder):
    served = ServedFolder(folder)
    assert served.is_ready()
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    assert served.is_ready()
    assert content_of(folder) == GOOD


def test_whole_files_are_left_alone_whoever_packed_them(folder):
    folder.mkdir()
    for name, content in MODULES.items():
        (folder / name).write_bytes(content)
    (folder / PLOTLY_FILE).write_bytes(
        gzip.compress(plotly_script_path().read_bytes(), compresslevel=1)
    )
    before = [(folder / name).stat() for name in GOOD]
    assert ServedFolder(folder).is_ready()
    assert [(folder / name).stat().st_ino for name in GOOD] == [one.st_ino for one in before]


def test_what_a_killed_server_left_unfinished_goes_and_what_another_one_writes_stays(folder):
    folder.mkdir()
    left, fresh = folder / ".new-left", folder / ".new-fresh"
    for path in (left, fresh):
        path.write_bytes(b"half")
    long_ago = time.time() - 3600.0
    os.utime(left, (long_ago, long_ago))
    assert ServedFolder(folder).is_ready()
    assert not left.exists()
    assert fresh.exists()


@pytest.mark.parametrize("number", [28, 30, 13], ids=["ENOSPC", "EROFS", "EACCES"])
def test_folder_that_cannot_be_written_is_named_once_and_tried_again_later(
    number, folder, monkeypatch, caplog
):
    """A full disk may have room again: the charts change in place from then on."""

    def refuse(*_arguments, **_options):
        raise OSError(number, os.strerror(number))

    served = ServedFolder(folder)
    with monkeypatch.context() as patched:
        patched.setattr("dpviz.files.replacement.tempfile.mkstemp", refuse)
        for _ in range(3):
            assert not served.is_ready()
        [line] = caplog.messages
        assert str(folder) in line
        assert os.strerror(number) in line
    assert not served.is_ready()
    now = time.monotonic() + static_files.SECONDS_TO_TRY_AGAIN
    monkeypatch.setattr(static_files.time, "monotonic", lambda: now)
    assert served.is_ready()
    assert content_of(folder) == GOOD
    assert len(caplog.messages) == 1


def test_full_disk_leaves_no_half_of_a_file(tmp_path, caplog):
    pytest.importorskip("resource", reason="limits of this kind are for Unix")
    from tests.faults.disks import small_disk

    with small_disk(tmp_path / "disk", kilobytes=60) as disk:
        served = ServedFolder(disk / "static")
        assert not served.is_ready()
        [line] = caplog.messages
        assert "No space left on device" in line
        assert content_of(disk / "static") == {CHART_FILE: CHART_MODULE}


def test_read_only_folder_with_whole_files_is_served(tmp_path):
    """As in an image that was started once while it was built."""
    pytest.importorskip("resource", reason="limits of this kind are for Unix")
    from tests.faults.disks import small_disk

    with small_disk(tmp_path / "disk", read_only=True, files=GOOD) as disk:
        assert ServedFolder(disk).is_ready()
