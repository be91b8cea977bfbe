"""Which lengths of a variable-length data set can attain the worst case."""

from collections.abc import Iterable

from dpviz.scenario.data import MOST_LENGTHS, DataShape
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.relation import Relation


def worst_case_lengths(
    lengths: Iterable[int],
    *,
    num_series: int,
    context_length: int,
    forecast_length: int,
    relation: Relation,
) -> DataShape:
    """Return the data shape that keeps only the lengths that can attain the worst case.

    With T = L - L_F + 1 start positions and c = the windows one individual touches in a very
    long series, the bounds for bottom-level sampling with replacement grow with
    min(c, T) / T, so the shortest series decides (Schuchardt et al., App. I.1). For Poisson
    sampling and for noise on context or labels no order among the series with T < c is
    proven, so all of these are kept; among those with T >= c the shortest is the worst.

    Args:
        lengths: the length of every series, or the distinct lengths, in time steps.
        num_series: N, the number of series.
        context_length: L_C.
        forecast_length: L_F.
        relation: who is protected.

    Raises:
        ScenarioError: there is no length, a length is too short to be forecast, or more
            lengths than a scenario holds could be the worst.

    >>> shape = worst_case_lengths([126, 68, 69, 69], num_series=4, context_length=36,
    ...                            forecast_length=18, relation=Relation())
    >>> shape.series_lengths, shape.longer_series_beyond
    ((68, 69, 126), None)
    >>> worst_case_lengths([126, 68, 69], num_series=3, context_length=12,
    ...                    forecast_length=6, relation=Relation()).series_lengths
    (68,)
    """
    distinct = sorted(set(lengths))
    if not distinct:
        raise ScenarioError("series_length", (), "there must be at least one series")
    factor = relation.width
    window = context_length + forecast_length
    reach = window + factor - 1 if relation.level == "event" else window * factor
    shorter = [length for length in distinct if length - forecast_length + 1 < reach]
    longer = distinct[len(shorter) :]
    kept = shorter + longer[:1]
    if len(kept) > MOST_LENGTHS:
        # Rounding a length down only adds to the worst case, for sampling with replacement;
        # no such order is known for the other schemes, so there is no honest way to thin out.
        raise ScenarioError(
            "series_length",
            f"{len(kept)} different lengths",
            f"at most {MOST_LENGTHS} lengths shorter than the {reach:,} windows that one "
            "individual touches are kept: shorten the windows, or cut the series to fewer lengths",
        )
    return DataShape(
        num_series=num_series,
        series_lengths=tuple(kept),
        context_length=context_length,
        forecast_length=forecast_length,
        longer_series_beyond=reach if len(kept) < len(distinct) else None,
    )
