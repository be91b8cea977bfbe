"""Small forecasters, and the private training loop (Schuchardt et al., Algorithms 1 and 2)."""
