"""One simulated participant: opens a page over a websocket, moves controls, reads answers."""

import asyncio
import math
import random
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import inf
from urllib.parse import urlsplit

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from dpviz.rehearsal.page import FINISHED, Page


@dataclass
class Record:
    """What one kind of asking cost the visitors, in seconds; and what went wrong."""

    answers: list[float] = field(default_factory=list)
    completes: list[float] = field(default_factory=list)
    moves: int = 0
    overtaken: int = 0
    runs: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, other: "Record") -> None:
        """Take over what another record holds."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Waiting:
    """Follows one visitor's moves until the server has answered them.

    The answer is the headline, be it coarse, as drawn by a run that knows of the move, which the
    server may say after it has drawn it, or the end of that run on a page that has none; it is
    complete when a run has ended that does not go on.
    Whatever answers a later move answers those before it. One that was answered but not complete
    is overtaken, and its completion is nobody's wait.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self._unanswered: list[float] = []
        self._incomplete: list[float] = []
        self._before_any_run = 0  # how many of the last moves no run has begun after
        self._has_drawn = False  # whether the latest run has drawn the headline

    @property
    def since(self) -> float:
        """When the visitor began to wait for what has not come yet; infinite if it all has."""
        return min([*self._unanswered, *self._incomplete], default=inf)

    @property
    def is_answered(self) -> bool:
        """Whether the visitor has an answer, be it coarse."""
        return not self._unanswered

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to come."""
        return not self._incomplete

    def moved(self, now: float) -> None:
        """Note a move."""
        self.record.moves += 1
        self.record.overtaken += bool(self._incomplete)
        self._before_any_run += 1
        self._unanswered.append(now)
        self._incomplete = [now]

    def give_up(self, error: str) -> None:
        """Note that what was waited for did not come."""
        self.record.errors.append(error)
        self._unanswered, self._incomplete = [], []

    def heard(
        self,
        message: ForwardMsg,
        now: float,
        *,
        unheard: int = 0,
        is_headline: bool = False,
        has_headline: bool = False,
    ) -> None:
        """Note a message of the server.

        Args:
            unheard: how many of the last moves the server has not said yet to have heard of.
            is_headline: whether the message is the page's headline.
            has_headline: whether there is one on the page: the end of a run that is to be drawn
                again is then no answer.
        """
        unknown = max(unheard, self._before_any_run)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.record.runs += 1
            self._before_any_run, self._has_drawn = 0, False
        elif is_headline or self._has_drawn:
            self._has_drawn = True
            self._answer(now, unknown)
        if kind == "script_finished":
            is_last = message.script_finished in FINISHED
            if is_last or not has_headline:
                self._answer(now, unknown)
            if is_last and not unknown:
                self.record.completes += [now - made for made in self._incomplete]
                self._incomplete = []

    def _answer(self, now: float, unknown: int) -> None:
        known = max(0, len(self._unanswered) - unknown)
        self.record.answers += [now - made for made in self._unanswered[:known]]
        del self._unanswered[:known]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of all values does not exceed.

    Raises:
        ValueError: there are no values, or the share is not in (0, 1].
    """
    if not values or not 0 < share <= 1:
        raise ValueError(f"no value lies at {share} of {len(values)}")
    return sorted(values)[math.ceil(share * len(values)) - 1]


MOST_SECONDS = 30.0  # nobody waits longer for an answer
NO_ANSWER = f"no answer in {MOST_SECONDS:g} s"
STILL_COARSE = f"answered, but not complete in {MOST_SECONDS:g} s"
NO_PAGE = "what answers is no page of dpviz, or one of another version"
_MOST_BYTES = 2**26
_LENGTH = re.compile(r"^content-length: *(\d+)", re.IGNORECASE | re.MULTILINE)
_CHUNKED = re.compile(r"^transfer-encoding: *chunked", re.IGNORECASE | re.MULTILINE)
_COOKIE = re.compile(r"^set-cookie: ([^=;\s]+)=([^;\r]+)", re.IGNORECASE | re.MULTILINE)
_XSRF = "_streamlit_xsrf"
# But for descriptions of the server to programs, which browsers do not ask for.
_LINKED_FILE = re.compile(r'(?:href|src)="(?!\./_stcore/|/_stcore/)([^"]+)"')


@dataclass(kw_only=True)
class Participant:
    """A visitor of one link; times are in seconds."""

    url: str  # of the server, ending in a slash
    link: str
    join: float  # when to join, by ``time.monotonic``
    all_move: asyncio.Future[float]  # tells when all begin to move, by the same clock
    first_move: float  # how long after that the participant's first move is
    every: float  # from each move to the next
    length: float  # for how long all move
    rng: random.Random
    cookies: Mapping[str, str] | None = None  # of a browser that has the files; a new one has none
    one_slider: bool = False  # all moves are of one slider, the same for all on a page
    loading: list[float] = field(default_factory=list)
    joining: Record = field(default_factory=Record)
    moving: Record = field(default_factory=Record)
    has_joined: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def name(self) -> str:
        """Of the page; empty for the first one."""
        return self.link.partition("?")[0]

    async def take_part(self) -> None:
        """Join, move a control every few seconds until the end, wait for the last answer."""
        await asyncio.sleep(max(0.0, self.join - time.monotonic()))
        began = time.monotonic()
        try:
            await self._visit(began)
        except (DecodeError, LookupError, TypeError):  # messages that no page of dpviz gets
            self.moving.errors.append(f"{self.name}: {NO_PAGE}")
        except (WebSocketException, OSError, EOFError, ValueError) as problem:
            self.moving.errors.append(f"{self.name}: connection lost: {problem}"[:200])
        finally:
            self.has_joined.set()

    async def _visit(self, began: float) -> None:
        cookies = self.cookies
        if cookies is None:
            cookies = await load_files(self.url, self.link)
            self.loading.append(time.monotonic() - began)
        query = self.link.partition("?")[2]
        page = Page(address=self.url + self.name, name=self.name, query=query)
        async with connected(self.url, cookies) as socket:
            waiting = Waiting(self.joining)
            waiting.moved(began)
            await socket.send(page.first_message())
            await self._listen(socket, page, waiting)
            if not (page.takes_acts or self.joining.errors):
                self.joining.errors.append(f"{self.name}: {NO_PAGE}")
            self.has_joined.set()
            all_move = await self.all_move
            waiting = Waiting(self.moving)
            due = all_move + self.first_move
            while due < all_move + self.length:
                await self._listen(socket, page, waiting, until=due)
                if (message := page.move(self.rng, one_slider=self.one_slider)) is not None:
                    waiting.moved(time.monotonic())
                    await socket.send(message)
                due += self.every
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
                        is_end = message.WhichOneof("type") == "script_finished"
                        waiting.heard(
                            message,
                            time.monotonic(),
                            unheard=len(page.acts),
                            is_headline=page.has_new_headline,
                            has_headline=is_end and page.has_headline,
                        )
                        while page.exceptions:
                            waiting.record.errors.append(f"{self.name}: {page.exceptions.pop(0)}")
            except TimeoutError:
                if time.monotonic() >= waiting.since + MOST_SECONDS:
                    late = STILL_COARSE if waiting.is_answered else NO_ANSWER
                    waiting.give_up(f"{self.name}: {late}")


def connected(url: str, cookies: Mapping[str, str]) -> connect:
    """Return a page's connection, with what :func:`load_files` returned, for ``async with``."""
    parts = urlsplit(url)
    token = cookies.get(_XSRF, "PLACEHOLDER_AUTH_TOKEN")
    return connect(
        f"ws{url.removeprefix('http')}_stcore/stream",
        subprotocols=["streamlit", token],  # type: ignore[list-item]
        origin=f"{parts.scheme}://{parts.netloc}",  # type: ignore[arg-type]
        additional_headers=_cookie_header(cookies),
        proxy=None,
        max_size=_MOST_BYTES,
        open_timeout=MOST_SECONDS,
        close_timeout=1,
    )


async def load_files(url: str, link: str) -> dict[str, str]:
    """Fetch a page and the files it names, as a browser that was never there; return its cookies.

    Raises:
        OSError: the server does not answer, or not with what was asked for.
    """
    parts, cookies = urlsplit(url), dict[str, str]()
    is_safe = parts.scheme == "https"
    port = parts.port or (443 if is_safe else 80)
    async with _in_time("no connection"):
        reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=is_safe or None)

    async def fetch(path: str, accepts: str = "identity") -> bytes:
        told = [f"{name}: {value}" for name, value in _cookie_header(cookies).items()]
        told.append(f"Accept-Encoding: {accepts}")
        asked = [f"GET {parts.path}{path} HTTP/1.1", f"Host: {parts.netloc}", *told, "", ""]
        async with _in_time(path.partition("?")[0]):
            writer.write("\r\n".join(asked).encode())
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            except asyncio.LimitOverrunError:
                raise OSError("an answer whose head does not end") from None
            if not head.startswith("HTTP/1.1 200"):
                raise OSError(f"{path}: {head.splitlines()[0]}")
            cookies.update(_COOKIE.findall(head))
            return await _body(reader, head)

    try:
        page = await fetch(link)
        for name in dict.fromkeys(_LINKED_FILE.findall(page.decode())):
            path = name.removeprefix("./").removeprefix(parts.path).removeprefix("/")
            await fetch(path, accepts="gzip, br")  # as browsers do; nobody unpacks them here
        await fetch("_stcore/health")
        await fetch("_stcore/host-config")
        return cookies
    finally:
        writer.close()


@asynccontextmanager
async def _in_time(what: str) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(MOST_SECONDS):
            yield
    except TimeoutError:
        raise OSError(f"{what}: {NO_ANSWER}") from None


async def _body(reader: asyncio.StreamReader, head: str) -> bytes:
    """Return what follows a head: of the length that it tells, or in chunks (RFC 9112, 7.1)."""
    if (length := _LENGTH.search(head)) is not None:
        return await reader.readexactly(int(length[1]))
    if _CHUNKED.search(head) is None:
        raise OSError("an answer that does not tell where it ends")
    chunks = []
    while size := int((await reader.readuntil(b"\n")).partition(b";")[0], 16):
        chunks.append(await reader.readexactly(size))
        await reader.readuntil(b"\n")
    while (await reader.readuntil(b"\n")).strip():
        pass  # what a trailer tells
    return b"".join(chunks)


def _cookie_header(cookies: Mapping[str, str]) -> dict[str, str]:
    told = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return {"Cookie": told} if told else {}
