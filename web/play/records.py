"""Records of games, move by move: those of the service, those of tables, and any that somebody brings."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core import strict_json
from core.costly import PLAY, bounded
from core.errors import DomainError
from play import rules
from play.errors import RecordInvalidError
from play.selectors import names_of, visible_games
from play.services import challenges, records
from scoring import rules as judging
from scoring.selectors import knows_result
from tournaments.models import Table
from web.base import READ_OR_SEND, Refusal, reasons, refuse, session_actor, takes_a_sheet
from web.phone.table import table_page
from web.play.base import drawn, name_of, phone_of, variant_name
from web.play.solo import PART, challenges_page

LONGEST_LINK = 6000  # characters that every browser and proxy lets through
LARGEST_RECORD = 64_000


@never_cache
@require_safe
def solo(request: HttpRequest, uid: str) -> HttpResponse:
    """Show a finished game of the service move by move."""
    game = get_object_or_404(visible_games(session_actor(request)), uid=uid)
    phone = phone_of(request)
    if not game.is_over:
        advice = _("Come back later: it can be looked at move by move then.")
        return refuse(request, Refusal(404, _("The record is shown when the game is over"), advice))
    if not challenges.may_look(phone, game):
        advice = _("You see how others played it once you have finished, and everybody does when the day is over.")
        return refuse(request, Refusal(403, _("Play the challenge first"), advice))
    back = challenges_page(game) if game.challenge else reverse("web:begin", args=[game.game])
    record = rules.renamed(game.record, names_of(game, is_own=phone.holds(game)))
    return _replay(request, record, back, reverse("web:solo-replay", args=[uid]))


@never_cache
@require_safe
def of_table(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Show the record of a table's result move by move."""
    page = table_page(request, uid, table_uid)
    actor, table = page.actor, page.table
    kept = records.record_of(table)
    if kept is None or not knows_result(actor, table):
        raise Http404
    record = rules.renamed(kept.record, judging.names_of(table))
    here = reverse("web:table-record", args=[uid, table_uid])
    return _replay(request, record, reverse("web:table", args=[uid, table_uid]), here)


@never_cache
@READ_OR_SEND
@takes_a_sheet
def attach(request: HttpRequest, uid: str, table_uid: str) -> HttpResponse:
    """Attach the record of its game to a table's result, written in or as a file, or take it off."""
    page = table_page(request, uid, table_uid)
    actor, table = page.actor, page.table
    if not page.knows:
        advice = _("Whoever sat at the table does it from their phone, or an organiser.")
        return refuse(request, Refusal(403, _("This is for those who sat at the table"), advice))
    text, status = "", 200
    if request.method == "POST":
        text = _sent(request)
        try:
            if "remove" in request.POST:
                records.remove_record(actor=actor, table=table)
                messages.success(request, _("The record is no longer with the result."))
                return redirect("web:table", uid, table_uid)
            with bounded(PLAY):
                records.attach_record(actor=actor, table=table, record=_of_table(table, text))
        except DomainError as error:
            messages.error(request, " ".join(reasons(error)))
            status = error.status
        except ValueError:
            messages.error(request, _("This is not JSON."))
            status = 422
        else:
            return _attached(request, table, uid)
    context = {"table": table, "event": table.round.event, "text": text, "has_record": records.has_record(table)}
    return render(request, "play/attach.html", context, status=status)


def _sent(request: HttpRequest) -> str:
    file = request.FILES.get("file")
    return file.read().decode(errors="replace") if file else request.POST.get("record", "")


def _of_table(table: Table, text: str) -> Any:
    """Return the record of a text by the labels of a table's sheet, where it was written by the people's names."""
    record = strict_json.read(text)
    rules.opened(record)
    names = [(name.casefold(), label) for label, name in judging.names_of(table).items()]
    told = [name for name, _label in names]
    labels = {name: label for name, label in names if told.count(name) == 1}
    return rules.renamed(record, {seat: labels.get(seat.strip().casefold(), seat) for seat in record["seats"]})


def _attached(request: HttpRequest, table: Table, uid: str) -> HttpResponse:
    if records.record_of(table) is None:
        messages.success(request, _("The record is attached, and shown as soon as the result counts."))
        return redirect("web:table", uid, table.uid)
    messages.success(request, _("The record tells the result, and is shown with it."))
    return redirect("web:table-record", uid, table.uid)


@never_cache
@READ_OR_SEND
@takes_a_sheet
def brought(request: HttpRequest) -> HttpResponse:
    """Replay a record that somebody brings. It is kept in the address alone, which can be shared."""
    if request.method == "POST":
        return _take(request)
    if "record" not in request.GET:
        return render(request, "play/record.html", {"text": ""})
    packed = request.GET["record"]
    try:
        record = _unpacked(packed)
        _judge(record)
    except (RecordInvalidError, ValueError):
        advice = _("Perhaps it was cut off on its way.")
        return refuse(request, Refusal(404, _("This link holds no record"), advice))
    here = f"{reverse('web:record')}?{urlencode({'record': packed})}"
    return _replay(request, record, reverse("web:record"), here)


def _take(request: HttpRequest) -> HttpResponse:
    text = request.POST.get("record", "")
    try:
        record = strict_json.read(text)
        _judge(record)
    except RecordInvalidError as error:
        messages.error(request, " ".join(reasons(error)))
        return render(request, "play/record.html", {"text": text}, status=error.status)
    except ValueError:
        messages.error(request, _("This is not JSON."))
        return render(request, "play/record.html", {"text": text}, status=422)
    packed = _packed(record)
    if len(packed) > LONGEST_LINK:
        messages.error(request, _("This record is right, and too long for a link."))
        return render(request, "play/record.html", {"text": text}, status=422)
    return redirect(f"{reverse('web:record')}?{urlencode({'record': packed})}")


def _judge(record: Any) -> None:
    """Replay a record that somebody brings, when it is its turn; RecordInvalidError says what is wrong with it."""
    with bounded(PLAY):
        rules.opened(record)


def _packed(record: Mapping[str, Any]) -> str:
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def _unpacked(text: str) -> Any:
    """Return what a link holds; ValueError where it is nothing, or unpacks to more than a record has."""
    if len(text) > LONGEST_LINK:
        raise ValueError(len(text))
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), LARGEST_RECORD)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(text) from error
    return strict_json.read(data.decode())


def _replay(request: HttpRequest, record: Mapping[str, Any], back: str, here: str) -> HttpResponse:
    of = len(record["moves"])
    asked = request.GET.get("move", "")
    number = min(int(asked), of) if asked.isascii() and asked.isdigit() and len(asked) < 6 else of
    with bounded(PLAY):
        steps = rules.told(record, max(1, number - 2), number)
        picture = drawn(record["game"], rules.at(record, number))
    mark = "&" if "?" in here else "?"
    context = {
        **picture,
        "name": name_of(record["game"]),
        "variant": variant_name(record["game"], record["variant"]),
        "seats": record["seats"],
        "steps": steps,
        "number": number,
        "of": of,
        "before": max(0, number - 1),
        "after": min(of, number + 1),
        "back": back,
        "here": here + mark + "move=",
        "share": request.build_absolute_uri(here),
    }
    return render(request, "play/_replay.html" if PART in request.headers else "play/replay.html", context)


urlpatterns = [
    path("solo/<slug:uid>/record/", solo, name="solo-replay"),
    path("e/<slug:uid>/record/<slug:table_uid>/", of_table, name="table-record"),
    path("e/<slug:uid>/record/<slug:table_uid>/attach/", attach, name="attach-record"),
    path("records/", brought, name="record"),
]
