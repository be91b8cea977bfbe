"""Where nearly all outcomes reveal everything no epsilon is promised, and nothing breaks."""

from dataclasses import replace

import pytest

from dpviz.accounting import account_for
from dpviz.scenario import PRESETS, DataShape, Sampling

TOY = PRESETS["toy"].scenario


@pytest.mark.every(4)
@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("context", [15, 127, 255, 1023])
def test_no_epsilon_is_promised_in_a_large_batch_of_few_series(bottom_level, context):
    """Two series, and most of their windows in each of ten batches: 3,000 of at most 4,000."""
    shape = DataShape(
        num_series=2, series_lengths=(2000,), context_length=context, forecast_length=1
    )
    bag = replace(
        TOY,
        data=shape,
        sampling=Sampling(batch_size=3000, top_level="flat", bottom_level=bottom_level),
        training=replace(TOY.training, count=10),
    )
    account = account_for(bag)
    upper = account.upper.quoted_epsilon_at(1e-7)
    lower = account.lower.quoted_epsilon_at(1e-7)
    # Of 16 windows and more that hold a value, each batch has three in four.
    assert upper is None or upper > 100.0
    assert lower is None or upper is None or lower <= upper
