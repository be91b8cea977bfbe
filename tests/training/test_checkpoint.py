"""A run that was interrupted goes on, and never forgets what it has spent."""

import functools
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpviz.planning.target import Target
from dpviz.scenario import Sampling
from dpviz.scenario.mechanism import WALKS
from dpviz.training import budgeted_run
from dpviz.training.checkpoint import FILE_NAME, CheckpointError
from dpviz.training.models import LinearForecaster
from dpviz.training.panel import Panel
from dpviz.training.run import train, trained
from dpviz.training.split import split
from tests.training.runs import CONTEXT, FORECAST, PANEL, PARTS, same_result, scenario, settings

ROOT = Path(__file__).parents[2]
BUDGET = Target(epsilon=60.0, delta=1e-5)
TOP_LEVELS = ("without-replacement", "deterministic", "shuffled", "bins", "poisson")


@pytest.fixture(autouse=True)
def _budgets_are_looked_up_once(monkeypatch):
    """The same budgets are asked for many times here; looking one up takes tenths of a second."""
    monkeypatch.setattr(budgeted_run, "BudgetTracker", looked_up)


looked_up = functools.cache(budgeted_run.BudgetTracker)


class PowerCut(BaseException):
    """Ends a run as a kill does: nothing is tidied up after it."""


class Failing(LinearForecaster):
    """The linear forecaster, until a number of its gradients have been computed."""

    def __init__(self, after):
        super().__init__(CONTEXT, FORECAST, PANEL.period)
        self.left = after

    def clipped_gradient(self, *arguments):
        """Compute a gradient, or fail."""
        if arguments[-1] != 1.0:  # no evaluation
            self.left -= 1
            if self.left < 0:
                raise PowerCut
        return super().clipped_gradient(*arguments)


def run_of(top_level, **changes):
    sampling = Sampling(batch_size=2, top_level=top_level)
    told = {
        "scenario": scenario(sampling=sampling),
        "target": BUDGET,
        "clipping_norm": 0.9,
        "most_steps": 22,
        "evaluate_every": 3,
    }
    return settings(**(told | changes))


def told_in(folder):
    """Return what a checkpoint has beside arrays."""
    with np.load(folder / FILE_NAME) as file:
        return json.loads(str(file["told"]))


def cut_after(steps, wanted, folder):
    with pytest.raises(PowerCut):
        trained(wanted, PANEL, forecaster=Failing(steps), checkpoints=folder)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("top_level", "validation"), [*((level, "curve") for level in TOP_LEVELS), ("shuffled", "best")]
)
def test_a_resumed_run_equals_the_uninterrupted_one(top_level, validation, tmp_path):
    """With a seed: parameters, curve, forecasts and epsilon, to the last digit."""
    wanted = run_of(top_level, validation=validation)
    whole = trained(wanted, PANEL)
    for cut in (0, 4, 11):  # each on top of what the one before has left
        cut_after(cut, wanted, tmp_path)
    assert same_result(trained(wanted, PANEL, checkpoints=tmp_path), whole)
    assert same_result(trained(wanted, PANEL, checkpoints=tmp_path), whole), "asked once more"


@pytest.mark.every(2)
@pytest.mark.parametrize("top_level", TOP_LEVELS)
def test_what_an_interruption_lost_is_spent(top_level, tmp_path):
    """Without a seed the lost steps' noise is lost, so their like are further steps."""
    wanted = run_of(top_level, seed=None)
    cut_after(5, wanted, tmp_path)
    first = next(train(wanted, PANEL, checkpoints=tmp_path))
    is_walk = top_level in WALKS
    # Steps 4 to 6 were reserved; a walk of 4 steps a pass begins anew after the second one.
    assert (first.step, first.spent.steps) == (3, 8 if is_walk else 6)
    result = trained(wanted, PANEL, checkpoints=tmp_path)
    assert result.steps == 22
    assert result.spent.steps == result.steps + (5 if is_walk else 3)
    uninterrupted = trained(wanted, PANEL)
    assert result.epsilon_spent >= uninterrupted.epsilon_spent
    assert (result.epsilon_spent > uninterrupted.epsilon_spent) or is_walk


@pytest.mark.parametrize(("reserved", "spent"), [(1, 8), (8, 8), (9, 16), (33, 35), (36, 36)])
def test_of_a_walk_a_pass_that_was_begun_is_spent_whole_within_the_budget(reserved, spent):
    walk = scenario(sampling=Sampling(batch_size=1, top_level="deterministic"))
    spending = budgeted_run.Spending(settings(scenario=walk, most_steps=1000))
    spending.last_allowed = 35
    spending.lose(reserved)
    assert spending.accounted == spent
    spending.lose(1)
    assert spending.accounted == spent


@pytest.mark.parametrize("top_level", TOP_LEVELS)
def test_a_finished_run_that_is_opened_again_has_lost_nothing(top_level, tmp_path):
    """Also one without a seed: nothing was under way, and nothing is spent again."""
    wanted = run_of(top_level, seed=None)
    ended = trained(wanted, PANEL, checkpoints=tmp_path)
    again = trained(wanted, PANEL, checkpoints=tmp_path)
    assert same_result(again, ended)
    assert (again.spent.steps, ended.spent.steps) == (22, 22)


def test_with_a_seed_the_steps_on_disk_count_before_they_are_taken_again(tmp_path):
    """What an observer may have seen of the first process is told at once."""
    wanted = run_of("without-replacement")
    cut_after(5, wanted, tmp_path)
    first = next(train(wanted, PANEL, checkpoints=tmp_path))
    assert (first.step, first.spent.steps) == (3, 6)
    assert trained(wanted, PANEL, checkpoints=tmp_path).spent.steps == 22


def test_lost_steps_shorten_a_run_whose_budget_ends(tmp_path):
    wanted = run_of("without-replacement", seed=None, most_steps=10**6,
                    target=Target(epsilon=6.0, delta=1e-5))  # fmt: skip
    cut_after(5, wanted, tmp_path)
    result = trained(wanted, PANEL, checkpoints=tmp_path)
    assert result.spent.steps == result.last_allowed == result.steps + 3
    assert result.epsilon_spent <= 6.0


def test_steps_are_on_disk_before_they_are_taken(tmp_path):
    wanted = run_of("without-replacement")

    class Looking(Failing):
        def clipped_gradient(self, *arguments):
            if arguments[-1] != 1.0:
                reserved.append(told_in(tmp_path)["reserved"])
            return super().clipped_gradient(*arguments)

    reserved = []
    trained(wanted, PANEL, forecaster=Looking(100), checkpoints=tmp_path)
    assert len(reserved) == 22
    assert all(on_disk >= step for step, on_disk in enumerate(reserved, start=1))


def test_a_disk_that_is_full_ends_a_run_before_its_next_steps(tmp_path, monkeypatch):
    wanted, forecaster = run_of("without-replacement"), Failing(100)
    run = train(wanted, PANEL, forecaster=forecaster, checkpoints=tmp_path)
    assert [next(run).step for _ in range(2)] == [0, 3]

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            next(run)
    assert forecaster.left == 97
    assert [path.name for path in tmp_path.glob(".*")] == []
    assert same_result(trained(wanted, PANEL, checkpoints=tmp_path), trained(wanted, PANEL))


def test_noise_that_could_be_subtracted_is_not_written_down(tmp_path):
    """States of random generators are in a checkpoint only if a known seed gives them away."""
    for seed in (None, 5):
        trained(run_of("shuffled", seed=seed), PANEL, checkpoints=tmp_path / str(seed))
        assert (told_in(tmp_path / str(seed))["randomness"] is None) == (seed is None)
    if os.name == "posix":
        assert (tmp_path / "5" / FILE_NAME).stat().st_mode & 0o077 == 0


def _shortened(content):
    return content[: len(content) // 2]


def _flipped(content):
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize("damage", [_shortened, _flipped, lambda _: b"", lambda _: b"PK" * 99])
def test_a_damaged_checkpoint_is_refused(damage, tmp_path):
    """Beginning anew would forget what was spent."""
    wanted = run_of("without-replacement")
    trained(wanted, PANEL, checkpoints=tmp_path)
    path = tmp_path / FILE_NAME
    content = damage(path.read_bytes())
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"is damaged .* count its whole target as spent"):
        trained(wanted, PANEL, checkpoints=tmp_path)
    assert path.read_bytes() == content


def test_a_checkpoint_runs_no_program(tmp_path):
    """A pickle could; it is refused like anything else that is no checkpoint."""
    wanted = run_of("without-replacement")
    trained(wanted, PANEL, checkpoints=tmp_path)
    with np.load(tmp_path / FILE_NAME) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(tmp_path / FILE_NAME, **(arrays | {"parameters": np.array([object()])}))
    with pytest.raises(CheckpointError, match="Object arrays cannot be loaded"):
        trained(wanted, PANEL, checkpoints=tmp_path)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": 6}, "seed is 5 there and 6 here"),
        ({"learning_rate": 0.5}, "learning_rate is 0.005 there and 0.5 here"),
        ({"target": Target(epsilon=61.0, delta=1e-5)}, "target is"),
        (
            {"scenario": scenario(sampling=Sampling(batch_size=4))},
            "batch_size is 2 there and 4 here",
        ),
        ({"target": None}, "target is"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(changes, named, tmp_path):
    wanted = run_of("without-replacement")
    trained(wanted, PANEL, checkpoints=tmp_path)
    with pytest.raises(CheckpointError, match=named):
        trained(replace(wanted, **changes), PANEL, checkpoints=tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="there are no such locks")
def test_two_processes_do_not_train_in_one_folder(tmp_path):
    first = train(run_of("poisson"), PANEL, checkpoints=tmp_path)
    next(first)
    with pytest.raises(CheckpointError, match="another process trains in"):
        next(train(run_of("poisson"), PANEL, checkpoints=tmp_path))
    first.close()
    assert next(train(run_of("poisson"), PANEL, checkpoints=tmp_path)).step == 0


_CHILD = """
import os, sys
from pathlib import Path
from dpviz.training.mechanism import Mechanism
from dpviz.training.run import trained
from tests.training.runs import PANEL, settings
from tests.training.test_checkpoint import LONG

log = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
inner = Mechanism.gradient

def logged(self, parameters, batch):
    gradient = inner(self, parameters, batch)
    os.write(log, b"%r\\n" % gradient.tolist())
    return gradient

Mechanism.gradient = logged
trained(settings(**LONG, seed=eval(sys.argv[3])), PANEL, checkpoints=Path(sys.argv[1]))
"""
LONG = {"most_steps": 400, "evaluate_every": 7, "target": Target(epsilon=200.0, delta=1e-5)}


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
@pytest.mark.parametrize("seed", [5, None])
def test_killed_processes_never_report_less_than_they_spent(seed, tmp_path):
    """Real processes, killed at random moments: each gradient that was ever made is counted."""
    chance, log, folder = random.Random(1), tmp_path / "log", tmp_path / "run"
    log.touch()
    kills = 0
    for _ in range(8):
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(folder), str(log), repr(seed)], cwd=ROOT
        )
        begun = len(log.read_bytes())
        while child.poll() is None and len(log.read_bytes()) == begun:
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 0.15))
        child.send_signal(signal.SIGKILL)
        kills += child.wait() == -signal.SIGKILL
        made = log.read_text().splitlines()
        first = next(train(settings(**LONG, seed=seed), PANEL, checkpoints=folder))
        released = len(set(made)) if seed is not None else len(made)
        assert first.spent is not None
        assert first.spent.steps >= released
    assert kills >= 2
    result = trained(settings(**LONG, seed=seed), PANEL, checkpoints=folder)
    assert result.steps == 400
    if seed is not None:
        assert same_result(result, trained(settings(**LONG, seed=seed), PANEL))


def edited(series: int, place: int) -> Panel:
    """Return the panel with one value changed by a little."""
    changed = [values.copy() for values in PANEL.series]
    changed[series][place] = np.nextafter(changed[series][place], np.inf)
    return replace(PANEL, series=tuple(changed))


@pytest.mark.parametrize("place", [0, -3, -1], ids=["trained on", "held out", "test"])
def test_a_seeds_noise_is_not_used_on_other_data(place, tmp_path):
    """The difference of two models with one noise is that of their data."""
    trained(settings(), PANEL, checkpoints=tmp_path)
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(CheckpointError, match=r"the same seed on other data: .* another folder"):
        trained(settings(), edited(7, place), checkpoints=tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_without_a_seed_a_checkpoint_tells_nothing_of_single_values(tmp_path):
    """A digest would show whoever guesses all values that the guess is right; noise is fresh."""
    trained(settings(seed=None), PANEL, checkpoints=tmp_path)
    assert told_in(tmp_path)["identity"]["data"] is None
    result = trained(settings(seed=None), edited(7, 0), checkpoints=tmp_path)
    assert result.steps == 12


def test_a_digest_tells_where_one_series_ends_and_the_next_begins():
    """The same values cut otherwise are other data."""
    ends = (20, 24), (24, 20)
    values = np.arange(44.0)
    found = set()
    for lengths in ends:
        panel = Panel(
            series=(values[: lengths[0]], values[lengths[0] :]), names=("a", "b"), period=4
        )
        found.add(split(panel, CONTEXT, FORECAST).digest())
    assert len({*found, PARTS.digest()}) == 3
    assert PARTS.digest() == split(PANEL, CONTEXT, FORECAST).digest()
