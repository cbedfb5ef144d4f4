"""Seasons: the best results of several events together."""
