"""Who is protected, what a bound needs and what has to hold: of each run, and only once."""

import pytest

from dpviz.export.training_script import KINDS, training_script
from dpviz.planning import curves_of
from dpviz.scenario.mechanism import TOP_LEVELS
from dpviz.wording.conditions import all_conditions, line_in, training_conditions
from dpviz.wording.scope import TOP_LEVEL_NAMES, caveats, conditions, protection_sentence
from dpviz.wording.texts import without_formulas
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.scenario.changes import varied
from tests.scenario.strategies import BARE

EVENT = "any single value of one series (1-event privacy, substitution)"


def runs_of(**kinds):
    return [(label.replace("_", " "), curves_of_kind(name)) for label, name in kinds.items()]


def test_runs_with_one_relation_share_one_sentence():
    for runs in (runs_of(now="drawn"), runs_of(now="drawn", pin_A="walked", pin_B="shuffled")):
        assert protection_sentence(runs) == f"Protected is {EVENT}."


def test_runs_with_different_relations_are_told_apart():
    """Beside each other they would look as if they promised the same people the same."""
    text = protection_sentence(runs_of(now="drawn", pin_A="wide and noisy"))
    assert text.startswith(
        f"The runs differ in who is protected. Now: {EVENT}. Pin A: any 3 values"
    )
    assert "any 3 values of one series (3-user privacy, substitution)." in text


def test_the_same_values_of_shorter_series_are_no_other_protection():
    long, short = (varied(TOY, series_lengths=(length,), width=30, steps=1) for length in (50, 30))
    runs = [("now", curves_of(long)), ("pin A", curves_of(short))]
    assert protection_sentence(runs[1:]).startswith("Protected is the whole of one series (30-")
    assert protection_sentence(runs) == (
        "Protected is any 30 consecutive values of one series (30-event privacy, substitution)."
    )


def test_each_need_is_listed_once_with_its_theorem():
    bounds = [
        curves_of_kind(name).upper.bound
        for name in ("noise on labels", "wide and noisy", "shuffled", "shuffled", "drawn")
    ]
    text = conditions(bounds)
    assert text.count("Theorem G.1 holds if no value changes by more than v") == 1
    assert text.count("Theorem G.1: dpviz's extension: ") == 1
    assert text.count("Theorem 4.2: dpviz's extension: no amplification is claimed") == 1
    assert text.count("the shuffle.") == 1
    assert "4.4" not in text


def test_what_only_some_bounds_by_a_theorem_need_is_said_of_them_alone():
    names = ("noise on labels", "noisy bins")
    noisy = varied(TOY, forecast_noise=2.0)
    runs = [curves_of(noisy), curves_of(varied(noisy, top_level="bins"))]
    text = conditions([run.upper.bound for run in runs], names)
    assert "with Proposition 24 in place of Theorem 4.2 (noisy bins only)" in text
    assert "holds if no value changes by more than v" in text
    assert "(noise on labels only)" not in text
    assert "only)" not in conditions([run.upper.bound for run in runs])


def test_what_several_theorems_have_alike_is_said_once():
    several = varied(TOY, num_subsequences=4, context_noise=1.0)
    ways = ("without-replacement", "deterministic", "shuffled")
    text = conditions([curves_of(varied(several, top_level=way)).upper.bound for way in ways])
    assert text == (
        "dpviz's Proposition 2 and dpviz's Proposition 1: no amplification by noise on context or "
        "labels is claimed. dpviz's Proposition 1: dpviz's extension: no amplification is claimed "
        "for the shuffle."
    )


@pytest.mark.parametrize("name", ["drawn", "walked", "several windows", "one step"])
def test_bounds_that_need_nothing_more_are_not_qualified(name):
    bound = curves_of_kind(name).upper.bound
    assert conditions([bound, bound]) == ""
    assert caveats(bound) == ""


@pytest.mark.parametrize("name", RUNS)
def test_caveats_are_whole_sentences(name):
    bound = curves_of_kind(name).upper.bound
    text = caveats(bound)
    assert (f"It holds if {bound.condition}." in text) == bool(bound.condition)
    assert not bound.extension or text.lower().endswith(f"{bound.extension.lower()}.")
    assert "  " not in text


def test_every_way_of_choosing_series_has_a_name_of_its_own():
    assert set(TOP_LEVEL_NAMES) == set(TOP_LEVELS)
    assert len(set(TOP_LEVEL_NAMES.values())) == len(TOP_LEVELS)


NOISY = varied(TOY, noise_multiplier=1.0, forecast_noise=2.0, max_change=1.0)


def keys(*scenarios):
    return list(training_conditions(scenarios))


@pytest.mark.parametrize(
    ("scenario", "own"),
    [
        (TOY, {"windows-drawn", "series-drawn", "attacker", "covered"}),
        (sampled(top_level="poisson"), {"windows-drawn", "series-by-coins", "attacker", "covered"}),
        (sampled(top_level="poisson", batch_size=320), {
            "windows-drawn", "series-drawn", "attacker", "covered",
        }),
        (sampled(top_level="deterministic"), {
            "windows-drawn", "series-walked", "attacker-of-a-walk", "covered",
        }),
        (sampled(top_level="shuffled", bottom_level="poisson"), {
            "windows-by-coins", "series-shuffled", "attacker-of-a-walk", "covered",
        }),
        (sampled(top_level="bins"), {"windows-drawn", "series-by-bins", "attacker", "covered"}),
        (sampled(top_level="bins", batch_size=320), {
            "windows-drawn", "series-walked", "attacker-of-a-walk", "covered",
        }),
        (sampled(top_level="flat"), {"bag-drawn", "attacker", "covered"}),
        (sampled(top_level="flat", bottom_level="poisson"), {
            "bag-by-coins", "attacker", "covered",
        }),
        (varied(TOY, series_per_person=3), {
            "windows-drawn", "series-drawn", "attacker", "covered-several",
        }),
        (NOISY, {"windows-drawn", "series-drawn", "window-noise", "attacker", "covered-in-part"}),
        (BARE, {"rates", "windows-drawn", "series-drawn", "attacker", "covered"}),
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
