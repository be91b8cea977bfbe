"""What the main paper reports of training: its tables as printed, and the set-ups behind them."""
