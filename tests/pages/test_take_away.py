"""What is taken away from a page says what the page says, or why there is none."""

import ast
import re

import pytest

from dpviz.export.training_script import KINDS
from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.settings import View
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

STATEMENT = "Privacy statement (Markdown)"
REPORT = "Report (HTML, works offline)"
SCRIPTS = ("Training script, PyTorch", "Training script, Opacus", "Training script, NumPy")
PARTS = ("open_take_away",)


def quoted(text):
    """Return the first upper bound on epsilon that a text quotes."""
    return float(re.search(r"ε ≤ ([\d.]*\d)", text)[1])


def test_a_plan_is_what_its_statement_and_scripts_are_about(open_page, downloads):
    view = View(target_epsilon=2.0, plan_chart="curve")
    open_page(link_of(TOY, view=view), page="planner", parts=PARTS)
    found = calibrated(TOY, "noise_multiplier", Target(epsilon=2.0, delta=1e-7))
    sigma = found.noise.noise_multiplier
    assert f"--noise-multiplier {sigma!r}" in downloads[STATEMENT]()
    for name in SCRIPTS:
        script = downloads[name]()
        ast.parse(script)
        assert "TARGET_EPSILON = 2.0" in script
        assert f"noise_multiplier={sigma!r}" in script


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (TOY.with_rates(bottom_rate=0.2), "data's shape"),
        (varied(TOY, forecast_noise=1.0), "Largest change of a value"),
    ],
    ids=["rates", "noise without a largest change"],
)
def test_where_there_is_no_script_a_line_says_why(open_page, downloads, scenario, words):
    """In sight, since nobody can hover on a phone; once, since both scripts lack the same."""
    app = open_page(link_of(scenario), parts=PARTS)
    for kind in KINDS:
        assert app.keyed("download_button", f"take_{kind}").proto.disabled
    (line,) = [caption.value for caption in app.caption if caption.value.startswith("No script: ")]
    assert words in line
    assert quoted(downloads[STATEMENT]()) > 0.0
    assert "<html" in downloads[REPORT]()


def test_names_that_are_typed_in_quick_succession_are_all_in_the_statement(open_page, downloads):
    app = open_page(link_of(TOY), parts=(*PARTS, "open_request"))
    app.acts([("request_organisation", "Corner shop"), ("request_data_set", "Daily sales")])
    told = downloads[STATEMENT]()
    assert "Corner shop" in told
    assert "Daily sales" in told
