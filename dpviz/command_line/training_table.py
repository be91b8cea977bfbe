"""A training run's answer as lines to read."""

from typing import Any

from dpviz.wording.forecast_error import error_text
from dpviz.wording.numbers import counted, rounded

_DIGITS = 4


def training_table(answer: dict[str, Any]) -> str:
    """Return the answer of :func:`dpviz.export.training_answer.training_answer` as lines."""
    lines = [
        f"{answer['model']} on {answer['data']}: {counted(answer['steps'], 'step')} of "
        f"{answer['steps_asked']:,} asked for",
        answer["statement"],
    ]
    if "protects" in answer:
        lines.append(f"protected: {answer['protects']}")
    lines += [
        f"CRPS           {_error(answer['crps'])}   {answer['error']}",
        f"seasonal naive {_error(answer['baseline_crps'])}   the same of repeating the last season",
    ]
    lines += [f"note: {answer[name]}" for name in ("error_is_not_finite",) if name in answer]
    if "noise_multiplier" in answer:
        lines.append(
            f"noise multiplier {rounded(answer['noise_multiplier'], _DIGITS)}, "
            f"{answer['noise_multiplier_is']}; clipping norm {answer['clipping_norm']:g}"
        )
    lines.append(f"parameters: {answer['model_selection']} (step {answer['best_step']:,})")
    if "seed_is_known" in answer:
        lines.append(f"note: {answer['seed_is_known']}")
    lines += [f"only if {answer[name]}" for name in ("only_if",) if name in answer]
    lines += [f"note: {answer[name]}" for name in ("extension",) if name in answer]
    if answer["is_private"]:
        lines += [f"not part of epsilon: {text}" for text in answer["not_accounted"]]
    lines += [f"note: {note}" for note in answer["notes"]]
    return "\n".join(lines)


def _error(value: float | None) -> str:
    return f"{error_text(value, _DIGITS):>8}"
