"""The page that compares one bag of windows with series first."""

from dataclasses import replace

from dpviz.planning import curves_of
from dpviz.planning.one_bag import bag_run, promise_run
from dpviz.scenario import Sampling, Training
from dpviz.scenario.mechanism import COINS
from dpviz.ui.questions import one_bag
from dpviz.wording.one_bag import PROMISE, loader_label
from tests.pages.app import TOY, link_of

PAGE = "one_bag"
SHORT = replace(TOY, training=Training(unit="steps", count=10))
LINK = link_of(SHORT)
BAG = Sampling(batch_size=32, top_level="flat")


def test_the_promise_in_the_chart_is_that_of_the_sentence(opened, monkeypatch):
    """Also where a coarse one stood in for it when the chart was drawn first."""
    known = one_bag._known_sides

    def coarse(scenario):
        sides = known(scenario)
        promises = [
            (name, curves_of(one.scenario, tolerance=0.3, only_quoted=True))
            for name, one in sides.promises
        ]
        return replace(sides, promises=promises)

    with monkeypatch.context() as first:
        first.setattr(one_bag, "_known_sides", coarse)
        opened()
    app = opened()
    (line,) = (one for one in app.traces("bag_lengths").values() if one.get("name") == PROMISE)
    assert set(line["y"]) == {curves_of(promise_run(bag_run(SHORT))).epsilon_upper}


def test_own_bag_by_coins_comes_first_and_can_be_changed(opened):
    by_coins, fixed = loader_label(bag_run(SHORT, COINS)), loader_label(bag_run(SHORT))
    app = opened(LINK | {"top_level": "flat", "bottom_level": "poisson"})
    assert "one bag, each window by a coin (Poisson, Opacus's default)." in app.headline
    assert app.traces("bag_lengths")["series-0-upper"]["name"] == by_coins
    app.act("bottom_level", "with-replacement")
    assert app.traces("bag_lengths")["series-0-upper"]["name"] == fixed
    assert app.scenario.sampling.bottom_level == "with-replacement"


def test_typed_bag_is_rounded_to_whole_series_and_the_batch_keeps_its_part(opened):
    app = opened(LINK | {"bag_chart": "curve"})
    app.act("bag_size", "1e4+")
    assert "Windows in the bag N_total = '1e4+' is not allowed: it must be a whole" in app.warnings
    app.act("bag_size", "10,010")
    assert app.scenario.shape.num_series == 500
    assert "The bag has 10,000 windows: 20 windows of each of 500 series." in app.notes
    assert app.scenario.sampling.batch_size == 50
    app.act("batch_share", "0.00018")
    assert app.scenario.sampling.batch_size == 2
    assert "Λ is a whole number of windows, 2: 0.0002 of the bag." in app.notes
    app.act("batch_share", "2")
    assert "Batch ratio Λ / N_total = 2 is not allowed" in app.warnings
    app.act("window_length", 16)
    shape = app.scenario.shape
    assert shape.context_length + shape.forecast_length == 16


def test_a_batch_of_the_whole_bag_is_told_beside_its_ratio(opened):
    app = opened(link_of(replace(SHORT, sampling=BAG)) | {"bag_chart": "curve"})
    assert not app.control("batch_share").spec["warning"]
    app.act("batch_share", 1)
    assert "drawing windows gains nothing" in app.control("batch_share").spec["warning"]


def test_batches_of_more_windows_than_series_come_from_the_bag_and_it_is_told(opened):
    app = opened(LINK | {"bag_chart": "curve"})
    app.act("batch_share", 0.1)
    app.assert_sound("one_bag")
    assert app.scenario.sampling == Sampling(batch_size=640, top_level="flat")
    assert "Batches of 640 cannot be made of 1 window of each series" in app.notes
    assert "and series first (2 windows each)**" in app.said
    assert "needs at least 2 of each" in app.captions
    app.press("undo")
    assert app.scenario == SHORT


def test_own_windows_per_series_are_compared_and_one_is_offered(opened):
    app = opened(LINK | {"num_subsequences": "4", "bag_chart": "curve"})
    assert "series first (4 windows each)" in app.said
    app.press("one_window")
    assert app.scenario == SHORT
    assert "series first (1 window each)" in app.said
    assert "settings'" not in app.captions
