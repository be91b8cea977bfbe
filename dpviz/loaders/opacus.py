"""Structured subsampling in Opacus: its optimiser clips and adds noise, dpviz draws and counts."""

from typing import Any

from dpviz.loaders.accountant import StructuredAccountant
from dpviz.loaders.batch_sampler import (
    LoaderError,
    StructuredBatchSampler,
    check_loader,
    check_model,
)

# Others add noise elsewhere, too, clip without gradients to count, or train on several machines.
_OPTIMIZERS = ("DPOptimizer", "DPPerLayerOptimizer")


def make_private(
    *,
    module: Any,
    optimizer: Any,
    data_loader: Any,
    sampler: StructuredBatchSampler,
    max_grad_norm: float | list[float],
    **options: Any,
) -> tuple[Any, Any, StructuredAccountant]:
    """Return model and optimiser as Opacus makes them private, and what counts their steps.

    The sum of clipped gradients is divided by the scenario's batch size, not by what Opacus makes
    of the loader's length. Each step checks noise, divisor and number of windows before the
    model changes. Noise is Opacus's, by PyTorch's generator, which on a CPU has 32 bits of seed
    (docs/your-training.md).

    Args:
        module: the model, a ``torch.nn.Module``.
        optimizer: any optimiser of PyTorch's on its parameters.
        data_loader: a ``DataLoader`` with ``batch_sampler=sampler``.
        sampler: what draws the batches; it has the scenario.
        max_grad_norm: C, the norm that each window's gradient is clipped to.
        options: others of ``opacus.PrivacyEngine.make_private``.

    Raises:
        LoaderError: training would be another mechanism than the scenario's.
    """
    # Imported here: all else of dpviz does without Opacus and PyTorch.
    from opacus import PrivacyEngine
    from opacus.accountants import IAccountant

    check_model(module)
    check_loader(data_loader, sampler)
    IAccountant.register(StructuredAccountant)
    engine = PrivacyEngine()
    engine.accountant = accountant = StructuredAccountant(sampler)
    private, private_optimizer, *_ = engine.make_private(
        module=module,
        optimizer=optimizer,
        data_loader=data_loader,
        noise_multiplier=sampler.scenario.noise.noise_multiplier,
        max_grad_norm=max_grad_norm,
        poisson_sampling=False,  # else Opacus draws windows by itself
        **options,
    )
    if type(private_optimizer).__name__ not in _OPTIMIZERS:
        raise LoaderError(
            f"the optimiser is {type(private_optimizer).__name__}, of which nothing is proven here",
            'use clipping="flat" or "per_layer" and grad_sample_mode="hooks", on one machine',
        )
    private_optimizer.expected_batch_size = sampler.scenario.sampling.batch_size
    return private, private_optimizer, accountant
