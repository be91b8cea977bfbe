"""What is said of the paper's tables and set-ups is what print and our accounting say."""

from dataclasses import replace

import pytest

from dpviz.planning.budget import used_up
from dpviz.planning.proven import proven_epsilon
from dpviz.reported.table import FIGURES_WITHOUT_NUMBERS, TABLES, setup_of
from dpviz.wording.paper_tables import (
    against_baselines,
    figure_name,
    in_numbers,
    in_print,
    line_name,
    print_and_numbers,
    remarks,
    table_description,
    table_headline,
    table_name,
    table_title,
    what_was_done,
)
from dpviz.wording.private_inference import paper_note
from dpviz.wording.reported_setups import (
    SetUpAccount,
    accounts_meaning,
    accounts_table,
    drawing_text,
    unlimited_sentence,
    whole_sentence,
)
from dpviz.wording.training_length import BEING_COMPUTED, COSTS_TOO_MUCH
from tests.planning.brackets import with_bracket

ALWAYS = "some trained model is better than every baseline in each column."


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


def test_print_and_numbers_are_told_once_where_they_say_the_same():
    (said,) = print_and_numbers(TABLES["2"])
    assert said.startswith("**In print, and by the printed numbers:** at every ε some trained")
    for name in ("1", "3", "5", "6", "9", "11"):
        printed, numbers = print_and_numbers(TABLES[name])
        assert printed == f"**In print:** {in_print(TABLES[name])}"
        assert numbers.startswith("**By the printed numbers:** some trained model is better")


def test_label_noise_is_compared_with_what_training_scatters():
    counts = {name: in_numbers(TABLES[name])[1] for name in ("8", "9", "10")}
    assert "DLinear at σ_F = 1 and 2. For 3 of 4 models" in counts["8"]
    assert "SimpleFeedForward at σ_F = 5; " in counts["9"]
    assert "For 4 of 4 models the gain over no label noise is at most one standard" in counts["10"]


TABLE = TABLES["1"]
SETUPS = [setup_of(TABLE, column) for column in range(3)]


@pytest.fixture(scope="module")
def accounts():
    """Of the private columns, and of the one without privacy; only the first budget ends."""
    whole = proven_epsilon(SETUPS[0].scenario)
    ends = used_up(SETUPS[0].scenario, 0.5)
    known = [SetUpAccount(setup=SETUPS[0], whole=whole, used=ends)]
    known += [SetUpAccount(setup=setup, whole=whole, used=None) for setup in SETUPS[1:]]
    return [*known, None]


def rows_of(accounts):
    table = accounts_table(TABLE, [("windows", accounts)]).replace("\N{NO-BREAK SPACE}", " ")
    return table.splitlines()[2:]


def test_budgets_that_end_and_budgets_that_last_are_told_with_their_theorem(accounts):
    rows = rows_of(accounts)
    ended = accounts[0].used
    assert f"{ended.count:,} epochs = {3 * ended.count:,} steps |" in rows[0]
    assert rows[1] == "| ε = 1 | all 4,000 epochs: ε ≤ 0.6374 |"
    assert rows[3] == "| not private | nothing is proven: no noise |"
    assert rows[-1].startswith("Each is an upper bound by [Theorem 4.4](")


def test_theorems_are_named_row_by_row_where_they_differ():
    """Noise on labels is another theorem than none."""
    table = TABLES["8"]
    setups = [setup_of(table, column) for column in (0, 3)]
    found = [
        SetUpAccount(setup=one, whole=proven_epsilon(one.scenario), used=used_up(one.scenario, 0.5))
        for one in setups
    ]
    told = accounts_table(table, [("windows", [found[0], found[1], found[1], found[1]])])
    assert told.count("[Theorem 4.4]") == 1
    assert told.count("[Theorem G.1]") == 3
    assert "Each is" not in told
    assert "changed by at most v = 0.001" in accounts_meaning(table, setups[1])
    assert "holds if no value changes by more than v" in whole_sentence(found[1])
    assert "holds if" not in whole_sentence(found[0])


def test_what_is_not_known_yet_or_costs_too_much_is_no_number(accounts):
    lacking = replace(accounts[0], used=None)
    assert rows_of([lacking, *accounts[1:]])[0].endswith(f"| {BEING_COMPUTED} |")
    nothing = replace(lacking, whole=None, is_left_out=True)
    assert rows_of([nothing, *accounts[1:]])[0].endswith(f"| {COSTS_TOO_MUCH} |")
    assert whole_sentence(nothing) == ""


def test_columns_that_the_budget_does_not_tell_apart_are_named_once_all_is_known(accounts):
    told = unlimited_sentence(TABLE, accounts)
    assert "at ε = 1 and ε = 2 never stops training before its last epoch" in told
    assert "differ by chance alone" in told
    pending = [replace(accounts[0], whole=None), *accounts[1:]]
    assert unlimited_sentence(TABLE, pending) == ""
    assert unlimited_sentence(TABLE, [accounts[0], accounts[0], accounts[1], None]) == ""


def test_an_unbounded_epsilon_is_no_number(accounts):
    whole = replace(accounts[0].whole, upper=with_bracket(accounts[0].whole.upper, 30.0, None))
    endless = replace(accounts[0], whole=whole)
    assert endless.lasts is False
    assert "no finite ε is proven" in whole_sentence(endless)


def test_what_is_dpvizs_own_of_shuffled_runs_is_told_beside_their_theorem():
    for varied in ("batch_size", "num_subsequences"):
        assert "dpviz's extension: no amplification is claimed for" in drawing_text(varied)


def test_a_remark_on_the_print_is_said_once_and_as_a_sentence():
    said = paper_note(TABLES["12"])
    assert said.count("printed equal to the means") == 1
    assert said.endswith("printed equal to the means: a slip, most likely.")
