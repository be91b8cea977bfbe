"""A training script for a scenario: its batches, its noise, its budget, ready to run."""

import json
import textwrap

import dpviz
from dpviz.accounting import best_upper
from dpviz.export.programs import (
    PYTHON_WIDTH,
    filled,
    python_source,
    scenario_imports,
    template,
)
from dpviz.guarantees import Bound, guarantee_for
from dpviz.planning.target import Target
from dpviz.sampling import noise_of_windows
from dpviz.scenario import DataShape, Scenario, ScenarioError, Units
from dpviz.scenario.errors import checked_choice
from dpviz.scenario.number_text import number_rounded
from dpviz.scenario.scenario import TARGET_EPSILON_RANGE
from dpviz.series_file.any_layout import NO_NAMES, ColumnNames
from dpviz.training.panel_source import usual_period
from dpviz.wording.numbers import joined
from dpviz.wording.scope import batches_of_an_epoch, caveats, protected_unit, relation_name
from dpviz.wording.texts import sections, wording_text

FILE_NAMES = {
    "pytorch": "private_training.py",
    "opacus": "private_training_opacus.py",
    "numpy": "private_training_numpy.py",
}
KINDS = tuple(FILE_NAMES)

_DIGITS_OF_A_BUDGET = 4
_NEEDS = {"pytorch": " and PyTorch", "opacus": ", PyTorch and Opacus", "numpy": ""}
_MORE_IMPORTS = {
    "opacus": "    from opacus import GradSampleModule\n"
    "    from opacus.validators import ModuleValidator\n",
    "pytorch": "    from torch.func import functional_call, grad, vmap\n",
}
# The checks refuse what mixes windows, such as batch normalisation.
_PER_WINDOW = """\
        ModuleValidator.validate(self.network, strict=True)
        self.per_window = GradSampleModule(self.network, loss_reduction="sum")
"""
_GENERATORS = {
    True: "The noise is NumPy's, whose generator takes 128 bits from the operating system. "
    "torch.Generator on a CPU makes its whole state from 32 bits of a seed: few enough to try them "
    "all and subtract the noise.",
    False: "The generator takes 128 bits from the operating system.",
}


def training_script(
    scenario: Scenario,
    *,
    target_epsilon: float | None = None,
    kind: str = "pytorch",
    layout: str = "auto",
    columns: ColumnNames = NO_NAMES,
) -> str:
    """Return a Python script that trains a model by exactly the scenario's mechanism.

    It draws batches with ``dpviz.sampling``, clips each window's gradient, adds the scenario's
    noise and asks :class:`dpviz.planning.budget_tracker.BudgetTracker` before each step. Run with
    a file of series or ``--demo``, it saves the model and a statement of what is proven.

    Args:
        scenario: the training set-up; its data must be a ``DataShape``.
        target_epsilon: the budget at the scenario's delta, in nats. By default what the whole
            training costs, rounded up.
        kind: ``pytorch``; ``opacus``, whose gradients of windows are those of Opacus, for layers
            that ``torch.func`` does not take; ``numpy`` for a linear forecaster that needs no
            further library.
        layout: of the file that was planned for, one of ``LAYOUTS``.
        columns: of a long table, as far as they are known.

    Returns:
        The script, in ASCII, which ends with a line break.

    Raises:
        ScenarioError: there is no such kind, no data shape or no
            finite epsilon, or noise on windows without ``max_change`` to measure it in.

    >>> from dpviz.scenario import PRESETS
    >>> script = training_script(PRESETS["toy"].scenario, target_epsilon=10.0)
    >>> [line for line in script.splitlines() if line.startswith("TARGET_EPSILON")]
    ['TARGET_EPSILON = 10.0']
    """
    checked_choice("kind", kind, KINDS)
    shape = scenario.given_shape
    bound = guarantee_for(scenario).upper
    if target_epsilon is None:
        # What the whole training costs, rounded up.
        epsilon = best_upper(scenario).quoted_epsilon_at(scenario.delta)
        least, most = TARGET_EPSILON_RANGE
        if epsilon is None or epsilon > most:
            reason = f"the whole training has none up to {most:g}: name a budget"
            raise ScenarioError("target_epsilon", None, reason)
        rounded = number_rounded(epsilon, _DIGITS_OF_A_BUDGET, up=True)
        target_epsilon = max(rounded, least)
    target = Target(epsilon=target_epsilon, delta=scenario.delta).epsilon
    is_noisy, is_torch = bool(noise_of_windows(scenario)), kind != "numpy"
    named = [f"    {role}={_literal(name)}," for role, name in vars(columns).items() if name]
    sampling = ["batches", "windows"]
    sampling += ["noisy_windows"] if is_noisy else []
    sampling += [] if is_torch else ["clipped_sum"]
    source = python_source("SCENARIO = ", scenario)
    imported = scenario_imports(source, "ScenarioError", "to_fields", "worst_case_lengths")
    parts = {
        "file": FILE_NAMES[kind],
        "version": dpviz.__version__,
        "needs": _NEEDS[kind],
        "promise": _promise(scenario, bound),
        "io": "import io\n" if is_torch else "",
        "torch": "    import torch\n" if is_torch else "",
        "sampling": ", ".join(sorted(sampling)),
        "classes": textwrap.indent(imported, "    "),
        "more": _MORE_IMPORTS.get(kind, ""),
        "scenario": source,
        "target": repr(target),
        "layout": _literal(layout),
        "season": usual_period(scenario.units.time_step),
        "columns": "\n".join(["", *named]) + "\n" if named else "",
        "rate": "0.01" if is_torch else "0.1",
        "channels": template("channels") if is_noisy else "",
        "generator": _wrapped(_GENERATORS[is_torch], "    # "),
        "scheme": _scheme(scenario, shape),
        "noise": template("noise") if is_noisy else "",
        "versions": f'{" " * 16}"torch": torch.__version__,\n' if is_torch else "",
    }
    if is_torch:
        gradients = template("gradients_opacus" if kind == "opacus" else "gradients_torch")
        parts["gradients"] = textwrap.indent(gradients, "    ")
        parts["per_window"] = _PER_WINDOW if kind == "opacus" else ""
    model = "model_pytorch" if is_torch else "model_numpy"
    names = ("head", model, "data", "training", "script_errors", "script_main")
    return filled("\n\n".join(template(name) for name in names), parts)


def _literal(text: str) -> str:
    """Return a visitor's word as Python, in ASCII."""
    return json.dumps(text) if text.isascii() else ascii(text)


def _promise(scenario: Scenario, bound: Bound) -> str:
    relation = scenario.relation
    # The data's units are a visitor's own words, and have no place in a program.
    whom = f"{protected_unit(relation, Units())} ({relation_name(relation)})"
    said = joined(
        f"What is promised: epsilon <= TARGET_EPSILON at delta = {scenario.delta} for {whom}, by "
        "the theorem printed beside it (numbers as in Schuchardt et al., Privacy Amplification by "
        "Structured Subsampling for Deep Differentially Private Time Series Forecasting).",
        caveats(bound),
        'It holds as long as everything below that begins with "Guarantee:" stays true.',
    )
    return _wrapped(said, "")


def _scheme(scenario: Scenario, shape: DataShape) -> str:
    sampling, many = scenario.sampling, scenario.sampling.num_subsequences
    names = [sampling.top_level, f"windows {sampling.bottom_level}"]
    if sampling.is_bag:
        names = [f"bag {sampling.bottom_level}"]
    elif scenario.has_several_bins:
        names.insert(1, "several bins")
    elif scenario.has_coins_for_series:
        names.insert(1, "some of the coins")
    texts = sections(wording_text("drawing"))
    said = " ".join(texts[f"{name}, in a script"] for name in names).format(
        drawn=sampling.series_per_batch,
        all=shape.num_series,
        batches=batches_of_an_epoch(scenario),
        windows="one window is" if many == 1 else f"{many} windows are",
        each="" if many == 1 else ", each by itself",
        many=many,
        size=sampling.batch_size,
        bag=sampling.largest_batch(shape) if shape.is_of_one_length else "N",
    )
    return _wrapped(said, "    # ")


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(
        text, PYTHON_WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
