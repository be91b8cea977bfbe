"""Small forecasters, and the private training loop (Schuchardt et al., Algorithms 1 and 2).

Arguments out of range, and data that do not fit, raise :class:`~dpviz.scenario.ScenarioError`.
"""
