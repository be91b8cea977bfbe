"""What small training runs cost: measured processor time beside the estimate that pages refuse by.

``python bench/training.py`` prints a line for each size. The estimate has to be above what is
measured, or a run that was let through would be ended by the server's limit.
"""

import time

from dpviz.scenario import PRESETS
from dpviz.training.panel_source import GeneratedSource, parts_of
from dpviz.training.small_run import estimated_seconds, small_run
from dpviz.training.told_run import told_by_run

# Series, length, context, forecast, batch, steps, model.
_SIZES = (
    (200, 144, 24, 6, 64, 500, "linear"),
    (200, 144, 24, 6, 64, 5000, "linear"),
    (200, 144, 24, 6, 64, 500, "feedforward"),
    (500, 144, 24, 6, 500, 1000, "dlinear"),
    (200, 1000, 400, 100, 150, 300, "linear"),
    (200, 1000, 400, 100, 150, 300, "feedforward"),
)


def main() -> None:
    """Train one run of each size, privately."""
    print("series length L_C L_F Lambda steps model: processor seconds, estimate")
    for num_series, length, context, forecast, batch, steps, model in _SIZES:
        source = GeneratedSource(num_series=num_series, length=length, period=12, seed=1)
        run = small_run(
            PRESETS["toy"].scenario,
            parts_of(source, context, forecast),
            context_length=context,
            forecast_length=forecast,
            batch_size=batch,
            max_change=10.0,
            steps=steps,
            model=model,
            target_epsilon=10.0,
            fits_noise=True,
            learning_rate=0.01,
            seed=1,
        )
        begin = time.process_time()
        for _ in told_by_run(run, source):
            pass
        took = time.process_time() - begin
        size = f"{num_series} {length} {context} {forecast} {batch} {steps} {model}"
        print(f"{size}: {took:.2f} s, {estimated_seconds(run):.1f} s", flush=True)


if __name__ == "__main__":
    main()
