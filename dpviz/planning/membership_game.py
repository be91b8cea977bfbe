"""A game to play by hand: was the value in the data, by one noisy gradient?"""

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from dpviz.accounting import composed_curve
from dpviz.guarantees import (
    SUBSTITUTION_SHIFT,
    Bound,
    DominatingPair,
    ShiftedMixturePair,
    Unit,
    guarantee_for,
    sampled_top_level,
)
from dpviz.planning.attacks import privacy_loss
from dpviz.planning.over_steps import under_top_level
from dpviz.planning.proven import Proven
from dpviz.planning.worst_case import WorstCase, unit_cost, unit_draws, worst_case
from dpviz.risk.attack import success
from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.scenario.mechanism import IN_ORDER
from dpviz.settings.attacker import CODE_LENGTH, MOST_ROUNDS

CERTAIN = "certain"
# Beside the seed: no simulated attack has so many parts, so these draws are none of theirs.
_STREAM = 10**9


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round: the noisy gradient along the worst direction, in units of C.

    The best guess is what the attacker says who knows both densities.
    """

    is_present: bool
    output: float
    best_guess: bool


@dataclass(frozen=True, kw_only=True)
class Game:
    """All rounds of a game, and what the theory says of those who play.

    Args:
        kind: whether the value is in every batch, or drawn as in training.
        code: names these rounds: answers to others do not count.
        at_most: no attacker is right more often; both answers are equally likely beforehand.
        at_least: some attacker is right as often; ``None`` where that is not proven.
    """

    kind: str
    code: str
    unit: Unit
    pair: DominatingPair
    rounds: tuple[Round, ...]
    at_most: Proven
    at_least: Proven | None


@dataclass(frozen=True, kw_only=True)
class Score:
    """How many rounds were right so far."""

    rounds: int
    player: int
    best: int


def membership_game(scenario: Scenario, kind: str, seed: int) -> Game:
    """Return the game that a seed gives, of a kind of the setting ``game_kind``.

    ``certain``: each batch has one window with the value, as if nothing was left to chance.

    Raises:
        ScenarioError: see :func:`dpviz.planning.worst_case.worst_case`; or no window shows a
            protected value without noise; or rounds are to be drawn of series in bins.
    """
    if scenario.sampling.is_shuffled:  # a round shows the step that uses the series, for sure
        scenario = under_top_level(scenario, IN_ORDER)
    case = worst_case(scenario)
    if kind != CERTAIN and case.in_order.is_on_epochs:
        raise ScenarioError(
            "top_level", scenario.sampling.top_level, "a round shows one output, not an epoch's"
        )
    if case.in_order.reading.tests:
        raise ScenarioError(
            "context_noise" if scenario.noise.context_noise > 0.0 else "forecast_noise",
            scenario.noise.context_noise or scenario.noise.forecast_noise,
            "it must be 0 here: a round is about windows that show the value",
        )
    sigma = case.pair.noise_multiplier
    rng = np.random.default_rng([seed, _STREAM])
    is_present = rng.integers(2, size=MOST_ROUNDS).astype(bool)
    noise = rng.normal(0.0, sigma, size=MOST_ROUNDS)
    if kind == CERTAIN:
        guarantee = sampled_top_level(
            bottom_rate=1.0, top_rate=1.0, noise_multiplier=sigma, steps=1
        )
        pair: DominatingPair = ShiftedMixturePair(rate=1.0, noise_multiplier=sigma)
        means = np.where(is_present, SUBSTITUTION_SHIFT, 0.0)
    else:
        unit_cost(case.scenario)  # refuses what takes too long
        guarantee, pair = guarantee_for(case.scenario), case.pair
        known = replace(case, attacks=(case.in_order,))
        draws = unit_draws(known, MOST_ROUNDS, rng)
        windows = case.scenario.sampling.num_subsequences
        there, not_there = case.in_order.sums(draws, windows)
        means = np.where(is_present, there, not_there)
    outputs = means + noise
    guesses = privacy_loss(pair, outputs) > 0.0
    return Game(
        kind=kind,
        code=_code(case, kind, seed),
        unit=Unit.STEP if kind == CERTAIN else case.unit,
        pair=pair,
        rounds=tuple(
            Round(is_present=bool(there), output=float(output), best_guess=bool(guess))
            for there, output, guess in zip(is_present, outputs, guesses, strict=True)
        ),
        at_most=_best_chance(guarantee.upper),
        at_least=None if guarantee.lower is None else _best_chance(guarantee.lower),
    )


def score(game: Game, answers: str) -> Score:
    """Return who was right how often in the rounds that are answered with ``y`` or ``n``."""
    played = list(zip(game.rounds, answers, strict=False))
    return Score(
        rounds=len(played),
        player=sum((answer == "y") == one.is_present for one, answer in played),
        best=sum(one.best_guess == one.is_present for one, _ in played),
    )


def _best_chance(bound: Bound) -> Proven:
    """Return how often who sees one unit is right, at most or at least."""
    once = replace(bound, count=1)
    return Proven(bound=once, bracket=success(composed_curve(once)))


def _code(case: WorstCase, kind: str, seed: int) -> str:
    """Return a name of all that decides about the rounds."""
    told = f"{kind} {seed} {to_json(case.scenario)}"
    return hashlib.sha256(told.encode()).hexdigest()[:CODE_LENGTH]
