"""The command and the Python that repeat what the page about protected data shows."""

from dpviz.settings import View

_PYTHON = """import numpy as np

from dpviz.protected_forecasts import error_summary, forecaster_named, next_values, released
{load}
data = {data}
for name in {forecasters!r}:
    forecaster = forecaster_named(name)
    before = next_values(data.known[:{count}], forecaster)
    after = next_values(released(data, {protection!r}, {seed})[:{count}], forecaster)
    actual = data.next_values[:{count}]
    errors = [error_summary(forecasts, actual).mean for forecasts in (before, after)]
    print(f"{{name}}: mean absolute error {{errors[0]:.2f}} before, {{errors[1]:.2f}} after")
"""
_LOADERS = {
    "generated": (
        "from dpviz.protected_forecasts import generated_series\n",
        "generated_series(np.random.default_rng(1))",
    ),
    "m3": ("from dpviz.protected_forecasts import m3_monthly_micro\n", "m3_monthly_micro()"),
    "file": (
        "from pathlib import Path\n\nfrom dpviz.protected_forecasts.data import series_from_file\n",
        'series_from_file(Path("mine.csv").read_bytes(), "mine.csv")',
    ),
}


def study_command(view: View, protection: str) -> str:
    """Return the command that studies all series; empty for a file, which it cannot read."""
    if view.protected_data == "file":
        return ""
    return (
        f"python -m dpviz forecast-study --data {view.protected_data} --protection {protection} "
        f"\\\n    --forecaster {view.live_forecasters.replace(',', ' ')} "
        f"--seed {view.protection_seed} --out table.csv"
    )


def study_code(view: View, protection: str) -> str:
    """Return the program that prints the errors of the series shown."""
    load, data = _LOADERS[view.protected_data]
    return _PYTHON.format(
        load=load,
        data=data,
        forecasters=view.live_forecasters.split(","),
        protection=protection,
        seed=view.protection_seed,
        count=view.forecast_count,
    )
