"""The process that computes: ``python -m dpviz.jobs.worker NICENESS``, started by a server.

It reads from its standard input, pickled, first what to do ahead, if anything, and then one
computation after another; on its standard output it tells what each yields, and how it ended. Both
ends are the same program on the same machine; what visitors send comes here as checked scenarios,
or as the bytes of a file of series.
"""

import contextlib
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from threading import Thread
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import Any

from dpviz.jobs.job import Limits, TooCostlyError
from dpviz.jobs.process import send

# The timer goes off again in case the first time fell where exceptions are swallowed, or where none
# may be raised.
_AGAIN_SECONDS = 0.05
_IMPORT = "<frozen importlib._bootstrap>"
_MODULE = "<module>"
_computing = False
_is_spoilt = False


# No code in between takes these for errors of its own.
class _OutOfTime(BaseException): ...


class _GivenUp(BaseException): ...


def main() -> None:
    """Compute what comes."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed goes to the log
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's to handle; the input ends then
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, _give_up)
        signal.signal(signal.SIGALRM, _give_up)
        signal.signal(signal.SIGPROF, _out_of_time)
        os.nice(int(sys.argv[1]))
    asked: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(asked,), daemon=True).start()
    if (ahead := pickle.loads(asked.get())) is not None:
        ahead()
    tell = partial(send, sink)
    with contextlib.suppress(BrokenPipeError):  # nobody is there any more
        tell(("ready", b""))
        while not _is_spoilt:
            compute, limits = pickle.loads(asked.get())
            tell(_answer(compute, limits, tell))


def _read(asked: SimpleQueue[bytes]) -> None:
    """Take what comes, and end with the server."""
    source = os.fdopen(os.dup(0), "rb")  # not sys.stdin, which the interpreter closes at its end
    try:
        while True:
            asked.put(pickle.load(source))
    finally:
        os._exit(0)


def _answer(
    compute: Callable[[], Any], limits: Limits, tell: Callable[[tuple[str, bytes]], None]
) -> tuple[str, bytes]:
    """Return what came of a computation: "result", "error" or "given up", with a pickled value.

    What one yields is told as it comes.
    """
    global _computing, _is_spoilt
    try:
        with _limited(limits):
            _computing = True
            try:
                result = compute()
                if isinstance(result, Iterator):
                    for one in result:
                        packed = pickle.dumps(one, protocol=pickle.HIGHEST_PROTOCOL)
                        _computing = False  # what is told is told to its end
                        tell(("told", packed))
                        _computing = True
                    result = None
            finally:
                _computing = False
        return "result", pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
    except _OutOfTime:
        error: Exception = TooCostlyError(limits, "time")
    except _GivenUp:
        return "given up", pickle.dumps(None)
    except Exception as problem:
        # What was not imported to its end may never be imported again in this process.
        trace = walk_tb(problem.__traceback__)
        _is_spoilt = any(frame.f_code.co_name == _MODULE for frame, _ in trace)
        error = TooCostlyError(limits, "memory") if isinstance(problem, MemoryError) else problem
    try:
        packed = pickle.dumps(error)
        pickle.loads(packed)
    except Exception:  # it cannot be told as it is
        packed = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return "error", packed


@contextlib.contextmanager
def _limited(limits: Limits) -> Iterator[None]:
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
        raise _OutOfTime


def _is_importing(frame: FrameType | None) -> bool:
    """Return whether an exception would leave a module half-made, to fail each later import."""
    frames = () if frame is None else walk_stack(frame)
    return any(one.f_code.co_filename == _IMPORT for one, _ in frames)


if __name__ == "__main__":
    main()
