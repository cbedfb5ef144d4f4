"""Every setting, from the environment alone. `docs/settings.md` lists the variables.

Values that cannot be used are reported by `config.checks`; nothing here raises.
"""

from __future__ import annotations

import datetime as dt
import secrets
import zoneinfo
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.utils.translation import gettext_lazy as _

from config import broker, env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("LUDOSCORE_DATA", str(BASE_DIR / "var"))).absolute()

DEBUG = env.flag("DEBUG")
PUBLIC_URL = env.web_address("PUBLIC_URL")
IS_HTTPS = PUBLIC_URL.startswith("https:")


def _secret_key() -> str:
    key_file = DATA_DIR / "secret-key"
    return env.text("SECRET_KEY") or (key_file.read_text().strip() if key_file.is_file() else "")


# Without a key the process still starts, so that the system check can say what to do; nothing signed
# with this one outlives the process.
SECRET_KEY = _secret_key() or f"unset-{secrets.token_urlsafe(50)}"
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
if PUBLIC_URL:
    ALLOWED_HOSTS.append(urlsplit(PUBLIC_URL).hostname or "")
    CSRF_TRUSTED_ORIGINS.append(PUBLIC_URL)

# --- Applications -----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "scoring",
    "tournaments",
    "core",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
]

MIDDLEWARE = [
    "config.requests.RequestIdMiddleware",
    "config.health.HealthMiddleware",
    "config.metrics.MetricsMiddleware",
    "config.security.ContentSecurityPolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pads what it packs, so that lengths tell nothing
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
AUTH_USER_MODEL = "core.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- Database ---------------------------------------------------------------------------------------------------

STATEMENT_TIMEOUT_MS = env.whole("DATABASE_STATEMENT_TIMEOUT_MS", 15_000, least=100)
LOCK_TIMEOUT_MS = env.whole("DATABASE_LOCK_TIMEOUT_MS", 2_000, least=100)
POOL_SIZE = env.whole("DATABASE_POOL_SIZE", 8, least=1, most=500)

SQLITE_OPTIONS = {
    # A transaction takes the write lock when it begins: two that read first and write later would otherwise
    # fail at once, whatever the timeout.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}
POSTGRESQL_OPTIONS = {
    # A pool that keeps trying waits longer after each failure; one that gives up tries again with the next request.
    "pool": {"min_size": 1, "max_size": POOL_SIZE, "timeout": 2, "max_lifetime": 1800, "reconnect_timeout": 1},
    "connect_timeout": 2,
    "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_TIMEOUT_MS} -c timezone=UTC",
}


def database(url: str) -> dict[str, Any]:
    """Return the settings of the database at an address; ValueError where it is none we can use."""
    found: dict[str, Any] = dict(dj_database_url.parse(url))
    if found["ENGINE"] not in {"django.db.backends.postgresql", "django.db.backends.sqlite3"}:
        raise ValueError(url)
    if found["ENGINE"].endswith("sqlite3"):
        # A file for the tests too: a worker process beside them must see the same rows.
        test = {"NAME": f"{found['NAME']}.test"}
        found |= {"OPTIONS": SQLITE_OPTIONS, "CONN_MAX_AGE": 600, "TEST": test}
    else:
        # The pool keeps connections open, so a request must not keep its own beside it.
        found |= {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
        found["OPTIONS"] = POSTGRESQL_OPTIONS | found.get("OPTIONS", {})
    return found


DATABASES = {
    "default": env.read(
        "DATABASE_URL",
        database,
        database(f"sqlite:///{DATA_DIR / 'ludoscore.sqlite3'}"),
        "postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite:///PATH",
    )
}

# --- Jobs -------------------------------------------------------------------------------------------------------

SWEEP = dt.timedelta(seconds=10)  # how often the worker looks for what is out of date and no message brought
HEARTBEAT = dt.timedelta(seconds=20)  # how often the scheduler sends a message only to see it arrive
BROKER_URL = env.text("BROKER_URL") or broker.embedded_url(DATA_DIR)
WEBHOOKS_ALLOW_PRIVATE = env.flag("WEBHOOKS_ALLOW_PRIVATE")

# --- Languages and times ----------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.read("TIME_ZONE", lambda name: zoneinfo.ZoneInfo(name).key, "UTC", "a name such as Europe/Paris")

# --- Files ------------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# A deployment collects the files (`manage.py collectstatic`): named by their content, compressed, cached for good.
# Otherwise (one machine, a test) they are served as they lie in their packages.
IS_COLLECTED = (STATIC_ROOT / "staticfiles.json").is_file()
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "core.storage.CollectedFiles"
        if IS_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not IS_COLLECTED

# --- Security ---------------------------------------------------------------------------------------------------

SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if env.flag("TRUSTED_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    AXES_IPWARE_PROXY_COUNT = 1
SILENCED_SYSTEM_CHECKS = [
    # E-mail addresses are unique by a constraint that ignores their case, which is more than the check asks for.
    "auth.W004",
    # A club's other subdomains are not ours to bind to HTTPS, nor its name to a browser's preload list.
    "security.W005",
    "security.W021",
]

DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000

AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "pages:login"
LOGIN_REDIRECT_URL = "pages:clubs"
LOGOUT_REDIRECT_URL = "pages:front"
PASSWORD_RESET_TIMEOUT = 86_400
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"

# Ten wrong passwords lock the account for that address, not the whole café behind it.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_FORM_FIELD = "username"
AXES_USERNAME_CALLABLE = "core.logins.attempted_name"
AXES_LOCKOUT_CALLABLE = "tournaments.pages.accounts.locked"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "next"]  # `next` may hold the secret of an invitation
AXES_VERBOSE = False
AXES_DISABLE_ACCESS_LOG = True  # of logins that succeed, who and from where is nobody's business

# --- Mail -------------------------------------------------------------------------------------------------------

EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.whole("EMAIL_PORT", 587, least=1, most=65_535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "ludoscore@localhost")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"

# --- API --------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.api.authentication.BearerAuthentication",
        "tournaments.api.authentication.PageAuthentication",
        "tournaments.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["config.rest.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "config.rest.Pages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "config.schema.Schema",
    "DEFAULT_METADATA_CLASS": None,  # the schema says what a route takes; OPTIONS would say it again, worse
    "DEFAULT_THROTTLE_CLASSES": ["config.rest.CredentialThrottle"],
    "DEFAULT_THROTTLE_RATES": {"credential": "600/min", "address": "1200/min"},
    "EXCEPTION_HANDLER": "config.errors.handle",
    "NUM_PROXIES": int(env.flag("TRUSTED_PROXY")),  # without one anybody could claim any address
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

SPECTACULAR_SETTINGS = {
    "ENUM_NAME_OVERRIDES": {
        "TieBreakEnum": "tournaments.models.TieBreak",
        "SeasonTieBreakEnum": "tournaments.models.SeasonTieBreak",
    },
    "TITLE": "Ludoscore",
    "DESCRIPTION": "Tournaments, score sheets and ratings of tabletop games.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
}

# --- Figures ----------------------------------------------------------------------------------------------------

METRICS_TOKEN = env.text("METRICS_TOKEN")
METRICS_DIR = env.text("PROMETHEUS_MULTIPROC_DIR")  # the name under which prometheus_client looks for it too

# --- Logs -------------------------------------------------------------------------------------------------------

LOG_LEVEL = env.one_of("LOG_LEVEL", ("INFO", "DEBUG", "WARNING", "ERROR"))
LOG_FORMAT = env.one_of("LOG_FORMAT", ("text", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"chosen": {"()": "config.logs.JsonLines" if LOG_FORMAT == "json" else "config.logs.PlainLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "chosen"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {"django.server": {"handlers": ["stderr"], "propagate": False}},
}
