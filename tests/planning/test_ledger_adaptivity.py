"""A ledger is of runs whose noise and sampling were fixed beforehand: why, and where it is said."""

import numpy as np
from scipy.stats import binom

from dpviz.command_line import main
from dpviz.export.comparison_tables import ledger_table
from dpviz.planning.ledger import ledger
from dpviz.scenario import DataShape, Scenario
from dpviz.scenario.ledger import NamedRun, ledger_to_json
from tests.accounting.divergences import divergences, masses
from tests.scenario.changes import TOY, varied

DATA = DataShape(num_series=20, series_lengths=(10,), context_length=1, forecast_length=1)
TOUCHING, STARTS = 2, 10
EPSILON, DELTA = 4.0, 1e-5


def walk(windows: int, noise: float) -> Scenario:
    """One epoch of ten series a step: Theorem E.8, which is tight."""
    drawn = {"batch_size": 10 * windows, "num_subsequences": windows, "bottom_level": "poisson"}
    return varied(
        TOY, data=DATA, top_level="deterministic", **drawn, noise_multiplier=noise, epochs=1
    )


FIRST, SPARSE, DENSE = (10, 8.0), (1, 1.0325), (10, 5.1410)


def outcomes(windows: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities of a grid's cells under both distributions of E.8."""
    means = np.arange(TOUCHING + 1)
    weights = binom.pmf(means, TOUCHING, min(1.0, windows / STARTS))
    return masses((means, weights), (-means, weights), noise, step=0.01, margin=10.0)


def test_choosing_noise_by_outcomes_breaks_what_both_ledgers_promise():
    weights, others = outcomes(*FIRST)
    # What the second run adds to delta, for each privacy loss of the first.
    orders = np.exp(EPSILON) * others / weights
    sparse, dense = (divergences(*outcomes(*second), orders) for second in (SPARSE, DENSE))
    for second, alone in ((SPARSE, sparse), (DENSE, dense)):
        found = ledger(runs(second), DELTA)
        assert abs(found.upper.high - EPSILON) < 2e-3
        assert abs((weights * alone).sum() / DELTA - 1.0) < 5e-3
    chosen = (weights * np.maximum(sparse, dense)).sum()
    assert 1.45 * DELTA < chosen < 1.47 * DELTA


def runs(second: tuple[int, float]) -> tuple[NamedRun, NamedRun]:
    return (
        NamedRun(name="first", scenario=walk(*FIRST)),
        NamedRun(name="second", scenario=walk(*second)),
    )


def test_csv_and_command_say_what_page_and_json_do_of_extension_and_lower_bound(tmp_path, capsys):
    bag = varied(TOY, bottom_level="poisson", top_level="flat")
    noised = varied(bag, context_length=4, forecast_noise=1.0)
    both = (NamedRun(name="drawn", scenario=TOY), NamedRun(name="bag", scenario=noised))
    found = ledger(both, DELTA)
    told = found.rows[1].bound.extension
    assert "dpviz's extension" in told
    assert not found.lower_is_of_all
    file = tmp_path / "runs.json"
    file.write_text(ledger_to_json(both))
    assert main(["ledger", str(file), "--delta", repr(DELTA)]) == 0
    command, table = capsys.readouterr().out, ledger_table(found).csv()
    assert told in command
    assert f"run 2: {told}" in table
    assert "epsilon_lower: of the run that leaks most by itself" in table
    assert "epsilon_lower: of all runs together" in ledger_table(ledger(both[:1], DELTA)).csv()
