"""Settings come from the environment; what is wrong with them is said by number, with a remedy."""

from __future__ import annotations

import os
import re

import pytest
from django.conf import settings

from config import checks
from ops import databases, start
from tests import launcher
from tests.ops.test_serve import free_port

KEY = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
PRODUCTION = {
    "SECRET_KEY": KEY,
    "PUBLIC_URL": "https://scores.example.org",
    "TRUSTED_PROXY": "True",
    "DATABASE_URL": "postgres://ludoscore:secret@localhost/ludoscore",
    "BROKER_URL": "redis://localhost/0",
}


def manage(tmp_path, *arguments, **environment):
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = clean | {"LUDOSCORE_DATA": str(tmp_path)} | environment
    done = launcher.run("manage.py", *arguments, environment=environment)
    return done.returncode, done.stdout + done.stderr


def test_production_settings_pass_every_deployment_check(tmp_path):
    status, output = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert status == 0, output


@pytest.mark.parametrize(
    "wrong",
    [
        {
            "DEBUG": ("yes", "config.E001"),
            "PUBLIC_URL": ("scores.example.org", "config.E001"),
            "DATABASE_URL": ("mysql://user:hunter2@host/name", "config.E001"),
            "TIME_ZONE": ("Mars/Olympus", "config.E001"),
            "DATABASE_POOL_SIZE": ("0", "config.E001"),
            "LOG_LEVEL": ("LOUD", "config.E001"),
            "SECRET_KEY": ("", "config.E002"),
            "BROKER_URL": ("kafka://user:hunter2@host", "config.E004"),
        },
        {
            "PUBLIC_URL": ("https://scores.example.org/path", "config.E001"),
            "DATABASE_URL": ("no address", "config.E001"),
            "SECRET_KEY": ("hunter2", "config.E003"),
        },
        {"DATABASE_URL": ("sqlite:///", "config.E001")},
        dict.fromkeys(("SECRET_KEY_FALLBACKS", "METRICS_TOKEN", "EMAIL_HOST"), ("\udcff" * 50, "config.E001")),
        {"SECRET_KEY": ("\udcff" * 50, "config.E001")},
    ],
    ids=["each wrong", "wrong otherwise", "no path", "no text", "key that is no text"],
)
def test_bad_values_are_numbered_checks_that_name_the_variable_and_not_the_value(tmp_path, wrong):
    values = {name: value for name, (value, _number) in wrong.items()}
    status, output = manage(tmp_path, "check", **PRODUCTION | values)
    assert status == 1
    found = output.split("?: ")[1:]
    for name, (_value, number) in wrong.items():
        assert [each for each in found if number in each and name in each and "HINT" in each], (name, output)
    assert len(found) == len(wrong)
    assert "Traceback" not in output
    assert "hunter2" not in output


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite://:memory:",
        "sqlite:///:memory:",
        "sqlite:///a%00b",
        "postgres://127.0.0.1:1",
        "postgres://127.0.0.1:1/",
        f"postgres://127.0.0.1:1/{'é' * 32}",
    ],
)
def test_address_of_no_database_that_lasts_is_refused(url):
    with pytest.raises(ValueError, match="names no database"):
        databases.parse(url, {databases.SQLITE: {}, databases.POSTGRESQL: {}})


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("redis://:p%2Fss@localhost:6379/0", True),
        ("redis://[::1]", True),
        (f"redis+socket:///{'deep/' * 20}broker.sock?virtual_host=2", True),
        ("rediss://localhost/0?ssl_cert_reqs=CERT_NONE", True),
        ("amqp://guest:guest@localhost//", True),
        ("redis://:p/ss@localhost:6379/0", False),
        ("redis://localhost:notaport/0", False),
        ("redis://[::1", False),
        ("redis://a..b/0", False),
        ("redis://localhost/abc", False),
        ("redis://localhost/-1", False),
        ("redis://localhost/0?colour=blue", False),
        ("redis+socket:///broker.sock?virtual_host=abc", False),
        ("amqp://localhost:notaport//", False),
    ],
)
def test_address_of_a_broker_is_one_that_can_be_connected_to(settings, url, is_taken):
    settings.BROKER_URL = url
    assert [found.id for found in checks.broker_is_known()] == ([] if is_taken else ["config.E004"])


def test_option_that_postgresql_does_not_know_is_named_by_the_check(tmp_path):
    url = PRODUCTION["DATABASE_URL"] + "?sslmode=require&foo=hunter2"
    status, output = manage(tmp_path, "check", **PRODUCTION | {"DATABASE_URL": url})
    assert (status, "without the option foo" in output, "hunter2" in output) == (1, True, False)


def test_name_as_long_as_postgresql_takes_is_taken():
    name = "x" * 63
    assert databases.parse(f"postgres://127.0.0.1:1/{name}", {databases.POSTGRESQL: {}})["NAME"] == name


def test_option_in_the_address_goes_before_our_own():
    url = "postgres://127.0.0.1:1/name?tcp_user_timeout=60000"
    assert databases.parse(url, settings.DATABASE_OPTIONS)["OPTIONS"]["tcp_user_timeout"] == 60_000


UNREADABLE = {"DATABASE_URL": "postgres://ludoscore:p#ss@127.0.0.1/ludoscore"}


@pytest.mark.parametrize(
    "words",
    [
        "ops.web --workers 2 --bind 127.0.0.1:{port}",
        "celery --quiet --app config.celery worker",
        "celery --quiet --app config.celery beat --pidfile=",
    ],
    ids=["web", "worker", "beat"],
)
def test_no_process_works_with_a_setting_that_cannot_be_read(tmp_path, words):
    log = tmp_path / "log"
    environment = os.environ | PRODUCTION | UNREADABLE | {"LUDOSCORE_DATA": str(tmp_path)}
    words = words.format(port=free_port())
    process = launcher.Started("-m", *words.split(), environment=environment, log=log)
    try:
        assert process.wait(60) == os.EX_CONFIG
    finally:
        process.kill()
    assert "config.E001: DATABASE_URL cannot be used as it is set. Set DATABASE_URL to postgres://" in log.read_text()
    assert "Traceback" not in log.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@pytest.mark.parametrize(
    "command",
    [
        ["create_club", "Café Meeple", "--owner", "you@example.org"],
        ["shell", "--no-imports", "-c", "from core.models import User; User.objects.count()"],
    ],
    ids=["create_club", "shell"],
)
def test_no_command_takes_another_database_than_the_one_that_cannot_be_read(tmp_path, command):
    status, output = manage(tmp_path, *command, **PRODUCTION | UNREADABLE)
    told = "CommandError: DATABASE_URL cannot be used as it is set. Set DATABASE_URL to postgres://"
    assert (status, output.startswith(told), output.count("\n")) == (1, True, 1), output
    assert not list(tmp_path.iterdir())


def test_plain_address_in_production_is_a_warning(tmp_path):
    _, output = manage(tmp_path, "check", "--deploy", **PRODUCTION | {"PUBLIC_URL": "http://scores.example.org"})
    assert "config.W005" in output


@pytest.mark.parametrize(
    ("changed", "number"),
    [
        ({"ALLOWED_HOSTS": "scores.example.org"}, "config.W007"),
        ({"ALLOWED_HOSTS": "localhost,*"}, "config.E006"),
        ({"ALLOWED_HOSTS": ".example.org"}, "config.E006"),
        ({"ALLOWED_HOSTS": "*", "PUBLIC_URL": "https://scores.example.org"}, ""),
        ({"ALLOWED_HOSTS": "*", "EMAIL_HOST": ""}, ""),
    ],
    ids=["a name", "any name", "any name of a domain", "known address", "no mail"],
)
def test_mail_without_a_public_address_is_reported_and_with_any_host_refused(tmp_path, changed, number):
    environment = PRODUCTION | {"PUBLIC_URL": "", "EMAIL_HOST": "mail.example.org"} | changed
    status, output = manage(tmp_path, "check", **environment)
    assert status == number.startswith("config.E"), output
    assert [each for each in ("config.E006", "config.W007") if each in output] == [number] * bool(number)


def test_broker_is_ours_whatever_another_project_tells_celery(tmp_path):
    names = ("BROKER_URL", "BROKER_READ_URL", "BROKER_WRITE_URL", "RESULT_BACKEND", "LOADER")
    others = {f"CELERY_{name}": "redis://other.example.org" for name in names}
    code = "from celery import current_app as app; c = app.conf;"
    code += "print(c.broker_url, c.broker_read_url, c.broker_write_url, c.result_backend)"
    _, output = manage(tmp_path, "shell", "--no-imports", "-c", code, **PRODUCTION | others)
    assert output.split() == [PRODUCTION["BROKER_URL"]] * 3 + ["None"]


@pytest.mark.parametrize(("scheme", "secure"), [("http", "False"), ("https", "True")])
def test_cookies_and_redirects_follow_the_scheme_of_the_public_address(tmp_path, scheme, secure):
    code = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.LANGUAGE_COOKIE_SECURE);"
        "print(s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 0)"
    )
    environment = PRODUCTION | {"PUBLIC_URL": f"{scheme}://scores.example.org"}
    _, output = manage(tmp_path, "shell", "--no-imports", "-c", code, **environment)
    assert output.split() == [secure] * 5


def test_secret_key_of_the_data_folder_is_used(tmp_path):
    (tmp_path / "secret-key").write_text(KEY + "\n")
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    assert KEY in manage(tmp_path, "shell", "--no-imports", "-c", code)[1]


@pytest.mark.parametrize(
    ("content", "reason"), [(None, "cannot be read (Is a directory)"), (b"\xff" * 60, "is damaged, as it is no text")]
)
def test_secret_key_that_cannot_be_read_is_told_with_its_file(tmp_path, monkeypatch, content, reason):
    key = tmp_path / "secret-key"
    if content is None:
        key.mkdir()  # root, who may run this, can read every file
    else:
        key.write_bytes(content)
    status, output = manage(tmp_path, "check")
    assert (status, "Traceback" in output) == (1, False), output
    assert f"(config.E002) The secret key {key} {reason}" in output
    monkeypatch.setenv("LUDOSCORE_DATA", str(tmp_path))
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(start.SetupError, match=re.escape(f"The secret key {key} {reason}")):
        start.prepare_data()


def test_postgresql_has_a_pool_and_time_limits(tmp_path):
    code = "from django.conf import settings; print(settings.DATABASES['default'])"
    _, output = manage(tmp_path, "shell", "--no-imports", "-c", code, **PRODUCTION)
    assert "statement_timeout=15000" in output
    assert "lock_timeout=2000" in output
    assert "'pool'" in output
    assert "'CONN_MAX_AGE': 0" in output


@pytest.mark.parametrize(
    ("host", "backend"),
    [("mail.example.org", "core.smtp.EmailBackend"), ("", "django.core.mail.backends.dummy.EmailBackend")],
)
def test_mail_goes_out_within_its_time_and_only_where_a_server_is_set_up(tmp_path, host, backend):
    code = "from django.conf import settings; print(settings.EMAIL_BACKEND)"
    status, output = manage(tmp_path, "shell", "--no-imports", "-c", code, **PRODUCTION | {"EMAIL_HOST": host})
    assert (status, output.strip()) == (0, backend)
