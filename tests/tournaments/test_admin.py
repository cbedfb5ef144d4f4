"""Every model of the app in the admin: found, read, and not written where it is history or a secret."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from core import computations
from core.computations import Kind
from core.models import Derived, StaleMark
from scoring.rankings.ratings import store as ratings
from tests.factories import (
    AffiliationFactory,
    CallFactory,
    ClubFactory,
    ContactFactory,
    CredentialFactory,
    DeliveryFactory,
    GameVersionFactory,
    KeepApartFactory,
    KeyFactory,
    MembershipFactory,
    MergeRequestFactory,
    OwnGameFactory,
    PlayerFactory,
    PushMessageFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    WebhookFactory,
)
from tests.interleaving import meanwhile
from tests.tournaments.events import enter, event_of, seat
from tournaments.access import usage
from tournaments.actors import Actor
from tournaments.actors import Kind as ActorKind
from tournaments.models import (
    Action,
    Affiliation,
    Call,
    Club,
    Contact,
    Credential,
    Delivery,
    Entry,
    Event,
    GameVersion,
    Invitation,
    KeepApart,
    KeyUse,
    Merge,
    MergeRequest,
    Origin,
    OwnGame,
    Penalty,
    Player,
    PushMessage,
    PushSubscription,
    Round,
    Seat,
    SitOut,
    Table,
    Webhook,
)
from tournaments.services.history import record
from tournaments.services.people import anonymise_player

pytestmark = pytest.mark.django_db

INLINE = {Affiliation, PushMessage, Seat, SitOut}
LOOK_ONLY = {
    KeyUse,
    Call,
    Action,
    OwnGame,
    Penalty,
    GameVersion,
    Contact,
    Credential,
    Delivery,
    Invitation,
    Merge,
    MergeRequest,
    Origin,
    PushSubscription,
    Round,
    Table,
    Webhook,
}
MODELS = sorted(set(apps.get_app_config("tournaments").get_models()) - INLINE, key=lambda model: model.__name__)


@pytest.fixture
def a_few_of_everything(db):
    def make(number: int = 1) -> None:
        for _ in range(number):
            club = ClubFactory()
            MembershipFactory(club=club)
            player = AffiliationFactory(club=club, player__user=UserFactory()).player
            gone = PlayerFactory(merged_into=player)
            Merge.objects.create(kept=player, gone=gone, merged_by=player.user)
            MergeRequestFactory(gone=player, asked_by=player.user)
            entry = enter(event_of(club, season=SeasonFactory(club=club)), player)
            ContactFactory(entry=entry)
            PushMessageFactory(subscription__entry=entry)
            SitOut.objects.create(entry=entry, round=seat(entry).round)
            CallFactory(table=entry.seats.get().table, entry=entry)
            Penalty.objects.create(event=entry.event, entry=entry, points=1, reason="late")
            record(actor=Actor(), event=entry.event, verb="entered")
            KeepApartFactory(club=club, event=entry.event)
            usage.note(KeyFactory(club=club).pk, "GET", "api/v1/me/", 200)
            usage.write()
            GameVersionFactory(game=OwnGameFactory(club=club))
            Origin.objects.create(club=club, uid=entry.event.uid, event=entry.event)
            DeliveryFactory(webhook=WebhookFactory(club=club))
            secret = CredentialFactory(user=player.user).digest
            Invitation.objects.create(
                club=club, email="a@example.org", role="owner", digest=secret[::-1], expires_at=timezone.now()
            )

    make()
    return make


def test_every_model_is_there():
    assert set(MODELS) <= set(admin.site._registry)


def test_lists_cost_the_same_for_many_rows(admin_client, a_few_of_everything):
    def cost_of_list(model) -> int:
        with CaptureQueriesContext(connection) as queries:
            answer = admin_client.get(reverse(f"admin:tournaments_{model._meta.model_name}_changelist"), {"q": "a"})
        assert answer.status_code == 200, model
        return len(queries)

    cost_of_list(MODELS[0])  # the first time fills caches
    few = {model.__name__: cost_of_list(model) for model in MODELS}
    a_few_of_everything(4)
    assert {model.__name__: cost_of_list(model) for model in MODELS} == few


def test_forms_open_where_something_can_be_changed(admin_client, a_few_of_everything):
    for model in MODELS:
        stem = f"admin:tournaments_{model._meta.model_name}"
        page = admin_client.get(reverse(f"{stem}_change", args=[model.objects.first().pk]))
        assert page.status_code == 200, model
        assert (b'name="_save"' in page.content) == (model not in LOOK_ONLY), model
        added = admin_client.get(reverse(f"{stem}_add")).status_code
        assert added == (403 if model in {Entry, *LOOK_ONLY} else 200), model


def test_of_a_phone_that_is_told_the_whole_address_is_not_shown(admin_client, a_few_of_everything):
    phone = PushSubscription.objects.get()
    page = admin_client.get(reverse("admin:tournaments_pushsubscription_change", args=[phone.pk])).content.decode()
    assert phone.host in page
    assert phone.messages.get().occasion in page
    assert not any(secret in page for secret in (phone.endpoint, phone.p256dh, phone.auth))


def test_changes_of_events_and_entries_are_seen_by_who_polls(admin_client, a_few_of_everything):
    for model in (Event, Entry):
        row, before = model.objects.get(), Event.objects.get().version
        url = reverse(f"admin:tournaments_{model._meta.model_name}_change", args=[row.pk])
        form = admin_client.get(url).context["adminform"].form
        data = {name: value for name, value in form.initial.items() if value not in (None, [])} | {"name": "Renamed"}
        data |= {"starts_at_0": "2026-11-18", "starts_at_1": "18:00:00", "podium_points": "[3]", "tiebreaks": "[]"}
        assert admin_client.post(url, data).status_code == 302
        assert (model.objects.get().name, Event.objects.get().version) == ("Renamed", before + 1)


def send(admin_client, row, others_come=None, **changed):
    """Send the form of a row in the admin, with some of its fields changed, and others coming once the row is read."""
    url = reverse(f"admin:tournaments_{row._meta.model_name}_change", args=[row.pk])
    page = admin_client.get(url).context
    inlines = [each.formset for each in page["inline_admin_formsets"]]
    forms = [page["adminform"].form, *(form for each in inlines for form in (each.management_form, *each))]
    values = {form.add_prefix(name): form[name].value() for form in forms for name in form.fields}
    data = {name: value for name, value in values.items() if value is not None and value is not False}
    for each in (form[name] for form in forms for name, field in form.fields.items() if field.show_hidden_initial):
        data[each.html_initial_name] = "" if each.value() is None else str(each.value())
    data |= {"starts_at_0": "2026-11-18", "starts_at_1": "18:00:00"} if isinstance(row, Event) else {}
    with meanwhile(type(row), others_come) if others_come else nullcontext():
        return admin_client.post(url, data | changed)


def save(*arguments, **changed):
    """Save the form of a row in the admin; it takes what `send` takes."""
    done = send(*arguments, **changed)
    assert done.status_code == 302, done.context["errors"]


def test_what_the_admin_changes_is_computed_anew(admin_client):
    club = ClubFactory()
    former, season = SeasonFactory(club=club), SeasonFactory(club=club)
    event = event_of(club, season=former, status=Event.Status.FINISHED)
    entry = enter(event, AffiliationFactory(club=club).player)
    standings, seasons = (Kind.STANDINGS, event.uid), {(Kind.SEASON, each.uid) for each in (former, season)}
    steps = [
        (lambda: save(admin_client, event, season=season.pk), {standings, *seasons}),
        (lambda: save(admin_client, entry, status=Entry.Status.DROPPED), {standings, (Kind.SEASON, season.uid)}),
        (lambda: save(admin_client, season, best_of=2), {(Kind.SEASON, season.uid)}),
        (lambda: save(admin_client, club, is_public=""), {*seasons, (Kind.RATINGS, event.game)}),
        (
            lambda: save(admin_client, entry.player, name="Renamed"),
            {(Kind.RATINGS, event.game), (Kind.SEASON, season.uid)},
        ),
        (lambda: delete(admin_client, entry), {standings, (Kind.SEASON, season.uid)}),
    ]
    for step, stale in steps:
        StaleMark.objects.all().delete()
        step()
        assert computations.behind() == stale


def test_an_account_that_the_admin_ties_is_tied_since_then(admin_client):
    ana = PlayerFactory(club=ClubFactory())
    save(admin_client, ana, user=UserFactory().pk)
    ana.refresh_from_db()
    tied_at = ana.tied_at
    assert tied_at is not None
    save(admin_client, ana, name="Renamed")
    ana.refresh_from_db()
    assert ana.tied_at == tied_at
    save(admin_client, ana, user="")
    ana.refresh_from_db()
    assert ana.tied_at is None


def test_an_account_that_the_admin_ties_rests_on_nobodys_word(admin_client):
    """Else it goes with a record that another account was proved by, and is not told what is its own."""
    ana, other = PlayerFactory(club=ClubFactory()), PlayerFactory(club=ClubFactory())
    Player.objects.filter(pk=ana.pk).update(user=UserFactory(), tie_rests_on=[ana.pk, other.pk])
    save(admin_client, Player.objects.get(pk=ana.pk), user=UserFactory().pk)
    ana.refresh_from_db()
    assert ana.tie_rests_on is None


def test_event_stays_with_its_club_once_somebody_is_entered(admin_client):
    """Its people are the club's, and so are their results: another club may not have them rated openly."""
    club, other = ClubFactory(), ClubFactory(is_rated_openly=False)
    event = event_of(club)
    save(admin_client, event, club=other.pk)
    event.refresh_from_db()
    assert event.club == other
    enter(event, AffiliationFactory(club=other).player)
    save(admin_client, event, club=club.pk, name="Renamed")
    event.refresh_from_db()
    assert (event.club, event.name) == (other, "Renamed")


def test_what_results_were_judged_and_rated_by_stays_once_somebody_is_seated(admin_client):
    club = ClubFactory()
    event = event_of(club, rated=True)
    save(admin_client, event, game="sixmix", rated="")
    event.refresh_from_db()
    assert (event.game, event.rated) == ("sixmix", False)
    RoundFactory(event=event)
    save(admin_client, event, game="dix", rated="on", points="score", name="Renamed")
    before = (event.game, event.rated, event.points)
    event.refresh_from_db()
    assert (event.game, event.rated, event.points, event.name) == (*before, "Renamed")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
def test_computations_from_the_first_table_on_are_shown_in_every_zone(admin_client, settings, zone):
    settings.TIME_ZONE = zone
    computations.mark(Kind.RATINGS, "dix", ratings.BEGINNING)
    marked = admin_client.get(reverse("admin:core_stalemark_changelist")).content.decode()
    computations.claim(Kind.RATINGS, "dix", timezone.now())
    row = Derived.objects.get()
    claimed = admin_client.get(reverse("admin:core_derived_change", args=[row.pk])).content.decode()
    for page in (marked, claimed):
        assert "0001-01-01 00:00:00+00:00" in page


def test_history_of_a_row_is_shown_whatever_the_method(admin_client):
    url = reverse("admin:tournaments_club_history", args=[ClubFactory().pk])
    assert admin_client.get(url).status_code == admin_client.post(url).status_code == 200


def delete(admin_client, row):
    """Delete a row from the list in the admin."""
    data = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    assert admin_client.post(reverse(f"admin:tournaments_{row._meta.model_name}_changelist"), data).status_code == 302
    assert not type(row).objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("model", [Event, Entry])
def test_form_that_is_saved_takes_nothing_back_that_others_did_meanwhile(admin_client, model):
    club = ClubFactory()
    enter(event_of(club), AffiliationFactory(club=club).player)

    def others_come():
        Event.objects.update(status=Event.Status.RUNNING, version=7)
        Entry.objects.update(generation=3)

    save(admin_client, model.objects.get(), others_come, name="Renamed")
    event, entry = Event.objects.get(), Entry.objects.get()
    assert model.objects.get().name == "Renamed"
    assert (event.status, event.version, entry.generation) == (Event.Status.RUNNING, 8, 3)


def test_player_who_is_merged_while_their_form_is_saved_stays_merged(admin_client):
    player, kept = PlayerFactory(), PlayerFactory()
    others_come = partial(Player.objects.filter(pk=player.pk).update, merged_into=kept)
    save(admin_client, player, others_come, name="Renamed")
    player.refresh_from_db()
    assert (player.name, player.merged_into) == ("Renamed", kept)


def test_player_who_is_made_anonymous_while_their_form_is_open_stays_so(admin_client):
    """The form knows the name, the account and the notes as they were."""
    club = ClubFactory()
    player = AffiliationFactory(club=club, player__user=UserFactory(), note="Left-handed").player

    def others_come():
        anonymise_player(actor=Actor(ActorKind.USER, user=player.user), player=player)

    save(admin_client, player, others_come)
    player.refresh_from_db()
    assert (player.is_anonymous, player.user, player.affiliations.get().note) == (True, None, "")
    save(admin_client, player, name="Ana")
    assert Player.objects.get().name == player.name


@pytest.mark.parametrize("model", [Entry, Event])
def test_form_that_was_open_while_somebody_was_made_anonymous_brings_no_name_back(admin_client, model):
    club = ClubFactory()
    player = AffiliationFactory(club=club, player__user=UserFactory(), player__name="Zoë").player
    event = event_of(club, table_labels=[{"label": "chez Zoë", "room": ""}])
    enter(event, player)
    forget = partial(anonymise_player, actor=Actor(ActorKind.USER, user=player.user), player=player)
    changed = {"status": "dropped"} if model is Entry else {"name": "Renamed"}
    save(admin_client, model.objects.get(), forget, **changed)
    assert {name: getattr(model.objects.get(), name) for name in changed} == changed
    assert "Zoë" not in f"{Entry.objects.get().name} {Event.objects.get().table_labels}"


def test_form_writes_only_what_was_changed_in_it(admin_client):
    club = ClubFactory()
    event = event_of(club)
    others = {"time_zone": "Asia/Tokyo", "is_public": False}
    save(admin_client, club, partial(Club.objects.update, **others), name="Renamed")
    assert Club.objects.values("name", *others).get() == others | {"name": "Renamed"}
    season = SeasonFactory(club=club)
    others = {"starts_at": timezone.now(), "season": season.pk, "tiebreaks": ["wins"], "rated": not event.rated}
    save(admin_client, event, partial(Event.objects.update, **others), name="Renamed")
    assert Event.objects.values("name", *others).get() == others | {"name": "Renamed"}


def test_form_is_refused_where_both_changed_the_same(admin_client):
    season = SeasonFactory(name="Spring")
    rename = partial(type(season).objects.update, name="Summer")
    refused = send(admin_client, season, rename, name="Autumn", best_of=3)
    assert refused.context["adminform"].form.errors == {
        "name": ["Somebody else has changed this since the page was opened. Open it again."]
    }
    season.refresh_from_db()
    assert (season.name, season.best_of) == ("Summer", 5)
    save(admin_client, season, partial(type(season).objects.update, name="Autumn"), name="Autumn")
    page = admin_client.get(reverse("admin:tournaments_season_change", args=[season.pk])).content
    assert b'type="hidden" name="shown"' in page


def test_row_below_a_form_is_written_as_far_as_it_was_changed_there(admin_client):
    season = SeasonFactory(name="Spring", best_of=5)
    others = partial(type(season).objects.update, best_of=9)
    save(admin_client, season.club, others, **{"seasons-0-name": "Autumn"})
    season.refresh_from_db()
    assert (season.name, season.best_of) == ("Autumn", 9)
    others = partial(type(season).objects.update, name="Summer")
    refused = send(admin_client, season.club, others, **{"seasons-0-name": "Winter"})
    assert b"Somebody else has changed this" in refused.content
    season.refresh_from_db()
    assert season.name == "Summer"


def test_rows_below_a_form_that_nobody_touched_stay_as_others_made_them(admin_client):
    member = MembershipFactory(role="owner")
    demote = partial(type(member).objects.update, role="scorekeeper")
    save(admin_client, member.club, demote, name="Renamed")
    member.refresh_from_db()
    assert (member.role, member.club.name) == ("scorekeeper", "Renamed")


@pytest.mark.parametrize("make", [MembershipFactory, SeasonFactory, KeepApartFactory])
def test_what_is_deleted_while_its_form_is_saved_stays_deleted(admin_client, make):
    """A row that is not there would be stored anew, and a former member would be one again."""
    row = make()
    save(admin_client, row, type(row).objects.all().delete)
    assert not type(row).objects.exists()


def test_what_follows_from_the_form_of_a_club_is_what_it_really_changed(admin_client):
    club = ClubFactory(time_zone="Europe/Paris")
    event = event_of(club)
    enter(event, AffiliationFactory(club=club).player)
    for others, is_stale, raised in (
        ({"is_public": False}, True, 0),
        ({"name": "Renamed by others"}, False, 1),
        ({"time_zone": "Asia/Tokyo"}, False, 1),
        ({"mails_players": True}, False, 0),
    ):
        StaleMark.objects.all().delete()
        before = Event.objects.get().version
        # As a program sends it, which has seen no page: it writes all of it.
        save(admin_client, Club.objects.get(), partial(Club.objects.update, **others), shown="")
        assert ((Kind.RATINGS, event.game) in computations.behind()) == is_stale, others
        assert Event.objects.get().version == before + raised, others


def test_pair_to_keep_apart_may_be_given_in_any_order(admin_client):
    pair = KeepApartFactory()
    data = {"club": pair.club_id, "first": pair.second_id, "second": pair.first_id}
    pair.delete()
    assert admin_client.post(reverse("admin:tournaments_keepapart_add"), data).status_code == 302
    assert KeepApart.objects.get().first_id == data["second"]


def test_no_hash_of_a_secret_is_shown(admin_client, a_few_of_everything):
    for model in (Credential, Invitation):
        for made in model.objects.all():
            page = admin_client.get(reverse(f"admin:tournaments_{model._meta.model_name}_change", args=[made.pk]))
            assert made.digest not in page.content.decode()
        assert model.objects.exists()


def test_credentials_are_revoked_from_the_list(admin_client):
    made = CredentialFactory()
    data = {"action": "revoke", "_selected_action": [made.pk]}
    assert admin_client.post(reverse("admin:tournaments_credential_changelist"), data).status_code == 302
    made.refresh_from_db()
    assert made.revoked_at is not None
