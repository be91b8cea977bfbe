"""The processes that a server has started, and whether they end with it."""

import time
from pathlib import Path

import pytest

PROCESSES = Path("/proc")


def children_of(process: int) -> set[tuple[int, str]]:
    """Return a process's children and theirs, each by its number and the time of its beginning."""
    if not PROCESSES.is_dir():
        pytest.skip("without /proc, it cannot be seen which processes there are")
    parents = {number: (parent, began) for number, parent, began in _running()}
    found: set[int] = set()
    while more := {
        number
        for number, (parent, _) in parents.items()
        if number not in found and parent in found | {process}
    }:
        found |= more
    return {(number, parents[number][1]) for number in found}


def ended_within(seconds: float, processes: set[tuple[int, str]]) -> bool:
    """Wait until none of the processes runs any more, and return whether that was in time."""
    deadline = time.monotonic() + seconds
    while left := processes & {(number, began) for number, _, began in _running()}:
        if time.monotonic() > deadline:
            print(f"still there: {sorted(left)}")
            return False
        time.sleep(0.1)
    return True


def _running() -> list[tuple[int, int, str]]:
    """Return number, parent and time of beginning of each process that has not ended."""
    found = []
    for path in PROCESSES.glob("[0-9]*/stat"):
        try:
            # The name in brackets may hold anything, so what follows is told from the last one.
            state, parent, *more = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if state != "Z":
            found.append((int(path.parent.name), int(parent), more[17]))
    return found
