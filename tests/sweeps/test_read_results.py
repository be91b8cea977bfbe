"""Results of a sweep out of a file: those that were written, and no others."""

import io
import tracemalloc

import numpy as np
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from dpviz.export.comparison_tables import sweep_rows_table
from dpviz.figures.sweep_results import parallel_chart, scatter_chart
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError
from dpviz.settings import SETTINGS
from dpviz.settings.sweep import SWEEP_AXES
from dpviz.sweeps import results as reading
from dpviz.sweeps.results import (
    ANSWER_COLUMNS,
    FIELD_COLUMNS,
    csv_text,
    parquet_bytes,
    read_results,
    results_table,
    varying,
)
from dpviz.wording.sweep_results import row_sentence, short_word
from tests.sweeps.grids import toy_rows

ROWS = toy_rows(batch_size=[8, 999], noise_multiplier=[1.0, 2.0], steps=[5, 7], value_unit="=cars")
ANSWERS = [
    {"status": "refused", "error_field": "batch_size", "error": "batch_size = 999, too many"}
    if row.problem
    else {
        "status": "answered",
        "epsilon_upper": 10.0 / row.number,
        "epsilon_lower": 9.0 / row.number,
        "upper_theorem": "4.4",
        "unit": "step",
        "count": row.scenario.num_steps,
    }
    for row in ROWS
]
TABLE = results_table(ROWS, ANSWERS, ())


def changed(**columns) -> bytes:
    return csv_text({**TABLE, **columns}).encode()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_what_is_written_is_read_with_every_digit(kind):
    content = csv_text(TABLE).encode() if kind == "csv" else parquet_bytes(TABLE)
    results = read_results(content, f"results.{kind}")
    assert results.rows.tolist() == [1, 2, 3, 4]
    assert results.others == 4
    assert results.numbers["epsilon_upper"].tolist() == [10.0 / n for n in (1, 2, 3, 4)]
    for place, row in enumerate(ROWS[:4]):
        assert results.scenario_at(place) == row.scenario
    assert results.words["upper_theorem"][0] == "4.4"


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("unit", ["=cars", "'=cars", "''-cars", "'cars"])
def test_a_unit_stays_as_it_was_typed(unit, kind):
    rows = toy_rows(value_unit=unit)
    answer = {"status": "answered", "epsilon_upper": 2.0, "epsilon_lower": 1.0, "unit": "step"}
    table = results_table(rows, [answer] * len(rows), ())
    content = csv_text(table).encode() if kind == "csv" else parquet_bytes(table)
    scenario = read_results(content, f"results.{kind}").scenario_at(0)
    assert scenario.units.value_unit == unit


def test_columns_that_vary_are_told_and_epsilon_is_last():
    results = read_results(csv_text(TABLE).encode(), "r.csv")
    assert set(varying(results, np.arange(4))) == {
        "noise_multiplier", "steps", "epsilon_upper",
    }  # fmt: skip
    assert varying(results, np.arange(4))[-1] == "epsilon_upper"
    assert varying(results, np.arange(1)) == ["epsilon_upper"]


def test_every_setting_has_an_axis_but_units_and_a_column_of_words_names_them():
    units = {"schema", "time_step", "value_unit"}
    assert set(FIELD_COLUMNS) - units == set(SWEEP_AXES) - {*ANSWER_COLUMNS}
    table = {**TABLE, "top_level": ["bins", "", "<b>", "bins", *[None] * 4]}
    table |= {"series_per_person": [None, 2, None, 2, *[None] * 4]}
    table |= {"max_change": [None, 1.5, None, 1.5, *[None] * 4]}
    results = read_results(csv_text(table).encode(), "r.csv")
    names, places = results.names["top_level"], results.numbers["top_level"]
    named = [names[int(place)] for place in places]
    assert named == ["bins", "without-replacement", "<b>", "bins"]  # absent: schema 1's
    assert results.numbers["series_per_person"].tolist() == [1, 2, 1, 2]
    varied = {"top_level", "series_per_person", "max_change"}
    assert varied <= set(varying(results, np.arange(4)))
    spec = scatter_chart(results, np.arange(4), "top_level", "series_per_person", 1)
    assert spec["layout"]["xaxis"]["ticktext"] == ["&lt;b&gt;", "in bins", "at random"]
    # The file of the rows has the words, not their places.
    rows = sweep_rows_table(results, np.arange(4)).cells
    assert rows["top_level"].tolist() == ["bins", "", "<b>", "bins"]
    assert np.isnan(rows["series_per_person"]).tolist() == [True, False, True, False]
    # The one value of a column beside rows that have none stands once.
    drawn = parallel_chart(results, np.arange(4), 3)["layout"]["annotations"]
    assert [note["text"] for note in drawn].count("1.5") == 1


def test_many_lists_of_lengths_are_named_here_and_there_and_by_no_part_of_a_number():
    lists = [",".join(str(at) for at in range(20, 200 + row, 30)) for row in range(40)]
    table = {name: [*cells[:4], *cells[:4]] * 5 for name, cells in TABLE.items()}
    table |= {"row": list(range(1, 41)), "series_length": lists}
    results = read_results(csv_text(table).encode(), "r.csv")
    axis = scatter_chart(results, np.arange(40), "series_length", "noise_multiplier", 1)["layout"][
        "xaxis"
    ]
    assert len(axis["ticktext"]) == len(axis["tickvals"]) <= 12
    assert short_word("series_length", lists[0]) == "20 … 170 (6)"
    assert short_word("series_length", "20,30") == "20 / 30"
    # Beyond the room only with blanks around what parts them.
    assert short_word("series_length", "1000,2000,3000") == "1000 … 3000 (3)"


def test_words_of_seven_columns_stand_beside_each_other_on_a_phone():
    for column in ("top_level", "bottom_level", "relation"):
        for word in SETTINGS[column].choices:
            assert len(short_word(column, word)) <= 9, word


NUMBERS = ["1", "2", "3", "4", *[None] * 4]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"a,b\n1,2\n", 'no column "row"'),
        (b"PAR1 and nothing more PAR1", "damaged"),
        (changed(epsilon_upper=["2,5", *NUMBERS[1:]]), '"2,5" is no finite number'),
        (changed(epsilon_upper=["nan", *NUMBERS[1:]]), '"nan" is no finite number'),
        (changed(epsilon_upper=["1e999", *NUMBERS[1:]]), '"1e999" is no finite number'),
        (changed(epsilon_upper=["", *NUMBERS[1:]]), '"epsilon_upper" must hold a number'),
        (changed(epsilon_upper=["_1", *NUMBERS[1:]]), '"_1" is no finite number'),
        (changed(noise_multiplier=["<b>", *NUMBERS[1:]]), '"<b>" is no finite number'),
        (changed(delta=["", *NUMBERS[1:]]), '"delta" must hold a number'),
        (changed(epsilon_lower=["99", *NUMBERS[1:]]), "larger than its row's upper bound"),
        (changed(row=[1, 1, 2, 3, 4, 5, 6, 7]), "holds a number twice"),
        (changed(row=[1.5, 1, 2, 3, 4, 5, 6, 7]), "the whole numbers of the rows"),
        (changed(status=["refused"] * 8), "None of the file's 8 rows has a finite epsilon"),
    ],
    ids=range(14),
)
def test_what_is_no_such_file_is_refused_in_a_sentence(content, said):
    with pytest.raises(SeriesFileError) as refused:
        read_results(content, "results.csv")
    assert said in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_number_below_zero_is_refused():
    values = [-1.0, *TABLE["epsilon_upper"][1:]]
    content = parquet_bytes({**TABLE, "epsilon_upper": values, "epsilon_lower": [None] * 8})
    with pytest.raises(SeriesFileError, match='"epsilon_upper" must hold a number of at least 0'):
        read_results(content, "r.parquet")


def test_a_column_of_lists_is_refused():
    sink = io.BytesIO()
    parquet.write_table(arrow.table({**TABLE, "row": [[1]] * 8}), sink)
    with pytest.raises(SeriesFileError, match='Column "row" holds'):
        read_results(sink.getvalue(), "r.parquet")


def test_a_file_of_too_many_rows_is_refused(monkeypatch):
    monkeypatch.setattr(reading, "MOST_SHOWN_ROWS", 7)
    with pytest.raises(SeriesFileError, match="more than 7 rows"):
        read_results(csv_text(TABLE).encode(), "r.csv")


def test_one_long_cell_makes_no_other_as_long():
    """Ten thousand rows as wide as the widest one would end a server."""
    rows = [f"{at},answered,1,0.5,1e-5,step" for at in range(1, 1001)]
    table = ["row,status,epsilon_upper,epsilon_lower,delta,unit", *rows]
    content = "\n".join([*table, ""]).replace("step", "x" * 10**5, 1).encode()
    tracemalloc.start()
    results = read_results(content, "r.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(results.words["unit"][0]) == 10**5
    assert peak < 50 * 2**20


def test_a_row_s_settings_are_checked_like_a_link_s():
    results = read_results(changed(batch_size=["99999", *["8"] * 7]), "r.csv")
    with pytest.raises(ScenarioError, match="batch_size = 99999 is not allowed"):
        results.scenario_at(0)


def test_a_table_of_rows_has_their_theorems_and_whom_they_protect():
    """And no text that a spreadsheet would compute."""
    results = read_results(parquet_bytes(TABLE), "results.parquet")
    cells = sweep_rows_table(results, np.array([1, 3])).cells
    assert cells["upper_theorem"].tolist() == ["4.4", "4.4"]
    assert cells["unit"].tolist() == ["step", "step"]
    assert cells["relation"].tolist() == ["event", "event"]
    assert cells["value_unit"].tolist() == ["'=cars", "'=cars"]
    assert "upper_condition" not in cells  # as no row has one


def test_the_sentence_of_a_row_says_all_that_its_bound_rests_on():
    words = {"upper_condition": "no value moves", "upper_extension": "coins in its place"}
    content = changed(**{name: [text, *[None] * 7] for name, text in words.items()})
    results = read_results(content, "r.csv")
    told = [row_sentence(results, at, results.scenario_at(at)) for at in (0, 1)]
    assert told[0].endswith(" of one series; only if no value moves; coins in its place.")
    assert told[1].endswith(" of one series.")
