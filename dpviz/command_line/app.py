"""``dpviz app``: the dashboard, from wherever it is installed."""

import os
import signal
from argparse import Namespace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from dpviz.command_line.command import Command, UsageError, number
from dpviz.command_line.ends import STOPPED, tell
from dpviz.settings.dashboard import dashboard_script

_PORT = number(
    "port", "N", "where it is served on this machine (8501 if absent)", (1, 65535), default=8501
)


def main_script() -> Path:
    """Return the dashboard's main script."""
    for name in ("streamlit", "plotly"):
        if find_spec(name) is None:
            raise UsageError(f'the dashboard needs {name}: pip install "dpviz[app]"')
    script = dashboard_script()
    if script is None:
        raise UsageError("the dashboard is missing: the package was copied without it")
    return script


def _run(options: Namespace) -> str:
    script = main_script()
    # Streamlit takes seconds to come; once it serves, it ends in order, and then asks for this.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _stopped)
    streamlit = import_module("streamlit.web.cli")
    arguments = ["run", str(script), "--server.port", str(options.port)]
    try:
        streamlit.main(arguments, prog_name="streamlit")
    except SystemExit as ended:  # Streamlit has said why: the port is taken, or its settings
        if ended.code:
            raise UsageError("the dashboard was not started") from None
    return ""


def _stopped(*_: object) -> NoReturn:
    """End at once: an exception would come in the middle of others' imports."""
    tell("stopped.")
    os._exit(STOPPED)


COMMAND = Command(
    name="app",
    help="the dashboard, in a browser; Streamlit's settings are taken from the environment",
    run=_run,
    settings=(_PORT,),
    has_json=False,
)
