"""The server under load: started with one configuration, watched, and ended whatever happens."""

import contextlib
import ctypes
import os
import re
import signal
import subprocess
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from dpviz.ui.workers import VARIABLE
from tests.browser.processes import children_of
from tests.browser.server import Server, start_server

ROOT = Path(__file__).parents[2]
CONFIGURATIONS = ("shipped", "default")
_STOP_SECONDS = 10
_MEGABYTE = 2**20
_PR_SET_PDEATHSIG = 1
# The line that ends a traceback: the error's class, perhaps with its module, and what it says.
_RAISED = re.compile(r"[\w.]*(Error|Exception)\b(:|$)")


@dataclass(frozen=True)
class Usage:
    """What a process and its descendants have used.

    Args:
        cpu: seconds of the process, over all its threads.
        children_cpu: seconds of its descendants, those that have ended included.
        memory: resident megabytes of the process.
        children_memory: of its descendants.
    """

    cpu: float
    children_cpu: float
    memory: float
    children_memory: float


def sum_of(usages: Iterable[Usage]) -> Usage:
    """Return what several have used together."""
    rows = [astuple(usage) for usage in usages]
    return Usage(*map(sum, zip(*rows, strict=True)))


class LoadedServer(Server):
    """A running server, with what it uses and what it complains of."""

    def usage(self) -> Usage:
        """Return what the server has used until now."""
        return usage_of(self.process.pid)

    def failures(self) -> Counter[str]:
        """Return what the server's log tells of errors: the last line of each traceback."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return Counter(line for line in text.splitlines() if _RAISED.match(line))

    def stop(self) -> None:
        """End the whole group: workers of the server are not to outlive it."""
        for sent in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, sent)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_STOP_SECONDS)


@contextlib.contextmanager
def served(configuration: str, *, of: int = 1, changed: str = "") -> Iterator[LoadedServer]:
    """Serve app.py on the loopback for as long as the context lasts.

    Args:
        configuration: ``shipped``, or ``default`` for Streamlit's own where ours differs.
        of: how many servers share the processors.
        changed: what Python runs before it serves.

    Raises:
        RuntimeError: the server ends, or does not answer in time.
    """
    with tempfile.TemporaryDirectory() as folder:
        started = start_server(
            ROOT / "app.py",
            Path(folder) / "log.txt",
            changed=changed,
            options=defaults() if configuration == "default" else None,
            environment=_shares_of_processors(of),
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
        server = LoadedServer(**vars(started))
        try:
            yield server
        finally:
            server.stop()


def _shares_of_processors(of: int) -> dict[str, str]:
    return {} if of == 1 else {VARIABLE: str(max(1, (os.cpu_count() or 1) // of))}


def defaults() -> dict[str, str]:
    """Return Streamlit's own values of all options that the repository sets, but the colours."""
    from streamlit import config

    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        ours: dict[str, dict[str, Any]] = tomllib.load(file)
    names = [f"{part}.{name}" for part in ours if part != "theme" for name in ours[part]]
    known = config.get_config_options(force_reparse=False)
    return {name: _written(known[name].default_val) for name in names}


def usage_of(pid: int) -> Usage:
    """Return what a process of this machine and its descendants have used.

    Raises:
        OSError: there is no such process, or no /proc.
    """
    ticks = os.sysconf("SC_CLK_TCK")
    page = os.sysconf("SC_PAGE_SIZE") / _MEGABYTE
    own = _stat(pid)
    children = []
    for number, _ in children_of(pid):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            children.append(_stat(number))
    ended = sum(own[13:15]) + sum(sum(one[13:15]) for one in children)
    return Usage(
        cpu=sum(own[11:13]) / ticks,
        children_cpu=(ended + sum(sum(one[11:13]) for one in children)) / ticks,
        memory=own[21] * page,
        children_memory=sum(one[21] for one in children) * page,
    )


def _stat(pid: int) -> list[int]:
    """Return the numbers of /proc/PID/stat from its third field, the state, on; that one as 0."""
    text = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return [0, *(int(number) for number in text[1:])]


def _end_with_parent() -> None:
    # Linux: the kernel ends the server even where the measurement itself is killed.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
