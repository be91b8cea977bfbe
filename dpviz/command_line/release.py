"""``python -m dpviz release``: one series of counts, and the noise that makes it private."""

import math
from argparse import Namespace
from itertools import chain
from typing import Any

from dpviz.command_line import command
from dpviz.command_line.command import UsageError, told_of
from dpviz.command_line.files import check_place, first_bytes, written
from dpviz.files.commented_csv import commented_csv
from dpviz.scenario import release_settings as known
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.number_text import shown_number
from dpviz.scenario.release_settings import MECHANISMS, OWN_SETTINGS, ReleaseSettings
from dpviz.settings import option_of

# Released values are rounded to a thousandth of the noise's size: far below what noise leaves.
_DIGITS_OF_NOISE = 3
_SEED = command.seed(
    "for tests only: who knows it can take the noise off again (the system's entropy if absent)"
)
_WITH_DEFAULT = ("times_per_step", "coefficients")


def release_command(options: Namespace) -> command.Told:
    """Return the answer to the command's options; with a file, write the released series."""
    mechanism, accounting = _way(options)
    for name in ("out", "seed"):
        if options.data is None and getattr(options, name) is not None:
            raise UsageError(f"--{name} is not allowed without --data: nothing is released")
    if options.data is not None and options.out is None:
        raise UsageError("--out is needed beside --data: the path of the CSV file to write")
    check_place(options.out, "--out", ("--data", options.data))
    seed = options.seed
    counts = None if options.data is None else _counts(options.data)
    settings = _settings(options, mechanism, None if counts is None else len(counts))
    from dpviz.export.answers import release_answer
    from dpviz.release import calibrated

    plan = calibrated(settings, mechanism, accounting)
    answer = release_answer(plan, has_seed=seed is not None)
    if counts is not None:
        import numpy as np

        from dpviz.release import SystemEntropy, release

        rng = SystemEntropy() if seed is None else np.random.default_rng(seed)
        released = release(counts, plan, rng)
        # A file is carried further than what was said when it was written.
        column = "released" if seed is None else "simulated_not_private"
        _write(options.out, np.real(released.values).tolist(), plan.noise, column)
        answer |= {
            "released": str(options.out),
            "kept": len(released.kept),
            "seed": seed,
            "noise_from": "the system's entropy" if seed is None else "a seed",
        }
    return answer, release_table(answer)


def release_table(answer: dict[str, Any]) -> str:
    """Return the answer as lines to read."""
    from dpviz.wording.numbers import counted, rounded_up

    lines = [
        f"{answer['mechanism']}, accounting {answer['accounting']}, of "
        f"{counted(answer['length'], 'step')}",
        f"protected: {answer['protects']}",
        f"noise {rounded_up(answer['noise'], 6)} ({answer['noise_unit']}) for epsilon "
        f"{rounded_up(answer['epsilon'], 6)} at delta {rounded_up(answer['delta'], 6)}",
        f"{answer['theorem']}: {answer['bound']}",
    ]
    known = rounded_up(answer["known_delta"], 6)
    if not answer["is_tight"] and known != rounded_up(answer["delta"], 6):
        lines.append(f"by the best accounting of this noise: delta <= {known} at that epsilon")
    if "released" in answer:
        kept = counted(answer["kept"], "step")
        private = "" if answer["is_guarantee"] else ", so this is not private"
        told = f"{answer['noise_from']}{private}"
        lines.append(f"released: {answer['released']}; {kept} kept; noise from {told}")
    *conditions, of_noise = answer["assumptions"]
    lines += [f"condition: {one}" for one in conditions]
    # That values are a simulation is nothing that could hold or not.
    lines.append(f"{'condition' if answer['is_guarantee'] else 'note'}: {of_noise}")
    return "\n".join(lines)


def _way(options: Namespace) -> tuple[str, str]:
    if options.mechanism is None:
        raise UsageError(f"--mechanism is needed: one of {', '.join(MECHANISMS)}")
    # The last one asks for the least noise.
    wanted = options.accounting or known.ACCOUNTINGS[options.mechanism][-1]
    mechanism, accounting = known.checked_accounting(options.mechanism, wanted)
    for field in dict.fromkeys(chain(*OWN_SETTINGS.values())):
        given = getattr(options, field)
        if given is not None and field not in OWN_SETTINGS[mechanism]:
            users = [user for user, own in OWN_SETTINGS.items() if field in own]
            raise ScenarioError(
                field, shown_number(given), f"{mechanism} has none; it is for {' and '.join(users)}"
            )
    return mechanism, accounting


def _settings(options: Namespace, mechanism: str, length: int | None) -> ReleaseSettings:
    if length is not None and options.length is not None and options.length != length:
        from dpviz.wording.numbers import counted

        raise ScenarioError("length", options.length, f"the file has {counted(length, 'step')}")
    needed = ["participation", "epsilon", "delta"]
    needed += [field for field in OWN_SETTINGS[mechanism] if field not in _WITH_DEFAULT]
    given = {field: getattr(options, field) for field in (*needed, *_WITH_DEFAULT)}
    given["length"] = options.length if length is None else length
    for field in ("length", *needed):
        if given[field] is None:
            allowed = COMMAND.own[field].option_allows
            raise UsageError(f"{option_of(field)} is needed for {mechanism}: {allowed}")
    return ReleaseSettings(**{name: value for name, value in given.items() if value is not None})


def _counts(file: str) -> Any:
    from dpviz.release.series import counts_in_file
    from dpviz.series_file import MOST_BYTES, SeriesFileError

    content = first_bytes(file, MOST_BYTES, option="--data")
    with told_of(f"--data {command.shown_path(file)} is not allowed", SeriesFileError):
        return counts_in_file(content, file)


def _write(file: str, values: list[float], noise: float, column: str) -> None:
    # Of released values, so that it costs nothing: further digits are of no use.
    decimals = max(0, _DIGITS_OF_NOISE - math.floor(math.log10(noise)))
    rows = ((step, f"{value:.{decimals}f}") for step, value in enumerate(values, start=1))
    written(file, commented_csv((), ["step", column], rows), "--out")


COMMAND = command.Command(
    name="release",
    help="one series of counts with noise, or how much noise it needs",
    run=release_command,
    settings=(
        command.choice(
            "mechanism",
            "HOW",
            "gaussian: noise on every step; dft: the lowest frequencies; subsample: steps "
            "kept by chance; filter-subsample: filtered before that",
            MECHANISMS,
        ),
        command.choice(
            "accounting",
            "WHICH",
            "classical or analytic for gaussian, paper or analytic for dft, paper or exact "
            "for the others (the second if absent)",
            known.ALL_ACCOUNTINGS,
        ),
        command.number(
            "length",
            "T",
            "steps of the series (from the file, where one is given)",
            (1, known.LONGEST_SERIES),
        ),
        command.number(
            "participation",
            "I",
            "the most steps in which one individual is counted",
            (1, known.LONGEST_SERIES),
            allowed="a whole number from 1 to --length",
        ),
        command.number(
            "times_per_step",
            "M",
            "how often one individual is counted in one of these steps, at most (1 if absent)",
            (1, known.MOST_PER_STEP),
        ),
        command.number(
            "rate", "P", "the probability with which each step is kept", known.RATE_RANGE
        ),
        command.number(
            "filter_width",
            "G",
            "standard deviation of the filter's bell, in steps",
            known.FILTER_RANGE,
        ),
        command.number(
            "coefficients",
            "K",
            f"of dft: how many are released ({known.PAPER_COEFFICIENTS} if absent)",
            (1, known.LONGEST_SERIES),
            allowed="a whole number from 1 to --length",
        ),
        command.number("epsilon", "E", "of the whole release", known.EPSILON_RANGE),
        command.number("delta", "D", "of the whole release", known.DELTA_RANGE),
    ),
    more_settings={
        "to release a file": (
            command.path("data", "FILE", "a table with one column of counts, CSV or Parquet"),
            command.path("out", "FILE.csv", "where to write the released series"),
            _SEED,
        )
    },
    also_called={"--steps": "--length"},
)
