"""Settings, routes, process wiring: the one package that knows all others."""
