"""Command lines: an answer, or exit code 2 after one sentence; what is accepted is exact."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from _pytest.monkeypatch import MonkeyPatch
from hypothesis import strategies as st

from dpviz.command_line import answers, documents, main, simulation
from dpviz.command_line.command import SCENARIO_FIELDS
from dpviz.command_line.commands import COMMANDS
from dpviz.command_line.parser import parsed
from dpviz.command_line.scenario_options import scenario_from
from dpviz.scenario import Scenario, to_fields
from dpviz.settings import option_of
from tests.fuzz.bounds import assert_readable, bounded, check_examples, few_or_many
from tests.fuzz.hostile import hostile_text, is_plain_number, same_value

ROOT = Path(__file__).parents[2]
ELSEWHERE = TemporaryDirectory()


class AcceptedError(Exception):
    """Says, instead of hours of work, which scenario a command would answer for."""


def begun(*_, **__) -> None:
    """Stand in for minutes of forecasting; its progress is told before, so nothing was refused."""
    raise AcceptedError


def check(words: list[str], capsys) -> None:
    with MonkeyPatch.context() as patch, bounded():
        asked = []

        def accepted(options, *arguments, **more) -> Scenario:
            asked.append(scenario_from(options, *arguments, **more))
            raise AcceptedError

        patch.chdir(ELSEWHERE.name)  # a folder of any name may be made
        for module in (answers, documents):
            patch.setattr(module, "scenario_from", accepted)
        patch.setattr(simulation, "check_work", None)
        patch.setattr("dpviz.protected_forecasts.whole_study.run_study", begun)
        patch.setattr("dpviz.private_inference.study.run_study", begun)
        patch.setattr("dpviz.training_study.study.run_study", begun)
        try:
            code = main(words)
        except AcceptedError:
            if asked:
                check_exact(words, asked[0])
            capsys.readouterr()
            return
        said = capsys.readouterr()
        if code == 0:
            assert said.out.startswith("usage: ") or not COMMANDS[words[0]].reads_scenario
            return
        assert code == 2
        assert said.out == ""
        assert said.err.startswith("dpviz: ")
        assert said.err.endswith(".\n")
        assert_readable([said.err.removesuffix("\n").encode("ascii", "backslashreplace").decode()])


def check_exact(words: list[str], scenario: Scenario) -> None:
    """Check that the scenario has every value that was typed."""
    options, used = parsed(words, COMMANDS), to_fields(scenario)
    typed = {}
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        typed[name] = value if equals else after
    for field in SCENARIO_FIELDS:
        value = getattr(options, field)
        text = typed.get("--" + field.replace("_", "-"))
        if value is None or text is None or field == "series_length":
            continue
        if isinstance(value, str):
            assert used[field] == value
        else:
            assert is_plain_number(text)
            assert field not in used or same_value(text, used[field])


@few_or_many(50, 1500)
def test_command_lines_are_answered_or_refused_in_a_sentence(most, capsys):
    """No error escapes, and nothing that was typed is replaced in silence."""
    check_examples(lambda words: check(words, capsys), most, command_lines())


REAL = [
    ["epsilon"],
    ["--help"],
    ["epsilon", "--scenario", "/dev/null"],
    ["epsilon", "--scenario", "\udcff"],
    ["statement", "--scenario", "/"],
    ["x" * 100_000],
    ["delta", "--epsilon", "é\u202e"],
]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("words", REAL, ids=lambda words: ascii(words)[:30])
def test_real_processes_end_with_a_sentence_and_no_traceback(words, encoding):
    """Whatever the terminal can show."""
    done = subprocess.run(
        [sys.executable, "-m", "dpviz", *words],
        capture_output=True, timeout=60, cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )  # fmt: skip
    assert done.returncode == (0 if words == ["--help"] else 2)
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == (words != ["--help"])


@pytest.mark.slow
def test_answers_reach_a_terminal_of_few_letters_and_a_reader_who_stops():
    """A statement has Greek letters; a pager may close before its end."""
    shape = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
    words = ["statement", *shape, "--batch-size=32", "--noise-multiplier=5", "--steps=10"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "dpviz", *words]
    done = subprocess.run(command, capture_output=True, timeout=120, cwd=ROOT, env=environment)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, timeout=120, cwd=ROOT, env=environment
    )
    os.close(writing)
    assert b"Traceback" not in done.stderr


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
    fields = [one.name for _, group in COMMANDS[command].groups for one in group]
    name = option_of(draw.choice(fields))
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
