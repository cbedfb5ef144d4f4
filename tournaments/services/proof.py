"""Proof that a phone is whose it says it is, and what to do with one that has none: vouch for it, or reject it.

A personal link of theirs proves a person, and so do a code shown on a phone that holds one, and their account; `trust`
says which. Who says to be somebody and proves nothing plays under a record of their own. Vouching makes the two
records one person, and can be taken back as a merge; rejecting leaves them two. Sheets, seats and results stay.
"""

from __future__ import annotations

import datetime as dt
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet, TextChoices
from django.utils import timezone
from django.utils.translation import gettext as _

from core.clocks import is_fresh, was_within
from core.ids import typed_code
from tournaments import selectors, trust
from tournaments.access import credentials
from tournaments.actors import Actor, Kind
from tournaments.errors import EntryStatusError, ForbiddenError, ProofWrongError
from tournaments.models import Action, Entry, Event, Player
from tournaments.services.entries import OPEN_FOR_ENTRY, TAKEN_BACK, earlier_phone, end_link
from tournaments.services.events import bump, lock_event, mark_standings, require_status
from tournaments.services.history import record
from tournaments.services.merging import lock_both, mark_records, merge
from tournaments.services.people import lock_people, part, present, tie

GOOD_FOR = dt.timedelta(minutes=10)


class Answer(TextChoices):
    """What is said of a phone that says it is somebody known."""

    VOUCH = "vouch"
    REJECT = "reject"


# --- Proofs -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Proof:
    """A link or a code that was shown, and the phone that it is of."""

    actor: Actor
    entry: Entry
    is_code: bool

    @property
    def player(self) -> Player:
        """The person of the phone."""
        return self.entry.player.merged_into or self.entry.player


def read(secret: str) -> Proof:
    """Return what a personal link or a code is of; refuse one that proves nobody."""
    is_link = secret.startswith(credentials.ENTRY)
    actor = earlier_phone(secret) if is_link else _phone_showing(secret)
    if actor is None or actor.entry is None or not trust.is_self(actor, actor.entry.player):
        raise _wrong()
    return Proof(actor, actor.entry, is_code=not is_link)


def _wrong() -> ProofWrongError:
    return ProofWrongError(
        _("This proves nothing. A code is good once, for ten minutes, and for the player on whose phone it is shown.")
    )


def _phone_showing(code: str) -> Actor | None:
    offered = typed_code(code).encode("utf-8", "surrogatepass")
    for entry in _showing():
        if hmac.compare_digest(_code(entry).encode(), offered):
            return Actor(Kind.ENTRY, entry=entry)
    return None


def _showing() -> QuerySet[Entry]:
    found = Entry.objects.filter(was_within("code_since", timezone.now(), GOOD_FOR))
    return found.select_related("event__club", "player__merged_into")


def _code(entry: Entry) -> str:
    return credentials.one_time_code(entry.uid, entry.generation, entry.code_since or entry.created_at)


def prover_of(player: Player, callers: Iterable[Actor], shown: Proof | None = None) -> Actor | None:
    """Return who is the player: whoever showed something, or the first of the callers who is.

    A proof that is of somebody else is refused.
    """
    if shown is None:
        return next((caller for caller in callers if trust.is_self(caller, player)), None)
    if not trust.is_self(shown.actor, player):
        raise _wrong()
    return shown.actor


def prove_accounts(player: Player, callers: Sequence[Actor], shown: Proof | None) -> None:
    """Let an account that a club had tied to the person count as theirs, where a phone proves it beside it."""
    users = [caller.user for caller in callers if caller.user is not None]
    phones = [shown.actor] if shown is not None else callers
    proving = trust.entry_proving(phones, player) if users else None
    if proving is None:
        return
    for user in users:
        if part(selectors.records_of(player).filter(user=user, tied_by_club=True)):
            tie(user, proving)


def spend(shown: Proof | None) -> None:
    """Let a code that was used be good no more."""
    if shown is not None and shown.is_code:
        unspent = Entry.objects.filter(pk=shown.entry.pk, code_since=shown.entry.code_since)
        if not unspent.update(code_since=None):
            raise _wrong()  # another phone was quicker


@transaction.atomic
def show_code(*, actor: Actor, entry: Entry) -> Entry:
    """Let the phone of a proven player show a code that proves it is them on another phone."""
    entry = Entry.objects.select_related("event__club", "player__merged_into").get(pk=entry.pk)
    if not actor.holds_link_of(entry) or not trust.is_phone_of(actor, entry.player):
        raise ForbiddenError(_("Only a phone that proves who its player is can show a code."))
    entry.code_since = timezone.now()
    entry.save(update_fields=["code_since"])
    return entry


def shown_code(entry: Entry) -> tuple[str, dt.datetime] | None:
    """Return the code that an entry's phone shows now, and until when; None while it shows none."""
    if entry.code_since is None or not is_fresh(entry.code_since, timezone.now(), GOOD_FOR):
        return None
    return _code(entry), entry.code_since + GOOD_FOR


# --- Answers ----------------------------------------------------------------------------------------------------


def unproven(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event that say they are somebody known, and wait for an answer."""
    waiting = Entry.objects.filter(event=event).exclude(claims=None)
    return waiting.select_related("event__club", "player__merged_into", "claims__merged_into").order_by("pk")


@transaction.atomic
def vouch(*, actor: Actor, entry: Entry, proof: str = "") -> Entry:
    """Say that an entry really is the known player: an organiser of their club, or the player with a proof."""
    event, entry = _lock(entry)
    shown = read(proof) if proof else None
    player = _claimed(entry)
    says = prover_of(player, [], shown)
    if says is None:
        _require_say(actor, entry, Answer.VOUCH)
    spend(shown)
    return _answer(event, entry, actor, Answer.VOUCH, says)


@transaction.atomic
def reject(*, actor: Actor, entry: Entry) -> Entry:
    """Say that an entry is not the known player: it goes on as somebody new, with all that was played."""
    event, entry = _lock(entry)
    _require_say(actor, entry, Answer.REJECT)
    if entry.claims is None:
        raise EntryStatusError(_("This entry does not say that it is somebody else."), entry_status=entry.status)
    return _answer(event, entry, actor, Answer.REJECT)


@transaction.atomic
def answer_all(*, actor: Actor, event: Event, answer: Answer, uids: Sequence[str] | None = None) -> list[Entry]:
    """Answer for all entries of an event that wait, or for those that are named; return them.

    Where none is named, those that the caller has no say on are left as they are, unless there are no others.
    """
    event = lock_event(event)
    waiting = unproven(event) if uids is None else unproven(event).filter(uid__in=uids)
    found = list(waiting)
    if uids is None:
        found = [entry for entry in found if _has_say(actor, entry, answer)] or found
    for entry in found:
        _require_say(actor, entry, answer)
    return [_answer(event, entry, actor, answer) for entry in found]


def _has_say(actor: Actor, entry: Entry, answer: Answer) -> bool:
    player = _claimed(entry)
    if answer is Answer.REJECT:
        return trust.may_reject(actor, player, entry.event.club)
    return trust.may_vouch(actor, player)


def _require_say(actor: Actor, entry: Entry, answer: Answer) -> None:
    if not _has_say(actor, entry, answer):
        raise ForbiddenError(_("Only an organiser of the player’s club may do this, or the player with a proof."))


def _lock(entry: Entry) -> tuple[Event, Entry]:
    event = lock_event(entry.event)
    found = Entry.objects.select_related("event__club", "player__merged_into", "claims__merged_into")
    return event, found.get(pk=entry.pk)


def _locked(entry: Entry) -> Player:
    """Return the person an entry says to be, or is; lock both, so that neither is parted from anybody meanwhile."""
    wanted = _claimed(entry).pk
    return present(lock_people({wanted, entry.player.person_id})[wanted])


def _claimed(entry: Entry) -> Player:
    """Return the person an entry says to be, or is."""
    player = entry.claims or entry.player
    return player.merged_into or player


def _answer(event: Event, entry: Entry, actor: Actor, answer: Answer, says: Actor | None = None) -> Entry:
    """Write an answer down, and what follows: results of unproven phones are rated from now on, in their places.

    `says` is on whose word, where another than who calls has shown a proof.
    """
    Entry.objects.filter(pk=entry.pk).update(is_verified=True, claims=None)
    if entry.claims is not None:  # as it was read
        _settle(entry, actor, answer, says or actor)
    entry.refresh_from_db()
    bump(event)
    mark_standings(event)
    verb = "vouched" if answer is Answer.VOUCH else "claim-rejected"
    record(actor=actor, event=event, verb=verb, entry=entry.uid, name=entry.name)
    return entry


def _settle(entry: Entry, actor: Actor, answer: Answer, says: Actor) -> None:
    own, claimed = entry.player.merged_into or entry.player, _claimed(entry)
    # Who was made anonymous meanwhile is nobody any more: the entry stays somebody of its own.
    if answer is Answer.VOUCH and own != claimed and not claimed.is_anonymous:
        _make_one(entry, own, claimed, actor, says)
    else:
        mark_records(entry.player_id)


def _make_one(entry: Entry, own: Player, claimed: Player, actor: Actor, says: Actor) -> None:
    """Merge the record of a phone into the person it said to be; it stays with the record that it named."""
    assert entry.claims is not None  # noqa: S101 -- who said nothing is nobody else
    own, claimed = lock_both(own, claimed)
    entry.claims.refresh_from_db(fields=["merged_into"])
    # Parted since, one from the other or from whoever says so: somebody else's word is needed now.
    if entry.claims.person_id != claimed.pk or not trust.may_vouch(says, claimed):
        raise EntryStatusError(
            _("It has changed in the meantime. Read it again, then change it."), entry_status=entry.status
        )
    merge(own, claimed, by=actor, rests_on=trust.resting_on(says, entry.claims), vouched=entry)


# --- Taking back ------------------------------------------------------------------------------------------------


@transaction.atomic
def take_back(*, actor: Actor, entry: Entry, proof: str = "", phones: Iterable[Actor] = ()) -> Entry:
    """Give an entry to the person whose it is: the phone that held it is out at once, and theirs goes on."""
    event, entry = _lock(entry)
    require_status(event, *OPEN_FOR_ENTRY)
    player = _locked(entry)
    shown = read(proof) if proof else None
    # The phone that held it may have waited for the one by which it is out.
    callers = [each for each in [actor, *phones] if each.entry != entry or each.holds_link_of(entry)]
    prove_accounts(player, callers, shown)  # first: an account that is proved by this goes before the phone
    prover = prover_of(player, callers, shown)
    if prover is None:
        raise ForbiddenError(_("Only the player may do this, with a link or a code of theirs, or logged in."))
    spend(shown)
    actor = prover
    entry = _answer(event, entry, actor, Answer.VOUCH) if entry.claims else entry
    words = {entry.player_id, *trust.resting_on(actor, entry.player)}
    if trust.is_parted(player, words):  # since it was found out who calls
        raise _wrong()
    end_link(entry)
    Entry.objects.filter(pk=entry.pk).update(is_verified=True, rests_on=sorted(words))
    entry.refresh_from_db()
    record(actor=actor, event=event, verb=TAKEN_BACK, entry=entry.uid, name=entry.name, generation=entry.generation)
    return entry


def was_taken_back(secret: str, event: Event) -> bool:
    """Say whether a link was a phone's until the player took the entry back."""
    entry = Entry.objects.filter(event=event, uid=credentials.uid_of(secret)).first()
    if entry is None or not secret.startswith(credentials.ENTRY):
        return False
    taken = Action.objects.filter(event=event, verb=TAKEN_BACK, facts__entry=entry.uid).order_by("pk")
    before = [each.facts.get("generation", 0) - 1 for each in taken]
    return any(credentials.is_genuine(secret, entry.uid, generation) for generation in before)
