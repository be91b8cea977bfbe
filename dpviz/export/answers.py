"""Answers of the accountant as plain data for scripts, each number with its meaning."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpviz.accounting import Account, Bracket, Curve, account_for, composed_curve
from dpviz.accounting.closer_upper import closer_bound, closer_upper
from dpviz.guarantees import Bound, Kind, guarantee_for, one_batch_an_epoch
from dpviz.multistage import (
    StagedDraw,
    TreeDraw,
    amplified,
    printed_amplified,
    printed_claim,
    staged_guarantee,
)
from dpviz.planning.calibrate import closer_noise_progress
from dpviz.planning.ledger import Ledger
from dpviz.planning.multistage import staged_curve
from dpviz.planning.target import Target
from dpviz.release import Calibration
from dpviz.risk import advantage, attained_true_positive_rate, gaussian_dp_mu, true_positive_rate
from dpviz.scenario import Scenario, to_fields
from dpviz.scenario.levels import levels_text
from dpviz.scenario.release_settings import OWN_SETTINGS
from dpviz.wording import release as told
from dpviz.wording.ledger import ADAPTIVITY, OF_ALL, OF_ONE, SAME_VALUES
from dpviz.wording.multistage import PROTECTED
from dpviz.wording.numbers import counted
from dpviz.wording.scope import protected_in, relation_name

Answer = dict[str, Any]
OF_AN_ATTACK = "the attack that is computed; the bound itself may be larger"


def epsilon_answer(account: Account, deltas: Sequence[float]) -> Answer:
    """Return epsilon for each delta, under the account's upper and lower bound.

    >>> from dpviz.scenario import PRESETS
    >>> answer = epsilon_answer(account_for(PRESETS["toy"].scenario), [1e-7])
    >>> answer["composition"], round(answer["upper"]["epsilon"][0], 1)
    ({'unit': 'step', 'count': 1000}, 19.0)
    """

    def side(curve: Curve) -> Answer:
        answer = _epsilons(curve, deltas)
        both = zip(deltas, answer["epsilon"], strict=True)
        lacking = [repr(delta) for delta, epsilon in both if epsilon is None]
        reason = f"no finite epsilon is certified at delta {', '.join(lacking)}"
        return answer | ({"reason": reason} if lacking else {})

    return _answer(account, side, lambda curve: [curve.bound_at(delta) for delta in deltas])


def closer_answer(account: Account, deltas: Sequence[float]) -> Answer | None:
    """Return epsilon for each delta under Proposition 23; ``None`` where that does not apply.

    It is ``None`` at a delta where it is not smaller than the account's upper bound. A bracket has
    what the worst gradients tell: from the account's lower bound to this one.
    """
    bound = closer_bound(account.upper.bound)
    if bound is None:
        return None
    pairs: list[list[float | None]] = []
    for delta in deltas:
        closer = closer_upper(account.upper.bound, delta)
        low = None if account.lower is None else account.lower.epsilon_at(delta).low
        pairs.append([low, None if closer is None else closer.epsilon_at(delta).high])
    highs = [high for _, high in pairs]
    return _named(bound) | {"epsilon": highs, "delta": list(deltas), "bracket": pairs}


def closer_noise_answer(planned: Scenario, target: Target) -> Answer | None:
    """Return less noise by which Proposition 23 proves a target; ``None`` where it does not apply.

    The noise multiplier is ``None`` where it is not less. A bracket has what the worst gradients
    tell at that noise: from the lower bound to this one; ``upper_epsilon`` is by the theorem that
    all else rests on, by which the noise of ``planned`` meets the target.
    """
    bound = closer_bound(guarantee_for(planned).upper)
    if bound is None:
        return None
    *_, (_, less) = closer_noise_progress(planned, target)
    answer = _named(bound)
    if less is None:
        return answer | {"noise_multiplier": None}
    delta, account = target.delta, account_for(less.scenario)
    low = None if account.lower is None else account.lower.epsilon_at(delta).low
    high = less.curve.quoted_epsilon_at(delta)
    return answer | {
        "noise_multiplier": less.scenario.noise.noise_multiplier,
        "epsilon": [high],
        "delta": [delta],
        "bracket": [[low, high]],
        "upper_epsilon": [less.classical.quoted_epsilon_at(delta)],
    }


def one_batch_answer(account: Account, deltas: Sequence[float]) -> Answer | None:
    """Return epsilon for each delta where each series is in one batch of every epoch.

    By Proposition 24 for balls into bins, from below by Proposition 25 for shuffled series.
    ``None`` where these do not apply.

    >>> from dpviz.scenario import PRESETS
    >>> answer = one_batch_answer(account_for(PRESETS["toy"].scenario), [1e-7])
    >>> round(answer["bins"]["upper"]["epsilon"][0]), answer["shuffled"]["upper"]
    (5, None)
    """
    found = one_batch_an_epoch(account.scenario)
    if found is None:
        return None

    def side(bound: Bound | None) -> Answer | None:
        if bound is None:
            return None
        curve = composed_curve(bound, at_delta=deltas[0])
        return _named(bound) | _composition(bound) | _epsilons(curve, deltas)

    return {
        "batches": account.scenario.steps_per_epoch,
        "bins": {"upper": side(found.bins.upper), "lower": side(found.bins.lower)},
        "shuffled": {"upper": None, "lower": side(found.shuffled)},
    }


def delta_answer(account: Account, epsilons: Sequence[float]) -> Answer:
    """Return delta for each epsilon, under the account's upper and lower bound."""
    return _answer(
        account,
        lambda curve: deltas_at(curve, epsilons),
        lambda curve: [curve.bound_at_epsilon(epsilon) for epsilon in epsilons],
    )


def deltas_at(curve: Curve, epsilons: Sequence[float]) -> Answer:
    """Return what a curve quotes at each epsilon, with its bracket."""
    brackets = curve.delta_at(np.asarray(epsilons, dtype=np.float64))
    quoted = brackets.high if curve.quotes_high else brackets.low
    return {
        "epsilon": list(epsilons),
        "delta": quoted.tolist(),
        "bracket": np.stack([brackets.low, brackets.high], axis=-1).tolist(),
    }


def _epsilons(curve: Curve, deltas: Sequence[float]) -> Answer:
    return {
        "epsilon": [curve.quoted_epsilon_at(delta) for delta in deltas],
        "delta": list(deltas),
        "bracket": _pairs([curve.epsilon_at(delta) for delta in deltas]),
    }


def risk_answer(account: Account, false_positive_rates: Sequence[float]) -> Answer:
    """Return what attackers achieve: at most under the upper bound, at least under the lower one.

    >>> from dpviz.planning.attack_rates import risk_account
    >>> from dpviz.scenario import PRESETS
    >>> answer = risk_answer(risk_account(PRESETS["toy"].scenario), [0.01])
    >>> [round(answer[side]["true_positive_rate"][0], 3) for side in ("lower", "upper")]
    [0.275, 0.414]
    """

    def side(curve: Curve) -> Answer:
        reach = true_positive_rate if curve.quotes_high else attained_true_positive_rate
        brackets = [reach(curve, rate) for rate in false_positive_rates]
        more, mu = advantage(curve), gaussian_dp_mu(curve.bound)
        quoted = [one.high if curve.quotes_high else one.low for one in (*brackets, more)]
        return {
            "false_positive_rate": list(false_positive_rates),
            "true_positive_rate": quoted[:-1],
            "bracket": _pairs(brackets),
            "advantage": quoted[-1],
            "advantage_bracket": [more.low, more.high],
        } | ({} if mu is None else {"gaussian_dp_mu": mu})

    return _answer(account, side, lambda curve: [curve.bound])


def _answer(
    account: Account, side: Callable[[Curve], Answer], by: Callable[[Curve], list[Bound]]
) -> Answer:
    """Return both sides, with the bound that gives their numbers, or all of them in that order."""

    def told(curve: Curve) -> Answer:
        bounds = by(curve)
        theorems = [bound.theorem for bound in bounds]
        is_of_one = len({*theorems}) == 1
        bound = bounds[0] if is_of_one else curve.bound
        words = {
            "extension": bound.extension,
            "condition": bound.condition,
            "bracket_of": _bracket_of(bounds),
        }
        meaning = _named(bound) | _composition(bound) | {"tight_per_unit": bound.kind is Kind.TIGHT}
        meaning |= {} if is_of_one else {"theorems": theorems}
        return meaning | {name: text for name, text in words.items() if text} | side(curve)

    return {
        "scenario": to_fields(account.scenario),
        **_composition(account.upper.bound),
        "upper": told(account.upper),
        "lower": None if account.lower is None else told(account.lower),
    }


def _named(bound: Bound) -> Answer:
    return {"theorem": bound.theorem, "kind": bound.kind_after_composition.value}


def _bracket_of(bounds: Sequence[Bound]) -> str:
    return OF_AN_ATTACK if any(bound.is_of_an_attack for bound in bounds) else ""


def _composition(bound: Bound) -> Answer:
    return {"composition": {"unit": bound.unit.value, "count": bound.count}}


def _pairs(brackets: Sequence[Bracket]) -> list[list[float | None]]:
    return [[bracket.low, bracket.high] for bracket in brackets]


def ledger_answer(ledgers: Sequence[Ledger]) -> Answer:
    """Return what is proven about one ledger at some deltas, as JSON holds it."""
    first = ledgers[0]
    scenario = first.rows[0].scenario
    lower: Answer | None = None
    if first.lower is not None:
        of_all = all(found.lower_is_of_all for found in ledgers)
        by = [[*dict.fromkeys(bound.theorem for bound in one.lower_bounds)] for one in ledgers]
        lower = {
            "epsilon": [found.lower.low if found.lower else None for found in ledgers],
            "bracket": _pairs([found.lower for found in ledgers if found.lower]),
            "of": OF_ALL if of_all else OF_ONE,
            "theorems": [*dict.fromkeys(theorem for one in by for theorem in one)],
            "theorems_by_delta": by,
        }
        if attack := _bracket_of([bound for one in ledgers for bound in one.lower_bounds]):
            lower["bracket_of"] = attack
        if of_all and len(first.rows) > 1:
            lower["only_if"] = SAME_VALUES
    return {
        "protects": f"{protected_in(scenario)}; {relation_name(scenario.relation)}",
        "conditions": list(first.conditions),
        "adaptivity": ADAPTIVITY,
        "delta": [found.delta for found in ledgers],
        "upper": {
            "epsilon": [found.upper.high for found in ledgers],
            "bracket": _pairs([found.upper for found in ledgers]),
        },
        "lower": lower,
        "runs": [
            {
                "name": rows[0].name,
                "scenario": to_fields(rows[0].scenario),
                **_named(bound),
                "extension": bound.extension,
                "condition": bound.condition,
                "unit": bound.unit.value,
                "count": bound.count,
                "epsilon_alone": [one.alone.quoted for one in rows],
                "epsilon_of_all_others": [one.without for one in rows],
                "share_of_loss_variance": [one.share for one in rows],
            }
            for rows in zip(*(found.rows for found in ledgers), strict=True)
            for bound in [rows[0].bound]
        ],
    }


PROTECTS = f"{PROTECTED}; all numbers of units are public"
PRINTED_PROTECTS = "as printed: one record that is added or removed"
UNSOUND = (
    "NOT A BOUND: false where fixed numbers are drawn, since another record takes the place of "
    "one that is removed (docs/multistage.md)"
)
ROUNDED_UP = "delta is the upper end of its bracket: never below what exact arithmetic gives"
_NOT_AMPLIFIED = (
    "a drawn unit of level {} gives several records: the levels down to it amplify delta only"
)
_OF_SMALLEST = (
    "where units differ in size, and the smallest stand for all, only the upper bound holds, and "
    "is not tight"
)


def staged_answer(
    draw: StagedDraw,
    noise_multiplier: float,
    episodes: int,
    reading: str,
    epsilons: Sequence[float],
) -> dict[str, Any]:
    """Return delta of composed episodes at each epsilon, read as ``sound`` or ``printed``.

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
        return answer | {"notes": [UNSOUND, ROUNDED_UP]}
    assert guarantee.lower is not None
    notes = [ROUNDED_UP] + ([] if draw.hides_units else [_NOT_AMPLIFIED.format(draw.hidden_from)])
    if not isinstance(draw, TreeDraw) and len(draw.levels) > 1:
        notes.append(_OF_SMALLEST)
    return answer | {"lower": _side(guarantee.lower, epsilons), "notes": notes}


def _side(bound: Bound, epsilons: Sequence[float]) -> dict[str, Any]:
    kind = bound.kind_after_composition
    return {
        "theorem": bound.theorem,
        "kind": "claim" if kind is Kind.UNPROVEN else kind.value,
        **deltas_at(staged_curve(bound), epsilons),
    }


_OF_A_SEED = "none for values from a seed, a simulation; without one: "
# Times as many steps as were planned for, of somebody who is told what still holds for them: an
# upper bound on epsilon, at the same delta and by the best accounting that there is.
MORE_OFTEN = (1, 2, 4)


def release_answer(calibration: Calibration, *, has_seed: bool = False) -> dict[str, Any]:
    """Return the noise of a release, with all that it means.

    >>> from dpviz.release import ReleaseSettings, calibrated
    >>> settings = ReleaseSettings(length=1800, participation=180)
    >>> answer = release_answer(calibrated(settings, "subsample", "exact"))
    >>> round(answer["noise"], 2), answer["is_tight"]
    (26.09, True)
    >>> answer["steps_if_more_often"]
    {'1': 180, '2': 360, '4': 720}
    """
    settings = calibration.settings
    # Nobody is in more steps than there are: who would be is in every one of them.
    steps = {
        str(times): min(times * settings.participation, settings.length) for times in MORE_OFTEN
    }
    epsilons = {times: calibration.epsilon_at(most) for times, most in steps.items()}
    return {
        "noise": calibration.noise,
        "noise_unit": f"standard deviation in counts, {told.noised(calibration)}",
        "mechanism": calibration.mechanism,
        "accounting": calibration.accounting,
        "length": settings.length,
        "participation": settings.participation,
        "times_per_step": settings.times_per_step,
        **{field: getattr(settings, field) for field in OWN_SETTINGS[calibration.mechanism]},
        "epsilon": settings.epsilon,
        "delta": settings.delta,
        "protects": told.unit_of(calibration),
        "unit": f"one individual in at most {counted(settings.participation, 'time step')}"
        + told.times_each(calibration),
        "relation": "with or without the individual",
        "theorem": told.theorem_of(calibration),
        "bound": (_OF_A_SEED if has_seed else "") + told.kind_of(calibration),
        # Who knows the seed takes the noise off.
        "is_guarantee": not has_seed,
        "is_tight": calibration.is_tight,
        "is_extension": calibration.is_extension,
        "known_delta": calibration.delta_at(settings.epsilon),
        "epsilon_if_more_often": {
            times: epsilon if epsilon < float("inf") else None
            for times, epsilon in epsilons.items()
        },
        "steps_if_more_often": steps,
        "assumptions": told.assumptions(calibration, has_seed=has_seed),
    }
