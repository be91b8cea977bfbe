"""Many participants at once: simulated visitors of the real server, and what they wait for."""
