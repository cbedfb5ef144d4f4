"""What is computed from results: standings, ratings, seasons, leaderboards and profiles."""
