"""Structured subsampling in Opacus: its optimiser clips and adds noise, dpviz draws and counts."""

import os
import secrets
from math import prod
from typing import Any

import numpy as np

from dpviz.loaders.accountant import StructuredAccountant
from dpviz.loaders.batch_sampler import (
    LoaderError,
    StructuredBatchSampler,
    check_loader,
    check_model,
)

# Others add noise elsewhere, too, clip without gradients to count, or train on several machines.
_OPTIMIZERS = ("DPOptimizer", "DPPerLayerOptimizer")
# Where the 624 words of 32 bits are in the state of PyTorch's generator, each in 8 bytes.
_WORDS = slice(24, 24 + 8 * 624)


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
    model changes. A window whose gradient is not finite adds nothing. Noise comes from
    :func:`system_generator`, not from PyTorch's own generator, unless ``noise_generator`` is among
    the options.

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
    if options.get("noise_generator") is None:
        device = next((one.device for one in module.parameters()), "cpu")
        options["noise_generator"] = system_generator(device)
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
    _leave_out_infinite(private_optimizer)
    accountant.count_clipped(private_optimizer)
    return private, private_optimizer, accountant


def _leave_out_infinite(optimizer: Any) -> None:
    """Let a window whose gradient is not finite add nothing to the sum.

    Opacus scales it to NaN, which no noise hides: the model would tell of this one window.
    """
    clip = optimizer.clip_and_accumulate

    def clip_finite() -> None:
        samples = optimizer.grad_samples
        for own in samples:
            is_finite = own.isfinite().reshape(len(own), prod(own.shape[1:])).all(dim=1)
            if not is_finite.all():
                for one in samples:
                    one[~is_finite] = 0.0
        clip()

    optimizer.clip_and_accumulate = clip_finite


def system_generator(device: Any = "cpu") -> Any:
    """Return a ``torch.Generator`` that begins with entropy of the operating system.

    On a CPU PyTorch makes the whole state from 32 bits of a seed, whoever gives it: few enough to
    try them all, and to subtract the noise from what a training step has changed. So all 19,937
    bits of the state are set here. Elsewhere a seed has 64 bits, and they are used.

    Args:
        device: where noise is drawn: a ``torch.device``, or its name.

    Raises:
        LoaderError: this PyTorch keeps the state in another form.
    """
    import torch

    generator = torch.Generator(device)
    if generator.device.type != "cpu":
        return generator.manual_seed(secrets.randbits(64))
    state = generator.manual_seed(1).get_state().numpy()
    words = state[_WORDS].view(np.uint64) if len(state) >= _WORDS.stop else state
    if not np.array_equal(words, _twister_of(1)):
        raise LoaderError(
            f"PyTorch {torch.__version__} keeps the state of its generators in an unknown form",
            "use another version, or pass a noise_generator",
        )
    words[:] = np.frombuffer(os.urandom(4 * len(words)), dtype=np.uint32)
    generator.set_state(torch.from_numpy(state))
    return generator


def _twister_of(seed: int) -> list[int]:
    """Return the words that a Mersenne Twister begins with (Matsumoto and Nishimura, 2002)."""
    words = [seed]
    for at in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + at) % 2**32)
    return words
