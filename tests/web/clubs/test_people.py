"""The people of a club: found, added, imported, renamed, merged, kept apart, noted, vouched for, forgotten."""

from __future__ import annotations

import datetime as dt
import re
from urllib.parse import urljoin

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.api.callers import bearer
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    CredentialFactory,
    EntryFactory,
    EventFactory,
    MembershipFactory,
    PlayerFactory,
    UserFactory,
)
from tests.web.markup import tags
from tests.web.organisers import links_of
from tournaments import selectors
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Affiliation, Club, Entry, KeepApart, Merge, MergeRequest, Player, Role
from tournaments.services import joining, merge_requests, merging

pytestmark = pytest.mark.django_db
PEOPLE = "/organise/club/meeple/people/"


def member(club, role):
    user = MembershipFactory(club=club, role=role, user__email=f"{role}-{club.slug}@example.org").user
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    secret = f"lsu_{role}{club.slug}".ljust(47, "a")
    CredentialFactory(user=user, secret=secret)
    client.user, client.api, client.actor = user, bearer(secret), Actor(Kind.USER, user=user)
    return client


@pytest.fixture
def club():
    return ClubFactory(slug="meeple")


@pytest.fixture
def organiser(club):
    return member(club, Role.ORGANISER)


@pytest.fixture
def owner(club):
    return member(club, Role.OWNER)


def text(answer):
    return answer.content.decode()


def act(client, player, **sent):
    return client.post(f"{PEOPLE}{player.uid}/act/", sent, follow=True)


def test_penelope_finds_penelope_with_accents_and_every_list_has_pages(organiser, club):
    penelope = PlayerFactory(name="Pénélope", club=club)
    for number in range(60):
        PlayerFactory(name=f"Player {number}", club=club)
    PlayerFactory(name="Penelope of another club", club=ClubFactory())
    assert links_of(text(organiser.get(f"{PEOPLE}?q=penelope"))) >= {f"{PEOPLE}{penelope.uid}/"}
    assert "another club" not in text(organiser.get(f"{PEOPLE}?q=penelope"))
    pages = [text(organiser.get(f"{PEOPLE}?page={number}")) for number in (1, 2)]
    shown = {link for page in pages for link in links_of(page) if link.startswith(PEOPLE) and len(link) > len(PEOPLE)}
    assert len(shown - {f"{PEOPLE}import/"}) == 61


def test_somebody_is_added_renamed_and_noted(organiser, club):
    made = organiser.post(PEOPLE, {"name": " Ana  Li "})
    ana = Player.objects.get()
    assert made.url == f"{PEOPLE}{ana.uid}/"
    act(organiser, ana, do="rename", name="Ana Lindqvist")
    act(organiser, ana, do="note", note="Brings\0 the cake.")
    ana.refresh_from_db()
    assert ana.name == "Ana Lindqvist"
    assert "Brings the cake." in text(organiser.get(made.url))
    assert "Give a name" in text(act(organiser, ana, do="rename", name="\u2060")) or ana.name == "Ana Lindqvist"


def test_a_search_beside_a_name_that_was_refused_finds_somebody(organiser, club):
    ana, _bo = (PlayerFactory(name=name, club=club) for name in ("Ana", "Bo"))
    refused = act(organiser, ana, do="rename", name="\u2060")
    search = next(tag.attributes for tag in tags(text(refused), "form") if tag.attributes.get("role") == "search")
    found = organiser.get(urljoin(refused.request["PATH_INFO"], search["action"]), {"other": "Bo"})
    assert "Keep apart" in text(found)


def test_notes_are_for_organisers_alone_by_page_and_api(organiser, owner, club):
    ana = PlayerFactory(name="Ana", club=club)
    url = f"/api/v1/clubs/meeple/players/{ana.uid}/note/"
    assert organiser.api.put(url, {"note": "Brings the cake."}).json() == {"note": "Brings the cake."}
    assert owner.api.get(url).json()["note"] == "Brings the cake."
    keeper, stranger = member(club, Role.SCOREKEEPER), member(ClubFactory(slug="other"), Role.OWNER)
    assert keeper.api.get(url).status_code == stranger.api.get(url).status_code == 403
    assert keeper.get(f"{PEOPLE}{ana.uid}/").status_code == stranger.get(f"{PEOPLE}{ana.uid}/").status_code == 404
    assert "cake" not in text(Client().get(f"/players/{ana.uid}/"))
    assert "cake" not in text(Client().get(f"/api/v1/players/{ana.uid}/"))
    assert organiser.api.put(url, {"note": "x" * 2001}).status_code == 400
    owner.api.post(f"/api/v1/players/{ana.uid}/anonymise/")
    assert not Affiliation.objects.exclude(note="").exists()


def test_another_clubs_note_is_in_the_persons_export_and_not_in_the_home_clubs(owner, club):
    ana = PlayerFactory(name="Ana", club=club)
    AffiliationFactory(club=ClubFactory(slug="other"), player=ana, note="Owes us a coffee.")
    AffiliationFactory._meta.model.objects.filter(club=club).update(note="Brings the cake.")
    exported = text(owner.get(f"{PEOPLE}{ana.uid}/export/"))
    assert "Brings the cake." in exported
    assert "coffee" not in exported
    ana.user = owner.user
    ana.save()
    assert "coffee" in text(owner.get(f"{PEOPLE}{ana.uid}/export/"))


def test_a_note_survives_a_merge_and_its_taking_back(organiser, club):
    ana, anna = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Anna", club=club)
    act(organiser, anna, do="note", note="Plays on Mondays.")
    merging.merge_players(actor=organiser.actor, gone=anna, kept=ana)
    assert selectors.note_about(club, ana) == "Plays on Mondays."
    merging.unmerge_player(actor=organiser.actor, player=Player.objects.get(pk=anna.pk))
    anna.refresh_from_db()
    assert selectors.note_about(club, anna) == "Plays on Mondays."


def test_two_records_are_merged_after_a_look_and_taken_apart_again(organiser, club):
    ana, anna = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Anna", club=club)
    EntryFactory(event=EventFactory(club=club), player=anna)
    page = f"{PEOPLE}{ana.uid}/merge/{anna.uid}/"
    assert page in links_of(text(organiser.get(f"{PEOPLE}{ana.uid}/?other=anna")))
    assert "1 event of the other counts as theirs." in text(organiser.get(page))
    preview = organiser.api.post(f"/api/v1/players/{anna.uid}/merge-preview/", {"into": ana.uid}).json()
    assert (preview["entries"], preview["needs_consent"], preview["refusal"]) == (1, False, "")
    anna.refresh_from_db()
    assert anna.merged_into is None
    assert organiser.post(page).url == f"{PEOPLE}{ana.uid}/"
    anna.refresh_from_db()
    assert anna.merged_into == ana
    assert organiser.get(f"{PEOPLE}{anna.uid}/").url == f"{PEOPLE}{ana.uid}/"
    act(organiser, ana, do="unmerge", record=anna.uid)
    anna.refresh_from_db()
    assert anna.merged_into is None


def test_each_club_takes_its_record_apart_on_the_page_of_the_person_and_no_other_does(organiser, club):
    """The page belongs to the club whose record was kept; the other side finds its button there too."""
    other, third = (member(ClubFactory(slug=slug), Role.ORGANISER) for slug in ("other", "third"))
    ana, anna = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Anna", club=club)
    theirs = PlayerFactory(name="Ana", club=Club.objects.get(slug="other"))
    AffiliationFactory(club=Club.objects.get(slug="third"), player=ana)
    merging.merge_players(actor=organiser.actor, gone=anna, kept=ana)
    asked = merge_requests.ask(actor=organiser.actor, gone=theirs, kept=ana)
    merge_requests.accept(actor=other.actor, request=asked)
    offered = {}
    for slug, caller in {"meeple": organiser, "other": other, "third": third}.items():
        page = text(caller.get(f"/organise/club/{slug}/people/{ana.uid}/"))
        offered[slug] = {record for record in (anna, theirs) if f'name="record" value="{record.uid}"' in page}
    assert offered == {"meeple": {anna, theirs}, "other": {theirs}, "third": set()}
    other.post(f"/organise/club/other/people/{ana.uid}/act/", {"do": "unmerge", "record": theirs.uid})
    theirs.refresh_from_db()
    assert theirs.merged_into is None


def test_page_of_somebody_takes_as_many_queries_however_many_records_were_merged(organiser, club):
    ana = PlayerFactory(club=club)
    page, counts = f"{PEOPLE}{ana.uid}/", []
    for number in (1, 4):
        PlayerFactory.create_batch(number, club=club, merged_into=ana)
        with CaptureQueriesContext(connection) as asked:
            html = text(organiser.get(page))
        counts.append(len(asked))
    assert html.count('value="unmerge"') == 5
    assert counts[0] == counts[1]


def test_page_of_a_guest_takes_one_query_for_each_merged_record(organiser, club):
    ana, other = PlayerFactory(club=ClubFactory()), ClubFactory()
    AffiliationFactory(club=club, player=ana)
    counts = []
    for _ in range(2):
        PlayerFactory(club=other, merged_into=ana)
        with CaptureQueriesContext(connection) as asked:
            organiser.get(f"{PEOPLE}{ana.uid}/")
        counts.append(len(asked))
    assert counts[1] - counts[0] == 1


def test_two_who_met_are_two_and_the_page_says_why(organiser, club):
    ana, bo = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Bo", club=club)
    event = EventFactory(club=club, name="DIX on Monday")
    for player in (ana, bo):
        EntryFactory(event=event, player=player)
    page = f"{PEOPLE}{ana.uid}/merge/{bo.uid}/"
    assert "Both played in DIX on Monday" in text(organiser.get(page))
    organiser.post(page)
    bo.refresh_from_db()
    assert bo.merged_into is None


def test_a_guest_is_merged_only_with_their_own_sides_consent(organiser, club):
    ana, guest = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Anna", club=ClubFactory())
    AffiliationFactory(club=club, player=guest)
    page = f"{PEOPLE}{ana.uid}/merge/{guest.uid}/"
    assert "Ask the other side" in text(organiser.get(page))
    organiser.post(page)
    guest.refresh_from_db()
    assert guest.merged_into is None
    assert MergeRequest.objects.get().awaits == guest
    assert "Rename" not in text(organiser.get(f"{PEOPLE}{guest.uid}/"))
    act(organiser, guest, do="rename", name="Ours")
    guest.refresh_from_db()
    assert guest.name == "Anna"


def test_a_preview_says_how_long_it_can_be_taken_back_by_where_the_two_are_at_home(organiser, club):
    """And not by who has to agree: who runs both clubs need not ask, and a player asks their own club."""
    other, ana = ClubFactory(slug="other"), PlayerFactory(club=club)
    MembershipFactory(club=other, user=organiser.user, role=Role.ORGANISER)
    player = member(ClubFactory(slug="third"), Role.ORGANISER)
    theirs, anna = PlayerFactory(club=other), PlayerFactory(club=club, user=player.user)
    for each, knows in ((theirs, club), (ana, Club.objects.get(slug="third")), (anna, Club.objects.get(slug="third"))):
        AffiliationFactory(club=knows, player=each)
    of_two_clubs = text(organiser.get(f"{PEOPLE}{ana.uid}/merge/{theirs.uid}/"))
    of_one = text(player.get(f"/organise/club/third/people/{ana.uid}/merge/{anna.uid}/"))
    either, until = "Either side can take it apart again", "until the club has entered them again and they have played"
    assert ("Merge them" in of_two_clubs, either in of_two_clubs, until in of_two_clubs) == (True, True, False)
    assert ("Ask the other side" in of_one, either in of_one, until in of_one) == (True, False, True)


def test_a_preview_is_nobody_elses_business(club):
    ana, anna = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Anna", club=club)
    stranger = member(ClubFactory(slug="other"), Role.OWNER)
    answer = stranger.api.post(f"/api/v1/players/{anna.uid}/merge-preview/", {"into": ana.uid})
    assert answer.status_code == 403


def test_two_are_kept_apart_and_may_meet_again(organiser, club):
    ana, bo = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Bo", club=club)
    act(organiser, ana, do="apart", other=bo.uid)
    pair = KeepApart.objects.get()
    assert "kept apart in all events" in text(organiser.get(f"{PEOPLE}{bo.uid}/"))
    act(organiser, bo, do="meet", pair=pair.uid)
    assert not KeepApart.objects.exists()


def test_merged_records_of_one_name_are_told_from_another(organiser, club):
    kept = PlayerFactory(name="Ana", club=club)
    own, guest = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Ana", club=ClubFactory(name="Dice"))
    for record in (own, guest):
        merging.merge(record, kept, by=organiser.actor)
    Merge.objects.filter(gone=own).update(merged_at=dt.datetime(2026, 5, 4, 18, 30, tzinfo=dt.UTC))
    page = re.sub(r"<[^>]+>|\s+", " ", text(organiser.get(f"{PEOPLE}{kept.uid}/")))
    assert re.search(rf"Ana +{club.name} · merged on 4 May 2026, 18:30", page)
    assert re.search(r"Ana +Guest · merged on", page)


def test_keeping_apart_is_offered_for_the_clubs_own_people_alone(organiser, club):
    ana, bo = PlayerFactory(name="Ana", club=club), PlayerFactory(name="Bob Own", club=club)
    guest = AffiliationFactory(club=club, player=PlayerFactory(name="Bob Guest")).player
    found = text(organiser.get(f"{PEOPLE}{ana.uid}/", {"other": "Bob"}))
    offered = {tag.attributes.get("value") for tag in tags(found, "input") if tag.attributes.get("name") == "other"}
    assert {bo.uid} <= offered
    assert guest.uid not in offered
    assert f"/merge/{guest.uid}/" in found
    assert 'value="apart"' not in text(organiser.get(f"{PEOPLE}{guest.uid}/", {"other": "Bob"}))


def test_a_phone_that_says_it_is_somebody_is_answered_for_on_their_page(organiser, club):
    ana = PlayerFactory(name="Ana", club=club)
    for answer, expected in (("vouch", True), ("reject", False)):
        event = EventFactory(club=club)
        claim = joining.join(event=event, code=event.join_code, player=ana, actor=NOBODY)
        assert "1 phone says it is somebody you know" in text(organiser.get(PEOPLE))
        act(organiser, ana, do=answer, entry=claim.uid)
        entry = Entry.objects.select_related("player").get(pk=claim.pk)
        assert (entry.player.person_id == ana.pk) is expected


def test_the_page_of_a_guest_tells_nothing_of_a_private_club(organiser, club):
    home = ClubFactory(is_public=False)
    ana = PlayerFactory(name="Ana", club=home)
    AffiliationFactory(club=club, player=ana)
    PlayerFactory(name="Annabel", club=home, merged_into=ana)
    secret = EventFactory(club=home, name="Hush hush")
    joining.join(event=secret, code=secret.join_code, actor=NOBODY, player=ana)
    html = text(organiser.get(f"{PEOPLE}{ana.uid}/"))
    assert "Ana" in html
    assert "Hush hush" not in html
    assert "Annabel" not in html
    theirs = text(member(home, Role.ORGANISER).get(f"/organise/club/{home.slug}/people/{ana.uid}/"))
    assert "Hush hush" in theirs
    assert "Annabel" in theirs


def test_an_organiser_says_that_a_record_is_theirs_and_parts_with_it(organiser, club):
    ana = PlayerFactory(name="Ana", club=club)
    act(organiser, ana, do="link")
    ana.refresh_from_db()
    assert ana.user == organiser.user
    act(organiser, ana, do="unlink")
    ana.refresh_from_db()
    assert ana.user is None


@pytest.mark.parametrize(("days", "since", "early"), [(1, True, True), (8, True, False), (None, False, False)])
def test_an_organiser_sees_since_when_somebody_has_an_account(organiser, club, days, since, early):
    ana = PlayerFactory(name="Ana", club=club, user=UserFactory())
    if days is not None:
        Player.objects.update(tied_at=timezone.now() - dt.timedelta(days=days))
    html = text(organiser.get(f"{PEOPLE}{ana.uid}/"))
    assert ("The account was linked on" in html, "Until then only an owner" in html) == (since, early)
    guest = member(ClubFactory(slug="other"), Role.ORGANISER)
    AffiliationFactory(club=Club.objects.get(slug="other"), player=ana)
    assert "The account was linked" not in text(guest.get(f"/organise/club/other/people/{ana.uid}/"))


def test_whoever_linked_their_account_today_is_told_who_can_export_them_now(organiser, club):
    ana = PlayerFactory(name="Ana", club=club, user=organiser.user, tied_at=timezone.now())
    said = text(organiser.get(f"{PEOPLE}{ana.uid}/export/", follow=True))
    assert "an owner of their home club can: ask one, or wait" in said
    assert "Forget the name" not in said
    said = text(organiser.get(f"{PEOPLE}{ana.uid}/export/", follow=True, headers={"Accept-Language": "fr"}))
    assert "demandez-le-lui, ou patientez" in said


def test_only_an_owner_forgets_a_name_and_only_by_typing_it(organiser, owner, club):
    ana = PlayerFactory(name="Ana", club=club)
    assert "Forget the name" not in text(organiser.get(f"{PEOPLE}{ana.uid}/"))
    act(organiser, ana, do="anonymise", name="Ana")
    act(owner, ana, do="anonymise", name="Anna")
    ana.refresh_from_db()
    assert not ana.is_anonymous
    assert organiser.get(f"{PEOPLE}{ana.uid}/export/").status_code == 302
    exported = owner.get(f"{PEOPLE}{ana.uid}/export/")
    assert exported["Content-Disposition"].startswith("attachment")
    act(owner, ana, do="anonymise", name="ana")
    ana.refresh_from_db()
    assert ana.is_anonymous
    assert owner.get(f"{PEOPLE}{ana.uid}/").status_code == 404


def test_a_file_is_looked_at_first_row_by_row_and_then_brought_in(organiser, club):
    PlayerFactory(name="Pénélope", club=club)
    PlayerFactory(name="Ana", club=club)
    PlayerFactory(name="Ines", club=club)
    rows = "\ufeffname;since\nana;2019\nPenelope;2020\nBo;2021\nINÈS;2022\n".encode()
    looked = text(organiser.post(f"{PEOPLE}import/", {"file": SimpleUploadedFile("people.csv", rows)}))
    for said in ("2 in doubt", "1 new", "1 known already", "Penelope", "≈ Pénélope"):
        assert said in looked
    assert Player.objects.count() == 3
    sent = {"csv": rows.decode("utf-8-sig"), "sure": "1", "as_new": "5"}
    assert organiser.post(f"{PEOPLE}import/", sent).url == PEOPLE
    assert set(Player.objects.values_list("name", flat=True)) == {"Pénélope", "Ana", "Ines", "Bo", "INÈS"}


def test_a_list_with_bad_lines_or_that_is_no_text_changes_nothing(organiser, club):
    looked = text(organiser.post(f"{PEOPLE}import/", {"csv": "Ana\n" + "x" * 80 + "\nAna"}))
    assert "2 lines to correct" in looked
    assert "Bring them in" not in looked
    organiser.post(f"{PEOPLE}import/", {"csv": "Ana\n" + "x" * 80, "sure": "1"})
    picture = SimpleUploadedFile("people.png", b"\x89PNG\xff\xfe")
    assert "not text in UTF-8" in text(organiser.post(f"{PEOPLE}import/", {"file": picture}))
    assert "Choose a file" in text(organiser.post(f"{PEOPLE}import/", {"csv": " "}))
    assert not Player.objects.exists()


def test_the_api_says_what_is_in_doubt_and_makes_no_second_record(organiser, club):
    known = PlayerFactory(name="Pénélope", club=club)
    url = "/api/v1/clubs/meeple/players/import/"
    answer = organiser.api.post(url, {"csv": "Penelope\nBo\n"}).json()
    assert answer["doubtful"] == [{"line": 1, "name": "Penelope", "like": [{"id": known.uid, "name": "Pénélope"}]}]
    assert [each["name"] for each in answer["new"]] == ["Bo"]
    answer = organiser.api.post(url, {"csv": "Penelope\n", "as_new": [1]}).json()
    assert [each["name"] for each in answer["new"]] == ["Penelope"]


def test_scorekeepers_and_strangers_find_no_such_page(club):
    ana = PlayerFactory(name="Ana", club=club)
    for client in (member(club, Role.SCOREKEEPER), member(ClubFactory(slug="other"), Role.OWNER)):
        for page in ("", "import/", f"{ana.uid}/", f"{ana.uid}/export/", f"{ana.uid}/merge/{ana.uid}/"):
            assert client.get(PEOPLE + page).status_code == 404
        assert client.post(f"{PEOPLE}{ana.uid}/act/", {"do": "note", "note": "x"}).status_code == 404
    assert Client().get(PEOPLE).status_code == 302
