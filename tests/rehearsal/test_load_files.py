"""How a phone of a rehearsal fetches a page and its files."""

import asyncio
import random

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.server import ServerConnection, serve

from dpviz.rehearsal import participant
from dpviz.rehearsal.participant import NO_ANSWER, NO_PAGE, Participant, load_files
from tests.loops import run_apart


def loaded_from(answers):
    """Return the cookies that a server hands out which answers connections so."""

    async def asked() -> dict[str, str]:
        server = await asyncio.start_server(answers, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, asyncio.timeout(10):
            return await load_files(f"http://127.0.0.1:{port}/", "lessons?lesson=bag")

    return run_apart(asked())


def errors_of_a_phone(answers):
    """Return what a phone tells that visits a server which answers connections so."""

    async def played() -> list[str]:
        server = await asyncio.start_server(answers, "127.0.0.1", 0)
        async with server:
            return await errors_at(server.sockets[0].getsockname()[1])

    return run_apart(played())


async def errors_at(port, **given):
    phone = Participant(
        url=f"http://127.0.0.1:{port}/",
        link="lessons",
        all_move=asyncio.get_running_loop().create_future(),
        rng=random.Random(1),
        **dict.fromkeys(("join", "first_move", "every", "length"), 0.0),
        **given,
    )
    phone.all_move.set_result(0.0)
    async with asyncio.timeout(10):
        await phone.take_part()
    return [*phone.joining.errors, *phone.moving.errors]


def message(**fields):
    return ForwardMsg(**fields).SerializeToString()


def of_a_component(name, told):
    drawn = ForwardMsg()
    drawn.metadata.delta_path.append(0)
    component = drawn.delta.new_element.bidi_component
    component.component_name, component.bytes = name, told
    return drawn.SerializeToString()


@pytest.mark.parametrize(
    "sent",
    [
        [b"\xff\xff"],
        [message(ref_hash="not sent before")],
        [message(delta={})],
        [of_a_component("dpviz_control", b"{}")],
        [of_a_component("dpviz_acts", b"[]")],
        # As of any app of Streamlit.
        [message(new_session={}), message(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)],
    ],
)
def test_phones_tell_messages_of_what_is_no_page_of_dpviz(sent):
    async def answering(stream: ServerConnection) -> None:
        await stream.recv()
        for one in sent:
            await stream.send(one)
        await stream.wait_closed()

    async def played() -> list[str]:
        async with serve(answering, "127.0.0.1", 0, subprotocols=["streamlit"]) as server:  # type: ignore[list-item]
            return await errors_at(server.sockets[0].getsockname()[1], cookies={})

    assert run_apart(played()) == [f"lessons: {NO_PAGE}"]


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
        (f"Server: {'a' * 200_000}", b"", "an answer whose head does not end"),
    ],
)
def test_phones_tell_what_is_no_answer(told, body, why):
    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\n{told}\r\n\r\n".encode() + body)
        writer.close()

    (error,) = errors_of_a_phone(answering)
    assert f"lessons: connection lost: {why}" in error
