"""The shape of what is trained on, which privacy is accounted for."""

from dpviz.scenario import DataShape, Relation, ScenarioError, worst_case_lengths
from dpviz.training.panel import Panel


def training_shape(
    training: Panel, context_length: int, forecast_length: int, relation: Relation | None = None
) -> DataShape:
    """Return number and lengths of the series of a split's training part, as a scenario has them.

    Args:
        training: the part of a panel that is trained on.
        context_length: L_C.
        forecast_length: L_F.
        relation: who is protected; decides which of several lengths can be the worst.

    Raises:
        ScenarioError: a length is out of range.

    >>> panel = Panel(series=([1, 2, 3, 4], [5, 6, 7, 8]), names=("a", "b"), period=1)
    >>> training_shape(panel, 2, 1).series_lengths
    (4,)
    """
    return worst_case_lengths(
        training.lengths,
        num_series=len(training),
        context_length=context_length,
        forecast_length=forecast_length,
        relation=relation or Relation(),
    )


def check_shape(training: Panel, shape: DataShape) -> None:
    """Refuse a panel that a scenario's numbers would not be true of.

    That its lengths are covered is checked where batches are drawn.

    Raises:
        ScenarioError: names ``num_series``.
    """
    if len(training) != shape.num_series:
        raise ScenarioError(
            "num_series", shape.num_series, f"the data have {len(training):,} series"
        )
