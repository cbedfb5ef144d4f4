"""Reports, standings, ratings."""
