"""A club with months behind it and an evening in progress, to look at and to try things on."""
