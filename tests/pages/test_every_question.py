"""What every page with a question does, whatever it asks."""

import json
import re
from importlib import import_module
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from dpviz.scenario import from_fields
from dpviz.settings.destinations import destination_of
from dpviz.settings.pages import WITHOUT_SCENARIO
from dpviz.ui.question import Question
from tests.csv_text import table_of
from tests.pages.app import ROOT, TOY, link_of
from tests.pages.train_page import SMALL

SHORT = link_of(TOY) | {"steps": "10", "batch_size": "8"}
FEW = {"release_repetitions": "20"}
QUICK = {"live_forecasters": "ses", "forecast_count": "3"}
ATTACKS = {"simulated_runs": "2000"}
FOLDED_CHARTS = ("open_every_rate", "open_gradient", "open_coupled")
# By page, states that between them draw every kind of chart of it; of others, as at first.
STATES = {
    "privacy_curve": [{}, {"chart": "training", "target_epsilon": "6"}],
    "subsequences": [{"compared_steps": "2"}, {"chart": "training", "fixed_epsilon": "0.5"}],
    "sample_or_walk": [{"compared_length": "epoch"}],
    # Without a context the map has few rates, each of which is computed.
    "label_noise": [
        {"forecast_noise": "2", "max_change": "300"},
        {"noise_chart": "map", "context_length": "0"},
    ],
    "one_bag": [{"bag_chart": "curve"}, {"bag_chart": "lengths"}],
    "protection": [{"time_step": "1 hour", "first_date": "2020-02-03"}],
    "multistage": [{"staged_example": "one-of-two"}],
    "release": [
        FEW | {"release_source": "lane", "lane_days": "2", "release_way": "gaussian-analytic"}
    ],
    "protected_forecasts": [QUICK | {
        "protection_method": "nearest-swap", "neighbours": "5", "swap_window": "6",
        "protection_seed": "4", "forecast_series": "2",
    }],
    "private_inference": [{
        "hidden_context": "4", "hidden_rate": "0.75", "hidden_model": "naive",
        "hidden_series": "3", "hidden_seed": "7", "hidden_study_width": "all",
    }],
    "planner": [{"target_epsilon": "2"}, {"goal": "success", "plan_chart": "compare"}],
    "train": [SMALL],
    "ledger": [{"run_1": "first"}],
    "sweep_results": [{"sweep_chart": "scatter"}],
    "epsilon_meaning": [{"prior": "0.1", "rate_axes": "log"}],
    "batch_drawing": [{"context_length": "4", "forecast_length": "2", "drawn_batch": "3"}],
    "theory_check": [ATTACKS | {"simulated_units": "3", "drawing_seed": "7"}],
    "paper_figures": [{"figure": "8", "panel": "1"}],
    "paper_tables": [{"reported_table": "8", "reported_column": "2"}],
    "training_study": [{"study_question": "labels", "study_model": "feedforward"}],
}  # fmt: skip
QUESTIONS: dict[str, Question] = {
    page.stem: import_module(f"dpviz.ui.questions.{page.stem}").QUESTION
    for page in sorted((ROOT / "pages").glob("*.py"))
    if "import ask\n" in page.read_text(encoding="utf-8")
}
# Without a run there is nothing in these files but the reason.
WITHOUT_ROWS = ("train", "ledger")
# Whose bounds are drawn point by point as they stand in the file.
DRAWN_FROM_FILE = (
    *("privacy_curve", "subsequences", "sample_or_walk", "label_noise", "one_bag", "protection"),
    *("epsilon_meaning", "multistage"),
)
BOUND = re.compile(r"(series-\d+|budget)-(upper|lower)|upper|lower|printed")


def charts_of(app) -> dict[str, tuple[str, str]]:
    """Return the words and the figure of every chart, by its key."""
    drawn = app.components("dpviz_chart")
    told = {chart.key: json.loads(chart.proto.bytes) for chart in drawn}
    return {key: (options["alt"], json.dumps(figure)) for key, (options, figure) in told.items()}


def assert_can_be_sent_with_every_move(figure: dict) -> None:
    """Check that it is small, keeps a visitor's zoom, and has the colours of either theme."""
    layout = dict(figure["layout"])
    meta = layout.pop("meta", {})
    drawn = json.dumps(figure | {"layout": layout})
    assert len(drawn) < 250_000
    assert layout["uirevision"]
    assert not re.search(r'"#[0-9a-f]{3,8}"|rgb', drawn)
    assert set(re.findall(r"var\(--([\w-]+)", drawn)) <= set(meta["palette"]["light"])


def is_in_file(trace: dict, table: pd.DataFrame) -> bool:
    """Return whether two columns have all points of a line."""
    points = [(x, y) for x, y in zip(trace["x"], trace["y"], strict=True) if y is not None]
    columns = [table[name].to_numpy() for name in table.select_dtypes("number")]
    return any(
        all(np.isclose(down[across == x], y, rtol=1e-5, atol=0.0).any() for x, y in points)
        for across, down in permutations(columns, 2)
    )


def test_every_question_has_a_file_of_its_own():
    assert STATES.keys() <= QUESTIONS.keys()
    files = [question.file for question in QUESTIONS.values()]
    assert len(set(files)) == len(files)


@pytest.mark.parametrize(
    ("page", "state"),
    [
        pytest.param(page, state, id=f"{page}-{at}")
        for page in QUESTIONS
        for at, state in enumerate(STATES.get(page, [{}]))
    ],
)
def test_a_link_reopens_what_it_says_and_all_of_it_can_be_taken_away(
    open_page, training_runs, made_up_map, downloads, page, state
):
    question = QUESTIONS[page]
    app = open_page(SHORT | state, page, parts=FOLDED_CHARTS)
    assert not app.error
    assert [title.value for title in app.title] == [destination_of(page)]
    # What it says of the settings is in the link, and comes back from it.
    again = open_page(app.link, page, parts=FOLDED_CHARTS)
    assert not again.warnings
    assert again.state.scenario == app.state.scenario
    assert again.state.view == app.state.view
    charts = charts_of(app)
    assert charts_of(again) == charts
    for alt, figure in charts.values():
        assert len(alt) > 20
        assert_can_be_sent_with_every_move(json.loads(figure))
    # Its numbers, and its settings where it has such.
    text = downloads["Download CSV"]()
    assert text.startswith("# ")
    assert any(line[0] != "#" for line in text.splitlines()) or page in WITHOUT_ROWS
    if page in DRAWN_FROM_FILE:
        figures = [json.loads(figure) for key, (_, figure) in charts.items() if key != "beliefs"]
        traces = [trace for figure in figures for trace in figure["data"]]
        bounds = [trace for trace in traces if BOUND.fullmatch(trace.get("uid", ""))]
        assert bounds or "map" in state.values()
        lacking = {one["uid"] for one in bounds if not is_in_file(one, table_of(text))}
        # What a standard accountant promises is the level of a line there, and in the sentence.
        assert lacking <= ({"series-3-upper"} if page == "one_bag" else set())
    assert ("Save scenario" in downloads) == question.is_saved
    assert any(one.key == "pin" for one in app.elements) == (
        question.is_live and page not in WITHOUT_SCENARIO
    )
    if question.is_saved:
        from_fields(json.loads(downloads["Save scenario"]()))
    labels = [one.label for one in app.expander]
    told = [label for label in labels if label.startswith("Holds if your training meets ")]
    assert len(told) == (question.held is not None)
