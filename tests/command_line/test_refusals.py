"""What is wrong is said in one sentence that names option, value and what is allowed."""

import json
from pathlib import Path

import pytest

from dpviz.command_line.commands import COMMANDS
from dpviz.settings import option_of

SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
OPTIONS = [*SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=1000"]
RATES = ["--top-rate=0.1", "--bottom-rate=0.1"]
EPSILON = ["epsilon", *OPTIONS]
CALIBRATE = ["calibrate", *SHAPE, "--batch-size=32", "--steps=1000"]
SIMULATE = ["simulate", *SHAPE, "--batch-size=32"]
HUGE = ["simulate", "--num-series=1000000000", *SHAPE[1:]]


def replaced(name, value):
    return [f"{name}={value}" if option.startswith(name) else option for option in EPSILON]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "a command is needed"),
        (["guess"], "'guess' is not allowed: the command must be one of app, delta, epsilon"),
        (["epsilom"], "; the nearest is epsilon"),
        (["--steps=3", "epsilon"], "--steps=3 is not allowed before the command"),
        (["epsilon"], "--steps or --epochs is needed"),
        (["epsilon", "--steps=1", "--num-series=3"], "--series-length is needed"),
        (["epsilon", *SHAPE, "--steps=1", "--noise-multiplier=1"], "--batch-size is needed"),
        (replaced("--steps", "1_000"), "--steps 1_000 is not allowed: it must be a whole number"),
        (replaced("--steps", "4.000"), "--steps 4.000 is not allowed: it must be a whole number"),
        (replaced("--steps", "１２"), "--steps １２ is not allowed: it must be a whole number"),
        ([*EPSILON, "--context-noise=1e-400"], "--context-noise 1e-400 is not allowed: it must"),
        ([*EPSILON, "--delta", "-1e-7"], "--delta -1e-7"),
        (
            replaced("--noise-multiplier", "9999999.9999999999"),
            "--noise-multiplier 9999999.9999999999 is not allowed: it must be a number from 0.1",
        ),
        (["shape", "f", "--base-url=https://x:99999"], "--base-url https://x:99999 is not allowed"),
        (["shape", "f", "--base-url=https://x:-1"], "its port, if any, must be from 1 to 65535"),
        (["shape", "f", "--base-url=https://:80"], "it must name a host"),
        (["shape", "f", "--base-url=https://dp..org"], "it must name a host"),
        (["shape", "f", "--base-url=https://me:secret@dp.org"], "without user or password"),
        (
            [*EPSILON, "--delta"],
            "--delta without a value is not allowed: it takes one or more values, each a number "
            "from 1e-15 to 0.999",
        ),
        (["risk", *OPTIONS], "--false-positive-rate is needed: one or more numbers from 0 to 1"),
        (["risk", *OPTIONS, "--fpr", "0.1"], "the nearest is --false-positive-rate"),
        ([*EPSILON, "--relation"], "it takes a value, one of event, user"),
        (
            [*CALIBRATE, "--target-epsilon", "4", "5"],
            "--target-epsilon 4 5 is not allowed: it takes one value, a number from 1e-09 to",
        ),
        (
            ["calibrate", *OPTIONS[:-1], "--target-epsilon=4", "--find=steps", "--closer"],
            "--closer is not allowed with --find steps: it is for --find noise-multiplier",
        ),
        ([*EPSILON, "--flat", "3"], "'3' is not allowed: it is the value of no option"),
        (["epsilon", "--scenario", ""], "--scenario '' is not allowed: it must be the path"),
        (["delta", *OPTIONS, "--epsilon", "-inf"], "--epsilon -inf"),
        (replaced("--noise-multiplier", "0.01"), "--noise-multiplier 0.01 is not allowed: it must"),
        (replaced("--batch-size", "2000"), "--batch-size 2000 is not allowed: it must be at most"),
        (replaced("--steps", "999.99999999999999999"), "--steps 999.99999999999999999 is not all"),
        (replaced("--num-series", "1." + "0" * 30 + "1"), "is not allowed: it must be a whole"),
        ([*EPSILON, "--subsequences=33"], "it must be at least --subsequences (33)"),
        ([*EPSILON, "--top-level=x"], "--top-level x is not allowed: it must be one of"),
        ([*EPSILON, "--epochs=3"], "--steps 1000 is not allowed beside --epochs 3"),
        ([*EPSILON, "--steps=3"], "more than once"),
        ([*EPSILON, "--top-rate=0.1"], "--top-rate 0.1 is not allowed beside --num-series 320"),
        ([*EPSILON, "--scenario=x.json"], "--num-series 320 is not allowed: --scenario"),
        (["epsilon", "--scenario=nowhere.json"], "'nowhere.json' cannot be read"),
        ([*EPSILON, "--flat", "--top-level=poisson"], "beside --flat"),
        ([*EPSILON, "--flat", "--subsequences=8"], "--flat is not allowed beside --subsequences 8"),
        ([*EPSILON, "--bach-size=3"], "the nearest is --batch-size"),
        (
            [*EPSILON, "--noise", "3"],
            "there is no such option for epsilon; the nearest is --noise-m",
        ),
        ([*EPSILON, "--epsilon=3"], "; the nearest is --delta."),
        (["delta", *OPTIONS, "--delta=1e-6"], "; the nearest is --epsilon."),
        ([*CALIBRATE, "--delta", "1e-6"], "; the nearest is --target-delta."),
        ([*EPSILON, "--num_channels=2"], "; the nearest is --channels."),
        ([*EPSILON, "--colour=2"], "'--colour=2' is not allowed: there is no such option"),
        (
            ["epsilon", "--num-series=2", "--series-length", "20", "30", "40", *OPTIONS[2:]],
            "--series-length 20 30 40 is not allowed: these are 3 lengths for --num-series 2",
        ),
        ([*CALIBRATE, "--target-epsilon=1", "--find=batch-size"], "--batch-size 32"),
        (
            [*CALIBRATE[:-1], "--noise-multiplier=1", "--find=epochs", "--target-epsilon=1e-8"],
            "even --epochs 1 gives",
        ),
        (
            [*CALIBRATE, "--target-epsilon=1e-6"],
            "even --noise-multiplier 100 gives epsilon at most",
        ),
        (
            [*CALIBRATE, "--subsequences=4", "--target-epsilon=1e-6"],
            "(upper bound by dpviz's Proposition 2, over",
        ),
        (
            ["calibrate", *OPTIONS, "--flat", "--find=subsequences", "--target-epsilon=4"],
            "--flat is not allowed: in one bag there are no windows per series",
        ),
        (
            ["epsilon", *RATES, *OPTIONS[5:], "--forecast-noise=2"],
            "--forecast-noise 2 is not allowed: rates determine it only along with",
        ),
        ([*SIMULATE, "--batches=9", "--steps=3"], "--steps has no effect here: which windows"),
        (
            [*HUGE, "--batch-size=1000000", "--batches=1000000"],
            "--batches 1000000 is not allowed: it must be at most 3,998 for batches of 1,000,000",
        ),
        ([*HUGE, "--batch-size=9", "--top-level=poisson", "--batches=2"], "indices, and at most 1"),
        ([*HUGE, "--batch-size=9", "--top-level=shuffled", "--batches=2"], "--batches 2 is not"),
    ],
)
def test_refusals_are_one_sentence(arguments, named, refusal_of):
    assert named in refusal_of(*arguments)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "is not JSON (Expecting value at line 1, column 1): it must hold a JSON object"),
        ("[]", "is not allowed: it must hold a JSON object"),
        ("{", "is not JSON"),
        ('{"schema": 1}', ": steps: give either steps or epochs"),
        ("\x00", "is not JSON"),
        ('{"schema": 2}', ": schema = 2 is not allowed: this version reads schema 1"),
        ('{"schema": 1, "steps": 1, "steps": 2}', "steps = 2 is not allowed: it is given more"),
        ('{"schema": %s}' % ("9" * 400), "schema = 999"),
        ('{"schema": %s}' % ("9" * 5000), "schema = 999"),
        ("[" * 100_000, "nested too deeply"),
        ('{"scenario": {"schema": 1}}', ": steps: give either steps or epochs"),
        ('{"hits": [1]}', ": hits = [1] is not allowed: there is no such field"),
    ],
)  # fmt: skip
def test_bad_scenario_files_are_refused_in_a_sentence(tmp_path, content, named, refusal_of):
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    said = refusal_of("epsilon", "--scenario", str(path))
    assert said.startswith(f"dpviz: --scenario {path}")
    assert named in said
    assert said.count("is not allowed") <= 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("as_answer", [False, True])
def test_saved_scenarios_and_own_answers_are_read(
    tmp_path, encoding, as_answer, text_of, answer_of
):
    """Also after an editor has put a byte order mark before them."""
    path = tmp_path / "saved.json"
    answer = answer_of(*EPSILON)
    content = answer if as_answer else answer["scenario"]
    path.write_text(json.dumps(content), encoding=encoding)
    assert json.loads(text_of("epsilon", "--scenario", str(path), "--json")) == answer


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_file_without_end_is_refused_at_once(refusal_of):
    """No more of a file is read than a scenario can have."""
    assert "more than the 1,000,000 bytes that are read" in refusal_of(
        "epsilon", "--scenario", "/dev/zero"
    )


@pytest.mark.parametrize("name", ["line\nbreak.json", "x" * 5000, "nul\x00.json"])
def test_odd_paths_are_told_on_one_short_line(tmp_path, name, refusal_of):
    if name.startswith("line"):
        (tmp_path / name).write_text("[]")
    assert len(refusal_of("epsilon", "--scenario", str(tmp_path / name))) < 700


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_what_it_does_not_take_and_says_what_it_needs(
    name, tmp_path, monkeypatch, refusal_of
):
    monkeypatch.chdir(tmp_path)  # whose path a blank one would be
    command = COMMANDS[name]
    said = f"'--bogus' is not allowed: there is no such option for {name}"
    assert said in refusal_of(name, "--bogus", "1")
    if command.file is not None:
        assert refusal_of(name) == f"dpviz: {command.lacks}.\n"
        assert f"{command.file[1]} must not be blank" in refusal_of(name, " ")
    for setting in command.needs[:1]:
        said = refusal_of(name)
        assert said.startswith(f"dpviz: {option_of(setting.name)} is needed: ")
        assert setting.option_allows.removeprefix("a number") in said
    for setting in command.own.values():
        option, wrong = option_of(setting.name), {}
        if setting.choices:
            wrong = {"magic": "magic"}
        elif setting.is_number:
            low, high = setting.limits
            wrong = {text: text for text in (f"{low - 1}", f"{2 * high + 1}", "nan", "many")}
        elif setting.check is not None:
            wrong = {text: repr(text) for text in ("", " ", "\0")}
        for value, shown in wrong.items():
            told = f"dpviz: {option} {shown} is not allowed: it must be "
            assert refusal_of(name, f"{option}={value}").startswith(told)
    assert not any(tmp_path.iterdir())
