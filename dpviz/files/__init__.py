"""Files that are replaced in one step, and tables in them that say what made them."""
