"""What became of a job that a process was given: an outcome, or another turn."""

from dataclasses import dataclass
from time import sleep

from dpviz.jobs.job import Job
from dpviz.jobs.limits import TooCostlyError
from dpviz.jobs.outcome import Outcome
from dpviz.jobs.process import WorkerEndedError, WorkerProcess

# How often a job may end its process, or outlast all patience, before it is refused.
_MOST_ATTEMPTS = 2
# A machine without memory may have some again in a while; the first processes that cannot begin
# may be those that were idle when it ran out.
_MOST_STARTS = 12
_STARTS_AT_ONCE = 5
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a process is done with a job.

    Args:
        outcome: of the job; ``None`` where it is to have another turn.
        is_process_good: whether the process is there for another job.
    """

    outcome: Outcome | None
    is_process_good: bool


def ending_of(process: WorkerProcess, job: Job) -> Ending:
    """Return how a process that has answered, or was asked to give up, is done with a job."""
    if not process.wait(0.0):
        # A busy machine, or arithmetic that cannot be interrupted: no word against the job.
        return Ending(outcome=_outlasted(job), is_process_good=False)
    try:
        kind, value, size = process.answer()
    except WorkerEndedError:
        if process.was_asked_to_give_up:  # where nothing but its end can stop it
            return Ending(outcome=_outlasted(job), is_process_good=False)
        # The system ends a process without a word when memory runs out.
        return Ending(outcome=_after_attempt(job, "memory"), is_process_good=False)
    except Exception as problem:  # it cannot be unpacked here; the next answer is another one
        return Ending(outcome=Outcome(error=problem), is_process_good=True)
    if kind == "given up":
        return Ending(outcome=_outlasted(job), is_process_good=True)
    if kind == "error":
        return Ending(outcome=Outcome(error=value), is_process_good=True)
    return Ending(outcome=Outcome(result=value, size=size), is_process_good=True)


def outcome_unbegun(job: Job) -> Outcome | None:
    """Return, after a pause if need be, the outcome of a job that no process could begin.

    It has other turns, but not for ever. The error in the end is an accident, not the job's.
    """
    job.failed_starts += 1
    if job.failed_starts >= _MOST_STARTS:
        return Outcome(error=WorkerEndedError("No process can be started that computes."))
    if job.failed_starts >= _STARTS_AT_ONCE:
        sleep(_PAUSE_SECONDS)
    return None


def _outlasted(job: Job) -> Outcome | None:
    """Return the outcome of a job that was stopped: refused if the clock said so repeatedly."""
    if not job.is_late:
        return None
    job.is_late = False
    return _after_attempt(job, "time")


def _after_attempt(job: Job, what: str) -> Outcome | None:
    job.attempts += 1
    if job.attempts < _MOST_ATTEMPTS:
        return None
    return Outcome(error=TooCostlyError(job.limits, what))
