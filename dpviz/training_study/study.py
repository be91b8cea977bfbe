"""All runs of the study: on several processes, each kept as it ends, resumed after a kill."""

import hashlib
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import dpviz
from dpviz.sweeps.journal import Journal
from dpviz.training_study import common
from dpviz.training_study.planned_run import PlannedRun, finished_row, planned_runs
from dpviz.training_study.row import Row, row_fields, row_from

Work = Callable[[Sequence[PlannedRun]], Iterator[tuple[PlannedRun, Row]]]


class ProcessesError(RuntimeError):
    """A process that trained died; the message is one sentence without a full stop."""


def open_journal(path: Path) -> Journal:
    """Return the journal of finished runs, made if there is none.

    Raises:
        JournalError: it is of another plan or version, or somebody is writing it.
        OSError: it cannot be read or written.
    """
    return Journal(path, fingerprint(), len(planned_runs()))


def fingerprint() -> str:
    """Return what tells this plan, and the versions that it is carried out by, from others."""
    told = {
        "plan": [asdict(run) | {"epsilon": str(run.epsilon)} for run in planned_runs()],
        "values": [str(run.value) for run in planned_runs()],
        "common": [
            common.PLAN, common.CONTEXT_LENGTH, common.FORECAST_LENGTH, common.BATCH_SIZE,
            common.STEPS, common.DELTA, common.CLIPPING_NORM, common.LEARNING_RATES,
            [[data.source.key, data.max_change] for data in common.DATA.values()],
        ],
        "versions": [dpviz.__version__, np.__version__],
    }  # fmt: skip
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def run_study(
    runs: Sequence[PlannedRun],
    *,
    journal: Journal,
    work: Work | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Row, ...]:
    """Return the rows of runs in their order, of which those in the journal are not trained again.

    Args:
        runs: among those that are planned.
        journal: see :func:`open_journal`; each new row is on the disk before the next one counts.
        work: trains runs in any order; by default one after the other.
        progress: called with how many rows there are, and how many there will be.

    Raises:
        ScenarioError: no noise meets a budget.
        MissingPackageError: series are in a package that is not installed.
        DivergedError: training went out of bounds.
        OSError: there is no room for a row.
    """
    numbers = {run: number for number, run in enumerate(planned_runs(), start=1)}
    tell = progress or (lambda *_: None)
    left = [run for run in runs if numbers[run] not in journal.known]
    done = len(runs) - len(left)
    tell(done, len(runs))
    for run, row in (work or one_by_one)(left):
        journal.add([(numbers[run], row_fields(row))])
        done += 1
        tell(done, len(runs))
    return tuple(row_from(journal.known[numbers[run]]) for run in runs)


def one_by_one(runs: Sequence[PlannedRun]) -> Iterator[tuple[PlannedRun, Row]]:
    """Yield each run with its row."""
    return map(_finished, runs)


def on_processes(processes: int) -> Work:
    """Return what trains on so many processes.

    With several, a script that calls this must not do so while it is imported.
    """
    return one_by_one if processes == 1 else partial(_on_processes, processes)


def _on_processes(processes: int, runs: Sequence[PlannedRun]) -> Iterator[tuple[PlannedRun, Row]]:
    # Begun anew: what a process that runs threads already would hand on may be locked.
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_command
    )
    try:
        for done in as_completed([pool.submit(_finished, run) for run in runs]):
            yield done.result()
    except BrokenProcessPool:
        raise ProcessesError(
            "a process that trained died, perhaps for lack of memory: the same command goes on "
            "from there; use fewer --processes"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_command() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _finished(run: PlannedRun) -> tuple[PlannedRun, Row]:
    return run, finished_row(run)
