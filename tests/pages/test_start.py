"""The start page leads to the first curve."""

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from dpviz.scenario import PRESETS
from tests.pages.acts import act, control, go_back

ROOT = Path(__file__).parents[2]


def open_start() -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert not app.exception
    return app


def test_start_page_names_the_three_levels_of_sampling():
    words = " ".join(text.value for text in open_start().markdown)
    for level in ("Choose series", "Choose a window", "context and forecast"):
        assert level in words


def test_start_page_leads_to_every_page_of_the_navigation():
    listed = set(re.findall(r'page\("(\w+)"', (ROOT / "app.py").read_text(encoding="utf-8")))
    linked = {link.proto.page for link in open_start().get("page_link")}
    by_button = {"planner", "privacy_curve"}
    assert {page for page in listed if page not in by_button} == linked


def test_preset_button_opens_its_curve():
    app = open_start()
    app.button(key="start_traffic").click().run()
    assert not app.exception
    assert app.session_state["dpviz_state"].scenario == PRESETS["traffic"].scenario
    assert any("Theorem 4.4 composed over 12,000 steps" in text.value for text in app.markdown)


def test_preset_of_the_start_page_is_what_the_controls_go_back_to():
    app = open_start()
    app.button(key="start_traffic").click().run()
    assert control(app, "reset_all").disabled
    act(app, "noise_multiplier", 5.0)
    go_back(app, "noise_multiplier")
    assert not app.exception
    assert app.session_state["dpviz_state"].scenario == PRESETS["traffic"].scenario
    assert control(app, "reset_all").disabled
