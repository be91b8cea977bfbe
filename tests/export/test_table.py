"""Tables as CSV say what they mean and lose no digit: any table, hits, the paper's panels."""

from dataclasses import replace
from math import inf

import numpy as np
import pandas as pd
import pytest

from dpviz.export.drawing_tables import hits_table
from dpviz.export.paper_tables import paper_panel_table, paper_steps_table
from dpviz.export.protection_tables import hidden_context_table
from dpviz.export.table import Table, cells_of, training_line
from dpviz.export.training_tables import training_study_table
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.one_bag import bag_run, series_first_run
from dpviz.planning.paper_figures.lines import LOOKED_AT
from dpviz.private_inference.example import example
from dpviz.private_inference.plan import HidingPlan
from dpviz.training_study.results import shipped_results
from dpviz.wording.paper_figures import run_name
from tests.csv_text import header_of, table_of
from tests.findings.panels import panel_and_runs, panel_and_steps
from tests.planning.test_one_bag import TOY, in_bag
from tests.scenario.changes import varied

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


def test_no_column_goes_out_without_its_meaning():
    with pytest.raises(ValueError, match="these columns have no meaning: steps"):
        replace(TABLE, meanings={"run": "its name", "epsilon_upper": "at most this, in nats"})
    shared = {"run, steps": "counts", "epsilon_upper": "at most this, in nats"}
    assert replace(TABLE, meanings=shared).cells is TABLE.cells


def test_numbers_read_back_and_whole_ones_stay_whole_beside_empty_cells():
    assert TABLE.csv().splitlines()[-2:] == ["now,0.30000000000000004,3", "refused,,"]
    read = table_of(TABLE.csv())
    assert read["epsilon_upper"][0] == 0.1 + 0.2


def test_named_laws_read_back_exactly():
    named = [("one bag", hit_law(bag_run(TOY))), ("series first", hit_law(series_first_run(TOY)))]
    text = hits_table(named).csv()
    table = table_of(text)
    assert list(table.columns) == ["sampling", "hits", "probability"]
    for name, law in named:
        rows = table[table["sampling"] == name]
        assert rows["probability"].tolist() == law.weights.tolist()
        assert rows["hits"].tolist() == list(range(len(law.weights)))
    assert "# sampling: how a batch is drawn" in text
    assert "in one batch" in text


def test_counts_that_are_too_rare_are_not_listed_as_impossible():
    """Of nearly all windows, drawn at once, most of an individual's are in the batch."""
    law = hit_law(in_bag(6399))
    table = table_of(hits_table([("one bag", law)]).csv())
    assert table["hits"].tolist() == [1, 2]
    assert (table["probability"] > 0.0).all()


@pytest.mark.parametrize(("figure", "at"), [("7", 2), ("8", 1), ("9", 3), ("13", 0)])
def test_every_run_has_its_rows_in_both_readings(figure, at):
    panel, runs = panel_and_runs(figure, at)
    text = paper_panel_table(panel, runs).csv()
    table = table_of(text)
    for run in runs:
        rows = table[table["curve"] == run_name(panel, run.scenario)]
        count = len(rows)
        assert rows["epsilon"].tolist() == LOOKED_AT[:count].tolist()
        of_line = run.line
        on_grid = np.isin(run.line.epsilon, LOOKED_AT)
        assert rows["delta_as_in_paper_bracket_low"].tolist() == (
            of_line.delta_low[on_grid][:count].tolist()
        )
        assert rows["delta_as_in_paper_bracket_high"].tolist() == (
            of_line.delta_high[on_grid][:count].tolist()
        )
        quoted = "high" if of_line.bound.bounds_from_above else "low"
        assert rows["delta_as_in_paper"].equals(rows[f"delta_as_in_paper_bracket_{quoted}"])
        lower = run.curves.lower
        assert rows["delta_lower"].isna().all() == (lower is None)
        if lower is not None:
            assert np.all(rows["delta_lower"] <= rows["delta_upper"])
        assert run.line.bound.theorem in rows["as_in_paper_meaning"].iloc[0]
        # Two computations of one bound: quoted is the closer.
        proven = run.curves.upper.delta_at(rows["epsilon"].to_numpy()).high
        if quoted == "high":
            proven = np.minimum(proven, rows["delta_as_in_paper"])
        assert np.array_equal(rows["delta_upper"], proven)


@pytest.mark.parametrize("figure", ["7", "10"])
def test_header_says_where_it_is_from(figure):
    if figure == "10":
        text = paper_steps_table(*panel_and_steps(3)).csv()
    else:
        text = paper_panel_table(*panel_and_runs("7", 2)).csv()
    said = "\n".join(header_of(text))
    for words in ("\nsource: Figure ", "\nin print: ", "\nfinding: ", "\nprotected: ", "σ = 1"):
        assert words in said
    assert "neither an upper nor a lower bound" in said
    assert said.count(": scenario: {") == len(set(table_of(text)["curve"]))


def test_curve_as_in_the_paper_is_never_called_a_bound():
    table = table_of(paper_panel_table(*panel_and_runs("7", 2)).csv())
    several = table[table["curve"] != "1 window per series"]
    assert set(several["as_in_paper_meaning"]) == {
        "as in the paper, no proven bound, Theorem F.7, 1,000 steps"
    }


def test_steps_have_their_meaning_row_by_row():
    panel, runs = panel_and_steps(3)
    table = table_of(paper_steps_table(panel, runs).csv())
    assert len(table) == 5 * 16
    for run in runs:
        rows = table[table["curve"] == run_name(panel, run.scenario)]
        assert rows["steps"].tolist() == list(range(1, 17))
        assert rows["delta_lower"].tolist() == run.proven.lower.delta_low.tolist()
        assert rows["delta_upper"].tolist() == run.proven.upper.delta_high.tolist()
    first = table[(table["curve"] == "16 windows per series")].iloc[0]
    # A single epoch: the same pair either way.
    assert first["as_in_paper_meaning"] == "lower bound, Theorem 4.3, 1 epoch"


@pytest.mark.parametrize("names", [("#1", "b"), ("a", "Store #12")])
def test_a_name_with_the_mark_of_comments_is_read_whole(names):
    table = Table(title="t", cells=pd.DataFrame({"name": names, "value": [1.5, 2.0]}))
    found = table_of(table.csv())
    assert found["name"].tolist() == list(names)
    assert found["value"].tolist() == [1.5, 2.0]


def test_the_study_says_on_what_runs_with_noise_on_labels_rest():
    shipped = shipped_results()
    of_labels, others = (
        [row for row in shipped.rows if (row.setting == "forecast_noise") == is_noised]
        for is_noised in (True, False)
    )
    said = training_study_table(shipped, of_labels).csv()
    assert "# theorem G.1: upper bound, Theorem G.1 composed over 500 steps; if no value" in said
    assert "# v of generated: 1\n# v of m3: 40\n" in said
    assert "if no value" not in training_study_table(shipped, others).csv()
    assert "dpviz 2" in {row.theorem for row in others}  # so that they are not all the paper's
    assert "by the theorem of the column of that name" in said


def test_a_hidden_context_without_a_finite_epsilon_says_so():
    plan = HidingPlan(context_length=4, rate=1.0, max_change=10.0, epsilon=1.0, delta=1e-4)
    drawn = example("naive", 4, None, 0, rate=1.0, noise=1e-6, seed=1)
    table = hidden_context_table(plan, 1e-6, inf, drawn, (), model="naive", seed=1)
    assert table.about[0].startswith("no finite epsilon is proven at delta 0.0001, ")


@pytest.mark.parametrize(("size", "told"), [(320, "1 step"), (32, "10 steps")])
def test_steps_of_an_epoch_are_counted_in_words(size, told):
    assert training_line(varied(TOY, batch_size=size)).endswith(f"; {told} per epoch")
