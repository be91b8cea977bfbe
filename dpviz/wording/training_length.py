"""What a step and an epoch are in a run, and settings that cost too much computing."""

from dpviz.planning.one_bag import bag_size, has_one_length
from dpviz.scenario import Rates, Scenario
from dpviz.scenario.data import most_steps_of_a_pass
from dpviz.wording.numbers import counted, counted_in, joined, rounded

# What an epoch's steps have to do with a pass, by how series are chosen.
_PASSES = {
    "deterministic": "one pass over the series, in the same order each time",
    "shuffled": "one pass over the series, in a new order each time",
    "bins": "one pass over the series, each in a batch picked anew",
    "without-replacement": "as many as one pass over the series",
    "poisson": "as many as one pass over the series",
    "flat": "as many as one pass over all windows",
}
_DIGITS = 2
BEGUN_EPOCHS = "An epoch that is begun counts whole."


def training_line(scenario: Scenario) -> str:
    """Return what stands beside the length of training: it in the other unit, and what both are."""
    steps = counted(scenario.steps_per_epoch, "step")
    return joined(
        f"{_in_both_units(scenario)} A step is one batch, an epoch {steps}: "
        f"{_pass(scenario)}{_not_over_windows(scenario)}.",
        BEGUN_EPOCHS if breaks_off(scenario) else "",
    )


def breaks_off(scenario: Scenario) -> bool:
    """Return whether training ends within a pass over the series, which bounds count whole."""
    return scenario.sampling.is_walk and scenario.num_steps % scenario.steps_per_epoch > 0


def _not_over_windows(scenario: Scenario) -> str:
    """Return how long the other kind of epoch is, which loaders of all windows count in."""
    shape = scenario.shape
    if shape is None or scenario.sampling.is_bag:
        return ""
    steps = bag_size(shape) // scenario.sampling.batch_size  # as many as an epoch of the bag
    if steps <= scenario.steps_per_epoch:
        return ""
    least = "" if shape.is_of_one_length else "at least "
    return f"; one over all windows has {least}{steps:,}"


def equal_work_note(before: Scenario, after: Scenario) -> str:
    """Return that training is counted in steps from now on; empty where the unit stayed."""
    if before.training.unit == after.training.unit:
        return ""
    return (
        f"Training stays as long as it was, {counted(after.num_steps, 'step')}. It is counted in "
        f"steps now: an epoch has {counted(after.steps_per_epoch, 'step')}, and "
        f"{after.num_steps:,} are no whole number of epochs."
    )


def _in_both_units(scenario: Scenario) -> str:
    steps, per_epoch = scenario.num_steps, scenario.steps_per_epoch
    if scenario.training.unit == "epochs":
        return f"{counted(scenario.num_epochs, 'epoch')} = {counted(steps, 'step')}."
    if steps % per_epoch == 0:
        return f"{counted(steps, 'step')} = {counted(steps // per_epoch, 'epoch')}."
    epochs, nearly = steps / per_epoch, "about"
    told = rounded(epochs, max(_DIGITS, len(str(int(epochs))) + 1) if epochs > 1 else _DIGITS)
    if "." not in told and "·" not in told:  # no whole number, though as good as one
        nearly = "just under" if int(told.replace(",", "")) > epochs else "just over"
    are, noun = "is" if steps == 1 else "are", "epoch" if told == "1" else "epochs"
    return f"{counted(steps, 'step')} {are} {nearly} {told} {noun}."


def _pass(scenario: Scenario) -> str:
    if isinstance(scenario.data, Rates):
        most = most_steps_of_a_pass(scenario.data.top_rate)
        if scenario.steps_per_epoch < most and not _as_of_its_shape(scenario, scenario.data):
            return f"as was set, of the {most:,} that ρ allows"
    as_short = ""
    if scenario.sampling.is_bag and not has_one_length(scenario):
        as_short = ", each series counted as the shortest"
    return _PASSES[scenario.sampling.top_level] + as_short


def _as_of_its_shape(scenario: Scenario, rates: Rates) -> bool:
    """Return whether an epoch is that of the data set which the rates came from."""
    shape, sampling = rates.last_shape, scenario.sampling
    if shape is None or rates.top_rate != sampling.series_per_batch / shape.num_series:
        return False
    return rates.steps_per_epoch == sampling.largest_batch(shape) // sampling.batch_size


# In place of a number that is still to come, or is left out for its cost.
BEING_COMPUTED, COSTS_TOO_MUCH = "…", "costs too much here"
TOO_COSTLY = "It would cost more computing than one answer may on this server."


def elsewhere(command: str) -> str:
    """Return how a command, with its own options, answers on the visitor's machine."""
    return (
        "The command line has no such limit: save the scenario and run "
        f"`python -m dpviz {command} --scenario dpviz-scenario.json`."
    )


def too_costly_sentence(scenario: Scenario | None, exceeded: str) -> str:
    """Return that nothing is shown, what makes it costly, and what would be answered.

    ``exceeded`` says which limit is, as a clause; ``scenario`` is ``None`` where the page shows
    something else.
    """
    what, rest = "these settings", "Others are answered; the code of this page has no such limit."
    if scenario is not None:
        sampling, less = scenario.sampling, scenario.training.unit
        if sampling.num_subsequences > 1 and not sampling.takes_windows_by_coins:
            less += " or windows per series"
        what = _what_costs(scenario)
        rest = f"Fewer {less} are answered. {elsewhere('epsilon')}"
    return f"An answer to {what} is not allowed on this server: {exceeded}. {rest}"


def left_out_sentence(scenario: Scenario | None) -> str:
    """Return that a part of the page is coarser, or missing, and why."""
    what, rest = "", "What is shown holds. The code of this page has no such limit."
    if scenario is not None:
        what = f", with {_what_costs(scenario)}"
        rest = f"The bounds shown hold, but may be less tight. {elsewhere('epsilon')}"
    return (
        f"Some of this page would cost more than one answer may on this server{what}: it is left "
        f"out, or computed on a coarser grid. {rest}"
    )


def _what_costs(scenario: Scenario) -> str:
    sampling = scenario.sampling
    told = [counted_in(scenario.training.count, scenario.training.unit)]
    if sampling.is_bag:
        told.append("batches from one bag")
    elif sampling.takes_windows_by_coins:
        told.append("Poisson windows")
    elif sampling.num_subsequences > 1:
        told.append(f"{sampling.num_subsequences} windows per series")
    return " with ".join(told)
