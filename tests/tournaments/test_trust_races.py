"""Who is parted from somebody at the very moment at which they enter as them, or take an entry of theirs."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from core.errors import DomainError
from tests.factories import ClubFactory, PlayerFactory
from tests.tournaments.events import enter, event_of
from tests.tournaments.test_trust import agree, link_of, member, person
from tournaments import trust
from tournaments.actors import NOBODY
from tournaments.models import Entry, Player
from tournaments.services import entries, merging, proof
from tournaments.services.joining import join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.django_db(transaction=True)


class Merged:
    """Gus of another club, who is taken for Ana: his phone, his account, and what they may try."""

    def __init__(self) -> None:
        self.home, other = ClubFactory(), ClubFactory()
        self.ana, self.gus = PlayerFactory(name="Ana", club=self.home), PlayerFactory(name="Gus", club=other)
        self.guest, self.own = enter(event_of(self.home), self.gus), enter(event_of(self.home), self.ana)
        self.account, self.event, self.organiser = person(self.gus), event_of(self.home), member(other)
        self.links: list[str] = []
        agree(self.gus, self.ana)

    def join(self) -> None:
        self._keep(join(event=self.event, code=self.event.join_code, actor=NOBODY, proof=link_of(self.guest)))

    def join_by_account(self) -> None:
        self._keep(join(event=self.event, code=self.event.join_code, actor=self.account, player=self.ana))

    def take(self) -> None:
        self._keep(proof.take_back(actor=NOBODY, entry=self.own, proof=link_of(self.guest)))

    def _keep(self, entry: Entry) -> None:
        self.links.append(link_of(entry))

    def part(self) -> None:
        merging.unmerge_player(actor=self.organiser, player=Player.objects.get(pk=self.gus.pk))

    @property
    def is_ana(self) -> bool:
        """Say whether a link that the stranger came by proves Ana."""
        phones = map(entries.earlier_phone, self.links)
        return any(each is not None and trust.is_self(each, Player.objects.get(pk=self.ana.pk)) for each in phones)


@contextmanager
def beside(act: Callable[[], object], *, at: str) -> Iterator[None]:
    """Let somebody else act on a connection of their own, from the first such statement in the block on."""
    thread = threading.Thread(target=partial(_to_the_end, act))

    def come(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        found = execute(sql, *given)
        if sql.startswith(at) and thread.ident is None:
            thread.start()
            thread.join(0.5)  # as far as they get
        return found

    with connection.execute_wrapper(come):
        yield
    thread.join()


def _to_the_end(act: Callable[[], object]) -> None:
    try:
        act()
    except DomainError:
        pass
    finally:
        connection.close()


TRIES = pytest.mark.parametrize("how", [Merged.join, Merged.join_by_account, Merged.take])


@TRIES
def test_who_is_parted_meanwhile_is_not_taken_for_the_person(how: Callable[[Merged], None]) -> None:
    merged = Merged()
    with beside(partial(how, merged), at='UPDATE "tournaments_merge"'):
        merged.part()
    assert not merged.is_ana


@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="it has one writer at a time")
@pytest.mark.parametrize("how", [Merged.join, Merged.take])
def test_without_a_lock_and_a_second_look_they_would_be(
    how: Callable[[Merged], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    merged = Merged()
    monkeypatch.setattr(trust, "is_parted", lambda *_: False)
    monkeypatch.setattr(proof, "lock_people", Player.objects.in_bulk)
    with beside(partial(how, merged), at='UPDATE "tournaments_merge"'):
        merged.part()
    assert merged.is_ana


@TRIES
def test_what_they_come_by_while_the_merge_is_taken_back_goes_with_it(how: Callable[[Merged], None]) -> None:
    merged = Merged()
    with beside(
        merged.part, at='UPDATE "tournaments_event"' if how is not Merged.take else 'UPDATE "tournaments_entry"'
    ):
        how(merged)
    if Player.objects.get(pk=merged.gus.pk).merged_into is not None:  # it was told to look again
        merged.part()
    assert merged.links
    assert not merged.is_ana
