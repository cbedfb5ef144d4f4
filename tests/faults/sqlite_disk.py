"""A disk below SQLite that remembers what was synced, and fails when a file in its folder says so.

SQLite reads and writes through a table of functions. Here two of them are replaced, in this process, by the standard
library alone: after each sync the file's content is copied to the folder `synced`, which is what a power cut leaves,
and a write is answered as by a full or a read-only disk while a file of that name lies in the folder.
"""

from __future__ import annotations

import _sqlite3
import contextlib
import ctypes
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SYNCED = "synced"
FAILURES = {"disk-full": 13, "disk-read-only": 8}  # SQLITE_FULL, SQLITE_READONLY
NAME = b"watched"

Pointer, Int, Long = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
OPEN = ctypes.CFUNCTYPE(Int, Pointer, Pointer, Pointer, Int, Pointer)
READ = ctypes.CFUNCTYPE(Int, Pointer, Pointer, Int, Long)
WRITE = ctypes.CFUNCTYPE(Int, Pointer, Pointer, Int, Long)
SYNC = ctypes.CFUNCTYPE(Int, Pointer, Int)
SIZE = ctypes.CFUNCTYPE(Int, Pointer, ctypes.POINTER(Long))


class Vfs(ctypes.Structure):
    """`sqlite3_vfs`."""

    _fields_ = [
        ("version", Int),
        ("file_size", Int),
        ("longest_path", Int),
        ("next", Pointer),
        ("name", ctypes.c_char_p),
        ("data", Pointer),
        ("open", OPEN),
        ("others", Pointer * 15),
    ]


class Methods(ctypes.Structure):
    """`sqlite3_io_methods`."""

    _fields_ = [
        ("version", Int),
        ("close", Pointer),
        ("read", READ),
        ("write", WRITE),
        ("truncate", Pointer),
        ("sync", SYNC),
        ("size", SIZE),
        ("others", Pointer * 12),
    ]


class File(ctypes.Structure):
    """`sqlite3_file`."""

    _fields_ = [("methods", ctypes.POINTER(Methods))]


def why_not() -> str:
    """Return why SQLite's functions cannot be replaced here; nothing, where they can."""
    try:
        _library()
    except (OSError, AttributeError) as error:
        return f"this Python's SQLite hides its functions ({error})"
    return ""


def _library() -> Any:
    library = ctypes.CDLL(_sqlite3.__file__)
    library.sqlite3_vfs_find.restype = ctypes.POINTER(Vfs)
    library.sqlite3_vfs_find.argtypes = [ctypes.c_char_p]
    for function in (library.sqlite3_vfs_register, library.sqlite3_vfs_unregister):
        function.argtypes = [ctypes.POINTER(Vfs), *([Int] if function is library.sqlite3_vfs_register else [])]
    return library


class Disk:
    """The replaced functions; they must live as long as any connection that was opened with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / SYNCED).mkdir(exist_ok=True)
        self.library = _library()
        self.original = self.library.sqlite3_vfs_find(None)
        self.vfs = Vfs.from_buffer_copy(self.original.contents)
        self.vfs.name, self.vfs.open = NAME, OPEN(self._open)
        self.paths: dict[int, Path] = {}
        self.tables: dict[int, tuple[Methods, Methods]] = {}  # by address: SQLite's own, and ours

    def install(self) -> None:
        """Let every connection of this process that is opened from now on use the disk."""
        self.library.sqlite3_vfs_register(ctypes.byref(self.vfs), 1)

    def uninstall(self) -> None:
        """Let further connections be as before."""
        self.library.sqlite3_vfs_register(self.original, 1)
        self.library.sqlite3_vfs_unregister(ctypes.byref(self.vfs))

    def _open(self, vfs: int, address: int | None, file: int, flags: int, out: int) -> int:
        # The address is passed on and not a copy of the text: SQLite keeps it for as long as the file is open.
        status = self.original.contents.open(vfs, address, file, flags, out)
        name = ctypes.string_at(address) if address else b""
        if status == 0 and name.endswith((b".sqlite3", b".sqlite3-wal")):
            self.paths[file] = Path(os.fsdecode(name))
            opened = ctypes.cast(file, ctypes.POINTER(File)).contents
            opened.methods = ctypes.pointer(self._ours(opened.methods))
        return int(status)

    def _ours(self, table: Any) -> Methods:
        address = ctypes.addressof(table.contents)
        if address not in self.tables:
            own, ours = table.contents, Methods.from_buffer_copy(table.contents)
            ours.sync = SYNC(lambda file, flags: self._sync(own, file, flags))
            ours.write = WRITE(lambda file, data, size, at: self._failure() or own.write(file, data, size, at))
            self.tables[address] = own, ours
        return self.tables[address][1]

    def _failure(self) -> int:
        return next((code for name, code in FAILURES.items() if (self.folder / name).exists()), 0)

    def _sync(self, own: Methods, file: int, flags: int) -> int:
        if status := self._failure() or own.sync(file, flags):
            return int(status)
        # One at a time: another process, which brings the log into the file, may sync beside the one that commits, and
        # must not put what it read before a commit in the place of what was synced with it.
        with (self.folder / "syncing").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            size = Long()
            own.size(file, ctypes.byref(size))
            content = ctypes.create_string_buffer(max(size.value, 1))
            # Through SQLite's own descriptor: closing another one would release the locks of this process.
            own.read(file, ctypes.addressof(content), size.value, 0)
            name = self.paths[file].name
            part = self.folder / SYNCED / f"{name}.{os.getpid()}-{threading.get_ident()}"
            part.write_bytes(content.raw[: size.value])
            part.replace(self.folder / SYNCED / name)
        return 0


@contextlib.contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Use such a disk for what this process opens meanwhile."""
    disk = Disk(folder)
    disk.install()
    try:
        yield
    finally:
        disk.uninstall()
        _kept.append(disk)


_kept: list[Disk] = []
