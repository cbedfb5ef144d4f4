"""Ratings: multi-player Elo in integers, and the replay of a game's tables in order."""
