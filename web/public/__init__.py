"""The pages that anybody may read: clubs, events, seasons, players, leaderboards, and what other sites embed."""
