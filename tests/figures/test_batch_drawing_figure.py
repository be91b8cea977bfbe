"""The chart of drawn batches: each window in its place, and each count what was counted."""

from itertools import pairwise

import numpy as np
import pytest

from dpviz.figures import figure_json
from dpviz.figures.batch_drawing import batch_drawing, epoch_partition_chart, frames
from dpviz.figures.densities import step_outputs_chart
from dpviz.planning.drawn_batches import drawn_run, epoch_partition
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.placement import placement
from dpviz.planning.step_outputs import step_outputs
from tests.figures.reading import boxes_of, traces_of
from tests.sampling.laws import scenario_of

CASE = scenario_of(windows=2, batch=8, lengths=(12,))
PLACED = placement(CASE.shape, CASE.relation)
LAW = hit_law(CASE)
RUN = drawn_run(CASE, 1, 300, shown_from=1)
WHOLE = RUN.counts()


def chart(number, whole=WHOLE):
    so_far = RUN.counts(number)
    shown = RUN.shown[number - 1]
    return batch_drawing(PLACED, shown, so_far, law=LAW, whole=whole, identity="test")


def bars(trace):
    """Return left and right end of each bar, in values counted from 0."""
    x, _ = boxes_of(trace)
    return sorted(zip(x[:, 0] - 0.5, x[:, 1] - 0.5, strict=True))


@pytest.mark.parametrize("number", [1, 7, 40])
def test_context_and_forecast_of_every_shown_window_are_drawn_where_they_lie(number):
    shown = RUN.shown[number - 1]
    drawn = traces_of(chart(number))
    starts = [window.start for one in shown.series for window in one.windows]
    edge = -1.0  # as many zeros before the series as there is room for
    assert bars(drawn["forecast"]) == sorted((start, start + 2.0) for start in starts)
    assert bars(drawn["context"]) == sorted((max(start - 3.0, edge), start) for start in starts)
    hits = [window for one in shown.series for window in one.windows if window.is_hit]
    assert len(bars(drawn["hits"])) == len(hits)
    assert len(drawn["told"]["text"]) == len(starts)
    assert drawn["sensitive"]["x"] == [PLACED.first + 1]


def test_counted_shares_and_weights_are_those_that_are_drawn():
    drawn = traces_of(chart(40))
    for uid, batches in (("so-far", 40), ("whole", 300)):
        shares = dict(zip(drawn[uid]["x"], drawn[uid]["y"], strict=True))
        counted = np.bincount(RUN.hits[:batches])
        assert shares == {
            hits: count / batches for hits, count in enumerate(counted.tolist()) if count
        }
    law = dict(zip(drawn["law"]["x"], drawn["law"]["y"], strict=True))
    assert law == {hits: LAW.exactly(hits) for hits in law}
    assert set(law) == {0, 1, 2}
    early = traces_of(chart(40, whole=None))
    assert early["whole"]["x"] == []
    assert early["law"]["y"] == drawn["law"]["y"]


def test_frames_laid_over_the_first_chart_are_the_charts_themselves():
    charts = [chart(number) for number in range(5, 15)]
    played = frames(charts[0], [(spec, str(at)) for at, spec in enumerate(charts)])
    for spec, frame in zip(charts, played, strict=True):
        changed = traces_of(frame)
        rebuilt = {
            "data": [trace | changed[trace["uid"]] for trace in charts[0]["data"]],
            "layout": charts[0]["layout"] | frame["layout"],
        }
        assert rebuilt == spec
    assert played[0]["layout"] == {}
    assert len(figure_json(charts[0] | {"frames": played})) < 120_000


def test_all_frames_keep_what_a_zoom_depends_on():
    charts = [chart(number) for number in (1, 2, 200)]
    for one, other in pairwise(charts):
        for name in ("uirevision", "xaxis", "xaxis2", "yaxis2"):
            assert one["layout"][name] == other["layout"][name]
        assert [trace["uid"] for trace in one["data"]] == [trace["uid"] for trace in other["data"]]


def test_partition_has_each_used_series_in_its_step():
    walk = scenario_of(num_series=11, batch=3, top="shuffled")
    partition = epoch_partition(walk, 1, 1, 100)
    drawn = traces_of(epoch_partition_chart(partition))
    points = {
        (x, y) for trace in drawn.values() for x, y in zip(trace["x"], trace["y"], strict=True)
    }
    pairs = zip(partition.series.tolist(), partition.step_in_epoch.tolist(), strict=True)
    assert points == {(series + 1, step + 1) for series, step in pairs}
    assert set(drawn["own"]["x"]) <= {1}


def test_densities_are_drawn_with_their_common_part():
    outputs = step_outputs(scenario_of(windows=2, sigma=2.0))
    drawn = traces_of(step_outputs_chart(outputs))
    p, q = (np.array(drawn[f"density-{at}"]["y"]) for at in (0, 1))
    assert np.allclose(drawn["common"]["y"], np.minimum(p, q))
    x = np.array(drawn["common"]["x"])
    # Of F.1 the pair is drawn; the bound is the rate times it.
    apart = 1.0 - np.trapezoid(np.minimum(p, q), x)
    assert apart * outputs.drawn.bound.share == pytest.approx(outputs.drawn.quoted, rel=0.02)
