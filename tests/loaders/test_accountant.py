"""Steps are counted as the theorem composes them, and what is refused before, without PyTorch."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.accounting import account_for
from dpviz.loaders import LoaderError, StructuredBatchSampler, WindowDataset
from dpviz.loaders.batch_sampler import check_loader, check_model
from dpviz.loaders.opacus import StructuredAccountant
from dpviz.scenario import Noise, Relation, Training
from tests.scenario.changes import TOY


def accountant_of(one=TOY):
    return StructuredAccountant(StructuredBatchSampler(one))


def optimizer_of(counted, windows, **other):
    """Return an optimiser that has clipped the gradients of so many windows."""
    known = {
        "loss_reduction": "mean",
        "expected_batch_size": 32,
        "accumulated_iterations": 1,
        "grad_samples": [range(windows)],
        "clip_and_accumulate": lambda: None,
        "noise_multiplier": TOY.noise.noise_multiplier,
    }
    found = SimpleNamespace(**known | other)
    counted.count_clipped(found)
    found.clip_and_accumulate()
    return found


def test_epsilon_after_some_steps_is_that_of_a_scenario_of_as_many():
    counted = accountant_of()
    before_update = counted.get_optimizer_hook_fn(sample_rate=0.1)
    assert counted.get_epsilon(1e-7) == 0.0
    for _ in counted.sampler:
        before_update(optimizer_of(counted, 32))
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
        counted.get_optimizer_hook_fn(sample_rate=0.1)(optimizer_of(counted, 32, **other))
    assert len(counted) == 0


def test_a_step_without_a_drawn_batch_is_refused():
    counted = accountant_of()
    with pytest.raises(LoaderError, match="did not draw"):
        counted.get_optimizer_hook_fn(sample_rate=0.1)(optimizer_of(counted, 32))


def test_batches_that_were_skipped_are_in_the_sum_of_the_next_step():
    """Two batches with the noise of one would be told as one step."""
    counted = accountant_of()
    before_update, batches = counted.get_optimizer_hook_fn(sample_rate=0.1), iter(counted.sampler)
    parts = optimizer_of(counted, 20)
    parts.grad_samples = [range(12)]
    parts.clip_and_accumulate()
    next(batches)
    before_update(parts)
    assert len(counted) == 1
    for _ in range(2):
        next(batches)
    optimizer_of(counted, 32)  # its step is skipped
    with pytest.raises(LoaderError, match="gradients of 64 windows, and 32 were drawn"):
        before_update(optimizer_of(counted, 32))
    assert len(counted) == 1


def test_a_layer_that_reads_parts_of_windows_as_rows_is_refused():
    """Clipped layer by layer, a window would count as often as it has parts."""
    counted, clipped = accountant_of(), []
    parts = optimizer_of(counted, 0, clip_and_accumulate=lambda: clipped.append(1))
    parts.grad_samples = [range(32), range(96)]
    with pytest.raises(LoaderError, match=r"gradients of 32 and 96 rows .* \(windows, parts, num"):
        parts.clip_and_accumulate()
    assert len(clipped) == 1, "of the first, empty sum alone"


def test_the_state_of_a_walk_has_its_passes_not_its_steps():
    """A loop that leaves each pass early begins the next one with the same series."""
    walk = replace(TOY, sampling=replace(TOY.sampling, top_level="deterministic"))
    counted = accountant_of(walk)
    before_update = counted.get_optimizer_hook_fn(sample_rate=0.1)
    for _ in range(5):
        for at, _ in enumerate(counted.sampler):
            if at == 9:  # drawn, and not trained on
                break
            before_update(optimizer_of(counted, 32))
    assert (len(counted), counted.scenario.num_epochs) == (45, 5)
    assert accountant_of(walk).state_dict()["history"] == []
    again = accountant_of(walk)
    again.load_state_dict(counted.state_dict())
    assert again.scenario.num_epochs == 5
    assert again.get_epsilon(1e-7) == counted.get_epsilon(1e-7)


def test_the_state_of_another_accountant_is_refused():
    with pytest.raises(ValueError, match="another accountant"):
        accountant_of().load_state_dict({"mechanism": "rdp", "history": []})


def test_saved_steps_take_the_place_of_none():
    counted = accountant_of()
    saved = counted.state_dict()
    counted.step(noise_multiplier=1.0, sample_rate=0.1)
    with pytest.raises(ValueError, match="steps were counted here already"):
        counted.load_state_dict(saved)
    assert len(counted) == 1


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
    data = range(len(sampler.numbers))
    check_loader(SimpleNamespace(batch_sampler=sampler, dataset=data), sampler)
    other = SimpleNamespace(batch_sampler=object(), sampler=object(), dataset=data)
    with pytest.raises(LoaderError, match="batch_sampler=sampler"):
        check_loader(other, sampler)
    with pytest.raises(LoaderError, match="3,199 windows, and the sampler draws from"):
        check_loader(SimpleNamespace(batch_sampler=sampler, dataset=range(3199)), sampler)


def test_as_many_windows_that_are_others_are_refused():
    """Longer contexts hold a protected value more often than was accounted for."""
    lengths = (20,) * 319 + (30,)
    one = replace(TOY, data=replace(TOY.data, series_lengths=(20, 30)))
    series = [np.ones(length) for length in lengths]
    sampler = StructuredBatchSampler(one, lengths)
    loader = SimpleNamespace(batch_sampler=sampler, dataset=WindowDataset(series, one))
    check_loader(loader, sampler)
    loader.dataset = WindowDataset(series[::-1], one)
    with pytest.raises(LoaderError, match=r"another order.*series_lengths=data\.series_lengths"):
        check_loader(loader, sampler)
    longer = replace(one, data=replace(one.data, context_length=5))
    loader.dataset = WindowDataset(series, longer)
    with pytest.raises(LoaderError, match="have 5 and 1 values, and 1 and 1 were accounted for"):
        check_loader(loader, sampler)


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
    other = range(len(data))
    data = other if added is None else WindowDataset(data.series, replace(TOY, noise=added))
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
