"""The laws of hits as CSV: every number reads back exactly."""

import io

import pandas as pd
import pytest

from dpviz.export.drawing_tables import hit_laws_table, hits_table
from dpviz.planning.hit_laws import bag_hits, hit_law
from dpviz.planning.one_bag import bag_run, series_first_run
from dpviz.planning.subsequences import with_subsequences
from tests.planning.test_one_bag import TOY, in_bag


def read(text):
    return pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip")


def test_named_laws_read_back_exactly():
    named = [("one bag", bag_hits(bag_run(TOY))), ("series first", hit_law(series_first_run(TOY)))]
    text = hits_table(named).csv()
    table = read(text)
    assert list(table.columns) == ["sampling", "hits", "probability"]
    for name, law in named:
        rows = table[table["sampling"] == name]
        assert rows["probability"].tolist() == law.weights.tolist()
        assert rows["hits"].tolist() == list(range(len(law.weights)))
    assert "# sampling: how a batch is drawn" in text
    assert "in one batch" in text


def test_laws_of_windows_per_series_are_told_by_their_number():
    laws = [hit_law(with_subsequences(TOY, windows)) for windows in (1, 4)]
    table = read(hit_laws_table(laws).csv())
    assert sorted(set(table["windows_per_series"])) == [1, 4]
    assert table["probability"].groupby(table["windows_per_series"]).sum().tolist() == (
        pytest.approx([1.0, 1.0])
    )


def test_counts_that_are_too_rare_are_not_listed_as_impossible():
    """Of nearly all windows, drawn at once, most of an individual's are in the batch."""
    law = bag_hits(in_bag(6399))
    table = read(hits_table([("one bag", law)]).csv())
    assert table["hits"].tolist() == [1, 2]
    assert (table["probability"] > 0.0).all()
