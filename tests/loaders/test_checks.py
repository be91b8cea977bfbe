"""What is refused before training, without PyTorch: by stand-ins of the same names."""

from types import SimpleNamespace

import pytest

from dpviz.loaders import LoaderError, StructuredBatchSampler
from dpviz.loaders.batch_sampler import check_loader, check_model
from dpviz.scenario import PRESETS

TOY = PRESETS["toy"].scenario


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
