"""Files of series: the right lengths of what is valid, a sentence for what is not, no other end."""

from functools import partial
from types import SimpleNamespace

import pytest
from _pytest.monkeypatch import MonkeyPatch
from hypothesis import strategies as st

from dpviz.scenario import from_json, to_json
from dpviz.series_file import LAYOUTS, Choice, SeriesFileError, SeriesLengths, read_series_lengths
from dpviz.ui import file_reading, offered_file
from dpviz.ui.state import State
from tests.fuzz.bounds import assert_readable, bounded, check_examples, few_or_many
from tests.fuzz.broken_tables import File, broken_tables
from tests.scenario.strategies import BARE, RATES, SHAPE

pytest.importorskip("pyarrow", reason="Parquet files are written with pyarrow")
OPEN = (SHAPE, RATES, BARE)


def read(file: File, layout: str) -> SeriesLengths | None:
    """Return what the library makes of a file, ``None`` if it is refused."""
    try:
        return read_series_lengths(file.content, file.name, layout=layout)
    except SeriesFileError as problem:
        assert_readable([problem])
        return None


def check(file: File, layout: str, open_before) -> None:
    with MonkeyPatch.context() as patch, bounded():
        lengths = read(file, layout)
        if file.lengths is not None and layout == "auto":
            assert lengths is not None
            assert lengths.lengths == file.lengths
        if lengths is not None:
            assert_readable(lengths.notes)
            # Each value has a row, or at least a cell, of its own in the file.
            assert lengths.num_series >= 1
            assert lengths.shortest >= 1
        state = State(scenario=open_before)
        uploaded = SimpleNamespace(getvalue=lambda: file.content, name=file.name)
        patch.setattr(file_reading, "st", SimpleNamespace(session_state={"upload_0": uploaded}))
        look = partial(offered_file._look, state, choice=Choice(layout=layout))
        file_reading.use_file(state, uploaded, look, file_reading.NOT_USED)
        if not state.problems:
            offered_file._use(state)
        assert_readable((*state.problems, *state.notes))
        assert bool(state.problems) != bool(state.notes)
        if state.problems:
            assert state.scenario == open_before
        else:
            assert state.file == lengths
            assert from_json(to_json(state.scenario)) == state.scenario


@few_or_many(50, 2000)
def test_files_are_read_rightly_or_refused_in_a_sentence(most):
    """By the library and by the page, whatever is open."""
    drawn = broken_tables(), st.sampled_from(LAYOUTS), st.sampled_from(OPEN)
    check_examples(check, most, *drawn)
