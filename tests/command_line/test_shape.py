"""``python -m dpviz shape``: a file's series without an upload."""

import os
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from dpviz.command_line import shape
from dpviz.scenario import from_fields, from_json
from dpviz.series_file import LAYOUTS
from dpviz.wording.file_shape import LAYOUT_NAMES

DAYS = [f"2024-01-{day:02}" for day in range(1, 31)]
LONG = "".join(f"{shop},{day},{at}\n" for shop in "abc" for at, day in enumerate(DAYS))


@pytest.fixture
def sales(tmp_path):
    """Return the path of a file of three shops and thirty days."""
    file = tmp_path / "sales.csv"
    file.write_text("store_id,date,sales\n" + LONG, encoding="utf-8")
    return file


def test_a_file_gives_counts_a_scenario_and_a_link(sales, tmp_path, answer_of):
    out = tmp_path / "shape.json"
    found = answer_of("shape", sales, "--out", out, "--base-url", "https://dp.example.org/app")
    assert (found["num_series"], found["shortest"], found["longest"]) == (3, 30, 30)
    assert (found["layout"], found["time_step"], found["doubt"]) == ("long", "1 day", None)
    scenario = from_json(out.read_bytes())
    assert from_fields(found["scenario"]) == scenario
    assert (scenario.shape.num_series, scenario.shape.series_lengths) == (3, (30,))
    link = urlsplit(found["link"])
    assert link.geturl().startswith("https://dp.example.org/app/")
    assert parse_qs(link.query)["num_series"] == ["3"]


def test_windows_are_those_asked_for_else_usual_ones_and_said_to_be(sales, answer_of):
    usual = answer_of("shape", sales)
    assert (usual["scenario"]["context_length"], usual["scenario"]["forecast_length"]) == (28, 7)
    assert sum("usual for a time step of 1 day: set your own" in n for n in usual["notes"]) == 2
    own = answer_of("shape", sales, "--context-length=5", "--forecast-length=2", "--batch-size=2")
    fields = own["scenario"]
    assert (fields["context_length"], fields["forecast_length"], fields["batch_size"]) == (5, 2, 2)
    chosen = ("Context length", "Forecast length", "Batch size")
    assert not any(note.startswith(chosen) for note in own["notes"])
    # No option sets these, and whoever computes with the scenario computes with them.
    examples = ("Noise multiplier σ = 1 is an", "in steps = 1,000 is an", "protected is one value")
    assert all(any(told in note for note in own["notes"]) for told in examples)
    # The page asks for what nobody has chosen, and answers nothing until then.
    asked = [parse_qs(urlsplit(found["link"]).query).get("ask") for found in (usual, own)]
    assert asked == [
        ["context_length,forecast_length,batch_size,relation_width,training"],
        ["relation_width,training"],
    ]


def test_one_value_is_no_several(tmp_path, text_of):
    file = tmp_path / "one.csv"
    file.write_text("series,time,value,person\na,2024-01-01,4,p\n", encoding="utf-8")
    lines = text_of("shape", file, "--person", "person").splitlines()
    assert lines[0] == "1 series, 1 value each"
    assert "1 person, in up to 1 series each, with up to 1 value in one" in lines


def test_a_batch_is_held_against_the_files_series_not_the_examples(tmp_path, answer_of):
    """The example has 320 series."""
    file = tmp_path / "many.csv"
    rows = "".join(f"s{at},1,2,3,4\n" for at in range(400))
    file.write_text(f"name,v1,v2,v3,v4\n{rows}", encoding="utf-8")
    windows = ["--context-length=1", "--forecast-length=1", "--layout=rows"]
    for asked, taken in ((400, 400), (1000, 400)):
        found = answer_of("shape", file, *windows, f"--batch-size={asked}")
        assert found["scenario"]["batch_size"] == taken
        lowered = [note for note in found["notes"] if "lowered from 1,000 to 400" in note]
        assert len(lowered) == (asked > taken)


def test_lines_to_read_end_with_the_link_and_say_what_is_in_doubt(tmp_path, text_of):
    file = tmp_path / "rows.csv"
    file.write_text("a,b,c,d\n1,2,3,4\n5,6,7,8\n", encoding="utf-8")
    lines = text_of("shape", str(file)).splitlines()
    assert lines[0] == "4 series, 2 values each"
    assert any("in doubt" in line and "--layout rows reads it" in line for line in lines)
    assert lines[-1].startswith("link: http://localhost:8501/")
    assert text_of("shape", str(file), "--layout", "rows").startswith("2 series, 4 values each")


def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path, refusal_of):
    file = tmp_path / "bad.csv"
    file.write_text("id,t,value\na,1,1\na,1,1\n", encoding="utf-8")
    for arguments, told in (
        ((file,), "Line 3: the series"),
        ((tmp_path / "none.csv",), "cannot be read: No such file"),
    ):
        assert told in refusal_of("shape", *arguments)


def test_what_can_be_read_once_only_is_read_whole(sales, tmp_path, answer_of):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    Thread(target=pipe.write_bytes, args=[sales.read_bytes()], daemon=True).start()
    found = answer_of("shape", pipe)
    assert (found["num_series"], found["longest"], found["layout"]) == (3, 30, "long")


def test_layouts_are_those_of_the_reader():
    assert shape.LAYOUTS == LAYOUTS == tuple(LAYOUT_NAMES)


@pytest.fixture
def homes(tmp_path):
    """Return the path of a file of five meters in three households."""
    file = tmp_path / "homes.csv"
    rows = [f"m{at},{home},{day},{at}" for at, home in enumerate("aaabc") for day in DAYS]
    file.write_text("meter_id,household_id,date,kwh\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_persons_of_a_file_are_counted_and_protected(homes, answer_of):
    found = answer_of("shape", homes, "--person", "household_id")
    assert found["persons"]["count"] == 3
    assert found["persons"]["most_series"] == 3
    scenario = from_fields(found["scenario"])
    assert scenario.shape.num_series == 5
    relation = scenario.relation
    assert (relation.level, relation.width, relation.series_per_person) == ("user", 30, 3)


def test_persons_of_more_values_than_can_be_protected_are_refused(
    homes, tmp_path, monkeypatch, refusal_of
):
    monkeypatch.setattr(shape, "WIDEST_RELATION", 29)
    cut = tmp_path / "cut.csv"
    asked = ("--person", "household_id", "--series-per-person", "2", "--cut", cut)
    assert "30 values in one series, and at most 29 can be protected" in refusal_of(
        "shape", homes, *asked
    )
    assert not cut.exists()


def test_nobody_is_in_more_series_than_are_long_enough(homes, answer_of):
    with homes.open("a", encoding="utf-8") as file:
        file.write(f"m9,a,{DAYS[0]},1\n")
    found = answer_of("shape", homes, "--person", "household_id")
    assert (found["persons"]["most_series"], found["num_series"]) == (4, 6)
    assert found["persons"]["series_per_person"] == 4
    lines = homes.read_text().splitlines(keepends=True)
    homes.write_text("".join([*lines[:31], lines[-1]]))
    found = answer_of("shape", homes, "--person", "household_id")
    assert (found["persons"]["most_series"], found["scenario"]["num_series"]) == (2, 1)
    assert found["persons"]["series_per_person"] == 1
    assert from_fields(found["scenario"]).relation.series_per_person == 1


def test_a_cut_leaves_at_most_so_many_series_of_a_person(homes, tmp_path, answer_of):
    cut = tmp_path / "cut.csv"
    many = ["--person", "household_id", "--series-per-person", "2"]
    would = answer_of("shape", homes, *many)
    assert would["persons"]["values_lost"] == 30
    assert would["scenario"]["series_per_person"] == 3  # nothing was cut
    found = answer_of("shape", homes, *many, "--cut", cut)
    assert found["num_series"] == 4
    assert found["scenario"]["series_per_person"] == 2
    assert answer_of("shape", cut, "--person", "household_id")["persons"]["most_series"] == 2


def test_a_cut_has_the_series_of_its_file_though_another_column_could_name_what_is_left(
    tmp_path, answer_of
):
    rows = [f"A,box {1 + (at > 9)},{'xy'[at > 9]},{day},5" for at, day in enumerate(DAYS[:20])]
    rows += [f"A,box 3,x,{day},2" for day in DAYS[:5]]
    rows += [f"B,box 4,z,{day},4" for day in DAYS[:20]]
    file = tmp_path / "boxes.csv"
    file.write_text("site,box,home,date,kwh\n" + "\n".join(rows) + "\n", encoding="utf-8")
    asked = ["--person", "home", "--series-per-person", "1", "--cut", tmp_path / "cut.csv"]
    found = answer_of("shape", file, *asked)
    assert (found["num_series"], found["shortest"]) == (3, 10)
    assert 'Column "box" was taken to name the series' in found["notes"][0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--series-per-person=2"], "--series-per-person is read only along with --person"),
        (["--cut=out.csv"], "--cut is read only along with --person"),
        (["--person=household_id", "--cut=out.csv"], "--cut needs --series-per-person"),
        (["--person=household_id", "--layout=wide"], "--person needs a long table"),
        (["--person=nobody"], 'There is no column "nobody"'),
        (["--out={}"], "homes.csv is not allowed: it must be another file than FILE"),
        (
            ["--person=household_id", "--series-per-person=2", "--cut={}"],
            "homes.csv is not allowed: it must be another file than FILE",
        ),
        (
            ["--person=household_id", "--series-per-person=2", "--out=a", "--cut=a"],
            "--cut a is not allowed: it must be another file than --out",
        ),
    ],
)
def test_what_is_no_question_about_a_file_is_refused_and_leaves_it(
    homes, arguments, told, monkeypatch, refusal_of
):
    monkeypatch.chdir(homes.parent)
    before = homes.read_bytes()
    assert told in refusal_of("shape", homes, *(one.format(homes) for one in arguments))
    assert homes.read_bytes() == before
