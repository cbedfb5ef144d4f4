"""The page of a table: the sheet, what others say of it, the result, and how it came about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from rest_framework.test import APIClient

from core.models import StoredAnswer
from engines.dix.words import LEVEL_TITLES
from scoring.models import Attempt, Report, Voice
from scoring.services.decisions import Choice, decide_table
from scoring.services.reports import confirm_report, dispute_report, submit_report
from tests.api.callers import bearer
from tests.factories import EntryFactory, MembershipFactory
from tests.scoring.evenings import evening
from tests.web.markup import tags
from tests.web.phones import link_of, phone_of, slip_of
from tournaments.models import Confirmation, Event, Round, Table
from tournaments.services import history

pytestmark = pytest.mark.django_db


def address(tonight, verb=""):
    return f"/e/{tonight.event.uid}/table/{tonight.table.uid}/" + (f"{verb}/" if verb else "")


def text_of(tonight, client, query=""):
    response = client.get(address(tonight) + query)
    assert response.status_code == 200
    return response.content.decode()


def phones(tonight):
    return [phone_of(entry) for entry in tonight.entries]


def send(tonight, who, number=0):
    return submit_report(actor=tonight.players[who], table=tonight.again().table, sheet=tonight.sheet(number))


def say(tonight, client, verb, report, **fields):
    return client.post(address(tonight, verb), {"report": report.uid, **fields}, follow=True).content.decode()


def fields_of(html):
    """Return what a browser would send of the sheet on a page."""
    inside = html[html.index('id="sheet"') : html.index("<dialog")]
    found = [tag.attributes for tag in tags(inside, "input") if "name" in tag.attributes]
    return {each["name"]: each.get("value", "") for each in found if each.get("type") not in {"checkbox", "radio"}}


def filled(tonight, client):
    """Return the fields of the sheet of Dice Run, filled in: everybody takes the podium in order of seats."""
    html = text_of(tonight, client)
    labels = [entry.player.uid for entry in tonight.entries]
    names = {tag.attributes["name"] for tag in tags(html, "select") if "podium" in tag.attributes.get("name", "")}
    podiums = {name: labels[int(name.rpartition(".")[2])] for name in names}
    return fields_of(html) | podiums


# --- Sending without a script -----------------------------------------------------------------------------------


@pytest.fixture
def race():
    return evening(game="dice-run", seats=3, table_max=4)


def test_sheet_is_reported_by_a_plain_form(race):
    client = phones(race)[0]
    response = client.post(address(race), filled(race, client) | {"action": "send"})
    assert (response.status_code, response.headers["Location"]) == (302, address(race))
    report = Report.objects.get()
    assert (report.status, report.entry) == ("pending", race.entries[0])
    assert "Sent, waiting." in text_of(race, client)


def test_form_that_comes_twice_reports_once(race):
    client = phones(race)[0]
    form = filled(race, client) | {"action": "send"}
    assert [client.post(address(race), form).status_code for _ in range(2)] == [302, 302]
    assert Report.objects.count() == 1


def test_a_form_that_never_stops_coming_is_refused_at_last(race, monkeypatch):
    monkeypatch.setattr(history, "MOST_DONE", 3)
    client = phones(race)[0]
    form = filled(race, client) | {"action": "send"}
    answers = [client.post(address(race), form | {"key": f"key-{number}"}).status_code for number in range(5)]
    assert answers == [302, 302, 302, 429, 429]
    assert StoredAnswer.objects.count() == 3
    assert client.post(address(race), form | {"key": "key-0"}).status_code == 302, "it was kept"


def test_check_says_what_is_wrong_and_keeps_what_was_typed(race):
    client = phones(race)[0]
    form = filled(race, client)
    name = next(name for name in form if name.endswith("podium.0"))
    html = client.post(address(race), form | {name: "", "action": "check"}).content.decode()
    assert 'aria-invalid="true"' in html
    assert not Report.objects.exists()


def test_sheet_that_breaks_a_rule_is_kept_as_an_attempt(race):
    client = phones(race)[0]
    form = filled(race, client)
    name = next(name for name in form if name.endswith("podium.0"))
    response = client.post(address(race), form | {name: "", "action": "send"})
    assert response.status_code == 422
    assert 'aria-invalid="true"' in response.content.decode()
    assert Attempt.objects.get().entry == race.entries[0]


@pytest.mark.parametrize("value", ['"a\\u0000b"', '"\\ud800"', "NaN", "1e999", "[" * 900 + "]" * 900])
@pytest.mark.parametrize("kept", ['{{"x": {}}}', '{{"x": [{{"y": {}}}]}}'])
def test_evidence_that_cannot_be_kept_is_left_out_and_the_sheet_is_reported(race, kept, value):
    client = phones(race)[0]
    form = filled(race, client)
    response = client.post(address(race), form | {"action": "send", "kept": kept.format(value)})
    assert response.status_code == 302
    assert "x" not in Report.objects.get().sheet


def test_field_that_cannot_be_kept_leaves_no_attempt():
    tonight = evening()
    client = phones(tonight)[0]
    form = fields_of(text_of(tonight, client))
    name = next(name for name in form if ".cards" in name or ".runs." in name)
    response = client.post(address(tonight), form | {name: "1\0-3", "action": "send"})
    assert response.status_code == 422
    assert not Attempt.objects.exists()


def test_slip_reports_for_the_seat_it_names(race):
    client = Client()
    client.get(f"/t/{slip_of(race.table)}/")
    form = filled(race, client) | {"action": "send"}
    assert "seat" in [tag.attributes.get("name") for tag in tags(text_of(race, client), "select")]
    assert client.post(address(race), form).status_code == 422
    client.post(address(race), form | {"seat": race.entries[1].uid})
    assert Report.objects.get().entry == race.entries[1]


def test_strangers_send_nothing(race):
    form = filled(race, phones(race)[0]) | {"action": "send"}
    for client in (Client(), phone_of(EntryFactory(event=race.event)), phone_of(EntryFactory())):
        assert client.post(address(race), form).status_code == 403


def test_an_organiser_who_plays_along_in_this_browser_still_helps_at_another_table(race):
    client = phone_of(EntryFactory(event=race.event))
    client.force_login(race.organiser.user, "django.contrib.auth.backends.ModelBackend")
    sheet = next(tag.attributes for tag in tags(text_of(race, client), "form") if "data-sheet" in tag.attributes)
    login = f"?as={race.event.uid}.login-{race.organiser.user.pk}"
    assert sheet["data-send"] == f"/api/v1/tables/{race.table.uid}/reports/{login}"
    assert client.post(address(race), filled(race, client) | {"action": "send"}).status_code == 302
    report = Report.objects.get()
    assert (report.entry, report.user) == (None, race.organiser.user)


def test_an_organiser_speaks_as_a_player_at_the_table_where_they_sit(race):
    client = phones(race)[0]
    client.force_login(race.organiser.user, "django.contrib.auth.backends.ModelBackend")
    client.post(address(race), filled(race, client) | {"action": "send"})
    assert Report.objects.get().entry == race.entries[0]


def test_a_scorekeeper_who_opens_a_players_link_in_this_browser_is_no_second_voice(client):
    """The browser had no link yet when it sent the sheet."""
    tonight = evening(game="dice-run", seats=3, table_max=4, confirmation=Confirmation.CONFIRM)
    scorekeeper = MembershipFactory(club=tonight.event.club, role="scorekeeper").user
    client.force_login(scorekeeper, "django.contrib.auth.backends.ModelBackend")
    client.post(address(tonight), filled(tonight, client) | {"action": "send"})
    report = Report.objects.get()
    client.get(f"/me/{link_of(tonight.entries[0])}/")
    assert "This phone has already spoken" in say(tonight, client, "confirm", report)
    assert Report.objects.get().status == Report.Status.PENDING
    say(tonight, phones(tonight)[1], "confirm", report)
    assert Report.objects.get().status == Report.Status.FINAL


def test_sheet_speaks_with_the_link_the_page_was_opened_by(race):
    own = tags(text_of(race, phones(race)[0]), "form")
    sheet = next(tag.attributes for tag in own if "data-sheet" in tag.attributes)
    assert sheet["data-send"] == f"/api/v1/tables/{race.table.uid}/reports/?as={race.event.uid}.{race.entries[0].uid}"
    slip = Client()
    slip.get(f"/t/{slip_of(race.table)}/")
    sheet = next(tag.attributes for tag in tags(text_of(race, slip), "form") if "data-sheet" in tag.attributes)
    assert sheet["data-draft"] == f"/api/v1/tables/{race.table.uid}/draft/?as={race.table.uid}"


# --- Waiting, confirming, disputing -----------------------------------------------------------------------------


def test_reason_is_kept_without_what_no_database_keeps():
    tonight = evening()
    say(tonight, phones(tonight)[1], "dispute", send(tonight, 0), reason="mis\0read")
    assert Voice.objects.get().reason == "misread"


def test_another_phone_confirms():
    tonight = evening()
    report = send(tonight, 0)
    mine, theirs, _third = phones(tonight)
    assert "Yes, confirm" not in text_of(tonight, mine)
    html = text_of(tonight, theirs)
    assert "Is this what happened?" in html
    assert "Yes, confirm" in html
    assert "This result counts." in say(tonight, theirs, "confirm", report)
    assert tonight.again().table.status == Table.Status.FINAL


def test_sheet_is_read_in_words_entry_by_entry():
    tonight = evening()
    report = send(tonight, 0, 2)
    html = text_of(tonight, phones(tonight)[1])
    assert [row["rank"] for row in report.standings] == [1, 2, 3]
    for row, entry in zip(
        report.standings, sorted(tonight.entries, key=lambda each: _rank(report, each)), strict=True
    ):
        assert f'<span class="placing-name">{entry.name}</span> <span class="placing-score">{row["score"]}' in html
    assert "<dt>Blue run</dt>" in html


def _rank(report, entry):
    return next(row["rank"] for row in report.standings if row["seat"] == entry.player.uid)


def test_dispute_is_shown_with_its_reason():
    tonight = evening()
    report = send(tonight, 0)
    _mine, theirs, third = phones(tonight)
    assert "You do not agree." in say(tonight, theirs, "dispute", report, reason="I had 5 coins")
    assert "“I had 5 coins”" in text_of(tonight, third)


def test_why_people_doubted_a_sheet_that_counts_is_for_its_table_and_the_club():
    tonight = evening(confirmation=Confirmation.TRUST)
    sent = send(tonight, 0)
    ranking = {seat.entry.player.uid: (1, None) for seat in tonight.table.seats.select_related("entry__player")}
    choice = Choice(ranking=ranking)
    decided = decide_table(actor=tonight.organiser, table=sent.table, choice=choice, reason="Bo was drunk")
    dispute_report(actor=tonight.players[1], report=decided, reason="No, Cy was")
    said = ["Bo was drunk", "No, Cy was", "disputed-after-final"]
    mine, api = phones(tonight)[0], APIClient()
    for address in (f"/api/v1/tables/{tonight.table.uid}/reports/", f"/api/v1/reports/{decided.uid}/"):
        shown = api.get(address).content.decode()
        assert decided.uid in shown
        assert not [each for each in said if each in shown]
        inside = bearer(link_of(tonight.entries[0])).get(address).content.decode()
        assert all(each in inside for each in said)
    assert not [each for each in said if each in text_of(tonight, Client())]
    assert all(each in text_of(tonight, mine) for each in said[:2])


def test_two_sheets_stand_side_by_side_with_their_first_difference():
    tonight = evening()
    send(tonight, 0, 0)
    send(tonight, 1, 1)
    html = text_of(tonight, phones(tonight)[2])
    assert "Where the sheets differ" in html
    assert "differences</summary>" in html
    assert html.count("This one is right") == 2


def test_who_sent_may_correct_and_take_back():
    tonight = evening()
    report = send(tonight, 0)
    mine = phones(tonight)[0]
    assert 'id="sheet"' not in text_of(tonight, mine)
    assert 'id="sheet"' in text_of(tonight, mine, "?sheet")
    say(tonight, mine, "withdraw", report)
    assert tonight.again().table.status == Table.Status.PLAYING


def test_confirming_what_was_replaced_is_refused_and_written_down():
    tonight = evening()
    old = send(tonight, 0, 0)
    client = phones(tonight)[1]
    text_of(tonight, client)
    send(tonight, 0, 1)
    say(tonight, client, "confirm", old)
    assert not Report.objects.filter(status="final").exists()


def test_final_sheet_can_be_disputed_until_the_round_closes():
    tonight = evening(confirmation=Confirmation.TRUST)
    report = send(tonight, 0)
    client = phones(tonight)[1]
    assert "This is not right" in text_of(tonight, client)
    html = say(tonight, client, "dispute", report, reason="typo")
    assert "“typo”" in html
    assert tonight.again().table.status == Table.Status.FINAL
    Round.objects.update(status=Round.Status.CLOSED)
    assert "This is not right" not in text_of(tonight, client)


def test_slip_never_confirms():
    tonight = evening()
    report = send(tonight, 0)
    client = Client()
    client.get(f"/t/{slip_of(tonight.table)}/")
    assert "Yes, confirm" not in text_of(tonight, client)
    say(tonight, client, "confirm", report)
    assert tonight.again().table.status == Table.Status.REPORTED


def test_player_whom_a_slip_names_confirms_its_sheet_like_the_others():
    tonight = evening()
    report = submit_report(actor=tonight.slip, table=tonight.table, sheet=tonight.sheet(), seat=tonight.entries[0].uid)
    named, other, _third = phones(tonight)
    home = named.get(f"/e/{tonight.event.uid}/me/").content.decode()
    assert "The sheet of your table was sent." in home, "by whom, nobody knows"
    html = text_of(tonight, named)
    assert "Your sheet" not in html
    assert "Yes, confirm" in html
    assert "This is not right" in html
    say(tonight, named, "confirm", report)
    say(tonight, other, "confirm", report)
    assert tonight.again().table.status == Table.Status.FINAL


def test_who_is_asked_to_confirm_sees_where_a_slip_differs():
    tonight = evening()
    submit_report(actor=tonight.slip, table=tonight.table, sheet=tonight.sheet(1), seat="3")
    report = send(tonight, 0)
    client = phone_of(tonight.entries[1])
    html = text_of(tonight, client)
    assert "Where the sheets differ" in html
    assert "Yes, confirm" in html
    say(tonight, client, "confirm", report)
    assert tonight.again().table.status == Table.Status.FINAL


def test_browser_with_two_links_is_one_voice():
    tonight = evening()
    browser = Client()
    browser.get(f"/me/{link_of(tonight.entries[0])}/")
    submit_report(
        actor=replace(tonight.players[0], device=browser.cookies["device"].value),
        table=tonight.table,
        sheet=tonight.sheet(),
    )
    browser.post(f"/me/{link_of(tonight.entries[1])}/")
    html = say(tonight, browser, "confirm", Report.objects.get())
    assert "This phone has already spoken for somebody at the table." in html
    assert tonight.again().table.status == Table.Status.REPORTED
    other = Client()
    other.get(f"/me/{link_of(tonight.entries[1])}/")
    say(tonight, other, "confirm", Report.objects.get())
    assert tonight.again().table.status == Table.Status.FINAL


def test_unknown_reports_and_words_are_nothing():
    tonight = evening()
    report = send(tonight, 0)
    client = phones(tonight)[1]
    assert client.post(address(tonight, "confirm"), {"report": "nosuch"}).status_code == 404
    assert client.post(address(tonight, "dance"), {"report": report.uid}).status_code == 404


# --- Who sees what ----------------------------------------------------------------------------------------------


def test_strangers_see_only_what_counts():
    tonight = evening()
    report = send(tonight, 0)
    html = text_of(tonight, Client())
    assert "Sheet of" not in html
    assert "What happened at this table" not in html
    confirm_report(actor=tonight.players[1], report=report)
    assert f"Sheet of {tonight.entries[0].name}" in text_of(tonight, Client())


def test_private_event_is_for_its_own():
    tonight = evening(is_public=False)
    assert Client().get(address(tonight)).status_code == 404
    assert phone_of(EntryFactory()).get(address(tonight)).status_code == 404
    assert phones(tonight)[0].get(address(tonight)).status_code == 200
    assert phone_of(EntryFactory(event=tonight.event)).get(address(tonight)).status_code == 200


def test_table_of_another_event_is_not_here():
    tonight, other = evening(), evening()
    assert Client().get(f"/e/{other.event.uid}/table/{tonight.table.uid}/").status_code == 404


def test_history_is_told_in_words():
    tonight = evening()
    report = send(tonight, 0)
    dispute_report(actor=tonight.players[1], report=report, reason="I had 5 coins")
    html = " ".join(text_of(tonight, phones(tonight)[0]).split())
    assert f"<strong>{tonight.entries[0].name}</strong> sent a sheet" in html
    assert f"<strong>{tonight.entries[1].name}</strong> disputed it: “I had 5 coins”" in html


def test_page_of_a_finished_event_shows_the_result_to_the_phone():
    tonight = evening(confirmation=Confirmation.TRUST)
    send(tonight, 0)
    Event.objects.update(status=Event.Status.FINISHED)
    assert "This result counts." in text_of(tonight, phones(tonight)[0])


def test_polling_answers_304_until_the_table_changes():
    tonight = evening()
    client = phones(tonight)[1]
    first = client.get(address(tonight, "live"))
    assert client.get(address(tonight, "live"), headers={"if-none-match": first["ETag"]}).status_code == 304
    send(tonight, 0)
    assert client.get(address(tonight, "live"), headers={"if-none-match": first["ETag"]}).status_code == 200


# --- Alone ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "language", "is_titled"), [("1-6", "en", True), ("1-6", "fr", True), ("1-3", "en", False)]
)
def test_win_against_alix_is_shown_with_its_title(run, language, is_titled):
    alone = evening(game="dix", seats=1, variant="solo", table_min=1, table_max=1, confirmation=Confirmation.TRUST)
    (uid,) = [entry.player.uid for entry in alone.entries]
    hands = {uid: {"runs": {"blue": run}}, "ALIX": {"runs": {"pink": "2-4"}}}
    sheet = {"game": "dix", "variant": "solo", "seats": [uid, "ALIX"], "difficulty": 6, "hands": hands}
    submit_report(actor=alone.players[0], table=alone.table, sheet=sheet)
    page = phones(alone)[0].get(address(alone), headers={"accept-language": language}).content.decode()
    assert (LEVEL_TITLES[6].into(language) in page) == is_titled
