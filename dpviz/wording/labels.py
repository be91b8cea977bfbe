"""What the page calls the fields of a scenario."""

import re

LABELS = {
    "bottom_rate": "Bottom-level rate r",
    "top_rate": "Top-level rate ρ",
    "noise_multiplier": "Noise multiplier σ",
    "steps": "Training length in steps",
    "epochs": "Training length in epochs",
    "delta": "Failure probability δ",
    "num_series": "Series N",
    "series_length": "Series length L",
    "context_length": "Context length L_C",
    "forecast_length": "Forecast length L_F",
    "batch_size": "Batch size Λ",
    "bag_size": "Windows in the bag N_total",
    "batch_share": "Batch ratio Λ / N_total",
    "window_length": "Window length L_C + L_F",
    "steps_per_epoch": "Steps per epoch",
    "longer_series_beyond": "Longer series left out beyond",
    "forecast_share": "Forecast share φ",
    "touched_windows": "Touched windows k",
    "start_positions": "Start positions T",
    "top_level": "How series are chosen for a batch",
    "bottom_level": "How windows are chosen from a series",
    "num_subsequences": "Windows per series λ",
    "context_noise": "Noise on context σ_C",
    "forecast_noise": "Noise on labels σ_F",
    "max_change": "Largest change of a value v",
    "value_unit": "Unit of the values",
    "num_channels": "Values per time step (channels)",
    "relation": "Protected values",
    "relation_width": "How many, w",
    "time_step": "Time from value to value",
    "target_epsilon": "Privacy budget ε",
    "fixed_epsilon": "At ε",
    "target_success": "Share of attackers right, at even odds",
    "target_false_positive_rate": "At this share of false alarms",
    "target_true_positive_rate": "Share of hits",
    "prior": "Attacker's belief beforehand",
    "first_date": "First day of the drawing",
    "compared_steps": "After how many steps",
    "drawn_batch": "Batch number",
    "drawing_seed": "Seed of the draws",
    "simulated_runs": "Simulated runs",
    "simulated_units": "Steps of each run (walks: epochs)",
    "game_kind": "How the value gets into a batch",
    "game_seed": "Seed of the game",
    "game_answers": "Answers to the game",
    "sweep_x": "Across",
    "sweep_y": "Upwards",
    "sweep_most_epsilon": "Rows with ε of at most",
    "sweep_row": "Row to look at",
    "run_name": "Name of the run",
    "release_source": "Series of counts",
    "synth_frequency": "Sampling frequency f",
    "synth_noise": "Observation noise",
    "lane_days": "Days",
    "participation": "Steps that one individual is in, at most",
    "release_rate": "Share of steps that are kept p",
    "filter_width": "Width of the filter, in steps",
    "release_epsilon": "Privacy loss of the release ε",
    "release_delta": "Failure probability of the release δ",
    "release_way": "Mechanism and accounting",
    "release_repetitions": "Repetitions",
    "release_seed": "Seed of the release",
    "participation_factor": "Takes part more often, times",
    "staged_levels": "Levels",
    "staged_noise": "Noise multiplier σ on an episode's sum",
    "staged_episodes": "Episodes K",
    "staged_example": "One episode of",
    "trained_on": "Data to train on",
    "panel_series": "Series in the panel N",
    "panel_length": "Values of each series",
    "panel_period": "Time steps of a season",
    "panel_seed": "Seed of the panel",
    "trained_model": "Model",
    "trained_privacy": "Train",
    "trained_noise": "Noise on gradients",
    "trained_context": "Context of a window L_C",
    "trained_forecast": "Forecast of a window L_F",
    "trained_batch": "Windows in a batch Λ",
    "trained_change": "Largest change v in these data",
    "trained_steps": "Training steps asked for",
    "learning_rate": "Learning rate",
    "trained_seed": "Seed of the training",
    "compared_setting": "Compare",
    "compared_seeds": "Runs of each (seeds)",
    "shown_series": "Forecast of series number",
    "protected_data": "Data to protect",
    "protection_method": "Protection",
    "coded_share": "Share of values cut off p",
    "noise_multiple": "Noise, in standard deviations of a series",
    "value_epsilon": "Epsilon of one value",
    "value_low": "Lowest value, known beforehand",
    "value_high": "Highest value, known beforehand",
    "neighbours": "Nearest series k",
    "swap_window": "Values compared n",
    "swap_radius": "Radius, in the data's unit",
    "live_forecasters": "Forecasters",
    "forecast_count": "Series forecast here",
    "forecast_series": "Draw series number",
    "protection_seed": "Seed of the protection",
}


def labelled(message: str) -> str:
    """Return a message about fields with the page's labels in the place of their names.

    >>> labelled("batch_size = 0 is not allowed: it must be above 0.")
    'Batch size Λ = 0 is not allowed: it must be above 0.'
    >>> labelled("num_subsequences = 40 is not allowed: it must be at most batch_size (32).")
    'Windows per series λ = 40 is not allowed: it must be at most Batch size Λ (32).'
    >>> labelled("batch_size_limit: it is missing.")
    'batch_size_limit: it is missing.'
    """
    name = message.partition(" ")[0].rstrip(":")
    if name in LABELS:
        message = LABELS[name] + message.removeprefix(name)
    # Further on only what cannot be an ordinary word.
    return _NAME.sub(lambda match: LABELS.get(match[0], match[0]), message)


_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
