"""Private release of one series of counts in the time domain (Koga et al.)."""
