"""Whatever comes from outside: read exactly as it was given, or refused in words."""
