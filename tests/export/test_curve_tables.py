"""Delta and epsilon over what is varied, as CSV: numbers read back exactly, with their meaning."""

from dataclasses import replace

import pandas as pd
import pytest

from dpviz.export.curve_tables import (
    budget_table,
    curves_table,
    staged_table,
    steps_table,
    sweep_table,
)
from dpviz.multistage.guarantee import draw_in
from dpviz.planning.budget import budget_point
from dpviz.planning.multistage import STAGED_LINES, staged_line
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import PRESETS, Noise, Sampling, from_json
from dpviz.wording.theorems import named_theorem
from tests.csv_text import header_of, rows_of, table_of
from tests.planning.kinds import RUNS, curves_of_kind, sampled
from tests.scenario.changes import TOY

COLUMNS = [
    "curve", "epsilon", "delta_upper", "delta_upper_bracket_low", "delta_lower",
    "delta_lower_bracket_high",
]  # fmt: skip


def csv_of(*names):
    return curves_table([(name.replace(",", ""), curves_of_kind(name)) for name in names]).csv()


@pytest.mark.parametrize("name", RUNS)
def test_numbers_read_back_exactly(name):
    curves, rows = curves_of_kind(name), rows_of(csv_of(name))
    columns = {
        "epsilon": curves.epsilon,
        "delta_upper": curves.upper.delta_high,
        "delta_upper_bracket_low": curves.upper.delta_low,
    }
    if curves.lower is not None:
        columns |= {
            "delta_lower": curves.lower.delta_low,
            "delta_lower_bracket_high": curves.lower.delta_high,
        }
    for column, values in columns.items():
        assert [float(row[column]) for row in rows] == values[: len(rows)].tolist()
    if curves.lower is None:
        assert {row["delta_lower"] + row["delta_lower_bracket_high"] for row in rows} == {""}
    assert {row["curve"] for row in rows} == {name.replace(",", "")}


def test_rows_that_answer_have_the_delta_of_their_run():
    """A dialog that leaves rows out shows these, of each curve one."""
    names = [name.replace(",", "") for name in RUNS]
    table = curves_table(
        [(name, curves_of_kind(one)) for name, one in zip(names, RUNS, strict=True)]
    )
    answers = table.cells.loc[list(table.answers)].set_index("curve")
    for name, one in zip(names, RUNS, strict=True):
        curves, rows = curves_of_kind(one), table.cells[table.cells["curve"] == name]
        enough = rows[rows["delta_upper"] <= curves.scenario.delta]
        assert (name in answers.index) == (len(enough) > 0)
        if len(enough):
            assert answers.loc[name, "epsilon"] == enough["epsilon"].min()
            assert answers.loc[name, "epsilon"] >= (curves.epsilon_upper or 0.0)


@pytest.mark.parametrize("name", RUNS)
def test_rows_go_on_to_the_first_negligible_delta_and_no_further(name):
    curves, rows = curves_of_kind(name), rows_of(csv_of(name))
    if len(rows) < len(curves.epsilon):
        columns = ["delta_upper", *(["delta_lower"] if curves.lower else [])]
        last = [max(float(row[column]) for column in columns) for row in rows[-2:]]
        assert last[-1] < curves.smallest_delta
        assert len(rows) == 1 or last[0] >= curves.smallest_delta


def test_several_runs_stand_below_each_other():
    names = ("drawn", "shuffled", "one bag")
    csv = csv_of(*names)
    rows = rows_of(csv)
    assert list(dict.fromkeys(row["curve"] for row in rows)) == list(names)
    for name in names:
        alone = rows_of(csv_of(name))
        assert [row for row in rows if row["curve"] == name] == alone


@pytest.mark.parametrize("name", RUNS)
def test_header_holds_the_scenario_and_says_what_was_proven_for_whom(name):
    curves, lines, start = curves_of_kind(name), header_of(csv_of(name)), name.replace(",", "")
    (line,) = [line for line in lines if line.startswith(f"{start}: scenario: ")]
    assert from_json(line.removeprefix(f"{start}: scenario: ")) == RUNS[name]
    bound, header = curves.upper.bound, "\n".join(lines)
    assert named_theorem(bound.theorem) in header
    assert f"composed over {bound.count:,} {bound.unit.value}" in header
    assert "of one series" in header
    assert bound.extension in header
    assert bound.condition in header
    assert ("delta_lower: none proven" in header) == (curves.lower is None)
    if curves.lower is not None:
        assert named_theorem(curves.lower.bound.theorem) in header


def test_every_line_of_the_header_is_a_comment_and_the_bytes_are_the_same_everywhere():
    csv = csv_of("drawn", "one bag")
    assert "\r" not in csv
    body = csv.splitlines()
    first = next(at for at, line in enumerate(body) if not line.startswith("# "))
    assert body[first] == ",".join(COLUMNS)
    assert not any(line.startswith("#") for line in body[first:])
    assert "nan" not in "\n".join(body[first:])


SHUFFLED = replace(TOY, sampling=Sampling(batch_size=32, top_level="shuffled"))
BAG = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))


def test_numbers_read_back_exactly_of_budgets():
    points = [budget_point(TOY, count) for count in (1000, 1, 30)]
    read = rows_of(budget_table(TOY, points).csv())

    def column(name):
        return [float(row[name]) for row in read]

    ordered = sorted(points, key=lambda point: point.count)
    assert column("steps_from") == column("steps_to") == [1, 30, 1000]
    assert column("epsilon_upper") == [point.upper.bracket.high for point in ordered]
    assert column("epsilon_upper_bracket_low") == [point.upper.bracket.low for point in ordered]
    assert column("epsilon_lower") == [point.lower.bracket.low for point in ordered]
    assert column("epsilon_lower_bracket_high") == [point.lower.bracket.high for point in ordered]


@pytest.mark.parametrize("scenario", [TOY, PRESETS["traffic"].scenario])
def test_header_holds_the_scenario_of_budgets(scenario):
    csv = budget_table(scenario, [budget_point(scenario, 1)]).csv()
    line = next(line for line in header_of(csv) if line.startswith("scenario: "))
    assert from_json(line.removeprefix("scenario: ")) == scenario


def test_a_row_covers_the_steps_of_an_epoch_and_has_both_ends():
    csv = budget_table(SHUFFLED, [budget_point(SHUFFLED, 995)]).csv()
    row = table_of(csv).iloc[0]
    assert (row["steps_from"], row["steps_to"]) == (995, 1000)
    assert (row["composed"], row["composed_unit"]) == (100, "epoch")
    assert row["upper_theorem"] == "Theorem 4.2"
    assert 0.0 < row["epsilon_lower"] < row["epsilon_upper"]
    assert any("no amplification is claimed for the shuffle" in line for line in header_of(csv))


def test_a_lower_bound_of_another_unit_has_its_own_count():
    """Of 5 steps no epoch in bins is whole."""
    bins = replace(TOY, sampling=Sampling(batch_size=32, top_level="bins"))
    csv = budget_table(bins, [budget_point(bins, 5)]).csv()
    (row,) = rows_of(csv)
    assert (row["composed"], row["composed_unit"]) == ("1", "epoch")
    assert (row["lower_theorem"], row["lower_composed"], row["lower_unit"]) == (
        "dpviz's Proposition 3", "1", "step"
    )  # fmt: skip
    whole = replace(bins, sampling=Sampling(batch_size=320, top_level="bins"))
    assert any("; 1 step per epoch" in line for line in header_of(budget_table(whole, []).csv()))


def test_no_points_make_an_empty_table():
    assert table_of(budget_table(TOY, []).csv()).empty


WALK = sampled(top_level="deterministic", batch_size=320)
STEPS = (1, 2, 3, 7)
EPSILON = 0.1 + 0.2  # a number with all its digits


@pytest.fixture(scope="module")
def runs():
    return [delta_over_steps(with_subsequences(WALK, count), EPSILON, STEPS) for count in (1, 4)]


@pytest.fixture(scope="module")
def csv(runs):
    return steps_table(runs).csv()


def test_numbers_read_back_exactly_of_steps(runs, csv):
    rows = rows_of(csv)
    for run in runs:
        windows = str(run.scenario.sampling.num_subsequences)
        own = [row for row in rows if row["windows_per_series"] == windows]
        assert [int(row["steps"]) for row in own] == list(STEPS)
        for column, values in {
            "delta_upper": run.upper.delta_high,
            "delta_upper_bracket_low": run.upper.delta_low,
            "delta_lower": run.lower.delta_low,
            "delta_lower_bracket_high": run.lower.delta_high,
        }.items():
            assert [float(row[column]) for row in own] == values.tolist()


def test_each_row_says_what_its_numbers_mean(runs, csv):
    """After one epoch a theorem may be tight that only bounds from one side after two."""
    meanings = {
        (row["windows_per_series"], row["steps"]): (
            row["delta_upper_meaning"],
            row["delta_lower_meaning"],
        )
        for row in rows_of(csv)
    }
    assert meanings["1", "1"] == ("tight bound, Theorem 4.2 composed over 1 epoch",) * 2
    assert meanings["1", "2"] == (
        "upper bound, Theorem 4.2 composed over 2 epochs",
        "lower bound, Theorem 4.2 composed over 2 epochs",
    )
    assert meanings["4", "7"] == (
        "upper bound, dpviz's Proposition 1 composed over 2 epochs",
        "lower bound, Theorem 4.3 composed over 2 epochs",
    )
    assert len(meanings) == len(runs) * len(STEPS)


def test_header_holds_the_scenarios(runs, csv):
    for run in runs:
        start = f"windows_per_series {run.scenario.sampling.num_subsequences}: scenario: "
        (line,) = [line for line in header_of(csv) if line.startswith(start)]
        assert from_json(line.removeprefix(start)) == run.scenario


def test_where_no_lower_bound_is_proven_its_columns_are_empty():
    run = delta_over_steps(RUNS["no lower bound"], 1.0, (1, 2))
    rows = rows_of(steps_table([run]).csv())
    assert len(rows) == 2
    for row in rows:
        assert float(row["delta_upper"]) > 0.0
        for column in ("delta_lower", "delta_lower_bracket_high", "delta_lower_meaning"):
            assert row[column] == ""


def test_header_tells_what_the_bounds_need_once(csv):
    noisy = replace(
        RUNS["noise on labels"], training=replace(RUNS["noise on labels"].training, count=3)
    )
    header = header_of(steps_table([delta_over_steps(noisy, 1.0, (1, 2))] * 2).csv())
    (line,) = [line for line in header if "holds if" in line]
    assert line.startswith("conditions: Theorem G.1 holds if no value changes by more than v")
    assert not any(line.startswith("conditions: ") for line in header_of(csv))


NOISY = replace(TOY, noise=Noise(noise_multiplier=1.0, forecast_noise=2.0))


def point(scenario, x=1.0):
    return SweepPoint(x=x, name="x", proven=proven_epsilon(scenario))


SWEEPS = [("drawn", [point(TOY), point(NOISY, 2.0)]), ("bag", [point(BAG)])]


def test_every_number_is_read_back():
    text = sweep_table(SWEEPS, x_name="label_noise", x_meaning="sigma_F, in units of v").csv()
    table = table_of(text)
    assert "# label_noise: sigma_F, in units of v\n" in text
    for row, (label, known) in zip(
        table.itertuples(), ((label, p) for label, line in SWEEPS for p in line), strict=True
    ):
        assert (row.run, row.label_noise) == (label, known.x)
        assert row.epsilon_upper == known.proven.epsilon_upper
        assert row.epsilon_upper_bracket_low <= row.epsilon_upper
        if known.proven.lower is None:
            assert pd.isna(row.epsilon_lower)
        else:
            assert row.epsilon_lower == known.proven.epsilon_lower <= row.epsilon_lower_bracket_high
        assert from_json(row.scenario) == known.scenario


def test_what_has_to_hold_is_said_once():
    text = sweep_table(SWEEPS, x_name="x", x_meaning="m").csv()
    assert "no value changes by more than v" in text
    assert (
        "conditions" not in sweep_table([("drawn", [point(TOY)])], x_name="x", x_meaning="m").csv()
    )


def test_a_line_that_protects_another_one_says_whom():
    lines = [("drawn", [point(TOY)]), ("promise", [point(TOY)])]
    text = sweep_table(lines, x_name="x", x_meaning="m", whom={"promise": "one window"}).csv()
    first, second = table_of(text)["individual"]
    assert first.startswith("any single value of one series; ")
    assert second == "one window"


def test_of_draws_in_stages_every_delta_is_on_its_sound_side_beyond_a_line_s_own_epsilons():
    """Little noise: lines end beyond the common grid, each at an epsilon of its own."""
    draw = draw_in("5:64,1:20")
    lines = {name: staged_line(name, draw, 0.05, 2000, 1.0) for name in STAGED_LINES}
    found = table_of(staged_table(draw, 0.05, 2000, lines).csv())
    end = lines["lower"].epsilon[-1]
    assert end < found["epsilon"].iloc[-1]
    assert found["delta_lower"][found["epsilon"] > end].tolist() == [0.0]
    for name, line in lines.items():
        own = found[found["epsilon"].isin(line.epsilon)].filter(like=f"delta_{name}")
        assert own.iloc[:, 0].tolist() == line.delta.tolist()
