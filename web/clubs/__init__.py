"""A club's pages for those who run it."""
