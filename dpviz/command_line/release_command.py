"""``python -m dpviz release``: one series of counts, and the noise that makes it private."""

import argparse
import csv
import io
import math
from pathlib import Path
from typing import Any

from dpviz.command_line.given_file import first_bytes
from dpviz.command_line.parser import UsageError, shown, shown_path
from dpviz.command_line.whole_file import write_whole
from dpviz.scenario.errors import ScenarioError, checked_integer
from dpviz.scenario.release_settings import ReleaseSettings, checked_accounting

# Released values are rounded to a thousandth of the noise's size: far below what noise leaves.
_DIGITS_OF_NOISE = 3
_LARGEST_SEED = 2**63 - 1
_DEFAULT_ACCOUNTING = {
    "gaussian": "analytic",
    "dft": "analytic",
    "subsample": "exact",
    "filter-subsample": "exact",
}
# Which mechanisms make use of an option; the others refuse it.
_USED_BY = {
    "rate": ("subsample", "filter-subsample"),
    "filter_width": ("filter-subsample",),
    "coefficients": ("dft",),
}


def release_command(options: argparse.Namespace) -> dict[str, Any]:
    """Return the answer to the command's options; with a file, write the released series.

    Raises:
        UsageError: an option is missing or contradicts another, or a file cannot be used.
        ScenarioError: a value is not allowed.
    """
    mechanism, accounting = _way(options)
    if options.data is None and (options.out is not None or options.seed is not None):
        given = "--out" if options.out is not None else "--seed"
        raise UsageError(f"{given} is not allowed without --data: nothing is released")
    if options.data is not None and options.out is None:
        raise UsageError("--out is needed beside --data: the path of the CSV file to write")
    if options.data is not None and Path(options.out).resolve() == Path(options.data).resolve():
        raise UsageError(
            f"--out {shown_path(options.out)} is not allowed: it must be another file than --data"
        )
    seed = options.seed
    if seed is not None:
        seed = checked_integer("seed", seed, 0, _LARGEST_SEED)
    counts = None if options.data is None else _counts(options.data)
    settings = _settings(options, mechanism, None if counts is None else len(counts))
    # Imported here so that a wrong option is answered at once.
    from dpviz.export.release_answer import release_answer
    from dpviz.release import calibrated

    plan = calibrated(settings, mechanism, accounting)
    answer = release_answer(plan, has_seed=seed is not None)
    if counts is None:
        return answer
    import numpy as np

    from dpviz.release import SystemEntropy, release

    rng = SystemEntropy() if seed is None else np.random.default_rng(seed)
    released = release(counts, plan, rng)
    # A file is carried further than what was said when it was written.
    column = "released" if seed is None else "simulated_not_private"
    _write(options.out, np.real(released.values).tolist(), plan.noise, column)
    return answer | {
        "released": str(options.out),
        "kept": len(released.kept),
        "seed": seed,
        "noise_from": "the system's entropy" if seed is None else "a seed",
    }


def release_table(answer: dict[str, Any]) -> str:
    """Return the answer as lines to read."""
    from dpviz.wording.numbers import counted, rounded_up

    lines = [
        f"{answer['mechanism']}, accounting {answer['accounting']}, of "
        f"{counted(answer['length'], 'step')}",
        f"protected: {answer['protects']}",
        f"noise {rounded_up(answer['noise'], 6)} (standard deviation, in counts, on each "
        f"released value) for epsilon {rounded_up(answer['epsilon'], 6)} at delta "
        f"{rounded_up(answer['delta'], 6)}",
        f"{answer['theorem']}: {answer['bound']}",
    ]
    lines.append(
        f"known delta of this noise at that epsilon: {rounded_up(answer['known_delta'], 6)}"
    )
    if "released" in answer:
        kept = counted(answer["kept"], "step")
        private = "" if answer["is_guarantee"] else ", so this is not private"
        told = f"{answer['noise_from']}{private}"
        lines.append(f"released: {answer['released']}; {kept} kept; noise from {told}")
    return "\n".join([*lines, *(f"has to hold: {note}" for note in answer["assumptions"])])


def _way(options: argparse.Namespace) -> tuple[str, str]:
    if options.mechanism is None:
        raise UsageError(f"--mechanism is needed: one of {', '.join(_DEFAULT_ACCOUNTING)}")
    wanted = options.accounting or _DEFAULT_ACCOUNTING.get(options.mechanism)
    mechanism, accounting = checked_accounting(options.mechanism, wanted)
    for field, users in _USED_BY.items():
        given = getattr(options, field)
        if given is not None and mechanism not in users:
            raise ScenarioError(
                field, given, f"{mechanism} has none; it is for {' and '.join(users)}"
            )
    return mechanism, accounting


def _settings(options: argparse.Namespace, mechanism: str, length: int | None) -> ReleaseSettings:
    if length is not None and options.length is not None and options.length != length:
        raise ScenarioError("length", options.length, f"the file has {length:,} steps")
    needed = ["participation", "epsilon", "delta"]
    needed += [field for field in ("rate", "filter_width") if mechanism in _USED_BY[field]]
    given = {field: getattr(options, field) for field in (*needed, "coefficients")}
    given["length"] = options.length if length is None else length
    for field in ("length", *needed):
        if given[field] is None:
            name = "--" + field.replace("_", "-")
            raise UsageError(f"{name} is needed for {mechanism}")
    return ReleaseSettings(**{name: value for name, value in given.items() if value is not None})


def _counts(path: str) -> Any:
    from dpviz.release.count_file import counts_in_file
    from dpviz.series_file import MOST_BYTES, SeriesFileError

    content = first_bytes(path, MOST_BYTES, option="--data")
    try:
        return counts_in_file(content, path)
    except SeriesFileError as problem:
        text = str(problem).rstrip(".")
        raise UsageError(f"--data {shown_path(path)} is not allowed: {text}") from None


def _write(path: str, values: list[float], noise: float, column: str) -> None:
    # Of released values, so that it costs nothing: further digits are of no use.
    decimals = max(0, _DIGITS_OF_NOISE - math.floor(math.log10(noise)))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["step", column])
    writer.writerows((step, f"{value:.{decimals}f}") for step, value in enumerate(values, start=1))
    try:
        write_whole(Path(path), text.getvalue())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no path of a file"
        raise UsageError(f"--out {shown(path)} cannot be written: {reason}") from None
