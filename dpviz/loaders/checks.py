"""What a model, a loader and a step must not be. Nothing here imports PyTorch."""

from typing import Any

from dpviz.loaders.batch_sampler import LoaderError, StructuredBatchSampler


def check_model(model: Any) -> None:
    """Refuse layers whose output for one window depends on other windows.

    Args:
        model: a ``torch.nn.Module``.

    Raises:
        LoaderError: names the layer and what to put in its place.
    """
    for name, layer in model.named_modules():
        kinds = {kind.__name__ for kind in type(layer).__mro__}
        if "_BatchNorm" in kinds:
            raise LoaderError(
                f"layer {name or 'itself'} is batch normalisation ({type(layer).__name__}), "
                "through which one window changes the gradients of all others",
                "put torch.nn.GroupNorm or torch.nn.LayerNorm in its place",
            )
        if "_InstanceNorm" in kinds and layer.track_running_stats:
            raise LoaderError(
                f"layer {name or 'itself'} keeps statistics of all windows without noise",
                "make it with track_running_stats=False",
            )


def check_loader(loader: Any, sampler: StructuredBatchSampler) -> None:
    """Refuse a loader that draws, drops or repeats windows by itself.

    Args:
        loader: a ``torch.utils.data.DataLoader``.

    Raises:
        LoaderError: names what is otherwise, and the line to write.
    """
    if getattr(loader, "batch_sampler", None) is not sampler:
        kind = type(getattr(loader, "sampler", loader)).__name__
        raise LoaderError(
            f"the loader draws its batches by {kind}, not by the scenario's scheme "
            "(shuffle, sampler, batch_size and drop_last are schemes of their own)",
            "write DataLoader(data, batch_sampler=sampler, collate_fn=tensors) without them",
        )
    if len(loader.dataset) != len(sampler.numbers):
        raise LoaderError(
            f"the data set has {len(loader.dataset):,} windows, and the sampler draws from "
            f"{len(sampler.numbers):,}",
            "make the data by WindowDataset(series, scenario), and the sampler with "
            "series_lengths=data.series_lengths",
        )


def check_step(optimizer: Any, sampler: StructuredBatchSampler) -> None:
    """Refuse a step that is not the next batch's, or is divided by another number.

    Args:
        optimizer: an ``opacus.optimizers.DPOptimizer`` before its update.

    Raises:
        LoaderError: names what is otherwise.
    """
    size, divisor = sampler.scenario.sampling.batch_size, optimizer.expected_batch_size
    if optimizer.loss_reduction == "mean" and divisor != size:
        raise LoaderError(
            f"the sum of gradients is divided by {divisor}, and {size} was accounted for",
            f"set optimizer.expected_batch_size = {size}",
        )
    if optimizer.accumulated_iterations != 1:
        raise LoaderError(
            f"one step takes {optimizer.accumulated_iterations} batches together",
            "call optimizer.step() and optimizer.zero_grad() for each batch",
        )
    drawn, trained = sampler.next_size(), len(optimizer.grad_samples[0])
    # Of a batch in parts (BatchMemoryManager) only the last part's gradients are left.
    in_parts = optimizer._is_last_step_skipped and trained <= drawn
    if trained != drawn and not in_parts:
        raise LoaderError(
            f"a step has gradients of {trained:,} windows, and {drawn:,} were drawn",
            "take one step on each batch as it comes, also on an empty one: no filter, no padding, "
            "no batch left out",
        )
