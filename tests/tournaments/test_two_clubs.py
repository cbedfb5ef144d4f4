"""Whatever two clubs, their people and a stranger do, in whatever order: nobody comes to speak for somebody else.

Home and its people are honest and make mistakes: they vouch for a wrong phone, agree to a wrong merge, and take it
back. Rival and Mallory try everything. While nothing joins one of Home's people with a record that is not theirs,
nobody of the others may do anything with them, whatever was between.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.errors import DomainError
from tests.factories import ClubFactory, MembershipFactory, UserFactory
from tests.tournaments.events import event_of
from tournaments import selectors, trust
from tournaments.access import credentials
from tournaments.actors import NOBODY, Actor, Kind
from tournaments.models import Entry, Event, Merge, MergeRequest, Player, Role
from tournaments.services import entries, merge_requests, merging, people, proof
from tournaments.services.joining import join

pytestmark = pytest.mark.django_db

OF_A_PERSON = ("name", "user", "tied_by_club", "merged_into", "home", "anonymised_at")


class TwoClubs(RuleBasedStateMachine):
    """Home, whose people are somebody's, and Rival, who wants them."""

    def __init__(self) -> None:
        super().__init__()
        self._all_of_it = transaction.atomic()
        self._all_of_it.__enter__()
        self.home, self.rival = ClubFactory(name="Home"), ClubFactory(name="Rival")
        self.organiser, self.owner = self._member(self.home, Role.ORGANISER), self._member(self.home, Role.OWNER)
        self.mallory = Actor(Kind.USER, user=UserFactory())
        self.rivals = [self._member(self.rival, Role.ORGANISER), self._member(self.rival, Role.OWNER)]
        self.accounts: dict[int, Actor] = {}  # of Home's people, by the key of their first record
        self.own: dict[int, int] = {}  # by the key of a record that is an honest person's that of their first
        self.links: dict[str, int] = {}  # what is on the phones of Home's people
        self.stolen: list[str] = []  # what is on those of the others
        for club in (self.home, self.rival):
            event_of(club)
        for name in ("Ana", "Bo"):
            self._arrives(name)

    def teardown(self) -> None:
        """Undo everything, so that the next evening begins with nobody."""
        transaction.set_rollback(True)
        self._all_of_it.__exit__(None, None, None)

    def _member(self, club: Any, role: Role) -> Actor:
        return Actor(Kind.USER, user=MembershipFactory(club=club, role=role).user)

    def _arrives(self, name: str) -> None:
        """Let somebody be known to Home, with a phone of theirs in its event and an account."""
        entry = self._join(self.home, actor=NOBODY, name=name)
        assert entry is not None
        self.own[entry.player_id] = entry.player_id
        self.accounts[entry.player_id] = Actor(Kind.USER, user=UserFactory())
        self.links[self._link(entry)] = entry.player_id

    def _event(self, club: Any) -> Event:
        return Event.objects.filter(club=club).latest("pk")

    def _link(self, entry: Entry) -> str:
        entry.refresh_from_db()
        return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)

    def _join(self, club: Any, **who: Any) -> Entry | None:
        event = self._event(club)
        with suppress(DomainError):
            return join(event=event, code=event.join_code, confirm_alike=True, **who)
        return None

    # --- Who is who ----------------------------------------------------------------------------------------------

    def _others(self) -> Iterator[Actor]:
        """Yield everybody who is none of Home: their accounts, and every link that they hold or can read."""
        yield from (self.mallory, *self.rivals)
        for link in self._their_links():
            if (phone := entries.earlier_phone(link)) is not None:
                yield phone

    def _their_links(self) -> list[str]:
        readable = Entry.objects.filter(event__club=self.rival).order_by("pk")
        return [*self.stolen, *(self._link(entry) for entry in readable)]

    def _clean(self) -> list[Player]:
        """Return the records of Home's people with whom nothing of anybody else is joined now."""
        found = Player.objects.filter(pk__in=self.own).select_related("merged_into", "home")
        return [
            player
            for player in found
            if all(
                self.own.get(key) == self.own[player.pk]
                for key in selectors.records_of(player).values_list("pk", flat=True)
            )
        ]

    def _told(self) -> dict[int, tuple[object, ...]]:
        keys = [player.pk for player in self._clean()]
        return {row[0]: row for row in Player.objects.filter(pk__in=keys).values_list("pk", *OF_A_PERSON)}

    def _attack(self, act: Any) -> Any:
        """Do something as one of the others: whom they were nothing to before and are nothing to now is unchanged."""
        before, answer = self._told(), None
        with suppress(DomainError):
            answer = act()
        after = self._told()
        assert {key: after[key] for key in before if key in after} == {
            key: before[key] for key in before if key in after
        }
        return answer

    def _one_of(self, data: st.DataObject, found: Any) -> Any:
        known = list(found)  # random names and keys say nothing to hypothesis, places do
        return known[data.draw(st.integers(0, len(known) - 1))]

    def _somebody(self, data: st.DataObject) -> Player:
        return self._one_of(data, Player.objects.select_related("merged_into", "home").order_by("pk"))

    def _wanted(self, data: st.DataObject) -> Player:
        """Return one of those whom the others want, or else anybody."""
        wanted = Player.objects.filter(pk__in=self.own).select_related("merged_into", "home").order_by("pk")
        return self._one_of(data, wanted) if data.draw(st.booleans()) else self._somebody(data)

    def _other(self, data: st.DataObject) -> Actor:
        return self._one_of(data, self._others())

    def _stolen_link(self, data: st.DataObject, player: Player) -> str:
        """Return a link of theirs: one that proves somebody now, if there is any."""
        held = {link: entries.earlier_phone(link) for link in self._their_links()}
        proving = [link for link, phone in held.items() if phone and trust.is_phone_of(phone, player)]
        return self._one_of(data, proving or [*held, "lse_x"])

    # --- Mistakes that Home has made already -----------------------------------------------------------------------

    @initialize(data=st.data())
    def home_vouched_for_a_wrong_phone(self, data):
        event_of(self.home)
        known = Player.objects.get(pk=self._one_of(data, self.accounts))
        if (entry := self._join(self.home, actor=self.mallory, player=known)) is not None:
            self.stolen.append(self._link(entry))
            proof.vouch(actor=self.organiser, entry=entry)

    @initialize(data=st.data(), is_kept=st.booleans())
    def home_agreed_to_a_wrong_merge(self, data, is_kept):
        known = Player.objects.get(pk=self._one_of(data, self.accounts))
        entry = self._join(self.rival, actor=self.mallory, name=known.name)
        assert entry is not None
        gone, kept = (known, entry.player) if is_kept else (entry.player, known)
        with suppress(DomainError):
            request = merge_requests.ask(actor=self.rivals[0], gone=gone, kept=kept)
            merge_requests.accept(actor=self.organiser, request=request)

    # --- What Home and its people do -----------------------------------------------------------------------------

    @rule(data=st.data(), is_rival=st.booleans())
    def plays_again_with_a_link(self, data, is_rival):
        link = self._one_of(data, self.links)
        entry = self._join(self.rival if is_rival else self.home, actor=NOBODY, proof=link)
        if entry is not None and not is_rival:
            self.links[self._link(entry)] = self.links[link]

    @rule(data=st.data())
    def comes_unproven(self, data):
        first = self._one_of(data, self.accounts)
        entry = self._join(self.home, actor=NOBODY, player=Player.objects.get(pk=first))
        if entry is not None:
            self.own[entry.player_id] = first
            self.links[self._link(entry)] = first

    @rule(data=st.data())
    def links_an_account(self, data):
        link = self._one_of(data, self.links)
        first = self.links[link]
        with suppress(DomainError):
            people.link_player(actor=self.accounts[first], player=Player.objects.get(pk=first), token=link)

    @rule(data=st.data())
    def takes_an_entry_back(self, data):
        link = self._one_of(data, self.links)
        first = self.links[link]
        mine = Entry.objects.filter(event__club=self.home).filter(player__in=self._persons(first))
        claimed = Entry.objects.filter(event__club=self.home, claims__in=self._persons(first))
        if found := sorted({*mine, *claimed}, key=lambda each: each.pk):
            entry = self._one_of(data, found)
            with suppress(DomainError):
                taken = proof.take_back(actor=NOBODY, entry=entry, proof=link)
                self.links[self._link(taken)] = first

    def _persons(self, first: int) -> Any:
        return selectors.records_of(Player.objects.get(pk=first)).values("pk")

    @rule(data=st.data(), is_right=st.booleans())
    def home_answers_a_phone(self, data, is_right):
        waiting = list(Entry.objects.exclude(claims=None).filter(event__club=self.home).order_by("pk"))
        if waiting:
            answer = proof.vouch if is_right else proof.reject
            with suppress(DomainError):
                answer(actor=self.organiser, entry=self._one_of(data, waiting))

    @rule(data=st.data())
    def home_takes_a_merge_back(self, data):
        if gone := list(Player.objects.exclude(merged_into=None).order_by("pk")):
            with suppress(DomainError):
                merging.unmerge_player(actor=self.organiser, player=self._one_of(data, gone))

    @rule(data=st.data())
    def home_merges_or_asks(self, data):
        gone, kept = self._somebody(data), self._somebody(data)
        for act in (merging.merge_players, merge_requests.ask):
            with suppress(DomainError):
                act(actor=self.organiser, gone=gone, kept=kept)

    @rule(data=st.data(), is_yes=st.booleans(), is_home=st.booleans())
    def answers_a_request(self, data, is_yes, is_home):
        if waiting := list(MergeRequest.objects.filter(status=MergeRequest.Status.OPEN).order_by("pk")):
            request = self._one_of(data, waiting)
            answer = merge_requests.accept if is_yes else merge_requests.decline
            actor = self.organiser if is_home else self._other(data)
            with suppress(DomainError):
                answer(actor=actor, request=request)

    @rule(data=st.data())
    def home_gives_a_link_anew(self, data):
        entry = self._one_of(data, Entry.objects.filter(event__club=self.home).order_by("pk"))
        with suppress(DomainError):
            renewed = entries.renew_link(actor=self.organiser, entry=entry)
            if entry.player_id in self.own:
                self.links[self._link(renewed)] = self.own[entry.player_id]

    @precondition(lambda self: Event.objects.count() < 6)
    @rule(is_rival=st.booleans())
    def another_event_begins(self, is_rival):
        event_of(self.rival if is_rival else self.home)

    @rule()
    def weeks_pass(self):
        for model, field in ((Player, "tied_at"), (Merge, "merged_at")):
            model.objects.update(**{field: F(field) - dt.timedelta(days=8)})

    # --- What the others do --------------------------------------------------------------------------------------

    @rule(data=st.data(), is_known=st.booleans(), is_rival=st.booleans(), by_link=st.booleans())
    def somebody_else_joins(self, data, is_known, is_rival, by_link):
        actor = self._other(data)
        wanted = self._wanted(data)
        who: dict[str, Any] = {"player": wanted} if is_known else {"name": f"Guest {Entry.objects.count()}"}
        if by_link:
            who["proof"] = self._stolen_link(data, wanted)
        entry = self._attack(lambda: self._join(self.rival if is_rival else self.home, actor=actor, **who))
        if entry is not None:
            self.stolen.append(self._link(entry))

    @rule(data=st.data())
    def somebody_else_renames(self, data):
        actor, player = self._other(data), self._wanted(data)
        self._attack(lambda: people.rename_player(actor=actor, player=player, name="Taken"))

    @rule(data=st.data())
    def somebody_else_links(self, data):
        actor, player = self._other(data), self._wanted(data)
        link = self._stolen_link(data, player)
        self._attack(lambda: people.link_player(actor=actor, player=player, token=link))

    @rule(data=st.data())
    def somebody_else_unlinks(self, data):
        actor, player = self._other(data), self._wanted(data)
        self._attack(lambda: people.unlink_player(actor=actor, player=player))

    @rule(data=st.data())
    def somebody_else_merges_or_asks(self, data):
        actor, gone, kept = self._other(data), self._wanted(data), self._somebody(data)
        for act in (merging.merge_players, merge_requests.ask):
            self._attack(lambda act=act: act(actor=actor, gone=gone, kept=kept))

    @rule(data=st.data())
    def somebody_else_takes_a_merge_back(self, data):
        actor, player = self._other(data), self._wanted(data)
        self._attack(lambda: merging.unmerge_player(actor=actor, player=player))

    @rule(data=st.data())
    def somebody_else_takes_an_entry(self, data):
        actor, entry = self._other(data), self._one_of(data, Entry.objects.select_related("player").order_by("pk"))
        link = self._stolen_link(data, entry.player)
        phones = [phone for phone in self._others() if phone.kind == Kind.ENTRY]
        for given in ({"proof": link}, {"phones": phones}):
            taken = self._attack(lambda given=given: proof.take_back(actor=actor, entry=entry, **given))
            if taken is not None:
                self.stolen.append(self._link(taken))

    @rule(data=st.data(), is_right=st.booleans())
    def somebody_else_answers_a_phone(self, data, is_right):
        actor, entry = self._other(data), self._one_of(data, Entry.objects.order_by("pk"))
        answer = proof.vouch if is_right else proof.reject
        self._attack(lambda: answer(actor=actor, entry=entry))

    # --- What holds ----------------------------------------------------------------------------------------------

    @invariant()
    def nobody_else_speaks_for_homes_people(self):
        users = {actor.user.pk for actor in (self.mallory, *self.rivals) if actor.user}
        others = list(self._others())
        for player in self._clean():
            tied = {*selectors.records_of(player).values_list("user", flat=True)}
            assert not tied & users, "an account of somebody else's is tied to them"
            for actor in others:
                assert not trust.may_change(actor, player), f"{actor} may change {player}"
                assert not trust.may_take_away(actor, player), f"{actor} may forget {player}"
                assert not trust.may_unlink(actor, player), f"{actor} may part {player} from their account"
                assert not trust.own_records(actor, player).exists(), f"{actor} may read what {player} is told"

    @invariant()
    def every_record_leads_to_one_person(self):
        assert not Player.objects.filter(merged_into__merged_into__isnull=False).exists()
        standing = Merge.objects.filter(undone_at=None)
        assert {*Player.objects.exclude(merged_into=None).values_list("pk", flat=True)} == {
            *standing.values_list("gone", flat=True)
        }


class TestTwoClubs(TwoClubs.TestCase, TestCase):
    settings = settings(
        max_examples=10, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
    )
