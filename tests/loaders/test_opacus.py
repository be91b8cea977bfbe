"""With Opacus: three lines change, the numbers are dpviz's, and other mechanisms are refused."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import account_for
from dpviz.loaders import LoaderError, StructuredBatchSampler, WindowDataset, tensors
from dpviz.scenario import DataShape, Noise, Sampling, Scenario, Training

torch = pytest.importorskip("torch")
pytest.importorskip("opacus")

from opacus.grad_sample import GradSampleModule  # noqa: E402
from opacus.utils.batch_memory_manager import BatchMemoryManager  # noqa: E402
from torch.utils.data import DataLoader  # noqa: E402

from dpviz.loaders import opacus  # noqa: E402
from dpviz.loaders.opacus import (  # noqa: E402
    make_private,
    system_generator,
)
from dpviz.training import networks  # noqa: E402
from tests.documentation.pages import said_by_program  # noqa: E402

pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
SHAPE = DataShape(num_series=12, series_lengths=(20,), context_length=3, forecast_length=2)
SERIES = np.random.default_rng(3).normal(size=(12, 20))


def scenario(*, batch_size=4, steps=30, sigma=1.0, **sampling):
    return Scenario(
        data=SHAPE,
        sampling=Sampling(batch_size=batch_size, **sampling),
        noise=Noise(noise_multiplier=sigma),
        training=Training(unit="steps", count=steps),
        delta=1e-5,
    )


class Run:
    """A model in training, all made private."""

    def __init__(self, one, model=None, *, workers=0, rate=0.1, clip=1.0, seed=1, **options):
        torch.manual_seed(seed)
        data = WindowDataset(SERIES, one)
        self.sampler = StructuredBatchSampler(one, data.series_lengths, np.random.default_rng(seed))
        self.loader = DataLoader(
            data, batch_sampler=self.sampler, collate_fn=tensors, num_workers=workers
        )
        self.plain = model or torch.nn.Linear(3, 2)
        self.model, self.optimizer, self.accountant = make_private(
            module=self.plain,
            optimizer=torch.optim.SGD(self.plain.parameters(), lr=rate),
            data_loader=self.loader,
            sampler=self.sampler,
            max_grad_norm=clip,
            **options,
        )

    def step(self, batch):
        context, forecast = batch
        self.optimizer.zero_grad()
        (self.model(context) - forecast).abs().mean().backward()
        self.optimizer.step()

    def epoch(self):
        """Take a step on each batch of an epoch."""
        for batch in self.loader:
            self.step(batch)


def test_the_program_of_the_page_runs_and_its_epsilon_is_the_scenarios(tmp_path):
    printed = said_by_program("your-training.md", tmp_path)
    said = re.match(r"(\d+) steps: epsilon <= ([\d.]+) at delta = 1e-05", printed)
    assert said[1] == "60"
    shape = DataShape(num_series=40, series_lengths=(120,), context_length=12, forecast_length=4)
    same = Scenario(
        data=shape,
        sampling=Sampling(batch_size=20),
        noise=Noise(noise_multiplier=2.0),
        training=Training(unit="steps", count=60),
        delta=1e-5,
    )
    assert float(said[2]) == pytest.approx(
        account_for(same).upper.quoted_epsilon_at(1e-5), abs=6e-4
    )


@pytest.mark.parametrize("name", networks.NETWORK_CLASSES)
def test_opacus_finds_the_gradients_of_windows_that_train_finds(name):
    """Layers are used again at each value, of which Opacus has to add up the gradients."""
    rng = np.random.default_rng(1)
    context, forecast = rng.gamma(2.0, 20.0, size=(6, 14)), rng.gamma(2.0, 20.0, size=(6, 5))
    ours = networks.NetworkForecaster(name, 14, 5, 4)
    parameters = ours.initial_parameters(rng) + rng.normal(0.0, 0.3, size=ours.num_parameters)
    found = ours.clipped_gradient(parameters, context, forecast, 1e9)
    plain = networks.NETWORK_CLASSES[name](14, 5, 4).double()
    torch.nn.utils.vector_to_parameters(torch.from_numpy(parameters), plain.parameters())
    model = GradSampleModule(plain, loss_reduction="sum")
    batch = networks.scaled_tensors((context, forecast), 4, torch.float64)
    losses = networks.quantile_losses(model(batch.values, batch.recent), batch)
    losses.sum().backward()
    np.testing.assert_allclose(losses.detach().numpy(), found.losses, rtol=1e-12)
    rows = torch.cat([one.grad_sample.flatten(1) for one in plain.parameters()], dim=1).numpy()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), found.norms, rtol=1e-12)
    np.testing.assert_allclose(rows.sum(axis=0), found.total, atol=1e-12)


@pytest.mark.parametrize("asked", ["recurrent flat 4 5", "attention poisson none 5"])
def test_the_program_that_trains_networks_runs(asked, tmp_path):
    printed = said_by_program("private-networks.md", tmp_path, *asked.split())
    said = r"CRPS 0\.\d+ on the test, (without privacy|epsilon <= \d\.\d+ at delta = 1e-07), sigma"
    assert re.match(said, printed)


@pytest.mark.parametrize(
    "sampling",
    [
        {},
        {"top_level": "shuffled"},
        {"top_level": "bins"},
        {"top_level": "poisson"},
        {"bottom_level": "poisson"},
        {"top_level": "flat"},
        {"num_subsequences": 2},
    ],
    ids=str,
)
def test_epsilon_is_that_of_the_steps_taken(sampling):
    run = Run(scenario(**sampling))
    assert run.accountant.get_epsilon(1e-5) == 0.0
    run.epoch()
    steps = len(run.sampler)
    assert len(run.accountant) == steps
    told = account_for(scenario(steps=steps, **sampling)).upper.quoted_epsilon_at(1e-5)
    assert run.accountant.get_epsilon(1e-5) == told


def test_an_update_is_the_clipped_sum_divided_by_the_batch_size():
    """By torch.func's gradient of each window, in nearly no noise; 4 windows are divided by 4."""
    one = scenario(sigma=0.1, top_level="poisson")
    run = Run(one, rate=1.0, clip=1e-3)
    before = [value.detach().clone() for value in run.plain.parameters()]
    batch = next(iter(run.loader))
    rows = []
    for context, forecast in zip(*batch, strict=True):
        run.plain.zero_grad()
        weights = [value.detach().clone().requires_grad_() for value in before]
        loss = (torch.nn.functional.linear(context, *weights) - forecast).abs().mean()
        parts = torch.autograd.grad(loss, weights)
        rows.append(torch.cat([part.flatten() for part in parts]))
    rows = torch.stack(rows)
    assert (rows.norm(dim=1) > 1e-3).all()
    expected = (rows / rows.norm(dim=1, keepdim=True)).sum(0) * 1e-3 / 4
    run.optimizer.noise_multiplier = 0.0
    run.optimizer.step_hook = None
    run.step(batch)
    moved = torch.cat(
        [(old - new).flatten() for old, new in zip(before, run.plain.parameters(), strict=True)]
    )
    torch.testing.assert_close(moved, expected, rtol=2e-2, atol=1e-6)


def test_empty_batches_are_steps_and_leave_the_model_finite():
    one = scenario(batch_size=1, steps=24, top_level="poisson")
    run = Run(one)
    sizes = []
    while run.sampler.drawn < 24:
        for batch in run.loader:
            sizes.append(len(batch[0]))
            run.step(batch)
    assert 0 in sizes
    assert len(run.accountant) == 24
    assert all(value.isfinite().all() for value in run.plain.parameters())


def test_a_filter_on_windows_is_refused_before_the_model_changes():
    run = Run(scenario())
    context, forecast = next(iter(run.loader))
    before = [value.detach().clone() for value in run.plain.parameters()]
    with pytest.raises(LoaderError, match="gradients of 3 windows, and 4 were drawn"):
        run.step((context[1:], forecast[1:]))
    assert all(torch.equal(*two) for two in zip(before, run.plain.parameters(), strict=True))


def test_another_divisor_noise_or_number_of_batches_is_refused():
    run = Run(scenario())
    batches = iter(run.loader)
    run.optimizer.expected_batch_size = 5
    with pytest.raises(LoaderError, match="expected_batch_size = 4"):
        run.step(next(batches))
    run = Run(scenario())
    run.optimizer.noise_multiplier = 0.5
    with pytest.raises(LoaderError, match=r"noise multiplier 0\.5, and 1.0 was accounted for"):
        run.step(next(iter(run.loader)))
    run = Run(scenario())
    batches = iter(run.loader)
    for context, forecast in (next(batches), next(batches)):
        (run.model(context) - forecast).abs().mean().backward()
    with pytest.raises(LoaderError, match="2 batches together"):
        run.optimizer.step()


ADAPTIVE = {
    "clipping": "adaptive",
    "target_unclipped_quantile": 0.5,
    "clipbound_learning_rate": 0.2,
    "max_clipbound": 1.0,
    "min_clipbound": 0.1,
    "unclipped_num_std": 2.0,
}


@pytest.mark.parametrize(
    "options", [ADAPTIVE, {"grad_sample_mode": "ghost"}], ids=["adaptive", "ghost"]
)
def test_other_ways_to_clip_are_refused(options):
    with pytest.raises(LoaderError, match="nothing is proven"):
        Run(scenario(), **options)


def test_batch_normalisation_and_other_loaders_are_refused():
    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    with pytest.raises(LoaderError, match=r"layer 1 is batch normalisation \(BatchNorm1d\)"):
        Run(scenario(), model)
    one, model = scenario(), torch.nn.Linear(3, 2)
    data = WindowDataset(SERIES, one)
    with pytest.raises(LoaderError, match="RandomSampler"):
        make_private(
            module=model,
            optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
            data_loader=DataLoader(data, batch_size=4, shuffle=True, drop_last=True),
            sampler=StructuredBatchSampler(one),
            max_grad_norm=1.0,
        )


def test_workers_fetch_ahead_and_a_walk_counts_what_they_drew():
    run = Run(scenario(top_level="shuffled"), workers=2)
    for batch in run.loader:
        run.step(batch)
        break
    assert len(run.accountant) == 1
    assert run.accountant.scenario.num_epochs == 1
    run.epoch()
    assert len(run.accountant) == 4
    one_more = replace(run.sampler.scenario, training=Training(unit="epochs", count=2))
    told = account_for(one_more).upper.quoted_epsilon_at(1e-5)
    assert run.accountant.get_epsilon(1e-5) == told


def test_a_batch_in_parts_is_one_step():
    run = Run(scenario(batch_size=6))
    with BatchMemoryManager(
        data_loader=run.loader, max_physical_batch_size=4, optimizer=run.optimizer
    ) as parts:
        sizes = []
        for batch in parts:
            sizes.append(len(batch[0]))
            run.step(batch)
    assert sizes == [3, 3, 3, 3]
    assert len(run.accountant) == 2


class Parts(torch.nn.Module):
    """Puts out a number for each of three parts of a window, each a row of its last layer."""

    def __init__(self):
        super().__init__()
        self.first, self.last = torch.nn.Linear(3, 6), torch.nn.Linear(2, 1)

    def forward(self, context):
        parts = self.first(context).reshape(-1, 2)
        return self.last(parts).reshape(len(context), 3)[:, :2]


@pytest.mark.parametrize("options", [{}, {"clipping": "per_layer", "clip": [1.0] * 4}], ids=str)
def test_parts_of_windows_are_not_clipped_as_windows(options):
    """With the norm of a layer for each of its parts a window would have up to three times that."""
    run = Run(scenario(), Parts(), **options)
    before = [value.detach().clone() for value in run.plain.parameters()]
    with pytest.raises(LoaderError, match="gradients of 4 and 12 rows in one batch"):
        run.step(next(iter(run.loader)))
    assert all(torch.equal(*two) for two in zip(before, run.plain.parameters(), strict=True))


@pytest.mark.parametrize("options", [{}, {"clipping": "per_layer", "clip": [1.0, 1.0]}], ids=str)
def test_batches_are_not_put_together_by_skipping_a_step(options):
    """The sum would be of two batches, each series twice in it, with the noise of one."""
    run = Run(scenario(), **options)
    batches = iter(run.loader)
    before = [value.detach().clone() for value in run.plain.parameters()]
    run.optimizer.signal_skip_step(do_skip=True)
    run.step(next(batches))
    with pytest.raises(LoaderError, match="gradients of 8 windows, and 4 were drawn"):
        run.step(next(batches))
    assert all(torch.equal(*two) for two in zip(before, run.plain.parameters(), strict=True))


def test_a_part_of_a_batch_is_not_left_for_the_next_one():
    run = Run(scenario(batch_size=6))
    with BatchMemoryManager(
        data_loader=run.loader, max_physical_batch_size=4, optimizer=run.optimizer
    ) as parts:
        run.step(next(iter(parts)))
        others = iter(parts)
        run.step(next(others))
        with pytest.raises(LoaderError, match="gradients of 9 windows, and 6 were drawn"):
            run.step(next(others))


@pytest.mark.parametrize("options", [{}, {"clipping": "per_layer", "clip": [1.0, 1.0]}], ids=str)
def test_a_window_without_a_finite_gradient_adds_nothing(options):
    run = Run(scenario(sigma=0.1), rate=1.0, **options)
    batches = iter(run.loader)
    context, forecast = next(batches)
    context[1], context[2] = float("nan"), float("inf")
    before = torch.cat([value.detach().flatten() for value in run.plain.parameters()])
    run.optimizer.noise_multiplier, run.optimizer.step_hook = 0.0, None
    run.step((context, forecast))
    moved = before - torch.cat([value.detach().flatten() for value in run.plain.parameters()])
    alone = Run(scenario(sigma=0.1), rate=1.0, **options)
    alone.optimizer.noise_multiplier, alone.optimizer.step_hook = 0.0, None
    alone.step((context[[0, 3]], forecast[[0, 3]]))
    expected = before - torch.cat([value.detach().flatten() for value in alone.plain.parameters()])
    assert moved.isfinite().all()
    torch.testing.assert_close(moved, expected)


def test_noise_is_no_seeds_of_32_bits():
    """Never twice the same, whatever seed PyTorch has, and with the spread that it should have."""
    one, other = (
        torch.randn(100_000, generator=system_generator(), dtype=torch.float64) for _ in range(2)
    )
    assert not torch.equal(one, other)
    for drawn in (one, other):
        assert abs(drawn.mean()) < 0.02
        assert abs(drawn.std() - 1.0) < 0.02
    torch.manual_seed(1)
    moved = []
    for _ in range(2):
        run = Run(scenario())
        run.step(next(iter(run.loader)))
        moved.append(next(run.plain.parameters()).detach())
    assert not torch.equal(*moved)
    assert run.optimizer.generator is not torch.default_generator


def test_a_generator_in_an_unknown_form_is_refused(monkeypatch):
    monkeypatch.setattr(opacus, "_WORDS", slice(16, 16 + 8 * 624))
    with pytest.raises(LoaderError, match="in an unknown form"):
        system_generator()
    monkeypatch.setattr(opacus, "_WORDS", slice(5000, 5000 + 8 * 624))
    with pytest.raises(LoaderError, match="in an unknown form"):
        system_generator()
