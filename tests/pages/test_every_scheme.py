"""Every way of sampling has an answer, or a refusal that names what to change."""

from itertools import product

import pytest

from dpviz.accounting import best_upper
from dpviz.scenario import ScenarioError, from_fields
from dpviz.scenario.link import fields_from_query
from dpviz.scenario.mechanism import BOTTOM_LEVELS, TOP_LEVELS
from dpviz.settings import SETTINGS
from dpviz.wording.numbers import rounded_up
from tests.pages.app import TOY, link_of

SHORT = {name: value for name, value in link_of(TOY).items() if name != "steps"} | {"steps": "5"}
SHAPE = ("num_series", "series_length", "context_length", "forecast_length")
RATES = {"bottom_rate": "0.2", "top_rate": "0.1", "steps_per_epoch": "10"}
DATA = {
    "shape": SHORT,
    "rates-of-a-shape": SHORT | RATES | {"forecast_share": "0.5"},
    "rates": {name: value for name, value in SHORT.items() if name not in SHAPE} | RATES,
}
NOISE = {"plain": {}, "label-noise": {"forecast_noise": "2.0"}}
RELATIONS = {"1-event": {}, "3-user": {"relation": "user", "relation_width": "3"}}


def but_slow(names, quick):
    """Return all names to be tried, of which one is for the quick run: it meets every refusal."""
    return [name if name == quick else pytest.param(name, marks=pytest.mark.slow) for name in names]


def refusal_in_scenario(data, top, bottom, relation) -> str | None:
    """Return which field a scenario may not have, by what the schemes need."""
    if data == "shape":
        return None
    if bottom == "poisson":
        return "bottom_level"
    if top == "flat":
        return "top_level"
    return "relation_width" if data == "rates" and relation == "3-user" else None


def refusal_of_bounds(data, noise, relation) -> str | None:
    """Return which field no bound covers, by what the theorem on label noise needs."""
    alone = data == "rates" or (data != "shape" and relation == "3-user")
    return "forecast_noise" if noise == "label-noise" and alone else None


@pytest.mark.parametrize("data", but_slow(DATA, quick="rates"))
@pytest.mark.parametrize("top", but_slow(TOP_LEVELS, quick="poisson"))
def test_curve_of_every_scheme_is_drawn_or_refused_by_name(open_page, data, top):
    app = open_page(parts=())
    for bottom, noise, relation in product(BOTTOM_LEVELS, NOISE, RELATIONS):
        link = DATA[data] | NOISE[noise] | RELATIONS[relation]
        link |= {"top_level": top, "bottom_level": bottom}
        app.open_link(link)
        case = (bottom, noise, relation)
        refused = refusal_in_scenario(data, top, bottom, relation)
        if refused is not None:
            with pytest.raises(ScenarioError) as problem:
                from_fields(fields_from_query(link))
            named = problem.value
            assert f"{named.field} = {named.value!r} is not allowed: {named.allowed}." in (
                app.warnings
            ), case
            # Something is shown in its place: the nearest that is allowed.
            assert app.scenario is not None
            assert app.error or app.headline, case
            continue
        assert not app.warning, case
        scenario = from_fields(fields_from_query(link))
        assert app.scenario == scenario, case
        refused = refusal_of_bounds(data, noise, relation)
        if refused is not None:
            assert f"{SETTINGS[refused].title} = 2.0 is not allowed: " in app.errors, case
            continue
        app.assert_sound("privacy_curve")
        epsilon = best_upper(scenario).epsilon_at(scenario.delta).high
        assert f"**ε ≤ {rounded_up(epsilon)} at δ = 10⁻⁷**" in app.headline, case
