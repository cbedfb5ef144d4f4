"""Read settings from the environment, and remember what is wrong with them.

A bad value never stops the import of the settings: it is replaced by a safe one and reported by the system
checks (`config.checks`) with a number and a remedy. Nothing serves with it.
"""

from __future__ import annotations

import os
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import tzlocal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BadValue:
    """A variable that was set to something unusable (which is not repeated: it may be a secret)."""

    name: str
    wanted: str

    @property
    def fault(self) -> str:
        """Say that it cannot be used."""
        return f"{self.name} cannot be used as it is set."

    @property
    def remedy(self) -> str:
        """Say what to do."""
        return f"Set {self.name} to {self.wanted}, or unset it."


BAD: list[BadValue] = []


def read(name: str, convert: Callable[[str], T], default: T, wanted: str) -> T:
    """Return a variable converted, or the default where it is unset, empty or unusable."""
    value = os.environ.get(name, "")
    if not value:
        return default
    try:
        value.encode()  # bytes that are no text can be neither signed nor sent
        return convert(value)
    except (ValueError, LookupError, OSError) as error:
        BAD.append(BadValue(name, getattr(error, "wanted", wanted)))
        return default


def is_bad(name: str) -> bool:
    """Say whether a variable that was read could not be used."""
    return any(bad.name == name for bad in BAD)


def machine_zone() -> str:
    """Return the time zone that this machine is set to; UTC where it does not say which."""
    try:
        return zoneinfo.ZoneInfo(tzlocal.get_localzone_name() or "UTC").key
    except (ValueError, LookupError, OSError):
        return "UTC"


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def text(name: str, default: str = "") -> str:
    """Return a variable as it is."""
    return read(name, str, default, "text in UTF-8")


def words(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Return a comma-separated variable as a list."""
    return [word.strip() for word in text(name).split(",") if word.strip()] or list(default)


def flag(name: str, *, default: bool = False) -> bool:
    """Return a variable that says True or False, and nothing else."""
    return read(name, {"True": True, "False": False}.__getitem__, default, "True or False")


def whole(name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
    """Return a variable that is a whole number within limits."""

    def convert(value: str) -> int:
        if not least <= (number := int(value)) <= most:
            raise ValueError(value)
        return number

    return read(name, convert, default, f"a whole number from {least} to {most}")


def one_of(name: str, choices: tuple[str, ...]) -> str:
    """Return a variable that is one of the choices; the first is the default."""
    return read(name, dict(zip(choices, choices, strict=True)).__getitem__, choices[0], "one of " + ", ".join(choices))


def web_address(name: str) -> str:
    """Return a variable that is an http(s) origin, such as `https://scores.example.org`, or nothing."""

    def convert(value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"}:
            raise ValueError(value)
        return f"{parts.scheme}://{parts.netloc}"

    return read(name, convert, "", "an address such as https://scores.example.org, without a path")
