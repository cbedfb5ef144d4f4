"""The whole database as one file, and back: SQLite through its own backup, PostgreSQL through its own programs."""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from enum import Enum
from itertools import takewhile
from pathlib import Path

from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from core import epochs
from ops.checksums import append_checksum, matches_checksum
from ops.files import sync
from ops.sqlite.base import address as sqlite_address

MAGIC = {b"SQLite format 3\0": "sqlite", b"PGDMP": "postgresql"}
# What leads libpq to a server, and each has a variable of its own that programs would follow otherwise.
LIBPQ = Conninfo.get_defaults()
VARIABLES = {option.envvar.decode() for option in LIBPQ if option.envvar}
# These must not stand in a command, which everybody on the machine sees.
SECRETS = {option.keyword.decode() for option in LIBPQ if option.dispchar == b"*"}
# What a file of services said of a connection is among its parameters; as new as ours, older programs do not know it.
SERVICES = {"service", "servicefile"}
# The migrations that every database of ours has; one of them alone another project may have as well.
FIRST = {("core", "0001_initial"), ("tournaments", "0001_initial"), ("scoring", "0001_initial")}
# Apps of packages that former versions used: what they applied stays written down, and this code knows none of it.
RETIRED = {"axes"}
# What drops every table, view and function of a PostgreSQL's schema but those of its extensions: each kind at once, so
# that they may hang together, and nothing of another schema with them.
DROP_ALL = """
    WITH ours AS (SELECT oid AS schema FROM pg_namespace WHERE nspname = current_schema()),
         foreign_to_us AS (SELECT objid FROM pg_depend WHERE deptype = 'e'),
         kinds (place, kind, relkinds) AS (
             VALUES (1, 'MATERIALIZED VIEW', '{m}'), (2, 'VIEW', '{v}'), (3, 'TABLE', '{r,p}')
         )
    SELECT statement FROM (
        SELECT place, format('DROP %s %s', kind, string_agg(oid::regclass::text, ', ')) AS statement
        FROM pg_class JOIN kinds ON relkind::text = ANY (relkinds::text[]), ours
        WHERE relnamespace = schema AND oid NOT IN (SELECT objid FROM foreign_to_us)
        GROUP BY place, kind
        UNION ALL
        SELECT 4, format('DROP ROUTINE %s CASCADE', oid::regprocedure) FROM pg_proc, ours
        WHERE pronamespace = schema AND oid NOT IN (SELECT objid FROM foreign_to_us)
    ) AS steps ORDER BY place
"""
# In which schemas of a PostgreSQL a connection finds nothing.
OTHERS = r"SELECT nspname FROM pg_namespace WHERE nspname <> ALL (current_schemas(true)) AND nspname !~ '^pg_'"
# Where a dump of a PostgreSQL has tables, by the line about one of them in its list.
TABLES_OF_OURS = re.compile(r"^\d+; \d+ \d+ TABLE DATA (.+) django_migrations ", re.MULTILINE)
# Which database of which server a session is in, without rights that only some have.
WHERE = """
    SELECT md5(concat_ws(' ', pg_postmaster_start_time(), oid, datname, current_schema()))
    FROM pg_database WHERE datname = current_database()
"""
STAY = """
    DO $$ BEGIN
        IF ({}) <> '{}' THEN RAISE EXCEPTION 'this is another database than that of the service'; END IF;
    END $$
"""
# What gives a database another life; one of an older version has no such table until `migrate` makes it.
NEW_EPOCH = "DELETE FROM core_epoch; INSERT INTO core_epoch (value) VALUES ('{}');"
NEW_EPOCH_IF_ANY = f"DO $$ BEGIN {NEW_EPOCH} EXCEPTION WHEN undefined_table THEN NULL; END $$"
# What SQLite says of a disk that is read-only, full or failing.
CANNOT_OPEN = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN}
NOT_EMPTY = "The database is not empty. --overwrite replaces what it holds, and keeps it beside."


class DumpError(Exception):
    """A reason why a dump cannot be made or used, in one sentence."""


def kind_of(file: Path) -> str:
    """Return which database a dump is of: `sqlite` or `postgresql`."""
    try:
        # A pipe can be read once, and a dump is read several times; opening a named one would wait for its writer.
        if not stat.S_ISREG(mode := file.stat().st_mode) and not stat.S_ISDIR(mode):
            raise DumpError(f"{file} cannot be read: it is no file on a disk. Write the backup into one first.")
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        raise DumpError(f"{file} cannot be read: {error.strerror}.") from error
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            return kind
    raise DumpError(f"{file} is not a backup of Ludoscore.")


def dump(database: BaseDatabaseWrapper, file: Path) -> None:
    """Write one state of a database into a new file that only its owner can read, while others go on writing."""
    try:
        part = _draft_of(file)
    except OSError as error:
        raise DumpError(f"{file} cannot be written: {error.strerror}.") from error
    try:
        if database.vendor == "sqlite":
            _copy(Path(str(database.settings_dict["NAME"])), part)
            _check_pages(part)
        else:
            options = ("--format=custom", "--no-owner", "--no-privileges", f"--file={part}")
            _run("pg_dump", *options, *_without_others(database), link=_link(database))
        append_checksum(part)
        _put_in_place(part, file)
        sync(file.absolute().parent)
    except OSError as error:
        raise DumpError(f"{file} cannot be written: {error.strerror}.") from error
    finally:
        for ending in ("", "-journal"):  # SQLite leaves its own where the disk is full
            with suppress(OSError):  # a name that is too long is no file's
                part.with_name(part.name + ending).unlink()


def _draft_of(file: Path) -> Path:
    """Make the file that a dump is written into, for its owner alone and of a name that no other dump takes."""
    opened, name = tempfile.mkstemp(prefix=f"{file.name}.", suffix=".part", dir=file.absolute().parent)
    os.close(opened)
    return Path(name)


def _put_in_place(part: Path, file: Path) -> None:
    """Give a dump its name, which another may have taken since it was begun: that one is as good, and stays."""
    try:
        file.hardlink_to(part)  # unlike a rename, it never replaces a file
    except FileExistsError as error:
        raise DumpError(f"{file} exists already. Choose another name.") from error
    except OSError:  # a disk that knows no second names
        part.rename(file)


def is_empty(database: BaseDatabaseWrapper) -> bool:
    """Tell whether a database has no tables. A damaged one is not empty: somebody may want to look into it."""
    try:
        return not database.introspection.table_names()
    except DatabaseError as error:
        if database.vendor == "sqlite":
            return False
        raise DumpError(f"The database says: {error}") from error


def check(database: BaseDatabaseWrapper, file: Path) -> bool:
    """Refuse a dump that is damaged, or that this code cannot use; tell whether it carries a checksum."""
    matches = matches_checksum(file)
    if matches is False:
        raise DumpError(f"{file} is damaged: it is not what its checksum says.")
    if database.vendor == "sqlite":
        _check_pages(file, is_sealed=bool(matches))
        applied, place = _migrations_of_sqlite(file, is_sealed=bool(matches)), ""
    else:
        schema = _schema_of(database)
        applied, place = _migrations_of_postgresql(file, schema), f" in the schema {schema}"
    if not applied >= FIRST:
        if database.vendor == "postgresql" and (others := _schemas_in(file) - {schema}):
            names = " or ".join(sorted(others))
            place += f", to which DATABASE_URL leads. It may be one in {names}: make that schema and let it lead there"
        raise DumpError(f"{file} is not a backup of Ludoscore{place}.")
    loader = MigrationLoader(None)
    replaced = {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    unknown = applied - loader.disk_migrations.keys() - replaced
    if unknown := {each for each in unknown if each[0] not in RETIRED}:
        name = ".".join(map(str, min(unknown, key=str)))  # in a file of somebody else they may be no text
        raise DumpError(f"{file} comes from a newer version of Ludoscore: this one does not know {name}.")
    return matches is not None


def load(database: BaseDatabaseWrapper, file: Path, *, is_sealed: bool, keep_in: Path | None) -> Path | None:
    """Make a database what a dump says, whole or not at all; return where the old one was kept, if it held anything.

    `is_sealed` is what `check` told of the dump: to read all of it once more takes a while.
    A SQLite file is kept beside the new one, a PostgreSQL database as a dump in the folder given. Without a folder a
    database that holds anything is refused, also where somebody filled it a moment ago.
    """
    name = Path(str(database.settings_dict["NAME"]))
    kept = f"{name.name}.before-restore-{dt.datetime.now(dt.UTC):%Y%m%d-%H%M%S-%f}"
    if database.vendor == "sqlite":
        return _replace(name, file, name.with_name(kept) if keep_in else None, is_sealed=is_sealed)
    if is_empty(database):
        keep_in = None
    elif keep_in is None:
        raise DumpError(NOT_EMPTY)
    else:
        dump(database, keep_in / kept)
    _replace_tables(database, file)
    return keep_in and keep_in / kept


def _replace_tables(database: BaseDatabaseWrapper, file: Path) -> None:
    """Put the tables of a dump in place of all that a PostgreSQL has, in one transaction.

    `pg_restore --clean` would drop those of the dump alone: a table of a newer version would stay, and stand in the
    way of the next update.
    """
    link, schema = _link(database), _schema_of(database)
    with database.cursor() as cursor:
        cursor.execute(WHERE)
        (here,) = cursor.fetchone()
        cursor.execute(DROP_ALL)
        drop = [f"--command={statement}" for (statement,) in cursor.fetchall()]
    database.close()
    stay = f"--command={STAY.format(WHERE, here)}"
    with tempfile.TemporaryDirectory(prefix="ludoscore-restore-") as folder:
        script = Path(folder) / "script.sql"  # as large as all the data, so not in memory
        # The schema itself is there, and so is what others keep in theirs: nothing of that was dropped.
        _run("pg_restore", "--no-owner", "--no-privileges", f"--schema={schema}", f"--file={script}", str(file))
        options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
        renew = ("--command=RESET search_path", f"--command={NEW_EPOCH_IF_ANY.format(epochs.new())}")
        _run("psql", *options, stay, *drop, f"--file={script}", *renew, link=link)


def _replace(target: Path, file: Path, kept: Path | None, *, is_sealed: bool) -> Path | None:
    """Put a copy of a SQLite file where another is, and keep that one under a new name, where it holds anything.

    Copying takes its time, so what is there is looked at afterwards, when nobody can change it any more.
    """
    part = target.with_name(f"{target.name}.part")
    if part.exists() and part.samefile(file):  # one that was cut short leaves it, and somebody may want it back
        raise DumpError(f"{file} is where the new database is written first: give it another name, then restore that.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        _hand_over(part, target)
        _copy(file, part, is_sealed=is_sealed)
        _renew_epoch(part)
        sync(part)
        with _held(target) as found:
            if found is Found.NOTHING:
                kept = None
            elif kept is None:
                raise DumpError(NOT_EMPTY)
            if not (kept and found is Found.WHOLE and _is_kept(target, kept)):
                _clear_place(target, kept)
            part.replace(target)
        sync(target.parent)
    except OSError as error:
        raise DumpError(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    return kept


def _hand_over(part: Path, target: Path) -> None:
    """Let root give a file to the owner of the one that it replaces, or of the folder: their service has to open it.

    Anybody else is refused where there is a file of another owner, and keeps a new one.
    """
    is_new = not target.exists() or not target.stat().st_size  # looking for a database makes an empty file
    owner = (target.parent if is_new else target).stat()
    if owner.st_uid == os.getuid() or (is_new and os.getuid() != 0):
        return
    try:
        os.chown(part, owner.st_uid, owner.st_gid)
    except PermissionError as error:
        raise DumpError(f"{target} belongs to somebody else: restore as that user.") from error


def _renew_epoch(file: Path) -> None:
    try:
        with closing(sqlite3.connect(file)) as opened:
            if opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'core_epoch'").fetchone():
                opened.executescript(f"BEGIN; {NEW_EPOCH.format(epochs.new())} COMMIT")
    except sqlite3.Error as error:
        raise DumpError(f"{file} cannot be written: {error}.") from error


class Found(Enum):
    """What is where a database is to be put."""

    NOTHING = "nothing, or a file without tables"
    WHOLE = "a file that holds everything"
    BROKEN = "what SQLite cannot use, because of damage or a full disk"


@contextmanager
def _held(file: Path) -> Iterator[Found]:
    """Bring the log of a SQLite into its file, keep everybody else out, and tell what it is.

    Refuse where somebody else has it open: what they write would go into a file that is no longer in its place. Who
    opens it from now on waits, and is refused by SQLite itself once another file is there.
    """
    with ExitStack() as at_end:
        try:
            place = sqlite_address(file)
            opened = at_end.enter_context(closing(sqlite3.connect(place, timeout=1, isolation_level=None, uri=True)))
            # In this mode the lock of the first transaction is given back with the connection, and not before.
            for step in ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "COMMIT", "PRAGMA journal_mode=DELETE"):
                opened.execute(step)
            is_filled = opened.execute("SELECT 1 FROM sqlite_master").fetchone()
            found = Found.WHOLE if is_filled else Found.NOTHING
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise DumpError(f"{file} is open in another program: end it first.") from error
            at_end.close()
            found = Found.BROKEN
        yield found


def _is_kept(target: Path, kept: Path) -> bool:
    """Give a file a second name, or make a copy of it where the disk knows no such names; tell whether that worked.

    The new database then takes its place in one step: at every moment a whole one is there, also where this is cut
    short.
    """
    target.chmod(0o600)
    with suppress(OSError):
        kept.hardlink_to(target)
        return True
    draft = kept.with_name(f"{kept.name}.part")
    try:
        draft.touch(mode=0o600)
        _hand_over(draft, target)
        shutil.copyfile(target, draft)
        sync(draft)
        draft.rename(kept)
    except OSError:
        draft.unlink(missing_ok=True)
        return False
    return True


def _clear_place(target: Path, kept: Path | None) -> None:
    """Keep a SQLite and its log under a new name, which works also where it is damaged, and remove the log.

    Beside a new file SQLite would take the log for that one's and destroy it. The old file itself stays until the new
    one takes its place, where the disk allows it: a service that found none would start with an empty one.
    """
    for ending in ("-wal", "-shm", ""):  # the log first: without its file SQLite would remove it
        old = target.with_name(target.name + ending)
        if kept and old.exists() and not _is_kept(old, new := kept.with_name(kept.name + ending)):
            old.rename(new)
    for ending in ("-wal", "-shm"):
        target.with_name(target.name + ending).unlink(missing_ok=True)


def _open(file: Path, *, is_sealed: bool = False) -> sqlite3.Connection:
    """Open a SQLite that is there. One that its checksum seals is read as it is, without a log that lies beside it.

    Such a log is of another database that had this name: SQLite would take it for this one's, and write it into it.
    Where SQLite can make no log beside a file that has none, as on a read-only disk, that is all there is, too.
    """
    place = file.absolute().as_uri()
    if not is_sealed:
        opened = sqlite3.connect(f"{place}?mode=rw", uri=True)
        try:
            opened.execute("PRAGMA schema_version")
        except sqlite3.Error as error:
            opened.close()
            logs = [f"{file}{ending}" for ending in ("-wal", "-journal")]
            if not _cannot_open(error) or any(os.access(log, os.F_OK) for log in logs):
                raise
        else:
            return opened
    return sqlite3.connect(f"{place}?mode=ro&immutable=1", uri=True)


def _cannot_open(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in CANNOT_OPEN


def _check_pages(file: Path, *, is_sealed: bool = False) -> None:
    """Refuse a SQLite file with a damaged page or a reference that leads nowhere."""
    try:
        with closing(_open(file, is_sealed=is_sealed)) as opened:
            damage = opened.execute("PRAGMA integrity_check").fetchone() != ("ok",)
            dangling = opened.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        trouble = "cannot be opened" if _cannot_open(error) else "is damaged"
        raise DumpError(f"{file} {trouble}: {error}.") from error
    if damage or dangling:
        raise DumpError(f"{file} is damaged.")


def _migrations_of_sqlite(file: Path, *, is_sealed: bool) -> set[tuple[str, str]]:
    try:
        with closing(_open(file, is_sealed=is_sealed)) as opened:
            return set(opened.execute("SELECT app, name FROM django_migrations"))
    except sqlite3.OperationalError:  # no such table
        return set()


def _schema_of(database: BaseDatabaseWrapper) -> str:
    """Return the schema of a PostgreSQL in which a connection finds and makes its tables."""
    with database.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        (schema,) = cursor.fetchone()
    if schema is None:
        raise DumpError("The schema to which DATABASE_URL leads does not exist: make it first.")
    return str(schema)


def _without_others(database: BaseDatabaseWrapper) -> list[str]:
    """Return options that keep `pg_dump` out of schemas where a connection finds nothing: it may not read them."""
    with database.cursor() as cursor:
        cursor.execute(OTHERS)
        names = [str(name).replace('"', '""') for (name,) in cursor.fetchall()]
    return [f'--exclude-schema="{name}"' for name in names]


def _migrations_of_postgresql(file: Path, schema: str) -> set[tuple[str, str]]:
    options = ("--data-only", f"--schema={schema}", "--table=django_migrations", "--file=-")
    lines = iter(_run("pg_restore", *options, str(file)).splitlines())
    for line in lines:
        if line.startswith("COPY "):
            break
    rows = takewhile(lambda line: line != "\\.", lines)
    return {(app, name) for _id, app, name, _applied in (row.split("\t") for row in rows)}


def _schemas_in(file: Path) -> set[str]:
    """Return the schemas in a dump of a PostgreSQL that may hold tables of ours."""
    return set(TABLES_OF_OURS.findall(_run("pg_restore", "--list", str(file))))


def _copy(source: Path, target: Path, *, is_sealed: bool = False) -> None:
    try:
        with closing(_open(source, is_sealed=is_sealed)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)  # all pages in one step, so that writes in the meantime cannot mix two states
            new.execute("PRAGMA journal_mode=DELETE")  # so that the one file is all there is
    except sqlite3.Error as error:
        if is_sealed or not source.exists() or not _cannot_open(error):
            raise DumpError(f"{source} cannot be copied: {error}.") from error
        _copy_unopened(source, target)


def _copy_unopened(source: Path, target: Path) -> None:
    """Copy a SQLite that cannot even be opened where it lies, on a disk that takes no more, and its log.

    SQLite makes files beside the one that it opens. Where it cannot, nobody else can be writing either.
    """
    log, copied = (path.with_name(f"{path.name}-wal") for path in (source, target))
    try:
        shutil.copyfile(source, target)
        if log.exists():
            shutil.copyfile(log, copied)
        with closing(sqlite3.connect(target)) as new:
            new.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise DumpError(f"{source} cannot be copied: {error}.") from error
    finally:
        copied.unlink(missing_ok=True)


def _link(database: BaseDatabaseWrapper) -> dict[str, str]:
    """Return what leads libpq to the very server and database that a connection has, whatever named them.

    Of several hosts, or addresses of one, it is the one that answered: the next might be another server.
    """
    database.ensure_connection()
    info = database.connection.info
    found: dict[str, str] = {name: value for name, value in info.get_parameters().items() if name not in SERVICES}
    found |= {"host": info.host, "hostaddr": info.hostaddr, "port": str(info.port)}
    found |= {"dbname": info.dbname, "user": info.user, "password": info.password}
    # With these limits, which are for requests, a restore would end where the server is too busy to read for a moment.
    found.pop("tcp_user_timeout", None)
    found["options"] = f"{info.options} -c statement_timeout=0 -c lock_timeout=0"
    return {name: value for name, value in found.items() if value}


def _run(program: str, *options: str, link: dict[str, str] | None = None) -> str:
    """Run a program of PostgreSQL, in the database that a link leads to, and return what it writes."""
    found = shutil.which(program)
    if found is None:
        raise DumpError(f"{program} is not on the PATH: install PostgreSQL's client programs, as new as the server.")
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    if link:
        environment["PGPASSWORD"] = link.get("password", "")
        shown = make_conninfo(**{name: value for name, value in link.items() if name not in SECRETS})
        options = ("--no-password", f"--dbname={shown}", *options)
    done = subprocess.run(  # noqa: S603 -- a program of PostgreSQL, with options of ours
        [found, *options], env=environment, check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise DumpError(f"{program} failed: {done.stderr.strip()}")
    return done.stdout
