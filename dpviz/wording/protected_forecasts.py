"""Protected data and forecasts made of them, in words: above all what is no guarantee."""

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
import numpy.typing as npt

from dpviz.protected_forecasts.features import FEATURES, FEWEST_SERIES, Reasons
from dpviz.protected_forecasts.protections import (
    METHODS,
    LaplaceKnownBounds,
    protection_named,
    written,
)
from dpviz.protected_forecasts.study import ErrorChange, ErrorSummary, ProtectedSeries
from dpviz.protected_forecasts.swapping import LastChoice
from dpviz.settings import View
from dpviz.settings.protected_forecasts import PROTECTION_METHODS
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    in_full,
    joined,
    per_hundred,
    rounded,
    rounded_up,
    signed,
)

SHORT_FORECASTERS = {
    "ses": "SES",
    "des": "DES",
    "tes": "TES",
    "auto-arima": "Auto-ARIMA",
    "auto-ets": "AutoETS",
    "lasso-var": "VAR (lasso)",
    "boosted-trees": "LightGBM",
    "recurrent": "RNN (LSTM)",
}
_FEATURE_NAMES = {
    "spectral_entropy": "spectral entropy",
    "first_autocorrelation": "autocorrelation (ACF1)",
    "trend_strength": "strength of trend",
    "seasonal_strength": "strength of season",
}
# Where there is little room.
SHORT_FEATURES = {
    "spectral_entropy": "entropy",
    "first_autocorrelation": "ACF1",
    "trend_strength": "trend",
    "seasonal_strength": "season",
}
_OTHER_PREDICTORS = {
    "direction_of_adjustment": "whether the forecast went up",
    "size_of_adjustment": "size of the forecast's change",
}
_REASONS_AGAINST = {
    "top-coding": "values below the cut are released as they are; the others are at least the cut.",
    "bottom-coding": "values above the cut are released as they are; the others are at most the "
    "cut.",
    "normal-noise": "the noise is scaled by the series' own spread, and reveals it; no ε follows.",
    "laplace-own-range": "the noise is scaled by the series' own range, and reveals it: its "
    "strength is an ε in name only.",
    "swap": "real values of other series are released as they are; nothing bounds what they "
    "reveal.",
    "centroid": "a mean of few series has no randomness; nothing bounds what it reveals.",
}


def asked_protection(view: View) -> str:
    """Return the chosen protection with its strengths, as the command line takes it."""
    method = METHODS[view.protection_method]
    strengths = [getattr(view, name) for name in method.strengths[: method.needed]]
    return written(view.protection_method, strengths)


def protection_words(protection: str) -> str:
    """Return a protection in a few words."""
    name, *strengths = protection.split(":")
    if name == "none":
        return "no protection"
    first, *others = map(float, strengths)
    if name in ("top-coding", "bottom-coding"):
        return f"{PROTECTION_METHODS[name]} of {per_hundred(first)} %"
    if name == "normal-noise":
        return f"normal noise of {in_full(first)} standard deviation{'' if first == 1.0 else 's'}"
    if name == "laplace-own-range":
        return f"Laplace noise by own range / {in_full(first)} (not DP)"
    if name == "laplace-known-bounds":
        low, high = map(in_full, others)
        return (
            f"Laplace noise by known bounds {low} to {high}, ε ≤ {rounded_up(first)} of one value"
        )
    words = PROTECTION_METHODS[name].partition(" (")[0]
    if first == 1.0:
        words = words.replace("one of the k ", "the ").replace(" k ", " ")
    words = words.replace(" k ", f" {in_full(first)} ")
    words = words.replace("a radius", f"radius {in_full(first)}")
    return f"{words} ({counted(int(others[0]), 'value')} compared)"


def guarantee(protection: str, shown: ProtectedSeries) -> str:
    """Return what a protection proves, or that it proves nothing, as Markdown."""
    method = protection_named(protection)
    if isinstance(method, LaplaceKnownBounds):
        longest = max(len(values) for values in shown.known)
        one, whole = method.value_epsilon, method.series_epsilon(longest)
        return (
            f"**Proven, for one value of one series:** ε ≤ {rounded_up(one)} at δ = 0 (upper "
            "bound, Laplace mechanism, one value replaced by any other). **For a whole series of "
            f"{longest} values:** ε ≤ {rounded_up(whole)} (upper bound, composed over its values). "
            "It holds if the bounds were chosen without looking at the data; number, lengths and "
            "names of the series count as public. Floating-point noise as here is for studies, not "
            "for a release."
        )
    name = protection.split(":")[0]
    kind = name if name in _REASONS_AGAINST else "swap" if "swap" in name else "centroid"
    share = rounded(100.0 * (shown.kept_share or 0.0), 3)
    kept = f"{share} % of all values have no series near enough and stay unprotected."
    against = f"**No privacy guarantee:** {_REASONS_AGAINST[kind]}"
    return joined(against, kept if shown.kept_share else "")


def best_of_original(pairs: Mapping[str, tuple[ErrorSummary, ErrorSummary]]) -> str | None:
    """Return the forecaster with the smallest mean error before; ``None`` without forecasts."""
    known = [name for name, (before, _) in pairs.items() if isfinite(before.mean)]
    return min(known, key=lambda name: pairs[name][0].mean, default=None)


def errors_headline(
    protection: str, source: str, pairs: Mapping[str, tuple[ErrorSummary, ErrorSummary]]
) -> str:
    """Return the sentence over the chart: what the best forecaster loses, or gains."""
    if (best := best_of_original(pairs)) is None:
        return f"No forecaster has a forecast for {source}."
    (before, after), start = pairs[best], f"After {protection_words(protection)},"
    if not isfinite(after.mean):
        return f"{start} {SHORT_FORECASTERS[best]} has no forecast."
    more = after.mean - before.mean
    size = "the same" if more == 0.0 else "larger" if more > 0.0 else "smaller"
    share = f"{rounded(100.0 * abs(more) / before.mean, 3)} % " if more and before.mean else ""
    return (
        f"{start} the mean absolute error of {SHORT_FORECASTERS[best]}, the best forecaster of the "
        f"original values, is **{share}{size}** on {before.num_series:,} series ({source})."
    )


def change_sentence(change: ErrorChange | None, num_series: int) -> str:
    """Return what so many series tell of others, as Markdown; nothing where they tell nothing."""
    if change is None or (change.low == change.high == 0.0):
        return ""
    # No error falls by more than all of it, whatever the rough range says.
    ends = f"{signed(100.0 * max(change.low, -1.0), 0)} % and {signed(100.0 * change.high, 0)} %"
    told = f"{num_series} series are too few to tell whether errors rise or fall"
    if change.is_told:
        told = f"errors {'rise' if change.share > 0.0 else 'fall'}"
    return (
        f"Over many series like these the change is between {ends} (rough 95 % range): **{told}.**"
    )


def errors_table(pairs: Mapping[str, tuple[ErrorSummary, ErrorSummary]]) -> str:
    """Return mean absolute errors before and after as a Markdown table."""
    heads = [
        "Forecaster", "MAE, original", "MAE, protected", "Change", "Series improved", "degraded",
    ]  # fmt: skip
    rows = []
    for name, (before, after) in pairs.items():
        errors = [_number(before.mean), _number(after.mean), _change(before.mean, after.mean)]
        shares = [_share(after.improved_share), _share(after.degraded_share)]
        rows.append([SHORT_FORECASTERS[name], *errors, *shares])
    left = max(max(b.without_forecast, a.without_forecast) for b, a in pairs.values())
    note = f"\n\nUp to {left} of the series have no forecast and are left out." if left else ""
    return markdown_table(heads, rows, "lr") + note


def errors_description(
    protection: str, pairs: Mapping[str, tuple[ErrorSummary, ErrorSummary]]
) -> str:
    """Return the chart of errors in words, for those who cannot see it."""
    told = "; ".join(
        f"{SHORT_FORECASTERS[name]}: median {_number(before.quantiles[2])} before, "
        f"{_number(after.quantiles[2])} after"
        for name, (before, after) in pairs.items()
    )
    return f"Absolute errors of forecasts before and after {protection_words(protection)}. {told}."


def feature_name(feature: str) -> str:
    """Return a feature, or a predictor made of it, in words."""
    if feature.startswith("change_of_"):
        return f"change of {_FEATURE_NAMES[feature.removeprefix('change_of_')]}"
    return _FEATURE_NAMES.get(feature) or _OTHER_PREDICTORS[feature]


REASONS_NOTE = (
    "Explained: of the error's change by the features, by a ridge regression on ranks, tried on "
    "held-out series. Importance: how much the explained share (R², below 0 where predictions are "
    "worse than the mean) falls when a predictor is shuffled. Rank correlation: above 0, series "
    "with more rather degrade. Correlation, not cause."
)
TOO_FEW_FOR_REASONS = (
    f"Reasons need {FEWEST_SERIES} series or more: with fewer, chance would pass for one."
)


def reasons_text(reasons: Reasons) -> str:
    """Return what goes along with an improvement, as Markdown; the note says how it is found."""
    share = 100.0 * reasons.explained
    if share <= 0.0:
        return f"not explained (R² {signed(reasons.explained, 2)}, n = {reasons.num_series})."
    best = sorted(reasons.reasons, key=lambda reason: -reason.importance)[:4]
    rows = [
        (feature_name(reason.predictor), f"{reason.importance:.3f}", signed(reason.correlation, 2))
        for reason in best
        if reason.importance > 0.0
    ]
    heads = ["What", "Importance", "Rank correlation"]
    return (
        f"**{rounded(share, 2)} %** explained (n = {reasons.num_series})."
        f"\n\n{markdown_table(heads, rows, 'lr')}"
    )


def _change(before: float, after: float) -> str:
    is_known = isfinite(before) and isfinite(after) and before != 0.0
    return f"{signed(100.0 * (after / before - 1.0))} %" if is_known else "–"


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100.0 * share:.0f} %"


def _number(value: float, none: str = "none") -> str:
    return rounded(value) if isfinite(value) else none


_Pair = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def series_called(name: str) -> str:
    """Return a series by its name, with the word before it where the name does not say it.

    >>> series_called("N1402"), series_called("made-up series 1")
    ('series N1402', 'made-up series 1')
    """
    return name if name.startswith(("series ", "made-up series ")) else f"series {name}"


def series_description(
    shown: ProtectedSeries, at: int, forecasts: Mapping[str, _Pair], protection: str
) -> str:
    """Return the chart of one series in words.

    ``forecasts`` by forecaster, before and after, have shape (series,) each; ``at`` counts from 0.
    """
    called = capitalised(series_called(shown.names[at][:60]))
    known, released = shown.known[at], shown.released[at]
    told = "".join(
        f" {SHORT_FORECASTERS[name]} forecasts {_number(before[at], 'nothing')}, and "
        f"{_number(after[at], 'nothing')} of the protected series."
        for name, (before, after) in forecasts.items()
    )
    return (
        f"{called}: {len(known)} values from {rounded(known.min())} to "
        f"{rounded(known.max())}; after {protection_words(protection)} from "
        f"{rounded(released.min())} to {rounded(released.max())}, "
        f"{np.count_nonzero(known != released)} of them changed.{told} Actual value: "
        f"{rounded(shown.next_values[at])}."
    )


def features_description(shown: ProtectedSeries, protection: str) -> str:
    """Return the chart of features in words: the middle one of the shown series."""
    before, after = shown.features
    told = "; ".join(
        f"{feature_name(name)} {_middle(before[:, at])} before, {_middle(after[:, at])} after"
        for at, name in enumerate(FEATURES)
    )
    return (
        f"Features of the {len(shown.names)} shown series before and after "
        f"{protection_words(protection)}, medians: {told}."
    )


def _middle(values: npt.NDArray[np.float64]) -> str:
    there = values[np.isfinite(values)]
    return rounded(float(np.median(there))) if len(there) else "none"


def shipped_sentence(protection: str, errors: Mapping[tuple[str, str], ErrorSummary]) -> str:
    """Return what the same protection does to all M3 series; nothing where it was not computed."""
    changes = sorted(
        (100.0 * (found.mean / errors["none", name].mean - 1.0), SHORT_FORECASTERS[name])
        for (one, name), found in errors.items()
        if one == protection and one != "none"
    )
    if not changes:
        return ""
    ends = " to ".join(f"{signed(change)} % ({name})" for change, name in (changes[0], changes[-1]))
    count = max(found.num_series for found in errors.values())
    return (
        f"On all {count} M3 series (computed before, table below), the same protection changes "
        f"mean errors by {ends}; they shrink for {sum(change < 0.0 for change, _ in changes)} of "
        f"{counted(len(changes), 'forecaster')}."
    )


def shipped_note(date: str, versions: str, num_series: int) -> str:
    """Return what stands under the precomputed table."""
    return (
        f"Mean absolute errors of one-step forecasts of {num_series} monthly micro series, "
        f"computed on {date} ({versions}), one draw, seed 1. In brackets: as printed in Table 2 of "
        "Bale et al. SES, DES and TES are the same models, within 1.5 % of the print; the others "
        "are other programs (docs/protected-forecasts.md). Laplace noise by known bounds: for a "
        "whole series ε is at most that of one value times its 66 to 124 values; nothing else here "
        "is a privacy guarantee."
    )


def shipped_table(
    protections: Sequence[str],
    errors: Mapping[tuple[str, str], ErrorSummary],
    published: Mapping[tuple[str, str], float],
) -> str:
    """Return the precomputed errors as a Markdown table, the chosen protection among the rows."""
    names = list(dict.fromkeys(name for _, name in errors))
    rows = []
    for protection in protections:
        cells = [protection_words(protection)]
        for name in names:
            found, printed = errors.get((protection, name)), published.get((protection, name))
            cell = "–" if found is None else f"{found.mean:.2f}"
            cells.append(cell + (f" ({printed:.2f})" if printed is not None else ""))
        rows.append(cells)
    heads = ["Protection", *(SHORT_FORECASTERS[name] for name in names)]
    return markdown_table(heads, rows, "lr")


def variances_description(variances: Mapping[str, Sequence[float]]) -> str:
    """Return Figure 4 in words."""
    told = "; ".join(
        f"{SHORT_FORECASTERS[name]}: {rounded(values[0], 3)} original, "
        f"{rounded(values[-1], 3)} with 40 % cut off"
        for name, values in sorted(variances.items(), key=lambda one: one[1][0])
    )
    return f"Variance of absolute errors, in parts of the least one of the original series. {told}."


def quartiles_description(quartiles: Mapping[str, npt.NDArray[np.float64]]) -> str:
    """Return Figure 5 in words."""
    first, last = quartiles["none"], quartiles["top-coding:0.4"]
    told = "; ".join(
        f"{feature_name(name)} {rounded(first[1, at], 3)} original, {rounded(last[1, at], 3)} with "
        "40 % cut off"
        for at, name in enumerate(FEATURES)
    )
    return f"Features of the M3 series by top coding, medians: {told}. Bars reach to the quartiles."


def no_swap_text(name: str) -> str:
    """Return that a series has no other one to be swapped with."""
    return (
        f"No other series is as long as {series_called(name)}: a swap chooses among series of one "
        "length, so it has none to choose from."
    )


def swap_text(nearest: LastChoice, within: LastChoice, radius: float, name: str) -> str:
    """Return which series may take the place of one's last value, and with which chance."""
    called, circle = capitalised(series_called(name)), f"within {in_full(radius)}"
    near = _one_of(len(nearest.near), "nearest series", "the nearest series")
    kept = f"nothing {circle} (dotted circle): the value stays as it is"
    if found := len(within.near):
        kept = f"{_one_of(found, circle, f'the only one {circle}')} (dotted circle)"
    return (
        f"{called} among {len(nearest.windows)} of its length, by their last two values only. Its "
        f"last value becomes that of {near} (k-nTS, lines), or of {kept}; means replace it without "
        "chance."
    )


def _one_of(count: int, which: str, only: str) -> str:
    return only if count == 1 else f"one of the {count:,} {which} with chance 1/{count} each"
