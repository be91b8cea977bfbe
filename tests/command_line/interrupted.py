"""A command that gets Ctrl-C, as from a terminal: its processes get it, too."""

import os
import signal
import subprocess
import sys
import time

SECONDS = 60


def interrupted(arguments, ready, *, times=1, after=0.0):
    """Return exit code and errors of a command that gets Ctrl-C once it is ready.

    ``ready`` stands in one of its errors, or in what Python tells of its imports; ``after`` is how
    many seconds pass then. A command may have ended before.
    """
    command = [sys.executable, "-X", "importtime", "-m", "dpviz", *arguments]
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        for line in running.stderr:
            if ready in line:
                break
        try:
            said = running.communicate(timeout=after)[1]
        except subprocess.TimeoutExpired:
            for _ in range(times):
                os.killpg(running.pid, signal.SIGINT)
                time.sleep(0.05)
            said = running.communicate(timeout=SECONDS)[1]
    own = [line for line in said.splitlines() if not line.startswith("import time:")]
    return running.returncode, "\n".join(own)
