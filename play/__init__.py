"""Games in play: alone, against ALIX, against house players; the challenge of the day; and records of games."""
