"""Files of several visitors: one that takes long keeps no small one waiting, whatever its bytes."""

import io
from dataclasses import dataclass, field
from functools import partial
from unittest.mock import Mock

import pytest

from dpviz.jobs import Limits, QueueFullError, State, TooCostlyError
from dpviz.series_file.adopt import Choice, read_offer
from dpviz.ui import file_reading, workers
from tests.jobs import tasks
from tests.waiting import until

pa = pytest.importorskip("pyarrow", reason="Parquet files are written with pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="Parquet files are written with pyarrow")
TINY = b"a,b\n1,2\n3,4\n5,6\n7,8"
TABS = 3
SECONDS = 280.0  # never reached unless something is broken


@dataclass(eq=False)
class Visitor:
    """What a file needs of a page's state, and what was read for it."""

    opened: dict = field(default_factory=dict)
    problems: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    read: list = field(default_factory=list)


@pytest.fixture
def visitor(monkeypatch):
    """Return a function that returns a visitor, whose files real processes read."""
    places, names = {}, iter(range(100))
    monkeypatch.setattr(file_reading, "_places", places)
    monkeypatch.setattr(file_reading, "is_test_of_a_page", lambda: False)
    monkeypatch.setattr(file_reading, "session_name", lambda: f"visitor {next(names)}")
    monkeypatch.setattr(workers, "has_workers", lambda: True)
    monkeypatch.setattr(file_reading, "_PATIENCE_SECONDS", SECONDS)

    def made(**limits):
        """Return a visitor; the first one decides what small and other files may use."""
        for is_small, name in ((True, "small"), (False, "other")):
            if name in limits:
                monkeypatch.setitem(file_reading._LIMITS, is_small, Limits(seconds=limits[name]))
        file_reading.start_reading_places()
        return Visitor()

    yield made
    for place in places.values():
        place.close()


def opens(visitor, read, size):
    file_reading.read_file(visitor, read, visitor.read.append, name="a", size=size)


def opens_table(visitor, content, name):
    opens(visitor, partial(read_offer, content, name, Choice()), len(content))


def end_of_each(*visitors):
    """Return the visitors in the order in which their files are done with."""
    order = []

    def are_done():
        for one in visitors:
            file_reading.take_what_was_read(one)
            if (one.read or one.problems) and one not in order:
                order.append(one)
        return len(order) == len(visitors)

    until(are_done, SECONDS)
    return order


def wide_parquet():
    """Return a Parquet file of 10,000 columns, which take longer to open than to send."""
    stream = io.BytesIO()
    pq.write_table(pa.table({f"c{at}": [1.0, 2.0, 3.0] for at in range(10_000)}), stream)
    return stream.getvalue()


@pytest.mark.slow
def test_a_table_of_ten_thousand_columns_in_three_tabs_keeps_no_small_file_waiting(visitor):
    content = wide_parquet()
    assert len(content) > 2_500_000
    tabs, other = [visitor() for _ in range(TABS)], visitor()
    for tab in tabs:
        opens_table(tab, content, "wide.parquet")
    opens_table(other, TINY, "tiny.csv")
    order = end_of_each(*tabs, other)
    assert order.index(other) < TABS - 1
    assert other.read[0].lengths.lengths == (4, 4)
    assert all(tab.read[0].lengths.num_series > 9_000 for tab in tabs)


@pytest.mark.slow
def test_a_small_file_that_takes_long_leaves_the_place_of_small_ones(visitor):
    costly, other = visitor(small=0.5), visitor()
    opens(costly, partial(tasks.burn, 1e9), 300_000)
    opens_table(other, TINY, "tiny.csv")

    def is_read():
        for one in (costly, other):
            file_reading.take_what_was_read(one)
        return other.read

    until(is_read, SECONDS)
    assert not costly.problems
    assert costly.opened[file_reading._READING].place is file_reading._places[False]


@pytest.mark.slow
def test_a_small_file_that_takes_too_long_is_refused_once(visitor):
    one = visitor(small=0.3, other=0.4)
    opens(one, partial(tasks.burn, 1e9), 1)
    end_of_each(one)
    assert one.problems == [
        "The file was not used. Reading it would cost this server too much: it takes more than "
        "0.4 s of computing."
    ]
    assert not one.opened


def test_a_small_file_that_takes_long_is_refused_where_too_many_wait(monkeypatch):
    small, other = Mock(), Mock(start=Mock(side_effect=QueueFullError))
    monkeypatch.setattr(file_reading, "_places", {True: small, False: other})
    monkeypatch.setattr(file_reading, "session_name", lambda: "visitor")
    run = Mock(state=State.FAILED, error=TooCostlyError(Limits(), "time"))
    reading = file_reading._Reading(name="a", steps=iter, run=run, place=small, done=print)
    one = Visitor(opened={file_reading._READING: reading})
    file_reading.take_what_was_read(one)
    assert one.problems[0].endswith("try again in a minute.")
    assert not one.opened
