"""Numbers, scopes and findings in words; nothing here computes a bound."""
