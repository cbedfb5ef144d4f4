"""What organisers run an event with."""
