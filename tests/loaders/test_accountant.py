"""Steps are counted as the theorem composes them, and what is refused before, without PyTorch."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.accounting import account_for
from dpviz.loaders import LoaderError, StructuredBatchSampler, WindowDataset
from dpviz.loaders.accountant import StructuredAccountant
from dpviz.loaders.batch_sampler import check_loader, check_model
from dpviz.scenario import PRESETS, Noise, Relation, Training

TOY = PRESETS["toy"].scenario


def accountant_of(one=TOY):
    return StructuredAccountant(StructuredBatchSampler(one))


def optimizer_of(windows, **other):
    known = {
        "loss_reduction": "mean",
        "expected_batch_size": 32,
        "accumulated_iterations": 1,
        "grad_samples": [range(windows)],
        "_is_last_step_skipped": False,
        "noise_multiplier": TOY.noise.noise_multiplier,
    }
    return SimpleNamespace(**known | other)


def test_epsilon_after_some_steps_is_that_of_a_scenario_of_as_many():
    counted = accountant_of()
    before_update = counted.get_optimizer_hook_fn(sample_rate=0.1)
    assert counted.get_epsilon(1e-7) == 0.0
    for _ in counted.sampler:
        before_update(optimizer_of(32))
    assert len(counted) == 10
    ten = replace(TOY, training=Training(unit="steps", count=10))
    assert counted.get_epsilon(1e-7) == account_for(ten).upper.quoted_epsilon_at(1e-7)
    assert counted.get_epsilon(1e-5) < counted.get_epsilon(1e-7)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"expected_batch_size": 54}, "set optimizer.expected_batch_size = 32"),
        ({"accumulated_iterations": 2}, "2 batches together"),
        ({"grad_samples": [range(31)]}, "gradients of 31 windows, and 32 were drawn"),
        ({"noise_multiplier": 0.9}, "noise multiplier 0.9"),
    ],
)
def test_another_step_is_refused_and_not_counted(other, said):
    counted = accountant_of()
    next(iter(counted.sampler))
    with pytest.raises(LoaderError, match=said):
        counted.get_optimizer_hook_fn(sample_rate=0.1)(optimizer_of(32, **other))
    assert len(counted) == 0


def test_a_step_without_a_drawn_batch_is_refused():
    with pytest.raises(LoaderError, match="did not draw"):
        accountant_of().get_optimizer_hook_fn(sample_rate=0.1)(optimizer_of(32))


def test_the_state_of_another_accountant_is_refused():
    with pytest.raises(ValueError, match="another accountant"):
        accountant_of().load_state_dict({"mechanism": "rdp", "history": []})


def test_steps_of_another_scenario_are_not_taken_for_its_own():
    louder = replace(TOY, noise=Noise(noise_multiplier=4.0))
    counted = accountant_of()
    for _ in range(10):
        counted.step(noise_multiplier=1.0, sample_rate=0.1)
    saved = counted.state_dict()
    with pytest.raises(ValueError, match=r"noise_multiplier was 1\.0, and is 4\.0 here"):
        accountant_of(louder).load_state_dict(saved)
    with pytest.raises(ValueError, match="another scenario"):
        accountant_of().load_state_dict({"mechanism": "dpviz", "history": saved["history"]})
    longer = accountant_of(replace(TOY, training=Training(unit="epochs", count=7), delta=1e-3))
    longer.load_state_dict(saved)
    assert longer.get_epsilon(1e-7) == counted.get_epsilon(1e-7)


class _BatchNorm:
    pass


class BatchNorm1d(_BatchNorm):
    """As PyTorch names it."""


class _InstanceNorm:
    def __init__(self, tracks):
        self.track_running_stats = tracks


def model_of(*layers):
    named = [("", object()), *((f"layers.{at}", layer) for at, layer in enumerate(layers))]
    return SimpleNamespace(named_modules=lambda: named)


def test_layers_that_look_at_other_windows_are_refused():
    check_model(model_of(object(), _InstanceNorm(tracks=False)))
    with pytest.raises(LoaderError, match=r"layers\.1 is batch normalisation.*GroupNorm"):
        check_model(model_of(object(), BatchNorm1d()))
    with pytest.raises(LoaderError, match="track_running_stats=False"):
        check_model(model_of(_InstanceNorm(tracks=True)))


def test_a_loader_has_to_take_its_batches_from_the_sampler():
    sampler = StructuredBatchSampler(TOY)
    check_loader(
        SimpleNamespace(batch_sampler=sampler, dataset=range(len(sampler.numbers))), sampler
    )
    other = SimpleNamespace(
        batch_sampler=object(), sampler=object(), dataset=range(len(sampler.numbers))
    )
    with pytest.raises(LoaderError, match="batch_sampler=sampler"):
        check_loader(other, sampler)
    with pytest.raises(LoaderError, match="3,199 windows, and the sampler draws from"):
        check_loader(SimpleNamespace(batch_sampler=sampler, dataset=range(3199)), sampler)


@pytest.mark.parametrize("added", [Noise(noise_multiplier=1.0), None])
def test_data_without_the_noise_on_windows_that_was_accounted_for_are_refused(added):
    noisy = replace(
        TOY,
        noise=Noise(noise_multiplier=1.0, context_noise=2.0, forecast_noise=1.0),
        relation=Relation(max_change=3.0),
    )
    sampler = StructuredBatchSampler(noisy)
    data = WindowDataset(np.ones((320, 20)), noisy)
    check_loader(SimpleNamespace(batch_sampler=sampler, dataset=data), sampler)
    data = (
        range(len(data)) if added is None else WindowDataset(data.series, replace(TOY, noise=added))
    )
    with pytest.raises(LoaderError, match=r"adds no noise to windows.*'context_noise': 2\.0"):
        check_loader(SimpleNamespace(batch_sampler=sampler, dataset=data), sampler)
    other = WindowDataset(np.ones((320, 20)), replace(noisy, relation=Relation(max_change=0.3)))
    with pytest.raises(LoaderError, match=r"'max_change': 0\.3"):
        check_loader(SimpleNamespace(batch_sampler=sampler, dataset=other), sampler)


def test_a_refusal_says_what_to_write_instead():
    problem = LoaderError("the sum is divided by 3", "set expected_batch_size = 4")
    assert str(problem) == "the sum is divided by 3: set expected_batch_size = 4."
    assert problem.fix == "set expected_batch_size = 4"


def test_steps_are_taken_on_batches_in_the_order_of_drawing():
    sampler = StructuredBatchSampler(TOY)
    passes = iter(sampler)
    sizes = [len(next(passes)) for _ in range(3)]
    assert [sampler.next_size() for _ in range(3)] == sizes
    with pytest.raises(LoaderError, match="did not draw"):
        sampler.next_size()
