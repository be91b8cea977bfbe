"""What is written in one go goes out in one piece, and nothing is lost or changes places."""

import asyncio

import pytest

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


async def turns(number):
    """Let the loop turn so often."""
    for _ in range(number):
        await asyncio.sleep(0)


def test_what_comes_at_once_or_turn_by_turn_goes_out_in_one_piece():
    async def sent():
        transport = _Transport()
        gathering = GatheringTransport(transport)
        for data in (b"one ", b"two "):
            gathering.write(data)
        assert not transport.sent
        for at in range(20):
            gathering.write(str(at).encode())
            await turns(1)
        await turns(10)
        gathering.write(b"later")
        await turns(10)
        return transport.sent

    assert run_apart(sent()) == [b"one two " + "".join(map(str, range(20))).encode(), b"later"]


LARGE = b"x" * 100_000


@pytest.mark.parametrize(
    ("acts", "at_once", "in_the_end"),
    [
        # Much does not wait, and keeps its place.
        ((b"before ", LARGE, b"after"), [b"before " + LARGE], [b"before " + LARGE, b"after"]),
        # The last words go out before the connection closes.
        ((b"bye", "close"), [b"bye"], [b"bye"]),
        # To a connection that is gone nothing is written.
        ((b"too late", "gone"), [], []),
    ],
    ids=["much", "last words", "gone"],
)
def test_what_is_written_keeps_its_place(acts, at_once, in_the_end):
    async def done():
        transport = _Transport()
        gathering = GatheringTransport(transport)
        for act in acts:
            if act == "close":
                gathering.close()
            elif act == "gone":
                transport.is_closed = True
            else:
                gathering.write(act)
        assert transport.sent == at_once
        await turns(10)
        return transport

    transport = run_apart(done())
    assert transport.sent == in_the_end
    assert transport.is_closed == isinstance(acts[-1], str)


def test_all_else_is_the_transports_own():
    assert GatheringTransport(_Transport()).get_extra_info("peername") == "the peername"
    assert not GatheringTransport(_Transport()).is_closing()
