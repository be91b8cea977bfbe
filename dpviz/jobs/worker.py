"""The process that computes: ``python -m dpviz.jobs.worker NICENESS``, started by a pool.

It reads pickled computations from its standard input and answers on its standard output, one
after another, and ends with its input. Both ends are the same program on the same machine; what
visitors send comes here as checked scenarios, or as the bytes of a file of series.
"""

import contextlib
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any, BinaryIO

from dpviz.jobs.job import Limits, TooCostlyError
from dpviz.jobs.process import send

# The timer goes off again in case the first time fell where exceptions are swallowed, or where none
# may be raised.
_AGAIN_SECONDS = 0.05
_IMPORT = "<frozen importlib._bootstrap>"
_MODULE = "<module>"
_computing = False
_is_spoilt = False


class OutOfTime(BaseException):  # no code in between takes it for an error of its own
    """A computation has used the processor time that it may use."""


class _GivenUp(BaseException):
    pass


def main() -> None:
    """Compute what comes until nothing more can come."""
    source, sink = private_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's to handle; the input ends then
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, _give_up)
        signal.signal(signal.SIGALRM, _give_up)
        signal.signal(signal.SIGPROF, _out_of_time)
        os.nice(int(sys.argv[1]))
    import dpviz.planning  # noqa: F401  the first computation is not to wait for it

    packed = pickle.dumps(("ready", None))
    # Until the server is gone, at whichever end it shows first.
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            send(sink, packed)
            if _is_spoilt:
                break
            packed = _answer(*pickle.load(source))


def private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return input and output; whatever else is printed goes to the log."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sys.stdin.buffer, sink


def _answer(compute: Callable[[], Any], limits: Limits) -> bytes:
    """Return what came of a computation as pickled ("result" or "error" or "given up", value)."""
    global _computing, _is_spoilt
    try:
        with limited(limits):
            _computing = True
            try:
                result = compute()
            finally:
                _computing = False
        return pickle.dumps(("result", result), protocol=pickle.HIGHEST_PROTOCOL)
    except OutOfTime:
        error: Exception = TooCostlyError(limits, "time")
    except _GivenUp:
        return pickle.dumps(("given up", None))
    except Exception as problem:
        # What was not imported to its end may never be imported again in this process.
        _is_spoilt = _went_through_a_module(problem.__traceback__)
        error = TooCostlyError(limits, "memory") if isinstance(problem, MemoryError) else problem
    return packed_error(error)


def _went_through_a_module(trace: TracebackType | None) -> bool:
    while trace is not None:
        if trace.tb_frame.f_code.co_name == _MODULE:
            return True
        trace = trace.tb_next
    return False


def packed_error(error: Exception) -> bytes:
    """Return an error as pickled ("error", error), or another one that tells of it."""
    try:
        packed = pickle.dumps(("error", error))
        pickle.loads(packed)
    except Exception:  # it cannot be told as it is
        return pickle.dumps(("error", RuntimeError(f"{type(error).__name__}: {error}")))
    return packed


@contextlib.contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Let what is inside use no more than it may: it is ended by an exception else."""
    if not hasattr(signal, "setitimer"):  # Windows: the pool watches the clock alone
        yield
        return
    import resource

    used = _address_space()
    most = used + limits.megabytes * 1_000_000
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    if used:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    signal.setitimer(signal.ITIMER_PROF, limits.seconds, _AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        if used:
            resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _address_space() -> int:
    """Return this process's address space in bytes; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  cheap, each time
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _give_up(_signal: int, frame: FrameType | None) -> None:
    if _computing and _is_importing(frame):
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
    elif _computing:
        raise _GivenUp


def _out_of_time(_signal: int, frame: FrameType | None) -> None:
    if _computing and not _is_importing(frame):
        raise_out_of_time()


def _is_importing(frame: FrameType | None) -> bool:
    """Return whether an exception would leave a module half-made, to fail each later import."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORT:
            return True
        frame = frame.f_back
    return False


def raise_out_of_time(*_: object) -> None:
    """Handle the timer's signal."""
    raise OutOfTime


if __name__ == "__main__":
    main()
