"""What is wrong is said in one sentence that names option, value and what is allowed."""

import pytest

from dpviz.command_line import main

SHAPE = ["--num-series=320", "--series-length=20", "--context-length=1", "--forecast-length=1"]
OPTIONS = [*SHAPE, "--batch-size=32", "--noise-multiplier=1", "--steps=1000"]
EPSILON = ["epsilon", *OPTIONS]
CALIBRATE = ["calibrate", *SHAPE, "--batch-size=32", "--steps=1000"]


def replaced(name, value):
    return [f"{name}={value}" if option.startswith(name) else option for option in EPSILON]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "a command is needed"),
        (["guess"], "'guess'"),
        (["epsilon"], "--steps or --epochs is needed"),
        (["epsilon", "--steps=1", "--num-series=3"], "--series-length is needed"),
        (["epsilon", *SHAPE, "--steps=1", "--noise-multiplier=1"], "--batch-size is needed"),
        ([*EPSILON, "--delta", "2"], "--delta 2 is not allowed: it must be a number from 1e-15"),
        ([*EPSILON, "--delta", "nan"], "--delta nan"),
        ([*EPSILON, "--delta", "-1e-7"], "--delta -1e-07"),
        ([*EPSILON, "--delta"], "--delta: expected at least one argument"),
        (["delta", *OPTIONS], "--epsilon is needed"),
        (["delta", *OPTIONS, "--epsilon", "-inf"], "--epsilon -inf"),
        (replaced("--noise-multiplier", "0.01"), "--noise-multiplier 0.01 is not allowed: it must"),
        (replaced("--noise-multiplier", "loud"), "--noise-multiplier loud is not allowed: it must"),
        (replaced("--num-series", "0"), "--num-series 0"),
        (replaced("--series-length", "many"), "--series-length many"),
        (replaced("--batch-size", "2000"), "--batch-size 2000 is not allowed: it must be at most"),
        (replaced("--steps", "1.5"), "--steps 1.5"),
        ([*EPSILON, "--subsequences=33"], "it must be at least --subsequences (33)"),
        ([*EPSILON, "--channels=0"], "--channels 0"),
        ([*EPSILON, "--relation=family"], "--relation family is not allowed: it must be one of"),
        ([*EPSILON, "--top-level=x"], "--top-level x is not allowed: it must be one of"),
        ([*EPSILON, "--epochs=3"], "--steps 1000 is not allowed beside --epochs 3"),
        ([*EPSILON, "--steps=3"], "more than once"),
        ([*EPSILON, "--top-rate=0.1"], "--top-rate 0.1 is not allowed beside --num-series 320"),
        ([*EPSILON, "--scenario=x.json"], "--num-series 320 is not allowed: --scenario"),
        (["epsilon", "--scenario=nowhere.json"], "'nowhere.json' cannot be read"),
        ([*EPSILON, "--flat", "--top-level=poisson"], "beside --flat"),
        ([*EPSILON, "--flat", "--bottom-level=poisson"], "--flat is not allowed"),
        ([*EPSILON, "--bach-size=3"], "the nearest is --batch-size"),
        ([*EPSILON, "--noise", "3"], "there is no such option"),
        (CALIBRATE, "--target-epsilon is needed"),
        ([*CALIBRATE, "--target-epsilon=0"], "--target-epsilon 0"),
        ([*CALIBRATE, "--target-epsilon=1", "--target-delta=1"], "--target-delta 1"),
        ([*CALIBRATE, "--target-epsilon=1", "--find=luck"], "--find luck"),
        ([*CALIBRATE, "--target-epsilon=1", "--find=batch-size"], "--batch-size 32"),
        ([*CALIBRATE, "--target-epsilon=1", "--find=epochs"], "beside --find epochs"),
        ([*CALIBRATE, "--target-epsilon=1e-6"], "even --noise-multiplier 100 gives epsilon"),
        (["simulate", *OPTIONS], "--batches is needed"),
        (["simulate", *OPTIONS, "--batches=0"], "--batches 0"),
        (["simulate", *OPTIONS, "--batches=9", "--seed=-1"], "--seed -1"),
        (["simulate", *OPTIONS, "--batches=9", "--flat"], "--flat is not allowed"),
    ],
)
def test_refusals_are_one_sentence(capsys, arguments, named):
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert named in said.err
    assert said.err.startswith("dpviz: ")
    assert said.err.count("\n") == 1
    assert said.err.endswith(".\n")
    assert not said.err.endswith("..\n")


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema": 1}', "\x00", '{"schema": 2}'])
def test_bad_scenario_files_are_refused_in_a_sentence(tmp_path, capsys, content):
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    assert main(["epsilon", "--scenario", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"dpviz: --scenario {path}")
    assert said.count("\n") == 1
