"""What is written in one go goes out in one piece, and nothing is lost or changes places."""

import asyncio

from dpviz.ui.gathered_writes import GatheringTransport
from tests.loops import run_apart


class _Transport:
    """Takes what is written, as the system would."""

    def __init__(self):
        self.sent, self.is_closed = [], False

    def write(self, data):
        assert not self.is_closed
        self.sent.append(data)

    def close(self):
        self.is_closed = True

    def is_closing(self):
        return self.is_closed

    def get_extra_info(self, name):
        return f"the {name}"


def after(act):
    """Return the transport after an act, at once and a few turns of the loop later."""

    async def done():
        transport = _Transport()
        gathering = GatheringTransport(transport)
        act(gathering)
        at_once = list(transport.sent)
        for _ in range(10):
            await asyncio.sleep(0)
        return transport, at_once

    return run_apart(done())


def test_what_comes_at_once_goes_out_in_one_piece_soon():
    def act(gathering):
        for data in (b"one ", b"two ", b"three"):
            gathering.write(data)

    transport, at_once = after(act)
    assert not at_once
    assert transport.sent == [b"one two three"]


def test_what_comes_turn_by_turn_goes_out_in_one_piece():
    async def sent():
        transport = _Transport()
        gathering = GatheringTransport(transport)
        for at in range(20):
            gathering.write(str(at).encode())
            await asyncio.sleep(0)
        for _ in range(10):
            await asyncio.sleep(0)
        gathering.write(b"later")
        for _ in range(10):
            await asyncio.sleep(0)
        return transport.sent

    assert run_apart(sent()) == ["".join(map(str, range(20))).encode(), b"later"]


def test_much_does_not_wait_and_keeps_its_place():
    large = b"x" * 100_000

    def act(gathering):
        gathering.write(b"before ")
        gathering.write(large)
        gathering.write(b"after")

    transport, at_once = after(act)
    assert at_once == [b"before " + large]
    assert transport.sent == [b"before " + large, b"after"]


def test_the_last_words_go_out_before_the_connection_closes():
    def act(gathering):
        gathering.write(b"bye")
        gathering.close()

    transport, at_once = after(act)
    assert at_once == transport.sent == [b"bye"]
    assert transport.is_closed


def test_to_a_connection_that_is_gone_nothing_is_written():
    def act(gathering):
        gathering.write(b"too late")
        gathering._transport.is_closed = True

    assert after(act)[0].sent == []


def test_all_else_is_the_transports_own():
    assert GatheringTransport(_Transport()).get_extra_info("peername") == "the peername"
    assert not GatheringTransport(_Transport()).is_closing()
