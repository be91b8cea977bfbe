"""Who is said to be more private: drawing series at random, or walking through them."""

import re
from dataclasses import replace

import pytest

from dpviz.planning import Order, Stretch, curves_of, proven_order, proven_order_at_delta
from dpviz.planning.over_steps import after, under_top_level
from dpviz.scenario import PRESETS, Rates
from dpviz.scenario.mechanism import AT_RANDOM, BINS, COINS, IN_ORDER
from dpviz.settings import SETTINGS
from dpviz.wording.top_levels import (
    BY_BINS,
    BY_COINS,
    LABELS,
    order_by_epsilon,
    order_cell,
    order_headline,
    order_title,
    orders_table,
    short_epoch_note,
)
from tests.planning.kinds import TOY, curves_of_kind
from tests.scenario.changes import varied
from tests.wording.reading import bounds_in, cells_of, jargon_in, numbers_after

HALVES = varied(TOY, data=Rates(bottom_rate=0.5, top_rate=0.5, steps_per_epoch=2), epochs=1)
SOLAR = PRESETS["solar_10_minutes"].scenario
WAYS = [*LABELS, BY_COINS, BY_BINS]
RUNS = {"toy": TOY, "halves": HALVES, "solar": SOLAR}
WORDS = {
    Order.FIRST: "drawing series at random is provably more private than a walk",
    Order.SECOND: "a walk is provably more private than drawing series at random",
    Order.UNPROVEN: "neither random draws nor a walk is provably more private",
}


@pytest.fixture(scope="module")
def both():
    return {
        name: tuple(curves_of(under_top_level(run, way)) for way in (AT_RANDOM, IN_ORDER))
        for name, run in RUNS.items()
    }


@pytest.mark.parametrize(
    ("name", "order"), [("toy", Order.FIRST), ("halves", Order.SECOND), ("solar", Order.UNPROVEN)]
)
def test_an_order_is_claimed_only_where_it_is_proven_beside_both_numbers(both, name, order):
    """The paper's "in all cases" fails after one epoch, and the title says so."""
    drawn, walked = both[name]
    assert proven_order_at_delta(drawn, walked) is order
    title, text = order_title(drawn, walked), order_headline(drawn, walked)
    assert title.lower() == f"{WORDS[order]}, at δ = 10⁻⁷"
    assert title[0].isupper()
    assert text.lower().startswith(f"**{WORDS[order]}**: after ")
    assert sum(words in text.lower() for words in WORDS.values()) == 1
    most, least = bounds_in(text)
    for curves, upper, lower in zip((drawn, walked), most, least, strict=True):
        assert curves.epsilon_upper <= upper <= 1.001 * curves.epsilon_upper
        assert 0.999 * curves.epsilon_lower <= lower <= curves.epsilon_lower
    assert text.index("Drawn at random: ") < text.index("Walked through: ")


def test_ways_that_are_the_same_are_not_called_unproven():
    """Where a batch draws every series, each way is the one mechanism."""
    run = varied(TOY, batch_size=TOY.data.num_series, epochs=2)
    ways = [curves_of(under_top_level(run, way)) for way in (AT_RANDOM, IN_ORDER, COINS, BINS)]
    said = "Every batch draws every series, so all these ways are the same"
    assert order_title(*ways) == said
    assert order_headline(*ways).startswith(f"**{said}**: after 2 epochs (2 steps), at δ = 10⁻⁷")
    assert order_by_epsilon(*ways[:2]) == ""
    assert cells_of(orders_table(WAYS, [("run", ways)]))[2][5:] == ["the same", "the same"]


def test_a_lower_bound_of_zero_is_left_out():
    run = varied(TOY, noise_multiplier=100.0, steps=1, delta=0.1)
    ways = [curves_of(under_top_level(run, way)) for way in (AT_RANDOM, IN_ORDER)]
    assert {one.epsilon_lower for one in ways} == {0.0}
    assert (
        "≥" not in order_headline(*ways) + cells_of(orders_table(WAYS[:2], [("run", ways)]))[2][1]
    )


def test_beside_a_shuffle_no_order_is_claimed():
    text = order_headline(curves_of_kind("drawn"), curves_of_kind("shuffled"))
    assert WORDS[Order.UNPROVEN] in text.lower()


@pytest.mark.parametrize("name", RUNS)
def test_each_stretch_of_epsilon_is_told_once_and_no_further_than_it_was_proven(both, name):
    drawn, walked = both[name]
    stretches, text = proven_order(drawn, walked), order_by_epsilon(drawn, walked)
    parts = text.split("; ")
    assert len(parts) == len(stretches)
    for stretch, part in zip(stretches, parts, strict=True):
        assert WORDS[stretch.order] in part.lower()
        for start in numbers_after("from ε = ", part):
            assert stretch.start <= start <= 1.001 * stretch.start
        for end in numbers_after("below ε = ", part.lower()) + numbers_after(" to ", part):
            assert 0.999 * stretch.end <= end <= stretch.end
    assert text[0].isupper()
    assert text.endswith(".")


@pytest.mark.parametrize(
    "stretches",
    [
        (
            (1e-6, 1.23459, Order.FIRST),
            (1.27891, 6.54326, Order.SECOND),
            (6.70001, 99.9999, Order.FIRST),
        ),
        (
            (1e-6, 0.1, Order.UNPROVEN),
            (0.104713, 0.104713, Order.FIRST),
            (0.109648, 9.0, Order.SECOND),
        ),
    ],
)
def test_ends_are_rounded_to_the_inside(stretches):
    """An epsilon beyond the last one that was looked at is not claimed."""
    stretches = [Stretch(start=one, end=two, order=order) for one, two, order in stretches]
    parts = order_cell(stretches).split("; ")
    first, middle, last = stretches
    assert numbers_after("below ε = ", parts[0])[0] <= first.end
    assert numbers_after("above ε = ", parts[2])[0] >= last.start
    if middle.start == middle.end:
        assert parts[1] == "at ε = 0.1047 drawn wins"
    else:
        assert numbers_after("from ε = ", parts[1])[0] >= middle.start
        assert numbers_after(" to ", parts[1])[0] <= middle.end


def test_one_epoch_at_high_rates_is_told_both_ways(both):
    cell = order_cell(proven_order(*both["halves"]))
    ends = r"below ε = [0-9.]+ drawn wins; (.*; )?above ε = [0-9.]+ walked wins"
    assert re.fullmatch(ends, cell)


def test_one_order_everywhere_is_told_so(both):
    drawn, walked = both["toy"]
    assert order_cell(proven_order(drawn, walked)) == "drawn wins throughout"
    assert order_cell(proven_order(walked, drawn)) == "walked wins throughout"
    assert order_cell(proven_order(drawn, drawn)) == "unproven throughout"


def test_the_smallest_delta_that_was_looked_at_follows_the_chosen_one():
    tiny = replace(TOY, delta=1e-15)
    drawn, walked = (curves_of(under_top_level(tiny, way)) for way in (AT_RANDOM, IN_ORDER))
    assert order_by_epsilon(drawn, walked).startswith("Wherever δ ≥ 10⁻¹⁵, ")
    assert "| By ε, wherever δ ≥ 10⁻¹⁵ |" in orders_table(
        WAYS[:3], [("run", [drawn, walked, drawn])]
    )


def of_rates(top_rate, steps):
    return varied(TOY, data=Rates(bottom_rate=0.1, top_rate=top_rate, steps_per_epoch=steps))


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        (TOY, ""),  # the data's shape makes the epochs
        (TOY.with_rates(top_rate=0.1), ""),  # 10 steps of a tenth each
        (of_rates(1 / 3, 3), ""),
        (TOY.with_rates(top_rate=0.01), ""),  # the steps of an epoch follow the rate
        (of_rates(0.01, 10), "An epoch has 10 steps here, of the 100 that ρ allows: "),
        (of_rates(1e-3, 1), "An epoch has 1 step here, of the 1,000 that ρ allows: "),
    ],
)
def test_epochs_that_are_no_pass_over_all_series_are_told(scenario, said):
    """In them a walk meets the protected values more often than it would in passes."""
    note = short_epoch_note(scenario)
    assert note.startswith(said)
    assert bool(note) == bool(said)
    assert jargon_in(note) == []


def test_where_delta_is_negligible_at_every_epsilon_that_is_said():
    tiny = curves_of_kind("negligible")
    assert order_by_epsilon(tiny, tiny) == (
        "δ is below 10⁻¹² at every ε from 10⁻⁶ on, with either way."
    )
    assert order_cell(proven_order(tiny, tiny)).strip()


def test_the_table_has_a_row_for_each_length(both):
    ways = (AT_RANDOM, IN_ORDER, COINS, BINS)
    rows = [
        (length, [curves_of(under_top_level(after(HALVES, length), way)) for way in ways])
        for length in SETTINGS["compared_length"].choices
    ]
    table = cells_of(orders_table(WAYS, rows))
    assert table[0][1:5] == ["Drawn at random", "Walked through", "Drawn by coins", "Put into bins"]
    assert len(table[0]) == 7
    for (name, (drawn, walked, coins, bins)), row in zip(rows, table[2:], strict=True):
        assert row[0] == name
        assert numbers_after("ε ≤ ", row[1])[0] >= drawn.epsilon_upper
        assert numbers_after("≥ ", row[2])[0] <= walked.epsilon_lower
        assert numbers_after("ε ≤ ", row[3])[0] >= coins.epsilon_upper
        assert numbers_after("ε ≤ ", row[4])[0] >= bins.epsilon_upper
        assert numbers_after("≥ ", row[4])[0] <= bins.epsilon_lower
        wins = {Order.FIRST: "drawn wins", Order.SECOND: "walked wins"}
        assert row[5] == wins.get(proven_order_at_delta(drawn, walked), "unproven")
        assert row[6] == order_cell(proven_order(drawn, walked))
    assert table[2][5] == "drawn wins"
    assert table[3][5] == "walked wins"


def test_what_is_still_computed_leaves_its_cells_open(both):
    drawn, walked = both["toy"]
    rows = [
        ("one", [drawn, walked, drawn]),
        ("two", [drawn, walked, None]),
        ("3", [None, None, None]),
    ]
    table = cells_of(orders_table(WAYS[:3], rows))
    assert table[0][5] == "By ε, wherever δ ≥ 10⁻¹²"
    assert "…" not in "".join(table[2])
    assert table[3] == ["two", "…", "…", "…", "…", "…"]
    assert table[4] == ["3", "…", "…", "…", "…", "…"]


@pytest.mark.parametrize("name", RUNS)
def test_coins_are_called_the_most_private_only_where_that_is_proven(both, name):
    drawn, walked = both[name]
    coins = curves_of(under_top_level(RUNS[name], COINS))
    text, title = order_headline(drawn, walked, coins), order_title(drawn, walked, coins)
    least = min(drawn.epsilon_lower, walked.epsilon_lower)
    is_proven = coins.epsilon_upper < least
    assert is_proven == (name != "solar")
    assert ("Drawing series by coins is provably the most private of these**" in text) == is_proven
    assert title.startswith("Drawing series by coins is provably the most private") == is_proven
    is_worse = walked.epsilon_upper < coins.epsilon_lower
    of_coins = text[text.index("Drawn by coins: ") :]
    assert of_coins.endswith(", provably less private than a walk.") == is_worse
    assert coins.epsilon_upper <= numbers_after("ε ≤ ", of_coins)[0]
    assert "(dpviz's Proposition 3, " in of_coins


def test_what_coins_and_bins_add_to_a_theorem_is_told_with_theirs_once():
    noisy = varied(TOY, forecast_noise=2.0, width=2)
    ways = (AT_RANDOM, IN_ORDER, COINS, BINS)
    text = order_headline(*(curves_of(under_top_level(noisy, way)) for way in ways))
    for said in (
        "worst place of the protected values",
        "with Proposition 3 in place of Theorem 4.4",
        "with Proposition 24 in place of Theorem 4.2",
        "holds if no value changes",
    ):
        assert text.count(said) == 1


def test_coins_that_beat_the_walk_alone_are_told_so():
    ways = (AT_RANDOM, IN_ORDER, COINS)
    halves = varied(TOY, num_series=140, batch_size=64, bottom_level="poisson", steps=5)
    many = varied(halves, num_subsequences=2, noise_multiplier=3.0)
    runs = [curves_of(under_top_level(many, way)) for way in ways]
    drawn, walked, coins = runs
    assert coins.epsilon_upper < walked.epsilon_lower
    assert coins.epsilon_upper > drawn.epsilon_lower
    said = "drawing series by coins is provably more private than a walk"
    rest = "between random draws and a walk no order is proven"
    assert f"**{said}; {rest}**" in order_headline(*runs).lower()
    assert order_title(*runs).lower() == f"{said}, at δ = 10⁻⁷"


def test_each_number_has_the_theorem_that_proves_it(both):
    text = order_headline(*both["toy"])
    assert re.search(
        r"\*\*ε ≤ [\d.]+\*\* \(Theorem 4.4, 1,000 steps\), \*\*≥ [\d.]+\*\* \(dpviz's", text
    )


def test_bins_are_called_more_private_only_where_that_is_proven(both):
    drawn, walked = both["halves"]
    coins, bins = (curves_of(under_top_level(HALVES, way)) for way in (COINS, BINS))
    text = order_headline(drawn, walked, coins, bins)
    title = order_title(drawn, walked, coins, bins)
    of_bins = text[text.index("Put into bins: ") :]
    assert bins.epsilon_upper <= numbers_after("ε ≤ ", of_bins)[0]
    assert numbers_after("≥ ", of_bins)[0] <= bins.epsilon_lower
    assert "(dpviz's Proposition 24, 1 epoch)" in of_bins
    runs = (drawn, walked, coins, bins)
    for one, said in ((coins, "drawing series by coins is"), (bins, "putting series into bins is")):
        wins = one.epsilon_upper < min(other.epsilon_lower for other in runs if other is not one)
        for words in (text.lower(), title.lower()):
            assert (f"{said} provably the most private of these" in words) == wins
    # Where bins are as private nobody may say that coins are the most private.
    alike = drawn, walked, coins, coins
    said, title = order_headline(*alike), order_title(*alike)
    assert "most private of these" not in said + title
    are_proven = coins.epsilon_upper < min(drawn.epsilon_lower, walked.epsilon_lower)
    pair = "Drawing series by coins and putting series into bins are provably more private than "
    assert title.startswith(pair) == said.startswith(f"**{pair}") == are_proven
    assert jargon_in(text) == []
