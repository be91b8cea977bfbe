"""What the files of a first visit cost the server: out of memory, and as they would be read.

    python -m bench.files [--visits 30] [--turns 3]

Two real servers, one of which keeps no answers, take turns; after a pause in which both have packed
what they serve. A visit fetches a page and all that it names, as participants of bench.load do.
"""

import argparse
import asyncio
import os
import statistics
import time
from contextlib import ExitStack

from bench.load.server import LoadedServer, served
from dpviz.rehearsal.participant import load_files

PACKING_SECONDS = 30.0
KEEPING_NOTHING = """
from dpviz.ui import packing
packing.LASTING = packing.LastingAnswers(most_bytes=0)
"""


def milliseconds(server: LoadedServer, visits: int) -> float:
    """Return what a visit takes of the server's processor."""
    before = server.usage().cpu
    for _ in range(visits):
        asyncio.run(load_files(server.url, "privacy_curve"))
    return 1000.0 * (server.usage().cpu - before) / visits


def main() -> None:
    """Start the servers, visit them in turn, print the medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=30)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")
    with ExitStack() as stack:
        sides = {
            name: stack.enter_context(served("shipped", changed=changed))
            for name, changed in {"read": KEEPING_NOTHING, "out of memory": ""}.items()
        }
        for server in sides.values():
            milliseconds(server, 1)
        time.sleep(PACKING_SECONDS)
        found: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(options.turns):
            for name, server in sides.items():
                found[name].append(milliseconds(server, options.visits))
    medians = {name: statistics.median(of) for name, of in found.items()}
    for name, median in medians.items():
        print(f"{name:15}{median:8.1f} ms of a processor for the files of one visit")
    print(f"{'ratio':15}{medians['read'] / medians['out of memory']:8.1f}")


if __name__ == "__main__":
    main()
