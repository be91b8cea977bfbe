"""What users may rely on when a disk is full, a package missing, a file cut off."""
