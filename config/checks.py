"""System checks of the deployment: what is wrong with the environment, and the remedy."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 -- Django's own name
from kombu import Connection

from config import env
from core import shared
from ops import start

BROKERS = ("redis://", "rediss://", "redis+socket://", "amqp://", "amqps://")


@register
def environment_is_usable(**_: Any) -> list[CheckMessage]:
    """Report every variable whose value had to be ignored."""
    return [Error(bad.fault, hint=bad.remedy, id="config.E001") for bad in env.BAD]


@register
def secret_key_is_kept(**_: Any) -> list[CheckMessage]:
    """Report a secret key that changes with every start, or could be guessed."""
    if env.is_bad("SECRET_KEY"):
        return []  # that is told already
    if settings.SECRET_KEY.startswith("unset-"):
        try:
            start.read_key(settings.KEY_FILE)
        except start.SetupError as error:
            return [Error(str(error), hint="Or set SECRET_KEY.", id="config.E002")]
        hint = f"Set SECRET_KEY, or start with {start.SERVE}, which keeps one in the data folder."
        return [Error("There is no secret key, so every start would log everybody out.", hint=hint, id="config.E002")]
    if len(settings.SECRET_KEY) < 40:
        hint = "Set SECRET_KEY to at least 40 random characters."
        return [Error("The secret key is too short to be safe.", hint=hint, id="config.E003")]
    return []


@register
def broker_is_known(**_: Any) -> list[CheckMessage]:
    """Report a broker no process could speak to."""
    if settings.BROKER_URL.startswith(BROKERS) and _is_address(settings.BROKER_URL):
        return []
    hint = (
        f"Set BROKER_URL to an address that begins with one of {', '.join(BROKERS)}, such as"
        " redis://:PASSWORD@HOST:6379/0, with %2F for a / in the password."
    )
    return [Error("BROKER_URL is no broker we can speak to.", hint=hint, id="config.E004")]


def _is_address(url: str) -> bool:
    """Say whether host, port and database can be made out of a broker's address, by those who will connect to it."""
    try:
        broker = Connection(url)
        host, database = str(broker.hostname), str(broker.virtual_host).strip("/")
        if "://" not in host:  # which is a socket
            host.encode("idna")
        if (client := shared.client_of(url)) is not None:
            client.connection_pool.make_connection()
            return int(database or 0) >= 0
    except (ValueError, TypeError):
        return False
    return True


@register
def mailed_links_are_ours(**_: Any) -> list[CheckMessage]:
    """Report mail without a public address: its links begin with the host that a request names."""
    if settings.PUBLIC_URL or not settings.EMAIL_HOST:
        return []
    hint = "Set PUBLIC_URL to the address people use: mailed links then begin with it, whatever a request says."
    if any(host.startswith(("*", ".")) for host in settings.ALLOWED_HOSTS):
        return [Error("Anybody could have links to a host of theirs mailed.", hint=hint, id="config.E006")]
    return [Warning("Mail is set up, and PUBLIC_URL is not.", hint=hint, id="config.W007")]


@register(Tags.security, deploy=True)
def address_is_public(**_: Any) -> list[CheckMessage]:
    """Report a production service that does not know its own address."""
    if settings.PUBLIC_URL.startswith("https:"):
        return []
    hint = "Set PUBLIC_URL to the https address people use; cookies and QR codes follow it."
    return [Warning("PUBLIC_URL is not an https address.", hint=hint, id="config.W005")]


def refuse_unusable() -> None:
    """End this process with what the checks say of the environment, where that is an error.

    For processes that run no command of Django, and so none of its checks.
    """
    checks = (environment_is_usable, secret_key_is_kept, broker_is_known, mailed_links_are_ours)
    if found := [each for check in checks for each in check() if each.is_serious()]:
        print(*(f"{each.id}: {each.msg} {each.hint}" for each in found), sep="\n", file=sys.stderr, flush=True)
        sys.exit(os.EX_CONFIG)
