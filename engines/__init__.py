"""Rules engines of the four games. Imports the standard library and pydantic only."""
