"""What players see on their phones."""
