"""What somebody sees after logging in: their clubs, and each with its events, people, keys and seasons."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core import mails
from core.errors import DomainError
from tournaments import links, selectors
from tournaments.models import Club, Event, MergeRequest, Role
from tournaments.services import clubs, credentials, members, seasons
from web.base import READ_OR_SEND, Refusal, attempt, managed_club_or_404, refuse, session_actor
from web.clubs.forms import ClubForm, ClubSettingsForm, InvitationForm, KeyForm, RoleForm, SeasonForm

LATEST = 30  # events on a page
RUNNING = {Role.OWNER, Role.ORGANISER}  # who make events
LATEST_USES = 50  # rows of the log of a key on a page; the API has the rest


def _show(request: HttpRequest, template: str, club: Club, **context: Any) -> HttpResponse:
    """Show a page of a club, with what the frame of all of them needs."""
    role = session_actor(request).role_in(club)
    frame = {"club": club, "is_owner": role == Role.OWNER, "is_organiser": role in RUNNING}
    return render(request, f"clubs/{template}.html", frame | context)


@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """Show one's clubs, the events that are on or to come, and whether somebody waits for an answer."""
    actor = session_actor(request)
    events = selectors.events_run_by(actor, Role.SCOREKEEPER).exclude(status__in=Event.OVER)
    merges = selectors.merge_requests_of(actor).filter(status=MergeRequest.Status.OPEN)
    context = {
        "clubs": [(club, role.label, role in RUNNING) for club, role in selectors.roles_of(actor) if role],
        "page": Paginator(selectors.nearest_first(events, timezone.now()), LATEST).get_page(request.GET.get("page")),
        "may_found": clubs.may_found(actor),
        "is_asked": any(each.is_open and each.may_answer for each in merges),
    }
    return render(request, "clubs/clubs.html", context)


@login_required
@READ_OR_SEND
def new(request: HttpRequest) -> HttpResponse:
    """Found a club, and go on to its first event."""
    if not clubs.may_found(session_actor(request)):
        advice = _("Clubs are created by whoever runs this service. Ask them for one.")
        return refuse(request, Refusal(403, _("You cannot found a club here"), advice))
    form = ClubForm(request.POST or None)
    if form.is_valid():
        try:
            club = clubs.found_club(actor=session_actor(request), **form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("{club} is founded. What do you play first?").format(club=club.name))
            return redirect("web:new-event", club.slug)
    return render(request, "clubs/new_club.html", {"form": form})


@login_required
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's events: those that run first, then tonight's and what comes; and those that are over."""
    club = managed_club_or_404(request, slug)
    events = club.events.select_related("club")
    coming = selectors.nearest_first(events.exclude(status__in=Event.OVER), timezone.now())
    over = events.filter(status__in=Event.OVER).order_by("-starts_at", "-pk")
    return _show(
        request,
        "club",
        club,
        is_out_of_reach=links.is_for_this_machine(links.origin_of(request)),
        coming=Paginator(coming, LATEST).get_page(request.GET.get("page")),
        over=Paginator(over, LATEST).get_page(request.GET.get("over")),
    )


@login_required
@READ_OR_SEND
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a club's name, or who may read it."""
    club = managed_club_or_404(request, slug, Role.OWNER)
    names = ("name", "is_public", "time_zone", "mails_players")
    form = ClubSettingsForm(request.POST or None, initial={name: getattr(club, name) for name in names})
    if form.is_valid():
        clubs.edit_club(actor=session_actor(request), club=club, **form.changes)
        messages.success(request, _("The club is changed."))
        return redirect("web:organise-club", slug)
    return _show(request, "club_settings", club, form=form)


# --- Members ----------------------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who runs a club, and invite somebody by mail; the link is shown only where no mail is set up."""
    club = managed_club_or_404(request, slug)
    form, link = InvitationForm(request.POST or None), ""
    if form.is_valid():
        page = links.mailed_origin_of(request) + reverse("web:invitation")
        email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
        try:
            _made, secret = members.invite(actor=session_actor(request), club=club, email=email, role=role, page=page)
        except DomainError as error:
            form.refuse(error)
        else:
            if not secret:
                messages.success(request, _("The invitation is on its way to {email}.").format(email=email))
            link, form = f"{page}?secret={secret}" if secret else "", InvitationForm()
    return _show(
        request,
        "members",
        club,
        form=form,
        link=link,
        is_mail_set_up=mails.is_set_up(),
        memberships=club.memberships.select_related("user").order_by("pk"),
        invitations=selectors.open_invitations().filter(club=club, expires_at__gt=timezone.now()).order_by("pk"),
        roles=Role.choices,
    )


@login_required
@require_POST
def change_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Give a member another role, or take them out of the club."""
    club = managed_club_or_404(request, slug)
    actor = session_actor(request)
    membership = get_object_or_404(club.memberships.select_related("user", "club"), pk=pk)
    if "remove" in request.POST:
        said = _("{name} is no longer a member.").format(name=membership.user)
        attempt(request, lambda: members.remove_member(actor=actor, membership=membership), said)
        is_still_in = membership.user != request.user or actor.role_in(club)
        return redirect("web:members", slug) if is_still_in else redirect("web:organise")
    form = RoleForm(request.POST)
    if form.is_valid():
        role = Role(form.cleaned_data["role"])
        said = _("{name} is now {role}.").format(name=membership.user, role=role.label)
        attempt(request, lambda: members.change_role(actor=actor, membership=membership, role=role), said)
    return redirect("web:members", slug)


@login_required
@require_POST
def take_back_invitation(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Take an invitation back."""
    club = managed_club_or_404(request, slug, Role.OWNER)
    invitation = get_object_or_404(club.invitations.filter(accepted_at=None), uid=uid)
    actor = session_actor(request)
    said = _("The invitation of {email} is taken back.").format(email=invitation.email)
    attempt(request, lambda: members.revoke_invitation(actor=actor, invitation=invitation), said)
    return redirect("web:members", slug)


# --- Keys -------------------------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
def keys(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's keys; a new one is shown in the answer to its form and never again."""
    club = managed_club_or_404(request, slug, Role.OWNER)
    form, secret = KeyForm(request.POST or None), ""
    if form.is_valid():
        given = form.cleaned_data
        ends = given["last_day"]
        actor = session_actor(request)
        try:
            _key, secret = credentials.create_key(
                actor=actor, club=club, name=given["name"], scopes=given["scopes"], expires_at=ends
            )
        except DomainError as error:
            form.refuse(error)
        else:
            form = KeyForm()
    found = club.credentials.filter(revoked_at=None).order_by("-pk")
    return _show(request, "keys", club, form=form, secret=secret, keys=found)


@never_cache
@login_required
def key(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Show what a key was used for lately."""
    club = managed_club_or_404(request, slug, Role.OWNER)
    found = get_object_or_404(club.credentials.filter(revoked_at=None), uid=uid)
    return _show(request, "key", club, key=found, uses=found.uses.all()[:LATEST_USES])


@login_required
@require_POST
def revoke_key(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Revoke a key of a club."""
    club = managed_club_or_404(request, slug, Role.OWNER)
    key = get_object_or_404(club.credentials.filter(revoked_at=None), uid=uid)
    credentials.revoke(actor=session_actor(request), credential=key)
    messages.success(request, _("The key “{name}” is revoked.").format(name=key.name))
    return redirect("web:keys", slug)


# --- Seasons ----------------------------------------------------------------------------------------------------


@login_required
@READ_OR_SEND
def season_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's seasons, and begin one."""
    club = managed_club_or_404(request, slug)
    form = SeasonForm(request.POST or None)
    if form.is_valid():
        try:
            seasons.create_season(actor=session_actor(request), club=club, fields=form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("web:club-seasons", slug)
    return _show(request, "seasons", club, form=form, seasons=club.seasons.prefetch_related("events"))


@login_required
@READ_OR_SEND
def season(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Change a season."""
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    found = get_object_or_404(club.seasons, uid=uid)
    initial = {name: getattr(found, name) for name in SeasonForm.base_fields}
    form = SeasonForm(request.POST or None, initial=initial)
    if form.is_valid():
        try:
            seasons.edit_season(actor=session_actor(request), season=found, fields=form.changes)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("web:club-seasons", slug)
    return _show(request, "season", club, form=form, season=found)
