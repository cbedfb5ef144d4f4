"""What the service does with results, one verb per function."""
