"""How well a colour can be told from what it lies on."""

import re


def contrast(one: str, other: str) -> float:
    """Return the WCAG 2 contrast ratio of two colours such as "#0b6075"."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def as_hex(color: str) -> str:
    """Return a colour that the browser tells as rgb(...)."""
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", color)[:3])


def _luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
