"""Error pages: friendly, in both languages, and independent of what may be broken."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from tests.factories import EventFactory, MembershipFactory, PlayerFactory, ReportFactory, SeatFactory
from tests.web.markup import tags
from tests.web.phones import phone_of

PAGES = ("400", "403", "403_csrf", "404", "405", "413", "415", "500", "503")


def test_unknown_address_gets_the_friendly_page(client: Client) -> None:
    response = client.get("/no/such/page/", headers={"accept-language": "fr"})
    html = response.content.decode()
    assert response.status_code == 404
    assert "Page introuvable" in html
    assert tags(html, "html")[0].attributes["lang"] == "fr"


def test_form_without_its_token_gets_an_explanation() -> None:
    response = Client(enforce_csrf_checks=True).post("/i18n/setlang/", {"language": "fr"})
    assert response.status_code == 403
    assert "Your form was not sent" in response.content.decode()


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("page", PAGES)
def test_page_needs_no_request_no_context_and_no_database(page: str, language: str) -> None:
    with translation.override(language):
        html = render_to_string(f"{page}.html")
    status = page[:3]
    dice = [tag.attributes["href"].partition("#")[2] for tag in tags(html, "use")]
    assert dice == [f"die-{digit}" for digit in status]
    assert f'<span class="sr-only">{status}</span>' in html
    assert len(tags(html, "h1")) == 1
    assert "/" in {tag.attributes["href"] for tag in tags(html, "a")}


def test_page_of_a_slow_request_has_no_dice_for_an_eight() -> None:
    html = render_to_string("408.html")
    assert "That took too long" in html
    assert tags(html, "use") == []


@pytest.mark.django_db
@pytest.mark.parametrize("pressed", ["console/act/", "console/table/{table}/decide/", "players/act/"])
def test_who_logs_in_again_after_pressing_a_button_finds_the_way_back_to_it(pressed: str) -> None:
    seat = SeatFactory()
    event, button = seat.entry.event, pressed.format(table=seat.table.uid)
    user = MembershipFactory(club=event.club).user
    user.set_password("by the window at nine")
    user.save()
    client = Client()
    login = client.post(f"/e/{event.uid}/{button}", {"do": "seat"}).url
    sent = {"username": user.email, "password": "by the window at nine"}
    answer = client.post(login, sent, follow=True)
    assert answer.status_code == 405
    html = answer.content.decode()
    assert "Nothing has been changed." in html
    back = next(tag.attributes["href"] for tag in tags(html, "a") if "main" in tag.attributes.get("class", ""))
    assert back == f"/e/{event.uid}/{button.rstrip('/').rpartition('/')[0]}/"
    assert client.get(back).status_code == 200


@pytest.mark.django_db
def test_button_whose_address_has_no_page_right_above_leads_further_up(client: Client) -> None:
    client.force_login(MembershipFactory().user, "django.contrib.auth.backends.ModelBackend")
    answer = client.get("/account/tokens/abc/revoke/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "/account/" in {tag.attributes["href"] for tag in tags(answer.content.decode(), "a")}


NUL = "\\000"  # as it is written in a cookie


@pytest.mark.django_db
def test_what_no_database_can_look_for_is_not_found_and_breaks_nothing() -> None:
    event = EventFactory(status="registration", sign_up_ahead=True)
    client = Client(raise_request_exception=False)
    for name in ("sessionid", f"phone-{event.uid}", "device"):
        for page in ("/", f"/e/{event.uid}/", f"/api/v1/events/{event.uid}/?as={event.uid}"):
            answer = client.get(page, headers={"cookie": f'{name}="lse_{NUL}{"a" * 40}"'})
            assert answer.status_code == 200, (name, page)
    for link in ("/me/lse_%00/", "/t/lst_%00/", "/me/lse_%ED%A0%80/"):
        assert client.get(link).status_code == 404, link
    for sent in ({"player": "\0"}, {"take_back": "\0"}, {"proof": "lse_\0"}):
        assert client.post(f"/e/{event.uid}/sign-up/", {"key": "1", **sent}).status_code in {400, 403, 404}, sent


@pytest.mark.django_db
def test_form_with_what_no_database_keeps_is_refused_and_breaks_nothing() -> None:
    """SQLite keeps a NUL, and PostgreSQL refuses it."""
    seat = SeatFactory(table__round__event__status="running", table__status="reported", table__round__status="running")
    report = ReportFactory(table=seat.table)
    event, phone = seat.entry.event, phone_of(seat.entry)
    phone.raise_request_exception = False
    for address, sent in {
        f"/e/{event.uid}/me/begin/": {"table": "\0"},
        f"/e/{event.uid}/table/{seat.table.uid}/dispute/": {"report": report.uid, "reason": "\0"},
        f"/e/{event.uid}/table/{seat.table.uid}/call/": {"call": "\0", "status": "done"},
    }.items():
        assert phone.post(address, sent).status_code < 500, address
    owner = Client(raise_request_exception=False)
    owner.force_login(MembershipFactory(club=event.club, role="owner").user)
    person = f"/organise/club/{event.club.slug}/people/{PlayerFactory(club=event.club).uid}/act/"
    for sent in ({"do": "note", "note": "\0"}, {"do": "apart", "other": "\0"}, {"do": "unmerge", "record": "\0"}):
        assert owner.post(person, sent).status_code < 500, sent
