"""One factory per model: valid by default, nothing random."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterable
from decimal import Decimal

import factory
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from core.ids import new_id
from core.models import Derived, User
from core.statements import insert, insert_all
from play.models import Challenge, SoloGame, TableRecord
from scoring.models import (
    Attempt,
    Checkpoint,
    Draft,
    Placing,
    Rating,
    RatingChange,
    RatingModel,
    Replay,
    Report,
    Result,
    SeasonRow,
    StandingRow,
    Voice,
)
from tournaments.access import credentials
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
    Membership,
    Merge,
    MergeRequest,
    MessageType,
    Origin,
    OwnGame,
    Penalty,
    Player,
    PushMessage,
    PushSubscription,
    Role,
    Round,
    Scope,
    Season,
    Seat,
    SitOut,
    Table,
    Webhook,
)
from tournaments.push.keys import public_key

SOME_EVENING = dt.datetime(2026, 11, 18, 18, tzinfo=dt.UTC)


@functools.cache
def _hashed(_hasher: str) -> str:
    """Return a hash of everybody's password: where the real hasher is used, each would take a third of a second."""
    return make_password("correct horse")


class RowFactory(factory.django.DjangoModelFactory):
    """What all have in common: a new row is stored by a statement that is composed once."""

    class Meta:
        abstract = True

    @classmethod
    def _create(cls, model_class, *args, **kwargs):
        if cls._meta.django_get_or_create:
            return super()._create(model_class, *args, **kwargs)
        row = model_class(*args, **kwargs)
        insert(row)
        return row


class UserFactory(RowFactory):
    """An organiser who can log in with the password `correct horse`."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda number: f"person{number}@example.org")
    name = factory.Sequence(lambda number: f"Person {number}")
    password = factory.LazyFunction(lambda: _hashed(settings.PASSWORD_HASHERS[0]))


class ClubFactory(RowFactory):
    """A public club without members."""

    class Meta:
        model = Club

    name = factory.Sequence(lambda number: f"Club {number}")
    slug = factory.Sequence(lambda number: f"club-{number}")


class MembershipFactory(RowFactory):
    """An organiser of a club."""

    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.ORGANISER


class PlayerFactory(RowFactory):
    """A player; `club` is the one that knew them first."""

    class Meta:
        model = Player

    name = factory.Sequence(lambda number: f"Player {number}")

    @classmethod
    def _create(cls, model_class, *args, club=None, **kwargs):
        if club is None:
            return super()._create(model_class, *args, **kwargs)
        player = super()._create(model_class, *args, **kwargs | {"home": club})
        AffiliationFactory(club=club, player=player)
        return player


class AffiliationFactory(RowFactory):
    """A player whom a club knows."""

    class Meta:
        model = Affiliation

    club = factory.SubFactory(ClubFactory)
    player = factory.SubFactory(PlayerFactory)


class SeasonFactory(RowFactory):
    """A season of a club."""

    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda number: f"Season {number}")


class KeepApartFactory(RowFactory):
    """Two players whom a club keeps apart."""

    class Meta:
        model = KeepApart

    club = factory.SubFactory(ClubFactory)
    first = factory.LazyAttribute(lambda made: PlayerFactory(club=made.club))
    second = factory.LazyAttribute(lambda made: PlayerFactory(club=made.club))


class CredentialFactory(RowFactory):
    """A token of a user, by its secret."""

    class Meta:
        model = Credential

    class Params:
        secret = factory.Sequence(lambda number: f"{credentials.USER}{number:043}")

    name = "laptop"
    user = factory.SubFactory(UserFactory)
    prefix = factory.LazyAttribute(lambda made: made.secret[: credentials.SHOWN])
    digest = factory.LazyAttribute(lambda made: credentials.digest(made.secret))


class KeyFactory(CredentialFactory):
    """A key of a club, by its secret."""

    class Params:
        secret = factory.Sequence(lambda number: f"{credentials.CLUB}{number:043}")

    user = None
    club = factory.SubFactory(ClubFactory)
    scope = Scope.WRITE


class KeyUseFactory(RowFactory):
    """What a key was used for on a day."""

    class Meta:
        model = KeyUse

    credential = factory.SubFactory(KeyFactory)
    day = SOME_EVENING.date()
    method = "GET"
    route = "events"
    status = 2
    count = 1
    last_at = SOME_EVENING


class InvitationFactory(RowFactory):
    """An invitation that nobody has accepted."""

    class Meta:
        model = Invitation

    club = factory.SubFactory(ClubFactory)
    email = factory.Sequence(lambda number: f"invited{number}@example.org")
    role = Role.SCOREKEEPER
    digest = factory.Sequence(lambda number: f"{number:064}")
    expires_at = SOME_EVENING + dt.timedelta(days=365)


class MergeFactory(RowFactory):
    """Two records that were found to be one person."""

    class Meta:
        model = Merge

    kept = factory.SubFactory(PlayerFactory)
    gone = factory.SubFactory(PlayerFactory)


class MergeRequestFactory(RowFactory):
    """A club that asks another whether two records are one person."""

    class Meta:
        model = MergeRequest

    gone = factory.LazyAttribute(lambda made: PlayerFactory(club=ClubFactory()))
    kept = factory.LazyAttribute(lambda made: PlayerFactory(club=ClubFactory()))
    awaits = factory.SelfAttribute("kept")
    club = factory.SelfAttribute("gone.home")
    expires_at = factory.LazyFunction(lambda: timezone.now() + MergeRequest.LASTS)


class OwnGameFactory(RowFactory):
    """A game that a club has described."""

    class Meta:
        model = OwnGame

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda number: f"game-{number}")


class GameVersionFactory(RowFactory):
    """The first version of a game: one number a player."""

    class Meta:
        model = GameVersion

    game = factory.SubFactory(OwnGameFactory)
    number = 1
    definition = factory.LazyAttribute(
        lambda version: {
            "slug": version.game.slug,
            "name": "A game",
            "seats": {"min": 2, "max": 5},
            "sheet": {"kind": "points"},
        }
    )


class EventFactory(RowFactory):
    """An event of 10 Phases that is open for registration."""

    class Meta:
        model = Event

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda number: f"Evening {number}")
    game = "ten-phases"
    variant = "standard"
    status = Event.Status.REGISTRATION
    table_min, table_max, table_preferred = 3, 5, 4
    starts_at = SOME_EVENING


class OriginFactory(RowFactory):
    """An event that came from a file."""

    class Meta:
        model = Origin

    event = factory.SubFactory(EventFactory)
    club = factory.SelfAttribute("event.club")
    uid = factory.LazyFunction(new_id)


class EntryFactory(RowFactory):
    """A player of the club who is checked in."""

    class Meta:
        model = Entry

    event = factory.SubFactory(EventFactory)
    player = factory.SubFactory(PlayerFactory, home=factory.SelfAttribute("..event.club"))
    name = factory.SelfAttribute("player.name")


def enter_all(event: Event, players: Iterable[Player]) -> list[Entry]:
    """Store players who were only built, as the club's own, and return their entries."""
    players = list(players)
    for player in players:
        player.home = event.club
    Player.objects.bulk_create(players)
    return Entry.objects.bulk_create(EntryFactory.build(event=event, player=player) for player in players)


class PenaltyFactory(RowFactory):
    """Points taken off a player."""

    class Meta:
        model = Penalty

    entry = factory.SubFactory(EntryFactory)
    event = factory.SelfAttribute("entry.event")
    points = Decimal(1)
    reason = "late"


class ContactFactory(RowFactory):
    """The address of a player for news of an event."""

    class Meta:
        model = Contact

    entry = factory.SubFactory(EntryFactory)
    email = "ana@example.org"
    language = "en"
    origin = "https://example.org"


class RoundFactory(RowFactory):
    """A round that is seated."""

    class Meta:
        model = Round

    event = factory.SubFactory(EventFactory)
    number = 1


class TableFactory(RowFactory):
    """An empty table of a round."""

    class Meta:
        model = Table

    round = factory.SubFactory(RoundFactory)
    number = factory.Sequence(lambda number: number + 1)
    variant = "standard"


class SeatFactory(RowFactory):
    """Somebody in the first seat of a table."""

    class Meta:
        model = Seat

    table = factory.SubFactory(TableFactory)
    round = factory.SelfAttribute("table.round")
    entry = factory.LazyAttribute(lambda made: EntryFactory(event=made.table.round.event))
    position = 1


class CallFactory(RowFactory):
    """A call for the organiser."""

    class Meta:
        model = Call

    table = factory.SubFactory(TableFactory)
    kind = "question"
    text = "Who begins?"


class SitOutFactory(RowFactory):
    """Somebody who sits out a round."""

    class Meta:
        model = SitOut

    round = factory.SubFactory(RoundFactory)
    entry = factory.LazyAttribute(lambda made: EntryFactory(event=made.round.event))


class ActionFactory(RowFactory):
    """Something that somebody did to an event."""

    class Meta:
        model = Action

    event = factory.SubFactory(EventFactory)
    verb = "event-created"
    actor = "user Person"


class WebhookFactory(RowFactory):
    """A webhook that is told of everything."""

    class Meta:
        model = Webhook

    club = factory.SubFactory(ClubFactory)
    url = "https://receiver.example.org/"
    types = factory.LazyFunction(lambda: [each.value for each in MessageType if each != MessageType.PING])
    secret = credentials.WEBHOOK + "c2VjcmV0IGZvciB0ZXN0cyBhbmQgbm90aGluZyBlbHM="


class DeliveryFactory(RowFactory):
    """A message that waits to be sent."""

    class Meta:
        model = Delivery

    webhook = factory.SubFactory(WebhookFactory)
    type = MessageType.PING
    payload = factory.LazyFunction(lambda: {"type": "ping", "timestamp": SOME_EVENING.isoformat(), "data": {}})
    next_attempt_at = created_at = SOME_EVENING

    @classmethod
    def _create(cls, model_class, *args, **kwargs):
        row = model_class(*args, **kwargs)
        insert_all([row], as_given={"created_at"})  # one that was made later than it is due tells of a clock set back
        return row


class PushSubscriptionFactory(RowFactory):
    """A phone that wants to be told; its keys are those of RFC 8291's example."""

    class Meta:
        model = PushSubscription

    entry = factory.SubFactory(EntryFactory)
    generation = factory.SelfAttribute("entry.generation")
    endpoint = factory.Sequence("https://push.example.org/send/{}".format)
    p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    auth = "BTBZMqHH6r4Tts7J_aSIgg"
    key = factory.LazyFunction(public_key)
    seen = factory.SelfAttribute("entry.event.version")


class PushMessageFactory(RowFactory):
    """A message to a phone that waits to be sent."""

    class Meta:
        model = PushMessage

    subscription = factory.SubFactory(PushSubscriptionFactory)
    kind = PushMessage.Kind.SEAT
    occasion = factory.Sequence("seat-{}".format)
    text = factory.LazyFunction(lambda: {"title": "Table 1, seat 1", "body": "", "lang": "en", "tag": "t", "url": "/"})
    next_attempt_at = SOME_EVENING
    expires_at = SOME_EVENING + dt.timedelta(minutes=10)


class DerivedFactory(RowFactory):
    """A computation that nobody has done yet."""

    class Meta:
        model = Derived

    kind = Derived.Kind.STANDINGS
    key = factory.Sequence(lambda number: f"event{number}")


class DraftFactory(RowFactory):
    """A sheet that somebody began."""

    class Meta:
        model = Draft

    table = factory.SubFactory(TableFactory)
    sheet = factory.LazyFunction(lambda: {"game": "ten-phases"})
    author = "entry"


class ReportFactory(RowFactory):
    """A report that waits, ranked by hand."""

    class Meta:
        model = Report

    table = factory.SubFactory(TableFactory)
    version = factory.Sequence(lambda number: number + 1)
    minimal = "0" * 64
    standings = factory.LazyFunction(lambda: [{"seat": "ana", "rank": 1, "score": 3, "key": []}])
    author = "user Person"


class AttemptFactory(RowFactory):
    """A sheet that was refused."""

    class Meta:
        model = Attempt

    table = factory.SubFactory(TableFactory)
    code = "report-invalid"
    sheet = factory.LazyFunction(lambda: {"game": "ten-phases"})
    author = "entry"


class VoiceFactory(RowFactory):
    """Somebody who agrees."""

    class Meta:
        model = Voice

    report = factory.SubFactory(ReportFactory)
    entry = factory.LazyAttribute(lambda made: EntryFactory(event=made.report.table.round.event))
    says = Voice.Says.CONFIRM


class ResultFactory(RowFactory):
    """A rated result that counts."""

    class Meta:
        model = Result

    report = factory.SubFactory(ReportFactory, status=Report.Status.FINAL)
    table = factory.SelfAttribute("report.table")
    event = factory.SelfAttribute("table.round.event")
    game = factory.SelfAttribute("event.game")
    first_final_at = played_at = SOME_EVENING
    is_rated = True


class PlacingFactory(RowFactory):
    """A first place."""

    class Meta:
        model = Placing

    result = factory.SubFactory(ResultFactory)
    seat = factory.LazyAttribute(lambda made: SeatFactory(table=made.result.table))
    event = factory.SelfAttribute("result.event")
    entry = factory.SelfAttribute("seat.entry")
    player = factory.SelfAttribute("entry.player")
    game = factory.SelfAttribute("result.game")
    at = factory.SelfAttribute("result.first_final_at")
    rank = 1
    score = 100


class StandingRowFactory(RowFactory):
    """A first place in an event."""

    class Meta:
        model = StandingRow

    entry = factory.SubFactory(EntryFactory)
    event = factory.SelfAttribute("entry.event")
    place = rank = tables = 1
    points = 840
    tiebreaks = factory.LazyFunction(lambda: [{"key": "wins", "value": "1"}])
    reason = factory.LazyFunction(lambda: {"code": "first"})


class SeasonRowFactory(RowFactory):
    """A first place in a season."""

    class Meta:
        model = SeasonRow

    season = factory.SubFactory(SeasonFactory)
    player = factory.SubFactory(PlayerFactory)
    place = rank = events = 1
    points = 100_000
    results = factory.LazyFunction(lambda: [{"event": "e", "points": 100_000}])
    reason = factory.LazyFunction(lambda: {"code": "first"})


class RatingFactory(RowFactory):
    """The rating of somebody who has played a while."""

    class Meta:
        model = Rating

    player = factory.SubFactory(PlayerFactory)
    game = "ten-phases"
    rating = 1_600_000
    tables = 20
    last_played = SOME_EVENING


class RatingChangeFactory(RowFactory):
    """What a first table did."""

    class Meta:
        model = RatingChange

    placing = factory.SubFactory(PlacingFactory)
    before, after = 1_500_000, 1_520_000


class RatingModelFactory(RowFactory):
    """A model that is no more."""

    class Meta:
        model = RatingModel
        django_get_or_create = ("game",)

    game = "ten-phases"
    fingerprint = "x" * 64


class CheckpointFactory(RowFactory):
    """A place to replay from."""

    class Meta:
        model = Checkpoint

    game = "ten-phases"
    at = SOME_EVENING
    table = factory.Sequence(lambda number: number + 1)
    tables = 1
    state = b"x"


class ReplayFactory(RowFactory):
    """A replay that moved nobody."""

    class Meta:
        model = Replay

    game = "ten-phases"
    why = "a correction"
    tables = players_moved = largest_move = 0


class ChallengeFactory(RowFactory):
    """The challenge of an evening, everybody's."""

    class Meta:
        model = Challenge

    game = "ten-phases"
    variant = "solo"
    day = factory.Sequence(lambda number: SOME_EVENING.date() - dt.timedelta(days=number))
    seed = "0" * 64


class SoloGameFactory(RowFactory):
    """A game alone that was just begun."""

    class Meta:
        model = SoloGame

    game = "ten-phases"
    variant = "solo"
    seats = ["player"]
    seed = "0" * 32
    moves = ["roll 10r 6g 9g 8r 5r 5o Wb 2r 3r Wo"]
    holder = factory.Sequence(lambda number: f"{number:064}")


class TableRecordFactory(RowFactory):
    """The record of a table."""

    class Meta:
        model = TableRecord

    table = factory.SubFactory(TableFactory)
    variant = "standard"
    seats = ["a", "b"]
    moves = ["pass"]
    minimal = "0" * 64
    author = "entry"
