"""What is proven, or printed, about episodes drawn in stages, as plain data for scripts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.accounting import composed_curve
from dpviz.guarantees import Bound, Kind
from dpviz.multistage import (
    StagedDraw,
    amplified,
    printed_amplified,
    printed_claim,
    staged_guarantee,
)
from dpviz.scenario.levels import levels_text

PROTECTS = "one record: another one may stand in its place; all numbers of units are public"
PRINTED_PROTECTS = "as printed: one record that is added or removed"
UNSOUND = (
    "NOT A BOUND: false where fixed numbers are drawn, since another record takes the place of "
    "one that is removed (docs/multistage.md)"
)
ROUNDED_UP = "delta is the upper end of its bracket: never below the exact value of this bound"
# Aimed at in epsilon: a hundredth of what pages need, as it still takes a tenth of a second.
_TOLERANCE = 1e-5
_NOT_AMPLIFIED = "a drawn unit gives several records: the levels above it amplify delta only"


def staged_answer(
    draw: StagedDraw,
    noise_multiplier: float,
    episodes: int,
    reading: str,
    epsilons: Sequence[float],
) -> dict[str, Any]:
    """Return delta of composed episodes at each epsilon, with all that it means.

    Args:
        draw: the levels.
        noise_multiplier: sigma, in units of the clipping norm.
        episodes: how many are composed.
        reading: one of ``dpviz.multistage.READINGS``.
        epsilons: in nats.

    >>> from dpviz.scenario.levels import levels_in
    >>> draw = StagedDraw(levels=levels_in("levels", "1:2"))
    >>> answer = staged_answer(draw, 1.0, 1, "printed", [0.62011])
    >>> answer["rate"], round(answer["delta"][0], 4), answer["is_sound"]
    (0.5, 0.0635, False)
    """
    is_printed = reading == "printed"
    guarantee = staged_guarantee(draw, noise_multiplier, episodes)
    bound = printed_claim(draw, noise_multiplier, episodes) if is_printed else guarantee.upper
    one = printed_amplified if is_printed else amplified
    pairs = [one(draw, noise_multiplier, epsilon) for epsilon in epsilons]
    answer = {
        "levels": levels_text(draw.levels),
        "rate": draw.rate,
        "noise_multiplier": noise_multiplier,
        "reading": reading,
        "is_sound": not is_printed,
        **_side(bound, epsilons),
        "composition": {"unit": "episode", "count": episodes},
        "protects": PRINTED_PROTECTS if is_printed else PROTECTS,
        "relation": "insertion or removal" if is_printed else "substitution of one record",
        "sensitivity": bound.pair.shift,  # type: ignore[union-attr]
        "one_episode": {
            "epsilon": list(epsilons),
            "amplified_epsilon": [pair.epsilon for pair in pairs],
            "amplified_delta": [pair.delta for pair in pairs],
        },
        "lower": None,
    }
    if is_printed:
        return answer | {"notes": [UNSOUND]}
    assert guarantee.lower is not None
    notes = [ROUNDED_UP] + ([] if draw.hides_units else [_NOT_AMPLIFIED])
    return answer | {"lower": _side(guarantee.lower, epsilons), "notes": notes}


def _side(bound: Bound, epsilons: Sequence[float]) -> dict[str, Any]:
    curve = composed_curve(bound, tolerance=_TOLERANCE)
    brackets = curve.delta_at(np.asarray(epsilons, dtype=np.float64))
    quoted = brackets.high if curve.quotes_high else brackets.low
    kind = bound.kind_after_composition
    return {
        "theorem": bound.theorem,
        "kind": "claim" if kind is Kind.UNPROVEN else kind.value,
        "epsilon": list(epsilons),
        "delta": quoted.tolist(),
        "bracket": np.stack([brackets.low, brackets.high], axis=-1).tolist(),
    }
