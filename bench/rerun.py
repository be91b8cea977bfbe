"""What one rerun of a page costs the server where everything it shows is known by now.

    python -m bench.rerun [--moves 60] [--pages protection ...]

One visitor over a real websocket moves one slider back and forth between two stops, once for
nothing, then again and again. For each page: the CPU of all the server's threads for a move, from
the reading of the message to the last byte of the answer, and what the answer consists of. On a
machine that others use, too, the least of all moves tells more than the middle one.
"""

import argparse
import asyncio
import random
import statistics
import time

from websockets.asyncio.client import ClientConnection, connect

from bench.load.server import LoadedServer, served
from bench.load.visits import page_names
from dpviz.rehearsal.page import FINISHED, Control, Page, other_value

# Of a page that has it; else its first control.
_SLIDER = "noise_multiplier"
_IDLE = 0.03  # of a core
_MOST_SECONDS_TO_IDLE = 120
_PAUSE_SECONDS = 0.05  # so that moves do not share what the server does between them


async def measure(server: LoadedServer, link: str, moves: int) -> str:
    """Return a row of the table."""
    name, _, query = link.partition("?")
    page = Page(address=server.url + name, name=name, query=query)
    host = server.url.split("/")[2]
    async with connect(
        f"ws://{host}/_stcore/stream", subprotocols=["streamlit"], max_size=2**26
    ) as socket:
        await socket.send(page.first_message())
        await _answer(socket, page)
        controls = page.controls()
        if not controls:
            return f"{link:40}   no control to move"
        control = next((one for one in controls if one.name == _SLIDER), controls[0])
        values = [page.value(control)]
        values.append(other_value(control, values[0], random.Random(1)))
        await _until_idle(server)
        for at in range(3):
            await socket.send(page.set(_same(page, control), values[(at + 1) % 2]))
            await _answer(socket, page)
        costs, elapsed, runs, messages, size = [], 0.0, 0, 0, 0
        for at in range(moves):
            before, began = _cpu(server), time.monotonic()
            await socket.send(page.set(_same(page, control), values[at % 2]))
            answer = await _answer(socket, page)
            elapsed += time.monotonic() - began
            await asyncio.sleep(_PAUSE_SECONDS)
            costs.append(1000 * (_cpu(server) - before))
            runs += answer[0]
            messages += answer[1]
            size += answer[2]
    return (
        f"{link[:40]:40}{min(costs):8.1f}{statistics.median(costs):8.1f}"
        f"{1000 * elapsed / moves:8.0f}{runs / moves:7.1f}{messages / moves:10.0f}"
        f"{size / moves / 1024:8.0f}   {control.name}"
    )


def _cpu(server: LoadedServer) -> float:
    """Return the seconds that all threads of the server have computed for, to the nanosecond."""
    # Linux names the clock of a process by its number, see clock_getcpuclockid(3).
    return time.clock_gettime(~server.process.pid << 3 | 2)


async def _until_idle(server: LoadedServer) -> None:
    """Wait until nothing is computed in the background any more."""
    for _ in range(_MOST_SECONDS_TO_IDLE):
        before = server.usage()
        await asyncio.sleep(1)
        after = server.usage()
        used = after.cpu - before.cpu + after.children_cpu - before.children_cpu
        if used < _IDLE:
            return


def _same(page: Page, control: Control) -> Control:
    """Return the control as it is on the page now."""
    return next(one for one in page.controls() if one.name == control.name)


async def _answer(socket: ClientConnection, page: Page) -> tuple[int, int, int]:
    runs = messages = size = 0
    while True:
        data = await asyncio.wait_for(socket.recv(decode=False), 60)
        message = page.receive(data)
        messages += 1
        size += len(data)
        kind = message.WhichOneof("type")
        runs += kind == "new_session"
        if page.exceptions:
            raise RuntimeError(page.exceptions[0])
        if kind == "script_finished" and message.script_finished in FINISHED:
            return runs, messages, size


def main() -> None:
    """Start a server and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--pages", nargs="+", default=page_names()[1:-1])
    options = parser.parse_args()
    with served("shipped") as server:
        print(f"{'':40}{'CPU of a move, ms':>16}")
        titles = ("least", "median", "wall ms", "runs", "messages", "kB")
        widths = (8, 8, 8, 7, 10, 8)
        head = "".join(f"{title:>{width}}" for title, width in zip(titles, widths, strict=True))
        print(f"{'page':40}{head}")
        for link in options.pages:
            print(asyncio.run(measure(server, link, options.moves)), flush=True)


if __name__ == "__main__":
    main()
