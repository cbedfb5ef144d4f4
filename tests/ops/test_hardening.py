"""What protects the service and the people in it, where no other test looks."""

from __future__ import annotations

import io
import logging
import time
import timeit
from contextlib import contextmanager
from http.cookies import SimpleCookie
from smtplib import SMTPRecipientsRefused

import psycopg
import pytest
from django.db import OperationalError, connection
from django.http import parse_cookie
from django.test import Client
from django.urls import path

from config.urls import handler400, handler404, handler500, urlpatterns
from core import logins
from ops.logs import JsonLines, PlainLines, redact
from tests.api.callers import bearer, club_with_organiser
from tests.factories import ClubFactory, EntryFactory, PlayerFactory, UserFactory
from tests.growth import takes_as_long_as_it_is
from tests.scoring.evenings import evening
from tournaments.access import credentials

CHECK = "/api/v1/games/dix/check/"


def busy(request):
    raise OperationalError("canceling statement due to lock timeout")


urlpatterns = [path("busy/", busy), path("api/v1/busy/", busy), *urlpatterns]
_ = (handler400, handler404, handler500)  # Django finds them by name in this module


# --- Headers ----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/login/",
        "/admin/login/",
        "/games/dix/",
        "/nothing/",
        "/api/v1/docs/",
        "/api/v1/games/",
        "/static/live.js",
    ],
)
def test_every_answer_lets_browsers_run_our_own_files_only(client, address):
    response = client.get(address)
    policy = dict(each.split(" ", 1) for each in response["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert "unsafe" not in response["Content-Security-Policy"]
    if response["Content-Type"].startswith("text/html"):
        assert "<style" not in response.text
        assert "<script>" not in response.text
    response.close()  # a static file stays open until it is sent


@pytest.mark.django_db(transaction=True)
def test_docs_and_admin_of_others_work_under_our_policy(desktop):
    UserFactory(email="root@example.org", is_staff=True, is_superuser=True)
    desktop.goto("/api/v1/docs/")
    desktop.locator(".opblock-summary").first.wait_for()
    desktop.goto("/admin/")
    desktop.locator("[name=username]").fill("root@example.org")
    desktop.locator("[name=password]").fill("correct horse")
    desktop.keyboard.press("Enter")
    desktop.get_by_role("link", name="Users").click()
    desktop.get_by_role("link", name="root@example.org").click()
    desktop.locator("[name=name]").wait_for()


def test_answers_say_how_browsers_are_to_treat_them(client):
    response = client.get("/api/v1/games/")
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_browsers_are_bound_to_https_where_it_is_the_public_scheme(client, settings):
    settings.SECURE_HSTS_SECONDS = 31_536_000
    assert client.get("/api/v1/games/", secure=True)["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in client.get("/api/v1/games/")


# --- Bodies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "report",
    ["[" * 40 + "]" * 40, '{"a":' * 40 + "1" + "}" * 40, r'"x\u0000y"', r'{"x\u0000": 1}', r'["\ud800"]', "1e400"],
    ids=["deep list", "deep object", "NUL", "NUL in a key", "half a character", "infinite number"],
)
def test_bodies_that_no_database_can_keep_are_malformed(client, report):
    response = client.post(CHECK, f'{{"report": {report}}}', content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, "malformed-json")


def test_body_of_ten_megabytes_is_refused_quickly_and_not_kept(client):
    started = time.perf_counter()
    response = client.post(CHECK, b'{"a": "' + b"x" * 10_000_000 + b'"}', content_type="application/json")
    assert response.status_code == 413
    assert time.perf_counter() - started < 2


@pytest.mark.django_db
def test_form_of_ten_megabytes_is_refused(client):
    assert (
        client.post(
            "/login/", "username=" + "x" * 10_000_000, content_type="application/x-www-form-urlencoded"
        ).status_code
        == 413
    )


ODD = ["a*=nope''%41", "a*=undefined''%41", "a*=punycode''%41-b", "a*=x; a*0=y", "a*0*=x; a*=y", "a*=\0''"]


@pytest.mark.parametrize("parameters", ODD)
def test_parameters_that_nobody_can_read_are_no_failure_of_ours(parameters):
    client = Client(raise_request_exception=False)
    assert client.get("/api/v1/games/", headers={"accept": f"application/json; {parameters}"}).status_code in {
        200,
        406,
    }
    part = f'--B\r\nContent-Disposition: form-data; name="next"; {parameters}\r\n\r\n/\r\n--B--\r\n'
    sent = client.generic("POST", "/i18n/setlang/", part, "multipart/form-data; boundary=B")
    assert sent.status_code in {302, 400}
    assert client.get("/i18n/setlang/", headers={"accept": f"text/html; {parameters}"}).status_code in {204, 302}


@pytest.mark.parametrize("name", ["utf-7''+AG4AZQB4AHQ-", "punycode''next-", "UTF-16''n%00e%00x%00t%00"])
def test_name_of_a_field_is_read_by_no_codec_that_a_stranger_names(client, name):
    def led_to(named):
        part = f"--B\r\nContent-Disposition: form-data; {named}\r\n\r\n/games/\r\n--B--\r\n"
        return client.generic("POST", "/i18n/setlang/", part, "multipart/form-data; boundary=B")["Location"]

    assert led_to(f"name*={name}") == "/"
    assert led_to("name*=UTF-8''ne%78t") == led_to('name="next"') == "/games/"


COOKIES = ['a="{}"', 'a="{}', 'a="{}\\"', "a={}", "{};", '{}="";']


@pytest.mark.parametrize("cookie", COOKIES)
@pytest.mark.parametrize("repeated", ["\\", "\\1", "\\012", '"', "a"])
def test_cookie_takes_no_more_time_than_it_is_long(cookie, repeated):
    assert takes_as_long_as_it_is(parse_cookie, lambda length: cookie.replace("{}", length * repeated), 2_000)


def test_cookie_is_read_as_it_was_written():
    written = SimpleCookie({"a": 'é "b", \\012;\n\\'})
    assert parse_cookie(written["a"].OutputString())["a"] == 'é "b", \\012;\n\\'


@pytest.mark.django_db
def test_list_of_players_is_bounded():
    from tournaments.services.imports import MOST_LINES

    club, owner = club_with_organiser()
    body = {"csv": "\n".join(f"Player {number}" for number in range(MOST_LINES + 1)), "dry_run": False}
    response = owner.post(f"/api/v1/clubs/{club.slug}/players/import/", body)
    assert response.status_code == 422
    assert [each["code"] for each in response.json()["errors"]] == ["too-many-lines"]
    assert not club.players.exists()


# --- Secrets ----------------------------------------------------------------------------------------------------

SECRETS = [
    credentials.new_secret(credentials.USER),
    credentials.new_secret(credentials.CLUB),
    credentials.new_secret(credentials.INVITATION),
    credentials.derive(credentials.ENTRY, "a" * 16, 1),
    credentials.derive(credentials.TABLE, "a" * 16, 1),
    credentials.derive(credentials.PROJECTOR, "a" * 16, 1),
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
]


def caught_with(text):
    """Return an error with a text, as a line of the log is given one."""
    try:
        raise ValueError(text)
    except ValueError as error:
        return type(error), error, error.__traceback__


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret.partition("_")[0])
@pytest.mark.parametrize("formatter", [PlainLines, JsonLines])
def test_no_log_line_holds_a_secret(formatter, secret):
    caught = caught_with(f"cannot use {secret}")
    facts = {"path": f"/me/{secret}/"}
    shown = (secret, f"Bearer {secret} {secret.upper()}")
    record = {"msg": "Not Found: /me/%s/ %s", "args": shown, "exc_info": caught, "facts": facts}
    line = formatter().format(logging.makeLogRecord(record))
    assert secret[8:].lower() not in line.lower()
    assert "…" in line


@pytest.mark.parametrize("formatter", [PlainLines, JsonLines])
def test_no_log_line_holds_an_address_or_a_link_to_an_account(formatter):
    error = SMTPRecipientsRefused({"ana.b+x@example.org": (550, b"no ana.b+x@mail.example.org")})
    link = "http://127.0.0.1:8000/password/set/?user=MQ&token=dhx1qx-0a1b2c3d4e5f"
    record = {"msg": "%s not for %s: %r", "args": (link, "Ana <ana.b+x@example.org>", error)}
    line = formatter().format(logging.makeLogRecord(record))
    assert "http://127.0.0.1:8000/password/set/?user=MQ&token=…" in line
    assert "ana.b" not in line
    assert "0a1b2c" not in line


@pytest.mark.parametrize(
    "path", ["/join/WRD4U8/", "/join/WRD4U8/people/?q=ana", "/api/v1/join/WRD4U8/", "/join/WRD4U8", "/JOIN/WRD4U8/"]
)
def test_code_to_join_is_not_logged(path):
    line = PlainLines().format(logging.makeLogRecord({"msg": "GET %s 200", "args": (path,)}))
    assert path.replace("WRD4U8", "…") in line


@pytest.mark.parametrize("typed", ["WRD-4U8", "wrd 4u8", "W.R.D.4.U.8", "-WRD4U8", "WRD4U8-", "WRD4Uß"])
@pytest.mark.parametrize("formatter", [PlainLines, JsonLines])
def test_code_to_join_is_not_logged_however_it_was_typed(formatter, typed):
    for address in (f"/join/{typed}/", f"/join/{typed}/people/", f"/api/v1/join/{typed}/"):
        record = {"msg": "GET %s 200 3.1 ms", "args": (address,), "facts": {"path": address}}
        line = formatter().format(logging.makeLogRecord(record))
        assert f"GET {address.replace(typed, '…')} 200 3.1 ms" in line
        assert typed not in line


def test_link_of_a_shared_game_is_not_logged():
    line = PlainLines().format(logging.makeLogRecord({"msg": "GET /shared-games/7kx2m9qd4w8zr3tb/ 200"}))
    assert "GET /shared-games/…/ 200" in line


@pytest.mark.parametrize("part", ["1.", "a", "x@", "x@a.", "a@b@", "/join/a ", "/join/", "lse_", "token=", "whsec_/"])
def test_long_text_costs_a_log_line_no_more_than_its_length(part):
    """Whatever somebody sends may be logged: an address of 60 kB kept a thread busy for half a minute."""

    def seconds(length):
        text = (part * length)[:length]
        return min(timeit.repeat(lambda: redact(text), timer=time.process_time, number=10, repeat=5))

    assert seconds(32_000) < 64 * seconds(2_000), "of a text that is sixteen times as long"


@pytest.mark.parametrize("formatter", [PlainLines, JsonLines])
@pytest.mark.parametrize("sign", ["\n", "\r", "\x1b[2J", "\x9b2J", "\u2028", "\u202e", "\x00", "\x7f"])
def test_log_line_is_one_line_that_no_terminal_obeys(formatter, sign):
    caught = caught_with(f"cannot use {sign}x")
    facts = {"path": f"/{sign}x"}
    record = {"msg": "Not Found: %s", "args": (f"/{sign}x",), "exc_info": caught, "facts": facts}
    said = formatter().format(logging.makeLogRecord(record))
    lines = said.split("\n")
    assert (sign[0] in "".join(lines), len(said.splitlines()) - len(lines)) == (False, 0)
    assert sum("Not Found: /" in line and "x" in line for line in lines) == 1


@pytest.mark.django_db
def test_address_of_a_request_is_one_line_in_the_log(client):
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(PlainLines())
    logging.getLogger("ludoscore.requests").addHandler(handler)
    try:
        client.get("/%0A2026-01-01 00:00:00,000 INFO forged%1b]0;title%07")
    finally:
        logging.getLogger("ludoscore.requests").removeHandler(handler)
    assert output.getvalue().count("\n") == 1
    assert "\x1b" not in output.getvalue()


@pytest.mark.parametrize("before", ["/me/_", "/me/xſ", "/me/x", "?x"])
def test_secret_is_not_logged_however_its_address_was_mistyped(before):
    line = PlainLines().format(logging.makeLogRecord({"msg": f"Not Found: {before}{SECRETS[3]}/"}))
    assert SECRETS[3][8:] not in line


@pytest.mark.parametrize("formatter", [PlainLines, JsonLines])
def test_log_line_is_short_whatever_was_sent(formatter):
    sent = "x" * 100_000
    caught = caught_with(f"cannot use {sent}")
    line = formatter().format(logging.makeLogRecord({"msg": "Not Found: %s", "args": (sent,), "exc_info": caught}))
    assert len(line) < 6_000
    assert "cannot use x" in line


@pytest.mark.django_db
def test_personal_link_that_fails_is_not_logged():
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(PlainLines())
    logging.getLogger().addHandler(handler)
    try:
        Client().get(f"/me/{SECRETS[3]}x/")
    finally:
        logging.getLogger().removeHandler(handler)
    assert "/me/lse_…/" in output.getvalue()
    assert SECRETS[3] not in output.getvalue()


@pytest.mark.django_db
def test_genuine_secrets_are_compared_in_constant_time(monkeypatch):
    compared = []
    monkeypatch.setattr(credentials.hmac, "compare_digest", lambda one, other: compared.append(one) or False)
    entry = EntryFactory()
    secret = credentials.derive(credentials.ENTRY, entry.uid, entry.generation)
    assert bearer(secret).get("/api/v1/me/").status_code == 404
    assert compared == [secret.encode()]


@pytest.mark.django_db
def test_what_is_not_yours_is_answered_like_what_does_not_exist():
    _own, owner = club_with_organiser()
    others = ClubFactory(is_public=False)
    known = PlayerFactory(club=others, name="Somebody Else")
    for kind, hidden in (("clubs", others.slug), ("players", known.uid)):
        answers = [owner.get(f"/api/v1/{kind}/{key}/") for key in (hidden, "nobodyshome")]
        bodies = [answer.json() | {"request_id": ""} for answer in answers]
        assert answers[0].status_code == 404
        assert bodies[0] == bodies[1]
        assert "Somebody" not in answers[0].text


# --- Logins -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_right_password_works_after_any_number_of_wrong_ones(client, monkeypatch):
    monkeypatch.setattr(logins, "PAUSE", 0)
    user = UserFactory(is_staff=True)
    wrong = {"username": user.email, "password": "guess"}
    assert {client.post("/login/", wrong).status_code for _ in range(2 * logins.MOST_WRONG)} == {200}
    assert client.post("/login/", wrong | {"password": "correct horse"}).status_code == 302


# --- Time -------------------------------------------------------------------------------------------------------


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("prefix", ["/api/v1", ""])
def test_busy_database_is_a_clean_503_in_the_api_and_on_pages(prefix):
    response = Client(raise_request_exception=False).get(f"{prefix}/busy/")
    assert response.status_code == 503
    assert response["Retry-After"] == "2"
    assert "lock timeout" not in response.text


@contextmanager
def locked(table):
    """Hold a row from another session."""
    parameters = connection.get_connection_params()
    link = {key: parameters[key] for key in ("host", "user", "dbname")}
    with psycopg.connect(**link) as other:
        other.execute("SELECT 1 FROM tournaments_table WHERE id = %s FOR UPDATE", [table.pk])
        yield
        other.rollback()


@pytest.mark.django_db(transaction=True)
def test_row_that_another_session_holds_is_a_503_within_three_seconds():
    if connection.vendor != "postgresql":
        return  # SQLite has one writer at a time, who waits; see tests/faults
    tonight = evening()
    first = tonight.entries[0]
    phone = bearer(credentials.derive(credentials.ENTRY, first.uid, first.generation))
    with locked(tonight.table):
        started = time.perf_counter()
        answer = phone.post(f"/api/v1/tables/{tonight.table.uid}/reports/", {"report": tonight.sheet()})
        took = time.perf_counter() - started
    assert (answer.status_code, answer.json()["code"]) == (503, "database-unavailable")
    assert took < 3
    again = phone.post(f"/api/v1/tables/{tonight.table.uid}/reports/", {"report": tonight.sheet()})
    assert again.status_code == 201


@pytest.mark.django_db(transaction=True)
def test_statement_that_takes_too_long_is_cut_off():
    if connection.vendor != "postgresql":
        return  # SQLite has no limit of its own: its statements read one small file
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 100")
        with pytest.raises(OperationalError, match="statement timeout"):
            cursor.execute("SELECT pg_sleep(5)")
        cursor.execute("RESET statement_timeout")


def test_every_job_has_a_time_limit():
    from config.celery import PUBLISHER, app
    from core.computations import LEASE
    from tournaments.webhooks import delivery, sending, shifts

    assert app.conf.task_soft_time_limit < app.conf.task_time_limit < PUBLISHER["visibility_timeout"]
    assert PUBLISHER["socket_timeout"] < 1
    assert delivery.CLAIM.total_seconds() > sending.SECONDS
    assert app.conf.task_soft_time_limit > shifts.SHIFT + sending.SECONDS
    assert LEASE.total_seconds() < app.conf.task_soft_time_limit
