"""A table as CSV says what all of it means, and loses no digit."""

import io

import pandas as pd

from dpviz.export.table import Table, cells_of

TABLE = Table(
    title="two runs",
    about=["protected: one value"],
    meanings={"run": "its name", "epsilon_upper": "at most this, in nats", "steps": "of training"},
    cells=cells_of(
        [{"run": "now", "epsilon_upper": 0.1 + 0.2, "steps": 3}, {"run": "refused"}],
        ["run", "epsilon_upper", "steps"],
    ),
    source=["scenario: {}"],
)


def test_comments_say_what_it_is_then_what_columns_mean_then_where_it_is_from():
    _, *lines = [line for line in TABLE.csv().splitlines() if line.startswith("#")]
    assert lines == [
        "# protected: one value",
        "# run: its name",
        "# epsilon_upper: at most this, in nats",
        "# steps: of training",
        "# scenario: {}",
    ]


def test_numbers_read_back_and_whole_ones_stay_whole_beside_empty_cells():
    assert TABLE.csv().splitlines()[-2:] == ["now,0.30000000000000004,3", "refused,,"]
    read = pd.read_csv(io.StringIO(TABLE.csv()), comment="#", float_precision="round_trip")
    assert read["epsilon_upper"][0] == 0.1 + 0.2
