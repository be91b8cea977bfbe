"""Records what pages and commands say: ``python -m tests.goldens.record [--show] [GROUP ...]``."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

# Before anything imports streamlit: AppTest would not see the details of an error.
os.environ["STREAMLIT_CLIENT_SHOW_ERROR_DETAILS"] = "full"
os.environ["DPVIZ_START"] = "toy"
os.environ["DPVIZ_CLASSES"] = f"{tempfile.gettempdir()}/dpviz-{os.getpid()}.sqlite"

from dpviz.settings.destinations import PAGE_NAMES
from tests.goldens import store
from tests.goldens.comparing import difference, tolerance_of
from tests.goldens.store import Visit
from tests.goldens.visiting import seen_at


def main(arguments: Sequence[str] | None = None) -> int:
    """Write anew what is recorded, or show how it differs; return how many states differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.goldens.record", description=__doc__)
    parser.add_argument("group", nargs="*", help="pages, and commands as command-NAME; else all")
    parser.add_argument("--show", action="store_true", help="show what differs; write nothing")
    options = parser.parse_args(arguments)
    differing = 0
    for group, visits in _visits():
        if not options.group or group in options.group:
            differing += _done(group, visits, shows=options.show)
    if not options.show:
        store.write_versions()
    return differing


def _visits() -> Iterator[tuple[str, list[Visit]]]:
    for group in store.groups():
        yield group, [seen.visit for seen in store.read(group)]
    for page in PAGE_NAMES.keys() - set(store.groups()):
        yield page, [Visit(group=page, name="first", link=page)]


def _done(group: str, visits: list[Visit], *, shows: bool) -> int:
    began = time.perf_counter()
    found = [seen_at(visit) for visit in visits]
    took = time.perf_counter() - began
    before = {seen.visit: seen for seen in store.read(group)} if group in store.groups() else {}
    differing, kept = 0, []
    for seen in found:
        known = before.get(seen.visit)
        within = tolerance_of(f"{group}: {seen.visit.name}")
        told = "not recorded" if known is None else difference(known, seen, within)
        # What is equal stays as it is: other late digits would only fill a commit.
        kept.append(seen if told or known is None else known)
        if told:
            differing += 1
            if shows:
                print(f"=== {group}: {seen.visit.name}\n    {seen.visit.link}\n{told}\n")
    if not shows:
        store.write(group, kept)
    print(f"{group}: {len(found)} states in {took:.1f} s, {differing} differ", file=sys.stderr)
    return differing


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
