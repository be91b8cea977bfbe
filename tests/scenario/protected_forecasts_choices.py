"""Other values, and bad ones, of the choices about protected data and forecasts."""

OTHERS = {
    "protected_data": "m3",
    "protection_method": "nearest-swap",
    "coded_share": 0.25,
    "noise_multiple": 0.5,
    "value_epsilon": 2.5,
    "value_low": -5.0,
    "value_high": 500.0,
    "neighbours": 7,
    "swap_window": 3,
    "swap_radius": 20.5,
    "live_forecasters": "ses,auto-ets",
    "forecast_count": 5,
    "forecast_series": 4,
    "protection_seed": 0,
}
BAD = {
    "protected_data": ["", "M3", "mine.csv", "../file"],
    "protection_method": ["", "none", "magic", "top-coding:0.1"],
    "coded_share": ["", "0", "0.6", "nan", "10 %"],
    "noise_multiple": ["", "0", "-1", "101", "inf"],
    "value_epsilon": ["", "0", "1001", "nan"],
    "value_low": ["", "-1e13", "nan", "low"],
    "value_high": ["", "1e13", "inf", "high"],
    "neighbours": ["", "0", "101", "1.5"],
    "swap_window": ["", "0", "1001", "2.5"],
    "swap_radius": ["", "0", "-1", "1e13"],
    "live_forecasters": ["", ",", "ses,", "SES", "ses,lasso-var", "ses," * 10**5],
    "forecast_count": ["", "1", "41", "2.5"],
    "forecast_series": ["", "0", "41", "first"],
    "protection_seed": ["", "-1", "0.5", "1000000001"],
}
