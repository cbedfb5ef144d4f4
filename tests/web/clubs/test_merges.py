"""The page on which records of one person are merged or asked about; and clubs withdrawn from ratings."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from core.models import StaleMark
from tests.factories import (
    ClubFactory,
    MembershipFactory,
    MergeRequestFactory,
    PlayerFactory,
    TableFactory,
    UserFactory,
)
from tournaments.models import Club, MergeRequest, Player, Role
from web.clubs.merges import MOST_SHOWN

pytestmark = pytest.mark.django_db
MERGES = "/organise/merges/"


@pytest.fixture
def home():
    return ClubFactory(name="Home")


@pytest.fixture
def other():
    return ClubFactory(name="Other")


def browser_of(club, role=Role.ORGANISER):
    client = Client()
    client.force_login(MembershipFactory(club=club, role=role).user)
    return client


def said(response):
    return response.content.decode()


def test_two_of_the_clubs_people_are_merged_at_once_by_the_addresses_of_their_pages(home):
    gone, kept = PlayerFactory(name="Ana", club=home), PlayerFactory(name="Anna", club=home)
    client = browser_of(home)
    sent = {"gone": f"https://scores.example.org/players/{gone.uid}/?page=2", "kept": kept.uid}
    assert "Ana and Anna are one person now." in said(client.post(MERGES, sent, follow=True))
    gone.refresh_from_db()
    assert gone.merged_into == kept


def test_somebody_elses_side_is_asked_and_answers(home, other):
    ours, theirs = PlayerFactory(name="Ana", club=home), PlayerFactory(name="Anna", club=other)
    asking, asked = browser_of(home), browser_of(other)
    html = said(asking.post(MERGES, {"gone": ours.uid, "kept": theirs.uid}, follow=True))
    assert "The other side is asked." in html
    assert "You asked" in html
    page = said(asked.get(MERGES))
    assert "asked by Home" in page
    assert "between two records of one club, until the club has entered the person again and they have played" in page
    answer = f"{MERGES}{MergeRequest.objects.get().uid}/"
    assert "Only the player themselves" in said(asking.post(answer, {"do": "accept"}, follow=True))
    assert "are one person now" in said(asked.post(answer, {"do": "accept"}, follow=True))
    ours.refresh_from_db()
    assert ours.merged_into == theirs
    assert "Accepted" in said(asking.get(MERGES))


def test_who_is_asked_finds_it_where_they_come_in(home, other):
    asking, asked = browser_of(home), browser_of(other)
    merge = MergeRequestFactory(gone=PlayerFactory(club=home), kept=PlayerFactory(club=other))
    question = "somebody asks whether two records are one person"
    assert question in said(asked.get("/organise/")).lower()
    assert question not in said(asking.get("/organise/")).lower()
    asked.post(f"{MERGES}{merge.uid}/", {"do": "decline"})
    assert question not in said(asked.get("/organise/")).lower()


@pytest.mark.parametrize(("do", "status"), [("decline", "declined"), ("withdraw", "withdrawn"), ("nonsense", "open")])
def test_buttons_do_what_they_say(home, other, do, status):
    merge = MergeRequestFactory(gone=PlayerFactory(club=home), kept=PlayerFactory(club=other))
    browser_of(home if do == "withdraw" else other).post(f"{MERGES}{merge.uid}/", {"do": do})
    merge.refresh_from_db()
    assert merge.status == status


def test_requests_of_others_are_nowhere(home, other):
    merge = MergeRequestFactory(gone=PlayerFactory(name="Hidden", club=home), kept=PlayerFactory(club=other))
    stranger = browser_of(ClubFactory())
    assert "Hidden" not in said(stranger.get(MERGES))
    assert stranger.post(f"{MERGES}{merge.uid}/", {"do": "accept"}).status_code == 404
    assert Client().get(MERGES).status_code == 302


def test_what_waits_for_an_answer_is_shown_whatever_was_asked_and_taken_back_since(home, other):
    ana = PlayerFactory(club=home)
    MergeRequestFactory(gone=PlayerFactory(name="Waits", club=ClubFactory()), kept=ana)
    MergeRequestFactory(gone=ana, kept=PlayerFactory(name="Asked", club=other), club=home)
    for _ in range(MOST_SHOWN + 1):
        MergeRequestFactory(gone=PlayerFactory(club=other), kept=ana, status=MergeRequest.Status.WITHDRAWN)
    page = said(browser_of(home).get(MERGES))
    assert ("Waits" in page, "Asked" in page, "Withdrawn" in page) == (True, True, True)
    assert page.count('class="pill"') <= MOST_SHOWN


def test_what_cannot_be_merged_is_said_beside_the_form(home):
    client = browser_of(home)
    ana = PlayerFactory(club=home)
    assert "There is no such player" in said(client.post(MERGES, {"gone": "nobody", "kept": ana.uid}))
    assert "already one" in said(client.post(MERGES, {"gone": ana.uid, "kept": ana.uid}))
    secret = PlayerFactory(club=ClubFactory(is_public=False))
    assert "There is no such player" in said(client.post(MERGES, {"gone": secret.uid, "kept": ana.uid}))


def test_a_person_answers_from_their_account(home, other):
    ana = PlayerFactory(club=home, user=UserFactory())
    merge = MergeRequestFactory(gone=PlayerFactory(club=other), kept=ana)
    client = Client()
    client.force_login(ana.user)
    assert MERGES in said(client.get("/account/"))
    client.post(f"{MERGES}{merge.uid}/", {"do": "accept"})
    assert Player.objects.get(pk=merge.gone_id).merged_into == ana


# --- Clubs that are withdrawn from ratings ----------------------------------------------------------------------

NOTICE = "do not count for ratings at present"


def test_a_withdrawn_club_says_so_on_its_pages(home, client):
    organiser = browser_of(home)
    pages = [(client, f"/clubs/{home.slug}/"), (organiser, f"/organise/club/{home.slug}/")]
    assert not [path for reader, path in pages if NOTICE in said(reader.get(path))]
    call_command("rate_club", home.slug, "--withdraw")
    assert all(NOTICE in said(reader.get(path)) for reader, path in pages)
    assert client.get(f"/api/v1/clubs/{home.slug}/").json()["rated"] is False
    call_command("rate_club", home.slug, "--restore")
    assert Club.objects.get(pk=home.pk).is_rated_openly
    with pytest.raises(CommandError, match="no club"):
        call_command("rate_club", "nowhere", "--withdraw")


def test_the_operator_withdraws_a_club_in_the_admin_and_ratings_are_computed_anew(home, admin_client):
    played = TableFactory(round__event__club=home).round
    StaleMark.objects.all().delete()
    inline = {"TOTAL_FORMS": 0, "INITIAL_FORMS": 0}
    fields = {"name": home.name, "slug": home.slug, "is_public": "on", "time_zone": home.time_zone}
    fields |= {f"{each}-{name}": value for each in ("memberships", "seasons") for name, value in inline.items()}
    assert admin_client.post(f"/admin/tournaments/club/{home.pk}/change/", fields).status_code == 302
    assert not Club.objects.get(pk=home.pk).is_rated_openly
    mark = StaleMark.objects.get(kind="ratings")
    assert (mark.key, mark.since_at, mark.since_table) == (played.event.game, played.created_at, 0)
