"""Standings of events: `metrics` and `compute` are pure, `store` reads and writes, `words` explains."""
