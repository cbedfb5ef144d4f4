"""What somebody sees after logging in: their clubs, and each with its events, people, keys and seasons."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.errors import DomainError
from tournaments import links, selectors
from tournaments.models import Club, Event, Role, Scope
from tournaments.pages.base import READ_OR_SEND, attempt, club_or_404, session_actor
from tournaments.pages.club_forms import ClubForm, InvitationForm, KeyForm, RoleForm, SeasonForm
from tournaments.services import clubs, credentials, members, seasons

LATEST = 30  # events on a page


def _show(request: HttpRequest, template: str, club: Club, **context: Any) -> HttpResponse:
    """Show a page of a club, with what the frame of all of them needs."""
    role = session_actor(request).role_in(club)
    frame = {"club": club, "is_owner": role == Role.OWNER, "is_organiser": role in {Role.OWNER, Role.ORGANISER}}
    return render(request, f"tournaments/console/{template}.html", frame | context)


@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """Show one's clubs, and the events that are on or to come."""
    actor = session_actor(request)
    events = selectors.events_run_by(actor, Role.SCOREKEEPER).exclude(
        status__in=[Event.Status.FINISHED, Event.Status.CANCELLED]
    )
    context = {
        "clubs": [(club, role.label) for club, role in selectors.roles_of(actor) if role],
        "events": events.order_by("starts_at")[:LATEST],
    }
    return render(request, "tournaments/console/clubs.html", context)


@login_required
@READ_OR_SEND
def new(request: HttpRequest) -> HttpResponse:
    """Found a club, and go on to its first event."""
    form = ClubForm(request.POST or None)
    if form.is_valid():
        try:
            club = clubs.create_club(actor=session_actor(request), **form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            messages.success(request, _("{club} is founded. What do you play first?").format(club=club.name))
            return redirect("pages:new-event", club.slug)
    return render(request, "tournaments/console/new_club.html", {"form": form})


@login_required
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's events."""
    club = club_or_404(request, slug)
    events = club.events.order_by("-starts_at", "-pk")[:LATEST]
    over = [event for event in events if event.is_over]
    coming = sorted((event for event in events if not event.is_over), key=lambda event: event.starts_at)
    return _show(request, "club", club, coming=coming, over=over)


@login_required
@READ_OR_SEND
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a club's name, or who may read it."""
    club = club_or_404(request, slug, Role.OWNER)
    form = ClubForm(request.POST or None, initial={"name": club.name, "is_public": club.is_public})
    if form.is_valid():
        clubs.edit_club(actor=session_actor(request), club=club, **form.cleaned_data)
        messages.success(request, _("The club is changed."))
        return redirect("pages:desk", slug)
    return _show(request, "club_settings", club, form=form)


# --- Members ----------------------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who runs a club, and invite somebody; the link of an invitation is shown in the answer, and mailed."""
    club = club_or_404(request, slug)
    form, link = InvitationForm(request.POST or None), ""
    if form.is_valid():
        page = links.origin_of(request) + reverse("pages:invitation")
        email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
        try:
            invited = members.invite(actor=session_actor(request), club=club, email=email, role=role, page=page)
        except DomainError as error:
            form.refuse(error)
        else:
            link, form = f"{page}?secret={invited[1]}", InvitationForm()
    return _show(
        request,
        "members",
        club,
        form=form,
        link=link,
        memberships=club.memberships.select_related("user").order_by("pk"),
        invitations=club.invitations.filter(accepted_at=None, expires_at__gt=timezone.now()).order_by("pk"),
        roles=Role.choices,
    )


@login_required
@require_POST
def change_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Give a member another role, or take them out of the club."""
    club = club_or_404(request, slug)
    actor = session_actor(request)
    membership = get_object_or_404(club.memberships.select_related("user", "club"), pk=pk)
    if "remove" in request.POST:
        said = _("{name} is no longer a member.").format(name=membership.user)
        attempt(request, lambda: members.remove_member(actor=actor, membership=membership), said)
        is_still_in = membership.user != request.user or actor.role_in(club)
        return redirect("pages:members", slug) if is_still_in else redirect("pages:clubs")
    form = RoleForm(request.POST)
    if form.is_valid():
        role = Role(form.cleaned_data["role"])
        said = _("{name} is now {role}.").format(name=membership.user, role=role.label)
        attempt(request, lambda: members.change_role(actor=actor, membership=membership, role=role), said)
    return redirect("pages:members", slug)


@login_required
@require_POST
def take_back_invitation(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Take an invitation back."""
    club = club_or_404(request, slug, Role.OWNER)
    invitation = get_object_or_404(club.invitations.filter(accepted_at=None), uid=uid)
    actor = session_actor(request)
    said = _("The invitation of {email} is taken back.").format(email=invitation.email)
    attempt(request, lambda: members.revoke_invitation(actor=actor, invitation=invitation), said)
    return redirect("pages:members", slug)


# --- Keys -------------------------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
def keys(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's keys; a new one is shown in the answer to its form and never again."""
    club = club_or_404(request, slug, Role.OWNER)
    form, secret = KeyForm(request.POST or None), ""
    if form.is_valid():
        name, scope = form.cleaned_data["name"], Scope(form.cleaned_data["scope"])
        _key, secret = credentials.create_key(actor=session_actor(request), club=club, name=name, scope=scope)
        form = KeyForm()
    found = club.credentials.filter(revoked_at=None).order_by("-pk")
    return _show(request, "keys", club, form=form, secret=secret, keys=found)


@login_required
@require_POST
def revoke_key(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Revoke a key of a club."""
    club = club_or_404(request, slug, Role.OWNER)
    key = get_object_or_404(club.credentials.filter(revoked_at=None), uid=uid)
    credentials.revoke(actor=session_actor(request), credential=key)
    messages.success(request, _("The key “{name}” is revoked.").format(name=key.name))
    return redirect("pages:keys", slug)


# --- Seasons ----------------------------------------------------------------------------------------------------


@login_required
@READ_OR_SEND
def season_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's seasons, and begin one."""
    club = club_or_404(request, slug)
    form = SeasonForm(request.POST or None)
    if form.is_valid():
        try:
            seasons.create_season(actor=session_actor(request), club=club, fields=form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("pages:club-seasons", slug)
    return _show(request, "seasons", club, form=form, seasons=club.seasons.prefetch_related("events"))


@login_required
@READ_OR_SEND
def season(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Change a season."""
    club = club_or_404(request, slug, Role.ORGANISER)
    found = get_object_or_404(club.seasons, uid=uid)
    initial = {name: getattr(found, name) for name in SeasonForm.base_fields}
    form = SeasonForm(request.POST or None, initial=initial)
    if form.is_valid():
        try:
            seasons.edit_season(actor=session_actor(request), season=found, fields=form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("pages:club-seasons", slug)
    return _show(request, "season", club, form=form, season=found)
