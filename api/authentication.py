"""Recognise callers: `Authorization: Bearer …` for the API, the session or a held link for people in a browser."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.authentication import SessionAuthentication as FrameworkSession

from api.areas import area_of
from core.brute_force import count_failure
from tournaments.access import phone_cookies
from tournaments.access.callers import recognise, speaker
from tournaments.actors import Actor, Kind

if TYPE_CHECKING:
    from rest_framework.request import Request


class SessionAuthentication(FrameworkSession):
    """People who logged in with a browser."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user of the session and who that is as a caller."""
        found = super().authenticate(request)
        return found and (found[0], Actor(Kind.USER, user=found[0], device=phone_cookies.device_of(request)))


class PageAuthentication(FrameworkSession):
    """Players on our own pages, which name their link and whose they are; as any cookie, it needs the CSRF token."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """Return the player or the table whose link the phone holds and the page names; None where there is none."""
        named = request.query_params.get(phone_cookies.PARAMETER, "")
        # As the framework asks who is logged in; a request of which the schema is made has nobody.
        user = getattr(request._request, "user", AnonymousUser())  # noqa: SLF001
        actor = speaker(request, named, user)
        if actor is None:
            return None
        self.enforce_csrf(request)
        return AnonymousUser(), actor


class BearerAuthentication(BaseAuthentication):
    """The four kinds of credentials."""

    def authenticate_header(self, request: Request) -> str:
        """Say how to authenticate."""
        return "Bearer"

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """Return the caller that a bearer credential stands for; None where there is none."""
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            actor = recognise(secret.strip())
        except (exceptions.NotFound, exceptions.AuthenticationFailed):
            count_failure(request)
            raise
        if actor.kind == Kind.KEY:
            actor = replace(actor, area=area_of(request))
        # A browser may show a credential too, as on our page that tries the API, and stays one voice at its table.
        return actor.user or AnonymousUser(), replace(actor, device=phone_cookies.device_of(request))
