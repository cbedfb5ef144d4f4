"""Three clubs, what they played in the last months, and one of them tonight."""

from __future__ import annotations

import datetime as dt
import random
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Min

from core import computations, publishing, shared
from core.computations import Kind, Since
from core.models import User
from demo.clock import Clock
from demo.director import Stage
from demo.games import Hall, open_hall
from demo.people import CLUBS, names
from demo.programme import HARBOUR, OWN, PROGRAMME, Evening
from demo.tonight import Tonight, play_tonight
from scoring import tasks
from scoring.models import Result
from tournaments.actors import Actor
from tournaments.actors import Kind as Caller
from tournaments.models import Club, Event, Format, Player, Season
from tournaments.services import clubs, events, people, seasons
from tournaments.services.games import define_game
from web.public.demo import organiser_of_demo

Progress = Callable[[int, int, str], None]  # called with the steps done, the steps in all, and what comes next

SEED = 20
REGULARS = 8  # of a club: they come nearly always, and travel
GUESTS = 0.3  # of the players of an event, from other clubs
TONIGHT = 24  # players
OPENED = dt.timedelta(weeks=30)
EVENING_HOUR = 19
LEAGUE = dt.timedelta(days=12)


@dataclass(frozen=True, slots=True)
class Demo:
    """What was made, and how to get in."""

    clubs: Sequence[Club]
    season: Season
    tonight: Tonight
    email: str
    password: str


def fill(progress: Progress, programme: Sequence[Evening] = PROGRAMME) -> Demo:
    """Make three clubs with what they played, and an evening in progress; whatever exists is left alone."""
    with publishing.breaker.unasked(), shared.memory.breaker.unasked(), open_hall() as hall:
        story = _Story(hall, progress, programme)
        with story.clock.running():
            tonight = story.tell()
        story.compute()
    return Demo(story.clubs, story.season, tonight, story.email, story.password)


class _Story:
    """The clubs and who is in them; every event is one transaction, so that a running service is held up shortly."""

    def __init__(self, hall: Hall, progress: Progress, programme: Sequence[Evening]) -> None:
        self.progress, self.programme = progress, programme
        self.done, self.steps = 0, len(programme) + 3
        self.rng, self.clock = random.Random(SEED), Clock()
        self.email, self.password = organiser_of_demo(secrets.token_hex(3)), secrets.token_urlsafe(9)
        self.hall = hall
        self.clubs: list[Club] = []
        self.members: list[list[Player]] = []
        self.events: list[Event] = []

    def tell(self) -> Tonight:
        """Open the clubs, play the programme, and begin tonight."""
        self._step("clubs and people")
        self._open_clubs()
        for evening in self.programme:
            self._step(evening.name)
            self.events.append(self._play(evening))
        self._step("tonight")
        return self._play_tonight()

    def _step(self, what: str) -> None:
        self.progress(self.done, self.steps, what)
        self.done += 1

    @transaction.atomic
    def _open_clubs(self) -> None:
        self.clock.set(self.clock.real - OPENED)
        user = User.objects.create_user(self.email, self.password, name="Sam")
        organiser = Actor(Caller.USER, user=user)
        self.stage = Stage(self.hall, self.clock, self.rng, organiser)
        for index, name in enumerate(CLUBS):
            club = clubs.create_club(actor=organiser, name=name)
            known = [people.create_player(actor=organiser, club=club, name=each) for each in names(index)]
            self.clubs.append(club)
            self.members.append(known)
            self.stage.weakness |= {player.pk: self.rng.random() for player in known}
        define_game(actor=organiser, club=self.clubs[OWN], definition=HARBOUR)
        fields = {"name": "House league", "best_of": 4}
        self.season = seasons.create_season(actor=organiser, club=self.clubs[0], fields=fields)

    def _who_comes(self, club: int, number: int) -> list[Player]:
        """Choose who plays: the more likely, the earlier they stand in the club's list; and regulars of the others."""
        away = [player for index, known in enumerate(self.members) if index != club for player in known[:REGULARS]]
        guests = self.rng.sample(away, int(number * GUESTS))
        order = sorted(enumerate(self.members[club]), key=lambda each: self.rng.expovariate(1 / (1 + each[0]) ** 2))
        return [player for _place, player in order[: number - len(guests)]] + guests

    @transaction.atomic
    def _play(self, evening: Evening) -> Event:
        """Play an event from its announcement to its end."""
        day = self.clock.real - dt.timedelta(weeks=evening.weeks)
        starts_at = day.replace(hour=EVENING_HOUR, minute=0, second=0, microsecond=0)
        is_open = evening.format == Format.OPEN
        fields = {
            "name": evening.name,
            "game": evening.game,
            "format": evening.format,
            "rounds_planned": evening.rounds,
            "season": self.season if evening.club == 0 else None,
            "ends_at": starts_at + LEAGUE if is_open else None,
            **evening.fields,
        }
        players = self._who_comes(evening.club, evening.players)
        club = self.clubs[evening.club]
        event = self.stage.announce(club=club, starts_at=starts_at, fields=fields, players=players)
        if is_open:
            self.stage.play_open(event, evening.rounds)
        else:
            self._play_rounds(event)
        return events.change_status(actor=self.stage.organiser, event=event, status=Event.Status.FINISHED)

    def _play_rounds(self, event: Event) -> None:
        last = event.rounds_planned
        for number in range(1, last + 1):
            self.stage.play_round(event, is_final=event.format == Format.ELIMINATION and number == last)
        if event.cut_to:
            self.stage.play_round(event, is_final=True)

    @transaction.atomic
    def _play_tonight(self) -> Tonight:
        players = self._who_comes(0, TONIGHT)
        tonight = play_tonight(self.stage, club=self.clubs[0], players=players, season=self.season)
        self.events.append(tonight.event)
        return tonight

    def compute(self) -> None:
        """Compute what the worker would: ratings first, because standings may look at them."""
        self._step("ratings and standings")
        first = (
            Result.objects.filter(event__in=self.events)
            .order_by("game")
            .values("game")
            .annotate(at=Min("first_final_at"))
        )
        for game, at in first.values_list("game", "at"):
            # All of it lies in the past, perhaps before tables of others that are rated already.
            computations.mark(Kind.RATINGS, game, Since(at, 0))
            tasks.refresh(Kind.RATINGS, game)
        for event in self.events:
            tasks.refresh(Kind.STANDINGS, event.uid)
        tasks.refresh(Kind.SEASON, self.season.uid)
        self._step("done")
