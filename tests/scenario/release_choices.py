"""Choices of the page that releases one series: others than at first, and wrong ones."""

OTHERS = {
    "release_source": "lane",
    "synth_frequency": 0.25,
    "synth_noise": 100.0,
    "lane_days": 3,
    "participation": 17,
    "release_rate": 0.3,
    "filter_width": 2.5,
    "release_epsilon": 2.0,
    "release_delta": 1e-6,
    "release_way": "filter-subsample-paper",
    "release_repetitions": 20,
    "release_seed": 9,
    "participation_factor": 4.0,
}
BAD = {
    "release_source": ["", "Synth", "upload", "../x"],
    "synth_frequency": ["", "0", "2", "nan", "1/2"],
    "synth_noise": ["", "-1", "inf", "loud"],
    "lane_days": ["", "0", "36", "1.5"],
    "participation": ["", "0", "50001", "2.5", "nan"],
    "release_rate": ["", "0", "1.1", "nan", "10 %"],
    "filter_width": ["", "0", "1001", "-1", "wide"],
    "release_epsilon": ["", "0", "101", "inf", "nan"],
    "release_delta": ["", "0", "0.2", "1e-13"],
    "release_way": ["", "exact", "subsample", "subsample-analytic", "x" * 10**6],
    "release_repetitions": ["", "9", "1001", "10.5"],
    "release_seed": ["", "-1", "1000000001", "random"],
    "participation_factor": ["", "0.5", "11", "nan"],
}
