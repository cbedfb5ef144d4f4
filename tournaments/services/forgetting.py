"""Take the names of people out of what was written down about them, wherever it stands.

Messages and sheets are many, and on SQLite one writer holds up all others: `look` finds those that name somebody
before anything is locked, and `forget` reads again only these and what came since.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count
from typing import Any, NamedTuple

from django.contrib.admin.models import LogEntry
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet

from core.ids import ID_LENGTH
from core.models import OutgoingMail, StoredAnswer, User
from core.names import is_numbered, numbered, unlinked
from core.statements import parts
from tournaments import selectors
from tournaments.models import (
    LONGEST_AUTHOR,
    LONGEST_REASON,
    Action,
    Call,
    Delivery,
    Entry,
    Event,
    KeepApart,
    Membership,
    Penalty,
    Player,
    Table,
)

NAMED_BY = ("id", "entry", "player", "seat")  # keys beside `name` that say whose name it is
LABELS = ("label", "room")  # what a club calls a table
LINKS = ("http://", "https://")  # as they begin in mails, and no name does there
# Keys of answers whose texts may name anybody.
WORDS = ("detail", "explanations", "here_already", "message", "reason", "suggestion", "text", *LABELS)
SAVED_AT_ONCE = 200  # rows: a statement says of each what it becomes
START, WORD = re.compile(r"(?<!\w)(?=\S)"), re.compile(r"\w")  # where a name may begin, and where none ends


def _folded(text: str) -> str:
    """Return a text in lower case, each letter by itself, so that all of them stay in their places."""
    return text.lower() if text.isascii() else "".join(map(_folded_letter, text))


@cache
def _folded_letter(letter: str) -> str:
    upper = letter.upper()
    return (upper if len(upper) == 1 else letter).lower()[0]


def _form(text: str, folded: str, start: int, end: int) -> str:
    """Return a part of a text by which a name is found; one or two letters are a name only as they are written."""
    return (folded if end - start > 2 else text)[start:end]


@dataclass(frozen=True)
class Words:
    """Names, each with the one that takes its place in texts."""

    names: tuple[tuple[str, str], ...]

    @cached_property
    def _by_form(self) -> dict[str, str]:
        return {_form(name, _folded(name), 0, len(name)): other for name, other in reversed(self.names)}

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted({len(name) for name, _ in self.names}, reverse=True)

    @cached_property
    def as_told(self) -> Words:
        """The same names, also as mails and channels say them."""
        return Words((*self.names, *((unlinked(name), other) for name, other in self.names)))

    def out_of_text(self, text: str) -> str:
        """Return a text with other names in it, the longest first; it takes no longer for many names than for few."""
        folded, said, done = _folded(text), "", 0
        for start in (found.start() for found in START.finditer(text)) if self.names else ():
            if start >= done and (end := self._end(text, folded, start)):
                said += text[done:start] + self._by_form[_form(text, folded, start, end)]
                done = end
        return said + text[done:]

    def _end(self, text: str, folded: str, start: int) -> int | None:
        """Return where the name ends that begins somewhere in a text."""
        ends = (start + length for length in self._lengths if start + length <= len(text))
        likely = (end for end in ends if _form(text, folded, start, end) in self._by_form)
        return next((end for end in likely if not WORD.match(text, end)), None)

    def out_of_lines(self, text: str) -> str:
        """Return a mail with other names in it, but for lines that are links."""
        lines = text.split("\n")
        return "\n".join(line if line.startswith(LINKS) else self.out_of_text(line) for line in lines)

    def out_of_json(self, value: Any) -> Any:
        """Return a value with other names in any text."""
        if isinstance(value, list):
            return [self.out_of_json(each) for each in value]
        if isinstance(value, dict):
            return {self.out_of_text(key): self.out_of_json(each) for key, each in value.items()}
        return self.out_of_text(value) if isinstance(value, str) else value

    def out_of_words(self, value: Any) -> Any:
        """Return an answer with other names in its words; what programs read may look like a name."""
        if isinstance(value, list):
            return [self.out_of_words(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: self.out_of_json(each) if key in WORDS and isinstance(each, str | list) else self.out_of_words(each)
            for key, each in value.items()
        }

    def out_of_labels(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return fields with other names in the labels among them."""
        labels = {name: self.out_of_text(fields[name]) for name in LABELS if name in fields}
        return fields | {name: text[: Event.LONGEST_LABEL] for name, text in labels.items()}


@dataclass(eq=False)
class Person:
    """Somebody whose names are replaced by another, with their records and entries as they are before.

    `own_name` is the name they have by now, where only some of their entries still have the one that is to go.
    `told_apart` are the names that nobody else has in their events, which can therefore be replaced in free text.
    """

    kept: Player
    records: list[Player] = field(default_factory=list)
    entries: dict[int, Entry] = field(default_factory=dict)
    name: str = ""
    own_name: str = ""
    told_apart: frozenset[str] = frozenset()

    @property
    def known(self) -> list[Player | Entry]:
        """All that has a name of theirs."""
        entries = self.entries.values()
        return [*self.records, *entries, *(entry.player for entry in entries)]

    @property
    def accounts(self) -> set[int]:
        """Return the keys of the accounts that are theirs, and not only a club's word."""
        return {record.user_id for record in self.records if record.user_id and not record.tied_by_club}

    @property
    def names(self) -> set[str]:
        """Return the names that they have."""
        return {each.name for each in self.known}

    @property
    def events(self) -> set[int]:
        """Return the keys of the events they are in."""
        return {entry.event_id for entry in self.entries.values()}


class Forgotten:
    """People who lose their names at once: the last of them is forgotten, the others only have the name from them.

    `mistaken` are entries of those others. Who has been given a name of their own since, or is known as somebody else
    by now, keeps that, and these entries get it too.
    """

    def __init__(self, player: Player, mistaken: Sequence[Entry] = ()) -> None:
        named = {entry.player for entry in mistaken if selectors.is_named_as_entered(entry)}
        people = [*sorted(named, key=lambda each: each.pk), player]
        self.people = [Person(each) for each in people]
        of_record: dict[int, Person] = {}
        by_key = {person.kept.pk: person for person in self.people}
        for part in parts(people):
            for record in selectors.records_of(*part):
                # Whoever was merged into somebody else at this moment is refused later, or left alone.
                person = of_record[record.pk] = by_key.get(record.person_id) or by_key[record.pk]
                person.records.append(record)
        for keys in parts(list(of_record)):
            found = Entry.objects.filter(Q(player__in=keys) | Q(claims__in=keys))
            for entry in found.select_related("event__season", "player").order_by("pk"):
                for key in (entry.player_id, entry.claims_id):
                    if key in of_record:
                        of_record[key].entries[entry.pk] = entry
        others = (entry for entry in mistaken if entry.player not in named)
        self.people[:-1] += [_called_otherwise(entry) for entry in others]
        roster = _Roster(self.events)
        for person in self.people:
            roster.rename(person)

    @property
    def gone(self) -> Person:
        """The one who is forgotten."""
        return self.people[-1]

    @cached_property
    def events(self) -> list[int]:
        """The keys of all their events."""
        return sorted({key for person in self.people for key in person.events})

    @cached_property
    def entries(self) -> list[tuple[Entry, Person]]:
        """All their entries, with whose each is, those of an event together."""
        found = [(entry, person) for person in self.people for entry in person.entries.values()]
        return sorted(found, key=lambda each: each[0].event_id)

    @cached_property
    def whose(self) -> dict[str, Person]:
        """The people by the ids of their records and entries."""
        return {each.uid: person for person in self.people for each in person.known}

    def owners(self, model: type[Model]) -> dict[int, Person]:
        """Return the people by the keys of their records, or of their entries."""
        return {each.pk: person for person in self.people for each in person.known if isinstance(each, model)}

    @cached_property
    def _in_events(self) -> dict[int, list[Person]]:
        found: dict[int, list[Person]] = {}
        for person in self.people:
            for event in person.events:
                found.setdefault(event, []).append(person)
        return found

    @cached_property
    def _words(self) -> dict[frozenset[Person], Words]:
        return {}

    def words(self, events: Iterable[int], uids: Iterable[str] = ()) -> Words:
        """Return the names that are replaced in texts of some events, or beside the ids of some of the people."""
        wanted = frozenset(each for event in events for each in self._in_events.get(event, ()))
        wanted |= {self.whose[uid] for uid in uids}
        if wanted not in self._words:
            ordered = (each for each in self.people if each in wanted)
            names = ((name, each.name) for each in ordered for name in sorted(each.told_apart))
            self._words[wanted] = Words(tuple(names))
        return self._words[wanted]

    def out_of_json(self, value: Any) -> Any:
        """Return a value with another name wherever an id beside it says whose it is."""
        if isinstance(value, list):
            return [self.out_of_json(each) for each in value]
        if not isinstance(value, dict):
            return value
        clean = {key: self.out_of_json(each) for key, each in value.items()}
        beside = (value.get(key) for key in NAMED_BY) if "name" in value else ()
        for uid in beside:
            if isinstance(uid, str) and uid in self.whose:
                clean["name"] = self.whose[uid].name
        return clean

    def is_as(self, other: Forgotten) -> bool:
        """Say whether these are the same people, with the same names."""
        return self._facts == other._facts

    @property
    def _facts(self) -> list[Any]:
        return [(each.name, each.told_apart, {known.uid for known in each.known}) for each in self.people]


def _called_otherwise(entry: Entry) -> Person:
    """Return whose an entry is that has another's name, while they themselves are called otherwise."""
    record = entry.player
    # A record with a name of its own keeps it where it was merged too: that may be taken back.
    called = (record.merged_into or record).name if is_numbered(entry.name, record.name) else record.name
    return Person(record, records=[record], entries={entry.pk: entry}, own_name=called)


def _other_names(person: Person) -> Iterator[str]:
    """Yield the names that somebody may get: one of their own with a number behind it, or one that says nothing."""
    if person.own_name:
        yield person.own_name
        yield from (numbered(person.own_name, number) for number in count(2))
    yield from (f"Player {person.kept.uid[:length]}" for length in (4, 8, ID_LENGTH))


class _Roster:
    """Who is called what in some events, while people get other names one after the other."""

    def __init__(self, events: Sequence[int]) -> None:
        self._called: dict[int, dict[str, set[int]]] = {event: {} for event in events}
        for part in parts(events):
            for event, key, name in Entry.objects.filter(event__in=part).values_list("event", "pk", "name"):
                self._called[event].setdefault(name.casefold(), set()).add(key)

    def rename(self, person: Person) -> None:
        """Give a person another name, which nobody else has in their events."""
        own = person.entries.keys()
        events = [self._called[event] for event in person.events]

        def is_free(name: str) -> bool:
            return all(event.get(name.casefold(), set()) <= own for event in events)

        person.told_apart = frozenset(filter(is_free, person.names))
        person.name = next(filter(is_free, _other_names(person)))
        for key, entry in person.entries.items():
            called = self._called[entry.event_id]
            called.get(entry.name.casefold(), set()).discard(key)
            called.setdefault(person.name.casefold(), set()).add(key)


Forget = Callable[[Forgotten], object]
_listeners: list[Forget] = []


def tell(listener: Forget) -> None:
    """Register a function that takes names out of what an application above keeps, in the transaction."""
    _listeners.append(listener)


def forget(them: Forgotten, found: Found) -> None:
    """Take people's names out of the history of their events, stored answers, messages, and what others keep."""
    _forget_in_history(them)
    _forget_in_texts(them)
    _forget_in_labels(them)
    _forget_in_admin(them)
    _forget_in_messages(them, found)
    for listener in _listeners:
        listener(them)


def save(rows: Sequence[Model], *fields: str) -> None:
    """Save fields of rows of one model, by few statements."""
    if rows:
        type(rows[0])._default_manager.bulk_update(rows, fields, batch_size=SAVED_AT_ONCE)  # noqa: SLF001


# --- History ------------------------------------------------------------------------------------------------------


def _forget_in_history(them: Forgotten) -> None:
    for part in parts(them.entries):
        by_uid = {entry.uid: person for entry, person in part}
        labels = {(entry.event_id, f"player {entry.name}"): person for entry, person in part}
        said = Q(actor__in={label for _, label in labels}) | Q(facts__entry__in=list(by_uid))
        changed = []
        for action in Action.objects.filter(said, event__in={entry.event_id for entry, _ in part}):
            before = action.actor, action.facts
            about = by_uid.get(action.facts.get("entry"))
            phone = _phone(action)
            by = them.whose.get(phone) if phone else labels.get((action.event_id, action.actor))
            # An earlier phone of theirs vouches, or takes the entry back, under the name that it had in its own event.
            if by is None and not phone and about is not None and action.actor in _labels("player", about):
                by = about
            if by is not None:
                action.actor = f"player {by.name}"
            if about is not None and "name" in action.facts:
                action.facts = action.facts | {"name": about.name}
            if (action.actor, action.facts) != before:
                changed.append(action)
        save(changed, "actor", "facts")
    claims = {uid: said.event_id for uid, said in selectors.said_to_be(them.gone.kept).items()}
    _forget_phones(them.gone, claims)
    _forget_accounts(them.gone, claims)


def _phone(action: Action) -> str:
    """Return the id of the entry of another event whose phone did something, where that was written down."""
    by = action.facts.get("by")
    return by if isinstance(by, str) and action.actor.startswith("player ") else ""


def _labels(kind: str, person: Person) -> set[str]:
    return {f"{kind} {name}" for name in person.names}


def _forget_phones(person: Person, claims: dict[str, int]) -> None:
    """Take somebody's name off what their phones did about entries that are not theirs.

    These are entries that said they were them, and those of people they were merged with once.
    """
    parted = {entry.uid: entry for entry in selectors.parted_from(person.kept)}
    events = {uid: entry.event_id for uid, entry in parted.items()} | claims
    labels, own = _labels("player", person), {each.uid for each in person.known}
    for part in parts(list(events)):
        changed = []
        for action in Action.objects.filter(facts__entry__in=part, event__in={events[uid] for uid in part}):
            of = parted.get(action.facts["entry"])
            # Two who were taken for one often have one name, and each did something about their own entry.
            is_own = of is not None and action.actor in {f"player {of.name}", f"player {action.facts.get('name')}"}
            phone = _phone(action)
            if phone in own if phone else action.actor in labels and not is_own:
                action.actor = f"player {person.name}"
                changed.append(action)
        save(changed, "actor")


def _forget_accounts(person: Person, claims: dict[str, int]) -> None:
    """Take somebody's account off what it did, in whichever event.

    An account that runs the club's events stays in their history, but not with what it did about its own entries, and
    about those that said they were them. Of an account that is theirs no more only these are found, by its name.
    """
    now: dict[str, Any] = {"actor": f"player {person.name}", "user": None}
    accounts = person.accounts
    is_member = Exists(Membership.objects.filter(club=OuterRef("event__club"), user=OuterRef("user")))
    Action.objects.filter(~is_member, user__in=accounts).update(**now)
    events = {entry.uid: entry.event_id for entry in person.entries.values()} | claims
    for part in parts(list(events)):
        about = Action.objects.filter(facts__entry__in=part, event__in={events[uid] for uid in part})
        former = ~is_member & Q(actor__in=_labels("user", person))
        about.filter(Q(user__in=accounts) | former).update(**now)


def _forget_in_texts(them: Forgotten) -> None:
    rewrite_texts(Action.objects.all(), "event", them)
    rewrite_texts(Penalty.objects.all(), "event", them)
    rewrite_texts(Call.objects.all(), "table__round__event", them, "text", Call.LONGEST_TEXT)


def rewrite_texts(
    rows: QuerySet[Any], event: str, them: Forgotten, name: str = "reason", longest: int = LONGEST_REASON
) -> None:
    """Take names out of what people wrote, most often as a reason; `event` leads from a row to its event."""
    for part in parts(them.events):
        changed = []
        for row in rows.filter(**{f"{event}__in": part}).exclude(**{name: ""}).annotate(of=F(event)):
            text = getattr(row, name)
            if (clean := them.words([row.of]).out_of_text(text)[:longest]) != text:
                setattr(row, name, clean)
                changed.append(row)
        save(changed, name)


def forget_authors(rows: QuerySet[Any], event: str, them: Forgotten) -> None:
    """Take the accounts of whoever is forgotten off what says by their names alone who sent it.

    One that works for the club to this day stays, and so does another of that name, which may have sent it.
    """
    users = list(User.objects.filter(pk__in=them.gone.accounts))
    is_member = Exists(
        Membership.objects.filter(club=OuterRef(f"{event}__club"), user__name__in=[user.name for user in users])
    )
    labels = [f"user {user.public_name}"[:LONGEST_AUTHOR] for user in users]
    rows.filter(~is_member, author__in=labels).update(author=f"user {them.gone.name}"[:LONGEST_AUTHOR])


def _forget_in_labels(them: Forgotten) -> None:
    """Take names out of what clubs call their tables: the tables, the plan of the room, and the history of both."""
    for part in parts(them.events):
        tables = Table.objects.filter(round__event__in=part).exclude(label="", room="").annotate(of=F("round__event"))
        for table in tables:
            before = {name: getattr(table, name) for name in LABELS}
            if (clean := them.words([table.of]).out_of_labels(before)) != before:
                Table.objects.filter(pk=table.pk).change(**clean)
        planned = list(Event.objects.filter(pk__in=part).exclude(table_labels=[]))
        for event in planned:
            event.table_labels = [them.words([event.pk]).out_of_labels(each) for each in event.table_labels]
        save(planned, "table_labels")
        labelled = list(Action.objects.filter(event__in=part, verb="table-labelled"))
        for action in labelled:
            action.facts = them.words([action.event_id]).out_of_labels(action.facts)
        save(labelled, "facts")


def _forget_in_admin(them: Forgotten) -> None:
    """Take names out of what the log of the admin calls people, their entries, and pairs that are kept apart."""
    _forget_in_logged_pairs(them)
    for model in (Player, Entry):
        own = {str(key): person for key, person in them.owners(model).items()}
        for part in parts(list(own)):
            for row in _logged(model).filter(object_id__in=part):
                person = own[str(row.object_id)]
                _save_logged(row, person.name, _names_of([person]))  # whatever they were called then


def _forget_in_logged_pairs(them: Forgotten) -> None:
    """Take names out of what the log calls pairs; of a pair that is not kept any more nobody knows whose it was."""
    owners = them.owners(Player)
    pairs = {str(key): pair for key, *pair in KeepApart.objects.values_list("pk", "first", "second")}
    of_nobody = them.words(them.events, [them.gone.kept.uid])
    for row in _logged(KeepApart):
        pair = pairs.get(str(row.object_id))
        names = of_nobody if pair is None else _names_of([owners[key] for key in pair if key in owners])
        if names.names:
            _save_logged(row, names.out_of_text(row.object_repr), names)


def _names_of(people: Sequence[Person]) -> Words:
    return Words(tuple((name, person.name) for person in people for name in sorted(person.names)))


def _logged(model: type[Model]) -> QuerySet[LogEntry]:
    about = model._meta  # noqa: SLF001 (Django's own API)
    return LogEntry.objects.filter(content_type__app_label=about.app_label, content_type__model=about.model_name)


def _save_logged(row: LogEntry, called: str, words: Words) -> None:
    """Write a row of the log anew, which tells its changes as JSON or in plain words."""
    try:
        said = json.dumps(words.out_of_json(json.loads(row.change_message)))
    except ValueError:
        said = words.out_of_text(row.change_message)
    if (called, said) != (row.object_repr, row.change_message):
        row.object_repr, row.change_message = called, said
        row.save(update_fields=["object_repr", "change_message"])


# --- Messages -----------------------------------------------------------------------------------------------------


class Kept(NamedTuple):
    """What a message says, and what else is known of what it is about."""

    said: Any
    of: Any


def _out_of_answers(them: Forgotten, answers: Sequence[Kept]) -> list[Any]:
    """Return answers without names: also those about the people's events, which may name nothing but a table."""
    mentioned = [set(_ids_in(answer.said)) for answer in answers]
    events = _events_of({uid for uids in mentioned for uid in uids})
    clean = []
    for answer, uids in zip(answers, mentioned, strict=True):
        words = them.words({events[uid] for uid in uids & events.keys()}, uids & them.whose.keys())
        clean.append(words.out_of_words(them.out_of_json(answer.said)))
    return clean


def _events_of(uids: Iterable[str]) -> dict[str, int]:
    """Return the events that ids are of, or of whose entries or tables."""
    asked: Sequence[tuple[type[Any], str]] = ((Event, "pk"), (Entry, "event"), (Table, "round__event"))
    wanted = list(uids)
    return {
        uid: event
        for model, path in asked
        for part in parts(wanted)
        for uid, event in model.objects.filter(uid__in=part).values_list("uid", path)
    }


def _ids_in(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value that may be an id."""
    if isinstance(value, str) and len(value) == ID_LENGTH:
        yield value
    elif isinstance(value, list | dict):
        for each in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from _ids_in(each)


def _out_of_deliveries(them: Forgotten, deliveries: Sequence[Kept]) -> list[Any]:
    """Return messages without names: also in what channels were told in words, which no id tells to be about them."""
    events = {entry.event.uid: entry.event_id for entry, _ in them.entries}
    clean = []
    for payload, _of in deliveries:
        told = payload.get("data", {})
        words = them.words([events[told["event"]]] if "text" in told and told.get("event") in events else [])
        clean.append(words.as_told.out_of_json(them.out_of_json(payload)))
    return clean


def _out_of_mails(them: Forgotten, mails: Sequence[Kept]) -> list[Any]:
    """Return the texts of mails about events without names; links in them stay as they are.

    They name people as the event does, where no two have one name: so also what is not told apart elsewhere goes.
    """
    named: dict[str, list[tuple[Entry, Person]]] = {}
    for entry, person in them.entries:
        named.setdefault(entry.event.uid, []).append((entry, person))
    words = {}
    for uid in {mail.of for mail in mails} & named.keys():
        here = tuple((entry.name, person.name) for entry, person in named[uid])
        words[uid] = Words((*here, *them.words([named[uid][0][0].event_id]).names)).as_told
    return [words[mail.of].out_of_lines(mail.said) if mail.of in words else mail.said for mail in mails]


@dataclass(frozen=True)
class Messages:
    """A kind of messages or sheets that are kept, and what takes names out of many.

    `of` is what tells what each is about, `version` what is another once its text is. `among` narrows down where to
    search, by one statement or several.
    """

    model: type[Any]
    field: str
    clean: Callable[[Forgotten, Sequence[Kept]], list[Any]]
    of: str = "pk"
    version: str = "pk"
    among: Callable[[Forgotten], Iterable[Q]] = lambda _them: [Q()]

    def versions(self, them: Forgotten) -> dict[int, int]:
        """Return the keys of all that may name somebody, each with its version."""
        rows = self.model.objects.order_by().values_list("pk", self.version)
        return {key: version for each in self.among(them) for key, version in rows.filter(each)}

    def search(self, them: Forgotten, keys: Iterable[int]) -> list[Any]:
        """Return those that name somebody, without the names, not saved."""
        return [row for part in parts(sorted(keys)) for row in self._search(them, part)]

    def rewrite(self, them: Forgotten, keys: Iterable[int]) -> None:
        """Take the names out of those that name somebody."""
        for part in parts([row.pk for row in self.search(them, keys)]):
            # Read again once nobody else writes: a mail may have been sent since, and a phone may have written on.
            list(self.model.objects.select_for_update(no_key=True).filter(pk__in=part).order_by("pk").values("pk"))
            save(list(self._search(them, part)), self.field)

    def _search(self, them: Forgotten, keys: Sequence[int]) -> Iterator[Any]:
        rows = list(self.model.objects.filter(pk__in=keys).values_list("pk", self.field, self.of))
        kept = [Kept(said, of) for _key, said, of in rows]
        for (key, before, _of), clean in zip(rows, self.clean(them, kept), strict=True):
            if clean != before:
                yield self.model(pk=key, **{self.field: clean})


_kinds = [
    Messages(StoredAnswer, "body", _out_of_answers),
    Messages(Delivery, "payload", _out_of_deliveries),
    # The text is erased once nobody will send it again.
    Messages(OutgoingMail, "body", _out_of_mails, of="about", among=lambda _: [~Q(next_attempt_at=None)]),
]


def look_into(*kinds: Messages) -> None:
    """Register what an application above keeps, to be searched before anything is locked."""
    _kinds.extend(kinds)


@dataclass(frozen=True)
class Found:
    """Which messages were searched for whom, in which versions, and which of them name somebody."""

    them: Forgotten
    searched: Sequence[dict[int, int]]
    naming: Sequence[set[int]]


def look(find: Callable[[], Forgotten]) -> Found:
    """Find the messages that name people, whom a function returns, before anything is locked."""
    them = find()
    searched = [kind.versions(them) for kind in _kinds]
    pairs = zip(_kinds, searched, strict=True)
    return Found(them, searched, [{row.pk for row in kind.search(them, keys)} for kind, keys in pairs])


def _forget_in_messages(them: Forgotten, found: Found) -> None:
    """Take names out of messages that were found, and of those that came since; of all where people are others now."""
    is_found = them.is_as(found.them)
    for kind, searched, naming in zip(_kinds, found.searched, found.naming, strict=True):
        # A key says nothing of the order: on PostgreSQL a row with a lower one may be committed later.
        now = kind.versions(them)
        since = {key for key, _ in now.items() - searched.items()} if is_found else now.keys()
        kind.rewrite(them, naming | since)
