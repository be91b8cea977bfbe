"""What all studies and sweeps have in common: cases, a journal of their answers, and tables."""
