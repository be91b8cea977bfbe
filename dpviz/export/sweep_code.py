"""How the results of a sweep are made, and their CSV."""

EXAMPLE_TOML = """\
# grid.toml: a list is several values, and all are combined
num_series = 320
series_length = 20
context_length = 1
forecast_length = 1
batch_size = [16, 32, 64, 128]
noise_multiplier = [0.8, 1.0, 1.5, 2.0, 4.0]
steps = [100, 300, 1000]
delta = 1e-7
"""
EXAMPLE_COMMAND = "python -m dpviz sweep grid.toml --out results.parquet --epsilon 0.5 1"
