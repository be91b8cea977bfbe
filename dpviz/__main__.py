"""The command line: ``python -m dpviz --help``."""

import sys

_REFUSED, _STOPPED = 2, 130
try:
    import os
    import signal

    def _stopped_at_once(*_: object) -> "NoReturn":
        """End where an exception would get lost, as in the middle of an import."""
        try:
            os.write(2, b"dpviz: stopped.\n")
        finally:
            os._exit(_STOPPED)

    # A shell that starts a command in the background may have it overlook Ctrl-C.
    if (
        __name__ == "__main__"  # whoever imports this module keeps their own
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ):
        signal.signal(signal.SIGINT, _stopped_at_once)
    import time
    from collections import namedtuple
    from contextlib import suppress
    from typing import Any, NoReturn
except KeyboardInterrupt:
    if sys.stderr is not None:
        sys.stderr.write("dpviz: stopped.\n")
    sys.exit(_STOPPED)
# Whoever presses Ctrl-C again after that does not want to wait for what is put in order.
_PATIENCE_SECONDS = 2.0
# With less, numpy's library of linear algebra ends the process, or waits for ever.
_LEAST_MEGABYTES = 450
# The system ends who has used its processor time up, without a word: this is said before.
_LAST_WORDS_SECONDS = 0.25


def _out_of_processor_time(*_: object) -> NoReturn:
    try:
        os.write(2, b"dpviz: held up by the system: no more processor time (ulimit -t).\n")
    finally:
        os._exit(_REFUSED)


class _Stop:
    """Ends what is computed, which says what is kept; the next time, at once."""

    def __init__(self) -> None:
        self._asked: float | None = None

    def __call__(self, *_: object) -> None:
        now = time.monotonic()
        if self._asked is None:
            self._asked = now
            raise KeyboardInterrupt
        if now - self._asked > _PATIENCE_SECONDS:
            _stopped_at_once()


def _unraisable(problem: Any) -> None:
    if isinstance(problem.exc_value, KeyboardInterrupt):
        _stopped_at_once()
    sys.__unraisablehook__(problem)


def run() -> int:
    """Run the command that was typed, and return the exit code."""
    heeds = signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _stopped_at_once)
    if heeds:
        signal.signal(signal.SIGINT, _stopped_at_once)
        sys.unraisablehook = _unraisable
    _fill_closed_streams()
    if sys.stdout is None:
        return _refused("standard output is closed: send it to a file or a program")
    # A terminal without Greek letters shows their numbers.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if _is_short_of_memory():
        return _refused(
            "held up by the system: it allows less memory (ulimit -v) than the "
            f"{_LEAST_MEGABYTES} MB of a command"
        )
    _heed_processor_time()
    try:
        from dpviz.command_line import main
    except (ImportError, MemoryError, OSError) as problem:
        return _refused(f"its own modules cannot be loaded: {problem}")
    try:
        if heeds:
            signal.signal(signal.SIGINT, _Stop())
        code = main()
    except KeyboardInterrupt:  # before the command could begin
        _stopped_at_once()
    if heeds:  # all is said: now it would end Python's own end with a signal
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "setitimer"):  # likewise
        signal.setitimer(signal.ITIMER_PROF, 0)
    # Python remembers a Ctrl-C inside of text that it executes, as it does to make named tuples,
    # until it executes the next, and would end by a signal although the exit code is known.
    namedtuple("Nothing", ())
    return code


def _refused(why: str) -> int:
    with suppress(OSError):  # nobody may be there to read it
        print(f"dpviz: {why}.", file=sys.stderr, flush=True)
    return _REFUSED


def _is_short_of_memory() -> bool:
    try:
        import resource
    except ImportError:  # on Windows
        return False
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most >= 0:  # that library takes some for each of its threads: as many as processors
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # pyarrow's own takes 100 MB more, and waits for ever where some of that is refused.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    return 0 <= most < _LEAST_MEGABYTES * 2**20


def _heed_processor_time() -> None:
    """Have the last words said before the system ends this process."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    most = [one for one in resource.getrlimit(resource.RLIMIT_CPU) if one >= 0]
    if most:
        left = min(most) - time.process_time() - _LAST_WORDS_SECONDS
        signal.signal(signal.SIGPROF, _out_of_processor_time)
        signal.setitimer(signal.ITIMER_PROF, max(left, 0.001))


def _fill_closed_streams() -> None:
    """Put nothing in the place of closed input and errors: no file that is opened may become them.

    What is printed to an absent standard error would else come on standard output.
    """
    for descriptor in (0, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            nothing = os.open(os.devnull, os.O_RDWR)
            if nothing == descriptor:
                os.set_inheritable(nothing, True)  # processes that compute write there, too
            else:
                os.dup2(nothing, descriptor)
                os.close(nothing)
    if sys.stderr is None:
        sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(run())
