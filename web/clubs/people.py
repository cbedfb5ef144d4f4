"""The people of a club, for its organisers: find, add, import, rename, merge, keep apart, note, vouch, forget."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.costly import EXPORT, bounded
from core.errors import DomainError
from core.ids import ID_LENGTH
from core.short_names import sort_key
from scoring.exports import everything_about
from tournaments import selectors, trust
from tournaments.actors import Actor
from tournaments.models import Affiliation, Club, Entry, Event, KeepApart, Merge, Player, Role
from tournaments.services import imports, merge_requests, merging, people, proof, seasons
from tournaments.services.permissions import require_last_say, turn_of
from web.base import READ_OR_SEND, attempt, managed_club_or_404, session_actor, takes_a_file, typed
from web.forms import NameField, ServiceForm

SHOWN = 50  # people on a page
MOST_PROPOSED = 20  # others whom somebody may be the same as
LATEST = 10  # events on somebody's page


class NameForm(ServiceForm):
    """A name."""

    name = NameField(
        label=gettext_lazy("Name"),
        max_length=Player.LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class NoteForm(ServiceForm):
    """What organisers write down."""

    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=Affiliation.LONGEST_NOTE,
        required=False,
        help_text=gettext_lazy("Only organisers of this club read it, and the person in their export."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class ImportForm(ServiceForm):
    """A list of people, as a file or pasted."""

    file = forms.FileField(
        label=gettext_lazy("A file"),
        required=False,
        help_text=gettext_lazy(
            "CSV or text: a name in each line, or a first line that says which column is the name."
        ),
    )
    csv = forms.CharField(
        label=gettext_lazy("Or paste the names"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        """Take the file, or what was pasted."""
        sent = super().clean() or {}
        if file := sent.get("file"):
            try:
                sent["csv"] = file.read(settings.FILE_MAX_BYTES).decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("This is not text in UTF-8. Save it as CSV in UTF-8."))
        elif not sent.get("csv", "").strip():
            self.add_error("csv", _("Choose a file, or paste names."))
        return sent


def _club(request: HttpRequest, slug: str) -> Club:
    return managed_club_or_404(request, slug, Role.ORGANISER)


def _show(request: HttpRequest, template: str, club: Club, **context: Any) -> HttpResponse:
    is_owner = session_actor(request).role_in(club) == Role.OWNER
    frame = {"club": club, "is_owner": is_owner, "is_organiser": True}
    return render(request, f"clubs/{template}.html", frame | context)


def _person_or_404(club: Club, uid: str) -> Player:
    known = Player.objects.filter(clubs=club, anonymised_at=None).select_related("home", "merged_into__home", "user")
    return get_object_or_404(known.distinct(), uid=uid)


def _with_evenings(players: QuerySet[Player], club: Club) -> QuerySet[Player]:
    """Add to people how often and when they last played in a club, under any of their records."""
    own = Q(entries__event__club=club) & ~Q(entries__event__status=Event.Status.DRAFT)
    return players.annotate(
        evenings=Count("entries", filter=own, distinct=True), last_seen=Max("entries__event__starts_at", filter=own)
    )


# --- Everybody --------------------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
def everybody(request: HttpRequest, slug: str) -> HttpResponse:
    """Show whom a club knows, found by any word of the name, and add somebody."""
    club = _club(request, slug)
    form = NameForm(request.POST or None)
    if form.is_valid():
        try:
            player = people.create_player(actor=session_actor(request), club=club, name=form.cleaned_data["name"])
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("web:club-person", slug, player.uid)
    typed = request.GET.get("q", "").strip()[: Player.LONGEST_NAME]
    known = selectors.known_players(club, typed)
    names = sorted(known.order_by().values_list("pk", "name"), key=lambda row: sort_key(row[1]))
    page: Any = Paginator([pk for pk, _name in names], SHOWN).get_page(request.GET.get("page"))
    shown = _with_evenings(known, club).select_related("home", "user").in_bulk(list(page))
    page.object_list = [shown[pk] for pk in page]
    unproven = Entry.objects.filter(claims__in=selectors.own_players(club)).select_related("claims", "event__club")
    return _show(
        request,
        "people",
        club,
        form=form,
        typed=typed,
        page=page,
        more=f"{urlencode({'q': typed})}&" if typed else "",
        unproven=unproven.order_by("-pk")[:SHOWN],
    )


# --- One person -------------------------------------------------------------------------------------------------


@never_cache
@login_required
@require_safe
def person(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Show somebody to the organisers of a club, with everything that they may do."""
    club = _club(request, slug)
    player = _person_or_404(club, uid)
    if player.merged_into is not None:
        return redirect("web:club-person", slug, player.merged_into.uid)
    return _show_person(request, club, player)


def _show_person(request: HttpRequest, club: Club, player: Player, **more: Any) -> HttpResponse:
    actor = session_actor(request)
    records = selectors.records_of(player)
    apart = KeepApart.objects.filter(Q(first__in=records) | Q(second__in=records), club=club)
    typed = request.GET.get("other", "").strip()[: Player.LONGEST_NAME]
    others = selectors.known_players(club, typed).exclude(pk=player.pk) if typed else Player.objects.none()
    entries = Entry.objects.filter(player__in=records, event__club=club).select_related("event__club")
    claims = Entry.objects.filter(claims__in=records).select_related("event__club")
    tied = records.exclude(user=None).first()
    merged, may_change = records.exclude(pk=player.pk), trust.may_change(actor, player)
    if not may_change:  # a guest here: what there is of them elsewhere may be nobody's to know
        claims = claims.filter(event__club=club)
        merged = merged.filter(pk__in=selectors.visible_players(actor).values("pk"))
    standing = Merge.objects.filter(gone__in=merged, undone_at=None).select_related("kept")
    merges = {done.gone_id: done for done in standing}
    of_others = {gone for gone, done in merges.items() if done.kept.home_id != player.home_id}
    context: dict[str, Any] = {
        "player": player,
        "may_change": may_change,
        "may_take_away": trust.may_take_away(actor, player),
        "may_unlink": trust.may_unlink(actor, player),
        "has_account": tied is not None,
        "tied_at": tied and tied.tied_at,
        "settles_at": trust.settles_at(player),
        "is_proved": records.filter(tied_by_club=False).exclude(user=None).exists(),
        "is_mine": trust.is_account_of(actor, player),
        "name_form": NameForm(initial={"name": player.name}),
        "note_form": NoteForm(initial={"note": selectors.note_about(club, player)}),
        "apart": apart.select_related("first", "second", "event").order_by("pk"),
        "typed": typed,
        "others": others[:MOST_PROPOSED],
        "entries": entries.order_by("-event__starts_at", "-pk")[:LATEST],
        "merged": [
            (
                record,
                merges.get(record.pk),
                (may_change and record.pk not in of_others) or trust.brought(actor, record),
            )
            for record in merged.select_related("home").order_by("pk")
        ],
        "claims": claims.order_by("-pk"),
    }
    return _show(request, "person", club, **(context | more))


@login_required
@require_POST
def act(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Do what the button says: rename, note, link, unlink, keep apart, let meet, vouch, reject, unmerge, forget."""
    club = _club(request, slug)
    player, actor = _person_or_404(club, uid), session_actor(request)
    back = redirect("web:club-person", slug, uid)
    match request.POST.get("do"):
        case "rename":
            return _rename(request, club, player)
        case "note":
            note = typed(request, "note")
            attempt(
                request,
                lambda: people.write_note(actor=actor, club=club, player=player, note=note),
                _("The note is kept."),
            )
        case "link":
            attempt(request, lambda: people.link_player(actor=actor, player=player), _("This is you now."))
        case "unlink":
            said = _("{name} has no account any more.").format(name=player.name)
            attempt(request, lambda: people.unlink_player(actor=actor, player=player), said)
        case "apart" | "meet":
            _keep_apart(request, club, player)
        case "vouch" | "reject":
            _answer(request, actor, player)
        case "unmerge":
            gone = get_object_or_404(selectors.records_of(player), uid=request.POST.get("record", "")[:ID_LENGTH])
            said = _("{name} is a person of their own again.").format(name=gone.name)
            attempt(request, lambda: merging.unmerge_player(actor=actor, player=gone), said)
        case "anonymise":
            return _forget(request, slug, actor, player)
    return back


def _rename(request: HttpRequest, club: Club, player: Player) -> HttpResponse:
    form = NameForm(request.POST)
    if form.is_valid():
        try:
            people.rename_player(actor=session_actor(request), player=player, name=form.cleaned_data["name"])
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("The name is changed."))
            return redirect("web:club-person", club.slug, player.uid)
    return _show_person(request, club, player, name_form=form)


def _keep_apart(request: HttpRequest, club: Club, player: Player) -> None:
    actor = session_actor(request)
    if request.POST.get("do") == "meet":
        pair = get_object_or_404(KeepApart.objects.filter(club=club), uid=request.POST.get("pair", "")[:ID_LENGTH])
        attempt(request, lambda: seasons.let_meet(actor=actor, pair=pair), _("They may meet again."))
        return
    other = _person_or_404(club, request.POST.get("other", "")[:ID_LENGTH])
    said = _("{name} and {other} are kept apart.").format(name=player.name, other=other.name)
    attempt(request, lambda: seasons.keep_apart(actor=actor, club=club, players=(player, other)), said)


def _answer(request: HttpRequest, actor: Actor, player: Player) -> None:
    claims = Entry.objects.filter(claims__in=selectors.records_of(player)).select_related("event__club", "player")
    entry = get_object_or_404(claims, uid=request.POST.get("entry", "")[:ID_LENGTH])
    if request.POST.get("do") == "vouch":
        attempt(request, lambda: proof.vouch(actor=actor, entry=entry), _("It is them: the results count as theirs."))
    else:
        said = _("{name} goes on as somebody new.").format(name=entry.name)
        attempt(request, lambda: proof.reject(actor=actor, entry=entry), said)


def _forget(request: HttpRequest, slug: str, actor: Actor, player: Player) -> HttpResponse:
    """Make somebody anonymous once their name was typed: this is for good."""
    if request.POST.get("name", "").strip().casefold() != player.name.casefold():
        messages.error(request, _("Type the name as it is, so that nobody is forgotten by accident."))
        return redirect("web:club-person", slug, player.uid)
    done = attempt(request, lambda: people.anonymise_player(actor=actor, player=player), _("The name is forgotten."))
    return redirect("web:people", slug) if done else redirect("web:club-person", slug, player.uid)


@login_required
@require_safe
def export(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Answer with everything that is stored about somebody, as a file."""
    player, actor = _person_or_404(_club(request, slug), uid), session_actor(request)
    try:
        require_last_say(actor, player)
    except DomainError as error:
        messages.error(request, error.detail)
        return redirect("web:club-person", slug, uid)
    with bounded(turn_of(actor, trust.home_of(player), EXPORT)):
        everything = everything_about(player, seen_by=actor)
    text = json.dumps(everything, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{player.uid}.json"'
    response["Cache-Control"] = "no-store"
    return response


# --- Merging ----------------------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
def merge(request: HttpRequest, slug: str, uid: str, other_uid: str) -> HttpResponse:
    """Show what merging two people would do; then merge them, or ask the other side where it has to agree."""
    club = _club(request, slug)
    kept, gone = _person_or_404(club, uid), _person_or_404(club, other_uid)
    actor = session_actor(request)
    if request.method == "POST":
        if attempt(request, lambda: _merge_or_ask(request, actor, gone, kept)):
            return redirect("web:club-person", slug, uid)
        return redirect(request.path)
    preview = attempt(request, lambda: merging.preview_merge(actor=actor, gone=gone, kept=kept))
    if preview is None:
        return redirect("web:club-person", slug, uid)
    return _show(request, "merge_people", club, preview=preview)


def _merge_or_ask(request: HttpRequest, actor: Actor, gone: Player, kept: Player) -> bool:
    if merging.preview_merge(actor=actor, gone=gone, kept=kept).needs_consent:
        merge_requests.ask(actor=actor, gone=gone, kept=kept)
        messages.success(request, _("The other side is asked. Nothing changes before they agree."))
    else:
        merging.merge_players(actor=actor, gone=gone, kept=kept)
        messages.success(request, _("{gone} and {kept} are one person now.").format(gone=gone.name, kept=kept.name))
    return True


# --- Importing --------------------------------------------------------------------------------------------------


@takes_a_file
@never_cache
@login_required
@READ_OR_SEND
def bring_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Import people: a file or a list is looked at first, row by row, and brought in by a second press."""
    club = _club(request, slug)
    form = ImportForm(request.POST or None, request.FILES or None)
    if not form.is_valid():
        return _show(request, "import_people", club, form=form)
    text, is_sure = form.cleaned_data["csv"], "sure" in request.POST
    as_new = {int(line) for line in request.POST.getlist("as_new") if line.isdecimal() and len(line) < 6}
    try:
        found = imports.import_players(
            actor=session_actor(request),
            club=club,
            text=text,
            is_dry_run=not is_sure,
            as_new=as_new if is_sure else (),
        )
    except DomainError as error:
        form.refuse(error)
        return _show(request, "import_people", club, form=form)
    if is_sure:
        number = len(found.new)
        said = ngettext("{number} person is new in the club.", "{number} people are new in the club.", number)
        messages.success(request, said.format(number=number))
        return redirect("web:people", slug)
    return _show(request, "import_people", club, form=form, found=found, text=text)


urlpatterns = [
    path("people/", everybody, name="people"),
    path("people/import/", bring_in, name="import-people"),
    path("people/<slug:uid>/", person, name="club-person"),
    path("people/<slug:uid>/act/", act, name="act-person"),
    path("people/<slug:uid>/export/", export, name="export-person"),
    path("people/<slug:uid>/merge/<slug:other_uid>/", merge, name="merge-people"),
]
