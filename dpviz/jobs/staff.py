"""The processes there are, and one more that is ready before it is needed."""

import logging
from collections.abc import Callable
from threading import Lock
from time import sleep

from dpviz.jobs.process import WorkerProcess

LOGGER = logging.getLogger(__name__)
_RETRY_SECONDS = 1.0


class Staff:
    """Starts processes ahead of time: beginning one takes most of a second.

    Args:
        start: starts a process.
        regular: how many are needed anyway; while these begin, they are not held up by others.
        spares: how many more wait.
    """

    def __init__(self, start: Callable[[], WorkerProcess], *, regular: int, spares: int) -> None:
        self._start, self._regular, self._most_spares = start, regular, spares
        self._lock = Lock()
        self._spares: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._is_closed = False

    def call(self) -> WorkerProcess | None:
        """Return a process; ``None`` where none can be started now, after a while."""
        with self._lock:
            if self._is_closed:
                return None
            process = self._spares.pop(0) if self._spares else self._new()
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
        """Take back a process that is not needed for now."""
        with self._lock:
            if len(self._spares) < self._most_spares and not self._is_closed:
                self._spares.insert(0, process)  # it is ready for certain
                return
        self.dismiss(process)

    def dismiss(self, process: WorkerProcess) -> None:
        """End a process."""
        process.kill()
        with self._lock:
            self._all.discard(process)

    def pids(self) -> list[int]:
        """Return the numbers of all processes."""
        with self._lock:
            return [process.pid for process in self._all]

    def close(self) -> None:
        """End all processes; no other one is started."""
        with self._lock:
            self._is_closed = True
            for process in self._all:
                process.kill()
            self._all.clear()

    def _new(self) -> WorkerProcess | None:
        try:
            process = self._start()
        except (OSError, RuntimeError) as problem:  # no memory, or too many processes or threads
            LOGGER.warning("No process can be started for computations: %s", problem)
            return None
        self._all.add(process)
        return process
