"""What protection does to forecasts further ahead, and a tree of which improve, in words."""

from collections.abc import Mapping, Sequence

from dpviz.protected_forecasts.study_tables import MONTHS_AHEAD
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import rounded, signed
from dpviz.wording.protected_forecasts import SHORT_FEATURES, SHORT_FORECASTERS, protection_words

NOISE = ("normal-noise", "laplace")
_TREES = "boosted-trees"
_SHORT = SHORT_FEATURES | {name: name for name in ("raised", "size", "large", "small")}
Rows = Sequence[Mapping[str, str]]


def told_orders(rows: Rows) -> dict[str, tuple[int, int, int]]:
    """Return of each smoothing how often LightGBM has larger errors than it after noise.

    In how many settings and horizons that is told, the opposite is told, and how many there are.
    """
    found = {}
    noised = [row for row in rows if row["protection"].startswith(NOISE)]
    for name in ("ses", "des", "tes"):
        cells = [row for row in noised if row["forecaster"] == name]
        better = sum(float(row["percent_high"]) < 0.0 for row in cells)
        worse = sum(float(row["percent_low"]) > 0.0 for row in cells)
        found[name] = (better, worse, len(cells))
    return found


def verdict_text(rows: Rows) -> str:
    """Return the verdict on the abstract's second claim, with what it rests on, as Markdown."""
    said = "; ".join(
        f"{SHORT_FORECASTERS[name]} smaller in {better}, larger in {worse} of {count}"
        for name, (better, worse, count) in told_orders(rows).items()
    )
    horizons = list(dict.fromkeys(row["horizon"] for row in rows))
    lines: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row["forecaster"] != _TREES and row["protection"].startswith(NOISE):
            change, low, high = (
                signed(float(row[name]), 0)
                for name in ("percent_against_trees", "percent_low", "percent_high")
            )
            cells = lines.setdefault((row["protection"], row["forecaster"]), [])
            cells.append(f"{change} % [{low}, {high}]")
    table = []
    for (protection, name), cells in lines.items():
        # The table of all protections has the epsilon of one value.
        noise = protection_words(protection).partition(", ε")[0]
        table.append([noise.replace(" noise", ""), SHORT_FORECASTERS[name], *cells])
    heads = ["Noise", "Smoothing", *(f"{at} ahead" for at in horizons)]
    return (
        "**Claim of the abstract**: after noise, exponential smoothing has smaller errors than "
        "LightGBM at all horizons. **Here**, with 95 % confidence for each setting and horizon: "
        f"{said}. Change of the mean absolute error from LightGBM's to the "
        "smoothing's, with its rough 95 % range over series, noise drawn once:"
        f"\n\n{markdown_table(heads, table, 'llr')}"
    )


def directions_text(rows: Rows, protection: str) -> str:
    """Return errors, bias and directions after one protection, as Markdown."""
    table = [
        [
            SHORT_FORECASTERS[row["forecaster"]],
            row["horizon"],
            rounded(float(row["mean_absolute_error"]), 3),
            signed(float(row["bias"]), 0),
            *(
                _percent(row[name])
                for name in ("raised_share", "improved_of_raised", "improved_of_lowered")
            ),
        ]
        for row in rows
        if row["protection"] == protection
    ]
    heads = [
        "Forecaster", "Months ahead", "MAE", "Bias", "Forecasts raised", "of them improved",
        "improved of those lowered",
    ]  # fmt: skip
    return (
        f"**After {protection_words(protection)}**, of {rows[0]['series']} series, forecast from "
        f"all but their last {MONTHS_AHEAD} values: so errors differ from those of one-step "
        "forecasts of the last value. Bias is the mean of forecast less actual value; raised and "
        "lowered against the forecast without protection."
        f"\n\n{markdown_table(heads, table, 'lr')}"
    )


def _percent(share: str) -> str:
    return "–" if share in ("", "nan") else f"{100.0 * float(share):.0f} %"


def tree_text(rows: Rows) -> str:
    """Return forest (first row) and tree for Figures 6 and 7 and Table 3, as Markdown."""
    forest, *leaves = rows
    share = sorted(_SHORT, key=lambda one: -float(forest[one]))
    order = ", ".join(f"{_SHORT[one]} {float(forest[one]):.2f}" for one in share)
    known, guess = (
        f"{100.0 * float(forest[one]):.1f}" for one in ("held_out_accuracy", "larger_share")
    )
    table = [
        [
            _rule(row["rule"]),
            row["series"],
            f"{100.0 * float(row['improved_share']):.0f} %",
            *(f"{float(row[one]):.2f}" for one in _SHORT),
        ]
        for row in leaves
    ]
    return (
        "**Figure 6**, by dpviz's forest of 1,000 trees: whether TES improves by top coding of "
        f"10 %, right for {known} % out of bag; one answer for all is right for {guess} %. "
        f"Importances (sum 1): {order}.\n\n"
        "**Figure 7 and Table 3**, by dpviz's tree of depth 3, fitted to all series: its rules "
        "need not hold for others. Means of each leaf; raised: share of forecasts; size: of the "
        "forecast's change, in parts of the series' mean; large and small: shares in its outer "
        "quarters."
        f"\n\n{markdown_table(['Leaf', 'Series', 'Improved', *_SHORT.values()], table, 'lr')}"
    )


def _rule(way: str) -> str:
    """Return the narrowest bounds of a way through the tree.

    >>> _rule("size > 0.1 and size > 0.2 and raised <= 0.5")
    'size > 0.2, raised ≤ 0.5'
    """
    bounds = {}
    for one in way.split(" and "):
        name, sign, cut = one.split()
        bounds[name, sign] = cut  # a later one lies within those before
    return ", ".join(
        f"{_SHORT[name]} {sign.replace('<=', '≤')} {cut}" for (name, sign), cut in bounds.items()
    )
