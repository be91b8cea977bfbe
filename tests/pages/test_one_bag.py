"""What the page that compares one bag of windows with series first tells, draws and links to."""

import io

import pandas as pd
import pytest

from dpviz.planning import curves_of
from dpviz.planning.one_bag import bag_run, compared_lengths, promise_run, series_first_run
from dpviz.scenario.mechanism import COINS
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.pages.acts import act, control
from tests.pages.app import (
    assert_sound,
    chart,
    checked,
    described,
    headline,
    keyed,
    scenario_of,
)
from tests.pages.one_bag_page import KEYS, SHORT, lines

LABELS = [
    "one bag (fixed batch size)",
    "one bag (each window by a coin)",
    "series first (1 window each)",
]


@pytest.mark.parametrize("view", KEYS)
def test_promise_truth_and_the_loaders_are_told(open_one_bag, view):
    app = open_one_bag({"bag_chart": view})
    assert_sound(app, KEYS[view])
    runs = [bag_run(SHORT), bag_run(SHORT, COINS), series_first_run(SHORT)]
    bag, *_ = curves = [curves_of(run) for run in runs]
    promise = curves_of(promise_run(runs[0]))
    said = headline(app)
    assert (
        f"**ε ≤ {rounded_up(promise.epsilon_upper)} for one replaced window** (Proposition C.1"
        in said
    )
    assert f"**ε ≤ {rounded_up(bag.epsilon_upper)}** (upper bound, dpviz's Proposition 4)" in said
    assert f"no analysis can promise less than ε = {rounded_down(bag.epsilon_lower)}**" in said
    assert "in up to 2 of the bag's 6,400 windows" in said
    assert "After 10 steps with one bag, fixed batch size, at δ = 10⁻⁷" in said
    [table] = [text.value for text in app.markdown if "| Batches, δ = " in text.value]
    for label, run in zip(LABELS, curves, strict=True):
        most, least = rounded_up(run.epsilon_upper), rounded_down(run.epsilon_lower)
        assert f"| {label} | ε ≤ {most} | ≥ {least} |" in table


def test_own_bag_by_coins_comes_first_and_can_be_changed(open_one_bag):
    app = open_one_bag({"top_level": "flat", "bottom_level": "poisson"}, parts=())
    assert "each window by a coin (Poisson, Opacus's default), at δ" in headline(app)
    assert lines(app)["series-0-upper"]["name"] == LABELS[1]
    act(app, "bottom_level", "with-replacement")
    assert lines(checked(app))["series-0-upper"]["name"] == LABELS[0]
    assert scenario_of(app).sampling.bottom_level == "with-replacement"


def test_lengths_are_drawn_with_the_promise_as_a_level_line(open_one_bag):
    app = open_one_bag()
    drawn = lines(app)
    assert drawn["series-3-upper"]["x"] == list(compared_lengths(SHORT))
    assert len(set(drawn["series-3-upper"]["y"])) == 1
    assert drawn["series-3-upper"]["name"] == "standard accountant, one window"
    assert "series-3-lower" not in drawn
    for at, label in enumerate(LABELS):
        assert drawn[f"series-{at}-upper"]["name"] == label
        assert drawn[f"series-{at}-lower"]["y"] == sorted(drawn[f"series-{at}-lower"]["y"])
    # The visitor's own length, as the headline quotes it.
    bag = curves_of(bag_run(SHORT))
    assert drawn["series-0-own"]["text"] == [f"ε ≤ {rounded_up(bag.epsilon_upper)}"]
    assert (drawn["series-0-own"]["x"], drawn["series-0-own"]["y"]) == ([2], [bag.epsilon_upper])
    assert described(app, "bag_lengths").startswith(
        "Windows of 2 to 32 values: one individual's loss"
    )


def test_curves_are_bands_beside_the_promise(open_one_bag):
    app = open_one_bag({"bag_chart": "curve"})
    drawn = chart(app, "one_bag")["data"]
    names = [trace["name"] for trace in drawn if "fill" in trace]
    assert names == LABELS[::-1]
    assert sum("standard accountant, one" in str(trace.get("name")) for trace in drawn) == 1
    assert "series first wins" in str(chart(app, "one_bag")["layout"]["annotations"])
    assert "promises ε ≤ " in described(app, "one_bag")
    assert "is **provably more private for one individual" in " ".join(
        text.value for text in app.markdown
    )


def test_why_is_drawn_with_all_laws(open_one_bag):
    app = open_one_bag()
    bag, coins, first = chart(app, "bag_hits")["data"]
    assert (bag["x"], coins["x"], first["x"]) == ([0, 1, 2], [0, 1, 2], [0, 1])
    assert "two or more 2.42·10⁻⁵" in described(app, "bag_hits")


def test_all_runs_have_a_certificate_and_their_code(open_one_bag):
    app = open_one_bag()
    labels = [keyed(app, "expander", f"open_certificate{at}").label for at in ("", "_1", "_2")]
    assert labels == [f"What these numbers rest on: {label}" for label in LABELS]
    words = " ".join(text.value for text in app.markdown)
    for theorem in ("[dpviz's Proposition 4]", "[Proposition C.2]", "[Theorem 4.4]"):
        assert theorem in words
    choice = control(app, "code_of")
    assert choice.options == LABELS
    assert "--flat" in app.code[0].value
    act(app, "code_of", choice.tokens[1])
    assert "--bottom-level poisson" in checked(app).code[0].value
    act(app, "code_of", choice.tokens[2])
    assert "--flat" not in checked(app).code[0].value


@pytest.mark.parametrize("view", KEYS)
def test_table_has_the_numbers_of_the_chart(open_one_bag, downloads, view):
    app = open_one_bag({"bag_chart": view}, parts=())
    text = downloads["Download CSV"]()
    table = pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip")
    drawn = lines(app, KEYS[view])
    if view == "lengths":
        bag = table[table["run"] == LABELS[0]]
        assert bag["window_length"].tolist() == drawn["series-0-lower"]["x"]
        assert bag["epsilon_lower"].tolist() == drawn["series-0-lower"]["y"]
        assert bag["epsilon_upper"].tolist() == drawn["series-0-upper"]["y"]
        promise = table[table["run"] == "standard accountant, one window"]
        assert promise["epsilon_upper"].tolist() == drawn["series-3-upper"]["y"]
        assert promise["epsilon_lower"].isna().all()
    else:
        assert set(table["curve"]) == set(LABELS)
        assert "Proposition C.2 composed over 10 steps" in text
    hits = pd.read_csv(
        io.StringIO(downloads["Download as CSV"]()),
        comment="#",
        float_precision="round_trip",
    )
    assert set(hits["sampling"]) == set(LABELS)


def test_chart_is_chosen_and_kept_in_the_link(open_one_bag):
    app = open_one_bag(parts=())
    act(app, "bag_chart", "curve")
    assert_sound(app, "one_bag")
    assert app.query_params["bag_chart"] == "curve"
    act(app, "bag_chart", "lengths")
    assert_sound(app, "bag_lengths")
    assert "bag_chart" not in app.query_params


def test_rates_are_refused_once(open_page):
    rates = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10", "steps": "10"}
    app = open_page(rates, "one_bag", parts=())
    assert len(app.error) == 1
    assert not any("Holds if" in one.label for one in app.expander)
