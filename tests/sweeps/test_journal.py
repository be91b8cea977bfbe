"""A sweep that is stopped goes on where it was, loses no row and ends with the same answers."""

from contextlib import suppress
from random import Random

import pytest

from dpviz.sweeps.journal import Journal, JournalError
from dpviz.sweeps.run import chunks_of, open_journal, run_sweep
from tests.sweeps.grids import CHEAP, toy_rows

ROWS = toy_rows(**CHEAP)
COMPUTED = sum(row.problem is None for row in ROWS)


class StoppedError(Exception):
    """Stands for a kill."""


def made_up(chunk):
    """Stand in for seconds of work."""
    return [(at, {"status": "answered", "epsilon_upper": at / 7}) for at in chunk.numbers]


@pytest.fixture(scope="module")
def undisturbed():
    return run_sweep(ROWS, compute=lambda chunks: map(made_up, chunks))


@pytest.fixture
def computed(undisturbed):
    """Return a way to compute that is stopped after so many chunks, and what it has computed."""
    counted = []

    def compute(chunks, after):
        for done, chunk in enumerate(chunks):
            if done == after:
                raise StoppedError
            counted.extend(chunk.numbers)
            yield [(number, undisturbed[number - 1]) for number in chunk.numbers]

    return compute, counted


def resumed(path, computed, after):
    compute, _ = computed
    with open_journal(path, ROWS, ()) as journal:
        return run_sweep(ROWS, journal=journal, compute=lambda chunks: compute(chunks, after))


def test_rows_of_whole_chunks_are_never_computed_again(tmp_path, computed, undisturbed):
    path = tmp_path / "journal"
    with pytest.raises(StoppedError):
        resumed(path, computed, 2)
    assert resumed(path, computed, None) == undisturbed
    assert len(computed[1]) == COMPUTED == len(set(computed[1]))


@pytest.mark.parametrize("seed", range(12))
def test_a_journal_that_is_torn_anywhere_loses_nothing_but_its_last_line(
    seed, tmp_path, computed, undisturbed
):
    path, draw = tmp_path / "journal", Random(seed)
    for _ in range(3):
        with suppress(StoppedError):
            resumed(path, computed, draw.randrange(3))
        content = path.read_bytes()
        head = content.index(b"\n") + 1
        path.write_bytes(content[: draw.randrange(head, len(content) + 1)])
    before = len(computed[1])
    lines = path.read_bytes().count(b"\n") - 1
    assert resumed(path, computed, None) == undisturbed
    assert len(computed[1]) - before == COMPUTED - lines
    with open_journal(path, ROWS, ()) as journal:
        assert len(journal.known) == COMPUTED


def test_a_damaged_line_is_computed_again(tmp_path, computed, undisturbed):
    path = tmp_path / "journal"
    resumed(path, computed, None)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3], lines[5], lines[7] = b"\0" * 99 + b"\n", b'{"row": 10000, "answer": {}}\n', b"[]\n"
    path.write_bytes(b"".join(lines))
    assert resumed(path, computed, None) == undisturbed
    assert len(computed[1]) == COMPUTED + 3


def test_another_sweep_s_journal_is_refused_and_kept(tmp_path):
    path = tmp_path / "journal"
    with open_journal(path, ROWS, (1.0,)):
        pass
    content = path.read_bytes()
    for rows, epsilons in ((ROWS, ()), (ROWS[:-1], (1.0,))):
        with pytest.raises(JournalError, match="the journal of another sweep"):
            open_journal(path, rows, epsilons)
    path.write_bytes(b"a diary\n")
    with pytest.raises(JournalError, match="another sweep"):
        open_journal(path, ROWS, ())
    assert path.read_bytes() == b"a diary\n"
    assert content


def test_two_sweeps_do_not_write_one_journal(tmp_path):
    path = tmp_path / "journal"
    with (
        open_journal(path, ROWS, ()),
        pytest.raises(JournalError, match="being written by another sweep"),
    ):
        Journal(path, "", 1)


def test_chunks_hold_each_row_that_is_left_once():
    known = {row.number for row in ROWS[::3]}
    chunks = chunks_of(ROWS, known, ())
    numbers = [number for chunk in chunks for number in chunk.numbers]
    assert sorted(numbers) == [
        row.number for row in ROWS if row.problem is None and row.number not in known
    ]


def test_a_journal_that_is_removed_is_closed_before(tmp_path):
    """Windows removes no file that somebody holds open."""
    path = tmp_path / "journal"
    with open_journal(path, ROWS, ()) as journal:
        journal.remove()
        assert not path.exists()
        with pytest.raises(ValueError, match="closed file"):
            journal.add([(1, {"status": "answered"})])
