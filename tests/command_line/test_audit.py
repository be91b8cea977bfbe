"""``python -m dpviz audit`` looks at a sampler in the folder; its exit code says what it found."""

import sys
from pathlib import Path

import pytest

from dpviz.command_line import main
from dpviz.loaders.audit_laws import FALSE_ALARM

SHAPE = ["--num-series=40", "--series-length=60", "--context-length=12", "--forecast-length=4"]
OPTIONS = [*SHAPE, "--batch-size=10", "--batches=300"]
SAMPLERS = """
import numpy as np

def drawn(series, seed, replace=False, width=16):
    rng = np.random.default_rng(seed)
    while True:
        for owner in [rng.choice(len(series), 10, replace=replace)]:
            padded = [np.concatenate([np.zeros(12), series[at]]) for at in owner]
            starts = rng.integers(0, 57, 10)
            yield np.stack([one[at : at + width] for one, at in zip(padded, starts)])

def replaced(series, seed):
    return drawn(series, seed, replace=True)

def nothing(series, seed):
    return []

def stopping(series, seed):
    yield np.ones((10, 16))[:0]
    raise ValueError(f"no\\nseries {len(series)}")

def one_argument(series):
    return drawn(series, 0)

def late(series, seed):
    import neighbour_of_samplers

    return neighbour_of_samplers.drawn(series, seed)

constant = 3
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = f"samplers_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(SAMPLERS, encoding="utf-8")
    return name


def test_a_fault_is_told_and_the_exit_code_says_so(folder, capsys):
    assert main(["audit", f"{folder}:replaced", *OPTIONS]) == 1
    said = capsys.readouterr().out
    assert "FAULT: windows of a drawn series" in said


def test_a_right_sampler_passes_and_has_all_shares_with_their_limits(folder, both_of):
    answer, said = both_of("audit", f"{folder}:drawn", *OPTIONS)
    assert said.startswith("300 batches, ")
    assert "; faults: 0\n" in said
    assert "FAULT" not in said
    assert answer["passed"]
    assert answer["scenario"]["num_series"] == 40
    assert len(answer["shares"]) > 40
    for share in answer["shares"]:
        low, high = share["limits"]
        assert low <= share["count"] / share["cases"] <= high
        assert low <= share["expected"] <= high


def test_a_sampler_may_import_its_neighbours_when_it_runs(folder, tmp_path, monkeypatch, both_of):
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])  # as of a script's own
    monkeypatch.delitem(sys.modules, "neighbour_of_samplers", raising=False)
    (tmp_path / "neighbour_of_samplers.py").write_text(SAMPLERS, encoding="utf-8")
    before = [*sys.path]
    answer, _ = both_of("audit", f"{folder}:late", *OPTIONS[:-1], "--batches=3")
    assert answer["batches"] == 3
    assert sys.path == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("drawn", "it must be MODULE:FUNCTION"),
        (".{}:drawn", "it must be MODULE:FUNCTION"),
        ("nowhere_at_all:drawn", "there is no module nowhere_at_all here"),
        ("{}:missing", "has no function missing"),
        ("{}:constant", "has no function constant"),
        ("{}:nothing", "the sampler yields no batch: yield all batches of training"),
        ("{0}:stopping", "stops in line 20 of {0}.py: ValueError: no series 40"),
        ("{}:one_argument", "the sampler stops: TypeError: one_argument() takes 1 positional"),
    ],
)
def test_what_cannot_be_looked_at_is_refused(folder, name, said, refusal_of):
    assert said.format(folder) in refusal_of("audit", name.format(folder), *OPTIONS)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import no_such_package", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("def drawn(:", "SyntaxError: "),
        ("from own_broken import nothing", "ImportError: cannot import name 'nothing'"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_with_its_own_error(source, said, refusal_of):
    Path("own_broken.py").write_text(source, encoding="utf-8")
    told = f"module own_broken cannot be imported: {said}"
    assert told in refusal_of("audit", "own_broken:drawn", *OPTIONS)


def test_what_changes_no_batch_is_refused(folder, refusal_of):
    assert "which windows audit draws does not depend on it" in refusal_of(
        "audit", f"{folder}:drawn", *OPTIONS, "--noise-multiplier=2"
    )


def test_the_page_names_the_probability_of_a_false_alarm():
    page = Path(__file__).parents[2] / "docs" / "your-training.md"
    assert f"1/{1 / FALSE_ALARM:.0f}" in page.read_text(encoding="utf-8")
