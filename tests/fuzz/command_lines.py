"""Command lines, from valid ones to any heap of words."""

from random import Random

from hypothesis import strategies as st

from dpviz.command_line.commands import COMMANDS
from dpviz.settings import option_of
from tests.fuzz.hostile import hostile_text

_SHAPE = {"num_series": "320", "series_length": "20", "context_length": "1", "forecast_length": "1"}
_RATES = {"top_rate": "0.1", "bottom_rate": "0.1"}
_REST = {"batch_size": "32", "noise_multiplier": "1", "steps": "100"}
_OWN = {
    "delta": {"epsilon": "1"},
    "epsilon": {},
    "risk": {"false_positive_rate": "0.01"},
    "calibrate": {"target_epsilon": "1"},
    "simulate": {"batches": "10"},
    "statement": {},
    "report": {"output": "report.html"},
    "shape": {"layout": "long"},
    "audit": {"batches": "10"},  # without a function nothing is looked at
    "train": {},  # without --data nothing is trained
    # Named twice over, it is refused before anything is computed.
    "forecast-study": {"data": "none"},
    # Two words have to go before anything is computed.
    "inference-study": {"data": "none", "out": "/dev/null/nowhere"},
    "release": {
        "mechanism": "gaussian",
        "length": "9",
        "participation": "2",
        "epsilon": "1",
        "delta": "1e-5",
    },
    "sweep": {"out": "results.csv"},  # without a grid nothing is computed
    "ledger": {"delta": "1e-5"},
    "training-study": {"data": "none", "out": "/dev/null/nowhere"},
    "multistage": {"level": "5:20", "noise_multiplier": "1", "episodes": "9", "epsilon": "1"},
}
_LEFT_OUT = {"calibrate": ("noise_multiplier",), "simulate": ("noise_multiplier", "steps")}
_VALUES = (
    "1", "2", "20", "100", "0.5", "1e-5", "poisson", "user", "event", "shuffled", "deterministic",
    "without-replacement", "with-replacement", "steps", "batch-size", "https://here",
)  # fmt: skip
_ODD = (
    "-h", "--help", "--", "-", "--json", "--flat", "--flat=1", "--json=", "=", "--=", "---", "-x",
    "--scenario", "--scenario=/", "--scenario=/nowhere", "--scenario=", "--output=/", "--output=",
    "--nummer=3", "--STEPS=3", "--num_series=3", "--noise", "-1", "-1e-7", "epsilon", "@file",
    "--steps=1\n", "--\u202e", "--x" * 3000, "\udcff", "--scenario=\udcff", "--base-url=ftp://x",
)  # fmt: skip


def _fields(command: str) -> list[str]:
    return [one.name for _, group in COMMANDS[command].groups for one in group]


def _changed(words: list[str], command: str, draw: Random) -> list[str]:
    kind, place = draw.random(), draw.randrange(len(words) + 1)
    if kind < 0.25:
        return words[:place] + words[place + 1 :]
    if kind < 0.35:
        return [*words[:place], draw.choice(_ODD), *words[place:]]
    if kind < 0.4:
        return draw.sample(words, len(words))
    if kind < 0.45:
        return [*words, draw.choice(words)] if words else words
    name = option_of(draw.choice(_fields(command)))
    value = draw.choice(_VALUES) if kind < 0.75 else hostile_text(draw)
    value = value.replace("\x00", "")  # no command line can hold it
    if draw.random() < 0.5 and words:
        at = draw.randrange(len(words))
        return [*words[:at], f"{words[at].partition('=')[0]}={value}", *words[at + 1 :]]
    return [*words, *([f"{name}={value}"] if draw.random() < 0.5 else [name, value])]


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Draw the words of a command line, most of them wrong in one to four ways."""
    # What becomes a server or asks one is left out, and what takes seconds if nothing is wrong.
    command = draw(st.sampled_from(sorted(COMMANDS.keys() - {"app", "rehearse", "kit"})))
    chance = Random(draw(st.integers(0, 2**32)))
    data = _RATES if draw(st.integers(0, 3)) == 0 else _SHAPE
    given = _OWN[command] | (data | _REST if COMMANDS[command].reads_scenario else {})
    words = [
        f"{option_of(field)}={value}"
        for field, value in given.items()
        if field not in _LEFT_OUT.get(command, ())
    ]
    for _ in range(draw(st.integers(0, 4))):
        words = _changed(words, command, chance)
    if draw(st.integers(0, 19)) == 0:
        command = hostile_text(chance).replace("\x00", "")
    return [command, *words]
