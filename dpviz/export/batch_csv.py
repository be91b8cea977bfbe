"""A drawn batch, and hits counted over many, as CSV with a header that explains the columns."""

import io
from collections.abc import Sequence

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, drawn_batch, holds
from dpviz.planning.hit_laws import batch_law, likely_counts
from dpviz.planning.placement import placement
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario
from dpviz.wording.batch_drawing import weights_source


def batch_csv(scenario: Scenario, seed: int, number: int) -> str:
    """Return all windows of a batch as CSV text; lines that begin with # describe it.

    Args:
        scenario: what batches are drawn for; its data must be a ``DataShape``.
        seed: of the run.
        number: of the batch in the run, from 1.

    >>> from dpviz.scenario import PRESETS
    >>> len(batch_csv(PRESETS["toy"].scenario, 1, 7).splitlines())
    40
    """
    batch = drawn_batch(scenario, seed, number)
    assert scenario.shape is not None  # the samplers have looked
    context, forecast = holds(placement(scenario.shape, scenario.relation), batch.starts)
    own = batch.series == SENSITIVE_SERIES
    table = pd.DataFrame(
        {
            "series": batch.series,
            "start": batch.starts,
            "sensitive_in_context": (own & context).astype(int),
            "sensitive_in_forecast": (own & forecast).astype(int),
        }
    )
    lines = [
        f"dpviz {dpviz.__version__}: the windows of batch {number}, drawn with seed {seed}",
        f"step {batch.step}, epoch {batch.epoch}, both from 0",
        "series: from 0; the sensitive values lie in series 0",
        "start: first predicted value of the window, from 0; it reads the context_length values "
        "before it",
        "sensitive_in_context: 1 where the window's context holds a sensitive value",
        "sensitive_in_forecast: 1 where its forecast does",
        f"scenario: {json_in_csv(scenario)}",
    ]
    return _csv(lines, table)


def hit_counts_over_csv(
    scenario: Scenario, seed: int, counted: Sequence[tuple[str, IntArray]]
) -> str:
    """Return in how many batches there were 0, 1, 2, ... hits, beside the theory, as CSV text.

    Args:
        scenario: what batches were drawn for.
        seed: of the run.
        counted: what was counted over, and the numbers of batches, shape (counts,).
    """
    law = batch_law(scenario)
    place = "steps that use the series" if law.in_its_step else "batches"
    lines = [
        f"dpviz {dpviz.__version__}: {place} by their number of windows with a sensitive value, "
        f"drawn with seed {seed}",
        f"counted_over: which {place}",
        "hits: windows of one batch with a sensitive value",
        f"counted: {place} with so many",
        f"of: all {place} that were counted over",
        f"probability: by {weights_source(scenario)}",
        "likely_low, likely_high: at least 95 of 100 such runs count a number between these",
        f"scenario: {json_in_csv(scenario)}",
    ]
    rows = []
    for name, counts in counted:
        total = int(counts.sum())
        for hits in range(max(len(counts), len(law.weights))):
            number = int(counts[hits]) if hits < len(counts) else 0
            chance = law.exactly(hits)
            if number == 0 and chance * max(total, 1) < _RAREST:
                continue
            low, high = likely_counts(total, law.weights[hits : hits + 1])
            rows.append(
                {
                    "counted_over": name,
                    "hits": hits,
                    "counted": number,
                    "of": total,
                    "probability": chance,
                    "likely_low": int(low[0]) if len(low) else 0,
                    "likely_high": int(high[0]) if len(high) else 0,
                }
            )
    return _csv(lines, pd.DataFrame(rows))


_RAREST = 1e-6  # expected batches; rarer numbers of hits are not listed


def _csv(lines: Sequence[str], table: pd.DataFrame) -> str:
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
