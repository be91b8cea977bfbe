"""What a public server has to withstand, and what it is told to."""
