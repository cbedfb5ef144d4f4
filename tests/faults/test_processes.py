"""Several processes are one service: what one writes, another does not hide behind what it remembers."""

from __future__ import annotations

import http.client
import time
from contextlib import ExitStack
from http.client import HTTPConnection
from uuid import uuid4

import pytest

from tests.factories import CredentialFactory, EventFactory, GameVersionFactory, MembershipFactory, RatingFactory
from tests.faults.rig_names import SERVED_BY
from tests.faults.stand import wait_for
from tournaments.actors import Actor, Kind
from tournaments.models import Credential, Event, Role
from tournaments.services.games import redefine_game

SOON = 1.0  # seconds, and a bit on a machine with other tests beside this one


class Process:
    """A web process, spoken to over a connection that stays with it."""

    def __init__(self, stand):
        self.connection = HTTPConnection("127.0.0.1", stand.port, timeout=10)
        self.get("/api/v1/games/", {"Idempotency-Key": str(uuid4())})
        self.pid = (stand.folder / SERVED_BY).read_text()

    def get(self, path, headers=None):
        """Return the status and the text of an answer."""
        self.connection.request("GET", path, headers=headers or {})
        answer: http.client.HTTPResponse = self.connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.fixture
def processes(stand):
    """Two connections, each to another process."""
    found: dict[str, Process] = {}
    with ExitStack() as opened:

        def look():
            process = Process(stand)
            opened.callback(process.connection.close)
            found.setdefault(process.pid, process)
            return len(found) == 2

        wait_for(look)
        yield list(found.values())


def seconds_until(processes, path, is_new, headers=None):
    """Return how long it takes until every process answers as is right now."""
    began = time.monotonic()
    wait_for(lambda: all(is_new(*process.get(path, headers)) for process in processes), 10)
    return time.monotonic() - began


def test_what_one_process_remembers_another_one_changes(stand, processes):
    event = EventFactory(status=Event.Status.RUNNING)
    club, uid = event.club, event.uid
    version = GameVersionFactory(game__club=club)
    user = MembershipFactory(club=club, role=Role.OWNER).user
    secret = f"lsu_{uuid4().hex}"
    credential = CredentialFactory(user=user, secret=secret)
    made_up = RatingFactory(game="dix", player__club=club)
    standings, embed = f"/api/v1/events/{uid}/standings/", f"/embed/clubs/{club.slug}/dix/"
    game, bearer = f"/api/v1/clubs/{club.slug}/games/{version.game.slug}/", {"Authorization": f"Bearer {secret}"}
    for process in processes:  # everybody has seen everything
        for path, headers in ((standings, None), (standings, bearer), (embed, None), (game, bearer)):
            for _ in range(2):
                assert process.get(path, headers)[0] == 200, path

    club.name = "The New House"
    club.save()
    redefine_game(actor=Actor(Kind.USER, user=user), game=version.game, changes={"name": "Another game"})
    took = [
        seconds_until(processes, embed, lambda _status, text: "The New House" in text),
        seconds_until(processes, game, lambda _status, text: "Another game" in text, bearer),
    ]
    Event.objects.filter(pk=event.pk).update(is_public=False)
    took.append(seconds_until(processes, standings, lambda status, _text: status == 404))
    assert {process.get(standings, bearer)[0] for process in processes} == {200}, "a member still reads it"
    Credential.objects.filter(pk=credential.pk).update(revoked_at=credential.created_at)
    took.append(seconds_until(processes, standings, lambda status, _text: status == 401, bearer))
    made_up.delete()  # the audits of other tests would find that no result stands behind it
    assert max(took) < 2 * SOON
