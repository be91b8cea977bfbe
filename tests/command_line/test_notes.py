"""What changes nothing is said, and what a number means where its name alone would mislead."""

import pytest

SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
EPSILON = ["epsilon", *SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=10"]
RATES = ["epsilon", "--top-rate=0.1", "--bottom-rate=0.1", "--noise-multiplier=1"]
SHORT = ["epsilon", *SHAPE[:2], "--forecast-length=1", *EPSILON[5:]]


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("arguments", "notes"),
    [
        (EPSILON, []),
        ([*EPSILON, "--forecast-noise=1"],
         ["forecast-noise 1 means 1 x the largest change of one value, which the data must not"]),
        ([*EPSILON, "--forecast-noise=1", "--context-noise=0.5", "--max-change=5"],
         [
             "noise of standard deviation 2.5 on contexts = context-noise 0.5 x max-change 5",
             "noise of standard deviation 5 on labels = forecast-noise 1 x max-change 5",
         ]),
        ([*EPSILON, "--max-change=5", "--channels=3"],
         ["max-change 5 and channels 3 change nothing, as there is no noise on contexts"]),
        ([*EPSILON, "--max-change=5.1234567", "--channels=3", "--forecast-noise=1",
          "--subsequences=2"],
         [
             "noise of standard deviation 5.12346 on labels = forecast-noise 1 x max-change "
             "5.1234567; only the lower bound makes use of it"
         ]),
        ([*EPSILON, "--forecast-noise=0.1234567", "--series-per-person=2"],
         [
             "forecast-noise 0.1234567 means 0.1234567 x the largest change of one value, which "
             "the data must not exceed; only the lower bound makes use of it"
         ]),
        ([*EPSILON, "--max-change=5", "--forecast-noise=1", "--subsequences=2",
          "--top-level=bins"],
         ["max-change 5 changes nothing, as no bound here makes use of noise"]),
        ([*SHORT, "--context-length=30"], ["every window contains a protected value (r = 1)"]),
        (["epsilon", "--num-series=40", "--series-length=1", *EPSILON[3:]],
         ["every window contains a protected value (r = 1): one individual reaches the only win"]),
        (["epsilon", "--num-series=2", "--series-length=1", *EPSILON[3:5], "--batch-size=2",
          "--noise-multiplier=1", "--epochs=1", "--flat", "--relation-width=2"],
         [
             "relation-width 2 is more than the 1 value of the series: it may change",
             "every window contains",
             "an epoch of one bag is a pass over all 2 windows (1 step), not over all series",
         ]),
        ([*EPSILON, "--relation-width=30"],
         ["relation-width 30 is more than the 20 values of the series", "every window contains"]),
        ([*EPSILON, "--top-level=deterministic"], []),
        ([*RATES, "--steps=10"], []),
        ([*RATES, "--steps=10", "--steps-per-epoch=10", "--batch-size=9"],
         [
             "steps-per-epoch 10 changes nothing here: steps count",
             "batch-size 9 changes nothing here: top-rate counts",
         ]),
        ([*RATES, "--epochs=10", "--steps-per-epoch=20"],
         ["steps-per-epoch 20 counts as 10, the most that one pass has with top-rate 0.1"]),
        ([*RATES, "--steps=10", "--steps-per-epoch=10", "--top-level=deterministic"], []),
        ([*RATES, "--steps=10", "--steps-per-epoch=5", "--one-batch"], []),
        ([*RATES, "--steps=10", "--forecast-share=0.5"],
         ["forecast-share 0.5 changes nothing here"]),
        ([*RATES, "--steps=10", "--forecast-share=0.5", "--forecast-noise=1", "--max-change=1"],
         ["noise of standard deviation 1 on labels"]),
    ],
)  # fmt: skip
def test_notes_say_what_numbers_mean_and_which_change_nothing(arguments, notes, both_of):
    answer, table = both_of(*arguments)
    said = answer["notes"]
    assert len(said) == len(notes)
    for note, start in zip(said, notes, strict=True):
        assert note.startswith(start)
    assert [line for line in table.splitlines() if line.startswith("note: ")] == [
        f"note: {note}" for note in said
    ]


def test_rates_that_are_given_are_told_as_given(text_of):
    given = ["epsilon", "--top-rate=0.01234567", "--bottom-rate=0.2345678", "--steps=10"]
    table = text_of(*given, "--noise-multiplier=1")
    assert "r = 0.2345678 (a window" in table
    assert "rho = 0.01234567 (a series" in table


def test_what_leaves_the_upper_bound_as_it_is_may_change_the_lower_one(answer_of):
    noise = ["--subsequences=2", "--forecast-noise=1", "--context-noise=1"]
    one, three = (answer_of(*EPSILON, *noise, f"--channels={number}") for number in (1, 3))
    assert one["upper"]["epsilon"] == three["upper"]["epsilon"]
    assert one["lower"]["epsilon"] < three["lower"]["epsilon"]


def test_a_walk_that_leaves_series_out_says_so(text_of):
    walk = ["--batch-size=100", "--top-level=deterministic"]
    left_out = "note: the walk leaves the last 20 of 320 series out of every epoch"
    assert left_out in text_of(*EPSILON[:5], *EPSILON[6:], *walk)
    assert left_out in text_of("simulate", *SHAPE, *walk, "--batches=5")


def test_the_batch_of_a_single_bin_is_no_average(text_of):
    def note(size):
        table = text_of(*EPSILON[:5], *EPSILON[6:], f"--batch-size={size}", "--top-level=bins")
        return next(line for line in table.splitlines() if line.startswith("note: bins leave"))

    assert "a batch has 320 / 3 = 106.7 series on average, and the sum is" in note(100)
    assert "out: every batch has all 320 series, and the sum is divided by the fixed" in note(200)


def test_what_a_saved_scenario_has_to_hold_is_not_called_unused(tmp_path, text_of, answer_of):
    path = tmp_path / "rates.json"
    path.write_text(text_of(*RATES, "--steps=10", "--json"), encoding="utf-8")
    assert answer_of("epsilon", "--scenario", path)["notes"] == []


def test_an_epoch_of_one_bag_is_one_of_windows(text_of):
    flat = [*EPSILON[:-1], "--epochs=2", "--flat", "--forecast-noise=1"]
    table = text_of(*flat)
    assert "note: an epoch of one bag is a pass over all 6,400 windows (200 steps)" in table
    assert "protected: any single value of one series" in table


def test_a_missed_tolerance_is_said(text_of):
    shape = ["--num-series=1000000", "--series-length=17544", "--context-length=168"]
    rest = ["--forecast-length=24", "--batch-size=5", "--noise-multiplier=1", "--steps=2000000"]
    assert "wider than the 0.1 % aimed at)" in text_of("epsilon", *shape, *rest, "--delta=1e-6")


def test_a_bag_counts_the_windows_of_all_series_of_a_person(text_of):
    table = text_of(*EPSILON, "--flat", "--series-per-person=3")
    assert "of all 6,400 windows (rho = 0.005), of which one individual is in up to 6\n" in table
    lengths = [SHAPE[0], "--series-length", 20, 30, *SHAPE[2:]]
    table = text_of("epsilon", *lengths, *EPSILON[5:], "--flat")
    assert "batches of 32 of at least 6,400 windows (rho = 0.005 or less)\n" in table
