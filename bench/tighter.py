"""Epsilon before and after dpviz's own bounds: a table of docs/accuracy.md.

What was shown before is written down here, from commit 76d885c (what tests of single windows or
better attacks changed: from 451e4a6); what is shown now is measured.
"""

from dataclasses import replace

from dpviz.accounting import account_for
from dpviz.scenario import PRESETS, DataShape, Noise, Sampling, Scenario, Training
from dpviz.wording.numbers import rounded_down, rounded_up

HEAD = ("setting", "before: lower bound, ε", "upper", "now: lower bound, ε", "upper")
NONE = "none"
_TOY = PRESETS["toy"].scenario
_EPOCHS = PRESETS["traffic"].scenario
_TRAFFIC = replace(_EPOCHS, training=Training(unit="steps", count=12_000))


def sampled(scenario: Scenario, **changes: str | int) -> Scenario:
    """Return a scenario of which another sampling is drawn."""
    return replace(scenario, sampling=replace(scenario.sampling, **changes))


def _noised(scenario: Scenario) -> Scenario:
    return replace(scenario, noise=replace(scenario.noise, context_noise=2.0, forecast_noise=2.0))


def _walk() -> Scenario:
    shape = {"num_series": 320, "context_length": 6, "forecast_length": 4}
    return Scenario(
        data=DataShape(series_lengths=(100,), **shape),
        sampling=Sampling(batch_size=32, num_subsequences=4, top_level="deterministic"),
        noise=Noise(noise_multiplier=2.0),
        training=Training(unit="epochs", count=16),
    )


def _every_series() -> Scenario:
    shape = {"num_series": 32, "context_length": 16, "forecast_length": 4}
    return Scenario(
        data=DataShape(series_lengths=(2000,), **shape),
        sampling=Sampling(batch_size=128, num_subsequences=4),
        noise=Noise(noise_multiplier=4.0),
        training=Training(unit="steps", count=1000),
    )


_COINS, _POISSON, _BAG = (
    {"top_level": "poisson"},
    {"bottom_level": "poisson"},
    {"top_level": "flat"},
)
# The scenario, and the lower and the upper end of the band as they were; empty where none was.
SETTINGS: dict[str, tuple[Scenario, str, str]] = {
    "walk, λ = 4, σ = 2, 16 epochs (N = 320, L = 100, 6 + 4)": (_walk(), "22.02", "26.8"),
    "walk, traffic, λ = 4, 4,000 epochs": (
        sampled(_EPOCHS, top_level="deterministic", num_subsequences=4),
        "5.004",
        "10.08",
    ),
    "drawn, toy, λ = 8": (sampled(_TOY, num_subsequences=8), "155.1", "211.7"),
    "drawn, traffic, λ = 4": (sampled(_TRAFFIC, num_subsequences=4), "0.5443", "4.305"),
    "all series, λ = 4, σ = 4 (N = 32, L = 2,000, 16 + 4)": (_every_series(), "3.618", "7.008"),
    "coins, toy": (sampled(_TOY, **_COINS), "", "19.03"),
    "coins, traffic": (sampled(_TRAFFIC, **_COINS), "", "0.6374"),
    "Poisson windows, drawn, traffic": (sampled(_TRAFFIC, **_POISSON), "0.5012", "0.9547"),
    "Poisson windows, coins, traffic": (
        sampled(_TRAFFIC, **_COINS, **_POISSON),
        "0.5012",
        "0.9547",
    ),
    "one bag of fixed size, toy": (sampled(_TOY, **_BAG), "20.11", ""),
    "one bag of fixed size, traffic": (sampled(_TRAFFIC, **_BAG), "0.5425", ""),
    "one bag by coins, toy": (sampled(_TOY, **_BAG, **_POISSON), "", ""),
    "drawn, toy, σ_C = σ_F = 2": (_noised(_TOY), "0.6175", "6.853"),
    "drawn, traffic, σ_C = σ_F = 2": (_noised(_TRAFFIC), "0.09042", "0.115"),
}


def rows() -> list[tuple[str, ...]]:
    """Return the table's lines."""
    found = []
    for name, (scenario, at_least, at_most) in SETTINGS.items():
        account = account_for(scenario)
        assert account.lower is not None
        upper, lower = (side.epsilon_at(scenario.delta) for side in (account.upper, account.lower))
        before = (f"≥ {at_least}" if at_least else NONE, f"≤ {at_most}" if at_most else NONE)
        now = (f"≥ {rounded_down(lower.low)}", f"≤ {rounded_up(upper.high)}")
        found.append((name, *before, *now))
    return found
