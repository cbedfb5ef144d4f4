"""What is forgotten is forgotten everywhere, and what is private is told nobody."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from django.apps import apps
from django.db import connection

from core.models import StoredAnswer
from scoring import migrations
from scoring.models import Attempt, Draft, Report, Voice
from scoring.rankings import profiles
from scoring.rankings.seasons import store as seasons
from tests.factories import (
    ActionFactory,
    AttemptFactory,
    DeliveryFactory,
    DraftFactory,
    EntryFactory,
    MembershipFactory,
    PlacingFactory,
    ReportFactory,
    SeasonFactory,
    StandingRowFactory,
    TableFactory,
    UserFactory,
    VoiceFactory,
)
from tests.scoring.evenings import evening
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Action, Club, Delivery, Entry, Event, Player, Role, Table
from tournaments.services.clubs import edit_club
from tournaments.services.people import anonymise_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def there():
    return evening()


@pytest.fixture
def owner(there):
    return Actor(Kind.USER, user=MembershipFactory(club=there.event.club, role=Role.OWNER).user)


def named(entry, name):
    Entry.objects.filter(pk=entry.pk).update(name=name)
    Player.objects.filter(pk=entry.player_id).update(name=name)
    return Player.objects.get(pk=entry.player_id)


def test_a_name_is_gone_from_reasons_sheets_answers_and_messages(there, owner):
    ana, other = there.entries[0], there.entries[1]
    player = named(ana, "Zoë")
    named(other, "Zed")
    said = "zoë and Zed agreed; Zoëlle did not"
    report = ReportFactory(table=there.table, reason=said)
    VoiceFactory(report=report, entry=other, reason=said)
    ActionFactory(event=there.event, reason=said)
    AttemptFactory(table=there.table, sheet={"players": {"Zoë": 3}, "note": ["Zoë won", 4, None]})
    DraftFactory(table=there.table, sheet={"Zed": "zoë"})
    message = {"data": {"seats": [{"player": player.uid, "name": "Zoë"}, {"player": "x", "name": "Zoë"}]}}
    DeliveryFactory(payload=message)
    StoredAnswer.objects.create(scope="s", key="k", fingerprint="", status=201, body={"id": ana.uid, "name": "Zoë"})
    kept = StoredAnswer.objects.create(scope="s", key="l", fingerprint="", status=201, body={"id": "x", "name": "Zoë"})

    name = anonymise_player(actor=owner, player=player).name

    for reason in (Report.objects.get().reason, Voice.objects.get().reason):
        assert reason == f"{name} and Zed agreed; Zoëlle did not"
    assert Action.objects.exclude(reason="").get().reason == f"{name} and Zed agreed; Zoëlle did not"
    assert Attempt.objects.get().sheet == {"players": {name: 3}, "note": [f"{name} won", 4, None]}
    assert Draft.objects.get().sheet == {"Zed": name}
    assert [seat["name"] for seat in Delivery.objects.get().payload["data"]["seats"]] == [name, "Zoë"]
    assert StoredAnswer.objects.get(key="k").body["name"] == name
    kept.refresh_from_db()
    assert kept.body["name"] == "Zoë", "somebody else of that name keeps it"


def test_a_name_is_gone_from_the_words_of_stored_answers(there, owner):
    entry = there.entries[0]
    player = named(entry, "Final")
    sheet = {
        "status": "final",
        "seats": [player.uid],
        "explanations": ["Final: first"],
        "voices": [{"reason": "Final lies"}],
    }
    names = {"entries": [{"event": there.event.uid, "status": "final"}], "here_already": ["Final"]}
    for key, body in {"sheet": sheet, "names": names}.items():
        StoredAnswer.objects.create(scope="s", key=key, fingerprint="", status=201, body=body)

    name = anonymise_player(actor=owner, player=player).name

    words = {"explanations": [f"{name}: first"], "voices": [{"reason": f"{name} lies"}]}
    assert StoredAnswer.objects.get(key="sheet").body == sheet | words
    assert StoredAnswer.objects.get(key="names").body == names | {"here_already": [name]}


def test_a_name_is_gone_from_answers_that_name_nothing_but_a_table_or_somebody_else(there, owner):
    player = named(there.entries[0], "Zoë")
    other = there.entries[1]
    elsewhere = evening()
    called = {"id": "c", "table": there.table.uid, "kind": "rules", "text": "ZOË and Zoëlle"}
    sheet = {"table": there.table.uid, "verdict": {"warnings": [{"code": "high", "message": "Zoë: 99"}]}}
    fined = {"id": "p", "entry": other.uid, "reason": "pushed Zoë"}
    listed = {"accepted": [{"table": there.table.uid, "reason": "Zoë agreed"}]}
    bodies = {"called": called, "sheet": sheet, "fined": fined, "listed": listed}
    bodies["kept"] = called | {"table": elsewhere.table.uid}
    for key, body in bodies.items():
        StoredAnswer.objects.create(scope="s", key=key, fingerprint="", status=201, body=body)

    name = anonymise_player(actor=owner, player=player).name

    stored = dict(StoredAnswer.objects.values_list("key", "body"))
    assert stored["called"] == called | {"text": f"{name} and Zoëlle"}
    assert stored["sheet"]["verdict"]["warnings"] == [{"code": "high", "message": f"{name}: 99"}]
    assert stored["fined"] == fined | {"reason": f"pushed {name}"}
    assert stored["listed"]["accepted"][0]["reason"] == f"{name} agreed"
    assert stored["kept"] == bodies["kept"], "somebody of that name elsewhere keeps it"


def test_a_name_is_gone_from_what_the_club_calls_its_tables(there, owner):
    player = named(there.entries[0], "Zoë")
    plan = [{"label": "window", "room": ""}, {"label": "Zoë’s table", "room": "chez Zoë"}]
    Event.objects.filter(pk=there.event.pk).update(table_labels=plan)
    Table.objects.filter(pk=there.table.pk).update(label="Zoë’s table", room="chez Zoë")
    before = there.table.version
    plain = TableFactory(round=there.table.round, number=2, label="window")
    ActionFactory(event=there.event, verb="table-labelled", facts={"label": "Zoë’s table", "room": "", "number": 3})
    answer = {"id": there.table.uid, "event": there.event.uid, "label": "Zoë’s table", "room": "chez Zoë"}
    StoredAnswer.objects.create(scope="s", key="k", fingerprint="", status=201, body=answer)

    name = anonymise_player(actor=owner, player=player).name

    table = there.again().table
    assert (table.label, table.room) == (f"{name}’s table", f"chez {name}")
    assert table.version > before
    assert there.again().event.table_labels == [plan[0], {"label": table.label, "room": table.room}]
    assert Action.objects.get(verb="table-labelled").facts == {"label": table.label, "room": "", "number": 3}
    assert StoredAnswer.objects.get().body == answer | {"label": f"{name}’s table", "room": f"chez {name}"}
    assert Table.objects.get(pk=plain.pk).version == plain.version


def test_a_name_that_somebody_else_in_their_events_has_stays_in_free_text(there, owner):
    player = named(there.entries[0], "Ana")
    elsewhere = EntryFactory(event__club=there.event.club, player=player, name="Ana 2")
    EntryFactory(event=elsewhere.event, player__name="Ana")
    ActionFactory(event=elsewhere.event, reason="Ana 2 came late, Ana did not")
    ActionFactory(event=elsewhere.event, verb="vouched", actor="player Ana", facts={"entry": elsewhere.uid})
    ActionFactory(event=elsewhere.event, verb="sat-down", actor="player Ana")
    name = anonymise_player(actor=owner, player=player).name
    assert Action.objects.exclude(reason="").get().reason == f"{name} came late, Ana did not"
    assert Action.objects.get(verb="vouched").actor == f"player {name}", "an earlier phone vouched under another name"
    assert Action.objects.get(verb="sat-down").actor == "player Ana"


def test_accounts_are_named_and_never_by_their_address():
    labels = {
        Actor(Kind.USER, user=UserFactory(name="Olga")).label: "Olga",
        Actor(Kind.USER, user=(nameless := UserFactory(name="", email="a@example.org"))).label: f"#{nameless.pk}",
        Actor(Kind.USER, user=(vain := UserFactory(name="b@example.org"))).label: f"#{vain.pk}",
    }
    assert list(labels) == [f"user {name}" for name in labels.values()]


def test_addresses_that_were_written_down_are_taken_out(there):
    nameless, named_ = UserFactory(name="", email="old@example.org"), UserFactory(name="Olga", email="o@example.org")
    authors = ["user old@example.org", "user O@example.org", "user gone@example.org", "user Olga", "key a@b"]
    for author in authors:
        ReportFactory(table=there.table, author=author)
        ActionFactory(event=there.event, actor=author)
        AttemptFactory(table=there.table, author=author)
    (name,) = (each.name for each in pkgutil.iter_modules(migrations.__path__) if each.name.endswith("_no_addresses"))
    migration = importlib.import_module(f"scoring.migrations.{name}")
    editor = connection.schema_editor()  # not entered, which SQLite refuses within a transaction
    migration.take_addresses_out(apps, editor)
    migration.compute_seasons_anew(apps, editor)
    expected = [f"user #{nameless.pk}", f"user {named_.name}", "user –", "user Olga", "key a@b"]
    for rows, field in ((Report.objects, "author"), (Action.objects, "actor"), (Attempt.objects, "author")):
        assert list(rows.order_by("pk").values_list(field, flat=True)) == expected


# --- Private events ---------------------------------------------------------------------------------------------


def test_the_season_of_a_public_club_counts_public_events_alone():
    season = SeasonFactory()
    finished = {"event__club": season.club, "event__season": season, "event__status": Event.Status.FINISHED}
    shown = StandingRowFactory(**{f"entry__{name}": value for name, value in finished.items()})
    StandingRowFactory(**{f"entry__{name}": value for name, value in finished.items()}, entry__event__is_public=False)
    assert seasons.refresh(season.uid)
    assert list(season.rows.values_list("player", flat=True)) == [shown.entry.player_id]
    owner = Actor(Kind.USER, user=MembershipFactory(club=season.club, role=Role.OWNER).user)
    edit_club(actor=owner, club=Club.objects.get(pk=season.club_id), is_public=False)
    assert seasons.refresh(season.uid)
    assert season.rows.count() == 2


def test_private_events_are_in_nobodys_statistics_but_the_clubs_and_the_players_own():
    placing = PlacingFactory()
    player, event = placing.player, placing.event
    account = Actor(Kind.USER, user=UserFactory())
    Player.objects.filter(pk=player.pk).update(user=account.user)
    member = Actor(Kind.USER, user=MembershipFactory(club=event.club, role=Role.SCOREKEEPER).user)
    stranger = Actor(Kind.USER, user=MembershipFactory(role=Role.OWNER).user)

    def seen():
        callers = (NOBODY, stranger, member, account)
        return [profiles.statistics_of(caller, player, placing.game)["tables"] for caller in callers]

    assert seen() == [1, 1, 1, 1]
    Event.objects.update(is_public=False)
    assert seen() == [0, 0, 1, 1]
