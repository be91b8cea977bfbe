"""What is said of protected data: only one protection is called a guarantee."""

import numpy as np
import pytest

from dpviz.protected_forecasts import error_summary, generated_series
from dpviz.protected_forecasts.features import PREDICTORS, Reason, Reasons
from dpviz.protected_forecasts.study import ErrorChange, ErrorSummary, protected_series
from dpviz.protected_forecasts.study_tables import MONTHS_AHEAD, shipped_horizons, shipped_study
from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap, last_choice
from dpviz.settings import View
from dpviz.settings.protected_forecasts import LIVE_FORECASTERS, PROTECTION_METHODS
from dpviz.wording.protected_forecasts import (
    REASONS_NOTE,
    SHORT_FORECASTERS,
    asked_protection,
    change_sentence,
    errors_headline,
    errors_table,
    feature_name,
    guarantee,
    protection_words,
    reasons_text,
    series_description,
    shipped_sentence,
    shipped_table,
    swap_text,
)
from dpviz.wording.protected_horizons import directions_text, verdict_text

DATA = generated_series(np.random.default_rng(1))
ACTUAL = np.array([10.0, 20.0])


def summaries(before, after):
    before, after = np.array(before), np.array(after)
    return {"ses": (error_summary(before, ACTUAL), error_summary(after, ACTUAL, before))}


@pytest.mark.parametrize("method", PROTECTION_METHODS)
def test_only_noise_by_known_bounds_is_called_proven(method):
    protection = asked_protection(View(protection_method=method))
    said = guarantee(protection, protected_series(DATA, protection, 1, 2))
    if method == "laplace-known-bounds":
        assert "**Proven, for one value of one series:** ε ≤ 10 at δ = 0 (upper bound" in said
        assert "**For a whole series of 72 values:** ε ≤ 720 (upper bound" in said
        assert "without looking at the data" in said
    else:
        assert said.startswith("**No privacy guarantee:**")
        assert "≤" not in said


def test_epsilon_is_rounded_up_also_over_a_whole_series():
    protection = "laplace-known-bounds:0.123456:0:100"
    said = guarantee(protection, protected_series(DATA, protection, 1, 2))
    assert "ε ≤ 0.1235 at" in said
    assert "ε ≤ 8.889 (" in said  # 72 times 0.123456 is 8.888832
    protection = "laplace-known-bounds:0.001:0:100"  # 72 times that, as a double, is more
    assert "ε ≤ 0.072 (" in guarantee(protection, protected_series(DATA, protection, 1, 2))


@pytest.mark.parametrize("method", PROTECTION_METHODS)
def test_every_protection_has_words_with_its_strength(method):
    said = protection_words(asked_protection(View(protection_method=method)))
    assert any(character.isdigit() for character in said)
    assert " k " not in said
    assert set(LIVE_FORECASTERS) <= set(SHORT_FORECASTERS)


@pytest.mark.parametrize(
    ("after", "told"),
    [([12.0, 24.0], "50 % larger"), ([11.0, 22.0], "25 % smaller"), ([12.0, 22.0], "the same")],
)
def test_headline_says_by_how_much_errors_change(after, told):
    said = errors_headline("top-coding:0.1", "an example", summaries([12.0, 22.0], after))
    assert said.endswith(f"is **{told}** on 2 series (an example).")


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (-0.1, 0.3, "between −10 % and +30 %"),
        (0.05, 0.3, "between +5 % and +30 %"),
        (-0.3, -0.05, "between −30 % and −5 %"),
        (-5.02, 10.31, "between −100 % and +1,031 %"),  # the rough range goes beyond what can be
    ],
)
def test_what_few_series_tell_of_others_is_said(low, high, told):
    change = ErrorChange(share=(low + high) / 2.0, low=low, high=high)
    said = change_sentence(change, 8)
    assert told in said
    word = "**errors rise.**" if low > 0 else "**errors fall.**"
    assert (word if low * high > 0 else "too few to tell whether errors rise or fall") in said
    assert change_sentence(None, 2) == ""


def test_what_has_no_forecast_is_counted_and_not_called_a_number():
    pairs = summaries([12.0, np.nan], [np.nan, np.nan])
    assert "Up to 2 of the series have no forecast" in errors_table(pairs)
    assert "has no forecast" in errors_headline("top-coding:0.1", "an example", pairs)
    assert "nan" not in errors_table(pairs) + errors_headline("top-coding:0.1", "one", pairs)


def reasons(explained):
    one = [Reason(predictor=name, importance=0.1, correlation=-0.2) for name in PREDICTORS]
    return Reasons(num_series=100, explained=explained, reasons=tuple(one))


def test_reasons_are_told_only_where_they_explain_something():
    assert "not explained" in reasons_text(reasons(-0.01))
    said = reasons_text(reasons(0.25))
    assert "**25 %** explained" in said
    assert "| −0.20 |" in said
    assert "Correlation, not cause" in REASONS_NOTE
    # Shuffled predictors may be worse than the mean, so that some importances exceed 1.
    assert "R², below 0 where predictions are worse than the mean" in REASONS_NOTE
    shipped = [one for one in shipped_study().reasons.values() if one is not None]
    assert max(reason.importance for one in shipped for reason in one.reasons) > 1.0


def test_errors_further_ahead_are_not_those_of_one_step_forecasts():
    rows, shipped = shipped_horizons(), shipped_study().errors
    said = directions_text(rows, "none")
    assert "of 474 series, forecast from all but their last 18 values: so errors differ" in said
    assert "noise drawn once" in verdict_text(rows)
    (first,) = (
        float(row["mean_absolute_error"])
        for row in rows
        if (row["protection"], row["forecaster"], row["horizon"]) == ("none", "ses", "1")
    )
    assert abs(first / shipped["none", "ses"].mean - 1.0) > 0.05
    assert max(int(row["horizon"]) for row in rows) == MONTHS_AHEAD


def test_a_series_is_called_one_once():
    shown = protected_series(DATA, "top-coding:0.1", 1, 2)
    said = series_description(shown, 0, {}, "top-coding:0.1")
    assert said.startswith("Made-up series 1: 72 values")
    assert len({feature_name(name) for name in PREDICTORS}) == len(PREDICTORS)


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


def test_one_nearest_series_is_not_counted():
    assert protection_words("nearest-swap:1:12").startswith("swap with the nearest series (12")
    assert protection_words("nearest-centroid:1:1").startswith(
        "mean of the nearest series (1 value"
    )
    assert protection_words("nearest-swap:2:12").startswith("swap with one of the 2 nearest series")


def test_a_swap_with_one_series_is_told_without_a_chance():
    swaps = NearestSwap(1, 2), RadiusSwap(400.0, 2)
    nearest, within = (last_choice(DATA.known, 0, swap) for swap in swaps)
    told = swap_text(nearest, within, 400.0, DATA.names[0])
    assert "that of the nearest series (k-nTS, lines), or of the only one within 400 (" in told
