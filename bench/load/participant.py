"""One simulated participant: opens a page over a real websocket and moves its controls."""

import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from math import inf
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.load.answers import Record, Waiting
from bench.load.page import Page

MOST_SECONDS = 30.0  # nobody waits longer for an answer
_MOST_BYTES = 2**26
_LINKED_FILE = re.compile(r'(?:href|src)="([^"]+)"')


@dataclass
class Times:
    """When a participant does what, in seconds.

    Args:
        join: when to join, by ``time.monotonic``.
        moving: tells when all begin to move, by the same clock.
        first_move: how long after that the participant's first move is.
        every: from each move to the next.
        length: for how long all move.
    """

    join: float
    moving: asyncio.Future[float]
    first_move: float
    every: float
    length: float


@dataclass
class Participant:
    """A visitor of one link.

    Args:
        url: of the server, ending in a slash.
        link: page and query.
        times: of what the participant does.
        rng: chooses the moves.
        loads_files: whether the browser is new and has to fetch the page's files first.
        one_slider: whether all moves are of one slider, the same for all on a page.
    """

    url: str
    link: str
    times: Times
    rng: random.Random
    loads_files: bool = True
    one_slider: bool = False
    loading: list[float] = field(default_factory=list)
    joining: Record = field(default_factory=Record)
    moving: Record = field(default_factory=Record)
    has_joined: asyncio.Event = field(default_factory=asyncio.Event)

    async def take_part(self) -> None:
        """Join, move a control every few seconds until the end, wait for the last answer."""
        await _sleep_until(self.times.join)
        began = time.monotonic()
        try:
            await self._visit(began)
        except (ConnectionClosed, OSError, EOFError) as problem:
            self.moving.errors.append(f"{self.link}: connection lost: {problem}"[:200])
        finally:
            self.has_joined.set()

    async def _visit(self, began: float) -> None:
        token = ""
        if self.loads_files:
            token = await load_files(self.url, self.link)
            self.loading.append(time.monotonic() - began)
        name, _, query = self.link.partition("?")
        page = Page(address=self.url + name, name=name, query=query)
        host = urlsplit(self.url).netloc
        async with connect(
            f"ws://{host}/_stcore/stream",
            subprotocols=["streamlit", token or "PLACEHOLDER_AUTH_TOKEN"],  # type: ignore[list-item]
            origin=f"http://{host}",  # type: ignore[arg-type]
            max_size=_MOST_BYTES,
            open_timeout=MOST_SECONDS,
            close_timeout=1,
        ) as socket:
            waiting = Waiting(self.joining)
            waiting.moved(began)
            await socket.send(page.first_message())
            await self._listen(socket, page, waiting)
            self.has_joined.set()
            all_move = await self.times.moving
            waiting = Waiting(self.moving)
            due = all_move + self.times.first_move
            while due < all_move + self.times.length:
                await self._listen(socket, page, waiting, until=due)
                if (message := page.move(self.rng, one_slider=self.one_slider)) is not None:
                    waiting.moved(time.monotonic())
                    await socket.send(message)
                due += self.times.every
            await self._listen(socket, page, waiting)

    async def _listen(
        self, socket: ClientConnection, page: Page, waiting: Waiting, until: float | None = None
    ) -> None:
        """Take messages until a moment, or until the answer is complete or overdue."""
        while not (waiting.is_over if until is None else time.monotonic() >= until):
            wake = min(until or inf, waiting.since + MOST_SECONDS)
            try:
                # One timer for many messages: the measurement's own load has to stay small.
                async with asyncio.timeout(wake - time.monotonic()):
                    while until is not None or not waiting.is_over:
                        data = await socket.recv(decode=False)
                        message = page.receive(data)
                        waiting.heard(message, time.monotonic(), is_headline=page.has_new_headline)
                        waiting.record.errors += [
                            f"{self.link}: {said}" for said in page.exceptions
                        ]
                        page.exceptions.clear()
            except TimeoutError:
                if time.monotonic() >= waiting.since + MOST_SECONDS:
                    waiting.give_up(f"{self.link}: no answer in {MOST_SECONDS:g} s")


async def load_files(url: str, link: str) -> str:
    """Fetch a page and the files it names, as a browser that was never there; return its token.

    Raises:
        OSError: the server does not answer, or not with what was asked for.
    """
    host = urlsplit(url).netloc
    address, _, port = host.partition(":")
    reader, writer = await asyncio.open_connection(address, int(port))

    async def fetch(path: str) -> tuple[str, bytes]:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        if not head.startswith("HTTP/1.1 200") or length is None:
            raise OSError(f"{path}: {head.splitlines()[0]}")
        return head, await reader.readexactly(int(length[1]))

    try:
        _, page = await fetch(f"/{link}")
        for name in dict.fromkeys(_LINKED_FILE.findall(page.decode())):
            await fetch(f"/{name.removeprefix('./').removeprefix('/')}")
        await fetch("/_stcore/health")
        head, _ = await fetch("/_stcore/host-config")
        token = re.search(r"_streamlit_xsrf=([^;]+)", head)
        return token[1] if token else ""
    finally:
        writer.close()


async def _sleep_until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.monotonic()))
