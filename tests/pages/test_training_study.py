"""The page of the training study: every question, its answers, and what leads away."""

from dpviz.scenario import PRESETS
from dpviz.settings import View
from dpviz.training_study.findings import finding
from dpviz.training_study.questions import QUESTIONS
from dpviz.training_study.results import COLUMNS, shipped_results
from dpviz.wording.training_study import study_headline
from tests.csv_text import table_of
from tests.pages.app import link_of

PAGE = "training_study"
OWN = PRESETS["toy"].scenario


def test_choices_are_kept_in_the_link_and_leave_the_scenario_alone(open_page):
    app = open_page(link_of(OWN), PAGE, parts=())
    app.acts([("study_question", "labels"), ("study_data", "m3"), ("study_model", "feedforward")])
    view = app.state.view
    chosen = (view.study_question, view.study_data, view.study_model)
    assert chosen == ("labels", "m3", "feedforward")
    assert app.scenario == OWN
    found = finding(QUESTIONS["labels"], shipped_results().rows, "m3", "feedforward")
    assert app.headline == study_headline(found)


def test_models_are_those_of_the_question_and_a_link_to_another_says_so(open_page):
    view = View(study_question="windows", study_model="attention")
    app = open_page(link_of(OWN, view=view), PAGE, parts=())
    assert "This model was not trained for this question on these series." in app.notes
    app.act("study_question", "budget")
    found = finding(QUESTIONS["budget"], shipped_results().rows, "generated", "attention")
    assert app.headline == study_headline(found)


def test_downloaded_rows_are_all_runs_of_the_question(open_page, downloads):
    open_page(link_of(OWN, view=View(study_question="windows")), PAGE, parts=())
    text = downloads["Download CSV"]()
    assert text.startswith("# dpviz ")
    table = table_of(text)
    shipped = [row for row in shipped_results().rows if row.question == "windows"]
    assert tuple(table.columns) == COLUMNS
    assert table["crps"].tolist() == [row.crps for row in shipped]
