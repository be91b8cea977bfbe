"""The chart of one pass over the data: which series is in which of its steps."""

import numpy as np

from dpviz.figures.batch_rows import BATCH_PALETTE
from dpviz.figures.spec import Spec
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, EpochPartition
from dpviz.wording.batch_drawing import partition_title

_MOST_POINTS = 1500


def epoch_partition_chart(partition: EpochPartition) -> Spec:
    """Return the chart: series across, steps of the epoch up; the sensitive series stands out.

    Of very many series some are drawn, evenly spread.
    """
    own = partition.series == SENSITIVE_SERIES
    at = np.flatnonzero(~own)
    at = at[:: max(1, -(-len(at) // _MOST_POINTS))]
    points = {
        "type": "scatter",
        "mode": "markers",
        "hovertemplate": "series %{x:,} is in step %{y:,} of the epoch<extra></extra>",
    }
    return {
        "data": [
            points
            | {
                "uid": "others",
                "name": "other series",
                "marker": {"color": "var(--series-0)", "symbol": "square", "size": 4},
                "x": (partition.series[at] + 1).tolist(),
                "y": (partition.step_in_epoch[at] + 1).tolist(),
            },
            points
            | {
                "uid": "own",
                "name": "series with a sensitive value",
                "marker": {"color": "var(--sensitive)", "symbol": "diamond", "size": 12},
                "x": (partition.series[own] + 1).tolist(),
                "y": (partition.step_in_epoch[own] + 1).tolist(),
            },
        ],
        "layout": {
            "title": {"text": partition_title(partition)},
            "template": "none",
            "meta": {"palette": BATCH_PALETTE, "legend": "under"},
            "uirevision": f"partition {partition.num_series} {partition.steps}",
            "hovermode": "closest",
            "showlegend": True,
            "xaxis": {
                "title": {"text": "series"},
                "range": [0.5 - 0.02 * partition.num_series, 1.02 * partition.num_series + 0.5],
                "tickformat": ",d",
                "showgrid": False,
            },
            "yaxis": {
                "title": {"text": "step of the epoch"},
                "range": [partition.drawn_steps + 0.8, 0.2],
                "tickformat": ",d",
            },
        },
    }
