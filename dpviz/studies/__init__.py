"""What all studies and sweeps have in common: cases, and a journal of their answers."""
