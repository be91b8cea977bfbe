"""A study that is stopped goes on where it was, loses no case and ends with the same answers."""

import json
import signal
from contextlib import suppress
from random import Random

import pytest

from dpviz.studies.run import Journal, JournalError, answers_to, each, on_processors

CASES = {f"case {at}": at for at in range(100)}
ANSWERS = {name: {"value": at / 7} for name, at in CASES.items()}


class StoppedError(Exception):
    """Stands for a kill."""


class Work:
    """Answers a few cases at a time, until it is stopped after so many of these."""

    def __init__(self):
        self.computed = []

    def __call__(self, left, after=None):
        """Yield the answers to eight cases at a time."""
        for done in range(0, len(left), 8):
            if done == (after or len(left)) * 8:
                raise StoppedError
            part = [*left][done : done + 8]
            self.computed.extend(part)
            yield [(name, {"value": left[name] / 7}) for name in part]


def kept_in(path):
    return Journal(path, "study", "this one", only_reads=True)


def resumed(path, work, after=None):
    with Journal(path, "study", "this one") as journal:
        return answers_to(CASES, lambda left: work(left, after), journal=journal)


def test_cases_that_are_kept_are_never_computed_again(tmp_path):
    path, work, told = tmp_path / "journal", Work(), []
    with pytest.raises(StoppedError):
        resumed(path, work, 2)
    assert kept_in(path).known == {name: ANSWERS[name] for name in [*CASES][:16]}
    with Journal(path, "study", "this one") as journal:
        found = answers_to(
            CASES, work, journal=journal, progress=lambda *numbers: told.append(numbers)
        )
    assert found == ANSWERS
    assert sorted(work.computed) == sorted(CASES)
    assert told[0] == (16, 100)
    assert told[-1] == (100, 100)


@pytest.mark.parametrize("seed", range(12))
def test_a_journal_that_is_torn_anywhere_loses_nothing_but_its_last_line(seed, tmp_path):
    path, draw, work = tmp_path / "journal", Random(seed), Work()
    for _ in range(3):
        with suppress(StoppedError):
            resumed(path, work, draw.randrange(1, 4))
        content = path.read_bytes()
        head = content.index(b"\n") + 1
        path.write_bytes(content[: draw.randrange(head, len(content) + 1)])
    content = path.read_bytes()
    before, lines = len(work.computed), content.count(b"\n") - 1
    with Journal(path, "study", "this one") as journal:
        assert journal.damaged == (not content.endswith(b"\n"))
    assert resumed(path, work) == ANSWERS
    assert len(work.computed) - before == len(CASES) - lines


def test_a_damaged_line_is_computed_again(tmp_path):
    path, work = tmp_path / "journal", Work()
    resumed(path, work)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3], lines[5], lines[7] = b"\0" * 99 + b"\n", b'{"case": 5, "answer": {}}\n', b"[]\n"
    path.write_bytes(b"".join(lines))
    assert resumed(path, work) == ANSWERS
    assert len(work.computed) == len(CASES) + 3


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.every(8)
def test_one_flipped_bit_changes_no_answer(seed, tmp_path):
    """Digits of an answer, names of cases, ends of lines: whatever a bad disk hits."""
    path, work, draw = tmp_path / "journal", Work(), Random(seed)
    resumed(path, work)
    content = bytearray(path.read_bytes())
    at = draw.choice([len(content) - 1, draw.randrange(content.index(b"\n") + 1, len(content))])
    content[at] ^= 1 << draw.randrange(8)
    path.write_bytes(content)
    with Journal(path, "study", "this one") as journal:
        assert journal.damaged >= 1
    assert resumed(path, work) == ANSWERS
    assert len(work.computed) in (len(CASES) + 1, len(CASES) + 2)


def test_a_line_of_another_study_is_not_believed(tmp_path):
    path, other = tmp_path / "journal", tmp_path / "other"
    with Journal(path, "study", "this one"), Journal(other, "study", "that one") as journal:
        journal.add([("case 1", {"value": 99})])
    path.write_bytes(path.read_bytes() + other.read_bytes().splitlines(keepends=True)[1])
    kept = kept_in(path)
    assert (kept.known, kept.damaged) == ({}, 1)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ('{"journal": 2, "of": "study", "fingerprint": "this one"}\n', "by an earlier version of"),
        ('{"journal": 3, "of": "study", "fingerprint": "that one"}\n', "of another study"),
        ('{"journal": 3, "of": "sweep", "fingerprint": "this one"}\n', "of another study"),
        ('{"journal": 1, "sweep": "this one", "rows": 3}\n', "by an earlier version of dpviz"),
        ("a diary\n", "of another study"),
        ("a diary", "of another study"),
        ("a diary\nwithout an end", "of another study"),
    ],
)
def test_another_one_s_journal_is_refused_and_kept(content, named, tmp_path):
    path = tmp_path / "journal"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(JournalError, match=named):
        Journal(path, "study", "this one")
    with pytest.raises(JournalError, match=named):
        kept_in(path)
    assert path.read_text(encoding="utf-8") == content


def test_two_do_not_write_one_journal(tmp_path):
    path = tmp_path / "journal"
    with (
        Journal(path, "study"),
        pytest.raises(JournalError, match="being written by another study"),
    ):
        Journal(path, "study")


def test_a_journal_that_is_removed_is_closed_before(tmp_path):
    """Windows removes no file that somebody holds open."""
    path = tmp_path / "journal"
    with Journal(path, "study") as journal:
        journal.remove()
        assert not path.exists()
        with pytest.raises(ValueError, match="closed file"):
            journal.add([("case 1", {})])
    assert Journal(path, "study", only_reads=True).known == {}


def test_several_processes_answer_the_same():
    texts = {name: [at] for name, at in CASES.items()}
    assert answers_to(texts, each(json.dumps, 2)) == answers_to(texts, each(json.dumps))


def leaves_ctrl_c_to_others(_):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set())


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="there no signal is held back")
def test_ctrl_c_is_heeded_by_the_process_that_was_started_and_by_no_other():
    """One that still imports packages answers it with a traceback."""
    told = dict(on_processors(leaves_ctrl_c_to_others, CASES, 2))
    assert set(told.values()) == {True}
    assert not leaves_ctrl_c_to_others(None)
