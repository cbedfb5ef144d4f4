"""News of events: what changed, for whom, and everybody who waits to hear of it."""
