"""Running the service: processes, broker, backups, health, figures, logs and the headers of every answer."""
