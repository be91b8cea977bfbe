"""A file that was cut off on its way is refused in a sentence, and takes nothing with it."""

import gzip
import io
import json
import zipfile

import pandas as pd
import pytest

from dpviz.planning.first_windows import FIELDS, chosen_value
from dpviz.scenario import PRESETS, ScenarioError, from_json, to_json
from dpviz.series_file import SeriesFileError, read_series_lengths

ROWS = [f"{name},2024-01-{day:02d},{day}" for name in "abc" for day in range(1, 20)]
CSV = "\n".join(["series_id,time,value", *ROWS]).encode()
MOST_CUTS = 60


def parquet():
    pytest.importorskip("pyarrow", reason="Parquet files are written with pyarrow")
    file = io.BytesIO()
    pd.read_csv(io.BytesIO(CSV)).to_parquet(file)
    return file.getvalue()


def archive():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("table.csv", CSV)
    return file.getvalue()


FILES = {
    "table.csv.gz": lambda: gzip.compress(CSV, mtime=0),
    "table.parquet": parquet,
    "table.zip.csv": archive,
    "scenario.json": lambda: to_json(PRESETS["traffic"].scenario, indent=2).encode(),
}


def cuts(content):
    """Yield the file cut off at places all over, its first and its last bytes among them."""
    step = max(1, len(content) // MOST_CUTS)
    yield from (content[:place] for place in {*range(0, len(content), step), len(content) - 1})


@pytest.mark.parametrize("name", ["table.csv.gz", "table.parquet", "table.zip.csv"])
def test_cut_off_table_is_refused_wherever_it_was_cut(name):
    for content in cuts(FILES[name]()):
        with pytest.raises(SeriesFileError) as refusal:
            read_series_lengths(content, name)
        said = str(refusal.value)
        assert said.endswith(".")
        assert "\n" not in said


def test_cut_off_scenario_is_refused_wherever_it_was_cut():
    for content in cuts(FILES["scenario.json"]()):
        with pytest.raises(ScenarioError):
            from_json(content)


def test_text_that_was_cut_off_inside_a_row_is_refused_by_its_line():
    """Between rows, and inside the last cell, nothing tells: the counts that are shown do."""
    whole = len(CSV)
    for place in range(whole - len(ROWS[-1]), whole - len(",19")):
        if CSV[place - 1 : place] == b"\n":
            continue
        with pytest.raises(SeriesFileError, match=r"Line 58 has [12] cells?"):
            read_series_lengths(CSV[:place], "table.csv")
    shorter = read_series_lengths(CSV[: whole - len(ROWS[-1]) - 1], "table.csv")
    assert shorter.lengths == (19, 19, 18)


def test_cut_off_file_leaves_scenario_pins_view_and_the_file_before(open_page):
    """One after the other, in one visit, as somebody does who tries again."""
    app = open_page(parts=("open_data",))
    app.open_series("good.csv", CSV)
    assert "N = 3 series" in app.notes
    for field in FIELDS:
        app.act(f"first_{field}", chosen_value(app.scenario, field))
    app.press("pin")
    app.act("noise_multiplier", 2.0)
    state = app.state
    before = (
        state.scenario,
        state.pins,
        state.view,
        state.origin,
        list(state.history.past),
        state.file,
    )
    answer, link = app.headline, state.link
    assert state.file is not None
    assert len(state.pins) == 1
    for turn, (name, make) in enumerate(FILES.items(), start=1):
        content = make()
        half = content[: len(content) // 2]
        app.upload(f"upload_{turn}", name, half)
        assert "The file was not used." in app.warnings, name
        now = (state.scenario, state.pins, state.view, state.origin, state.history.past, state.file)
        assert now == before
        assert (app.headline, state.link) == (answer, link)
    # What is cut off is no reason for the whole file to be refused.
    content = json.dumps(json.loads(FILES["scenario.json"]())).encode()
    app.upload("upload_5", "s.json", content)
    assert app.state.scenario == PRESETS["traffic"].scenario
