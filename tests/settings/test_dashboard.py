"""Where classes of workshops are kept, and where they cannot be."""

import os
from pathlib import Path

import pytest

from dpviz.settings.dashboard import CLASSES_VARIABLE, classes_file


def test_the_operator_names_the_file_or_turns_classes_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "in" / "a" / "folder" / "mine.sqlite"
    monkeypatch.setenv(CLASSES_VARIABLE, str(path))
    assert classes_file() == path
    assert not path.parent.exists()  # before a class is started
    monkeypatch.setenv(CLASSES_VARIABLE, "off")
    assert classes_file() is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has another folder for it")
def test_without_a_name_it_lies_where_programs_keep_what_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CLASSES_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert classes_file() == tmp_path / "dpviz" / "classes.sqlite"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert classes_file() == tmp_path / "home" / ".local" / "state" / "dpviz" / "classes.sqlite"


def test_where_nothing_can_be_written_there_are_no_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CLASSES_VARIABLE, str(tmp_path / "file" / "classes.sqlite"))
    assert classes_file() is None
