"""What every other app stands on: users, request ids, publishing tasks, the shape of an error."""
