"""Reading numbers back out of sentences, and what no sentence may contain."""

import re

_EXPONENT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_NUMBER = r"[0-9][0-9,]*(?:\.[0-9]+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
# Words of the code and of the proofs; a page explains its own words, and these nowhere.
_JARGON = (
    "None", "nan", "inf", "Kind", "MIRRORED", "ATTAINED", "mirrored", "np.", "float64", "Bracket",
    "MoG", "PLD", "PMF", "pmf", "hockey", "discretis", "discretiz", "connect the dots", "FFT",
    "dominating", "profile", "divergence", "interval=", "_", "{", "}", "\\", "TODO",
)  # fmt: skip


def number(text: str) -> float:
    """Return a number as the pages write it.

    >>> number("1,234.5"), number("2.5·10⁻⁶")
    (1234.5, 2.5e-06)
    """
    mantissa, _, power = text.replace(",", "").partition("·10")
    return float(f"{mantissa}e{power.translate(_EXPONENT) or 0}")


def numbers_after(sign: str, text: str) -> list[float]:
    """Return all numbers that stand after a sign, such as "ε ≤ "."""
    return [number(found) for found in re.findall(re.escape(sign) + f"({_NUMBER})", text)]


def bounds_in(text: str) -> tuple[list[float], list[float]]:
    """Return the upper and the lower bounds on epsilon that a text about runs tells.

    >>> bounds_in("**ε ≤ 19.03 at δ = 10⁻⁷**. No analysis can promise less than ε = 17.59.")
    ([19.03], [17.59])
    """
    upper = re.findall(rf"(?:ε ≤|epsilon is at most|\| ≤|^at most) ({_NUMBER})", text)
    lower = re.findall(rf"(?:less than ε =|≥|at least) ({_NUMBER})", text)
    return [number(told) for told in upper], [number(told) for told in lower]


def cells_of(table: str) -> list[list[str]]:
    """Return a Markdown table's cells by row: heads, rules, and what is below them."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    assert len({len(row) for row in rows}) == 1  # else it is no table
    return rows


def jargon_in(text: str) -> list[str]:
    """Return what a sentence should say in other words; links are not part of it."""
    without_links = re.sub(r"\]\([^)]*\)", "]", text)
    return [word for word in _JARGON if word in without_links]


def is_between(low: float, text_low: float, text_high: float, high: float) -> bool:
    """Whether an interval in a text holds the one that was computed."""
    return text_low <= low and high <= text_high
