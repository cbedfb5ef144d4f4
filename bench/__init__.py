"""Measurements: each prints a table with a peer or a floor measured in the same run."""
