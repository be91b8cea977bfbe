"""A page opened to do things with its controls."""

import json
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from tests.pages.app import (
    FOLDED_PARTS,
    ROOT,
    TOY,
    WAIT_SECONDS,
    checked,
    keyed,
    link_of,
    scenario_of,
    state_of,
)

SHORT = replace(TOY, training=replace(TOY.training, count=10))


def opened(page="privacy_curve", query=None, parts=FOLDED_PARTS):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=WAIT_SECONDS)
    for name, value in (link_of(SHORT) if query is None else query).items():
        app.query_params[name] = value
    for part in parts:
        app.session_state[part] = True
    app.switch_page(f"pages/{page}.py")
    return checked(app.run())


def sigma(app):
    return scenario_of(app).noise.noise_multiplier


def steps(app):
    return scenario_of(app).num_steps


def heard(app):
    return json.loads(keyed(app, "bidi_component", "acts").proto.bytes)["heard"]


def everything(app):
    state = state_of(app)
    return state.scenario, state.pins, state.view, list(state.history.past)


def open_link(app, link):
    """Open another link in the same visit."""
    app.query_params.clear()
    for name, value in link.items():
        app.query_params[name] = value
    return checked(app.run())
