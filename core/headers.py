"""Headers: what nobody can read is no failure of ours, and none takes more time than it is long."""

from __future__ import annotations

import re
from http import cookies

from django.http import multipartparser
from django.http import request as requests
from django.utils.http import parse_header_parameters
from rest_framework.utils import mediatypes

# A parameter `name*=codec''…` that is not in UTF-8: it would be read by whatever codec of Python a stranger names.
IN_OTHER_LETTERS = re.compile(r";\s*[\w-]+\*\d*\*?\s*=(?!\s*utf-8')(?=[^;]*')", re.IGNORECASE)
ESCAPED = re.compile(r"\\(?:([0-3][0-7]{2})|(.))")


def read_parameters(line: str) -> tuple[str, dict[str, str]]:
    """Return the value of a header and its parameters; ValueError where nobody can read them."""
    if IN_OTHER_LETTERS.search(line):
        raise ValueError("a parameter is in other letters than UTF-8")
    try:
        return parse_header_parameters(line)
    except TypeError as error:  # a parameter in parts that is there as a whole too, which Python cannot sort
        raise ValueError from error


def read_type(line: str) -> tuple[str, dict[str, str]]:
    """Return a kind of content and its parameters; one that matches nothing where nobody can read them."""
    try:
        return read_parameters(line)
    except ValueError:
        return "", {}


def unquoted(value: str) -> str:
    """Return the value of a cookie without its quotes.

    Django hands Python each that somebody sends, and before 3.11.10 and 3.12.6 that takes the square of its length.
    """
    if len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return value
    return ESCAPED.sub(lambda found: chr(int(found[1], 8)) if found[1] else found[2], value[1:-1])


def be_forgiving() -> None:
    """Have headers read so: `Accept`, the type of a body, the headers of its parts, and cookies."""
    for module in (multipartparser, mediatypes):
        module.parse_header_parameters = read_parameters  # type: ignore[attr-defined]
    requests.parse_header_parameters = read_type  # type: ignore[attr-defined]
    cookies._unquote = unquoted  # type: ignore[assignment]  # noqa: SLF001 (Django calls it by this name)
