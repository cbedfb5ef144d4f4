"""Decisions of the organiser about a table, with what they change."""

from __future__ import annotations

import copy

import pytest
from django.template.loader import render_to_string

from scoring import selectors
from scoring.errors import ReportInvalidError
from scoring.models import Attempt, Placing, Report
from scoring.services.reports import submit_report
from tests.factories import ClubFactory, EntryFactory, MembershipFactory
from tests.web.markup import tags
from tests.web.organisers import NAMES, desk, event_with, players_of, report, running
from tournaments.models import Action, Role, Seat, Table
from web.console.decision import Move, Moves

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def dispute(shared_rows):
    """An organiser, and a table with two sheets that differ."""
    club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
    olga = MembershipFactory(club=club, role=Role.ORGANISER, user__name="Olga").user
    running(olga, event_with(club, 4, confirmation="confirm"))
    table = Table.objects.select_related("round__event__club").get()
    report(table, 1)
    report(table, 2, by=1)
    table.refresh_from_db()
    return olga, table


@pytest.fixture
def disputed(dispute, db, client):
    """The table; the organiser is logged in."""
    olga, table = copy.deepcopy(dispute)
    client.force_login(olga)
    return table


def test_the_desk_shows_where_two_sheets_differ(client, disputed):
    html = client.get(desk(disputed)).content.decode()
    assert "Where the sheets differ" in html
    assert html.count("Choose this sheet") == 2


def test_a_sheet_is_chosen_after_what_it_changes_and_with_a_reason(client, disputed):
    chosen = disputed.reports.order_by("version").last()
    payload = f'{{"report": "{chosen.uid}"}}'
    response = client.post(f"{desk(disputed)}decide/", {"payload": payload})
    assert "What this changes" in response.content.decode()
    assert not Report.objects.filter(status="final").exists()
    again = client.post(f"{desk(disputed)}decide/", {"payload": payload, "decided": "1", "reason": ""})
    assert again.context["form"].errors["reason"]
    client.post(f"{desk(disputed)}decide/", {"payload": payload, "decided": "1", "reason": "Bo had the paper"})
    chosen.refresh_from_db()
    assert chosen.status == "final"
    assert Action.objects.filter(verb="result-final", reason="Bo had the paper").exists()


@pytest.mark.parametrize(("language", "said"), [("en", "has other players than"), ("fr", "a d’autres joueurs que")])
def test_a_sheet_of_others_than_sit_there_now_is_not_chosen(client, disputed, language, said):
    chosen = disputed.reports.order_by("version").last()
    seat = disputed.seats.order_by("position").last()
    newcomer = EntryFactory(event=disputed.round.event)
    Seat.objects.filter(pk=seat.pk).update(entry=newcomer)
    sent = {"payload": f'{{"report": "{chosen.uid}"}}', "decided": "1", "reason": "Bo had the paper"}
    headers = {"Accept-Language": language}
    for form in (sent, {"payload": sent["payload"]}):
        answer = client.post(f"{desk(disputed)}decide/", form, headers=headers, follow=True)
        assert said in answer.content.decode()
    assert not Placing.objects.exists()


def test_places_are_given_by_hand_with_forfeits(client, disputed):
    ana, bo, *others = [player.entry.player.uid for player in players_of(disputed)]
    places = {f"rank_{ana}": "2", f"rank_{bo}": "1", f"score_{bo}": "30"} | {
        f"rank_{uid}": "forfeit" for uid in others
    }
    missing = client.post(f"{desk(disputed)}rank/", {**places, f"rank_{ana}": ""})
    assert missing.context["ranking"].errors
    preview = client.post(f"{desk(disputed)}rank/", places)
    form = preview.context["form"]
    sent = {"payload": form["payload"].value(), "decided": "1", "reason": "they left"}
    client.post(f"{desk(disputed)}decide/", sent)
    found = {
        placing.player.uid: (placing.rank, placing.score, placing.is_forfeit) for placing in Placing.objects.all()
    }
    assert found == {bo: (1, 30, False), ana: (2, None, False)} | dict.fromkeys(others, (3, None, True))


def test_places_that_no_form_of_ours_gives_are_refused(client, disputed):
    for place in ("[1, NaN]", "[Infinity, 1]", '[1, "x"]', "[1, 1e30]", f"[1, {10**30}]", "[0, 1]", "3"):
        places = ", ".join(f'"{player.entry.player.uid}": {place}' for player in players_of(disputed))
        sent = {"payload": f'{{"ranking": {{{places}}}, "forfeits": []}}', "decided": "1", "reason": "so"}
        assert client.post(f"{desk(disputed)}decide/", sent).status_code == 400, place


def test_decision_that_cannot_be_kept_is_refused(client, disputed):
    for value in ('"\\u0000"', '"\\ud800"', "NaN", "[" * 900 + "]" * 900):
        sent = {"payload": f'{{"sheet": {{"x": {value}}}, "forfeits": []}}', "decided": "1", "reason": "so"}
        assert client.post(f"{desk(disputed)}decide/", sent).status_code == 400, value
        assert not Attempt.objects.exists(), value


def test_a_table_is_taken_out(client, disputed):
    sent = {"payload": '{"drop": true}', "reason": "spilled coffee"}
    assert "counts for nobody" in client.post(f"{desk(disputed)}decide/", sent).content.decode()
    client.post(f"{desk(disputed)}decide/", sent | {"decided": "1"})
    disputed.refresh_from_db()
    assert disputed.status == Table.Status.DROPPED


def test_a_correction_shows_who_moves_from_where_to_where(client, disputed):
    first, second = disputed.reports.order_by("version")
    for chosen in (first, second):
        payload = f'{{"report": "{chosen.uid}"}}'
        response = client.post(f"{desk(disputed)}decide/", {"payload": payload})
        client.post(f"{desk(disputed)}decide/", {"payload": payload, "decided": "1", "reason": "so it was"})
    moved = response.context["changes"].standings
    assert moved
    assert all(each.rank_before != each.rank_after for each in moved)
    assert "Correct the result" in client.get(desk(disputed)).content.decode()
    assert [report.status for report in disputed.reports.order_by("version")] == ["replaced", "final"]


def test_a_long_list_of_moves_says_how_many_are_folded():
    moves = Moves("Standings", "", [Move(f"Player {place}", str(place), str(place + 1)) for place in range(14)])
    html = render_to_string("console/_moves.html", {"list": moves})
    assert "4 more move" in html
    assert html.count("→") == 14


def test_a_decision_that_is_none_is_refused(client, disputed):
    for payload in ("", "x", "[]", "{}", "[" * 50_000, '{"ranking": {"a": 1}, "forfeits": []}', '{"report": 5}'):
        assert client.post(f"{desk(disputed)}decide/", {"payload": payload}).status_code == 400, payload[:50]


def test_page_of_a_table_judges_the_refused_sheets_it_shows_and_no_more(client, disputed, monkeypatch):
    for player in players_of(disputed)[:2]:
        for number in range(6):
            with pytest.raises(ReportInvalidError):
                submit_report(actor=player, table=disputed, sheet={"number": number})
    judged = []
    judge = selectors.verdict_of_attempt
    monkeypatch.setattr(selectors, "verdict_of_attempt", lambda *given: judged.append(given) or judge(*given))
    shown = client.get(desk(disputed)).context["attempts"]
    assert [attempt.sheet["number"] for attempt, _ in shown] == [5, 4, 3, 2, 1]
    assert len(judged) == len(shown)


def test_a_report_of_another_table_decides_nothing(client, disputed):
    response = client.post(f"{desk(disputed)}decide/", {"payload": '{"report": "elsewhere"}'}, follow=True)
    assert "Choose one report" in response.content.decode()


def test_decisions_are_for_organisers(client, disputed):
    client.force_login(MembershipFactory(club=disputed.round.event.club, role=Role.SCOREKEEPER).user)
    assert "Decide otherwise" not in client.get(desk(disputed)).content.decode()
    assert client.post(f"{desk(disputed)}decide/", {"payload": '{"drop": true}'}).status_code == 404


def test_a_sheet_without_a_player_who_forfeited(client, disputed):
    ana = players_of(disputed)[0].entry
    html = client.get(f"{desk(disputed)}sheet/?forfeit={ana.player.uid}").content.decode()
    (sheet,) = [tag for tag in tags(html, "form") if "data-sheet" in tag.attributes]
    assert ana.name not in sheet.attributes["data-seats"]
    assert NAMES[1] in sheet.attributes["data-seats"] or NAMES[2] in sheet.attributes["data-seats"]
