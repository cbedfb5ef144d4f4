"""The API: one module per resource, each with its routes."""
