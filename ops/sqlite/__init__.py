"""Django's backend of SQLite, which makes no file where one was."""
