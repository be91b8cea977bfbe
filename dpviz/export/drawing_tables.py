"""Drawn batches, hits counted and their laws, simulated attacks, and a class, as tables."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz.accounting.buckets import FloatArray
from dpviz.classroom.records import SCORED_ROUNDS, Tally
from dpviz.export.table import Table, cells_of, scenario_line
from dpviz.planning.curves import EPSILON_GRID
from dpviz.planning.drawn_batches import drawn_batch, held
from dpviz.planning.hit_laws import HitLaw, hit_law, likely_counts
from dpviz.planning.placement import placement
from dpviz.planning.simulated_attack import ERROR, TESTED_EPSILONS, TheoryCheck
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario
from dpviz.settings.lessons import CHOICES
from dpviz.wording.batch_drawing import weights_source
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.protected_values import protected_change
from dpviz.wording.theorems import bound_meaning, whole_meaning
from dpviz.wording.theory_check import CONJECTURE

_RAREST = 1e-6  # expected batches; rarer numbers of hits are not listed


def batch_table(scenario: Scenario, seed: int, number: int) -> Table:
    """Return all windows of a batch; its number in the run is from 1."""
    batch = drawn_batch(scenario, seed, number)
    context, forecast = held(placement(scenario.given_shape, scenario.relation), batch)
    return Table(
        title=f"the windows of batch {number}, drawn with seed {seed}",
        about=[f"step {batch.step}, epoch {batch.epoch}, both from 0"],
        meanings={
            "series": "from 0; the protected values lie in series 0",
            "start": "first predicted value of the window, from 0; it reads the context_length "
            "values before it",
            "sensitive_in_context": "1 where the window's context holds a protected value",
            "sensitive_in_forecast": "1 where its forecast does",
        },
        source=[scenario_line(scenario)],
        cells=pd.DataFrame(
            {
                "series": batch.series,
                "start": batch.starts,
                "sensitive_in_context": context.astype(int),
                "sensitive_in_forecast": forecast.astype(int),
            }
        ),
    )


def counted_hits_table(
    scenario: Scenario, seed: int, counted: Sequence[tuple[str, IntArray]]
) -> Table:
    """Return in how many batches there were 0, 1, 2, ... hits, beside the theory.

    ``counted`` are what was counted over, and the numbers of batches, shape (counts,).
    """
    law = hit_law(scenario)
    place = "steps that use the series" if law.in_its_step else "batches"
    tables = []
    for name, counts in counted:
        total, listed = int(counts.sum()), max(len(counts), len(law.weights))
        number, chance, low, high = (
            np.pad(values, (0, listed - len(values)))
            for values in (counts, law.weights, *likely_counts(total, law.weights))
        )
        cells = pd.DataFrame(
            {
                "counted_over": name,
                "hits": np.arange(listed),
                "counted": number,
                "of": total,
                "probability": chance,
                "likely_low": low.astype(int),
                "likely_high": high.astype(int),
            }
        )
        tables.append(cells[(number > 0) | (chance * max(total, 1) >= _RAREST)])
    return Table(
        title=f"{place} by their number of windows with a protected value, drawn with seed {seed}",
        meanings={
            "counted_over": f"which {place}",
            "hits": "windows of one batch with a protected value",
            "counted": f"{place} with so many",
            "of": f"all {place} that were counted over",
            "probability": f"by {weights_source(scenario)}",
            "likely_low, likely_high": "at least 95 of 100 such runs count a number between these",
        },
        source=[scenario_line(scenario)],
        cells=pd.concat(tables, ignore_index=True),
    )


def hits_table(
    named: Sequence[tuple[int | str, HitLaw]],
    column: str = "sampling",
    meaning: str = "how a batch is drawn",
) -> Table:
    """Return the probabilities of hits in one batch, for laws with names."""
    in_its_step = named[0][1].in_its_step
    place = "the step of a pass that uses the series" if in_its_step else "one batch"
    rows = [
        {column: name, "hits": hits, "probability": weight}
        for name, law in named
        for hits, weight in enumerate(law.weights.tolist())
        if weight > 0.0
    ]
    return Table(
        title=f"drawn windows that contain what is protected, in {place}",
        meanings={
            column: meaning,
            "hits": "number of such windows",
            "probability": "of so many; numbers of hits that are too rare are not listed",
        },
        cells=pd.DataFrame(rows),
    )


def theory_table(check: TheoryCheck, seed: int) -> Table:
    """Return simulated attacks beside the bounds."""
    curves = check.curves
    upper, lower = curves.upper.bound, curves.lower
    attained = f"attains {check.case.theorem}"
    dotted: dict[str, FloatArray] = {}
    if check.conjecture is not None:
        tested = np.isin(EPSILON_GRID, TESTED_EPSILONS)
        dotted = {"conjecture_not_a_promise": check.conjecture[tested]}
    return Table(
        title=f"simulated attacks beside the bounds, {check.runs} runs with seed {seed}",
        about=[f"the change: {protected_change(curves.scenario, upper)}"],
        meanings={
            "epsilon": "tested privacy loss in nats",
            "delta_upper": whole_meaning(upper),
            "delta_lower": "none proven"
            if lower is None
            else f"{bound_meaning(lower.of_curve)}; attained",
            "simulated": f"delta of the simulated attack ({attained}), without bias",
            "simulated_low, simulated_high": "all rows' ranges hold together with "
            f"{1.0 - ERROR:.0%} confidence",
        }
        | dict.fromkeys(dotted, f"{CONJECTURE}: two directions alone, chosen anew"),
        source=[scenario_line(curves.scenario)],
        cells=pd.DataFrame(
            {
                "epsilon": TESTED_EPSILONS,
                "delta_upper": check.upper,
                "delta_lower": np.nan if check.lower is None else check.lower,
                "simulated": check.band.estimate,
                "simulated_low": check.band.low,
                "simulated_high": check.band.high,
            }
            | dotted
        ),
    )


_VOTES = {
    "lesson": "the question, or the game",
    "vote": "1, and 2 and so on where the class voted again; who did not keeps the last",
    "answer": "its words, or the number of right answers",
    "is_true": "whether the lesson says so",
    "count": "of participants",
}
_GAME = f"right answers in the first {SCORED_ROUNDS} rounds of the game"


def class_table(code: str, tallies: Mapping[str, Tally], scores: Sequence[int]) -> Table:
    """Return the votes on each question, round by round, and the scores of the game."""
    rows = list[tuple[object, ...]]()
    for name, tally in tallies.items():
        lesson = LESSONS_BY_NAME[name]
        for at, counts in enumerate(tally.counts if tally.voted else (), start=1):
            for choice in CHOICES:
                words, is_true = lesson.text.choices[choice], choice == lesson.right
                rows.append((lesson.label, at, words, is_true, counts.get(choice, 0)))
    rows += [(_GAME, "", right, "", scores.count(right)) for right in sorted({*scores})]
    title = f"what class {code} answered"
    return Table(title=title, cells=cells_of(rows, _VOTES), meanings=_VOTES)
