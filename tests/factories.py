"""One factory per model: valid by default, nothing random."""

from __future__ import annotations

import datetime as dt
import functools
from decimal import Decimal

import factory
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from core.ids import new_id
from core.models import Derived, User
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


class UserFactory(factory.django.DjangoModelFactory):
    """An organiser who can log in with the password `correct horse`."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda number: f"person{number}@example.org")
    name = factory.Sequence(lambda number: f"Person {number}")
    password = factory.LazyFunction(lambda: _hashed(settings.PASSWORD_HASHERS[0]))


class ClubFactory(factory.django.DjangoModelFactory):
    """A public club without members."""

    class Meta:
        model = Club

    name = factory.Sequence(lambda number: f"Club {number}")
    slug = factory.Sequence(lambda number: f"club-{number}")


class MembershipFactory(factory.django.DjangoModelFactory):
    """An organiser of a club."""

    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.ORGANISER


class PlayerFactory(factory.django.DjangoModelFactory):
    """A player; `club` is the one that knew them first."""

    class Meta:
        model = Player
        skip_postgeneration_save = True

    name = factory.Sequence(lambda number: f"Player {number}")

    @factory.post_generation
    def club(self, create, club, **_):
        if club is not None:
            AffiliationFactory(club=club, player=self)
            self.home = club
            self.save(update_fields=["home"])


class AffiliationFactory(factory.django.DjangoModelFactory):
    """A player whom a club knows."""

    class Meta:
        model = Affiliation

    club = factory.SubFactory(ClubFactory)
    player = factory.SubFactory(PlayerFactory)


class SeasonFactory(factory.django.DjangoModelFactory):
    """A season of a club."""

    class Meta:
        model = Season

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence(lambda number: f"Season {number}")


class KeepApartFactory(factory.django.DjangoModelFactory):
    """Two players whom a club keeps apart."""

    class Meta:
        model = KeepApart

    club = factory.SubFactory(ClubFactory)
    first = factory.LazyAttribute(lambda made: PlayerFactory(club=made.club))
    second = factory.LazyAttribute(lambda made: PlayerFactory(club=made.club))


class CredentialFactory(factory.django.DjangoModelFactory):
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


class KeyUseFactory(factory.django.DjangoModelFactory):
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


class InvitationFactory(factory.django.DjangoModelFactory):
    """An invitation that nobody has accepted."""

    class Meta:
        model = Invitation

    club = factory.SubFactory(ClubFactory)
    email = factory.Sequence(lambda number: f"invited{number}@example.org")
    role = Role.SCOREKEEPER
    digest = factory.Sequence(lambda number: f"{number:064}")
    expires_at = SOME_EVENING + dt.timedelta(days=365)


class MergeFactory(factory.django.DjangoModelFactory):
    """Two records that were found to be one person."""

    class Meta:
        model = Merge

    kept = factory.SubFactory(PlayerFactory)
    gone = factory.SubFactory(PlayerFactory)


class MergeRequestFactory(factory.django.DjangoModelFactory):
    """A club that asks another whether two records are one person."""

    class Meta:
        model = MergeRequest

    gone = factory.LazyAttribute(lambda made: PlayerFactory(club=ClubFactory()))
    kept = factory.LazyAttribute(lambda made: PlayerFactory(club=ClubFactory()))
    awaits = factory.SelfAttribute("kept")
    club = factory.SelfAttribute("gone.home")
    expires_at = factory.LazyFunction(lambda: timezone.now() + MergeRequest.LASTS)


class OwnGameFactory(factory.django.DjangoModelFactory):
    """A game that a club has described."""

    class Meta:
        model = OwnGame

    club = factory.SubFactory(ClubFactory)
    slug = factory.Sequence(lambda number: f"game-{number}")


class GameVersionFactory(factory.django.DjangoModelFactory):
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


class EventFactory(factory.django.DjangoModelFactory):
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


class OriginFactory(factory.django.DjangoModelFactory):
    """An event that came from a file."""

    class Meta:
        model = Origin

    event = factory.SubFactory(EventFactory)
    club = factory.SelfAttribute("event.club")
    uid = factory.LazyFunction(new_id)


class EntryFactory(factory.django.DjangoModelFactory):
    """A player of the club who is checked in."""

    class Meta:
        model = Entry

    event = factory.SubFactory(EventFactory)
    player = factory.SubFactory(PlayerFactory, home=factory.SelfAttribute("..event.club"))
    name = factory.SelfAttribute("player.name")


class PenaltyFactory(factory.django.DjangoModelFactory):
    """Points taken off a player."""

    class Meta:
        model = Penalty

    entry = factory.SubFactory(EntryFactory)
    event = factory.SelfAttribute("entry.event")
    points = Decimal(1)
    reason = "late"


class ContactFactory(factory.django.DjangoModelFactory):
    """The address of a player for news of an event."""

    class Meta:
        model = Contact

    entry = factory.SubFactory(EntryFactory)
    email = "ana@example.org"
    language = "en"
    origin = "https://example.org"


class RoundFactory(factory.django.DjangoModelFactory):
    """A round that is seated."""

    class Meta:
        model = Round

    event = factory.SubFactory(EventFactory)
    number = 1


class TableFactory(factory.django.DjangoModelFactory):
    """An empty table of a round."""

    class Meta:
        model = Table

    round = factory.SubFactory(RoundFactory)
    number = factory.Sequence(lambda number: number + 1)
    variant = "standard"


class SeatFactory(factory.django.DjangoModelFactory):
    """Somebody in the first seat of a table."""

    class Meta:
        model = Seat

    table = factory.SubFactory(TableFactory)
    round = factory.SelfAttribute("table.round")
    entry = factory.LazyAttribute(lambda made: EntryFactory(event=made.table.round.event))
    position = 1


class CallFactory(factory.django.DjangoModelFactory):
    """A call for the organiser."""

    class Meta:
        model = Call

    table = factory.SubFactory(TableFactory)
    kind = "question"
    text = "Who begins?"


class SitOutFactory(factory.django.DjangoModelFactory):
    """Somebody who sits out a round."""

    class Meta:
        model = SitOut

    round = factory.SubFactory(RoundFactory)
    entry = factory.LazyAttribute(lambda made: EntryFactory(event=made.round.event))


class ActionFactory(factory.django.DjangoModelFactory):
    """Something that somebody did to an event."""

    class Meta:
        model = Action

    event = factory.SubFactory(EventFactory)
    verb = "event-created"
    actor = "user Person"


class WebhookFactory(factory.django.DjangoModelFactory):
    """A webhook that is told of everything."""

    class Meta:
        model = Webhook

    club = factory.SubFactory(ClubFactory)
    url = "https://receiver.example.org/"
    types = factory.LazyFunction(lambda: [each.value for each in MessageType if each != MessageType.PING])
    secret = credentials.WEBHOOK + "c2VjcmV0IGZvciB0ZXN0cyBhbmQgbm90aGluZyBlbHM="


class DeliveryFactory(factory.django.DjangoModelFactory):
    """A message that waits to be sent."""

    class Meta:
        model = Delivery

    webhook = factory.SubFactory(WebhookFactory)
    type = MessageType.PING
    payload = factory.LazyFunction(lambda: {"type": "ping", "timestamp": SOME_EVENING.isoformat(), "data": {}})
    next_attempt_at = SOME_EVENING


class PushSubscriptionFactory(factory.django.DjangoModelFactory):
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


class PushMessageFactory(factory.django.DjangoModelFactory):
    """A message to a phone that waits to be sent."""

    class Meta:
        model = PushMessage

    subscription = factory.SubFactory(PushSubscriptionFactory)
    kind = PushMessage.Kind.SEAT
    occasion = factory.Sequence("seat-{}".format)
    text = factory.LazyFunction(lambda: {"title": "Table 1, seat 1", "body": "", "lang": "en", "tag": "t", "url": "/"})
    next_attempt_at = SOME_EVENING
    expires_at = SOME_EVENING + dt.timedelta(minutes=10)


class DerivedFactory(factory.django.DjangoModelFactory):
    """A computation that nobody has done yet."""

    class Meta:
        model = Derived

    kind = Derived.Kind.STANDINGS
    key = factory.Sequence(lambda number: f"event{number}")


class DraftFactory(factory.django.DjangoModelFactory):
    """A sheet that somebody began."""

    class Meta:
        model = Draft

    table = factory.SubFactory(TableFactory)
    sheet = factory.LazyFunction(lambda: {"game": "ten-phases"})
    author = "entry"


class ReportFactory(factory.django.DjangoModelFactory):
    """A report that waits, ranked by hand."""

    class Meta:
        model = Report

    table = factory.SubFactory(TableFactory)
    version = factory.Sequence(lambda number: number + 1)
    minimal = "0" * 64
    standings = factory.LazyFunction(lambda: [{"seat": "ana", "rank": 1, "score": 3, "key": []}])
    author = "user Person"


class AttemptFactory(factory.django.DjangoModelFactory):
    """A sheet that was refused."""

    class Meta:
        model = Attempt

    table = factory.SubFactory(TableFactory)
    code = "report-invalid"
    sheet = factory.LazyFunction(lambda: {"game": "ten-phases"})
    author = "entry"


class VoiceFactory(factory.django.DjangoModelFactory):
    """Somebody who agrees."""

    class Meta:
        model = Voice

    report = factory.SubFactory(ReportFactory)
    entry = factory.LazyAttribute(lambda made: EntryFactory(event=made.report.table.round.event))
    says = Voice.Says.CONFIRM


class ResultFactory(factory.django.DjangoModelFactory):
    """A rated result that counts."""

    class Meta:
        model = Result

    report = factory.SubFactory(ReportFactory, status=Report.Status.FINAL)
    table = factory.SelfAttribute("report.table")
    event = factory.SelfAttribute("table.round.event")
    game = factory.SelfAttribute("event.game")
    first_final_at = played_at = SOME_EVENING
    is_rated = True


class PlacingFactory(factory.django.DjangoModelFactory):
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


class StandingRowFactory(factory.django.DjangoModelFactory):
    """A first place in an event."""

    class Meta:
        model = StandingRow

    entry = factory.SubFactory(EntryFactory)
    event = factory.SelfAttribute("entry.event")
    place = rank = tables = 1
    points = 840
    tiebreaks = factory.LazyFunction(lambda: [{"key": "wins", "value": "1"}])
    reason = factory.LazyFunction(lambda: {"code": "first"})


class SeasonRowFactory(factory.django.DjangoModelFactory):
    """A first place in a season."""

    class Meta:
        model = SeasonRow

    season = factory.SubFactory(SeasonFactory)
    player = factory.SubFactory(PlayerFactory)
    place = rank = events = 1
    points = 100_000
    results = factory.LazyFunction(lambda: [{"event": "e", "points": 100_000}])
    reason = factory.LazyFunction(lambda: {"code": "first"})


class RatingFactory(factory.django.DjangoModelFactory):
    """The rating of somebody who has played a while."""

    class Meta:
        model = Rating

    player = factory.SubFactory(PlayerFactory)
    game = "ten-phases"
    rating = 1_600_000
    tables = 20
    last_played = SOME_EVENING


class RatingChangeFactory(factory.django.DjangoModelFactory):
    """What a first table did."""

    class Meta:
        model = RatingChange

    placing = factory.SubFactory(PlacingFactory)
    before, after = 1_500_000, 1_520_000


class RatingModelFactory(factory.django.DjangoModelFactory):
    """A model that is no more."""

    class Meta:
        model = RatingModel
        django_get_or_create = ("game",)

    game = "ten-phases"
    fingerprint = "x" * 64


class CheckpointFactory(factory.django.DjangoModelFactory):
    """A place to replay from."""

    class Meta:
        model = Checkpoint

    game = "ten-phases"
    at = SOME_EVENING
    table = factory.Sequence(lambda number: number + 1)
    tables = 1
    state = b"x"


class ReplayFactory(factory.django.DjangoModelFactory):
    """A replay that moved nobody."""

    class Meta:
        model = Replay

    game = "ten-phases"
    why = "a correction"
    tables = players_moved = largest_move = 0


class ChallengeFactory(factory.django.DjangoModelFactory):
    """The challenge of an evening, everybody's."""

    class Meta:
        model = Challenge

    game = "ten-phases"
    variant = "solo"
    day = factory.Sequence(lambda number: SOME_EVENING.date() - dt.timedelta(days=number))
    seed = "0" * 64


class SoloGameFactory(factory.django.DjangoModelFactory):
    """A game alone that was just begun."""

    class Meta:
        model = SoloGame

    game = "ten-phases"
    variant = "solo"
    seats = ["player"]
    seed = "0" * 32
    moves = ["roll 10r 6g 9g 8r 5r 5o Wb 2r 3r Wo"]
    holder = factory.Sequence(lambda number: f"{number:064}")


class TableRecordFactory(factory.django.DjangoModelFactory):
    """The record of a table."""

    class Meta:
        model = TableRecord

    table = factory.SubFactory(TableFactory)
    variant = "standard"
    seats = ["a", "b"]
    moves = ["pass"]
    minimal = "0" * 64
    author = "entry"
