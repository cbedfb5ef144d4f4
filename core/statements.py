"""Statements written once: what the most frequent requests ask the database, composed by the ORM when first needed.

Django composes the SQL of a query each time it runs, which costs more than sending it and reading the answer. A
`Prepared` query is composed once per process, from a query of the ORM in which each value stands as a place; on
PostgreSQL the server plans it once per connection too (`DATABASE_PREPARE`). `insert` does the same for new rows.
Rows come back as the same objects that the query itself would give.
"""

from __future__ import annotations

# ruff: noqa: SLF001 -- `_meta` and `_state` are how Django has a model described
# ruff: noqa: S608 -- statements are put together from names in our own models
import datetime as dt
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import JSONField, Model, QuerySet
from django.db.models import query as querysets

get_related_populators: Any = querysets.get_related_populators  # the stubs have that of a later Django

M = TypeVar("M")
R = TypeVar("R", bound=Model)
Quote = Callable[[str], str]
Kind = tuple[str, bool]  # of database: its vendor, and whether its server keeps plans

PLACE = re.compile("%[s%]")
PLAIN = {int, str, bool, type(None)}  # stored as they are, but in JSON
MOST_VALUES = 30_000  # in one statement: SQLite takes 32,766, PostgreSQL twice as many
A_PART = 1_000  # of many ids, to ask for by one statement

# What stands for a value while a query is composed: found again among its parameters, and never sent.
PLACES: dict[type, Callable[[int], Any]] = {
    str: "\x1aplace {}".format,
    int: lambda number: 2_147_400_000 + number,
    dt.datetime: lambda number: dt.datetime(1, 2, 3, tzinfo=dt.UTC) + dt.timedelta(microseconds=number),
}


@dataclass(frozen=True, slots=True)
class _Composed:
    """A query in the words of one kind of database; `places` are the values it takes, where its parameters are."""

    sql: str
    sent: str  # the same as the cursor wants it
    params: tuple[Any, ...]
    places: tuple[tuple[int, int], ...]
    read: Callable[[list[Any]], list[Any]]

    def filled(self, values: Sequence[Any]) -> list[Any]:
        filled = list(self.params)
        for index, number in self.places:
            filled[index] = values[number]
        return filled


class Prepared(Generic[M]):
    """A query that is composed once. `make` gets a place for each value, of the type that is named: see `PLACES`."""

    def __init__(self, make: Callable[..., QuerySet[Any, M]], *types: type) -> None:
        self._make, self._types = make, types
        self._composed: dict[Kind, _Composed] = {}

    def __call__(self, *values: Any) -> list[M]:
        """Return the rows for these values."""
        return self.ask(*values)()

    def ask(self, *values: Any) -> Callable[[], list[M]]:
        """Send the query for these values, and return what reads its rows: `together`, several wait once."""
        db = connections[DEFAULT_DB_ALIAS]
        composed = self._composed.get(_kind(db)) or self._compose()
        cursor = _cursor(db)
        cursor.execute(composed.sent, composed.filled(_adapted(values)))

        def read() -> list[M]:
            with cursor:
                return composed.read(cursor.fetchall())

        return read

    def written(self, *values: Any) -> tuple[str, tuple[Any, ...]]:
        """Return the statement and its parameters for these values."""
        composed = self._composed.get(_kind(connection)) or self._compose()
        return composed.sql, tuple(composed.filled(_adapted(values)))

    def first(self, *values: Any) -> M | None:
        """Return the first of the rows; None where there is none."""
        found = self(*values)
        return found[0] if found else None

    def _compose(self) -> _Composed:
        places = [PLACES[each](number) for number, each in enumerate(self._types)]
        queryset, places = self._make(*places), _adapted(places)
        compiler = queryset.query.get_compiler(using=connection.alias)
        sql, params = compiler.as_sql()
        found = [(index, places.index(each)) for index, each in enumerate(params) if each in places]
        if {number for _index, number in found} != set(range(len(places))):
            raise ValueError("a value has no place of its own in the query")
        composed = _Composed(sql, _sent(connection, sql), tuple(params), tuple(found), _reader(queryset, compiler))
        self._composed[_kind(connection)] = composed
        return composed


def _adapted(values: Sequence[Any]) -> list[Any]:
    """Return values as a query hands them to the database: only times differ, and only on SQLite."""
    adapt = connection.ops.adapt_datetimefield_value
    return [adapt(value) if isinstance(value, dt.datetime) else value for value in values]


def _reader(queryset: Any, compiler: Any) -> Callable[[list[Any]], list[Any]]:
    """Return what makes rows of a composed query what it returns: objects with all they are selected with, or tuples.

    This is what Django's own `ModelIterable` does with each query anew.
    """
    converters = compiler.get_converters([each for each, _sql, _alias in compiler.select])
    kind, select = compiler.klass_info, compiler.select

    def converted(rows: list[Any]) -> list[Any]:
        return list(map(tuple, compiler.apply_converters(rows, converters))) if converters else rows

    if not issubclass(queryset._iterable_class, querysets.ModelIterable):
        return converted
    first, last = kind["select_fields"][0], kind["select_fields"][-1] + 1
    names = [each.target.attname for each, _sql, _alias in select[first:last]]
    related = get_related_populators(kind, select, connection.alias)

    def read(rows: list[Any]) -> list[Any]:
        found = []
        for row in converted(rows):
            made = kind["model"].from_db(connection.alias, names, row[first:last])
            for each in related:
                each.populate(row, made)
            for name, index in compiler.annotation_col_map.items():
                setattr(made, name, row[index])
            found.append(made)
        return found

    return read


_written: dict[tuple[Any, ...], str] = {}


def insert(*rows: R) -> None:
    """Store new rows of one model by one statement. A single one without a key gets it, several do not."""
    db, model = connections[DEFAULT_DB_ALIAS], type(rows[0])
    key = model._meta.pk if rows[0].pk is None else None
    fields: list[Any] = [each for each in model._meta.local_concrete_fields if each is not key]
    is_asked = key is not None and len(rows) == 1

    def write(quote: Quote) -> str:
        columns = ", ".join(quote(each.column) for each in fields)
        places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * len(rows))
        returned = f" RETURNING {quote(_key(model))}" if is_asked else ""
        return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES {places}{returned}"

    values = [_prepared(each, each.pre_save(row, add=True), db) for row in rows for each in fields]
    with _cursor(db) as cursor:
        cursor.execute(_once(db, write, model, len(rows), is_asked), values)
        if is_asked:
            (rows[0].pk,) = cursor.fetchone()
    for row in rows:
        row._state.adding, row._state.db = False, db.alias


def insert_all(rows: Sequence[R], *, as_given: Collection[str] = (), is_lenient: bool = False) -> None:
    """Store new rows of one model in order, by few statements; each takes the keys of rows it names, and gets its own.

    A time that is named in `as_given` stays what the row says, where storing it would otherwise write down now. Where
    it `is_lenient`, rows that a constraint keeps out are left out, and none gets a key.
    """
    if not rows:
        return
    db, model = connections[DEFAULT_DB_ALIAS], type(rows[0])
    _name_stored(rows)
    key = model._meta.pk if rows[0].pk is None else None
    fields: list[Any] = [each for each in model._meta.local_concrete_fields if each is not key]
    columns = ", ".join(db.ops.quote_name(each.column) for each in fields)
    beginning = f"INSERT INTO {db.ops.quote_name(model._meta.db_table)} ({columns}) VALUES "
    is_asked = key is not None and not is_lenient
    returned = f" RETURNING {db.ops.quote_name(_key(model))}" if is_asked else ""
    ending = " ON CONFLICT DO NOTHING" if is_lenient else returned
    place, most = f"({', '.join(['%s'] * len(fields))})", MOST_VALUES // len(fields)
    for batch in (rows[first : first + most] for first in range(0, len(rows), most)):
        values = [
            _prepared(each, getattr(row, each.attname) if each.name in as_given else each.pre_save(row, add=True), db)
            for row in batch
            for each in fields
        ]
        # Each number of rows is another statement, so these are neither kept here nor planned by the server.
        with db.cursor() as cursor:
            cursor.execute(beginning + ", ".join([place] * len(batch)) + ending, values)
            keys = cursor.fetchall() if is_asked else ()
        for row, found in zip(batch, keys, strict=is_asked):
            (row.pk,) = found
    for row in rows:
        row._state.adding, row._state.db = False, db.alias


def parts(values: Sequence[M], most: int = A_PART) -> Iterator[Sequence[M]]:
    """Yield many values in parts, a statement each: none grows with what somebody has."""
    return (values[first : first + most] for first in range(0, len(values), most))


def _name_stored(rows: Sequence[Model]) -> None:
    """Give rows the keys of the rows they name, which were stored after these were made."""
    relations: list[Any] = [each for each in rows[0]._meta.local_concrete_fields if each.is_relation]
    for row in rows:
        for each in relations:
            if (named := each.get_cached_value(row, default=None)) is not None:
                # Through the attribute, Django would forget the row that is named here.
                vars(row)[each.attname] = getattr(named, each.target_field.attname)


def _prepared(field: Any, value: Any, db: Any) -> Any:
    """Return a value as the database takes it. Most are plain, and Django would hand them through five functions."""
    return value if type(value) in PLAIN and not isinstance(field, JSONField) else field.get_db_prep_save(value, db)


def change(row: Model, **fields: Any) -> None:
    """Save fields of a row by one statement, and add one to its version; the object is changed with it."""
    db, model = connections[DEFAULT_DB_ALIAS], type(row)
    changed: list[Any] = [model._meta.get_field(name) for name in fields]

    def write(quote: Quote) -> str:
        values = ["version = version + 1", *(f"{quote(each.column)} = %s" for each in changed)]
        return f"UPDATE {quote(model._meta.db_table)} SET {', '.join(values)} WHERE {quote(_key(model))} = %s"

    values = [_prepared(each, fields[each.name], db) for each in changed]
    with _cursor(db) as cursor:
        cursor.execute(_once(db, write, model, "change", *fields), [*values, row.pk])
    for name, value in {**fields, "version": row.version + 1}.items():  # type: ignore[attr-defined]
        setattr(row, name, value)


def remove(model: type[Model], by: str, value: Any) -> None:
    """Delete the rows of a model that have a value in a column; nothing else may hang on them."""
    db = connections[DEFAULT_DB_ALIAS]

    def write(quote: Quote) -> str:
        return f"DELETE FROM {quote(model._meta.db_table)} WHERE {quote(by)} = %s"

    with _cursor(db) as cursor:
        cursor.execute(_once(db, write, model, "remove", by), [value])


def _once(db: Any, write: Callable[[Quote], str], *kind: Any) -> str:
    """Return a statement of this kind, written when it is first needed."""
    sql = _written.get((_kind(db), *kind))
    if sql is None:
        sql = _written[_kind(db), *kind] = _sent(db, write(db.ops.quote_name))
    return sql


def _key(model: type[Model]) -> str:
    return str(model._meta.pk.column)


@contextmanager
def together() -> Iterator[None]:
    """Send the statements of a block without waiting for each; what is wrong with one is raised at the end, or before.

    Only `ask`, `insert` of several rows, `change` and `remove` do not wait: everything else waits for those before it.
    """
    db = connections[DEFAULT_DB_ALIAS]
    if db.vendor != "postgresql":
        yield
        return
    db.ensure_connection()
    with db.wrap_database_errors, db.connection.pipeline():
        yield


def _sent(db: Any, sql: str) -> str:
    """Return a statement as `_cursor` takes it: on PostgreSQL with numbered places, so that nothing reads it again."""
    numbers = count(1)
    return PLACE.sub(lambda found: "%" if found[0] == "%%" else f"${next(numbers)}", sql) if _has_plans(db) else sql


def _has_plans(db: Any) -> bool:
    return hasattr(db, "prepared_cursor")


def _kind(db: Any) -> Kind:
    """Return what a statement is written for: Django's own PostgreSQL takes other places than ours."""
    return db.vendor, _has_plans(db)


def _cursor(db: Any) -> Any:
    """Return a cursor as Django's; on PostgreSQL one whose statements the server keeps planned."""
    return db.prepared_cursor() if _has_plans(db) else db.cursor()
