"""Starts the real server, as a user does, for tests in a real browser."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

REPOSITORY = Path(__file__).parents[2]
# As python -m streamlit.
_SERVING = "import runpy; runpy.run_module('streamlit', run_name='__main__', alter_sys=True)"
START_SECONDS = 180  # a cold start on a busy machine takes 10


@dataclass(frozen=True)
class Server:
    """A running ``streamlit run``, and the address at which a browser finds it."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    @property
    def port(self) -> int:
        return int(urlsplit(self.url).port or 0)

    def kill(self) -> None:
        """End the process as the machine's lack of memory does: at once, with no word to anyone."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_server(
    script: Path,
    log: Path,
    *,
    base_path: str = "",
    port: int | None = None,
    changed: str = "",
    options: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
    **how: Any,
) -> Server:
    """Serve a script with the repository's own settings and wait until it answers.

    Args:
        script: What ``streamlit run`` is given.
        log: Where the server's output goes.
        base_path: The path under which the app is served, as behind a proxy.
        port: Where it listens; at a free one by default.
        changed: What Python runs before it serves, to put the server into some state.
        options: More of Streamlit's options.
        environment: What variables are where this process has none of their names.
        how: More of how the process is started, as ``Popen`` has it.

    Raises:
        RuntimeError: If the server ends or does not answer in time, with its output.
    """
    port = free_port() if port is None else port
    url = f"http://127.0.0.1:{port}/" + (f"{base_path}/" if base_path else "")
    given = {
        **(options or {}),
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.baseUrlPath": base_path,
        "browser.gatherUsageStats": "false",
    }
    arguments = [text for name, value in given.items() for text in (f"--{name}", str(value))]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", f"{changed}\n{_SERVING}", "run", str(script), *arguments],
            cwd=REPOSITORY,
            env={**(environment or {}), **os.environ, "PYTHONPATH": str(REPOSITORY)},
            stdout=output,
            stderr=subprocess.STDOUT,
            **how,
        )
    server = Server(process, url, log)
    wait_until_served(server)
    return server


def wait_until_served(server: Server) -> None:
    """Wait until a server answers.

    Raises:
        RuntimeError: It ends or does not answer in time, with its output.
    """
    deadline = time.monotonic() + START_SECONDS
    while not _answers(f"{server.url}_stcore/health"):
        if server.process.poll() is not None or time.monotonic() > deadline:
            server.stop()
            raise RuntimeError(f"Nothing was served:\n{server.log.read_text()}")
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False
