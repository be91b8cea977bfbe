"""What has to hold: only what applies to a run, and where an exported script meets it."""

import pytest

from dpviz.export.training_script import KINDS, training_script
from dpviz.wording.conditions import all_conditions, line_in, training_conditions
from dpviz.wording.texts import without_formulas
from tests.planning.kinds import TOY, sampled
from tests.scenario.changes import varied

NOISY = varied(TOY, noise_multiplier=1.0, forecast_noise=2.0, max_change=1.0)


def keys(*scenarios):
    return list(training_conditions(scenarios))


@pytest.mark.parametrize(
    ("scenario", "own"),
    [
        (TOY, {"windows-drawn", "series-drawn", "attacker", "covered"}),
        (sampled(top_level="poisson"), {"windows-drawn", "series-by-coins", "attacker", "covered"}),
        (sampled(top_level="deterministic"), {
            "windows-drawn", "series-walked", "attacker-of-a-walk", "covered",
        }),
        (sampled(top_level="shuffled", bottom_level="poisson"), {
            "windows-by-coins", "series-shuffled", "attacker-of-a-walk", "covered",
        }),
        (sampled(top_level="bins"), {"windows-drawn", "series-by-bins", "attacker", "covered"}),
        (sampled(top_level="flat"), {"bag-drawn", "attacker", "covered"}),
        (sampled(top_level="flat", bottom_level="poisson"), {
            "bag-by-coins", "attacker", "covered",
        }),
        (varied(TOY, series_per_person=3), {
            "windows-drawn", "series-drawn", "attacker", "covered-several",
        }),
        (NOISY, {"windows-drawn", "series-drawn", "window-noise", "attacker", "covered-in-part"}),
    ],
)  # fmt: skip
def test_a_run_has_the_conditions_of_its_own_scheme_and_no_others(scenario, own):
    of_all = {"clipping", "gradient-noise", "positions", "nothing-else"}
    assert set(keys(scenario)) == of_all | own


def test_compared_runs_have_the_conditions_of_each():
    assert {"series-drawn", "series-walked"} <= set(keys(TOY, sampled(top_level="deterministic")))


def test_who_is_covered_is_told_in_numbers_where_all_runs_have_the_same():
    def covered(*scenarios):
        return [*training_conditions(scenarios).values()][-1]

    several = varied(TOY, width=4, series_per_person=3)
    assert "At most $w$ = 4 values in a row of *each* of up to $m$ = 3 series" in covered(several)
    anywhere = varied(TOY, level="user", width=4)
    assert "At most $w$ = 4 values, anywhere, of *one* series" in covered(anywhere)
    assert "each by at most $v$ = 1." in covered(NOISY)
    assert "At most $w$ = 1 value of *one* series" in covered(TOY, sampled(top_level="poisson"))
    assert "At most $w$ values" in covered(TOY, varied(TOY, width=4))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "scenario",
    [TOY, NOISY, sampled(top_level="poisson", bottom_level="poisson"), sampled(top_level="flat")],
)
def test_each_condition_is_met_by_a_line_of_the_script(scenario, kind):
    script = training_script(scenario, kind=kind, target_epsilon=1.0)
    lines = {key: line_in(script, key) for key in training_conditions([scenario])}
    assert None not in lines.values()
    assert lines["clipping"] < lines["gradient-noise"]
    assert "noise_multiplier" in script.splitlines()[lines["gradient-noise"] - 2]


def test_a_condition_may_have_no_line_in_another_run_s_script():
    assert line_in(training_script(TOY, target_epsilon=1.0), "window-noise") is None


def test_no_formula_is_left_in_plain_letters():
    text = without_formulas(" ".join(all_conditions().values()))
    assert not set("$\\") & set(text)
    assert "σ_C v on context and" in text
    assert "divided by the fixed batch size Λ" in text
