"""Play in the browser: alone, against the house, the challenge of the day; and records, move by move."""
