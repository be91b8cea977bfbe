"""The process of one long run: ``python -m dpviz.jobs.long_worker NICENESS``.

It reads from its standard input, pickled, first what to do ahead, if anything, and then one
computation. It tells on its standard output what the computation yields, as it comes, and how it
ended. It ends with its server, whose end of the input stays open as long as there is somebody to
tell. See :mod:`dpviz.jobs.worker` on what is pickled.
"""

import contextlib
import os
import pickle
import signal
import sys
from threading import Thread
from typing import Any, BinaryIO

from dpviz.jobs.job import Limits, TooCostlyError
from dpviz.jobs.process import send
from dpviz.jobs.worker import OutOfTime, limited, packed_error, private_pipes, raise_out_of_time


def main() -> None:
    """Compute what comes, and end."""
    source, sink = private_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's to handle; it ends this process
    if hasattr(signal, "SIGPROF"):
        signal.signal(signal.SIGPROF, raise_out_of_time)
        os.nice(int(sys.argv[1]))
    try:
        if (ahead := pickle.load(source)) is not None:
            ahead()
        steps, limits = pickle.load(source)
    except EOFError:  # nothing was left to do
        return
    Thread(target=_end_with_the_server, args=(source.fileno(),), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):  # nobody is there any more
        send(sink, _told(steps, limits, sink))


def _end_with_the_server(descriptor: int) -> None:
    # Not through the buffered stream: the interpreter could not end while a thread reads that.
    while os.read(descriptor, 1):
        pass
    os._exit(1)


def _told(steps: Any, limits: Limits, sink: BinaryIO) -> bytes:
    """Compute, tell what comes, and return the last message."""
    try:
        with limited(limits):
            for told in steps():
                send(sink, pickle.dumps(("told", told), protocol=pickle.HIGHEST_PROTOCOL))
        return pickle.dumps(("done", None))
    except BrokenPipeError:
        raise
    except OutOfTime:
        return packed_error(TooCostlyError(limits, "time"))
    except MemoryError:
        return packed_error(TooCostlyError(limits, "memory"))
    except Exception as problem:
        return packed_error(problem)


if __name__ == "__main__":
    main()
