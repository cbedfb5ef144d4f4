"""The web application for a WSGI server."""

import multiprocessing
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.checks import refuse_unusable
from ops.supervisor import die_with_parent

application = get_wsgi_application()
refuse_unusable()

# A worker process that outlived its server would keep the port, and answer with code that nobody manages any more.
if server := multiprocessing.parent_process():
    die_with_parent(server.pid or 0)
