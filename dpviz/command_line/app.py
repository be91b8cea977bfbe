"""``dpviz app``: the dashboard, from wherever it is installed."""

import os
import subprocess
import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from dpviz.command_line.command import Command, UsageError, number, value_of
from dpviz.settings.dashboard import dashboard_script

_PORT = number(
    "port", "N", "where it is served on this machine (8501 if absent)", (1, 65535), default=8501
)

# Where a process can be replaced, signals then are the server's own.
TAKES_OUR_PLACE = os.name == "posix"


def main_script() -> Path:
    """Return the dashboard's main script.

    Raises:
        UsageError: it is not there, or what it runs on is not.
    """
    for name in ("streamlit", "plotly"):
        if find_spec(name) is None:
            raise UsageError(f'the dashboard needs {name}: pip install "dpviz[app]"')
    script = dashboard_script()
    if script is None:
        raise UsageError("the dashboard is missing: the package was copied without it")
    return script


def _run(options: Namespace) -> str:
    script = main_script()
    port = str(int(value_of(options, _PORT)))
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", port]
    if TAKES_OUR_PLACE:
        os.execv(sys.executable, command)
    else:
        subprocess.run(command, check=False)
    return ""


COMMAND = Command(
    name="app",
    help="the dashboard, in a browser; Streamlit's settings are taken from the environment",
    run=_run,
    settings=(("", (_PORT,)),),
    has_json=False,
)
