"""The server's side of a worker process."""

import contextlib
import logging
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread
from time import sleep
from typing import IO, Any

import dpviz
from dpviz.jobs.job import Limits

# Parallel arithmetic inside one computation would take the processors from the others.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)

# On a machine that is busy beyond measure.
_START_SECONDS = 60.0
LOGGER = logging.getLogger(__name__)
_RETRY_SECONDS = 1.0
# One that does not give up, as within arithmetic that nothing interrupts, is asked again, and ended
# when it was asked so often.
_LEAVE_SECONDS, _MOST_ASKED = 2.0, 5


class WorkerEndedError(Exception):
    """The process ended before it answered."""


def send(sink: IO[bytes], told: object) -> None:
    """Put something on a pipe, for ``pickle.load`` at its other end."""
    pickle.dump(told, sink, protocol=pickle.HIGHEST_PROTOCOL)
    sink.flush()


def import_planning() -> None:
    """Import what most computations need: the first one is not to wait for it."""
    import dpviz.planning  # noqa: F401


class WorkerProcess:
    """One process that computes one thing at a time.

    Args:
        niceness: from 0 to 19; other processes of this machine come before it.
        ahead: what it does before it is needed, if anything.
    """

    def __init__(
        self, niceness: int = 0, ahead: Callable[[], None] | None = import_planning
    ) -> None:
        # So that it finds this package.
        paths = [str(Path(dpviz.__file__).parents[1]), os.environ.get("PYTHONPATH")]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dpviz.jobs.worker", str(niceness)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | _ONE_THREAD | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            # Ctrl-C in a terminal is the server's alone; this process ends when its input does.
            process_group=0,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("a process without the pipes that it was started with")
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._answered = Event()
        self._answer: tuple[str, bytes] | None = None
        self._tell: Callable[[bytes], None] | None = None
        # Its next answer says so: the first one, or that to what was left.
        self._is_ready = False
        self.has_ended = self.was_asked_to_give_up = False
        try:
            Thread(target=self._read, name="dpviz-worker-answers", daemon=True).start()
        except RuntimeError:  # too many threads: nobody would hear its answers
            self.kill()
            raise
        with contextlib.suppress(OSError):  # it ended: whoever needs it finds out
            send(self._stdin, pickle.dumps(ahead))

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def is_free(self) -> bool:
        """Whether it has no import, and no computation that was left, to come to the end of."""
        return self._is_ready or self._answered.is_set()

    def processor_seconds(self) -> float | None:
        """Return the processor time it has used, to a hundredth; ``None`` where nothing tells."""
        try:
            with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:  # noqa: PTH123  often
                # The second field, its name in brackets, may hold anything.
                fields = file.read().rpartition(")")[2].split()
            user, system = map(int, fields[11:13])
            return (user + system) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            return None

    def begin(
        self,
        compute: Callable[[], Any],
        limits: Limits,
        tell: Callable[[bytes], None] | None = None,
    ) -> None:
        """Hand over a computation.

        ``tell`` is called by another thread with each thing that it yields, pickled.

        Raises:
            WorkerEndedError: the process is not there any more, or not there in time.
            Exception: what pickling raises; the process is as it was.
        """
        packed = pickle.dumps((compute, limits), protocol=pickle.HIGHEST_PROTOCOL)
        if not self._is_ready and not self._answered.wait(_START_SECONDS):
            # Its word that it is ready would be taken for the answer to what it is given now,
            # and each answer for that to what comes after.
            raise WorkerEndedError
        self._is_ready, self.was_asked_to_give_up = True, False
        self._answered.clear()
        self._answer, self._tell = None, tell
        if self.has_ended:
            raise WorkerEndedError
        try:
            send(self._stdin, packed)
        except (OSError, ValueError) as problem:  # it ended, or was killed
            raise WorkerEndedError from problem

    def wait(self, seconds: float) -> bool:
        """Wait for the answer for at most so long; return whether it is there."""
        return self._answered.wait(seconds)

    def answer(self) -> tuple[str, Any, int]:
        """Return what came, "result", "error" or "given up", with its value and its size in bytes.

        Raises:
            WorkerEndedError: the process ended instead.
        """
        if self._answer is None:
            raise WorkerEndedError
        (kind, packed), self._answer = self._answer, None
        return kind, pickle.loads(packed), len(packed)

    def give_up(self) -> None:
        """Ask the process to leave its computation; it answers "given up" soon, or not at all."""
        self.was_asked_to_give_up = True
        if hasattr(signal, "SIGUSR1"):
            self._process.send_signal(signal.SIGUSR1)
        else:
            self.kill()

    def leave(self) -> None:
        """Wait no longer for what it was asked to give up: it is free when that is answered."""
        self._is_ready = False

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):  # what was not written yet has nobody to read it
                pipe.close()

    def _read(self) -> None:
        # Until it ends, in the midst of a word perhaps, or the pipe is closed from this side.
        with contextlib.suppress(EOFError, pickle.UnpicklingError, OSError, ValueError):
            while True:
                kind, packed = pickle.load(self._stdout)
                if kind != "told":
                    self._answer = kind, packed
                    self._answered.set()
                elif self._tell is not None:
                    self._tell(packed)
        self.has_ended = True  # what it has answered before still holds
        self._answered.set()


class Staff:
    """Starts processes ahead of time: beginning one takes most of a second.

    Args:
        regular: how many are needed anyway; while these begin, they are not held up by others.
        spares: how many more wait.
        most: how many are kept at most; what is needed beyond is ended afterwards.
    """

    def __init__(
        self, start: Callable[[], WorkerProcess], *, regular: int, spares: int, most: int
    ) -> None:
        self._start, self._most = start, most
        self._regular, self._most_spares = regular, spares
        self._lock = Lock()
        self._spares: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._is_closed = False

    def prepare(self) -> None:
        """Begin a process for who comes first, if one can be started."""
        with self._lock:
            if (first := self._new()) is not None:
                self._spares.append(first)

    def call(self) -> WorkerProcess | None:
        """Return a process; ``None`` where none can be started now, after a while."""
        with self._lock:
            if self._is_closed:
                return None
            process = self._first_spare() or self._new()
            # Those that are away come back: another one in each one's place would be ended then.
            while (
                self._regular < len(self._all) < self._regular + self._most_spares
                and len(self._spares) < self._most_spares
                and (spare := self._new()) is not None
            ):
                self._spares.append(spare)
        if process is None:
            sleep(_RETRY_SECONDS)
        return process

    def send_home(self, process: WorkerProcess) -> None:
        """Take back a process that is not needed for now, or that leaves what it computes."""
        with self._lock:
            is_kept = len(self._all) <= self._most and not self._is_closed
            if is_kept:
                self._spares.append(process)
        if is_kept and not process.is_free:
            try:
                Thread(target=self._see_off, args=(process,), daemon=True).start()
            except RuntimeError:  # too many threads
                self._end_leaving(process)
        elif not is_kept:
            self.dismiss(process)

    def dismiss(self, process: WorkerProcess) -> None:
        """End a process."""
        process.kill()
        with self._lock:
            self._all.discard(process)

    def close(self) -> None:
        """End all processes; no other one is started."""
        with self._lock:
            self._is_closed = True
            for process in self._all:
                process.kill()
            self._all.clear()

    def _see_off(self, process: WorkerProcess) -> None:
        """Wait until a process that is kept is free; ask it again, and end it at last."""
        for _ in range(_MOST_ASKED):
            sleep(_LEAVE_SECONDS)
            with self._lock:  # nobody begins anything there meanwhile
                if process not in self._spares or process.is_free:
                    return
                process.give_up()
        self._end_leaving(process)

    def _end_leaving(self, process: WorkerProcess) -> None:
        with self._lock:
            if process not in self._spares or process.is_free:
                return
            self._spares.remove(process)
        self.dismiss(process)

    def _first_spare(self) -> WorkerProcess | None:
        """Take one that is free, else one that begins; one that does not leave is in the way."""
        for ended in [one for one in self._spares if one.has_ended]:
            self._spares.remove(ended)
            self._all.discard(ended)
            ended.kill()  # closes what it was told through
        free = [one for one in self._spares if one.is_free]
        begins = [one for one in self._spares if not one.was_asked_to_give_up]
        found = next(iter((*free, *begins)), None)
        if found is not None:
            self._spares.remove(found)
        elif len(self._all) >= self._most and self._spares:
            stuck = self._spares.pop(0)
            stuck.kill()
            self._all.discard(stuck)
        return found

    def _new(self) -> WorkerProcess | None:
        try:
            process = self._start()
        except (OSError, RuntimeError) as problem:  # no memory, or too many processes or threads
            LOGGER.warning("No process can be started for computations: %s", problem)
            return None
        self._all.add(process)
        return process
