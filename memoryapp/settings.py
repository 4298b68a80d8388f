"""All settings, read from the environment once. What is missing in a real deployment fails loudly here."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

from memoryapp import oidc

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("MEMORYAPP_DATA_DIR", default=str(BASE_DIR / ".data"))).resolve()
MODEL_CACHE_DIR = Path(env.str("MEMORYAPP_MODEL_CACHE_DIR", default=str(DATA_DIR / "models")))

DEBUG = env.bool("DEBUG", default=False)
# No default: a guessable key in production would let anybody forge a session. `make run` makes one per data folder.
SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# Set when a TLS proxy stands in front; it then has to send X-Forwarded-Proto.
BEHIND_TLS = env.bool("BEHIND_TLS", default=False)
# How many proxies of ours add to X-Forwarded-For. With 0 the address is that of whoever connects: of the proxy.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)

INSTALLED_APPS = [
    "memoryapp.apps.MemoryAppConfig",
    "consent.apps.ConsentConfig",
    "speakers.apps.SpeakersConfig",
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
]

MIDDLEWARE = [
    "memoryapp.middleware.RequestIdMiddleware",
    # Outside of what looks at the Host header, so that a refusal has these headers too.
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "memoryapp.middleware.PolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memoryapp.pages.middleware.PersonZoneMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "memoryapp.urls"
ASGI_APPLICATION = "memoryapp.asgi.application"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "memoryapp.pages.context.shell",
            ]
        },
    }
]


def _database(url: str) -> dict[str, Any]:
    """Read a psycopg URL; the host may be a socket folder in `?host=`."""
    parts = urlsplit(url)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/") or "memoryapp",
        "USER": parts.username or query.pop("user", ""),
        "PASSWORD": parts.password or "",
        "HOST": query.pop("host", "") or parts.hostname or "",
        "PORT": str(parts.port or query.pop("port", "")),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **query,
            # A connection per request costs 15 ms, a pooled one nothing (STACK.md).
            "pool": {"min_size": 1, "max_size": env.int("DATABASE_POOL_SIZE", default=16), "timeout": 10}
            if env.bool("DATABASE_POOL", default=True)
            else False,
            # Typed parameters keep the owner inside index conditions (STACK.md, traps).
            "server_side_binding": True,
            # The search statement takes longer to plan than to run. Off for a pooler that cannot keep statements.
            "prepare_threshold": 5 if env.bool("DATABASE_PREPARE", default=True) else None,
        },
        # Off behind a pooler by transaction, where the next fetch may reach another connection.
        "DISABLE_SERVER_SIDE_CURSORS": not env.bool("DATABASE_SERVER_CURSORS", default=True),
    }


DATABASES = {"default": _database(env.str("DATABASE_URL"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ATOMIC_REQUESTS = False

# ------------------------------------------------------------------ sign-in
AUTH_USER_MODEL = "speakers.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/me/memories/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "memoryapp.pages.accounts.AccountAdapter"
ACCOUNT_SESSION_REMEMBER = False
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
# A second factor or an address for resets is not added by whoever finds a browser signed in.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # nobody is written to who has no login here
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
AXES_USERNAME_CALLABLE = "memoryapp.pages.accounts.login_name"
AXES_CLIENT_IP_CALLABLE = "memoryapp.pages.accounts.client_ip"
AXES_FAILURE_LIMIT = env.int("LOGIN_FAILURE_LIMIT", default=10)
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
# Not allauth's field name "login": axes looks up Django's credentials, and a lock under another name never holds.
AXES_USERNAME_FORM_FIELD = "username"
AXES_LOCKOUT_CALLABLE = "memoryapp.pages.failures.locked_out"

if env.str("OIDC_SERVER_URL", default=""):
    INSTALLED_APPS += oidc.APPS
    SOCIALACCOUNT_PROVIDERS = oidc.providers(env)
    SOCIALACCOUNT_ADAPTER = "memoryapp.pages.social.SocialAccountAdapter"
    # A link, not a form: the content security policy lets forms lead nowhere else.
    SOCIALACCOUNT_LOGIN_ON_GET = True

# ------------------------------------------------------------------ the operators' pages
UNFOLD = {
    "SITE_TITLE": _("Memory"),
    "SITE_HEADER": _("Memory"),
    "SITE_URL": "/console/services/",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("img/mark.svg")}
    ],
}

# ------------------------------------------------------------------ e-mail
# Only for a new password. Without EMAIL_URL nothing can be sent, and the pages say so.
CAN_MAIL = bool(env.str("EMAIL_URL", default=""))
if CAN_MAIL:
    vars().update(env.email_url("EMAIL_URL"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="memoryapp@localhost")

# ------------------------------------------------------------------ transport and headers
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
SESSION_COOKIE_AGE = 14 * 24 * 3600
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    # Asked by machines beside us and not through the proxy.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    },
}
# The operators' admin is a theme of its own: Alpine evaluates its attributes, and styles are inline.
ADMIN_CONTENT_SECURITY_POLICY = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}

# ------------------------------------------------------------------ language, time, files
LANGUAGE_CODE = "ko"
LANGUAGES = [("ko", _("Korean")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "memoryapp" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
SERVICE_ZONE = "Asia/Seoul"  # nightly runs and whole days without a person's own zone
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

# Hosts in private networks from which services' public keys may be fetched; http only from this machine itself.
KEY_URL_HOSTS = {host.lower() for host in env.list("MEMORYAPP_KEY_URL_HOSTS", default=[])}

# ------------------------------------------------------------------ API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["memoryapp.api.auth.ServiceKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["memoryapp.api.auth.KeyPermission"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["memoryapp.api.parsing.ShallowJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "memoryapp.api.schema.Schema",
    "EXCEPTION_HANDLER": "memoryapp.problems.handle",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "memoryapp",
    "DESCRIPTION": "Long-term memory for assistants, decided by the person it is about.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
}

# Requests a minute per service key, and per user of a service; 0 = no limit. Far above what people cause.
RATE_LIMITS = {
    "key": env.int("MEMORYAPP_RATE_PER_KEY", default=120_000),
    "user": env.int("MEMORYAPP_RATE_PER_USER", default=30_000),
}
# Counts of requests and of wrong passwords; never content. Shared between processes only with a CACHE_URL.
CACHES = {"default": env.cache("CACHE_URL", default="locmemcache://")}

# ------------------------------------------------------------------ background work
PGMQ_DSN = env.str("MEMORYAPP_PGMQ_DSN", default="")
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="pgmq://localhost" if PGMQ_DSN else "")
CELERY_TASK_IGNORE_RESULT = True  # the row is the job; no result store that could keep content
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SOFT_TIME_LIMIT = 540
CELERY_ENABLE_UTC = True
# A publish must not hold a request for long when the broker is gone: the sweep picks the row up anyway.
# But once: only a retry replaces a connection that a restarted broker has left dead, in beat for ever.
CELERY_TASK_PUBLISH_RETRY = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_BROKER_CONNECTION_TIMEOUT = 3
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {}
if CELERY_BROKER_URL.startswith("pgmq"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "conn_string": PGMQ_DSN,
        "init_extension": False,
        "visibility_timeout": 660,
        "use_notify": True,
        "wait_time_seconds": 0,
        "polling_interval": 0.1,
    }
elif CELERY_BROKER_URL.startswith("redis"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 660,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        "socket_timeout": 10,
    }
# How soon is found what no message announced, when the broker or a worker was gone.
SWEEP_SECONDS = env.float("MEMORYAPP_SWEEP_SECONDS", default=20.0)
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "memoryapp.sweep", "schedule": SWEEP_SECONDS, "options": {"expires": SWEEP_SECONDS}},
    "nightly": {"task": "memoryapp.nightly", "schedule": 60.0, "options": {"expires": 60}},
    "settle": {
        "task": "memoryapp.settle",
        "schedule": crontab(hour="19", minute="17"),
        "options": {"expires": 7200},
    },
    "purge": {"task": "memoryapp.purge", "schedule": crontab(minute="7"), "options": {"expires": 3600}},
}
CELERY_BEAT_SCHEDULER = "memoryapp.schedule:Scheduler"

# ------------------------------------------------------------------ memory
MASTER_KEYSET = env.str("MEMORYAPP_MASTER_KEYSET", default="")
MASTER_KEYSET_FILE = Path(
    env.str("MEMORYAPP_MASTER_KEYSET_FILE", default=str(DATA_DIR / "keys" / "master.json"))
)
# A key service instead of a keyset: the dotted name of what makes a `master.Wrapper` (see transit.py).
KEY_WRAPPER = env.str("MEMORYAPP_KEY_WRAPPER", default="")
# Certificates of erasure, kept where a restored backup of the database does not reach.
ERASURE_LEDGER = Path(env.str("MEMORYAPP_ERASURE_LEDGER", default=str(DATA_DIR / "erasures.jsonl")))
EMBEDDING_PROVIDER = env.str("MEMORYAPP_EMBEDDING_PROVIDER", default="e5")
EMBEDDING_API_KEY = env.str(
    "MEMORYAPP_EMBEDDING_API_KEY", default=""
)  # for spaces of an OpenAI-compatible service
# For revisions that read turns with a language model, or with a remote memory server.
LLM_BASE_URL = env.str("MEMORYAPP_LLM_BASE_URL", default="")
LLM_API_KEY = env.str("MEMORYAPP_LLM_API_KEY", default="")
LLM_MODEL = env.str("MEMORYAPP_LLM_MODEL", default="")
# How long a model may take over one turn or summary; then it is tried again later.
LLM_SECONDS = env.float("MEMORYAPP_LLM_SECONDS", default=60.0)
REMOTE_MEMORY_TOKEN = env.str("MEMORYAPP_REMOTE_MEMORY_TOKEN", default="")
SPEAKER_MIN_CONFIDENCE = 0.6
SNAPSHOT_HOURS = 24
SESSION_IDLE_MINUTES = 30  # a session is over, and is summarised, after this silence
WORKFLOW_HOURS = 24
A2A_MAX_TOKENS = 2000
# How long each kind is kept, by level and sensitivity. Enforced by housekeeping.purge, shown to the person.
RETENTION_DAYS = {
    "device_pair": 1,  # talk of nobody we know
    "turn": 90,
    "session_summary": 90,
    "day_summary": 365,
    "week_summary": 730,
    "candidate": 180,  # a profile candidate that nothing spoke for
    "candidate_guarded": 30,  # the same, of `pii` or `restricted` content
    "deleted": 30,  # soft-deleted memories, and what a roll-back needs to be undone
    "tombstone": 180,  # a device that was away for longer has to fetch everything anew
    "recall": 90,
    "replay": 7,  # what a trial of a draft found, and the leave for trials itself
    "idempotency": 1,
    "pushed": 180,  # answers to a device's writes, given again to repeats
    "context": 365,  # a session's blocks, since the session was last there
    "prompt": 90,  # a session's frozen prompt likewise; it is made anew from the blocks
    "device": 365,  # a device that has not been heard of; longer than its tombstones, so it never misses one
    "revoked_link": 365,  # a voice, face or account that was taken away
    "cost": 730,  # two years, to compare the same month
    # Marks of deleted facts: at least as long as anything kept here could teach them again (turns, summaries, what a
    # device still holds), and as long as somebody may reasonably bring an old export or an old log of a device.
    "forgotten": 1095,
    "dropped_key": 30,  # a service's public key, after its URL had it no longer
    "sign_in": 30,  # who signed in when, from which address
}
SECRETS_TTL_SECONDS = 60
NOTICES_DIR = BASE_DIR / "templates" / "consent" / "notices"

# Who may read /metrics: with a token its holder, without one this machine.
METRICS_TOKEN = env.str("MEMORYAPP_METRICS_TOKEN", default="")

# Traces, for the collector that OpenTelemetry's own variables name. Without one nothing of it is imported.
TELEMETRY = not env.bool("OTEL_SDK_DISABLED", default=False) and bool(
    env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
    or env.str("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", default="")
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "memoryapp.logs.Line"}, "json": {"()": "memoryapp.logs.Json"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": env.str("LOG_FORMAT", default="line")}
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "axes": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        # They would tell the whole address of each call, and what stands behind its "?".
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
    },
}
