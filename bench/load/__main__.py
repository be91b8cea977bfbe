"""Answer times of the real server while many participants move controls.

    python -m bench.load [--participants 30] [--seconds 60] [--every 2] [--pages protection ...]
                         [--config shipped|default|both] [--minutes 10] [--warm-browsers]
                         [--class] [--servers 2] [--heavy 1]

Participants speak Streamlit's own protocol over real websockets, one connection each, from one
process on the same machine. All of them join within three seconds, which is timed apart: a new
browser fetches the page's files, connects, and waits for the first answer. Then each moves one
control every few seconds to another of its values, and records for each move

- answer: until the page's headline is there from a run that knows of the move, be it coarse (the
  chart follows it at once); on a page without one, until the end of that run;
- complete: until nothing more is to come. A move that is made before takes the last one's place.

By default each wanders about: every move is of any of the page's controls, so that after some of
them nobody else has asked for the same numbers. With --class all who are on a page have opened the
same link, and move the same slider, as in a lesson.

With --servers several processes serve the app, as behind a proxy that sends each browser always to
the same one; participants are spread evenly over them, and the processors divided among them.

With --heavy so many more people are there, each with a browser that has fifteen pages open at the
largest settings and moves in all of them. What they wait for is not told.

With --config both, the configuration that is shipped and Streamlit's own take turns. --minutes
prints the memory after each minute. Nothing is sent to any other machine.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from bench.load.server import CONFIGURATIONS, LoadedServer, served, sum_of
from bench.load.tables import line_of_memory, line_of_work, percentiles, table_of_answers
from bench.load.visits import class_links, heavy_links, links, page_names
from dpviz.rehearsal.participant import Participant, Record, load_files, percentile

JOIN_SECONDS = 3.0
SETTLE_SECONDS = 2.0  # from the last answer of the join to the first move
TURNS = 2  # of each configuration, where they are compared
_HEAVY_PAGES = 15
_SEED = 1


class Measurement:
    """What was measured of one configuration."""

    def __init__(self) -> None:
        self.by_page: dict[str, Record] = {}
        self.joining = Record()
        self.loading: list[float] = []

    def add(self, participants: list[Participant]) -> Record:
        """Take over what participants recorded; return their moves."""
        moves = Record()
        for one in participants:
            self.loading += one.loading
            self.joining.add(one.joining)
            page = one.link.partition("?")[0]
            self.by_page.setdefault(page, Record()).add(one.moving)
            moves.add(one.moving)
        return moves


async def measure(
    servers: Sequence[LoadedServer], options: argparse.Namespace, into: Measurement
) -> None:
    """Let participants join and move for a time; print what they and the servers had to do."""
    rng = random.Random(_SEED)
    offered = class_links(options.pages) if options.is_class else links(options.pages)
    begin = time.monotonic()
    moving: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def who(number: int, link: str, share_of_join: float, **more: Any) -> Participant:
        return Participant(
            url=servers[number % len(servers)].url,
            link=link,
            join=begin + JOIN_SECONDS * share_of_join,
            all_move=moving,
            first_move=rng.uniform(0, options.every),
            every=options.every,
            length=options.seconds,
            rng=random.Random(rng.random()),
            **more,
        )

    participants = [
        who(
            # Each page is on all servers, and each server has about as many participants.
            number % len(options.pages) + number // len(options.pages),
            offered[number % len(offered)],
            number / options.participants,
            cookies={} if options.warm_browsers else None,
            one_slider=options.is_class,
        )
        for number in range(options.participants)
    ]
    heavy = [
        who(person, link, 1.0, cookies=cookies)
        for person in range(options.heavy)
        for cookies in [await load_files(servers[person % len(servers)].url, "")]
        for link in heavy_links([page for page in page_names() if page][:_HEAVY_PAGES])
    ]
    _tell_memory("at the start", servers)
    tasks = [asyncio.create_task(one.take_part()) for one in participants + heavy]
    # Who waits for a first answer longer than anybody would is counted as an error, and not moved.
    await asyncio.gather(*(one.has_joined.wait() for one in participants))
    await asyncio.sleep(SETTLE_SECONDS)
    moving.set_result(time.monotonic())
    before, own = [server.usage() for server in servers], time.process_time()
    _tell_memory("after the join", servers)
    watch = asyncio.create_task(_watch_memory(servers)) if options.minutes else None
    await asyncio.sleep(options.seconds)
    after, own = [server.usage() for server in servers], time.process_time() - own
    await asyncio.gather(*tasks)
    if watch is not None:
        watch.cancel()
    _tell_memory("at the end", servers)
    print(line_of_work(into.add(participants), sum_of(before), sum_of(after), options.seconds))
    failures = sum((server.failures() for server in servers), Counter())
    for line, count in failures.most_common(10):
        print(f"in a server's log, {count} times: {line[:160]}")
    print(f"this measurement's own CPU: {100 * own / options.seconds:.0f} % of a core", flush=True)


async def _watch_memory(servers: Sequence[LoadedServer]) -> None:
    for minute in range(1, 24 * 60):
        await asyncio.sleep(60)
        _tell_memory(f"after {minute} min", servers)


def _tell_memory(when: str, servers: Sequence[LoadedServer]) -> None:
    for server in servers:
        print(line_of_memory(when, server.usage()), flush=True)


def report(name: str, measured: Measurement) -> None:
    """Print what visitors waited for."""
    print(f"\n{name} configuration")
    print(f"{'join, ms':20}{'p50':>8}{'p95':>8}{'p99':>8}")
    for what, values in (
        ("files of the page", measured.loading),
        ("first answer", measured.joining.answers),
        ("complete", measured.joining.completes),
    ):
        print(f"{what:20}{percentiles(values)}")
    for error in measured.joining.errors[:10]:
        print(f"error while joining: {error}")
    print(table_of_answers(measured.by_page), flush=True)


def compare(measured: dict[str, Measurement]) -> None:
    """Print how many times as long Streamlit's own configuration takes."""
    for what in ("answers", "completes"):
        ours, theirs = (
            [time for record in measured[name].by_page.values() for time in getattr(record, what)]
            for name in CONFIGURATIONS
        )
        if ours and theirs:
            ratios = [percentile(theirs, share) / percentile(ours, share) for share in (0.5, 0.95)]
            said = ", ".join(
                f"{ratio:.1f} at {p}" for ratio, p in zip(ratios, ("p50", "p95"), strict=True)
            )
            print(f"default over shipped, {what}: {said}")


def main() -> None:
    """Measure, print, and exit with 1 if there were errors."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    options = _options()
    names = CONFIGURATIONS if options.config == "both" else (options.config,)
    turns = TURNS if options.config == "both" else 1
    measured = {name: Measurement() for name in names}
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")
    for turn in range(turns):
        for name in names:
            size = f"{options.participants} participants, {options.seconds:g} s"
            print(f"\n{name}, {size}, turn {turn + 1}")
            with ExitStack() as stack:
                servers = [
                    stack.enter_context(served(name, of=options.servers))
                    for _ in range(options.servers)
                ]
                asyncio.run(measure(servers, options, measured[name]))
    for name in names:
        report(name, measured[name])
    if len(names) > 1:
        compare(measured)
    sys.exit(
        any(
            record.errors
            for one in measured.values()
            for record in (one.joining, *one.by_page.values())
        )
    )


def _options() -> argparse.Namespace:
    pages = page_names()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--participants", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=2.0)
    parser.add_argument("--pages", nargs="+", default=pages, choices=pages)
    parser.add_argument("--config", default="shipped", choices=(*CONFIGURATIONS, "both"))
    parser.add_argument("--minutes", type=float, default=0.0, help="instead of --seconds")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--warm-browsers", action="store_true", help="that hold the page's files")
    parser.add_argument("--heavy", type=int, default=0, help="people with many heavy pages")
    parser.add_argument("--class", dest="is_class", action="store_true", help="one link a page")
    options = parser.parse_args()
    for name, least, most in (("participants", 1, 500), ("servers", 1, 16), ("heavy", 0, 10)):
        if not least <= getattr(options, name) <= most:
            parser.error(f"--{name} must be from {least} to {most}")
    if options.minutes:
        options.seconds = 60 * options.minutes
    return options


if __name__ == "__main__":
    main()
