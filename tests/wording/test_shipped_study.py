"""What is said of the M3 series: the same protection, who improves, what was not computed."""

from dpviz.protected_forecasts.study import ErrorSummary
from dpviz.wording.protected_forecasts import shipped_sentence, shipped_table


def summary(mean):
    return ErrorSummary(
        num_series=474, without_forecast=0, mean=mean, quantiles=(1.0,) * 5, variance=1.0
    )


ERRORS = {
    ("none", "ses"): summary(200.0),
    ("none", "tes"): summary(100.0),
    ("top-coding:0.1", "ses"): summary(210.0),
    ("top-coding:0.1", "tes"): summary(97.0),
    ("none", "auto-arima"): summary(120.0),
}


def test_range_over_forecasters_and_how_many_gain_are_told():
    said = shipped_sentence("top-coding:0.1", ERRORS)
    assert "On all 474 M3 series" in said
    assert "by −3.0 % (TES) to +5.0 % (SES); they shrink for 1 of 2 forecasters" in said


def test_nothing_is_said_of_what_was_not_computed():
    assert shipped_sentence("top-coding:0.15", ERRORS) == ""
    assert shipped_sentence("none", ERRORS) == ""


def test_cell_that_was_not_computed_is_a_dash_beside_the_print():
    table = shipped_table(["top-coding:0.1"], ERRORS, {("top-coding:0.1", "auto-arima"): 631.61})
    assert table.splitlines()[-1] == "| top coding of 10 % | 210.00 | 97.00 | – (631.61) |"
