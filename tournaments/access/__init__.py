"""Who is calling: credentials, the links a phone holds, and the actor they stand for."""
