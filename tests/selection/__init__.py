"""Which tests run, in which order, and how far they are from a change."""
