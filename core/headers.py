"""Parameters of headers: what nobody can read is no failure of ours."""

from __future__ import annotations

from django.http import multipartparser
from django.utils.http import parse_header_parameters
from rest_framework.utils import mediatypes


def read_parameters(line: str) -> tuple[str, dict[str, str]]:
    """Return the value of a header and its parameters; ValueError where nobody can read them."""
    try:
        return parse_header_parameters(line)
    except TypeError as error:  # a parameter in parts that is there as a whole too, which Python cannot sort
        raise ValueError from error


def be_forgiving() -> None:
    """Have what reads `Accept` and the headers of a part overlook such a line, as they do others that are wrong."""
    for module in (multipartparser, mediatypes):
        module.parse_header_parameters = read_parameters  # type: ignore[attr-defined]
