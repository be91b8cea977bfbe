"""Small forecasters beside each other, on the page that trains them."""

import pytest

from tests.pages.app import assert_sound, chart, headline
from tests.pages.train_page import COMPARE, said, table_in, train


@pytest.mark.parametrize(
    ("setting", "labels"),
    [
        ("num_subsequences", ("1 window per series", "4 windows per series")),
        pytest.param("forecast_noise", ("σ_F = 0", "σ_F = 5"), marks=pytest.mark.slow),
        (
            "top_level",
            (
                "series drawn at random",
                "series drawn by coins (Poisson)",
                "series walked through in order",
                "windows drawn from one bag",
            ),
        ),
    ],
)
def test_compared_runs_fill_a_chart_and_a_table_and_a_file(
    open_training, downloads, setting, labels
):
    app = train(open_training(COMPARE | {"compared_setting": setting, "trained_steps": "5"}))
    assert_sound(app, "compared_runs")
    assert "Smallest mean CRPS of the private runs" in headline(app)
    assert "Each private run spends at most ε = " in headline(app)
    names = [trace["name"] for trace in chart(app, "compared_runs")["data"] if "name" in trace]
    for label in labels:
        assert label in names
        assert f"| {label} |" in said(app)
    assert "| without privacy |" in said(app)
    assert "without privacy" not in names
    rows = table_in(downloads["Download CSV"]())
    assert {row["repeat"] for row in rows} == {"1", "2"}
    for row in rows:
        is_private = row["variant"] != "without privacy"
        assert bool(row["epsilon_upper"]) == is_private
        assert ("upper" in row["by"]) == is_private


def test_with_noise_on_labels_all_compared_runs_claim_only_what_holds_for_each(open_training):
    app = train(
        open_training(COMPARE | {"compared_setting": "forecast_noise", "trained_steps": "3"})
    )
    assert "changed by any amount" not in headline(app)
    assert "It holds if" in headline(app)


def test_compared_runs_stand_beside_exponential_smoothing_and_say_what_is_not_covered(
    open_training, downloads
):
    app = train(open_training(COMPARE | {"trained_steps": "3"}))
    assert "**CRPS on all 30 series, beside simple forecasts.** Exponential smoothing" in said(app)
    assert "1 window per series: " in said(app)
    assert "What ε does not cover here" in said(app)
    assert "# not accounted for: the error of held-out windows" in downloads["Download CSV"]()


def test_before_any_run_there_is_no_empty_chart(open_training):
    app = open_training(COMPARE)
    assert "Not trained yet" in headline(app)
    assert "so far" not in said(app)
    assert "to come" in said(app)
