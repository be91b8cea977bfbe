"""The page that compares numbers of windows per series."""

from dataclasses import replace

from dpviz.planning.over_steps import COARSE_DELTA_TOLERANCE, delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.ui import compute
from dpviz.ui.questions import subsequences
from dpviz.wording.numbers import rounded_up
from tests.pages.app import SETTINGS_PARTS, TOY, link_of
from tests.scenario.changes import varied

PAGE = KEY = "subsequences"
OPEN = SETTINGS_PARTS
# Few steps and a small batch keep the runs cheap: 1, 2, 4 and 8 windows are possible.
SHORT = varied(TOY, batch_size=8, steps=10)
LINK = link_of(SHORT)
TWO = LINK | {"batch_size": "2"}  # for what does not depend on how many are compared


def drawn(app) -> set[str]:
    return {trace["legendgroup"] for trace in app.chart(KEY)["data"] if "legendgroup" in trace}


def test_what_is_to_come_keeps_its_place_in_the_legend_and_what_is_left_out_has_none(
    opened, monkeypatch
):
    whole = compute.known_curves

    def known_in_part(scenarios, **options):
        known = whole(scenarios, **options)
        left_out = frozenset(scenarios[-1:])
        return replace(known, curves=(*known.curves[:-2], None, None), left_out=left_out)

    before = drawn(opened())
    monkeypatch.setattr(compute, "known_curves", known_in_part)
    app = opened()
    empty = [trace["name"] for trace in app.chart(KEY)["data"] if trace["x"] == [None]]
    assert empty == ["4"]
    assert len(before) == 4
    assert len(drawn(app)) == 3


def test_a_move_keeps_the_axis_until_its_runs_are_there(opened, monkeypatch):
    """What was compared stays in sight, and so does what is to come."""

    def end(app) -> float:
        return app.chart(KEY)["layout"]["xaxis"]["range"][1]

    whole = compute.known_curves

    def known_first(scenarios, **options):
        known = whole(scenarios, **options)
        to_come = tuple(map(compute.curves_part, scenarios[1:]))
        filled = replace(known.filled, results=(known.own, None, None, None), to_come=to_come)
        return replace(known, curves=(known.own, None, None, None), filled=filled)

    app = opened(LINK | {"noise_multiplier": "0.5"})
    before = end(app)
    assert before > 2.0
    monkeypatch.setattr(compute, "known_curves", known_first)
    app.act("noise_multiplier", 0.6)
    assert end(app) == before
    assert "runs with more windows per series are being computed" in app.headline
    assert end(opened(LINK)) == 2.0
    monkeypatch.setattr(compute, "known_curves", whole)
    app.act("noise_multiplier", 5.0)
    assert end(app) == 2.0


def test_no_course_of_training_is_offered_for_a_single_step(opened):
    app = opened(TWO)
    steps = app.control("compared_steps")
    assert "1 step" in steps.options
    app.act("subsequences_view", "training")
    assert "1 step" not in app.control("compared_steps").options
    # A link's choice stays in sight.
    linked = opened(TWO | {"compared_steps": "1", "chart": "training"})
    assert "1 step" in linked.control("compared_steps").options


def test_what_no_bound_covers_is_left_out_and_named(opened):
    """A person in several drawn series is covered with one window of each, and with no more."""
    app = opened(link_of(varied(SHORT, series_per_person=2, num_subsequences=2)))
    assert not app.errors
    assert "In batches of 8 no other number of windows per series is compared" in app.headline
    assert "Not compared: λ = 2, 4 and 8. " in app.all_words
    assert drawn(app) == {"series-0"}


def test_lower_bounds_are_told_of_where_there_are_some(opened):
    """Of windows by coins in bins there are none, after one length or over all of training."""
    for top_level in ("bins", "without-replacement"):
        for chart in ("curve", "training"):
            run = varied(SHORT, batch_size=2, top_level=top_level, bottom_level="poisson")
            said = opened(link_of(run) | {"chart": chart}).captions
            assert ("Thin line: lower bound" in said) == (top_level != "bins")
            assert ("No lower bound is proven here." in said) == (top_level == "bins")


def test_delta_over_steps_is_coarse_first_and_then_exact(opened, monkeypatch):
    asked = []

    def recorded(scenario, epsilon, steps, **how):
        asked.append((scenario.sampling.num_subsequences, len(steps), how))
        return delta_over_steps(scenario, epsilon, steps, **how)

    monkeypatch.setattr(subsequences, "delta_over_steps", recorded)
    app = opened(LINK | {"chart": "training"})
    rough = {"tolerance": COARSE_DELTA_TOLERANCE}
    assert asked == [(1, 4, rough), *((windows, 10, {}) for windows in (1, 2, 4, 8))]
    (upper, *_) = app.chart("over_steps")["data"]
    assert len(upper["x"]) >= 10
    exact = delta_over_steps(with_subsequences(SHORT, 1), 1.0, range(1, 11))
    assert f"δ ≤ {rounded_up(exact.upper.delta_high[-1], 3)}" in app.headline
    asked.clear()
    app = opened(LINK | {"chart": "training", "compared_steps": "2"})
    assert asked == [(windows, 2, {}) for windows in (1, 2, 4, 8)]
