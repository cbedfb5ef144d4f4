"""The web application for a server that speaks RSGI, as `ops.web` runs it."""

from __future__ import annotations

from config.wsgi import application as django
from ops.front import Front

application = Front(django)
