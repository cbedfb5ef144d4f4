"""Every setting, from the environment alone. `docs/settings.md` lists the variables.

Values that cannot be used are reported by `config.checks`; nothing here raises.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import secrets
import sys
import zoneinfo
from functools import partial
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext_lazy as _

from config import env
from ops import broker, databases, files, start

FILES_DIR = start.FILES
MANAGE_COMMAND = start.MANAGE  # for messages that name a command
DATA_DIR = Path(env.text("LUDOSCORE_DATA", str(start.usual_data_folder()))).absolute()

DEBUG = env.flag("DEBUG")
PUBLIC_URL = env.web_address("PUBLIC_URL")
IS_HTTPS = PUBLIC_URL.startswith("https:")
# Font files for letters that the shipped ones do not have, in pictures to share.
PICTURE_FONTS = env.words("PICTURE_FONTS")


KEY_FILE = DATA_DIR / "secret-key"
SECRET_KEY = env.text("SECRET_KEY")
if not SECRET_KEY:
    with contextlib.suppress(start.SetupError):  # the system check says what is wrong
        SECRET_KEY = start.read_key(KEY_FILE)
# Without a key the process still starts, so that the system check can say what to do; nothing signed
# with this one outlives the process.
SECRET_KEY = SECRET_KEY or f"unset-{secrets.token_urlsafe(50)}"
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
if PUBLIC_URL:
    ALLOWED_HOSTS.append(urlsplit(PUBLIC_URL).hostname or "")
    CSRF_TRUSTED_ORIGINS.append(PUBLIC_URL)

# --- Applications -----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "ops",
    "demo",
    "web",
    "play",
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
    "corsheaders",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
]

MIDDLEWARE = [
    "ops.request_ids.RequestIdMiddleware",
    "ops.health.HealthMiddleware",
    "ops.metrics.MetricsMiddleware",
    "ops.security.ContentSecurityPolicyMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pads what it packs, so that lengths tell nothing
    "core.sessions.PrintableCookiesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "core.zones.TimeZoneMiddleware",
    "api.slashes.SlashMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "core.sessions.LastSeenMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "core.logins.DeviceMiddleware",
    "ops.errors.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
AUTH_USER_MODEL = "core.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
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
POOL_SIZE = env.whole("DATABASE_POOL_SIZE", 9, least=1, most=500)

SQLITE_OPTIONS = {
    # A transaction takes the write lock when it begins: two that read first and write later would otherwise
    # fail at once, whatever the timeout.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # FULL waits at every commit until the disk has it. With NORMAL, which in WAL mode waits only at a checkpoint, a
    # power cut takes commits that were acknowledged. It costs an fsync per commit: on a virtual disk 2 ms, not 0.1.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}
POSTGRESQL_OPTIONS = {
    # A pool that keeps trying waits longer after each failure; one that gives up tries again with the next request.
    "pool": {"min_size": 1, "max_size": POOL_SIZE, "timeout": 2, "max_lifetime": 1800, "reconnect_timeout": 1},
    "connect_timeout": 2,
    # A machine that lost its power or its network says nothing: the kernel then breaks the connection. Sockets of this
    # machine need none of it, and systems that do not know the first overlook it.
    "tcp_user_timeout": 4_000,  # milliseconds
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    # How often a statement of `core.statements` runs on a connection before the server keeps its plan; None for never.
    "prepare_threshold": 2 if env.flag("DATABASE_PREPARE", default=True) else None,
    "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_TIMEOUT_MS} -c timezone=UTC",
}


DATABASE_OPTIONS = {databases.SQLITE: SQLITE_OPTIONS, databases.POSTGRESQL: POSTGRESQL_OPTIONS}

DATABASES = {
    "default": env.read(
        "DATABASE_URL",
        partial(databases.parse, options=DATABASE_OPTIONS),
        databases.parse(f"sqlite:///{quote(str(DATA_DIR / 'ludoscore.sqlite3'))}", DATABASE_OPTIONS),
        "postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite:///PATH",
    )
}
if env.is_bad("DATABASE_URL") or env.is_bad("LUDOSCORE_DATA"):
    DATABASES = {}  # none at all: what is meant for another must not go into a file that happens to lie there
NO_DATABASE = " ".join(  # why there is none, for commands that look for one
    f"{bad.fault} {bad.remedy}" for bad in env.BAD if bad.name in {"DATABASE_URL", "LUDOSCORE_DATA"}
)

# --- Jobs -------------------------------------------------------------------------------------------------------

SWEEP = dt.timedelta(seconds=10)  # how often the worker looks for what is out of date and no message brought
HEARTBEAT = dt.timedelta(seconds=20)  # how often the scheduler sends a message only to see it arrive
BROKER_URL = env.text("BROKER_URL") or broker.embedded_url(DATA_DIR)
CLUB_CREATION = env.one_of("CLUB_CREATION", ("operator", "anybody"))
WEBHOOKS_ALLOW_PRIVATE = env.flag("WEBHOOKS_ALLOW_PRIVATE")
WEB_PUSH = env.flag("WEB_PUSH", default=True)

# --- Processes --------------------------------------------------------------------------------------------------

# Of `serve`. A second one takes what the first has no core for; more than two take memory that a laptop has not.
WEB_PROCESSES = env.whole("WEB_PROCESSES", min(env.cores(), 2), least=1, most=64)

# --- Languages and times ----------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
LOCALE_PATHS = [FILES_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.read(
    "TIME_ZONE", lambda name: zoneinfo.ZoneInfo(name).key, env.machine_zone(), "a name such as Europe/Paris"
)

# --- Files ------------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [FILES_DIR / "static"]
# A deployment collects the files (`manage.py collectstatic`): named by their content, compressed, cached for good.
# Otherwise (one machine, a test) they are served as they lie in their packages.
IS_COLLECTED = "collectstatic" in sys.argv or (STATIC_ROOT / "staticfiles.json").is_file()
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
LANGUAGE_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = IS_HTTPS
# Not with a certificate of our own: a browser that was told to insist on HTTPS lets nobody past its warning.
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS and not env.flag("OWN_CERTIFICATE") else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
TRUSTED_PROXY = env.flag("TRUSTED_PROXY")
if TRUSTED_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SILENCED_SYSTEM_CHECKS = [
    # E-mail addresses are unique by a constraint that ignores their case, which is more than the check asks for.
    "auth.W004",
    # A club's other subdomains are not ours to bind to HTTPS, nor its name to a browser's preload list.
    "security.W005",
    "security.W021",
]

# How many bytes the body of a request may have: one that carries a sheet, one with a file to import, and any other.
# The largest sheets of simulated games, with all their evidence, have some 8,000.
SHEET_MAX_BYTES = 64_000
FILE_MAX_BYTES = 1_000_000
EVENT_FILE_MAX_BYTES = 8_000_000  # a file with every sheet of an event, or of a club
DATA_UPLOAD_MAX_MEMORY_SIZE = 256_000
# Files are in memory when a view begins, and stay there: a temporary folder may be full.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = EVENT_FILE_MAX_BYTES + 100_000  # the largest body that any page takes
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000

AUTHENTICATION_BACKENDS = ["core.logins.PasswordBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "web:login"
LOGIN_REDIRECT_URL = "web:organise"
LOGOUT_REDIRECT_URL = "web:front"
PASSWORD_RESET_TIMEOUT = 86_400
MESSAGE_STORAGE = "web.notices.Notices"
CSRF_FAILURE_VIEW = "ops.errors.csrf_failure"

# What a process counts by itself against guessing and asking (`core.limits`): more than anybody can push out.
CACHES = {"default": {"BACKEND": "core.caches.ProcessCache", "OPTIONS": {"MAX_ENTRIES": 50_000}}}

OTP_TOTP_ISSUER = "Ludoscore"
OTP_ADMIN_HIDE_SENSITIVE_DATA = True

# --- Mail -------------------------------------------------------------------------------------------------------

EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.whole("EMAIL_PORT", 587, least=1, most=65_535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "ludoscore@localhost")
# Without a mail server nothing is sent, and nothing printed: a log is no place for links that open accounts.
EMAIL_BACKEND = "core.smtp.EmailBackend" if EMAIL_HOST else "django.core.mail.backends.dummy.EmailBackend"

# --- API --------------------------------------------------------------------------------------------------------

# A page anywhere may call the API, and never as whoever is logged in here: a credential goes in a header, if at all.
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = [
    "accept", "accept-language", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match",
    "last-event-id", "play-token",
]  # fmt: skip
CORS_EXPOSE_HEADERS = [
    "Content-Language", "Deprecation", "ETag", "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After",
    "Sunset", "X-Request-ID",
]  # fmt: skip

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.BearerAuthentication",
        "api.authentication.PageAuthentication",
        "api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["api.framework.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "api.framework.Pages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.Schema",
    "DEFAULT_METADATA_CLASS": None,  # the schema says what a route takes; OPTIONS would say it again, worse
    "DEFAULT_THROTTLE_CLASSES": ["api.framework.CredentialThrottle"],
    "DEFAULT_THROTTLE_RATES": {"credential": "600/min", "address": "1200/min"},
    "EXCEPTION_HANDLER": "api.errors.handle",
    "NUM_PROXIES": int(TRUSTED_PROXY),  # without one anybody could claim any address
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

SPECTACULAR_SETTINGS = {
    "ENUM_NAME_OVERRIDES": {
        "TieBreakEnum": "tournaments.models.TieBreak",
        "SeasonTieBreakEnum": "tournaments.models.SeasonTieBreak",
        "ScopeEnum": "tournaments.models.Scope",
        "KeyReachEnum": ["read", "write", "some"],
        "SoloStatusEnum": "play.models.SoloGame.Status",
        "AnswerEnum": "tournaments.services.proof.Answer",
        "EventStatusEnum": "tournaments.models.Event.Status",
        "EntryStatusEnum": "tournaments.models.Entry.Status",
        "RoundStatusEnum": "tournaments.models.Round.Status",
        "TableStatusEnum": "tournaments.models.Table.Status",
        "ReportStatusEnum": "scoring.models.Report.Status",
        "FormatEnum": "tournaments.models.Format",
        "PrizeKindEnum": "tournaments.models.PrizeKind",
        "FileFormatEnum": ["ludoscore.event/1"],
        "ClubFileFormatEnum": ["ludoscore.club/1"],
    },
    "TITLE": "Ludoscore",
    "DESCRIPTION": "Tournaments, score sheets and ratings of tabletop games.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.describing.describe",
    ],
}

# --- Figures ----------------------------------------------------------------------------------------------------

METRICS_TOKEN = env.text("METRICS_TOKEN")
METRICS_DIR = env.text("PROMETHEUS_MULTIPROC_DIR")  # the name under which prometheus_client looks for it too
if "serve" in sys.argv[1:2] and not METRICS_DIR:  # its web processes add up what they count
    METRICS_DIR = os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(files.counts_folder(DATA_DIR))

# --- Logs -------------------------------------------------------------------------------------------------------

LOG_LEVEL = env.one_of("LOG_LEVEL", ("INFO", "DEBUG", "WARNING", "ERROR"))
LOG_FORMAT = env.one_of("LOG_FORMAT", ("text", "json"))
# The schedule and every task that went well: for machines that read logs, and on a terminal only where asked for.
ROUTINE = ("celery.beat", "celery.worker.strategy", "celery.app.trace")
IS_ROUTINE_TOLD = LOG_FORMAT == "json" or LOG_LEVEL == "DEBUG"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"chosen": {"()": "ops.logs.JsonLines" if LOG_FORMAT == "json" else "ops.logs.PlainLines"}},
    "filters": {"flood": {"()": "ops.logs.Flood"}, "disk": {"()": "ops.logs.DiskTroubles"}},
    "handlers": {"stderr": {"class": "ops.logs.Stderr", "formatter": "chosen", "filters": ["flood", "disk"]}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django.server": {"handlers": ["stderr"], "propagate": False},
        **{name: {"level": LOG_LEVEL if IS_ROUTINE_TOLD else "WARNING"} for name in ROUTINE},
    },
}
