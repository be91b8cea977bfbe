"""Structured subsampling in Opacus: its optimiser clips and adds noise, dpviz draws and counts."""

import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from dpviz.accounting import best_upper
from dpviz.loaders.batch_sampler import (
    LoaderError,
    StructuredBatchSampler,
    check_loader,
    check_model,
    check_step,
)
from dpviz.scenario import Scenario, Training, to_fields

# Others add noise elsewhere, too, clip without gradients to count, or train on several machines.
_OPTIMIZERS = ("DPOptimizer", "DPPerLayerOptimizer")
# Where the 624 words of 32 bits are in the state of PyTorch's generator, each in 8 bytes.
_WORDS = slice(24, 24 + 8 * 624)
# What decides no step: how many there are, where epsilon is quoted, and words.
_LEFT_OPEN = frozenset({"steps", "epochs", "delta", "time_step", "value_unit"})


class StructuredAccountant:
    """What has been spent, by the theorem that covers the scenario.

    An ``IAccountant`` of Opacus by its methods: the class itself needs no Opacus.

    Opacus's own accountants are about single windows, each drawn by a coin, one of which is added
    or removed. Here an individual's values are replaced, which moves a clipped sum by 2 C, and
    windows come by the scenario's scheme.
    """

    def __init__(self, sampler: StructuredBatchSampler) -> None:
        self.history: list[tuple[float, float, int]] = []
        self.sampler = sampler
        self._before = self._clipped = 0
        self._curves: dict[Scenario, Any] = {}

    @classmethod
    def mechanism(cls) -> str:
        """Return the name that saved states carry."""
        return "dpviz"

    def __len__(self) -> int:
        """Return how many steps have been taken."""
        return sum(steps for _, _, steps in self.history)

    @property
    def scenario(self) -> Scenario:
        """The scenario, as long as it has been trained."""
        steps = max(1, self._spent)
        return replace(self.sampler.scenario, training=Training(unit="steps", count=steps))

    @property
    def _spent(self) -> int:
        """How many steps are spent.

        A walk spends what a whole pass costs with its first batch, and a batch that was drawn but
        not trained on is a part of its pass.
        """
        steps = len(self)
        if steps and self.sampler.scenario.sampling.is_walk:
            return max(steps, self._before + self.sampler.drawn)
        return steps

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Count one step.

        Raises:
            LoaderError: it has another noise than the scenario.
        """
        sigma = self.sampler.scenario.noise.noise_multiplier
        if noise_multiplier != sigma:
            raise LoaderError(
                f"a step has noise multiplier {noise_multiplier!r}, and {sigma!r} was accounted "
                "for",
                "leave the optimiser's noise_multiplier as it was made, without a scheduler",
            )
        done = self.history.pop()[2] if self.history else 0
        self.history.append((noise_multiplier, sample_rate, done + 1))

    def get_epsilon(self, delta: float, **kwargs: Any) -> float:  # noqa: ARG002
        """Return the proven upper bound on epsilon; infinity where none is finite.

        Args:
            kwargs: what other accountants take; nothing here.
        """
        if len(self) == 0:
            return 0.0
        scenario = replace(self.scenario, delta=delta)
        if scenario not in self._curves:
            self._curves = {scenario: best_upper(scenario)}
        epsilon = self._curves[scenario].quoted_epsilon_at(delta)
        return float("inf") if epsilon is None else float(epsilon)

    def state_dict(self, destination: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what a checkpoint keeps of the steps."""
        kept = {} if destination is None else destination
        kept |= {
            "history": [(*self.history[-1][:2], self._spent)] if self.history else [],
            "mechanism": self.mechanism(),
            "scenario": self._drawn_and_noised(),
        }
        return kept

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from saved steps, with a sampler that begins anew.

        A walk cannot be taken up within a pass: one that had begun counts whole.

        Raises:
            ValueError: it is the state of another accountant, or of another scenario: all steps
                are accounted for as if they were this one's; or steps were taken already.
        """
        if self.history:
            raise ValueError(
                f"steps were counted here already ({len(self):,}), and stay spent whatever model "
                "training goes back to: load saved steps before the first one is taken"
            )
        if state_dict.get("mechanism") != self.mechanism():
            raise ValueError("the saved steps were counted by another accountant, or by none")
        own = self._drawn_and_noised()
        saved = state_dict.get("scenario", {})
        unlike = [name for name in {**saved, **own} if saved.get(name) != own.get(name)]
        if unlike:
            name = unlike[0]
            raise ValueError(
                f"the saved steps are of another scenario: {name} was {saved.get(name)!r}, and is "
                f"{own.get(name)!r} here: go on with theirs, or add up what both spend"
            )
        self.history = list(state_dict["history"])
        self._before = len(self)
        if self.sampler.scenario.sampling.is_walk:
            a_pass = self.sampler.scenario.steps_per_epoch
            self._before = -(-len(self) // a_pass) * a_pass
            self.history = [(noise, rate, self._before) for noise, rate, _ in self.history]

    def _drawn_and_noised(self) -> dict[str, Any]:
        """Return how one step is drawn and noised, and for whom, as data for JSON."""
        fields = to_fields(self.sampler.scenario)
        return {name: value for name, value in fields.items() if name not in _LEFT_OPEN}

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """Return what the optimiser calls before each update: the checks, and one step more."""

        def before_update(optimizer: Any) -> None:
            clipped, self._clipped = self._clipped, 0
            check_step(optimizer, self.sampler, clipped)
            self.step(noise_multiplier=optimizer.noise_multiplier, sample_rate=sample_rate)

        return before_update

    def count_clipped(self, optimizer: Any) -> None:
        """Count from now on the windows whose gradients an optimiser clips and sums.

        Opacus asks nobody before a step that it skips, of a batch in parts, and keeps no number of
        what is in the sum.

        Args:
            optimizer: an ``opacus.optimizers.DPOptimizer``.

        Raises:
            LoaderError: by the optimiser, before a sum in which not all rows are windows.
        """
        clip = optimizer.clip_and_accumulate

        def counted() -> None:
            rows = sorted({len(one) for one in optimizer.grad_samples})
            if len(rows) > 1:  # by layer, each part of a window would be clipped for itself
                raise LoaderError(
                    f"layers have gradients of {' and '.join(map(str, rows))} rows in one batch, "
                    "of which only windows may be clipped",
                    "let all layers read (windows, parts, numbers), no part as a row of its own",
                )
            clip()
            self._clipped += rows[0]

        optimizer.clip_and_accumulate = counted


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
