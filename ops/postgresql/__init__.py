"""Django's backend of PostgreSQL, with a pool that notices dead connections quickly."""
