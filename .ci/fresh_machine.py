"""Prove README's two commands on a machine that has nothing: an empty home and empty pip cache.

``python .ci/fresh_machine.py`` clones the last commit three times and runs, in environments that
know nothing of yours, ``make app`` until its first page answers, ``make test`` without a browser,
and ``make test`` with the Chromium that is installed. It prints a line for each, with what it took,
and ends with 0 if all of them went well. For Linux and macOS, with git and make.
"""

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

REPOSITORY = Path(__file__).resolve().parent.parent
# How the machine reaches packages at all; everything else of the environment stays behind.
_KEPT_PREFIXES = ("PIP_", "SSL_CERT", "REQUESTS_CA")
_KEPT = {"http_proxy", "https_proxy", "no_proxy", "dpviz_reference_dir"}
_NOT_KEPT = {"PIP_CACHE_DIR", "PIP_TARGET", "PIP_USER", "PIP_PREFIX"}
_BROWSERS = ("chrom", "google-chrome", "firefox", "epiphany", "x-www-browser", "www-browser")
_TRIES = ("app", "test", "test-with-browser")
_SECONDS_TO_INSTALL, _SECONDS_TO_TEST = 1200.0, 3600.0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one command.

    Args:
        what: the command and its circumstances.
        went_well: whether it did what README says.
        seconds: what it took.
        last_words: the last line that it said.
    """

    what: str
    went_well: bool
    seconds: float
    last_words: str


class FreshMachine:
    """A clone with a home, a pip cache and a path of commands of its own."""

    def __init__(self, folder: Path, *, python: str, browser: bool) -> None:
        """Clone the last commit into an empty folder.

        Args:
            folder: an empty one.
            python: the interpreter.
            browser: whether browsers are among the commands.
        """
        self.clone = folder / "dpviz"
        self.log = folder / "output.txt"
        home, commands = folder / "home", folder / "commands"
        for made in (home, commands, folder / "tmp"):
            made.mkdir()
        _link_commands(commands, browser=browser)
        kept = {
            name: value
            for name, value in os.environ.items()
            if (name.startswith(_KEPT_PREFIXES) or name.lower() in _KEPT) and name not in _NOT_KEPT
        }
        self._environment = kept | {
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PATH": str(commands),
            "PIP_CACHE_DIR": str(home / "pip-cache"),
            "PYTHON": python,
            "TMPDIR": str(folder / "tmp"),
        }
        subprocess.run(
            ["git", "clone", "--quiet", "--no-hardlinks", str(REPOSITORY), str(self.clone)],
            check=True,
        )

    def begin(self, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a command in the clone, as the first of a group of processes."""
        with self.log.open("wb") as output:
            return subprocess.Popen(
                command,
                cwd=self.clone,
                env=self._environment | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def last_words(self) -> str:
        """Return the last line of the output that says something."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "no output")


def _link_commands(folder: Path, *, browser: bool) -> None:
    """Link all commands of this machine's usual folders, browsers only where they are wanted."""
    for place in ("/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        for command in sorted(Path(place).glob("*")):
            link = folder / command.name
            wanted = browser or not command.name.startswith(_BROWSERS)
            if wanted and not link.is_symlink():
                link.symlink_to(command)


def app_answers(machine: FreshMachine) -> Outcome:
    """Run ``make app`` until its first page and its health answer, and end it."""
    port = _free_port()
    begin = time.monotonic()
    running = machine.begin(
        "make", "app", STREAMLIT_SERVER_PORT=str(port), STREAMLIT_SERVER_HEADLESS="true"
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        went_well = False
        while time.monotonic() - begin < _SECONDS_TO_INSTALL and running.poll() is None:
            went_well = _says(address + "_stcore/health", b"ok") and _says(address, b"<title>")
            if went_well:
                break
            time.sleep(0.5)
        seconds = time.monotonic() - begin
    finally:
        _end(running)
    return Outcome(
        what="make app", went_well=went_well, seconds=seconds, last_words=machine.last_words()
    )


def tests_pass(machine: FreshMachine, *, browser: bool) -> Outcome:
    """Run ``make test`` to its end."""
    begin = time.monotonic()
    running = machine.begin("make", "test")
    try:
        status = running.wait(_SECONDS_TO_TEST)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        _end(running)
    return Outcome(
        what=f"make test, {'with' if browser else 'without'} a browser",
        went_well=status == 0,
        seconds=time.monotonic() - begin,
        last_words=machine.last_words(),
    )


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _says(address: str, word: bytes) -> bool:
    try:
        with urlopen(address, timeout=5) as answer:
            return word in answer.read()
    except (URLError, ConnectionError, TimeoutError):
        return False


def _end(running: subprocess.Popen[bytes]) -> None:
    for end in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(running.pid, end)
            running.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def main(arguments: Sequence[str] | None = None) -> int:
    """Try both commands, say what became of them, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="interpreter to use")
    parser.add_argument(
        "tries", nargs="*", metavar="TRY", help=f"of {', '.join(_TRIES)}; all of them, if absent"
    )
    parser.add_argument("--keep", action="store_true", help="leave the folders there")
    asked = parser.parse_args(arguments)
    # Not by argparse's choices, which Python before 3.12 holds against no word at all, too.
    if unknown := [one for one in asked.tries if one not in _TRIES]:
        parser.error(f"{unknown[0]}: it must be one of {', '.join(_TRIES)}")
    python = shutil.which(asked.python)
    if python is None:
        parser.error(f"--python {asked.python}: there is no such command")
    went_well = True
    for name in asked.tries or _TRIES:
        folder = Path(tempfile.mkdtemp(prefix="dpviz-fresh-"))
        browser = name == "test-with-browser"
        machine = FreshMachine(folder, python=python, browser=browser)
        outcome = app_answers(machine) if name == "app" else tests_pass(machine, browser=browser)
        word = "works" if outcome.went_well else f"FAILS (see {machine.log})"
        print(f"{outcome.what}: {word}, {outcome.seconds:.0f} s: {outcome.last_words}", flush=True)
        went_well = went_well and outcome.went_well
        if outcome.went_well and not asked.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if went_well else 1


if __name__ == "__main__":
    sys.exit(main())
