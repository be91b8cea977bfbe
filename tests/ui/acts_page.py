"""A page opened to do things with its controls."""

import json

from tests.pages.app import FOLDED_PARTS, TOY, Page, link_of
from tests.scenario.changes import varied

SHORT = varied(TOY, steps=10)


def opened(page="privacy_curve", query=None, parts=FOLDED_PARTS):
    app = Page(link=link_of(SHORT) if query is None else query, parts=parts)
    app.switch_page(f"pages/{page}.py")
    return app.run()


def sigma(app):
    return app.scenario.noise.noise_multiplier


def steps(app):
    return app.scenario.num_steps


def heard(app):
    return json.loads(app.keyed("bidi_component", "acts").proto.bytes)["heard"]


def everything(app):
    state = app.state
    return state.scenario, state.pins, state.view, list(state.history.past)
