"""What the map says at its places, and of itself."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.guarantees import guarantee_for
from dpviz.planning.label_noise import NOISES, NoiseMap, noisy_bound, with_noise
from dpviz.scenario import PRESETS, Relation, Sampling
from dpviz.wording.label_noise import cell_text, coarseness, map_description, map_title
from dpviz.wording.numbers import epsilon_at_most

TOY = PRESETS["toy"].scenario
SIZE = len(NOISES)


def a_map(scenario=TOY, largest=20.0, excess=0.0):
    """A map that falls from ``largest`` by halves, each value so much above the bound's."""
    row, column = np.indices((SIZE, SIZE))
    epsilon = largest / 2.0 ** (row + column)
    rates = epsilon / 1000.0
    return NoiseMap(
        scenario=scenario,
        rates=rates,
        table_rates=rates,
        epsilon=epsilon,
        at_least=epsilon / (1.0 + excess),
    )


def test_title_tells_what_labels_alone_and_both_can_do():
    title = map_title(a_map())
    assert title == (
        "Noise on labels alone brings ε from 20 to 0.01954, on context, too, to 1.908·10⁻⁵ (upper "
        "bounds at δ = 10⁻⁷, after 1,000 steps; σ up to 100)"
    )


def test_title_claims_nothing_where_no_theorem_covers_the_noise():
    several = replace(TOY, sampling=Sampling(batch_size=32, num_subsequences=2))
    title = map_title(a_map(several))
    assert title.startswith("No theorem covers noise on windows here: ε ≤ 20 at δ = 10⁻⁷")
    assert coarseness(a_map(several)) == "It is the same everywhere."


def test_place_tells_its_noise_and_whose_bound_it_is():
    text = cell_text(a_map(), noisy_bound(TOY), 5, 3)
    assert text.split("<br>") == [
        "σ_C = 0.5 on context, σ_F = 2 on labels",
        "<b>ε ≤ 0.07813</b>",
        "upper bound, Theorem G.1, 1,000 steps, δ = 10⁻⁷",
        "q = 7.813·10⁻⁵",
    ]
    plain = cell_text(a_map(), guarantee_for(TOY).upper, 0, 0)
    assert "Theorem 4.4" in plain
    assert "σ_C = 0 on context, σ_F = 0 on labels" in plain


def test_place_says_what_is_dpviz_s_extension_and_has_no_q_without_a_theorem():
    wide = replace(TOY, relation=Relation(width=3))
    assert "dpviz's extension" in cell_text(a_map(wide), noisy_bound(wide), 1, 1)
    assert "extension" not in cell_text(a_map(), noisy_bound(TOY), 1, 1)
    bag = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))
    unknown = replace(a_map(bag), rates=np.full((SIZE, SIZE), np.nan))
    text = cell_text(unknown, noisy_bound(bag), 1, 1)
    assert "q =" not in text


def test_infinite_epsilon_is_none():
    unknown = replace(a_map(), epsilon=np.full((SIZE, SIZE), np.inf))
    assert "no finite ε proven" in cell_text(unknown, noisy_bound(TOY), 0, 1)
    assert "from no finite one to no finite one" in map_title(unknown)
    assert "inf" not in epsilon_at_most(np.inf).replace("finite", "")


@pytest.mark.parametrize(
    ("excess", "told"),
    [
        (0.0, "nor above it by more than ε = 10⁻⁴."),
        (0.0123, "nor above it by more than 1.3 % (or ε = 10⁻⁴)."),
        (5.0, "how far above is being computed."),
        (np.inf, "how far above is being computed."),
    ],
)
def test_map_says_how_coarse_it_is(excess, told):
    said = coarseness(a_map(excess=excess))
    assert said.startswith("No number on the map is below the bound's own value")
    assert said.endswith(told)


def test_description_has_the_corners_and_the_current_place():
    said = map_description(a_map(), with_noise(TOY, forecast=2.0))
    assert said.startswith(map_title(a_map()))
    for corner in ("ε ≤ 20 at σ_C = 0 and σ_F = 0", "ε ≤ 0.01954 at σ_C = 100 and σ_F = 0"):
        assert corner in said
    assert said.endswith("Marked is σ_C = 0, σ_F = 2.")
