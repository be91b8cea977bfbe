"""One command makes all shipped tables of runs, and leaves them alone until one is whole."""

from pathlib import Path

import pytest

import dpviz
from bench import studies
from dpviz.training_study.results import ABOUT_FILE, ROWS_FILE

PACKAGE = Path(dpviz.__file__).parent


def test_every_shipped_table_of_runs_has_its_study():
    shipped = {
        path.with_name(ABOUT_FILE) if path.name == ROWS_FILE else path
        for path in PACKAGE.glob("*/results/**/*.*")
    }
    assert shipped == {path for _, tables in studies.STUDIES.values() for path in tables}


def test_without_a_folder_it_tells_what_made_each(capsys):
    studies.main([])
    said = capsys.readouterr().out.splitlines()
    assert len(said) == sum(len(tables) for _, tables in studies.STUDIES.values())
    assert "training_study/results/about.json: 2026-11-23, dpviz 1.0.0" in said


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A place of shipped tables where two of one study stand, and that study alone."""
    place = tmp_path / "shipped"
    place.mkdir()
    for name in (ROWS_FILE, ABOUT_FILE):
        (place / name).write_text("before", encoding="utf-8")
    make = studies.partial(studies._training, ["linear"], place)
    monkeypatch.setattr(studies, "STUDIES", {"training": (make, ())})
    return place


def command_that(code: int, asked: list[list[str]]):
    def run(words: list[str]) -> int:
        asked.append(words)
        folder = Path(words[words.index("--out") + 1])
        for name in (ROWS_FILE, ABOUT_FILE):
            (folder / name).write_text("made", encoding="utf-8")
        return code

    return run


@pytest.mark.parametrize(("code", "left"), [(0, "made"), (130, "before")])
def test_tables_are_replaced_when_a_study_is_whole(shipped, tmp_path, monkeypatch, code, left):
    asked: list[list[str]] = []
    monkeypatch.setattr(studies, "run_command", command_that(code, asked))
    for _ in range(2):  # the same folder again: its command goes on from there
        if code:
            with pytest.raises(SystemExit, match="130"):
                studies.main([str(tmp_path / "all")])
        else:
            studies.main([str(tmp_path / "all")])
    assert asked[0] == asked[1]
    assert asked[0][:3] == ["training-study", "--out", str(tmp_path / "all" / "training")]
    assert [(shipped / name).read_text() for name in (ROWS_FILE, ABOUT_FILE)] == [left, left]
