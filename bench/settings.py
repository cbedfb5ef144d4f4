"""The project's settings, with a view that does nothing and limits that a load generator does not reach."""

from config.settings import *  # noqa: F403 -- all of them
from config.settings import REST_FRAMEWORK

ROOT_URLCONF = "bench.urls"
REST_FRAMEWORK = REST_FRAMEWORK | {"DEFAULT_THROTTLE_RATES": {"credential": "1000000/min", "address": "1000000/min"}}
