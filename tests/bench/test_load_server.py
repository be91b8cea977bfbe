"""The load measurement against the real app: what it opens, starts, and gets answers from."""

import argparse
import os

import pytest

from bench.load import __main__ as load
from bench.load.server import served, usage_of
from bench.load.visits import ROOT, links, page_names
from tests.loops import run_apart
from tests.waiting import until


def test_every_page_is_opened_plainly_and_most_by_prepared_links():
    pages = page_names()
    assert {name for name in pages if name} == {
        path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "start"
    }
    opened = links(pages)
    assert opened[: len(pages)] == pages
    assert sum("?" in link for link in opened) > 2 * len(pages)


@pytest.mark.slow
def test_participants_get_answers_without_errors():
    options = argparse.Namespace(
        participants=3,
        seconds=6.0,
        every=2.0,
        minutes=0,
        warm_browsers=False,
        is_class=False,
        heavy=0,
        pages=["subsequences", "protection", "paper_figures"],
    )
    measured = load.Measurement()
    with served("shipped") as server:
        run_apart(load.measure([server], options, measured))
        pid = server.process.pid
        assert not server.failures()
    records = measured.by_page.values()
    assert measured.joining.errors == []
    assert [error for record in records for error in record.errors] == []
    assert len(measured.joining.completes) == len(measured.loading) == 3
    assert all(len(record.answers) == record.moves > 0 for record in records)
    until(lambda: not os.path.exists(f"/proc/{pid}/task"), seconds=10.0)  # noqa: PTH110
    with pytest.raises(OSError, match=str(pid)):
        usage_of(pid)
