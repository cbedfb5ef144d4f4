"""Where messages may go: to public addresses alone, whatever a name or a number stands for."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from tournaments.errors import WebhookInvalidError
from tournaments.models import Webhook

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # the last 32 bits are an IPv4 address
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")

Address = tuple[socket.AddressFamily, tuple[Any, ...]]


class PrivateTargetError(ValueError):
    """A name stands for an address that is not public."""


@dataclass(frozen=True, slots=True)
class Target:
    """A receiver, taken apart."""

    host: str
    port: int
    path: str
    is_encrypted: bool


def target_of(url: str, longest: int = Webhook.LONGEST_URL) -> Target:
    """Take an address apart; WebhookInvalidError where nothing may be sent there. No name is looked up."""
    if len(url) > longest or not url.isascii() or not url.isprintable() or " " in url:
        raise _invalid(_("Give an address of up to {longest} plain characters.").format(longest=longest))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise _invalid(_("This is not a web address.")) from None
    is_encrypted = parts.scheme == "https"
    if not is_encrypted and not (parts.scheme == "http" and settings.WEBHOOKS_ALLOW_PRIVATE):
        raise _invalid(_("The address must begin with https://."))
    if not host or parts.username is not None or parts.fragment:
        raise _invalid(_("Give a host and a path, without a user name and without a fragment."))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    target = Target(host, port or (443 if is_encrypted else 80), path, is_encrypted)
    if not _may_be_public(target):
        raise _invalid(_("Messages go to public addresses only."))
    return target


def _invalid(message: str) -> WebhookInvalidError:
    return WebhookInvalidError(message, errors=[{"code": "url", "path": ["url"], "message": message}])


def _may_be_public(target: Target) -> bool:
    """Say whether a host is a public number or could be a public name; names are looked up when a message is sent."""
    if settings.WEBHOOKS_ALLOW_PRIVATE:
        return True
    try:
        addresses_of(target, socket.AI_NUMERICHOST)  # knows every way to write a number, such as 127.1 or 0x7f000001
    except PrivateTargetError:
        return False
    except (OSError, UnicodeError):  # a name
        name = target.host.rstrip(".")
        return "." in name and not name.endswith(".localhost")
    return True


def addresses_of(target: Target, flags: int = 0) -> list[Address]:
    """Look up every address of a host; PrivateTargetError where one of them is not public."""
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM, flags=flags)
    if not settings.WEBHOOKS_ALLOW_PRIVATE and not all(is_public(str(address[0])) for *_kind, address in found):
        raise PrivateTargetError(target.host)
    return [(family, address) for family, _type, _protocol, _name, address in found]


def is_public(text: str) -> bool:
    """Say whether an address is one of the public internet; one that wraps another counts as what it leads to."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    inner = address.ipv4_mapped or address.sixtofour
    if address in NAT64:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return is_public(str(inner)) if inner else address in GLOBAL_UNICAST and address.is_global
