"""A sweep that is stopped goes on where it was, and only where it is the same sweep."""

import pytest

from dpviz.sweeps.run import open_journal, run_sweep
from tests.sweeps.grids import CHEAP, toy_rows

ROWS = toy_rows(**CHEAP)
ALLOWED = {row.name: row.scenario for row in ROWS if row.problem is None}


def made_up(chunk):
    """Stand in for seconds of work."""
    return [(name, {"status": "answered", "epsilon_upper": int(name) / 7}) for name, _ in chunk]


def test_rows_of_whole_chunks_are_never_computed_again(tmp_path):
    undisturbed = run_sweep(ROWS, compute=lambda _, chunks: map(made_up, chunks))
    computed = []

    def compute(chunks, after):
        for chunk in chunks[:after]:
            computed.extend(name for name, _ in chunk)
            yield made_up(chunk)
        if len(chunks) > after:
            raise KeyboardInterrupt

    path = tmp_path / "journal"
    with pytest.raises(KeyboardInterrupt), open_journal(path, ROWS, ()) as journal:
        run_sweep(ROWS, journal=journal, compute=lambda _, chunks: compute(chunks, 2))
    with open_journal(path, ROWS, ()) as journal:
        found = run_sweep(ROWS, journal=journal, compute=lambda _, chunks: compute(chunks, 99))
        assert journal.known.keys() == ALLOWED.keys()
    assert found == undisturbed
    assert sorted(computed) == sorted(ALLOWED)
