"""Every parameter of a scenario with all its digits, as a table."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal, localcontext

from dpviz.scenario import DataShape, Rates, Scenario
from dpviz.settings import SETTINGS
from dpviz.wording.label_noise import times_change
from dpviz.wording.markup import markdown_table, plain
from dpviz.wording.numbers import power_of_ten, rounded
from dpviz.wording.scope import BOTTOM_LEVEL_NAMES, scheme_name

_MOST_LENGTHS = 12
_DIGITS = 6
Rows = list[tuple[str, str]]


def parameters_table(scenario: Scenario) -> str:
    """Return what a bound depends on, and what decides these numbers, as Markdown.

    Given numbers have all their digits; rates that follow from them are rounded up.

    >>> from dpviz.scenario import PRESETS
    >>> print(parameters_table(PRESETS["toy"].scenario).splitlines()[2])
    | Series N | 320 |
    """
    return _table(_rows(scenario))


def tables_apart(scenarios: Sequence[Scenario]) -> tuple[str, list[str]]:
    """Return what all scenarios have in common, and of each the rest: tables, empty without a row.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Noise
    >>> toy = PRESETS["toy"].scenario
    >>> shared, own = tables_apart([toy, replace(toy, noise=Noise(noise_multiplier=2.0))])
    >>> "Series N" in shared, [table.splitlines()[2:] for table in own]
    (True, [['| Noise multiplier σ | 1 |'], ['| Noise multiplier σ | 2 |']])
    """
    rows = [_rows(scenario) for scenario in scenarios]
    shared = [row for row in rows[0] if all(row in others for others in rows)]
    return _table(shared), [_table([row for row in own if row not in shared]) for own in rows]


def _rows(scenario: Scenario) -> Rows:
    data = scenario.data
    rows = _rates_rows(scenario, data) if isinstance(data, Rates) else _data_rows(scenario, data)
    return [*rows, *_sampling_rows(scenario), *_noise_and_relation_rows(scenario)]


def _table(rows: Rows) -> str:
    # Settings have their titles, what follows from several a name of its own.
    named = [(SETTINGS[name].title if name in SETTINGS else name, value) for name, value in rows]
    return markdown_table(["Parameter", "Value"], named) if rows else ""


def exact(value: float) -> str:
    """Return a number with every digit that it has.

    >>> exact(4.0), exact(0.0), exact(2.5e-6), exact(123456.75)
    ('4', '0', '2.5·10⁻⁶', '123,456.75')
    """
    return power_of_ten(value) if value else "0"


def rate_of(part: int, whole: int) -> str:
    """Return a rate as the quotient that it is, and rounded up.

    >>> rate_of(120, 17_521)
    '120 / 17,521 = 0.00684893 (rounded up)'
    >>> rate_of(32, 6_400)
    '32 / 6,400 = 0.005'
    """
    with localcontext(Context(prec=_DIGITS, rounding=ROUND_CEILING)):
        quotient = Decimal(part) / Decimal(whole)
    note = "" if quotient * whole == part else " (rounded up)"
    return f"{part:,} / {whole:,} = {rounded(float(quotient), _DIGITS)}{note}"


def noise_in_units(scenario: Scenario, sigma: float) -> str:
    """Return noise on windows in units of v and, where v is known, in the data's own unit.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Relation, Units
    >>> toy = PRESETS["toy"].scenario
    >>> cars = replace(toy, relation=Relation(max_change=300.0), units=Units(value_unit="cars"))
    >>> noise_in_units(toy, 2.5), noise_in_units(cars, 2.5), noise_in_units(cars, 0.0)
    ('2.5 v', '2.5 v = 750 cars', '0 (no noise)')
    """
    if sigma == 0.0:
        return "0 (no noise)"
    change = scenario.relation.max_change
    if change is None:
        return f"{exact(sigma)} v"
    return f"{exact(sigma)} v = {times_change(sigma, change)}{_unit(scenario)}"


def _data_rows(scenario: Scenario, data: DataShape) -> Rows:
    of_shortest = "" if data.is_of_one_length else ", of the shortest series"
    lengths = data.series_lengths
    told = ", ".join(f"{length:,}" for length in lengths)
    if len(lengths) > _MOST_LENGTHS:
        told = f"{len(lengths)} lengths from {lengths[0]:,} to {lengths[-1]:,} (see the scenario)"
    rows = [
        ("num_series", f"{data.num_series:,}"),
        ("series_length", told),
        ("context_length", f"{data.context_length:,}"),
        ("forecast_length", f"{data.forecast_length:,}"),
        ("start_positions", f"{data.start_positions:,}{of_shortest}"),
        ("touched_windows", f"{scenario.touched_windows or 0:,}{of_shortest}"),
    ]
    if data.longer_series_beyond is not None:
        rows[1] = ("series_length", f"{told} and longer")
        limit = f"{data.longer_series_beyond:,} start positions; longer series are trained on, too"
        rows.insert(2, ("longer_series_beyond", limit))
    sampling = scenario.sampling
    if sampling.is_bag:
        windows = sampling.largest_batch(data)
        least = "" if data.is_of_one_length else "at least "
        return [
            *rows,
            ("Windows in the bag", f"{least}{windows:,}"),
            ("Rate of one window", rate_of(sampling.batch_size, windows)),
        ]
    drawn = (sampling.series_per_batch, data.num_series)
    if sampling.has_bins:
        drawn = (1, scenario.steps_per_epoch)
    bottom = rate_of(scenario.touched_windows or 0, data.start_positions)
    return [*rows, ("bottom_rate", bottom), ("top_rate", rate_of(*drawn))]


def _rates_rows(scenario: Scenario, rates: Rates) -> Rows:
    rows = [("bottom_rate", exact(rates.bottom_rate)), ("top_rate", exact(scenario.top_rate))]
    if rates.forecast_share is not None:
        rows.append(("forecast_share", exact(rates.forecast_share)))
    told = "Rates, given directly: the shape of a data set does not enter"
    return [*rows, ("Data", told)]


def _sampling_rows(scenario: Scenario) -> Rows:
    sampling = scenario.sampling
    rows = [("top_level", scheme_name(sampling))]
    if not sampling.is_bag:
        rows.append(("bottom_level", BOTTOM_LEVEL_NAMES[sampling.bottom_level]))
        rows.append(("num_subsequences", f"{sampling.num_subsequences:,}"))
    if isinstance(scenario.data, DataShape):
        rows.append(("batch_size", f"{sampling.batch_size:,}"))
    return [
        *rows,
        ("steps_per_epoch", f"{scenario.steps_per_epoch:,}"),
        ("Training steps", f"{scenario.num_steps:,}"),
        ("Epochs begun", f"{scenario.num_epochs:,}"),
    ]


def _noise_and_relation_rows(scenario: Scenario) -> Rows:
    noise, relation, units = scenario.noise, scenario.relation, scenario.units
    change, many = relation.max_change, relation.series_per_person
    rows = [
        ("noise_multiplier", exact(noise.noise_multiplier)),
        ("context_noise", noise_in_units(scenario, noise.context_noise)),
        ("forecast_noise", noise_in_units(scenario, noise.forecast_noise)),
        ("relation", SETTINGS["relation"].choices[relation.level]),
        ("relation_width", f"{relation.width:,}"),
        *([("series_per_person", f"{many:,}")] if many > 1 else []),
        ("num_channels", f"{relation.num_channels:,}"),
        ("max_change", "not set" if change is None else f"{exact(change)}{_unit(scenario)}"),
    ]
    if units.time_step is not None:
        rows.append(("time_step", str(units.time_step)))
    return [*rows, ("delta", exact(scenario.delta))]


def _unit(scenario: Scenario) -> str:
    unit = scenario.units.value_unit
    return "" if unit is None else f" {plain(unit)}"
