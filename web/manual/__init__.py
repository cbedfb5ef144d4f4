"""The rules of the games and the documents."""
