"""Which of the visitor's files is trained on: the one that the settings are for."""

from dpviz.ui.offered_file import planned_file
from tests.pages.test_train_file import TIDY, planned_tidily, trained_on
from tests.pages.test_undo import toasts
from tests.pages.train_page import PAGE, train


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
