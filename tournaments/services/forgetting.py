"""Take somebody's name out of what was written down about them, wherever it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from core.models import StoredAnswer
from tournaments import selectors
from tournaments.models import LONGEST_REASON, Action, Call, Delivery, Entry, Event, Penalty, Player, Table
from tournaments.webhooks.texts import name_of

NAMED_BY = ("id", "entry", "player", "seat")  # keys beside `name` that say whose name it is
LABELS = ("label", "room")  # what a club calls a table
# Keys of answers whose texts may name anybody.
WORDS = ("explanations", "here_already", "message", "reason", "text", *LABELS)


@dataclass(frozen=True)
class Forgotten:
    """Somebody whose names are replaced: ids and names of their records and entries, and the name they get.

    `gone` are the ids of their records where the person is forgotten; none where they only lose a name.
    """

    ids: frozenset[str]
    gone: frozenset[str]
    names: frozenset[str]
    entries: tuple[Entry, ...]
    name: str

    @classmethod
    def of(cls, player: Player, name: str, *, is_gone: bool) -> Forgotten:
        """Return a person as they are before their name is replaced."""
        records = list(selectors.records_of(player))
        entries = tuple(selectors.entries_as(player).select_related("event", "player"))
        known: list[Player | Entry] = [*records, *entries, *(entry.player for entry in entries)]
        ids, names = frozenset(each.uid for each in known), frozenset(each.name for each in known)
        return cls(ids, frozenset(each.uid for each in records if is_gone), names, entries, name)

    @property
    def told_apart(self) -> frozenset[str]:
        """The names that nobody else has in the person's events, and that can therefore be replaced in free text."""
        events = {entry.event_id for entry in self.entries}
        others = Entry.objects.filter(event__in=events).exclude(pk__in=[entry.pk for entry in self.entries])
        taken = {name.casefold() for name in others.values_list("name", flat=True)}
        return frozenset(name for name in self.names if name.casefold() not in taken)

    def out_of_text(self, text: str, names: Collection[str]) -> str:
        """Return a text with another name in it; one or two letters are a name only as they are written."""
        for name in sorted(names, key=len, reverse=True):
            case = re.IGNORECASE if len(name) > 2 else re.NOFLAG
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: self.name, text, flags=case)
        return text

    def out_of_json(self, value: Any, names: Collection[str] = ()) -> Any:
        """Return a value with another name wherever an id beside it says whose it is; `names` also in any text."""
        if isinstance(value, list):
            return [self.out_of_json(each, names) for each in value]
        if isinstance(value, str):
            return self.out_of_text(value, names)
        if not isinstance(value, dict):
            return value
        clean = {self.out_of_text(key, names): self.out_of_json(each, names) for key, each in value.items()}
        if "name" in value and any(isinstance(each := value.get(key), str) and each in self.ids for key in NAMED_BY):
            clean["name"] = self.name
        return clean

    def out_of_words(self, value: Any, names: Collection[str]) -> Any:
        """Return an answer with another name in its words; what programs read may look like a name."""
        if isinstance(value, list):
            return [self.out_of_words(each, names) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: self.out_of_json(each, names)
            if key in WORDS and isinstance(each, str | list)
            else self.out_of_words(each, names)
            for key, each in value.items()
        }


Forget = Callable[[Forgotten], object]
_listeners: list[Forget] = []


def tell(listener: Forget) -> None:
    """Register a function that takes somebody's name out of what an application above keeps, in the transaction."""
    _listeners.append(listener)


def forget(person: Forgotten) -> None:
    """Take a person's names out of the history of their events, stored answers, messages, and what others keep."""
    _forget_in_history(person)
    names = person.told_apart
    _forget_in_labels(person, names)
    _forget_in_json(StoredAnswer.objects.all(), "body", person, person.ids, names)
    _forget_in_answers(person, names)
    _forget_in_json(Delivery.objects.all(), "payload", person, person.ids)
    _forget_in_channels(person)
    for listener in _listeners:
        listener(person)


def _forget_in_history(person: Forgotten) -> None:
    names = person.told_apart
    for entry in person.entries:
        actions = Action.objects.filter(event=entry.event_id)
        actions.filter(actor=f"player {entry.name}").update(actor=f"player {person.name}")
        # An earlier phone of theirs vouches, or takes the entry back, under the name that it had in its own event.
        labels = [f"player {each}" for each in person.names]
        by_them = actions.filter(facts__entry=entry.uid, actor__in=labels)
        by_them.update(actor=f"player {person.name}")
        for action in actions.filter(facts__entry=entry.uid, facts__has_key="name"):
            action.facts["name"] = person.name
            action.save(update_fields=["facts"])
    events = [entry.event_id for entry in person.entries]
    rewrite_reasons(Action.objects.filter(event__in=events), person, names)
    rewrite_reasons(Penalty.objects.filter(event__in=events), person, names)
    for call in Call.objects.filter(table__round__event__in=events).exclude(text=""):
        Call.objects.filter(pk=call.pk).update(text=person.out_of_text(call.text, names)[: Call.LONGEST_TEXT])


def _forget_in_labels(person: Forgotten, names: Collection[str]) -> None:
    """Take names out of what clubs call their tables: the tables, the plan of the room, and the history of both."""
    events = [entry.event_id for entry in person.entries]
    for table in Table.objects.filter(round__event__in=events).exclude(label="", room=""):
        before = {name: getattr(table, name) for name in LABELS}
        if (clean := _labels(before, person, names)) != before:
            Table.objects.filter(pk=table.pk).change(**clean)
    for event in Event.objects.filter(pk__in=events).exclude(table_labels=[]):
        plan = [_labels(each, person, names) for each in event.table_labels]
        Event.objects.filter(pk=event.pk).update(table_labels=plan)
    for action in Action.objects.filter(event__in=events, verb="table-labelled"):
        action.facts = _labels(action.facts, person, names)
        action.save(update_fields=["facts"])


def _labels(fields: dict[str, Any], person: Forgotten, names: Collection[str]) -> dict[str, Any]:
    """Return fields with other names in the labels among them."""
    labels = {name: person.out_of_text(fields[name], names) for name in LABELS if name in fields}
    return fields | {name: text[: Event.LONGEST_LABEL] for name, text in labels.items()}


def _forget_in_answers(person: Forgotten, names: Collection[str]) -> None:
    """Take names out of the words of answers about the person's events, which may name nothing but a table."""
    events = {entry.event_id for entry in person.entries}
    ids = set(Event.objects.filter(pk__in=events).values_list("uid", flat=True))
    ids |= set(Entry.objects.filter(event__in=events).values_list("uid", flat=True))
    ids |= set(Table.objects.filter(round__event__in=events).values_list("uid", flat=True))
    mentions = Q(pk=None)
    for form in {form for name in names for form in _in_json(name)}:
        mentions |= Q(as_text__icontains=form)
    for answer in StoredAnswer.objects.annotate(as_text=Cast("body", TextField())).filter(mentions):
        if not ids.isdisjoint(_texts(answer.body)):
            answer.body = person.out_of_words(answer.body, names)
            answer.save(update_fields=["body"])


def _in_json(name: str) -> set[str]:
    """Return how a name may be written in JSON: SQLite has escapes, and knows upper and lower case of ASCII alone."""
    cases = (name, name.lower(), name.upper())
    return {json.dumps(case, ensure_ascii=is_ascii)[1:-1] for case in cases for is_ascii in (True, False)}


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _forget_in_channels(person: Forgotten) -> None:
    """Take names out of what channels were told in words, which no id tells to be about the person."""
    events = {entry.event.uid for entry in person.entries}
    for told in Delivery.objects.filter(payload__data__event__in=events, payload__data__has_key="text"):
        told.payload = person.out_of_json(told.payload, {*person.told_apart, *map(name_of, person.told_apart)})
        told.save(update_fields=["payload"])


def rewrite_reasons(rows: QuerySet[Any], person: Forgotten, names: Collection[str]) -> None:
    """Take names out of what people gave as reasons."""
    mentions = Q(pk=None)
    for name in names:
        mentions |= Q(reason__icontains=name)
    for row in rows.filter(mentions):
        row.reason = person.out_of_text(row.reason, names)[:LONGEST_REASON]
        row.save(update_fields=["reason"])


def _forget_in_json(
    rows: QuerySet[Any], field: str, person: Forgotten, ids: Collection[str], names: Collection[str] = ()
) -> None:
    """Take names out of rows that have one of the ids, which are found by their text; `names` also out of words."""
    mentions = Q(pk=None)
    for uid in ids:
        mentions |= Q(as_text__contains=json.dumps(uid))
    for row in rows.annotate(as_text=Cast(field, TextField())).filter(mentions):
        setattr(row, field, person.out_of_words(person.out_of_json(getattr(row, field)), names))
        row.save(update_fields=[field])
