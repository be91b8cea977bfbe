"""The page that asks whether the theory holds."""

import csv
import io

import pytest

from dpviz.planning.simulated_attack import TESTED_EPSILONS
from dpviz.settings.attacker import SEEDS
from tests.pages.acts import act, press
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    checked,
    described,
    errors,
    headline,
    link_in_address_bar,
    link_of,
    state_of,
)
from tests.planning.theory_checks import SCHEMES, scheme_name

PAGE = KEY = "theory_check"
PARTS = ("open_reach", "open_code", "open_certificate")
SMALL = {"num_series": "40", "batch_size": "16", "context_length": "4", "forecast_length": "2"}
LINK = link_of(TOY) | SMALL | {"simulated_runs": "2000", "fixed_epsilon": "0.1"}
RATES = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10"}


@pytest.fixture
def opened(open_page):
    return lambda link=LINK, parts=(): open_page(link, PAGE, parts)


def said(app) -> str:
    return " ".join([text.value for text in app.markdown] + [text.value for text in app.caption])


def traces(app, key=KEY) -> dict[str, dict]:
    return {trace["uid"]: trace for trace in chart(app, key)["data"]}


# The words and charts of all of them are tested without a page; here the others may wait.
ON_PAGE = [
    scheme if at in (1, 5, 9, 16) else pytest.param(scheme, marks=pytest.mark.slow)
    for at, scheme in enumerate(SCHEMES)
]


@pytest.mark.parametrize("scheme", ON_PAGE, ids=scheme_name)
def test_every_scheme_is_simulated_and_told_with_its_theorem(opened, scheme):
    link = LINK | {name: str(value) for name, value in scheme.items()} | {"game_kind": "drawn"}
    app = opened(link, parts=("open_reach",))
    assert_sound(app, KEY)
    assert not app.warning
    assert "**2,000 simulated runs of 1 " in headline(app)
    has_lower = "lower" in traces(app)
    assert has_lower == ("some gradients attain **δ ≥" in headline(app))
    assert has_lower != ("no lower bound is proven" in headline(app))
    assert "any single value of one series, changed by any amount" in headline(app)
    assert ("is not told an epoch's order" in said(app)) == (scheme["top_level"] == "shuffled")
    in_a_plane = scheme == SCHEMES[1]
    assert ("Two other attacks have gradients in a plane" in said(app)) == in_a_plane
    assert "The theory holds as far as 2,000 runs can tell" in said(app)
    assert "No simulation proves the upper bound" in said(app)


def test_noise_on_windows_is_simulated_and_told(opened):
    noise = {"context_noise": "1.0", "forecast_noise": "0.5", "num_subsequences": "2"}
    app = opened(LINK | noise, parts=("open_reach",))
    assert_sound(app, KEY)
    assert "contradict neither bound" in headline(app)
    assert "gets its noise, value by value" in said(app)
    assert "by which dpviz's Proposition 22 is attained" in said(app)


def test_band_and_lines_are_the_numbers_of_the_file(opened, downloads):
    app = opened(LINK | {"simulated_units": "3", "drawing_seed": "7"})
    text = downloads["Download CSV"]()
    rows = list(csv.DictReader(line for line in io.StringIO(text) if line[0] != "#"))
    assert [float(row["epsilon"]) for row in rows] == TESTED_EPSILONS.tolist()
    by_epsilon = {float(row["epsilon"]): row for row in rows}
    high = traces(app)["band-high"]
    for x, y in zip(high["x"], high["y"], strict=True):
        assert y == max(float(by_epsilon[x]["simulated_high"]), 1 / 2000)
    lower, upper = traces(app)["lower"], traces(app)["upper"]
    for trace, name in ((lower, "delta_lower"), (upper, "delta_upper")):
        known = dict(zip(trace["x"], trace["y"], strict=True))
        for x in high["x"]:
            assert known[x] is None or known[x] == float(by_epsilon[x][name])
    assert "2000 runs with seed 7" in text
    assert "Theorem 4.4 composed over 3 steps" in text
    assert app.query_params["simulated_units"] == "3"


def test_another_seed_draws_other_runs_and_the_same_link_the_same(opened):
    app = opened()
    before = chart(app, KEY)["data"]
    assert chart(opened(), KEY)["data"] == before
    press(app, "simulate_anew")
    assert_sound(app, KEY)
    assert app.query_params["drawing_seed"] == "2"
    assert traces(app)["estimate"]["y"] != before[2]["y"]
    assert chart(opened(link_in_address_bar(app)), KEY) == chart(app, KEY)
    last = opened(LINK | {"drawing_seed": str(SEEDS[1])})
    press(last, "simulate_anew")
    assert state_of(checked(last)).view.drawing_seed == 0


def test_sliders_change_how_much_is_simulated(opened):
    app = opened()
    act(app, "simulated_runs", 5000)
    assert "**5,000 simulated runs of 1 step contradict" in headline(app)
    act(app, "simulated_units", 4)
    assert "**5,000 simulated runs of 4 steps contradict" in headline(app)
    assert "composed over 4 steps" in headline(app)
    act(app, "fixed_epsilon", 0.5)
    assert "At ε = 0.5 the simulated attack has δ" in headline(app)


@pytest.mark.slow
def test_too_many_runs_are_fewer_and_said_so(opened):
    link = LINK | {"num_series": "200000", "top_level": "poisson", "simulated_runs": "5000"}
    app = opened(link)
    assert_sound(app, KEY)
    assert "runs are simulated here instead of 5,000" in said(app)


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ({"series_per_person": "2"}, "= 2 is not allowed: it must be 1 here"),
        ({"num_series": "1900000", "top_level": "poisson"}, "Series N = 1900000 is not allowed"),
    ],
)
def test_what_cannot_be_simulated_is_refused_by_name(opened, link, named):
    app = opened(LINK | link)
    assert named in errors(checked(app))
    act(app, "simulated_runs", 5000)
    assert named in errors(checked(app))


def test_rates_alone_are_refused_with_a_way_back(opened):
    app = opened(LINK | RATES)
    assert "rates draw no batches" in errors(checked(app))
    press(app, "batch_shape")
    assert_sound(app, KEY)


def test_reach_code_and_certificate_are_there(opened, capsys):
    app = opened(parts=PARTS)
    assert "It cannot see small δ." in said(app)
    assert "the gradients by which Theorem 4.4 is attained" in said(app)
    assert "applied to one step" in said(app)
    exec(compile(app.code[0].value, "shown", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "2,000 runs contradict nothing: True"
    assert printed[1].startswith("epsilon 0.1: simulated ")


def test_charts_are_described(opened):
    app = opened()
    assert "the band of what was simulated" in described(app, KEY)
