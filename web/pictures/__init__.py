"""Pictures to share: what a link shows elsewhere, and results to keep, in the fonts that pages are set in."""
