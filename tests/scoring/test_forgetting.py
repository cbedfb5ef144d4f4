"""What is forgotten is forgotten everywhere, and what is private is told nobody."""

from __future__ import annotations

import importlib
import json
import pkgutil

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.models import StoredAnswer
from play.models import TableRecord
from scoring import migrations
from scoring.models import Attempt, Draft, Report, Voice
from scoring.rankings import profiles
from scoring.rankings.seasons import store as seasons
from scoring.services.reports import submit_report
from tests.api.callers import bearer
from tests.factories import (
    ActionFactory,
    AttemptFactory,
    ClubFactory,
    CredentialFactory,
    DeliveryFactory,
    DraftFactory,
    EntryFactory,
    EventFactory,
    KeepApartFactory,
    MembershipFactory,
    PlacingFactory,
    PlayerFactory,
    ReportFactory,
    SeasonFactory,
    StandingRowFactory,
    TableFactory,
    TableRecordFactory,
    UserFactory,
    VoiceFactory,
)
from tests.scoring.evenings import evening
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Action, Club, Delivery, Entry, Event, Player, Role, Table
from tournaments.services.clubs import edit_club
from tournaments.services.forgetting import Messages, Words
from tournaments.services.merging import merge_players
from tournaments.services.people import anonymise_player, look_for

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


def test_sheet_that_a_former_scorekeeper_sent_names_them_no_more():
    tonight = evening()
    club, user = tonight.event.club, UserFactory(name="Anastasia")
    member = MembershipFactory(club=club, user=user, role=Role.SCOREKEEPER)
    ana = PlayerFactory(name="Ana", club=club, user=user)
    submit_report(actor=Actor(Kind.USER, user=user), table=tonight.table, sheet=tonight.sheet(), seat="1")
    member.delete()
    owner = MembershipFactory(club=club, role=Role.OWNER)
    anonymise_player(actor=Actor(Kind.USER, user=owner.user), player=ana)
    assert "Anastasia" not in Report.objects.get().author


@pytest.mark.parametrize("who", ["they", "a namesake who works there", "somebody else"])
def test_a_refused_sheet_that_a_former_scorekeeper_sent_names_them_no_more(who):
    tonight = evening()
    club, user = tonight.event.club, UserFactory(name="Anastasia")
    ana = PlayerFactory(name="Ana", club=club, user=user)
    name = "Anastasia" if who != "somebody else" else "Anton"
    AttemptFactory(table=tonight.table, author=f"user {name}")
    TableRecordFactory(table=tonight.table, author=f"user {name}")
    if who == "a namesake who works there":
        MembershipFactory(club=club, user__name=name, role=Role.SCOREKEEPER)
    anonymise_player(actor=Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user), player=ana)
    told = {Attempt.objects.get().author, TableRecord.objects.get().author}
    assert (told == {f"user {name}"}) == (who != "they")


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


def test_a_name_is_gone_from_reasons_at_other_tables_of_the_event(there, owner):
    player = named(there.entries[0], "Zoë")
    elsewhere = TableFactory(round=there.table.round, number=2)
    VoiceFactory(report=ReportFactory(table=elsewhere, reason="Zoë saw it"), reason="Zoë moved our dice")
    name = anonymise_player(actor=owner, player=player).name
    assert (Report.objects.get().reason, Voice.objects.get().reason) == (f"{name} saw it", f"{name} moved our dice")


@pytest.mark.parametrize("is_searched_first", [True, False])
def test_a_name_is_gone_from_sheets_of_tables_that_they_left(there, owner, is_searched_first):
    """Who is substituted, or changes seats with somebody, has written there before."""
    player = named(there.entries[0], "Zoë")
    elsewhere = TableFactory(round=there.table.round, number=2)
    AttemptFactory(table=elsewhere, sheet={"seats": ["Zoë"]})
    draft = DraftFactory(table=elsewhere)
    found = look_for(actor=owner, player=player) if is_searched_first else None
    Draft.objects.filter(pk=draft.pk).update(sheet={"Zoë": 3}, writers={"seats/Zoë": "x"}, version=draft.version + 1)
    name = anonymise_player(actor=owner, player=player, found=found).name
    draft.refresh_from_db()
    assert Attempt.objects.get().sheet == {"seats": [name]}
    assert (draft.sheet, draft.writers) == ({name: 3}, {f"seats/{name}": "x"})


def test_sheets_of_other_events_keep_a_name_that_somebody_has_there(there, owner):
    player = named(there.entries[0], "Zoë")
    AttemptFactory(table=evening().table, sheet={"seats": ["Zoë"]})
    anonymise_player(actor=owner, player=player)
    assert Attempt.objects.get().sheet == {"seats": ["Zoë"]}


def test_what_a_phone_writes_on_while_a_name_is_taken_out_stays(there, owner, monkeypatch):
    player = named(there.entries[0], "Zoë")
    draft = DraftFactory(table=there.table, sheet={"note": "Zoë leads"})
    found, search = look_for(actor=owner, player=player), Messages.search

    def slow_search(kind, them, keys):
        naming = search(kind, them, keys)
        if (kind.model, kind.field) == (Draft, "sheet"):
            Draft.objects.update(sheet={"note": "Zoë leads", "more": 1})
        return naming

    monkeypatch.setattr(Messages, "search", slow_search)
    name = anonymise_player(actor=owner, player=player, found=found).name
    draft.refresh_from_db()
    assert draft.sheet == {"note": f"{name} leads", "more": 1}


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


def test_a_name_is_gone_from_what_became_of_many_who_were_entered_at_once(there, owner):
    """Also of somebody who was refused, and is in no event of the club."""
    guest = PlayerFactory(name="Zoë Guest", club=ClubFactory())
    player = named(there.entries[0], "Zoë")
    CredentialFactory(user=owner.user, secret="lsu_owner")
    event = EventFactory(club=there.event.club, status=Event.Status.REGISTRATION)
    EntryFactory(event=event, player=player, name="Zoë")
    address = f"/api/v1/events/{event.uid}/entries/bulk/"

    def enter(key, **row):
        headers = {"Idempotency-Key": f"{key} of this evening"}
        return bearer("lsu_owner").post(address, {"entries": [row]}, format="json", headers=headers).json()

    rows = {"guest": {"player": guest.uid}, "taken": {"name": "Zoë"}}
    before = {key: enter(key, **row)["results"][0]["problem"] for key, row in rows.items()}
    assert before["guest"]["detail"].startswith("Zoë Guest belongs")
    assert before["taken"]["suggestion"] == "Zoë 2"
    assert (before["guest"]["player"], "player" in before["taken"]) == (guest.uid, False)

    other = Actor(Kind.USER, user=owner_of(guest.home).user)
    names = [anonymise_player(actor=by, player=who).name for by, who in ((other, guest), (owner, player))]

    after = {key: enter(key, **row)["results"][0]["problem"] for key, row in rows.items()}
    assert after["guest"] == before["guest"] | {
        "detail": before["guest"]["detail"].replace("Zoë Guest", names[0]),
    }
    assert after["taken"] == before["taken"] | {"suggestion": f"{names[1]} 2"}


def logged(row, called, text="[]"):
    """Write down in the log of the admin that somebody changed a row, by what it was called then."""
    row_type = ContentType.objects.get_for_model(row)
    fields = {"content_type": row_type, "object_id": str(row.pk), "object_repr": called, "change_message": text}
    return LogEntry.objects.create(user=UserFactory(), action_flag=CHANGE, **fields)


def called_in_log(*rows):
    return [LogEntry.objects.get(pk=row.pk).object_repr for row in rows]


def test_a_name_is_gone_from_what_the_admin_logged(there, owner):
    player, namesake = named(there.entries[0], "Zoë"), PlayerFactory(name="Zoë")
    pair = KeepApartFactory(club=there.event.club, first=player, second=there.entries[1].player)
    text = json.dumps([{"added": {"name": "affiliation", "object": f"{player} · Zoëtrope"}}])
    said = {player: "Zoë as before", there.entries[0]: "Zoë", pair: f"Zoë / {pair.second}"}
    rows = [logged(row, called, text) for row, called in said.items()]
    others = [logged(namesake, "Zoë", text), logged(there.event, "Evening of Zoë", text)]
    name = anonymise_player(actor=owner, player=player).name

    for row in (*rows, *others):
        row.refresh_from_db()
    assert [row.object_repr for row in rows] == [name, name, f"{name} / {pair.second}"]
    assert [row.get_change_message() for row in rows] == [f"Added affiliation “{name} · Zoëtrope”."] * 3
    assert [(row.object_repr, row.change_message) for row in others] == [("Zoë", text), ("Evening of Zoë", text)]


def test_a_name_is_gone_from_the_log_of_the_admin_also_where_somebody_was_in_no_event(there, owner):
    player, other = (PlayerFactory(name=name, club=there.event.club) for name in ("Zoë", "Bo"))
    pair = KeepApartFactory(club=there.event.club, first=player, second=other)
    row = logged(pair, "Zoë / Bo")
    name = anonymise_player(actor=owner, player=player).name
    assert called_in_log(row) == [f"{name} / Bo"]


def test_a_namesake_of_another_club_stays_in_the_log_of_the_admin(there, owner):
    club, player = there.event.club, named(there.entries[0], "Zoë")
    pairs = [KeepApartFactory(club=club, first=player, second=PlayerFactory(name="Bo", club=club)) for _ in range(2)]
    elsewhere = ClubFactory()
    namesake, other = (PlayerFactory(name=name, club=elsewhere) for name in ("Zoë", "Bo"))
    theirs = KeepApartFactory(club=elsewhere, first=namesake, second=other)
    rows = [logged(pair, "Zoë / Bo") for pair in (*pairs, theirs)]
    pairs[0].delete()
    name = anonymise_player(actor=owner, player=player).name
    assert called_in_log(*rows) == [f"{name} / Bo", f"{name} / Bo", "Zoë / Bo"]


def test_a_name_that_somebody_else_in_their_events_has_is_gone_where_it_is_of_their_own_pair(there, owner):
    player, other = named(there.entries[0], "Zoë"), there.entries[1].player
    elsewhere = EntryFactory(event__club=there.event.club, player=player, name="Zoë 2")
    EntryFactory(event=elsewhere.event, player__name="Zoë")
    row = logged(KeepApartFactory(club=there.event.club, first=player, second=other), "Zoë / Bo")
    name = anonymise_player(actor=owner, player=player).name
    assert called_in_log(row) == [f"{name} / Bo"]


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


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Ana Lind, ANA and ana2", "A, B and ana2"),
        ("(Ana)Ana_Bo bo Bo", "(B)Ana_Bo bo C"),
        ("İLKER, ilker, ILKER, ılker, ŁUKASZ’s łukasz", "D, D, D, D, E’s E"),
        ("Σίσυφος ΣΊΣΥΦΟΣ Straße STRASSE", "F F G STRASSE"),
        ("An", "An"),
        ("ANA", "B"),
        ("", ""),
    ],
)
def test_names_are_found_in_texts_whole_and_in_any_case(said, expected):
    names = ["Ana Lind", "Ana", "Bo", "Ilker", "Łukasz", "Σίσυφος", "Straße"]
    assert Words(tuple(zip(names, "ABCDEFG", strict=True))).out_of_text(said) == expected


# --- Many entries and messages ----------------------------------------------------------------------------------


def entered_often(player, number):
    """Enter somebody in events of their club."""
    events = Event.objects.bulk_create(EventFactory.build(club=player.home) for _ in range(number))
    return Entry.objects.bulk_create(Entry(event=event, player=player, name=player.name) for event in events)


def mistaken_often(player, event, number):
    """Enter phones that said to be somebody, and were not."""
    for count in range(number):
        name = f"{player.name} {count}"
        entry = EntryFactory(event=event, name=name, player=PlayerFactory(name=name, club=event.club))
        facts = {"entry": entry.uid, "name": name, "claims": player.uid}
        ActionFactory(event=event, verb="entered", actor=f"player {name}", reason=f"{name} said so", facts=facts)


def answer(key, **body):
    return StoredAnswer.objects.create(scope="s", key=key, fingerprint="", status=201, body=body)


def owner_of(club):
    return Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.OWNER).user)


def test_somebody_with_very_many_entries_is_forgotten():
    player = PlayerFactory(name="Zoë", club=ClubFactory())
    last = entered_often(player, 1100)[-1]
    answer("k", id=last.uid, name="Zoë")
    DeliveryFactory(payload={"data": {"entry": last.uid, "name": "Zoë"}})
    name = anonymise_player(actor=owner_of(player.home), player=player).name
    assert set(Entry.objects.values_list("name", flat=True)) == {name}
    assert Action.objects.filter(verb="player-anonymised").count() == 1100
    assert StoredAnswer.objects.get().body["name"] == Delivery.objects.get().payload["data"]["name"] == name


@pytest.mark.parametrize("often", [entered_often, lambda *_: None])
def test_somebody_with_more_entries_is_forgotten_by_as_many_statements(often):
    counts = []
    for number in (3, 30):
        player = PlayerFactory(name="Zoë", club=ClubFactory())
        often(player, number)
        mistaken_often(player, EventFactory(club=player.home), number)
        owner = owner_of(player.home)
        with CaptureQueriesContext(connection) as asked:
            anonymise_player(actor=owner, player=player)
        counts.append(len(asked))
        assert not Entry.objects.filter(name__startswith="Zoë").exists()
        assert not Player.objects.filter(name__startswith="Zoë").exists()
        assert "Zoë" not in str(list(Action.objects.values_list("actor", "reason", "facts")))
    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "a key of this request"}])
def test_messages_are_searched_before_anything_is_locked(monkeypatch, headers):
    player = PlayerFactory(name="Zoë", club=ClubFactory())
    (entry,) = entered_often(player, 1)
    for number in range(5):
        answer(f"other {number}", id="x", name="Zoë")
    naming = answer("k", id=entry.uid, name="Zoë")
    CredentialFactory(user=owner_of(player.home).user, secret="lsu_owner")
    seen, search = [], Messages.search

    def noting(kind, them, keys):
        seen.append((kind.model, connection.in_atomic_block, len(keys)))
        return search(kind, them, keys)

    monkeypatch.setattr(Messages, "search", noting)
    forgotten = bearer("lsu_owner").post(f"/api/v1/players/{player.uid}/anonymise/", headers=headers)
    assert forgotten.status_code == 200, forgotten.json()
    assert [each for each in seen if each[0] is StoredAnswer] == [(StoredAnswer, False, 6), (StoredAnswer, True, 1)]
    assert [each for each in seen if each[0] is Delivery] == [(Delivery, False, 0), (Delivery, True, 0)]
    naming.refresh_from_db()
    assert naming.body["name"] == forgotten.json()["name"]
    again = bearer("lsu_owner").post(f"/api/v1/players/{player.uid}/anonymise/", headers=headers)
    assert again.status_code == (200 if headers else 409)


def test_what_is_stored_while_messages_are_searched_keeps_no_name(there, owner):
    player = named(there.entries[0], "Zoë")
    first = answer("first", id="x")
    found = look_for(actor=owner, player=player)
    body = {"id": there.entries[0].uid, "name": "Zoë"}
    # A transaction that began before the search has a lower key, and may be committed after it.
    first.delete()
    StoredAnswer.objects.create(pk=first.pk, scope="s", key="k", fingerprint="", status=201, body=body)
    answer("l", **body)
    DeliveryFactory(payload={"data": body})
    name = anonymise_player(actor=owner, player=player, found=found).name
    assert [each.body["name"] for each in StoredAnswer.objects.all()] == [name, name]
    assert Delivery.objects.get().payload["data"]["name"] == name


def test_who_turns_out_to_be_somebody_else_too_while_messages_are_searched_keeps_no_name(there, owner):
    player = named(there.entries[0], "Zoë")
    other = EntryFactory(event__club=there.event.club, player=PlayerFactory(name="Zo", club=there.event.club))
    Player.objects.filter(pk=player.pk).update(home=there.event.club)
    known = answer("k", id=other.uid, name="Zo")
    found = look_for(actor=owner, player=player)
    merge_players(actor=owner, gone=other.player, kept=Player.objects.get(pk=player.pk))
    name = anonymise_player(actor=owner, player=player, found=found).name
    known.refresh_from_db()
    assert known.body["name"] == name


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
    StandingRowFactory(entry=placing.entry)
    account = Actor(Kind.USER, user=UserFactory())
    Player.objects.filter(pk=player.pk).update(user=account.user)
    member = Actor(Kind.USER, user=MembershipFactory(club=event.club, role=Role.SCOREKEEPER).user)
    stranger = Actor(Kind.USER, user=MembershipFactory(role=Role.OWNER).user)

    def seen():
        callers = (NOBODY, stranger, member, account)
        tables = [profiles.statistics_of(caller, player, placing.game)["tables"] for caller in callers]
        assert tables == [profiles.events_of(caller, player).count() for caller in callers]
        return tables

    assert seen() == [1, 1, 1, 1]
    Event.objects.update(is_public=False)
    assert seen() == [0, 0, 1, 1]
    Player.objects.filter(pk=player.pk).update(home=event.club, user=None)
    PlayerFactory(club=ClubFactory(), merged_into=player, user=account.user)
    assert seen() == [0, 0, 1, 0], "an account that another club's link has tied is not the player's own there"


def test_a_draft_is_told_to_the_club_alone_also_where_somebody_is_in_it():
    row = StandingRowFactory(entry__event__status=Event.Status.DRAFT)
    player, club = row.entry.player, row.entry.event.club
    account = Actor(Kind.USER, user=UserFactory())
    Player.objects.filter(pk=player.pk).update(user=account.user)
    member = Actor(Kind.USER, user=MembershipFactory(club=club, role=Role.SCOREKEEPER).user)
    assert [profiles.events_of(caller, player).count() for caller in (account, member)] == [0, 1]
