"""A limit that somebody sets is told so that what is said of it stays true."""

import numpy as np

from dpviz.planning.ledger import ledger
from dpviz.scenario import PRESETS
from dpviz.scenario.ledger import NamedRun
from dpviz.sweeps.read_results import SweepResults
from dpviz.wording.ledger import left_sentence, room_sentences
from dpviz.wording.sweep_results import results_headline
from tests.scenario.changes import varied


def test_a_budget_has_all_its_digits():
    """Of runs within 0.50004 nothing is proven at 0.5."""
    short = varied(PRESETS["toy"].scenario, steps=10)
    found = ledger([NamedRun(name="one", scenario=short)], 1e-7)
    assert "within the budget, ε = 30.00004 at δ = " in left_sentence(found, 30.00004)
    assert left_sentence(found, 0.50004).endswith("the budget**, ε = 0.50004 at δ = 10⁻⁷.")
    assert room_sentences([None], 0.50004, 1e-7, 1)[0].startswith("Within ε = 0.50004 at δ = ")


def test_what_no_row_has_is_told_no_larger_than_the_limit():
    """A row of 0.49998 exceeds a limit of 0.49996, and has no more than 0.5."""
    none = np.array([], dtype=np.int64)
    one = SweepResults(numbers={}, rows=np.array([1]), words={}, fields={}, others=0)
    assert results_headline(one, none, 0.49996) == "**None of 1 scenario has ε ≤ 0.4999.**"
