"""Many scenarios at once, on all processors or on a cluster."""
