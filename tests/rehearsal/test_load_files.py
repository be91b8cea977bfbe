"""How a phone of a rehearsal fetches a page and its files."""

import asyncio
import random

import pytest

from dpviz.rehearsal import participant
from dpviz.rehearsal.participant import NO_ANSWER, Participant, load_files
from tests.loops import run_apart


def loaded_from(answers):
    """Return the cookies that a server hands out which answers connections so."""

    async def asked() -> dict[str, str]:
        server = await asyncio.start_server(answers, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, asyncio.timeout(10):
            return await load_files(f"http://127.0.0.1:{port}/", "lessons?lesson=bag")

    return run_apart(asked())


def test_a_server_that_falls_silent_is_waited_for_no_longer_than_a_visitor_would(monkeypatch):
    monkeypatch.setattr(participant, "MOST_SECONDS", 0.1)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    with pytest.raises(OSError, match=f"^lessons: {NO_ANSWER}$"):
        loaded_from(silent)


def test_a_connection_is_waited_for_no_longer_either(monkeypatch):
    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(participant, "MOST_SECONDS", 0.1)
    monkeypatch.setattr(participant.asyncio, "open_connection", never)
    with pytest.raises(OSError, match=f"^no connection: {NO_ANSWER}$"):
        run_apart(load_files("http://127.0.0.1:1/", "lessons"))


@pytest.mark.parametrize(
    ("told", "body"),
    [
        ("Content-Length: 0\r\nSet-Cookie: a=1; Path=/", b""),
        ("Transfer-Encoding: chunked\r\nSet-Cookie: a=1", b"0\r\n\r\n"),
        (
            "Set-Cookie: a=1\r\ntransfer-encoding: chunked",
            b"5;x=y\r\n<html\r\n0a\r\n href='\r\n'>\r\n0\r\nX-Told: last\r\n\r\n",
        ),
    ],
)
def test_an_answer_of_known_length_and_one_in_chunks_are_read_to_their_ends(told, body):
    """As proxies send them; what is left over would stand before the next answer."""

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(3):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 200 OK\r\n{told}\r\n\r\n".encode() + body)
        writer.close()

    assert loaded_from(answering) == {"a": "1"}


@pytest.mark.parametrize(
    ("told", "body", "why"),
    [
        ("Server: one", b"", "an answer that does not tell where it ends"),
        ("Transfer-Encoding: chunked", b"no size\r\n", "invalid literal for int"),
        ("Transfer-Encoding: chunked", b"5\r\nab", "2 bytes read on a total of 5"),
    ],
)
def test_phones_tell_what_is_no_answer(told, body, why):
    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\n{told}\r\n\r\n".encode() + body)
        writer.close()

    async def played() -> list[str]:
        server = await asyncio.start_server(answering, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        phone = Participant(
            url=f"http://127.0.0.1:{port}/",
            link="lessons",
            all_move=asyncio.get_running_loop().create_future(),
            rng=random.Random(1),
            **dict.fromkeys(("join", "first_move", "every", "length"), 0.0),
        )
        async with server, asyncio.timeout(10):
            await phone.take_part()
        return phone.moving.errors

    (error,) = run_apart(played())
    assert f"lessons: connection lost: {why}" in error
