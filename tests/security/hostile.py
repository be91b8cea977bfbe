"""What somebody may type, or put into a link that others open, to be more than words."""

from dataclasses import replace

from dpviz.scenario import PRESETS, Noise, Pin, Relation, Scenario, Units

# At most 40 characters: no unit is longer.
WORDS = (
    "[q](//e.example)",
    "![q](//e.example/q.png)",
    "<a href=//e.example>q</a>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &#60;",
    "*q* __q__ ~~q~~ `q`",
    "$q^2$ $$q$$",
    ":smile: :+1: :q",
    ":red[q] :blue-badge[q]",
    ":material/home: :streamlit:",
    "https://e.example/?q=1&p=2",
    "HTTP://E.EXAMPLE www.e.example",
    "q@e.example",
    "q -> p <- q <-> p -- q >= p <= q ~= p",
    "| q | p |",
    "# q",
    "{0} {q} {{q}} %s %(q)s",
    "'q' \"q\" \\q \\",
    "$(id) `id`; id && id # q",
    '"""; import os #',
    "</script></style>-->",
    "m,=cmd|' /C calc'!A0,q",
    "m;=1+1;q",
    "=1+1",
    "@SUM(1)",
    "END",
    "```",
)


def scenario_with(words: str) -> Scenario:
    """Return settings that all texts about a largest change and its noise quote the unit of."""
    return replace(
        PRESETS["toy"].scenario,
        relation=Relation(max_change=3.0),
        units=Units(value_unit=words),
        noise=Noise(noise_multiplier=1.0, context_noise=1.0, forecast_noise=2.0),
    )


def pin_with(words: str) -> Pin:
    return Pin(slot="a", scenario=replace(scenario_with(words), delta=1e-6))
