"""What is done with games in play and with records."""
