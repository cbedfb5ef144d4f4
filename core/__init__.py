"""What every other app stands on: users, request ids, hints to the worker, the shape of an error."""
