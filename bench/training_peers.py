"""One step of private training three ways: dpviz, PyTorch with Opacus, PyTorch's ``vmap(grad)``.

All three train the same model from the same parameters on windows that are drawn, cut and scaled by
the same code: mean quantile loss, one gradient for each window, clipping to C, noise of deviation
sigma C on the sum, division by Lambda, Adam. dpviz computes in double precision, PyTorch in its
usual single precision.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from opacus.grad_sample import GradSampleModule, register_grad_sampler
from opacus.optimizers import DPOptimizer
from torch import Tensor, nn
from torch.func import functional_call, grad, vmap

from dpviz.sampling import Batch
from dpviz.training.mechanism import Mechanism, WindowReader
from dpviz.training.models import HIDDEN, forecaster
from dpviz.training.panel import Panel
from dpviz.training.quantiles import LEVELS
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split
from dpviz.training.state import BatchStream, State, generators
from dpviz.training.window_scale import scaled_contexts

# Hooks on models that read no gradient are Opacus's usual way; PyTorch remarks on them.
warnings.filterwarnings("ignore", message="Full backward hook is firing")
SHAPE = torch.special.ndtri(torch.tensor(LEVELS))
Scaled = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


class Width(nn.Module):
    """One number for each step to come, whatever the window."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.width = nn.Parameter(torch.zeros(steps))

    def forward(self, values: Tensor) -> Tensor:
        """Return the same widths for each window."""
        return self.width.expand(len(values), -1)


@register_grad_sampler(Width)
def _width_gradients(
    layer: Width, _read: list[Tensor], output: Tensor
) -> dict[nn.Parameter, Tensor]:
    return {layer.width: output}


class Linear(nn.Module):
    """The linear forecaster; its parameters are in the order of dpviz's."""

    def __init__(self, context_length: int, steps: int) -> None:
        super().__init__()
        self.center, self.width = nn.Linear(context_length, steps), Width(steps)

    def forward(self, values: Tensor) -> tuple[Tensor, Tensor]:
        """Return what is added to the seasonal naive forecast, and the width."""
        return self.center(values), self.width(values)


class FeedForward(nn.Module):
    """The feed-forward network, likewise."""

    def __init__(self, context_length: int, steps: int) -> None:
        super().__init__()
        one, other = HIDDEN
        self.layers = nn.Sequential(
            nn.Linear(context_length, one), nn.Tanh(), nn.Linear(one, other), nn.Tanh(),
            nn.Linear(other, 2 * steps),
        )  # fmt: skip

    def forward(self, values: Tensor) -> tuple[Tensor, ...]:
        """Return what is added to the seasonal naive forecast, and the width."""
        return self.layers(values).chunk(2, dim=-1)


MODELS = {"linear": Linear, "feedforward": FeedForward}


def losses(
    put_out: tuple[Tensor, ...], recent: Tensor, spread: Tensor, truth: Tensor, seen: Tensor
) -> Tensor:
    """Return the mean quantile loss of each window, 0 for a context without any value."""
    center, width = recent + put_out[0], spread[..., None] * nn.functional.softplus(put_out[1])
    error = truth[..., None] - (center[..., None] + width[..., None] * SHAPE.to(center.dtype))
    level = torch.as_tensor(LEVELS, dtype=center.dtype)
    return (2.0 * torch.maximum(level * error, (level - 1.0) * error)).mean(dim=(-2, -1)) * seen


@dataclass(frozen=True)
class Task:
    """What all sides train."""

    settings: TrainingSettings
    parts: Split

    @property
    def training(self) -> Panel:
        """The series that are trained on."""
        return self.parts.training

    @cached_property
    def reader(self) -> WindowReader:
        """Cuts the windows of all sides."""
        shape = self.settings.shape
        return WindowReader(self.training.series, shape.context_length, shape.forecast_length)

    def torch_model(self, parameters: np.ndarray) -> nn.Module:
        """Return the model with parameters in dpviz's order."""
        shape = self.settings.shape
        model = MODELS[self.settings.model](shape.context_length, shape.forecast_length)
        nn.utils.vector_to_parameters(torch.tensor(parameters), model.parameters())
        return model.float()

    def scaled(self, batch: Batch, dtype: torch.dtype = torch.float32) -> Scaled:
        """Return contexts, last seasons, spreads, truths, and where there is a context."""
        shape = self.settings.shape
        cut = self.reader.read(batch)
        seen = scaled_contexts(cut.context, shape.forecast_length, self.training.period)
        parts = (
            seen.values, seen.recent, seen.spread, seen.scaled(cut.forecast), seen.scale != 0.0
        )  # fmt: skip
        values, recent, spread, truth, known = (torch.from_numpy(part).to(dtype) for part in parts)
        return values, recent, spread, truth, known


def dpviz_step(task: Task) -> Callable[[], object]:
    """Return a function that takes one step of dpviz's own loop."""
    settings, shape = task.settings, task.settings.shape
    model = forecaster(
        settings.model, shape.context_length, shape.forecast_length, task.training.period
    )
    state = State(settings, task.parts, model)
    mechanism = Mechanism(settings, task.training, model, state.generators)
    return lambda: state.move(mechanism.gradient(state.parameters, state.next_batch()))


def opacus_step(task: Task) -> Callable[[], object]:
    """Return a function that takes one step with Opacus's per-sample gradients and optimiser."""
    model, optimizer, batches = _opacus(task, task.settings.scenario.noise.noise_multiplier)

    def step() -> None:
        values, *rest = task.scaled(batches.draw())
        optimizer.zero_grad()
        losses(model(values), *rest).sum().backward()
        optimizer.step()

    return step


def vmap_step(task: Task) -> Callable[[], object]:
    """Return a function that takes one step with gradients by ``vmap(grad)``."""
    settings = task.settings
    C, sigma = settings.clipping_norm, settings.scenario.noise.noise_multiplier
    size = settings.scenario.sampling.batch_size
    model, batches = _begun(task)
    parameters = dict(model.named_parameters())
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    by_window = vmap(grad(_loss_of(model)), in_dims=(None, 0, 0, 0, 0, 0))

    def step() -> None:
        weights = {name: value.detach() for name, value in parameters.items()}
        found = by_window(weights, *task.scaled(batches.draw()))
        for name, total in _clipped(found, C).items():
            noise = torch.normal(0.0, sigma * C, total.shape)
            parameters[name].grad = (total + noise) / size
        optimizer.step()

    return step


def check_that_all_do_the_same(task: Task) -> None:
    """End the comparison unless all sides find the same clipped sums for some batches.

    Raises:
        AssertionError: one does not.
    """
    rng = np.random.default_rng(1)
    model, batches = _begun(task)
    count = sum(one.numel() for one in model.parameters())
    for _ in range(10):
        batch, parameters = batches.draw(), rng.normal(0.0, 0.1, size=count)
        sums = _clipped_sums(task, parameters, batch)
        # Opacus divides by the norm and 1e-6 more, and so clips to a little less.
        near = 1e-6 * task.settings.clipping_norm * len(batch)
        for name, total in sums.items():
            if not np.linalg.norm(total - sums["dpviz"]) <= near:
                raise AssertionError(f"{name} computes another gradient than dpviz")


def _clipped_sums(task: Task, parameters: np.ndarray, batch: Batch) -> dict[str, np.ndarray]:
    """Return the sum of clipped gradients of one batch by each side, in double precision."""
    settings, shape = task.settings, task.settings.shape
    cut = task.reader.read(batch)
    ours = forecaster(
        settings.model, shape.context_length, shape.forecast_length, task.training.period
    ).clipped_gradient(parameters, cut.context, cut.forecast, settings.clipping_norm)
    values, *rest = task.scaled(batch, torch.float64)
    model, optimizer, _ = _opacus(task, 0.0, parameters)
    losses(model(values), *rest).sum().backward()
    optimizer.clip_and_accumulate()
    by_opacus = torch.cat([one.summed_grad.flatten() for one in model.parameters()])
    bare = _in_double(task, parameters)
    weights = {name: value.detach() for name, value in bare.named_parameters()}
    found = vmap(grad(_loss_of(bare)), in_dims=(None, 0, 0, 0, 0, 0))(weights, values, *rest)
    by_vmap = torch.cat([one.flatten() for one in _clipped(found, settings.clipping_norm).values()])
    return {"dpviz": ours.total, "Opacus": by_opacus.numpy(), "vmap(grad)": by_vmap.numpy()}


def _in_double(task: Task, parameters: np.ndarray) -> nn.Module:
    bare = task.torch_model(parameters).double()
    nn.utils.vector_to_parameters(torch.tensor(parameters), bare.parameters())
    return bare


def _begun(task: Task) -> tuple[nn.Module, BatchStream]:
    settings, shape = task.settings, task.settings.shape
    model = forecaster(
        settings.model, shape.context_length, shape.forecast_length, task.training.period
    )
    streams = generators(settings.seed)
    batches = BatchStream(settings.scenario, streams["batches"], task.training.lengths)
    return task.torch_model(model.initial_parameters(streams["parameters"])), batches


def _opacus(
    task: Task, sigma: float, parameters: np.ndarray | None = None
) -> tuple[nn.Module, DPOptimizer, BatchStream]:
    settings = task.settings
    bare, batches = _begun(task)
    if parameters is not None:
        bare = _in_double(task, parameters)
    model = GradSampleModule(bare, loss_reduction="sum")
    optimizer = DPOptimizer(
        torch.optim.Adam(model.parameters(), lr=settings.learning_rate),
        noise_multiplier=sigma,
        max_grad_norm=settings.clipping_norm,
        expected_batch_size=settings.scenario.sampling.batch_size,
    )
    return model, optimizer, batches


def _loss_of(model: nn.Module) -> Callable[..., Tensor]:
    def loss(weights: dict[str, Tensor], values: Tensor, *rest: Tensor) -> Tensor:
        put_out = functional_call(model, weights, (values[None],))
        return losses(put_out, *(part[None] for part in rest)).sum()

    return loss


def _clipped(found: dict[str, Tensor], C: float) -> dict[str, Tensor]:
    squares = torch.stack([one.flatten(1).square().sum(dim=1) for one in found.values()])
    factors = (C / squares.sum(dim=0).sqrt()).clamp(max=1.0)
    return {name: torch.tensordot(factors, one, dims=1) for name, one in found.items()}
