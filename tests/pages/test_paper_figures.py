"""The page of the paper's figures: every panel, its controls, and what leads away from it."""

import json
import re
from dataclasses import replace

import pytest

from dpviz.planning.paper_figures import FIGURES, Family
from dpviz.scenario import PRESETS, from_fields
from dpviz.settings import View
from tests.pages.acts import act, control, press
from tests.pages.app import (
    chart,
    chart_title,
    checked,
    described,
    elements_of,
    errors,
    headline,
    link_in_address_bar,
    link_of,
    scenario_of,
    state_of,
    texts,
    warnings,
)
from tests.wording.reading import jargon_in

PAGE, KEY = "paper_figures", "paper_figure_chart"
PANELS = [(figure, panel.number) for figure, one in FIGURES.items() for panel in one.panels]
OWN = replace(PRESETS["traffic"].scenario, delta=1e-6)
PARTS = ("open_bounds", "open_certificate", "open_code", "open_paper_code")


@pytest.fixture
def opened(open_page):
    def at(figure: str, panel: int = 0, parts=PARTS):
        link = link_of(OWN, view=View(figure=figure, panel=panel))
        return open_page(link, PAGE, parts=parts)

    return at


def words(app) -> str:
    return "\n".join(text.value for text in app.markdown)


@pytest.mark.slow  # the findings themselves are in the quick run
@pytest.mark.parametrize("figure", FIGURES)
def test_every_panel_is_drawn_with_its_finding(open_page, figure):
    """One visit walks through all panels of a figure by the button; nothing else changes."""
    app = open_page(link_of(OWN, view=View(figure=figure)), PAGE, parts=())
    for panel in FIGURES[figure].panels:
        if panel.number > 0:
            press(app, "next_panel")
        checked(app)
        assert not app.error
        assert not app.warning
        assert not re.search(r"\b(nan|inf)\b", " ".join(texts(app)))
        assert state_of(app).view.panel == panel.number
        assert f"**In print, Figure {figure}, " in words(app)
        assert "**What holds:**" in words(app)
        assert f"Figure {figure}, {panel.section} of Schuchardt" in words(app)
        title = chart_title(app, KEY)
        assert "not computed so far" not in title
        assert headline(app).startswith("**A")
        assert jargon_in(headline(app)) == []
        lines = {trace["uid"] for trace in chart(app, KEY)["data"]}
        drawn = len(panel.drawn.pairs) if panel.family is Family.ONE_BAG else len(panel.scenarios)
        assert len([uid for uid in lines if uid.endswith("-line")]) == drawn
        assert described(app, KEY).endswith((
            "Delta falls as epsilon grows, on logarithmic axes.",
            "Delta, on a logarithmic axis, grows with the steps.",
        ))  # fmt: skip
        assert scenario_of(app) == OWN


def test_figure_and_panel_are_chosen_and_in_the_link_with_the_visitor_s_own_settings(opened):
    app = opened("3", parts=())
    act(app, "paper_figure", "8")
    assert chart_title(checked(app), KEY).startswith("After 1 step")
    act(app, "panel_8_rates_0", 9)
    act(app, "panel_8_length_9", 10)
    assert "Figure 8, r = 0.1, Λ/N = 0.1, 1 epoch:" in words(checked(app))
    link = link_in_address_bar(app)
    assert (link["figure"], link["panel"]) == ("8", "10")
    assert link == link_of(OWN, view=View(figure="8", panel=10))
    # Another figure begins at its first panel.
    act(app, "paper_figure", "2")
    assert "Figure 2, r = 0.1, Λ/N = 0.1, 1 step:" in words(checked(app))


@pytest.mark.slow
def test_buttons_lead_from_figure_to_figure_and_end_at_both_ends(opened):
    app = opened("2", parts=())
    assert control(app, "previous_panel").disabled
    press(app, "next_panel")
    press(app, "next_panel")
    assert (state_of(app).view.figure, state_of(app).view.panel) == ("3", 0)
    press(app, "previous_panel")
    assert (state_of(app).view.figure, state_of(app).view.panel) == ("2", 1)
    last = opened("13", 3, parts=())
    assert control(last, "next_panel").disabled


def test_link_to_a_panel_or_figure_that_does_not_exist_is_answered(open_page, opened):
    beyond = opened("2", 32, parts=())
    assert "Figure 2, r = 0.1, Λ/N = 0.1, 100 steps:" in words(beyond)
    app = open_page({"figure": "11"}, PAGE, parts=())
    assert "figure = '11' is not allowed" in warnings(app)
    assert "**In print, Figure 2, " in words(app)
    assert not errors(app)


EXPLORERS = [
    ("5", 1, "subsequences", {"chart": "curve", "compared_steps": 0}),
    ("8", 4, "sample_or_walk", {"compared_length": "run"}),
    ("4", 0, "label_noise", {"noise_chart": "curve"}),
    ("10", 3, "subsequences", {"chart": "training", "fixed_epsilon": 4.0}),
    ("13", 0, "one_bag", {"bag_chart": "curve"}),
]


@pytest.mark.parametrize(("figure", "at", "page", "view"), EXPLORERS)
def test_panel_opens_in_its_explorer_and_undo_brings_the_own_settings_back(
    opened, figure, at, page, view
):
    app = opened(figure, at, parts=())
    state_of(app).file = object()  # as after an upload, whose lengths the paper's run has not
    app.button(key="open_in_explorer").click().run()
    checked(app)
    assert state_of(app).file is None
    assert not app.error
    panel = FIGURES[figure].panels[at]
    assert scenario_of(app) == panel.opened
    assert state_of(app).origin == panel.opened
    assert {name: getattr(state_of(app).view, name) for name in view} == view
    assert "open_conditions" in {one.key for one in elements_of(app.main)}
    press(app, "undo")
    assert scenario_of(checked(app)) == OWN


def test_downloads_hold_the_panel_and_its_run(downloads, opened):
    opened("8", 1, parts=())
    panel = FIGURES["8"].panels[1]
    assert downloads["Download CSV"]().startswith("# dpviz ")
    assert "# dpviz" in downloads["Download CSV"]().splitlines()[0]
    assert "Figure 8, r = 0.5, Λ/N = 0.5, 1 epoch" in downloads["Download CSV"]()
    assert from_fields(json.loads(downloads["Save scenario"]())) == panel.opened


def test_folded_parts_tell_bounds_certificate_and_code_of_the_runs(opened):
    app = opened("3", 1)
    told = words(app)
    assert "| drawn at random | upper | ≤ " in told
    assert "[Theorem 4.2](theorems#theorem-4-2)" in told
    assert "**Upper bound:** ε ≤ " in told
    code = " ".join(block.value for block in app.code)
    assert "--batch-size 32" in code
    assert 'FIGURES["3"].panel(1)' in code
    assert control(app, "code_of").options == ["drawn at random", "walked through"]
