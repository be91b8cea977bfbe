"""A recurrent network and one of attention, in PyTorch: for *Train*, Opacus, or another loop.

Both are small, as noise grows with the number of parameters, and begin at the seasonal naive
forecast. Their layers are ``nn.Linear`` and ``nn.LayerNorm``, which Opacus knows.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from dpviz.scenario.errors import MissingPackageError
from dpviz.training.forecaster import FloatArray
from dpviz.training.models import LayerGradient, Output, ScaledForecaster
from dpviz.training.quantiles import (
    LEVELS,
    SHAPE,
    START,
    HeadGradient,
    head_quantiles,
    mean_weighted_quantile_loss,
)
from dpviz.training.split import EvaluationWindows
from dpviz.training.window_scale import ScaledContexts, scaled_contexts

Module: Any
try:
    import torch
    from torch import nn

    Module = nn.Module
except ModuleNotFoundError:  # what is made of it says so
    Module = object

Tensor = Any
"""A ``torch.Tensor``."""
UNITS = 16
"""Numbers that a network keeps of a context, or of a token."""


class ScaledTensors(NamedTuple):
    """A batch of windows, each in the unit of its own context (:mod:`dpviz.training.window_scale`).

    Attributes:
        values: of contexts, shape (windows, L_C).
        recent: the value one season before each step to come, shape (windows, L_F).
        spread: usual size of changes over a season, shape (windows,).
        truth: what came, shape (windows, L_F).
        seen: 1, or 0 where a context is nothing but zeros, shape (windows,).
    """

    values: Tensor
    recent: Tensor
    spread: Tensor
    truth: Tensor
    seen: Tensor


def scaled_tensors(
    batch: tuple[FloatArray, FloatArray], period: int, dtype: Any = None
) -> ScaledTensors:
    """Return a batch of :class:`dpviz.loaders.WindowDataset`: the ``collate_fn`` of a loader.

    Args:
        batch: contexts and forecasts, shapes (windows, L_C) and (windows, L_F).

    Raises:
        MissingPackageError: PyTorch is not installed.
    """
    _check_torch()
    context, forecast = (np.asarray(part, np.float64) for part in batch)
    scaled = scaled_contexts(context, forecast.shape[1], period)
    truth, seen = scaled.scaled(forecast), scaled.scale != 0.0
    parts = (scaled.values, scaled.recent, scaled.spread, truth, seen)
    return ScaledTensors(*(torch.from_numpy(one).to(dtype or torch.float32) for one in parts))


def quantile_losses(put_out: Tensor, windows: ScaledTensors) -> Tensor:
    """Return the mean quantile loss of each window, shape (windows,).

    Args:
        put_out: centre and width of each step, shape (windows, L_F, 2).
    """
    level, shape = (torch.as_tensor(one, dtype=put_out.dtype) for one in (LEVELS, SHAPE))
    center, width = put_out.unbind(dim=-1)
    unit = windows.spread[:, None] * nn.functional.softplus(width)
    error = windows.truth[..., None] - (center[..., None] + unit[..., None] * shape)
    losses = 2.0 * torch.maximum(level * error, (level - 1.0) * error)
    return losses.mean(dim=(-2, -1)) * windows.seen


def crps_of(network: Any, windows: EvaluationWindows, period: int) -> float:
    """Return the error of a network's forecasts; see ``mean_weighted_quantile_loss``.

    No budget covers it: it is computed from what came.

    Args:
        network: one of those below, in single precision.
    """
    scaled = scaled_contexts(windows.context, windows.truth.shape[1], period)
    with torch.no_grad():
        inputs = (torch.from_numpy(one).float() for one in (scaled.values, scaled.recent))
        center, width = network(*inputs).double().numpy().transpose(2, 0, 1)
    quantiles = head_quantiles(center, width, scaled.spread, LEVELS)
    return mean_weighted_quantile_loss(scaled.unscaled(quantiles), windows.truth)


class RecurrentNetwork(Module):  # type: ignore[misc]
    """Gated recurrent units in the manner of DeepAR (Salinas et al. 2020).

    Value by value it reads the context, each one beside the value a season before. Then it goes on
    with what it has forecast itself. DeepAR draws samples there; here the centre goes on, so that a
    forecast needs no randomness.
    """

    def __init__(self, context_length: int, forecast_length: int, period: int) -> None:  # noqa: ARG002
        _check_torch()
        super().__init__()
        self.lag = min(period, context_length)
        self.read, self.keep = nn.Linear(2, 3 * UNITS), nn.Linear(UNITS, 3 * UNITS)
        self.head = _head(1)

    def forward(self, values: Tensor, recent: Tensor) -> Tensor:
        """Return centre and width of each step, shape (windows, L_F, 2); see `ScaledTensors`."""
        before = nn.functional.pad(values, (self.lag, 0))[:, : values.shape[1]]
        state = values.new_zeros((len(values), UNITS))
        for read in self.read(torch.stack([values, before], dim=-1)).unbind(dim=1):
            state = self._after(read, state)
        center, put_out = values[:, -1], []
        for season_before in recent.unbind(dim=1):
            read = self.read(torch.stack([center, season_before], dim=-1))
            state = self._after(read, state)
            change, width = self.head(state).unbind(dim=-1)
            center = season_before + change
            put_out.append(torch.stack([center, width], dim=-1))
        return torch.stack(put_out, dim=1)

    def _after(self, read: Tensor, state: Tensor) -> Tensor:
        read_reset, read_update, read_new = read.chunk(3, dim=-1)
        reset, update, new = self.keep(state).chunk(3, dim=-1)
        new = torch.tanh(read_new + torch.sigmoid(read_reset + reset) * new)
        return new + torch.sigmoid(read_update + update) * (state - new)


class AttentionNetwork(Module):  # type: ignore[misc]
    """One layer of attention in the manner of iTransformer (Liu et al. 2024).

    There each token is a variate with all of its context. A single series has one, so that here a
    token is a place in the season, such as a month, with its values of all years. Tokens attend to
    each other, and each forecasts its own place. All weights are shared by all tokens.

    Args:
        period: time steps of a season; where the context has no whole one, there is one token.
    """

    def __init__(self, context_length: int, forecast_length: int, period: int) -> None:
        _check_torch()
        super().__init__()
        self.places = period if period <= context_length else 1
        self.read = -(-context_length // self.places)
        self.ahead = -(-forecast_length // self.places)
        self.embed = nn.Linear(self.read, UNITS)
        self.norms = nn.ModuleList([nn.LayerNorm(UNITS), nn.LayerNorm(UNITS)])
        self.attend = nn.Linear(UNITS, 3 * UNITS)
        self.hidden, self.back = nn.Linear(UNITS, 2 * UNITS), nn.Linear(2 * UNITS, UNITS)
        self.head = _head(self.ahead)

    def forward(self, values: Tensor, recent: Tensor) -> Tensor:
        """Return centre and width of each step, shape (windows, L_F, 2)."""
        count, length = values.shape
        padded = nn.functional.pad(values, (self.read * self.places - length, 0))
        tokens = self.embed(padded.reshape(count, self.read, self.places).transpose(1, 2))
        first, second = self.norms
        query, key, own = self.attend(first(tokens)).chunk(3, dim=-1)
        weights = torch.softmax(query @ key.transpose(1, 2) / query.shape[-1] ** 0.5, dim=-1)
        tokens = tokens + weights @ own
        tokens = tokens + self.back(torch.relu(self.hidden(second(tokens))))
        put_out = self.head(tokens).reshape(count, self.places, self.ahead, 2).transpose(1, 2)
        put_out = put_out.reshape(count, self.ahead * self.places, 2)[:, : recent.shape[1]]
        return torch.stack([recent + put_out[..., 0], put_out[..., 1]], dim=-1)


def _head(ahead: int) -> Any:
    """Return a last layer that begins at the seasonal naive forecast."""
    head = nn.Linear(UNITS, 2 * ahead)
    nn.init.zeros_(head.weight)
    with torch.no_grad():
        head.bias.copy_(torch.tensor([0.0, START] * ahead))
    return head


NETWORK_CLASSES: dict[str, Any] = {"recurrent": RecurrentNetwork, "attention": AttentionNetwork}


class NetworkForecaster(ScaledForecaster):
    """A network of PyTorch as a forecaster: in double precision, with each window's gradient."""

    def __init__(self, name: str, context_length: int, forecast_length: int, period: int) -> None:
        super().__init__(context_length, forecast_length, period)
        self._made = partial(NETWORK_CLASSES[name], context_length, forecast_length, period)
        self._network = self._made().double()
        self._sizes = {name: one.shape for name, one in self._network.named_parameters()}
        self.num_parameters = sum(size.numel() for size in self._sizes.values())

    def initial_parameters(self, rng: np.random.Generator) -> FloatArray:
        """Return random layers and the seasonal naive forecast, shape (parameters,)."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**63)))
            made = self._made().double()
        return np.asarray(nn.utils.parameters_to_vector(made.parameters()).detach().numpy())

    def _put_out(self, parameters: FloatArray, scaled: ScaledContexts) -> Output:
        inputs = [scaled.values, scaled.recent]
        with torch.no_grad():
            found = self._forecast(self._named(parameters), *map(torch.from_numpy, inputs)).numpy()
        return Output(found[..., 0], found[..., 1], inputs)

    def _layers(
        self, parameters: FloatArray, inputs: list[FloatArray], head: HeadGradient
    ) -> list[LayerGradient]:
        """Return each window's whole gradient, as that of biases, which it has the form of.

        No layer mixes windows, so one pass back finds the slopes of all that layers put out, of
        each window. With what they read these make its gradient, summed over calls and places.
        """
        by_output = torch.from_numpy(np.stack([head.center, head.width], axis=-1))
        layers = {
            name: layer
            for name, layer in self._network.named_modules()
            if isinstance(layer, nn.Linear | nn.LayerNorm)
        }
        calls: list[tuple[str, Tensor, Tensor]] = []
        hooks = [
            layer.register_forward_hook(
                lambda _, read, put_out, name=name: calls.append((name, read[0], put_out))
            )
            for name, layer in layers.items()
        ]
        named = {name: one.requires_grad_() for name, one in self._named(parameters).items()}
        try:
            forecast = self._forecast(named, *map(torch.from_numpy, inputs))
        finally:
            for hook in hooks:
                hook.remove()
        slopes = torch.autograd.grad((forecast * by_output).sum(), [out for *_, out in calls])
        of_calls: dict[str, list[tuple[Tensor, Tensor]]] = {name: [] for name in layers}
        for (name, read, _), slope in zip(calls, slopes, strict=True):
            of_calls[name].append((_by_place(read.detach()), _by_place(slope)))
        found = {}
        for name, layer in layers.items():
            read, slope = (torch.cat(parts, dim=1) for parts in zip(*of_calls[name], strict=True))
            found[f"{name}.bias"] = slope.sum(dim=1)
            if isinstance(layer, nn.LayerNorm):
                normal = nn.functional.layer_norm(read, layer.normalized_shape, eps=layer.eps)
                found[f"{name}.weight"] = (slope * normal).sum(dim=1)
            else:
                found[f"{name}.weight"] = slope.transpose(1, 2) @ read
        rows = torch.cat([found[name].flatten(1) for name in self._sizes], dim=1).numpy()
        return [LayerGradient(rows, np.zeros((len(rows), 0)))]

    def _forecast(self, named: dict[str, Tensor], values: Tensor, recent: Tensor) -> Tensor:
        return torch.func.functional_call(self._network, named, (values, recent))

    def _named(self, parameters: FloatArray) -> dict[str, Tensor]:
        """Return the parameters by name, as views of one copy."""
        lengths = [size.numel() for size in self._sizes.values()]
        parts = torch.from_numpy(parameters.copy()).split(lengths)
        return {
            name: part.reshape(size)
            for (name, size), part in zip(self._sizes.items(), parts, strict=True)
        }


def _by_place(one: Tensor) -> Tensor:
    """Return windows with one axis for all places or steps, and one of numbers."""
    return one.reshape(len(one), one.shape[1:-1].numel(), one.shape[-1])


def _check_torch() -> None:
    if Module is object:
        raise MissingPackageError("torch")
