"""The chart of drawn batches of long series: each window beside its series, both to scale."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.figures import figure_json
from dpviz.figures.batch_drawing import batch_drawing, frames
from dpviz.planning.drawn_batches import drawn_run
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.placement import placement
from dpviz.scenario import PRESETS, DataShape, Relation, Sampling
from dpviz.scenario.mechanism import SHUFFLED
from dpviz.wording.batch_drawing import batch_description, rows_caption
from tests.figures.reading import boxes_of, traces_of
from tests.scenario.changes import varied

SHAPE = DataShape(num_series=8, series_lengths=(2000,), context_length=16, forecast_length=4)
SCHEMES = {
    "one window": Sampling(batch_size=4),
    "two windows": Sampling(batch_size=8, num_subsequences=2),
    "many windows": Sampling(batch_size=40, num_subsequences=10),
    "coins": Sampling(batch_size=4, top_level="poisson", bottom_level="poisson"),
    "one bag": Sampling(batch_size=4, top_level="flat"),
    "walk": Sampling(batch_size=4, top_level=SHUFFLED),
}


def case_of(sampling, width=1, shape=SHAPE):
    traffic = varied(PRESETS["traffic"].scenario, steps=100)
    return replace(traffic, data=shape, sampling=sampling, relation=Relation(width=width))


class Drawn:
    """The first batches of a run as they are drawn."""

    def __init__(self, scenario, batches=40):
        self.placed = placement(scenario.shape, scenario.relation)
        self.run = drawn_run(scenario, 1, batches, shown_from=1)
        self.law = hit_law(scenario)
        self.scenario = scenario

    def chart(self, number):
        counts = self.run.counts(number)
        return batch_drawing(
            self.placed,
            self.run.shown[number - 1],
            counts,
            law=self.law,
            whole=None,
            identity="test",
        )

    def windows(self, number):
        """Return the row and the window of all that are shown, from the upper left on."""
        rows = enumerate(self.run.shown[number - 1].series)
        return [(row, window) for row, one in rows for window in one.windows]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_both_parts_of_every_shown_window_are_as_wide_as_the_axis_says(scheme):
    drawn = Drawn(case_of(SCHEMES[scheme]))
    for number in (1, 2, 39):
        chart = drawn.chart(number)
        parts, windows = traces_of(chart), drawn.windows(number)
        for uid, ends in (("context", (0.5, 16.5)), ("forecast", (16.5, 20.5))):
            x, y = boxes_of(parts[uid])
            assert len(x) == len(windows)
            assert {
                (low, high) for low, high in zip(x.min(axis=1), x.max(axis=1), strict=True)
            } <= {ends}
            for (row, _), low, high in zip(windows, y.min(axis=1), y.max(axis=1), strict=True):
                assert -row - 1 < low < high < -row
        low, high = chart["layout"]["xaxis3"]["range"]
        assert low < 0.5 < 20.5 < high < 21.5
        assert chart["layout"]["xaxis3"]["tickvals"] == [1, 16, 20]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_each_window_is_marked_at_its_place_in_the_series_at_the_height_of_its_enlargement(scheme):
    drawn = Drawn(case_of(SCHEMES[scheme]))
    for number in (1, 39):
        parts, windows = traces_of(drawn.chart(number)), drawn.windows(number)
        x, y = boxes_of(parts["places"], corners=2)
        assert x[:, 0].tolist() == x[:, 1].tolist() == [one.start + 1 for _, one in windows]
        _, enlarged = boxes_of(parts["forecast"])
        assert y[:, 0].tolist() == enlarged.min(axis=1).tolist()
        assert y[:, 1].tolist() == enlarged.max(axis=1).tolist()
        assert parts["places"].get("xaxis", "x") == "x"
        assert parts["forecast"]["xaxis"] == "x3"


@pytest.mark.parametrize("width", [1, 7, 60])
@pytest.mark.parametrize(("scheme", "batches"), [("one window", 300), ("many windows", 40)])
def test_protected_values_are_marked_in_each_hit_where_they_are_and_in_no_other(
    scheme, batches, width
):
    # Just too long to be drawn whole: hits are not rare.
    shape = replace(SHAPE, series_lengths=(420,))
    drawn = Drawn(case_of(SCHEMES[scheme], width, shape), batches)
    first, last = drawn.placed.values(0)
    seen = 0
    for number in (np.flatnonzero(drawn.run.hits)[:5] + 1).tolist():
        parts = traces_of(drawn.chart(number))
        hits = [one for _, one in drawn.windows(number) if one.is_hit]
        held, (_, edges) = parts["held"], boxes_of(parts["hits"])
        assert len(edges) == len(boxes_of(parts["hit-places"], 2)[0]) == len(hits)
        for window, low, high in zip(hits, edges.min(axis=1), edges.max(axis=1), strict=True):
            own = [
                x + window.start - 16 - 1
                for x, y in zip(held["x"], held["y"], strict=True)
                if low <= y <= high
            ]
            in_window = range(max(first, window.start - 16), min(last, window.start + 3) + 1)
            assert {own[0], own[-1]} == {in_window[0], in_window[-1]}
            assert set(own) <= set(in_window)
            seen += len(own)
        assert all(1 <= x <= 20 for x in held["x"])
    assert seen > 0


def test_row_without_a_window_says_why():
    drawn = Drawn(case_of(SCHEMES["coins"]))
    said = set()
    for number in range(1, 41):
        missing = traces_of(drawn.chart(number))["missing"]
        rows = drawn.run.shown[number - 1].series
        without = [(at, one) for at, one in enumerate(rows) if not one.windows]
        assert missing["y"] == [-at - 0.5 for at, _ in without]
        for (_, one), words in zip(without, missing["text"], strict=True):
            assert words == ("no window drawn" if one.is_drawn else "not in the batch")
        said |= set(missing["text"])
    assert said == {"no window drawn", "not in the batch"}


def test_zeros_before_the_series_belong_to_the_window_but_have_no_line():
    shape = replace(SHAPE, series_lengths=(1000,), num_series=40)
    drawn = Drawn(case_of(Sampling(batch_size=40), shape=shape))
    for number in range(1, 41):
        windows = drawn.windows(number)
        early = [at for at, (_, one) in enumerate(windows) if one.start < 16]
        if early:
            break
    x = traces_of(drawn.chart(number))["lines"]["x"]
    starts = [0, *(at + 1 for at, one in enumerate(x) if one is None)]
    for at, (_, window) in enumerate(windows):
        assert x[starts[at]] == 1 + max(16 - window.start, 0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_frames_keep_axes_and_traces_and_are_small(scheme):
    drawn = Drawn(case_of(SCHEMES[scheme]))
    charts = [drawn.chart(number) for number in range(5, 26)]
    for one, other in pairwise(charts):
        for name in ("uirevision", "xaxis", "xaxis3"):
            assert one["layout"][name] == other["layout"][name]
        assert [trace["uid"] for trace in one["data"]] == [trace["uid"] for trace in other["data"]]
    played = frames(charts[0], [(spec, "") for spec in charts])
    assert len(figure_json(charts[0] | {"frames": played})) < 250_000


def test_whole_series_are_drawn_as_long_as_a_window_can_be_read_in_them():
    for length, context, forecast, is_enlarged in (
        (400, 16, 4, False),
        (401, 16, 4, True),
        (60, 0, 1, False),  # each value can be seen there
        (61, 0, 1, True),
    ):
        shape = replace(
            SHAPE, series_lengths=(length,), context_length=context, forecast_length=forecast
        )
        chart = Drawn(case_of(Sampling(batch_size=4), shape=shape)).chart(1)
        assert ("xaxis3" in chart["layout"]) == is_enlarged


@pytest.mark.parametrize(("context", "forecast"), [(0, 1), (0, 20), (1, 19), (19, 1)])
def test_uneven_windows_have_an_axis_whose_numbers_stand_apart(context, forecast):
    shape = replace(SHAPE, context_length=context, forecast_length=forecast)
    chart = Drawn(case_of(Sampling(batch_size=4), shape=shape)).chart(1)
    assert chart["layout"]["xaxis3"]["tickvals"] == sorted({1, context + forecast})
    heading = chart["layout"]["annotations"][1]["text"]
    assert ("context" in heading) == (context > 0)
    assert heading.endswith(f"forecast {forecast}")


def test_words_say_that_windows_are_enlarged_and_how_many_are_not_shown():
    drawn = Drawn(case_of(SCHEMES["many windows"]))
    batch = drawn.run.shown[0]
    assert "Enlarged: context 16, forecast 4." in batch_description(batch, drawn.placed)
    caption = rows_caption(drawn.scenario, drawn.placed, batch)
    assert "Right: the windows, enlarged; +4: so many more are not shown." in caption
    labels = drawn.chart(1)["layout"]["yaxis"]["ticktext"]
    assert {label for label in labels if label.endswith(" +4")}
    near = replace(SHAPE, series_lengths=(100,))
    short = Drawn(case_of(Sampling(batch_size=4), shape=near))
    assert "nlarged" not in batch_description(short.run.shown[0], short.placed)
    assert "nlarged" not in rows_caption(short.scenario, short.placed, short.run.shown[0])
