"""What the page of the paper's tables says is what the printed numbers say."""

import pytest

from dpviz.reported.table import FIGURES_WITHOUT_NUMBERS, TABLES
from dpviz.wording.paper_tables import (
    against_baselines,
    figure_name,
    in_numbers,
    in_print,
    line_name,
    remarks,
    table_description,
    table_headline,
    table_name,
    table_title,
    what_was_done,
)

ALWAYS = "Some trained model is better than every baseline in each column."


@pytest.mark.parametrize("name", TABLES)
def test_every_column_s_headline_says_who_reports_what_for_whom(name):
    table = TABLES[name]
    for column, at in enumerate(table.columns):
        told = table_headline(table, column)
        assert f"Reported by the paper (Table {name}), on {table.data_name}" in told
        least = min(line.cells[column].mean for line in table.trained)
        assert f"{least}**" in told or f"{least} ± " in told
        baseline = min(line.cells[column].mean for line in table.baselines)
        assert f" has {baseline}." in told
        if at == float("inf"):
            assert told.endswith("Nothing is protected: ε is unlimited.")
        else:
            assert f" at δ = 10⁻{'⁷' if table.number <= 10 else '⁴'} for " in told
        # A number behind ± is said to be a deviation, or it is not told.
        assert ("±" in told) == ("standard deviation over 5 random seeds" in told)


def test_equal_errors_are_shared():
    told = table_headline(TABLES["3"], 6)
    assert "SimpleFeedForward; DeepAR; iTransformer share the lowest error" in told


@pytest.mark.parametrize("name", TABLES)
def test_data_set_model_unit_delta_and_spread_are_told(name):
    table = TABLES[name]
    trained, protected, error, source = what_was_done(table)
    assert all(line.model in trained for line in table.trained)
    assert table.data_name in trained
    assert "δ = 10⁻" in protected
    assert ("standard deviation over 5 random seeds" in error) is table.has_spreads
    assert f"Table {name}, " in source
    assert all(line_name(line) in table_description(table) for line in table.lines)


def test_names_are_different():
    names = [table_name(table) for table in TABLES.values()]
    names += [figure_name(figure) for figure in FIGURES_WITHOUT_NUMBERS.values()]
    assert len(set(names)) == len(names) == 15
    assert len({table_title(table) for table in TABLES.values()}) == 13


def test_where_print_and_numbers_disagree_is_told():
    """Every exception to "better than the baselines", and none that is not there."""
    found = {name: against_baselines(table) for name, table in TABLES.items()}
    assert found.pop("3").endswith(
        "but not at ε = 0.25 (DLinear 0.076, AutoETS 0.064), and only as good at ε = 0.5 "
        "(DLinear 0.064, AutoETS 0.064)."
    )
    assert found.pop("6").endswith("but not at w = 8 (DLinear 0.066, AutoETS 0.064).")
    assert found.pop("9").endswith("but only as good at σ_F = 0 (DLinear 0.064, AutoETS 0.064).")
    forecasts = {found.pop(name) for name in ("11", "12", "13")}
    assert forecasts == {ALWAYS.replace("every baseline", "Seasonal with noise alike")}
    assert set(found.values()) == {ALWAYS}
    assert "except on traffic at w = 8" in in_print(TABLES["5"])
    assert any("one of electricity" in remark for remark in remarks(TABLES["6"]))


def test_label_noise_is_compared_with_what_training_scatters():
    counts = {name: in_numbers(TABLES[name])[1] for name in ("8", "9", "10")}
    assert "DLinear at σ_F = 1 and 2. For 3 of 4 models" in counts["8"]
    assert "SimpleFeedForward at σ_F = 5; " in counts["9"]
    assert "For 4 of 4 models the gain over no label noise is at most one standard" in counts["10"]
