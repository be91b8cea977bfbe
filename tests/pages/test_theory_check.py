"""The page that asks whether the theory holds."""

from dataclasses import replace

import pytest

from dpviz.planning.simulated_attack import TESTED_EPSILONS
from dpviz.scenario import PRESETS, from_json
from dpviz.settings.setting import SEEDS
from dpviz.ui.questions import theory_check
from dpviz.ui.questions.theory_check import EXAMPLE
from dpviz.ui.state import START
from dpviz.wording.theory_check import CONJECTURE
from tests.csv_text import rows_of
from tests.pages.app import TOY, link_of
from tests.planning.theory_checks import SCHEMES, scheme_name

PAGE = KEY = "theory_check"
SMALL = {"num_series": "40", "batch_size": "16", "context_length": "4", "forecast_length": "2"}
LINK = link_of(TOY) | SMALL | {"simulated_runs": "2000", "fixed_epsilon": "0.1"}
# How long its longest series are is not known.
LONG_BAG = {"top_level": "flat", "series_length": "40,100", "longer_series_beyond": "120"}


# The words and charts of all schemes are tested without a page.
@pytest.mark.parametrize("scheme", [*(SCHEMES[at] for at in (1, 9)), LONG_BAG], ids=scheme_name)
def test_a_scheme_is_simulated_and_told_with_its_theorem(opened, scheme):
    link = LINK | {name: str(value) for name, value in scheme.items()} | {"game_kind": "drawn"}
    app = opened(link, parts=("open_reach",))
    app.assert_sound(KEY)
    assert not app.warning
    assert "**2,000 simulated runs of 1 " in app.headline
    has_lower = "lower" in app.traces(KEY)
    assert has_lower == ("some gradients attain **δ ≥" in app.headline)
    assert has_lower == ("*Thin line*" in app.captions) == (scheme != LONG_BAG)
    assert has_lower != ("no lower bound is proven" in app.headline)
    assert ("is not told an epoch's order" in app.said) == (scheme["top_level"] == "shuffled")
    assert "At none of the 62 tested ε is the band above" in app.said


def test_the_band_is_drawn_of_the_runs_that_are_told(opened, monkeypatch):
    """Other runs may have been as many while parts came in another order."""
    parts = theory_check._parts

    def others(state, case):
        return parts(replace(state, view=replace(state.view, drawing_seed=8)), case)

    link = LINK | {"drawing_seed": "9"}
    with monkeypatch.context() as first:
        first.setattr(theory_check, "_parts", others)
        before = opened(link).traces(KEY)["band-high"]
    now = opened(link).traces(KEY)["band-high"]
    assert now["y"] != before["y"]


def test_band_lines_and_conjecture_are_the_numbers_of_the_file(opened, downloads):
    app = opened(LINK | {"simulated_units": "3", "drawing_seed": "7"})
    text = downloads["Download CSV"]()
    rows = rows_of(text)
    assert [float(row["epsilon"]) for row in rows] == TESTED_EPSILONS.tolist()
    by_epsilon = {float(row["epsilon"]): row for row in rows}
    high = app.traces(KEY)["band-high"]
    for x, y in zip(high["x"], high["y"], strict=True):
        assert y == max(float(by_epsilon[x]["simulated_high"]), 1 / 2000)
    lower, upper = app.traces(KEY)["lower"], app.traces(KEY)["upper"]
    for trace, name in ((lower, "delta_lower"), (upper, "delta_upper")):
        known = dict(zip(trace["x"], trace["y"], strict=True))
        for x in high["x"]:
            assert known[x] is None or known[x] == float(by_epsilon[x][name])
    # A conjecture is dotted and called so everywhere.
    dotted = app.traces(KEY)["conjecture"]
    assert dotted["line"]["dash"] == "dot"
    assert dotted["name"] == CONJECTURE == "conjecture, not a promise"
    assert f"a dotted line is a {CONJECTURE}" in app.described(KEY)
    assert "conjecture" not in app.headline
    assert f"conjecture_not_a_promise: {CONJECTURE}" in text
    known = dict(zip(dotted["x"], dotted["y"], strict=True))
    assert float(by_epsilon[0.1]["conjecture_not_a_promise"]) == known[0.1] > 0.0


def test_where_nothing_is_conjectured_nothing_is_dotted(opened, downloads):
    app = opened(LINK | {"simulated_units": "3", "num_subsequences": "2"})
    assert "conjecture" not in app.traces(KEY)
    assert "onjecture" not in app.all_words + app.described(KEY) + downloads["Download CSV"]()


def test_runs_follow_seed_and_settings_with_reach_code_and_certificate(opened, capsys):
    app = opened(parts=("open_reach", "open_code", "open_certificate"))
    assert app.headline.startswith("**2,000 simulated runs of 1 step contradict neither bound.**")
    exec(compile(app.code[0].value, "shown", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "2,000 runs contradict nothing: True"
    assert printed[1].startswith("epsilon 0.1: simulated delta ")
    assert printed[1].endswith("(tight bound, Theorem 4.4 composed over 1 step)")
    before = app.traces(KEY)["estimate"]["y"]
    app.press("simulate_anew")
    app.assert_sound(KEY)
    assert app.query_params["drawing_seed"] == "2"
    assert app.traces(KEY)["estimate"]["y"] != before
    app.acts([("simulated_runs", 5000), ("simulated_units", 4)])
    assert "5,000 simulated runs of 4 steps do not contradict the upper bound" in app.headline
    assert "composed over 4 steps" in app.headline
    last = opened(LINK | {"drawing_seed": str(SEEDS[1])})
    last.press("simulate_anew")
    assert last.state.view.drawing_seed == 0


def test_runs_that_can_test_nothing_say_so_and_offer_an_example_that_they_can(opened):
    """Of the electricity data's training even the largest delta is too small to be counted."""
    own = PRESETS["electricity"].scenario
    app = opened(link_of(own) | {"simulated_runs": "2000"})
    assert "cannot test these bounds" in app.headline
    assert "At none of the" not in app.said
    app.press("test_example")
    assert "At none of the 62 tested ε is the band above" in app.said
    assert app.scenario == own, "a visitor's settings stay"
    assert "test_example" not in app.controls
    app.press("undo")
    assert "cannot test these bounds" in app.headline


def test_who_has_set_nothing_sees_bounds_and_runs_agree(opened, downloads, capsys):
    """The page opens on an example; the scenario that visitors begin with stays what it is.

    What is handed over is of the example.
    """
    app = opened(link_of(START) | {"simulated_runs": "5000"}, ("open_code",))
    exec(compile(app.code[0].value, "shown", "exec"), {})
    assert capsys.readouterr().out.startswith("5,000 runs contradict nothing: True")
    assert from_json(downloads["Save scenario"]()) == EXAMPLE
    first = rows_of(downloads["Download CSV"]())[0]
    assert float(first["delta_upper"]) > 0.01
    assert app.scenario == START
    assert "At none of the 62 tested ε is the band above" in app.said
    traces = app.traces(KEY)
    for trace in ("upper", "lower"):
        known = dict(zip(traces[trace]["x"], traces[trace]["y"], strict=True))
        for x, low, high in zip(
            traces["band-high"]["x"], traces["band-low"]["y"], traces["band-high"]["y"], strict=True
        ):
            assert known[x] is None or low <= known[x] <= high
    assert "preset" not in app.controls
    app.act("tested_settings", "own")
    assert app.query_params["tested_settings"] == "own"
    assert "too small for so few runs" in app.headline
    assert "preset" in app.controls
    assert app.scenario == START
