"""Whole columns of rows in and out of the database: in a few large values on PostgreSQL, as tuples on SQLite."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import QuerySet
from numpy.typing import NDArray
from psycopg import Cursor

Columns = dict[str, NDArray[Any]]

TIME = "time"  # read as microseconds since 1970
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MICROSECOND = dt.timedelta(microseconds=1)
POSTGRESQL_EPOCH = (dt.datetime(2000, 1, 1, tzinfo=dt.UTC) - EPOCH) // MICROSECOND
COPY_HEADER, COPY_TRAILER = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"


def fetch(rows: QuerySet[Any, Any], kinds: Mapping[str, str]) -> Columns:
    """Return columns of a query by name. A kind is `TIME` or a NumPy type as wide as the column is in the database.

    No value may be null.
    """
    rows = rows.values_list(*kinds)
    if connection.vendor == "postgresql":
        return _fetch_packed(rows, kinds)
    fields = [(name, "i8" if kind == TIME else kind) for name, kind in kinds.items()]
    found = np.array([tuple(map(_plain, row)) for row in rows.iterator(chunk_size=10_000)], fields)
    return {name: found[name] for name in kinds}


def _plain(value: Any) -> Any:
    return (value - EPOCH) // MICROSECOND if isinstance(value, dt.datetime) else value


def as_stored(time: int) -> Any:
    """Return microseconds since 1970 as the database takes a time."""
    return connection.ops.adapt_datetimefield_value(EPOCH + time * MICROSECOND)


def _fetch_packed(rows: QuerySet[Any, Any], kinds: Mapping[str, str]) -> Columns:
    """Have the server string the binary form of all rows together: one value, however many rows.

    Rows one by one cost several times the rest of a replay in Python objects alone, `COPY` included.
    """
    query, parameters = rows.query.sql_with_params()
    # The statement is Django's own; values stay parameters.
    packing = f"SELECT string_agg(record_send(packed), '') FROM ({query}) AS packed"  # noqa: S608
    connection.ensure_connection()
    raw: Any = connection.connection
    # Django's own cursors put values into the statement, and cannot answer in binary.
    with connection.wrap_database_errors, Cursor(raw) as cursor:
        [(packed,)] = cursor.execute(packing, parameters, binary=True)
    fields = [("fields", ">i4")]
    for name, kind in kinds.items():
        fields += [
            (f"type of {name}", ">i4"),
            (f"size of {name}", ">i4"),
            (name, ">i8" if kind == TIME else f">{kind}"),
        ]
    records = np.frombuffer(packed or b"", fields)
    return {
        name: records[name] + POSTGRESQL_EPOCH if kind == TIME else records[name].astype(kind)
        for name, kind in kinds.items()
    }


def insert(table: str, columns: Columns) -> None:
    """Insert rows, given as columns as wide as they are in the database."""
    names = ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            command = f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)"
            with connection.wrap_database_errors, cursor.copy(command) as copy:
                copy.write(COPY_HEADER + _packed(columns) + COPY_TRAILER)
        else:
            marks = ", ".join(["%s"] * len(columns))
            rows = list(zip(*(column.tolist() for column in columns.values()), strict=True))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608 (our own names)


def _packed(columns: Columns) -> bytes:
    fields = [("fields", ">i2")]
    for name, column in columns.items():
        fields += [(f"size of {name}", ">i4"), (name, column.dtype.newbyteorder(">").str)]
    records = np.empty(len(next(iter(columns.values()))), fields)
    records["fields"] = len(columns)
    for name, column in columns.items():
        records[f"size of {name}"], records[name] = column.itemsize, column
    return records.tobytes()


def upsert(table: str, columns: Mapping[str, str], key: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows, or update those that have the same key. Columns come with their types, a key with commas."""
    update = ", ".join(f"{name} = excluded.{name}" for name in columns)
    clash = f"ON CONFLICT ({key}) DO UPDATE SET {update}"
    insert = f"INSERT INTO {table} ({', '.join(columns)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            arrays = ", ".join(f"%s::{kind}[]" for kind in columns.values())
            values = [list(column) for column in zip(*rows, strict=True)] or [[]] * len(columns)
            cursor.execute(f"{insert} SELECT * FROM unnest({arrays}) {clash}", values)  # noqa: S608 (our own names)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"{insert} VALUES ({marks}) {clash}", rows)


def delete(table: str, key: str, values: NDArray[np.int64]) -> None:
    """Delete rows by the values of a key."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            listed = f"{{{','.join(map(str, values.tolist()))}}}"  # much sooner written than adapted one by one
            cursor.execute(f"DELETE FROM {table} WHERE {key} = ANY(%s::bigint[])", [listed])  # noqa: S608 (own names)
        else:
            rows = [(value,) for value in values.tolist()]
            cursor.executemany(f"DELETE FROM {table} WHERE {key} = %s", rows)  # noqa: S608 (our own names)
