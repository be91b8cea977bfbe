"""What was computed before of all M3 series, in words."""

from collections.abc import Mapping, Sequence

from dpviz.protected_forecasts.study import ErrorSummary
from dpviz.wording.numbers import counted, signed
from dpviz.wording.protected_forecasts import SHORT_FORECASTERS, protection_words

NOT_COMPUTED = "–"


def shipped_sentence(protection: str, errors: Mapping[tuple[str, str], ErrorSummary]) -> str:
    """Return what the same protection does to all M3 series; nothing where it was not computed."""
    changes = {
        name: 100.0 * (found.mean / errors["none", name].mean - 1.0)
        for (one, name), found in errors.items()
        if one == protection and one != "none"
    }
    if not changes:
        return ""
    least, most = min(changes, key=changes.__getitem__), max(changes, key=changes.__getitem__)
    shrunk = sum(change < 0.0 for change in changes.values())
    count = max(found.num_series for found in errors.values())
    return (
        f"On all {count} M3 series (computed before, table below), the same protection changes "
        f"mean errors by {signed(changes[least])} % ({SHORT_FORECASTERS[least]}) to "
        f"{signed(changes[most])} % ({SHORT_FORECASTERS[most]}); they shrink for {shrunk} of "
        f"{counted(len(changes), 'forecaster')}."
    )


def shipped_note(date: str, versions: str, num_series: int) -> str:
    """Return what stands under the precomputed table."""
    return (
        f"Mean absolute errors of one-step forecasts on {num_series} monthly micro series of the "
        f"M3 competition, computed on {date} ({versions}). A dash: not computed. In brackets: as "
        "printed in Table 2 of Bale et al. SES, DES and TES are the same models and come within "
        "1.5 % of the print; their automatic ARIMA, VAR, LightGBM and recurrent network are other "
        "programs, with settings that are not printed: docs/protected-forecasts.md lists what was "
        "tried. One draw of what is random, with seed 1. Laplace noise by known bounds: of a whole "
        "series, ε is at most that of one value times its 66 to 124 values; nothing else here is a "
        "privacy guarantee."
    )


def shipped_table(
    protections: Sequence[str],
    errors: Mapping[tuple[str, str], ErrorSummary],
    published: Mapping[tuple[str, str], float],
) -> str:
    """Return the precomputed errors as a Markdown table, the chosen protection among the rows."""
    names = list(dict.fromkeys(name for _, name in errors))
    rows = [
        "| Protection | " + " | ".join(SHORT_FORECASTERS[name] for name in names) + " |",
        "| --- |" + " ---: |" * len(names),
    ]
    for protection in protections:
        cells = []
        for name in names:
            found, printed = errors.get((protection, name)), published.get((protection, name))
            cell = NOT_COMPUTED if found is None else f"{found.mean:.2f}"
            cells.append(cell + (f" ({printed:.2f})" if printed is not None else ""))
        rows.append(f"| {protection_words(protection)} | " + " | ".join(cells) + " |")
    return "\n".join(rows)
