"""One command makes all shipped tables of runs."""

from pathlib import Path

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
