"""Which of the visitor's files is trained on: the one that the settings are for."""

from dpviz.ui.offered_file import planned_file
from dpviz.ui.questions.ledger import shown_runs
from tests.pages.test_train_file import PLANNED, ROWS, TIDY, planned_tidily, trained_on
from tests.pages.test_undo import toasts
from tests.pages.train_page import LINK, PAGE, train


def test_the_file_that_undo_took_away_is_not_trained_on_where_rates_are_set_by_hand(
    open_page, training_runs
):
    app = planned_tidily(open_page)
    app.upload("upload_1", "mine.csv", ROWS).act("layout_of_file", "rows").press("use_file")
    app.press("undo").act("bottom_rate", 0.3)
    assert "From tidy.csv: 9 series." in trained_on(app).all_words
    # Nor in its place, once lengths that are typed are no file's.
    app.press("undo").press("undo")
    app.go_to("planner").act("series_length", "60 x 40, 50 x 30")
    assert app.state.file.layout == "typed"
    assert "From tidy.csv: 9 series." in trained_on(app).all_words


def test_undo_of_another_change_leaves_a_file_of_equal_shape(open_page, training_runs):
    app = planned_tidily(open_page, relation_width=2).act("delta", 1e-5)
    before = app.scenario
    app.open_series("fresh.csv", TIDY.replace(b",1", b",2"), "upload_1")
    assert app.scenario == before
    assert toasts(app.press("undo")) == ["Undone: whose series the settings are for."]
    assert (app.scenario, planned_file(app.state).name) == (before, "tidy.csv")
    app.press("redo").act("delta", 1e-6).press("undo")
    assert planned_file(app.state).name == "fresh.csv"
    assert "From fresh.csv: 9 series." in trained_on(app).all_words


def test_what_was_taken_back_can_be_done_again_though_the_file_before_is_read(
    open_page, training_runs
):
    app = planned_tidily(open_page, PLANNED | {"trained_on": "file"})
    app.upload("upload_1", "mine.csv", ROWS).act("layout_of_file", "rows").press("use_file")
    assert "From mine.csv: 4 series." in app.go_to(PAGE).all_words
    of_mine = (app.scenario, app.state.view)
    assert "From tidy.csv: 9 series." in app.press("undo").all_words
    assert app.state.view.panel_period == 7 != of_mine[1].panel_period
    app.press("redo")
    assert (app.scenario, app.state.view) == of_mine
    assert planned_file(app.state).name == "mine.csv"


def test_a_planned_file_is_trained_with_the_units_of_its_plan(open_page, training_runs):
    """The ledger takes no runs whose values are other times."""
    app = planned_tidily(open_page, relation_width=2)
    app.session_state["open_relation"] = True
    app.run().act("time_step", "1 hour").click("plan_to_ledger")
    app = train(app.go_to("planner").click("train_plan").go_to(PAGE))
    assert "any 2 hours (2 values in a row)" in app.all_words
    app.click("run_to_ledger")
    assert not app.warnings
    assert {one.scenario.units for one in shown_runs(app.state)} == {app.scenario.units}


def test_a_time_step_chosen_after_a_training_leaves_its_result(open_page, training_runs):
    """It changes no number: what was trained is told, and added up, in the new one."""
    app = planned_tidily(open_page, relation_width=2)
    app = train(app.click("train_plan").go_to(PAGE))
    assert "any 2 days (2 values in a row)" in app.all_words
    app.session_state["open_relation"] = True
    app.run().act("time_step", "1 week")
    assert "Not trained yet" not in app.headline
    assert "any 2 weeks (2 values in a row)" in app.all_words
    app.click("run_to_ledger")
    assert {str(one.scenario.units.time_step) for one in shown_runs(app.state)} == {"1 week"}


def test_widths_are_no_times_where_the_time_step_is_of_other_series(open_page, training_runs):
    """Of hourly settings "2 weeks" made 336 values of monthly series."""
    app = open_page(LINK | {"time_step": "1 hour"}, PAGE, ("open_relation",))
    assert "time_step" not in app.controls
    app.act("relation_width", "2 weeks")
    assert "'2 weeks'" in app.control("relation_width").spec["problem"]
    assert app.scenario.relation.width == 1
    app = trained_on(planned_tidily(open_page, relation_width=2))
    app.session_state["open_relation"] = True
    assert app.run().act("relation_width", "1 week").scenario.relation.width == 7


def test_another_file_of_equal_name_and_size_is_not_the_planned_one(open_page, training_runs):
    app = planned_tidily(open_page).press("forget_kept")
    other = TIDY.replace(b"shop 8,2024-01-2", b"shop 9,2024-01-2")
    assert len(other) == len(TIDY)
    app.click("train_plan").go_to(PAGE).upload("panel_upload_1", "tidy.csv", other)
    assert "From tidy.csv: 10 series." in app.all_words
    assert "**Your settings are for another file, tidy.csv**" in app.headline
