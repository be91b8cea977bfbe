"""The main paper's tables are kept as printed, and the scenario behind a column as trained."""

from math import isfinite

import pytest

from dpviz.reported.table import BASELINES, FIGURES_WITHOUT_NUMBERS, TABLES, WINDOWS, setup_of
from dpviz.scenario import PRESETS
from dpviz.settings import SETTINGS

DATA_SETS = ("traffic", "electricity", "solar_10_minutes")


def line_of(table, model, rate=None):
    [line] = [line for line in table.lines if (line.model, line.rate) == (model, rate)]
    return line


def test_all_tables_are_there_and_links_know_them():
    assert list(TABLES) == [str(number) for number in range(1, 14)]
    assert (*TABLES, *FIGURES_WITHOUT_NUMBERS) == tuple(SETTINGS["reported_table"].choices)
    cells = [cell for table in TABLES.values() for line in table.lines for cell in line.cells]
    assert len(cells) == 444


def test_baselines_without_noise_are_the_same_wherever_a_data_set_is():
    """They have no budget: another number in one place would be a slip of the pen."""
    for data_set in DATA_SETS:
        tables = [
            table
            for table in TABLES.values()
            if (table.data_set, table.mechanism) == (data_set, "training")
        ]
        for model in BASELINES:
            found = {cell.printed for table in tables for cell in line_of(table, model).cells}
            assert len(found) == 1


def test_table_1_is_a_part_of_table_2():
    short, long = TABLES["1"], TABLES["2"]
    for line in short.lines:
        means = {cell.at: cell.mean for cell in line_of(long, line.model).cells}
        assert [means[at] for at in short.columns] == [cell.mean for cell in line.cells]


def test_a_spread_that_repeats_the_mean_is_kept_but_is_no_deviation():
    repeated = {
        (name, line.model, cell.at)
        for name, table in TABLES.items()
        for line in table.lines
        for cell in line.cells
        if cell.repeats_mean
    }
    assert {name for name, _, _ in repeated} == {"4", "12"}
    assert {at for name, _, at in repeated if name == "4"} == {float("inf")}
    cell = line_of(TABLES["12"], "DeepAR", 1.0).cells[0]
    assert (cell.spread, cell.deviation) == ("0.055", None)


TRAINING = [name for name, table in TABLES.items() if table.mechanism == "training"]
# Noise, batch, epochs and windows of Appendix B.
STATED = {
    "traffic": (4.0, 256, 4000, 96, 24),
    "electricity": (2.0, 128, 8000, 24, 24),
    "solar_10_minutes": (4.0, 128, 16_000, 240, 60),
}
WITH_LAGS = {"traffic": 265, "electricity": 49, "solar_10_minutes": 409}


@pytest.mark.parametrize("name", TRAINING)
def test_set_up_is_the_paper_s(name):
    table = TABLES[name]
    for column, at in enumerate(table.columns):
        setup = setup_of(table, column)
        if not isfinite(at):
            assert setup is None
            continue
        scenario, shape = setup.scenario, setup.scenario.shape
        assert (
            scenario.noise.noise_multiplier,
            scenario.sampling.batch_size,
            scenario.training.count,
            shape.context_length,
            shape.forecast_length,
        ) == STATED[table.data_set]
        assert scenario.sampling.num_subsequences == 1
        assert scenario.sampling.top_level == "without-replacement"
        assert scenario.delta == 1e-7
        assert shape == PRESETS[table.data_set].scenario.shape


def test_set_up_has_the_column_s_value():
    assert [setup_of(TABLES["3"], at).target_epsilon for at in range(6)] == [
        0.25, 0.5, 1.0, 2.0, 4.0, 8.0
    ]  # fmt: skip
    users = [setup_of(TABLES["7"], at) for at in range(4)]
    assert [one.scenario.relation.width for one in users] == [1, 2, 4, 8]
    assert {(one.scenario.relation.level, one.target_epsilon) for one in users} == {("user", 4.0)}
    labels = [setup_of(TABLES["9"], at) for at in range(4)]
    assert [one.scenario.noise.forecast_noise for one in labels] == [0.0, 1.0, 2.0, 5.0]
    assert {one.scenario.relation.max_change for one in labels} == {0.1}
    assert {(one.scenario.relation.width, one.target_epsilon) for one in labels} == {(1, 0.5)}


@pytest.mark.parametrize("name", TRAINING)
def test_lags_lengthen_the_context_and_nothing_else(name):
    table = TABLES[name]
    stated, lags = (setup_of(table, 0, windows) for windows in WINDOWS)
    assert lags.scenario.shape.context_length == WITH_LAGS[table.data_set]
    assert lags.scenario.with_shape_value(
        "context_length", stated.scenario.shape.context_length
    ) == (stated.scenario, [])


def test_private_forecasts_have_no_training_set_up():
    for name in ("11", "12", "13"):
        assert setup_of(TABLES[name], 0) is None


def test_figures_vary_a_field_of_their_scenario():
    for figure in FIGURES_WITHOUT_NUMBERS.values():
        assert hasattr(figure.scenario.sampling, figure.varied)
        assert len(set(figure.values)) == len(figure.values) > 3
