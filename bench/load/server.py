"""The server under load: started with one configuration, watched, and ended whatever happens."""

import contextlib
import ctypes
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from dpviz.ui.workers import VARIABLE

ROOT = Path(__file__).parents[2]
CONFIGURATIONS = ("shipped", "default")
_START_SECONDS = 60
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


@dataclass(frozen=True)
class LoadedServer:
    """A running server: its address, its process, and where its output goes."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def usage(self) -> Usage:
        """Return what the server has used until now."""
        return usage_of(self.process.pid)

    def failures(self) -> Counter[str]:
        """Return what the server's log tells of errors: the last line of each traceback."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return Counter(line for line in text.splitlines() if _RAISED.match(line))


@contextlib.contextmanager
def served(
    configuration: str, *, of: int = 1, program: Sequence[str] = ("-m", "streamlit")
) -> Iterator[LoadedServer]:
    """Serve app.py on the loopback for as long as the context lasts.

    Args:
        configuration: ``shipped``, or ``default`` for Streamlit's own where ours differs.
        of: how many servers share the processors.
        program: what Python runs, with the arguments of ``streamlit``.

    Raises:
        RuntimeError: the server ends, or does not answer in time.
    """
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    options = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
    }
    if configuration == "default":
        options = {**defaults(), **options}
    arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as at_the_end:
        log = Path(folder) / "log.txt"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *program, "run", "app.py", *arguments],
                cwd=ROOT,
                env={**_shares_of_processors(of), **os.environ, "PYTHONPATH": str(ROOT)},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        at_the_end.callback(_stop, process)
        _wait_until_up(url, process)
        yield LoadedServer(url, process, log)


def _shares_of_processors(of: int) -> dict[str, str]:
    return {} if of == 1 else {VARIABLE: str(max(1, (os.cpu_count() or 1) // of))}


def _stop(process: subprocess.Popen[bytes]) -> None:
    # The whole group: workers of the server are not to outlive it.
    for sent in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sent)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)


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
    children = [stat for one in _descendants(pid) if (stat := _stat_if_there(one)) is not None]
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


def _stat_if_there(pid: int) -> list[int] | None:
    try:
        return _stat(pid)
    except OSError:  # it has ended meanwhile
        return None


def _descendants(pid: int) -> list[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (stat := _stat_if_there(int(entry.name))) is not None:
            parents[int(entry.name)] = stat[1]
    found, seen = [], {pid}
    while new := {one for one, parent in parents.items() if parent in seen} - seen:
        seen |= new
        found += new
    return found


def _end_with_parent() -> None:
    # Linux: the kernel ends the server even where the measurement itself is killed.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _wait_until_up(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urlopen(f"{url}_stcore/health", timeout=2):
            return
        time.sleep(0.1)
    raise RuntimeError("The server did not start.")


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
