"""A sweep from its rows to all their answers."""

import json
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from pathlib import Path

import dpviz
from dpviz.scenario import Scenario, to_fields, to_json
from dpviz.sweeps.answer import Answer, Chunk, refusal
from dpviz.sweeps.grid import Row, fingerprint
from dpviz.sweeps.journal import Journal
from dpviz.sweeps.processors import on_processors

# Some seconds of work: little is lost by a kill, and rows that share work are mostly together.
ROWS_IN_A_CHUNK = 32
# Rows that differ in nothing else share their privacy loss, or their whole curve.
_SHARED_BY = ("steps", "epochs", "delta", "time_step", "value_unit")
Compute = Callable[[Sequence[Chunk]], Iterator[list[tuple[int, Answer]]]]


def run_sweep(
    rows: tuple[Row, ...],
    *,
    epsilons: tuple[float, ...] = (),
    journal: Journal | None = None,
    compute: Compute | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Answer]:
    """Return the answer to each row, in the rows' order.

    Args:
        rows: of the sweep.
        epsilons: where delta is asked for beside epsilon at each row's delta.
        journal: what is known already, and where answers are kept as they come.
        compute: answers chunks in any order; by default on all processors.
        progress: called with how many rows are answered, and how many there are.

    >>> from dpviz.scenario import PRESETS
    >>> from dpviz.sweeps.answer import answered
    >>> from dpviz.sweeps.grid import read_grid
    >>> toy = to_fields(PRESETS["toy"].scenario) | {"batch_size": [32, 999]}
    >>> rows = read_grid(json.dumps(toy))
    >>> answers = run_sweep(rows, compute=lambda chunks: map(answered, chunks))
    >>> round(answers[0]["epsilon_upper"], 1), answers[1]["error_field"]
    (19.0, 'batch_size')
    """
    known: dict[int, Answer] = {} if journal is None else dict(journal.known)
    known |= {row.number: refusal(row.problem) for row in rows if row.problem is not None}
    chunks = chunks_of(rows, known.keys(), epsilons)
    tell = progress or (lambda *_: None)
    tell(len(known), len(rows))
    work = partial(on_processors, processes=-1) if compute is None else compute
    if chunks:
        for answers in work(chunks):
            if journal is not None:
                journal.add(answers)
            known.update(answers)
            tell(len(known), len(rows))
    return [known[row.number] for row in rows]


def chunks_of(
    rows: Sequence[Row], known: Container[int], epsilons: tuple[float, ...]
) -> list[Chunk]:
    """Return the rows that are not known yet, those that share work beside each other."""
    left = [
        (_work_key(row.scenario), row.number, to_json(row.scenario))
        for row in rows
        if row.scenario is not None and row.number not in known
    ]
    left.sort()
    size = ROWS_IN_A_CHUNK
    return [
        Chunk(
            numbers=tuple(number for _, number, _ in part),
            scenarios=tuple(text for _, _, text in part),
            epsilons=epsilons,
        )
        for part in (left[at : at + size] for at in range(0, len(left), size))
    ]


def open_journal(path: Path, rows: tuple[Row, ...], epsilons: tuple[float, ...]) -> Journal:
    """Return the journal of a sweep; see :class:`dpviz.sweeps.journal.Journal` for errors."""
    return Journal(path, fingerprint(rows, epsilons, dpviz.__version__), len(rows))


def _work_key(scenario: Scenario) -> str:
    fields = {name: value for name, value in to_fields(scenario).items() if name not in _SHARED_BY}
    length = [scenario.training.unit, scenario.training.count]
    return json.dumps([fields, length, scenario.delta])
