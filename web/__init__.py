"""The pages: one folder per kind of reader."""
