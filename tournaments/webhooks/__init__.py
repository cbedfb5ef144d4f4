"""How messages reach the receivers of a club: where they may go, how they are sent, and when again."""
