"""Log in, set a password, accept an invitation, manage one's tokens."""
