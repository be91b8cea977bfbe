"""The page of the paper's figures: every panel, its controls, and what leads away from it."""

from dataclasses import replace

import pytest

from dpviz.planning.curves import curves_of
from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.lines import drawn_line
from dpviz.scenario import PRESETS
from dpviz.settings import View
from dpviz.ui.questions.paper_figures import runs_so_far
from dpviz.wording.paper_findings import verdicts_of
from tests.pages.app import link_of

PAGE, KEY = "paper_figures", "paper_figure_chart"
OWN = replace(PRESETS["traffic"].scenario, delta=1e-6)
PARTS = ("open_bounds", "open_certificate", "open_code", "open_paper_code")


@pytest.fixture
def opened(open_page):
    def at(figure: str, panel: int = 0, parts=PARTS):
        link = link_of(OWN, view=View(figure=figure, panel=panel))
        return open_page(link, PAGE, parts=parts)

    return at


def test_figure_and_panel_are_chosen_and_in_the_link_with_the_visitor_s_own_settings(opened):
    app = opened("3", parts=())
    app.act("paper_figure", "8")
    assert app.chart_title(KEY) == "Figure 8: δ against ε after 1 step"
    app.act("panel_8_rates_0", 9)
    app.act("panel_8_length_9", 10)
    assert "Figure 8, r = 0.1, Λ/N = 0.1, 1 epoch:" in app.words
    link = app.link
    assert (link["figure"], link["panel"]) == ("8", "10")
    assert link == link_of(OWN, view=View(figure="8", panel=10))
    # Another figure begins at its first panel.
    app.act("paper_figure", "2")
    assert "Figure 2, r = 0.1, Λ/N = 0.1, 1 step:" in app.words


@pytest.mark.slow
def test_buttons_lead_from_figure_to_figure_and_end_at_both_ends(opened):
    app = opened("2", parts=())
    assert app.control("previous_panel").disabled
    for key, place in (("next_panel", ("2", 1)), ("next_panel", ("3", 0)),
                       ("previous_panel", ("2", 1))):  # fmt: skip
        app.press(key)
        assert (app.state.view.figure, app.state.view.panel) == place
    # A link to a panel beyond the last leads to that.
    assert opened("13", 32, parts=()).control("next_panel").disabled


EXPLORERS = [
    ("5", 1, {"chart": "curve", "compared_steps": 0}),
    ("8", 4, {"compared_length": "run"}),
    ("4", 0, {"noise_chart": "curve"}),
    ("10", 3, {"chart": "training", "fixed_epsilon": 4.0}),
    ("13", 0, {"bag_chart": "curve"}),
]


@pytest.mark.every(3)
@pytest.mark.parametrize(("figure", "at", "view"), EXPLORERS)
def test_panel_opens_in_its_explorer_and_undo_brings_the_own_settings_back(
    opened, figure, at, view
):
    app = opened(figure, at, parts=())
    app.state.file = object()  # as after an upload, whose lengths the paper's run has not
    app.click("open_in_explorer")
    assert app.state.file is None
    assert not app.error
    panel = FIGURES[figure].panels[at]
    assert app.scenario == panel.opened
    assert app.state.origin == panel.opened
    assert {name: getattr(app.state.view, name) for name in view} == view
    assert "open_conditions" in {one.key for one in app.elements}
    app.press("undo")
    assert app.scenario == OWN


def test_only_the_panel_s_own_pairs_are_compared_though_a_run_in_between_is_to_come():
    """The run behind it takes neither its place in a comparison nor its style."""
    panel = next(
        panel
        for figure in FIGURES.values()
        for panel in figure.panels
        if panel.epsilon is None and len(panel.scenarios) > 2
    )
    lines = [drawn_line(one) for one in panel.scenarios]
    curves = [curves_of(one, tolerance=1e-2) for one in panel.scenarios]
    lines[1] = None
    runs = runs_so_far(panel, lines, curves)
    assert [run.scenario for run in runs] == list(panel.scenarios[:1])
    own = {(panel.scenarios[one], panel.scenarios[other]) for one, other in panel.pairs}
    assert own.issuperset((found.one, found.other) for found in verdicts_of(panel, runs))
    assert all(run.curves.scenario == run.scenario for run in runs)
