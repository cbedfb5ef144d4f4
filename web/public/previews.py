"""What other sites show of a link to one of our pages: its name, a sentence, a picture."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from tournaments.actors import NOBODY, Actor
from tournaments.links import origin_of


class Preview(NamedTuple):
    """The preview of a page; addresses are whole."""

    title: str
    description: str
    address: str
    picture: str


def preview_of(
    request: HttpRequest, actor: Actor, route: str, *arguments: str, title: str, description: str, version: object = ""
) -> Preview | None:
    """Return the preview of a page whose picture is at the route `<route>-picture`.

    Only a page that is shown to nobody in particular has one, so nothing private is in it. A version in the address
    makes sites that keep pictures for long fetch a new one.
    """
    if actor != NOBODY:
        return None
    origin = origin_of(request)
    address = reverse(f"web:{route}", args=arguments)
    picture = reverse(f"web:{route}-picture", args=arguments) + (f"?v={version}" if version else "")
    return Preview(title, description, origin + address, origin + picture)
