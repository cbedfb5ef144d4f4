"""A person can have everything that is stored about them, and nobody else can."""

from __future__ import annotations

import datetime as dt
import json
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from core.models import User
from scoring.exports import everything_about
from scoring.services.reports import submit_report
from tests.api.callers import bearer
from tests.factories import (
    AffiliationFactory,
    ClubFactory,
    ContactFactory,
    CredentialFactory,
    EntryFactory,
    EventFactory,
    KeepApartFactory,
    MembershipFactory,
    PlayerFactory,
    UserFactory,
)
from tests.scoring.evenings import evening
from tournaments import trust
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Affiliation, Entry, Merge, MergeRequest, Player
from tournaments.services import merging

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def ana():
    """Somebody with an account who played an evening and sent its sheet."""
    tonight = evening(confirmation="trust")
    entry = tonight.entries[0]
    entry.player.user = UserFactory(email="ana@example.org")
    entry.player.save()
    Player.objects.exclude(pk=entry.player_id).update(name="Somebody Else")
    first, second = sorted((entry.player, tonight.entries[1].player), key=lambda each: each.pk)
    KeepApartFactory(club=tonight.event.club, first=first, second=second)
    PlayerFactory(name="Ana B.", merged_into=entry.player)
    submit_report(actor=tonight.players[0], table=tonight.table, sheet=tonight.sheet())
    return entry.player


@pytest.mark.django_db
def test_export_holds_everything_and_no_name_of_others(ana):
    output = StringIO()
    call_command("export_person", ana.uid, stdout=output)
    found = json.loads(output.getvalue())
    assert [each["name"] for each in found["player"]["records"]] == [ana.name, "Ana B."]
    assert found["account"][0]["email"] == "ana@example.org"
    assert (found["account"][0]["logins"], found["account"][0]["has_second_factor"]) == ([], False)
    assert len(found["player"]["kept_apart"]) == len(found["events"]["entries"]) == len(found["events"]["seats"]) == 1
    assert found["sheets"]["reports"][0]["status"] == "final"
    assert found["results"]["placings"][0]["rank"] >= 1
    assert found["history"]
    assert "Somebody Else" not in output.getvalue()


@pytest.mark.django_db
def test_export_of_nobody_is_refused():
    with pytest.raises(CommandError, match="no player"):
        call_command("export_person", "nobody")


@pytest.mark.django_db
def test_people_read_their_own_export_and_nobody_elses(ana):
    address = f"/api/v1/players/{ana.uid}/export/"
    CredentialFactory(user=ana.user, secret="lsu_ana")
    CredentialFactory(user=UserFactory(), secret="lsu_other")
    own = bearer("lsu_ana").get(address)
    assert (own.status_code, own.json()["player"]["records"][0]["id"]) == (200, ana.uid)
    assert bearer("lsu_other").get(address).status_code == 403


def merged(gone, kept):
    """Let two records be one person, as both sides agreed a week ago."""
    merging.merge(gone, kept, by=NOBODY)
    Merge.objects.update(merged_at=timezone.now() - trust.SETTLES)


@pytest.mark.django_db
def test_an_owner_reads_nothing_of_records_that_only_a_private_club_knows():
    owner, house, private = UserFactory(), ClubFactory(), ClubFactory(slug="secret-society", is_public=False)
    MembershipFactory(club=house, user=owner, role="owner")
    CredentialFactory(user=owner, secret="lsu_owner")
    hidden, between = PlayerFactory(name="Sister Ana", club=private), PlayerFactory(club=ClubFactory())
    kept, also = PlayerFactory(club=house, user=UserFactory()), PlayerFactory(home=private)
    AffiliationFactory(club=house, player=also)
    asked = {"awaits": between, "status": MergeRequest.Status.ACCEPTED, "expires_at": timezone.now()}
    MergeRequest.objects.create(gone=hidden, kept=between, **asked)
    for gone, other in ((hidden, between), (between, kept), (also, kept)):
        merged(gone, other)
    CredentialFactory(user=kept.user, secret="lsu_ana")
    address = f"/api/v1/players/{kept.uid}/export/"
    read, own = (bearer(each).get(address).json()["player"] for each in ("lsu_owner", "lsu_ana"))
    homes = {each["id"]: each["home"] for each in read["records"]}
    assert homes == {kept.uid: house.slug, between.uid: between.home.slug, also.uid: None}
    assert {each["gone"] for each in read["merges"]} == {between.uid, also.uid}
    assert not any(each in json.dumps(read) for each in ("secret-society", "Sister Ana", hidden.uid))
    assert own == read, "whose account it is, their own club alone can tell"
    everything = everything_about(kept)["player"]
    assert {(each["name"], each["home"]) for each in everything["records"]} >= {("Sister Ana", "secret-society")}
    assert (len(everything["records"]), len(everything["merges"]), len(everything["merge_requests"])) == (4, 3, 1)


@pytest.mark.django_db
@pytest.mark.parametrize("is_kept", [True, False])
def test_an_account_reads_of_another_clubs_record_what_that_clubs_rivals_may_know(is_kept):
    """A club can tie an account to a record that it invented, and ask for a merge with somebody else's person."""
    house, rival, third = (ClubFactory(slug=slug, is_public=slug == "rival") for slug in ("house", "rival", "third"))
    ana, invented = PlayerFactory(club=house), PlayerFactory(club=rival, user=UserFactory())
    evenings = {who: EventFactory(club=club, is_public=False) for who, club in ((ana, house), (invented, rival))}
    for who, event in evenings.items():
        ContactFactory(entry=EntryFactory(event=event, player=who))
    Affiliation.objects.filter(player=ana).update(note="owes us 20 euro")
    Affiliation.objects.filter(player=invented).update(note="brings the cake")
    AffiliationFactory(club=third, player=ana, note="is late")
    merged(*((ana, invented) if is_kept else (invented, ana)))
    kept = invented if is_kept else ana
    note = {"club": house, "player": kept}
    Affiliation.objects.filter(**note).update(note="still owes us 20 euro")
    caller = Actor(Kind.USER, user=invented.user)
    read = everything_about(kept, seen_by=caller)
    assert [each["event"] for each in read["events"]["entries"]] == [evenings[invented].uid]
    assert len(read["events"]["addresses"]) == len(read["account"]) == 1
    assert [each["note"] for each in read["player"]["notes"]] == ["brings the cake"]
    assert [each["club"] for each in read["player"]["clubs"] if each["club"] != "rival"] == []
    assert {each["home"] for each in read["player"]["records"]} <= {"rival", None}


@pytest.mark.django_db
@pytest.mark.parametrize("days", [6, 7])
def test_an_owner_who_linked_their_own_account_is_shown_addresses_after_a_week_alone(days):
    owner, house = UserFactory(), ClubFactory()
    MembershipFactory(club=house, user=owner, role="owner")
    ana = PlayerFactory(club=house, user=owner, tied_at=timezone.now() - dt.timedelta(days=days))
    ContactFactory(entry=EntryFactory(player=ana))
    read = everything_about(ana, seen_by=Actor(Kind.USER, user=owner))
    assert len(read["events"]["addresses"]) == len(read["account"]) == (days >= 7)


@pytest.mark.django_db
def test_since_when_a_record_has_an_account_is_read_by_whose_it_wholly_is():
    owner, house = UserFactory(), ClubFactory()
    MembershipFactory(club=house, user=owner, role="owner")
    kept = PlayerFactory(club=house)
    tied = PlayerFactory(club=ClubFactory(), user=UserFactory(), tied_at=timezone.now() - trust.SETTLES)
    merged(tied, kept)
    callers = (Actor(Kind.USER, user=owner), Actor(Kind.USER, user=tied.user), None)
    reads = [everything_about(kept, seen_by=each)["player"]["records"] for each in callers]
    since = [{each["id"]: each["account_since"] for each in read}[tied.uid] for read in reads]
    assert since == [None, tied.tied_at, tied.tied_at]


@pytest.mark.django_db
def test_an_owner_reads_of_no_private_event_for_which_another_club_keeps_somebody_apart():
    owner, house, other = UserFactory(), ClubFactory(), ClubFactory()
    MembershipFactory(club=house, user=owner, role="owner")
    ana = PlayerFactory(club=house)
    events = [EventFactory(club=other, is_public=is_public) for is_public in (True, False)]
    for event in events:
        KeepApartFactory(club=other, event=event, first=ana, second=PlayerFactory())
    read, own = (everything_about(ana, seen_by=each)["player"] for each in (Actor(Kind.USER, user=owner), None))
    assert [each["event"] for each in read["kept_apart"]] == [events[0].uid]
    assert [each["event"] for each in own["kept_apart"]] == [event.uid for event in events]


def test_every_table_that_leads_to_a_person_is_documented():
    people = {Player, Entry, User}
    tables = {
        model._meta.label
        for model in apps.get_models()
        if model in people or any(field.related_model in people for field in model._meta.concrete_fields)
    }
    documented = (ROOT / "docs" / "privacy.md").read_text()
    assert {label for label in tables if f"`{label}`" not in documented} == set()
