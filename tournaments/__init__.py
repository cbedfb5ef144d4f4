"""Clubs, people, events, rounds and tables."""
