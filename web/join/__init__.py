"""Join an event by its code, or open a personal link or a table's slip."""
