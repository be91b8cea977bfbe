"""What is said of a file's series beside a plan."""

from dpviz.series_file import SeriesLengths
from dpviz.wording.file_shape import longer_than_shortest, too_short_to_train
from tests.scenario.changes import TRAFFIC


def of(*lengths: int) -> SeriesLengths:
    return SeriesLengths(lengths=lengths, layout="long")


def test_series_are_left_out_only_where_others_stay():
    assert "Leave it out of the file, or plan for L_F ≤ 13." in too_short_to_train(
        TRAFFIC, of(40, 900, 900), 3
    )
    assert too_short_to_train(TRAFFIC, of(60, 60), 3).endswith("Plan for L_F ≤ 20.")
    assert too_short_to_train(TRAFFIC, of(2, 2), 3).endswith("kept from training.")
    assert too_short_to_train(TRAFFIC, of(72, 900), 3) == ""


def test_the_shortest_series_that_is_forecast_is_named():
    chosen = {"context_length": 168, "forecast_length": 24}
    assert longer_than_shortest(chosen, of(5, 600)) == ""  # it is left out
    assert "the shortest series (40), which" in longer_than_shortest(chosen, of(5, 40, 600))
