"""What serving dpviz to others takes."""
