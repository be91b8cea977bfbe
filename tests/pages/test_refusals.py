"""What no page can answer or read is refused by name, takes nothing away, and can be left again."""

import pytest

from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.mechanism import LARGEST_BATCH
from tests.pages.app import BARE_RATES, EXPLORING, RATES, TOY, link_of, series_csv
from tests.pages.train_page import SMALL
from tests.scenario.changes import varied

SHORT = link_of(TOY) | {"steps": "10", "batch_size": "8"}
BATCHES = link_of(TOY) | {"context_length": "4", "forecast_length": "2"}
ATTACKS = {"simulated_runs": "2000"}
RELEASE = {"release_repetitions": "10", "synth_frequency": "0.0625"}
SERIES = {"live_forecasters": "ses", "forecast_count": "3"}
HIDDEN = {"hidden_context": "4", "hidden_rate": "0.01", "hidden_delta": "0.01"}
TRAINING = link_of(TOY) | SMALL
BARE_NOISE = BARE_RATES | {"forecast_noise": "2"}
# A page, a link, and what is told in the place of the answer.
REFUSED = [
    ("batch_drawing", BATCHES | {"num_series": str(LARGEST_COUNT), "top_level": "poisson"},
     "Series N = 1000000000 is not allowed: it must be at most 2,000,000 to draw"),
    ("batch_drawing",
     BATCHES | {"num_series": str(LARGEST_COUNT), "batch_size": str(LARGEST_BATCH)},
     "Batch size Λ = 1000000000 is not allowed: it must be at most 100,000 to draw"),
    ("theory_check", SHORT | ATTACKS | {"series_per_person": "2"},
     "= 2 is not allowed: it must be 1 here"),
    ("theory_check", SHORT | ATTACKS | {"num_series": "1900000", "top_level": "poisson"},
     "Series N = 1900000 is not allowed"),
    ("release", RELEASE | {"release_epsilon": "1", "release_way": "gaussian-classical"},
     "below 1 only"),
    ("release",
     RELEASE | {"participation": "1", "release_rate": "0.001", "release_delta": "0.01"},
     "less than"),
    # Also where the noise is given: any noise has ε = 0 then, which would hide nobody.
    *(("private_inference", HIDDEN | given, "Failure probability δ = 0.01 is not allowed")
      for given in ({}, {"hidden_given": "noise", "hidden_noise": "0.001"})),
    ("protected_forecasts",
     SERIES | {"protection_method": "laplace-known-bounds", "value_low": "9", "value_high": "9"},
     "Highest value, known beforehand = 9.0 is not allowed: it must be above Lowest value, "
     "known beforehand (9)"),
    ("protected_forecasts", SERIES | {"protection_method": "nearest-swap", "neighbours": "40"},
     "Nearest series k = 40 is not allowed"),
    ("train",
     TRAINING | {"trained_steps": "20000", "trained_context": "400", "panel_length": "1000",
                 "trained_forecast": "100", "panel_series": "200", "trained_batch": "150"},
     "Training steps asked for = 20000"),
    ("train", TRAINING | {"trained_forecast": "40"},
     "it must be at most 26: each needs 120 values, room for 3 forecasts"),
]  # fmt: skip
# And what leads back to an answer: an act, or a button.
LEFT = [
    *((page, BARE_NOISE, "Noise on labels σ_F = 2.0 is not allowed", ("forecast_noise", 0.0))
      for page in EXPLORING),
    ("subsequences", SHORT | {"top_level": "flat"},
     "How series are chosen for a batch = “windows drawn from one bag” is not allowed: in one bag "
     "there are no windows per series", ("top_level", "deterministic")),
    ("sample_or_walk", link_of(varied(TOY, batch_size=1000, top_level="flat")),
     "Batch size Λ = 1000 is not allowed: it must be at most 320", ("batch_size", "320")),
    ("protection",
     SHORT | {"series_length": "20,30", "longer_series_beyond": "21", "bottom_level": "poisson",
              "relation_width": "30"},
     "listed up to = 21 is not allowed: it must be at least 31", ("relation_width", 2)),
    ("one_bag", link_of(varied(TOY, steps=10).with_rates(bottom_rate=0.5)),
     "Bottom-level rate r = 0.5 is not allowed: rates alone do not tell how many",
     "bag_shape"),
    ("theory_check", SHORT | ATTACKS | RATES, "rates draw no batches", "batch_shape"),
]  # fmt: skip


def refused(open_page, downloads, page, link, named):
    app = open_page(link, page, ("open_data", "open_sampling", "open_augmentation"))
    assert len(app.error) == 1
    assert named in app.errors
    assert page not in app.chart_keys
    if page != "protection":  # whose file has other widths, which have answers
        table = downloads["Download CSV"]()
        assert "These settings " in table
        assert all(line.startswith("#") for line in table.splitlines())
    return app


@pytest.mark.parametrize(("page", "link", "named"), REFUSED)
def test_what_has_no_answer_is_refused_by_name(
    open_page, downloads, training_runs, page, link, named
):
    app = refused(open_page, downloads, page, link, named)
    assert "train_start" not in app.controls
    assert not training_runs.runs


@pytest.mark.every(2)
@pytest.mark.parametrize(("page", "link", "named", "back"), LEFT)
def test_what_is_refused_leaves_the_controls_that_lead_back(
    open_page, downloads, page, link, named, back
):
    app = refused(open_page, downloads, page, link, named)
    if page == "one_bag":  # there is no run that anything has to hold for
        assert not any("Holds if" in one.label for one in app.expander)
    if isinstance(back, str):
        app.press(back)
    else:
        app.act(*back)
    app.assert_sound("bag_lengths" if page == "one_bag" else page)


OF_COUNTS = RELEASE | {"release_source": "file"}, "release", "counts_upload_0"
OF_A_SWEEP = {}, "sweep_results", "sweep_file_0"
OF_SERIES = SERIES | {"protected_data": "file"}, "protected_forecasts", "upload_0"


HOSTILE = {
    "formula": (OF_COUNTS, b"count\n1\n=cmd()\n", "Line 3"),
    "parquet": (OF_COUNTS, b"PAR1" + b"\xff" * 100 + b"PAR1", "damaged or cut off"),
    "long": (OF_COUNTS, b"count\n" + b"1\n" * 50_001, "at most 50,000"),
    "empty sweep": (OF_A_SWEEP, b"", ""),
    "no sweep": (OF_A_SWEEP, b"a,b\n1,2\n", ""),
    "no parquet": (OF_A_SWEEP, b"PAR1xxxxPAR1", ""),
    "empty": (OF_SERIES, b"", "The file is empty."),
    "short": (OF_SERIES, series_csv([20] * 2), "31 values are needed, and it has 20"),
    "negative": (
        OF_SERIES,
        series_csv([40]).replace(b"5,105", b"5,-3"),
        "every value must be a number from 1",
    ),
    "many": (OF_SERIES, series_csv([31] * 501), "at most 500 are protected here"),
    "no data": (({}, "privacy_curve", "upload_0"), b"", "The file is empty."),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_a_sentence_and_what_was_shown_stays(open_page, name):
    (link, page, key), content, told = HOSTILE[name]
    app = open_page(link, page, ("open_data",))
    before = app.scenario, app.link, {key: app.described(key) for key in app.chart_keys}
    app.upload(key, "a.csv", content)
    assert "The file was not used." in app.warnings
    assert told in app.warnings
    assert (app.scenario, app.link, {key: app.described(key) for key in app.chart_keys}) == before
