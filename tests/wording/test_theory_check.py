"""Attackers in words: what was simulated, and how often they are right at most."""

from dataclasses import replace

import pytest

from dpviz.figures.delta_lines import theory_check_chart
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attack_rates, pair_hits
from dpviz.planning.membership_game import membership_game, score
from dpviz.planning.simulated_attack import TESTED_EPSILONS
from dpviz.risk import posterior_at_loss, posterior_of_claim
from dpviz.scenario import PRESETS, Noise
from dpviz.wording.attack_rates import (
    Told,
    advantage_sentence,
    lossy_sentence,
    posterior_text,
    rates_table,
)
from dpviz.wording.membership_game import (
    game_finding,
    game_title,
    question,
    revealed,
    score_table,
    who_is_looked_for,
)
from dpviz.wording.numbers import rounded
from dpviz.wording.theory_check import (
    bound_names,
    construction,
    fewer_runs_note,
    theory_description,
    theory_headline,
    theory_title,
    verdict,
)
from tests.figures.reading import traces_of
from tests.planning.theory_checks import (
    SCHEMES,
    SMALL,
    check_of,
    scheme_name,
    with_scheme,
    with_sigma,
)
from tests.scenario.changes import varied
from tests.wording.reading import cells_of, numbers_after


def truth_of(game) -> str:
    return "".join("y" if one.is_present else "n" for one in game.rounds)


@pytest.mark.every(2)
@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_every_scheme_is_told_with_theorems_and_limits(scheme):
    check = check_of(with_scheme(scheme), 2, 1000)
    said = theory_headline(check, 0.1)
    unit = "epochs" if scheme["top_level"] in ("deterministic", "shuffled") else "steps"
    assert f"1,000 simulated runs of 2 {unit}" in said
    assert "(95 % confidence, all ε together)" in said
    assert f"composed over 2 {unit}" in said
    assert "changed by any amount" in said
    assert theory_description(check, 0.1).startswith(theory_title(check))
    assert "No simulation proves the upper bound" in verdict(check, 0.1, 1)
    assert "These gradients attain" in construction(check)
    upper, lower = bound_names(check)
    assert bool(lower) == (check.lower is not None)
    lines = traces_of(theory_check_chart(check, 0.1, identity="names"))
    bounds = [lines[uid] for uid in ("upper", "lower") if uid in lines]
    shown = [one["name"] for one in bounds if one["showlegend"]]
    # Of one line the upper bound's entry says both, and who points at the lower one its side.
    assert shown == [upper, *([lower] if lower and ", and attained: " not in upper else [])]
    assert not lower or lines["lower"]["name"].startswith("attained: ")


@pytest.mark.parametrize(
    ("scheme", "noise", "said", "not_said"),
    [
        (
            {"top_level": "deterministic"},
            {"context_noise": 1.0},
            [
                "if it holds the protected value in its labels, which have no noise.",
                "Proposition 6",
            ],
            ["value by value", "best claim"],
        ),
        (
            {"top_level": "poisson"},
            {"context_noise": 1.0, "forecast_noise": 1.0},
            ["Each window with", "0 on other series; in another attack it is +C or −C by what it"],
            ["known sum", "The bound counts"],
        ),
        (
            {"top_level": "shuffled", "num_subsequences": 4},
            {"forecast_noise": 1.0},
            ["in its context, which has no noise", "Other attacks test", "sum of its first 10"],
            ["The bound counts", "better claim"],
        ),
        (
            {"top_level": "flat"},
            {"context_noise": 1.0},
            ["what it says of the 2 or 6 start", "The bound counts each", "Proposition 22"],
            ["−C on all others", "a plane"],
        ),
    ],
)
def test_attacks_on_noised_windows_are_told(scheme, noise, said, not_said):
    noisy = replace(with_scheme(scheme), noise=Noise(noise_multiplier=1.0, **noise))
    told = construction(check_of(noisy, runs=1000))
    assert all(words in told for words in said)
    assert not any(words in told for words in not_said)


def test_an_epoch_of_one_step_has_one_claim():
    one_step = with_scheme({"top_level": "shuffled"}, batch_size=SMALL.given_shape.num_series)
    told = construction(check_of(one_step, runs=1000))
    assert told.endswith("looks at its first output.")


def test_a_refuted_upper_bound_is_said_to_be_so():
    check = check_of(SMALL, runs=10_000, bounds=with_sigma(SMALL, 2.0))
    assert "contradict the upper bound at" in theory_title(check)
    said = verdict(check, 0.1, 7)
    assert "is above the upper bound" in said
    assert "at most one seed in twenty (this is seed 7)" in said
    assert "At none of" not in said


def test_no_epsilon_between_two_is_said_to_refute_a_bound_where_only_these_do():
    check = check_of(SMALL, runs=1000)
    low = check.band.low.copy()
    low[[1, 4]] = 2.0  # more than any probability
    said = verdict(replace(check, band=replace(check.band, low=low)), 0.1, 7)
    ends = [rounded(TESTED_EPSILONS[at], 3) for at in (1, 4)]
    where = f"At 2 of {len(TESTED_EPSILONS)} tested ε, from {ends[0]} to {ends[1]}, the whole band"
    assert f"{where} is above the upper bound" in said
    low[4] = check.band.low[4]
    said = verdict(replace(check, band=replace(check.band, low=low)), 0.1, 7)
    assert f"**At ε = {ends[0]} the whole band is above the upper bound" in said


def test_a_title_says_no_more_than_the_runs_can_test():
    assert theory_title(check_of(SMALL, runs=1000)).endswith("contradict neither bound")
    several = theory_title(check_of(SMALL, 2, 1000))  # the lower bound's attack is another one
    assert several.endswith("do not contradict the upper bound")
    quiet = theory_title(check_of(with_sigma(SMALL, 20.0), runs=1000))
    assert quiet.endswith("cannot test these bounds")


def test_a_lower_bound_of_zero_is_none():
    check = check_of(SMALL, runs=1000)
    lower = check.curves.lower
    nothing = replace(lower, delta_low=0.0 * lower.delta_low)
    curves = replace(check.curves, lower=nothing)
    said = theory_headline(replace(check, curves=curves), 0.1)
    # The bound itself is tight: that nothing is proven from below would contradict it.
    assert "(tight bound, Theorem 4.4 composed over 1 step); no lower bound above 0 is comp" in said
    assert "is proven" not in said
    assert "attain" not in said


def test_a_missed_lower_bound_is_said_to_be_so():
    check = check_of(with_sigma(SMALL, 2.0), runs=10_000, bounds=SMALL)
    assert "fall short of the lower bound at" in theory_title(check)
    said = verdict(check, 0.1, 7)
    assert "is below the lower bound, which this attack should attain" in said
    assert "At none of" not in said


def test_where_too_little_is_seen_a_better_place_is_named():
    check = check_of(SMALL, runs=1000)
    assert "too small for so few runs" in theory_headline(check, 20.0)
    assert "The runs are most informative at another ε. At ε = 0" in verdict(check, 20.0, 1)
    assert "most informative" not in verdict(check, 0.01, 1)
    assert fewer_runs_note(1000, 1000) == ""
    assert fewer_runs_note(5000, 1400).startswith("Only 1,400 of 5,000 runs")


@pytest.mark.parametrize("kind", ["certain", "drawn"])
def test_game_tells_what_was_and_what_the_bounds_allow(kind):
    game = membership_game(SMALL, kind, 4)
    truth = truth_of(game)
    assert revealed(game, "") == ""
    assert "**right**" in revealed(game, truth[:3])
    assert question(game, 3).startswith("**Round 4: ")
    table = score_table(game, score(game, truth[:3]))
    assert (
        "| **you** | 3 of 3 | 100 % | skill: 29.2 % to 100 % (95 %, exact binomial range, for a "
        "number of rounds set beforehand)" in table
    )
    certain = " at ρ = r = 1" if kind == "certain" else ""
    assert f"upper bound, Theorem 4.4{certain}, one step" in table
    assert f"attained lower bound, Theorem 4.4{certain}, one step" in table
    assert game_title(game, 3).endswith(" in the long run. Round 4")
    assert "any single value of one series" in who_is_looked_for(SMALL, game)


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "shuffled"])
def test_only_drawn_rounds_of_walks_are_about_a_step_of_an_epoch(top_level):
    """Else each round is a step of its own, which may use the series or not."""
    scenario = with_scheme({"top_level": top_level})
    drawn, certain = (membership_game(scenario, kind, 4) for kind in ("drawn", "certain"))
    is_walk = scenario.sampling.is_walk
    assert ("of the step of an epoch that uses the series is" in question(drawn, 0)) == is_walk
    assert ("of one step is" in question(drawn, 0)) != is_walk
    assert "of one step is" in question(certain, 0)
    assert drawn.unit == drawn.at_most.bound.unit


def test_findings_follow_the_exact_range():
    game = membership_game(with_scheme(SCHEMES[0]), "drawn", 4)
    truth = truth_of(game)
    wrong = truth.translate(str.maketrans("yn", "ny"))
    assert "fair coin" in game_finding(game, score(game, ""))
    assert "50 % lies within" in game_finding(game, score(game, truth[:2]))
    # Right in each of 50 rounds is more than theory lets anybody reach.
    assert "more than theory allows" in game_finding(game, score(game, truth))
    assert "Worse than tossing a coin" in game_finding(game, score(game, wrong))
    easy = membership_game(with_sigma(SMALL, 0.2), "certain", 4)
    assert "Better than tossing a coin" in game_finding(easy, score(easy, truth_of(easy)[:20]))


TOY = varied(PRESETS["toy"].scenario, steps=50)


def told_of(scenario=TOY, rate=0.01, prior=0.5):
    rates = attack_rates(scenario, rate)
    return Told(rates=rates, curves=curves_of(scenario), rate=rate, prior=prior)


@pytest.mark.parametrize("rate", [0.01, 0.0137, 0.5, 1e-6])
@pytest.mark.parametrize("noise", [0.3, 1.0, 20.0])
def test_upper_sides_are_rounded_up_and_lower_ones_down(noise, rate):
    told = told_of(replace(TOY, noise=Noise(noise_multiplier=noise)), rate=rate)
    most, _ = told.hits
    gain = advantage_sentence(told)
    most_more, least_more = (
        numbers_after(sign, gain)[0] for sign in ("by more than **", "attacker reaches ")
    )
    assert most_more >= min(100.0 * told.rates.upper.advantage.share, 100.0)
    assert least_more <= 100.0 * told.rates.lower.advantage.share
    belief = posterior_text(told)
    claim = posterior_of_claim(0.5, rate, most)
    assert numbers_after("**at most ", belief)[0] >= 100.0 * claim * (1.0 - 1e-12)
    loss = told.rates.largest_loss
    assert numbers_after("at most e^", belief)[0] >= loss
    for anything in numbers_after("makes it more than **", belief):
        assert anything >= 100.0 * posterior_at_loss(0.5, loss)


def test_what_is_as_certain_beforehand_is_not_made_so():
    told = told_of(varied(TOY, noise_multiplier=20.0))
    assert "makes it more than **" in posterior_text(told)
    said = posterior_text(replace(told, prior=0.999999))
    assert "δ = 10⁻⁷ together, the odds grow by at most e^" in said
    loud = posterior_text(told_of(varied(TOY, noise_multiplier=0.3)))
    assert "together, training may still make it **all but certain**: the odds" in loud


def test_a_table_tells_hits_misses_and_the_pair():
    told = told_of(rate=0.001)
    _, _, *rows = cells_of(rates_table(told))
    assert [row[0] for row in rows] == ["0.1 %", "1 %", "10 %"]
    for row in rows:
        least, most, missed, pair = (float(cell.split()[0]) for cell in row[1:])
        assert least <= most <= pair
        assert 99.9 <= most + missed <= 100.1


def test_one_pair_is_called_lossy_only_where_it_is():
    """It is the smaller of its two lines, and never below the curve that it is a point of."""
    told = told_of()
    assert "the whole curve δ(ε), of which it is one point, **" in lossy_sentence(told)
    loud = told_of(replace(PRESETS["toy"].scenario, noise=Noise(noise_multiplier=0.1)))
    assert "no more than the whole curve" in lossy_sentence(loud)
    epsilon = told.curves.epsilon_upper
    assert (pair_hits(epsilon, TOY.delta, told.rates.rates) >= told.rates.upper.hits).all()
