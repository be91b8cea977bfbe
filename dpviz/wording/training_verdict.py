"""What became of a small training run: beside simpler forecasts, and where noise was too much."""

from dpviz.planning.ways import Way, noise_per_gradient
from dpviz.settings import SETTINGS
from dpviz.training.progress import TrainingResult
from dpviz.training.small_run import WithoutPrivacy
from dpviz.wording.numbers import counted, joined, rounded
from dpviz.wording.small_run import distance, is_finite

# What of a run may be changed to halve its noise, by the page's setting.
SETTING_OF = {"batch_size": "trained_batch", "steps": "trained_steps"}


def beside_words(result: TrainingResult, without: WithoutPrivacy | None) -> str:
    """Return how far a result is from that of the same model without privacy, as Markdown."""
    if without is None or not (is_finite(result.crps) and is_finite(without.crps)):
        return ""
    return (
        f"That is **{distance(result.crps, without.crps)}** the same model without privacy "
        f"({rounded(without.crps, 3)}), by one run each."
    )


def _rise(result: TrainingResult) -> tuple[float, float] | None:
    """Return the first and the last error of held-out windows, if it ended above where it began."""
    errors = [row.validation_crps for row in result.curve if row.validation_crps is not None]
    return (errors[0], errors[-1]) if errors and errors[-1] > errors[0] else None


def is_too_noisy(result: TrainingResult, without: WithoutPrivacy | None) -> bool:
    """Return whether the error of held-out windows rose, and would not have without noise."""
    return (
        result.settings.is_private
        and _rise(result) is not None
        and without is not None
        and without.crps is not None
        and without.crps < result.crps
    )


def risen_words(result: TrainingResult, without: WithoutPrivacy | None) -> str:
    """Return that the held-out error rose and what it means, as Markdown; empty if it did not."""
    if (rise := _rise(result)) is None:
        return ""
    first, last = (rounded(error, 3) for error in rise)
    why = ", and noise is not the reason: try a smaller learning rate, or another model"
    if result.settings.is_private and without is None:  # nothing tells why
        why = ""
    elif is_too_noisy(result, without):
        why = (
            ": too much noise for these data. It moves the model more than they do, and the "
            "untrained model forecasts better"
        )
    return f"⚠️ **The held-out error rose** from {first}, before the first step, to {last}{why}."


def next_words(way: Way | None, *, is_public: bool) -> str:
    """Return the least change that halves the noise at the same epsilon, as Markdown."""
    if way is None:
        return (
            "**Try next:** a larger ε or more series. Neither another batch size nor fewer steps "
            "halve σ / Λ within this ε."
        )
    what = SETTINGS[SETTING_OF[way.quantity]].title
    said = (
        f"**Try next:** {what} {int(way.after):,} instead of {int(way.before):,}. At the same ε "
        f"the noise on the averaged gradient halves: σ / Λ = "
        f"{rounded(noise_per_gradient(way.scenario))}."
    )
    cost = "" if is_public else "A further run on your file spends a budget of its own."
    return joined(said, cost)


def left_words(seconds: float | None) -> str:
    """Return how long a run still takes, to follow how far it is; empty while nothing tells.

    >>> left_words(12.3), left_words(200.0), left_words(None)
    (', about 12 s left', ', about 3 min left', '')
    """
    if seconds is None:
        return ""
    left = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
    return f", about {left} left"


def all_steps_words(steps: int, *, is_told: bool) -> str:
    """Return what is computed after the last step: the result, then, once told, another run."""
    beside = "; now the same model without privacy, to compare with" if is_told else ""
    return f"All {counted(steps, 'training step')} are done{beside}"
