"""What a request names that nobody here knows: refused, with the nearest name that is known.

A field that is misspelt and ignored looks as if it had been done. Views need nothing for this: fields are known from
the shape a body is read with, parameters from what the view declares for the schema.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from core.errors import DomainError
from tournaments.access.phone_cookies import PARAMETER

MOST_NAMED = 20  # unknown names in one answer
LONGEST_NAME = 64  # characters of a name that is looked at; longer ones are near to none

Path = tuple[str | int, ...]


class UnknownFieldError(DomainError):
    """The body has a field that the call does not know."""

    code = "unknown-field"
    status = 400


class UnknownParameterError(DomainError):
    """The address has a query parameter that the call does not know."""

    code = "unknown-parameter"
    status = 400


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that looks most like this one; None where none does."""
    found = difflib.get_close_matches(name.lower(), known, 1, 0.5) if len(name) <= LONGEST_NAME else []
    return found[0] if found else None


def unknown_fields(shape: Any, data: Any, path: Path = ()) -> Iterator[tuple[Path, str | None]]:
    """Return where data has fields that a serializer does not know, and the nearest that it knows.

    What a field takes as it comes, as a sheet, is judged by others.
    """
    if isinstance(shape, serializers.ListSerializer | serializers.ListField):
        for index, each in enumerate(data if isinstance(data, list) else ()):
            yield from unknown_fields(shape.child, each, (*path, index))
    elif isinstance(shape, serializers.Serializer) and isinstance(data, Mapping):
        known = {name: field for name, field in shape.fields.items() if not field.read_only}
        for name, value in data.items():
            if name in known:
                yield from unknown_fields(known[name], value, (*path, name))
            else:
                yield (*path, name), nearest(name, known)


def finding(code: str, path: Path, near: str | None) -> dict[str, Any]:
    """Return what is said of one unknown name."""
    name = str(path[-1])[:LONGEST_NAME]
    if near is None:
        message = _("There is no “{name}” here.").format(name=name)
    else:
        message = _("There is no “{name}” here; “{nearest}” is the nearest.").format(name=name, nearest=near)
    return {"code": code, "path": [*path[:-1], name], "message": message, "nearest": near}


def refuse_unknown_fields(shape: Any, data: Any, others: Iterable[dict[str, Any]] = ()) -> None:
    """Refuse a body with fields that its shape does not know; `others` is what else is wrong with it."""
    # To look for the nearest takes long, so it is done for no more than are named.
    found = [finding(UnknownFieldError.code, *each) for each in islice(unknown_fields(shape, data), MOST_NAMED)]
    if found:
        detail = _("Some fields are not known here; `errors` says which, and the nearest that are.")
        raise UnknownFieldError(detail, errors=[*found, *others])


def refuse_unknown_parameters(view: APIView, request: Request) -> None:
    """Refuse a query parameter that the view declares nowhere."""
    if not request.query_params:
        return
    known = _call(view, request).parameters
    unknown = (name for name in request.query_params if name not in known)
    found = [
        finding(UnknownParameterError.code, (name,), nearest(name, known)) for name in islice(unknown, MOST_NAMED)
    ]
    if found:
        detail = _("Some parameters are not known here; `errors` says which, and the nearest that are.")
        raise UnknownParameterError(detail, errors=found)


def refuse_body_of_none(view: APIView, request: Request) -> None:
    """Refuse fields in the body of a call that is declared to have none (`request=None`)."""
    if request.method in {"POST", "PUT", "PATCH"} and _call(view, request).shape is None:
        refuse_unknown_fields(serializers.Serializer(), request.data)


class Call(NamedTuple):
    """What a method of a view takes; `shape` is that of its body, if it has one."""

    parameters: frozenset[str]
    shape: Any


def shape_of_body(view: APIView, request: Request) -> type[serializers.Serializer] | None:
    """Return the shape that a call declares for its body; None where that is not one shape."""
    shape = _call(view, request).shape
    return shape if isinstance(shape, type) and issubclass(shape, serializers.Serializer) else None


_calls: dict[tuple[type[APIView], str | None], Call] = {}  # as many as there are operations


def _call(view: APIView, request: Request) -> Call:
    key = type(view), request.method
    if key not in _calls:
        _calls[key] = _declared(view, request.method or "")
    return _calls[key]


def _declared(view: APIView, method: str) -> Call:
    """Return what a call takes: what its schema says, and what our own pages send."""
    schema = _schema(view, method)
    # `as` names the link that one of our pages speaks with.
    names = {PARAMETER, api_settings.URL_FORMAT_OVERRIDE, *_named(schema.get_override_parameters())}
    if method in {"GET", "HEAD"}:
        names |= set(getattr(getattr(view, "filterset_class", None), "base_filters", ()))
        if (pages := getattr(view, "pagination_class", None)) is not None:
            names |= {pages.cursor_query_param, pages.page_size_query_param}
    shape = schema.get_request_serializer() if method in {"POST", "PUT", "PATCH"} else None
    return Call(frozenset(filter(None, names)), shape)


def _named(parameters: Iterable[Any]) -> Iterator[str]:
    for each in parameters:
        if not isinstance(each, OpenApiParameter):
            yield from (each() if isinstance(each, type) else each).fields
        elif each.location == OpenApiParameter.QUERY:
            yield each.name


def _schema(view: APIView, method: str) -> Any:
    """Return the description of a call, as `extend_schema` left it with its handler."""
    handler = getattr(view, "get" if method == "HEAD" else method.lower(), None)
    made = getattr(handler, "kwargs", {}).get("schema", api_settings.DEFAULT_SCHEMA_CLASS)
    schema = made() if isinstance(made, type) else made
    schema.view, schema.method = view, method
    return schema
