"""What is said of our own accounting: nothing that is not known, nothing without its meaning."""

from dataclasses import replace

import pytest

from dpviz.planning.budget import used_up
from dpviz.planning.proven import proven_epsilon
from dpviz.reported.table import TABLES, setup_of
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
