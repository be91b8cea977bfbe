"""What our own accounting says of the set-ups behind the paper's tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from dpviz.guarantees import Bound
from dpviz.guarantees.lookup import SHUFFLE
from dpviz.planning.budget import UsedUp
from dpviz.planning.proven import ProvenEpsilon
from dpviz.reported.table import ReportedTable, SetUp
from dpviz.settings import SETTINGS
from dpviz.training_study.questions import BATCH_SIZE, DELTA, STEPS, is_private
from dpviz.training_study.results import DrawingCell, shipped_drawing
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    counted,
    joined,
    listed,
    power_of_ten,
    rounded_down,
    rounded_up,
    signed,
)
from dpviz.wording.paper_tables import column_name
from dpviz.wording.scope import conditions, protected_in, run_length
from dpviz.wording.theorems import bound_meaning, theorem_link
from dpviz.wording.training_length import BEING_COMPUTED, COSTS_TOO_MUCH


@dataclass(frozen=True, kw_only=True)
class SetUpAccount:
    """What is known of one set-up.

    Args:
        whole: what is proven of epsilon after the longest training of the paper; ``None`` while
            it is not known.
        used: where the budget ends, if that is before; ``None`` likewise.
        is_left_out: whether what is not known costs too much.
    """

    setup: SetUp
    whole: ProvenEpsilon | None
    used: UsedUp | None
    is_left_out: bool = False

    @property
    def deciding(self) -> Bound | None:
        """The upper bound that says how long the budget lasts; ``None`` while it is not known."""
        if self.lasts:
            assert self.whole is not None  # else it is not known
            return self.whole.upper.bound
        return None if self.used is None else self.used.upper.bound

    @property
    def lasts(self) -> bool | None:
        """Whether the budget is proven to last for the longest training; ``None`` if unknown."""
        return None if self.whole is None else is_within(self.whole, self.setup.target_epsilon)


def is_within(whole: ProvenEpsilon, target_epsilon: float) -> bool:
    """Return whether an upper bound meets a target."""
    return whole.epsilon_upper is not None and whole.epsilon_upper <= target_epsilon


def windows_name(setup: SetUp, windows: str) -> str:
    """Return which windows a set-up has."""
    shape = setup.scenario.given_shape
    lags = {"stated": "as stated", "lags": "with DeepAR's lags"}[windows]
    return f"{shape.context_length} + {shape.forecast_length} values, {lags}"


def accounts_table(
    table: ReportedTable, accounts: Sequence[tuple[str, Sequence[SetUpAccount | None]]]
) -> str:
    """Return how long each budget lasts by our upper bound, as a Markdown table with its theorem.

    ``accounts``: for each reading of the windows its name, and by column what is known, if private.
    """
    theorems = {
        bound.theorem
        for _, found in accounts
        for one in found
        if one is not None and (bound := one.deciding) is not None
    }
    rows = []
    for column, at in enumerate(table.columns):
        cells = [_lasting(found[column], is_named=len(theorems) > 1) for _, found in accounts]
        rows.append([column_name(table, at), *cells])
    lasting = markdown_table(["Column", *(f"Windows of {name}" for name, _ in accounts)], rows)
    if len(theorems) != 1:
        return lasting
    # On a phone a theorem in each cell would make the table twice as long.
    source = f"an upper bound by {theorem_link(theorems.pop())}"
    return f"{lasting}\n\nEach is {source}, composed over the steps of that training."


def accounts_meaning(table: ReportedTable, first: SetUp) -> str:
    """Return what the cells of that table are."""
    unit = "any w values of one series"
    if table.relation_width is not None:
        unit = protected_in(first.scenario)
    if table.max_change is not None:
        unit += f", changed by at most v = {table.max_change:g},"
    budget = "the column's ε" if table.epsilon is None else f"ε = {table.epsilon:g}"
    return (
        f"Computed here, not reported: the longest training, of at most "
        f"{run_length(first.scenario)}, whose upper bound on ε at δ = {power_of_ten(table.delta)} "
        f"for {unit} stays within {budget}."
    )


ACCOUNTED_OTHERWISE = (
    "Series are taken whole. The paper trained on an unstated part of each (GluonTS's training "
    "split, less its end for validation), so its own ε is larger or its training shorter. Clipping "
    "norm and model were chosen by validation loss, which no ε counts. The paper counts DeepAR's "
    "lags as context, not saying how: here the largest is added."
)


def unlimited_sentence(table: ReportedTable, accounts: Sequence[SetUpAccount | None]) -> str:
    """Return which budgets never end training; empty while it is not known, or where all do."""
    private = [
        (column_name(table, at), one)
        for at, one in zip(table.columns, accounts, strict=True)
        if one is not None
    ]
    lasting = [name for name, one in private if one.lasts]
    if len(lasting) < 2 or any(one.lasts is None for _, one in private):
        return ""
    same = (
        "If the paper's own accounting did not stop it either, these columns show the same "
        "training, and differ by chance alone."
    )
    return joined(
        f"**With windows as stated, dpviz's bound at {listed(lasting)} never stops training before "
        "its last epoch.**",
        same if table.varied == "epsilon" else "",
    )


def whole_sentence(account: SetUpAccount) -> str:
    """Return what the longest training costs by both bounds; empty while it is not known."""
    whole, scenario = account.whole, account.setup.scenario
    if whole is None:
        return ""
    after = f"After {run_length(scenario)} with the chosen column's set-up"
    if whole.epsilon_upper is None:
        return f"{after} no finite ε is proven ({bound_meaning(whole.upper.bound)})."
    told = (
        f"{after}, **ε ≤ {rounded_up(whole.epsilon_upper)} at δ = {power_of_ten(scenario.delta)}** "
        f"for {protected_in(scenario)} ({bound_meaning(whole.upper.bound)})"
    )
    if whole.epsilon_lower is not None and whole.lower is not None:
        least, source = rounded_down(whole.epsilon_lower), bound_meaning(whole.lower.bound)
        told += f"; some model attains ε ≥ {least} ({source})"
    return joined(f"{told}.", conditions([whole.upper.bound]))


def _lasting(account: SetUpAccount | None, *, is_named: bool) -> str:
    if account is None:
        return "nothing is proven: no noise"
    bound = account.deciding
    link = f" ({theorem_link(bound.theorem)})" if is_named and bound is not None else ""
    missing = COSTS_TOO_MUCH if account.is_left_out else BEING_COMPUTED
    whole, used = account.whole, account.used
    if whole is None:
        return missing
    if account.lasts:
        assert whole.epsilon_upper is not None  # it is within the budget
        epochs = counted(account.setup.scenario.training.count, "epoch")
        epsilon = f"ε\N{NO-BREAK SPACE}≤\N{NO-BREAK SPACE}{rounded_up(whole.epsilon_upper)}"
        return f"all {epochs}: {epsilon}{link}"
    if used is None:
        return missing
    if used.count == 0:
        return f"not even 1 epoch{link}"
    steps = used.count * account.setup.scenario.steps_per_epoch
    return f"{counted(used.count, 'epoch')} = {counted(steps, 'step')}{link}"


_SHAPES = {"generated": "1,000 series of 240 months", "hourly": "321 series of 8,760 hours"}
_WAYS = {"deterministic": "in order", "shuffled": "shuffled", "without-replacement": "drawn"}


def drawing_text(varied: str) -> str:
    """Return our runs over ``batch_size`` or ``num_subsequences`` for Figure 11 or 12."""
    found = shipped_drawing(varied)
    other, more = f"Λ = {BATCH_SIZE}", ""
    if varied == "batch_size":
        other, more = "λ = 1", ", so a larger batch reads more windows"
    ways: dict[tuple[str, ...], list[str]] = {}
    for way, name in _WAYS.items():
        cells = [cell for one, cell in found.items() if one.top_level == way and cell.theorem]
        ways.setdefault(tuple(dict.fromkeys(cell.theorem for cell in cells)), []).append(name)
    proven = [
        f"{listed([theorem_link(one) for one in theorems])} ({' or '.join(names)})"
        for theorems, names in ways.items()
    ]
    parts = [
        "**Runs of our own**, also at a fixed budget, which the paper did not try: the linear "
        f"model of *What privacy costs* on made-up series, {other}. Series are walked through in "
        "order, or shuffled anew each epoch, or drawn at random. Differences of errors (CRPS) from "
        "the seasonal naive forecast's in %; mean of 5 seeds, 95 % interval. All take "
        f"{STEPS} steps{more}. ε is an upper bound after all steps at δ = {power_of_ten(DELTA)}, "
        f"for any single value of one series, by {listed(proven)}. Shuffled rests on {SHUFFLE}."
    ]
    for data in dict.fromkeys(one.data for one in found):
        parts += [f"**{_SHAPES[data]}**", _drawing_table(varied, data)]
    return "\n\n".join(parts)


def _drawing_table(varied: str, data: str) -> str:
    found: dict[tuple[str, float], dict[int, DrawingCell]] = {}
    for one, cell in shipped_drawing(varied).items():
        if one.data == data:
            found.setdefault((one.top_level, one.epsilon), {})[getattr(one, varied)] = cell
    values, rows = sorted({value for cells in found.values() for value in cells}), []
    for (way, epsilon), by_value in found.items():
        cells, budget = [by_value[value] for value in values], "no privacy"
        if is_private(epsilon):
            budget = f"ε ≤ {rounded_up(max(cell.epsilon_spent or 0.0 for cell in cells))}"
        errors = [
            f"{signed(100.0 * cell.difference)}±{ceil(1000.0 * cell.half_width) / 10.0}"
            for cell in cells
        ]
        rows.append([f"{_WAYS[way]}, {budget}", *errors])
    heads = [f"{SETTINGS[varied].symbol} = {value}" for value in values]
    return markdown_table(["Series, budget", *heads], rows, "lr")
