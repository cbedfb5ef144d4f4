"""The same evening again: copy an event, once or for every week to come."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import DomainError
from tournaments.models import Event, Role
from tournaments.services import copying
from web.base import READ_OR_SEND, managed_event_or_404, session_actor
from web.console.event_forms import moment, whole
from web.forms import NameField, ServiceForm


class CopyForm(ServiceForm):
    """When an event happens again."""

    name = NameField(label=gettext_lazy("Name of the event"), max_length=Event.LONGEST_NAME)
    starts_at = moment(gettext_lazy("Starts"))
    times = whole(
        gettext_lazy("How many evenings"),
        1,
        copying.MOST_COPIES,
        help_text=gettext_lazy("More than one: each gets its day in its name."),
    )
    every = whole(gettext_lazy("Weeks from one to the next"), 1, copying.MOST_COPIES)


@login_required
@READ_OR_SEND
def copy(request: HttpRequest, uid: str) -> HttpResponse:
    """Create an event again, with its settings and without its people."""
    event = managed_event_or_404(request, uid, Role.ORGANISER)
    again = copying.next_start(event, timezone.now())
    initial = {"name": event.name, "starts_at": again, "times": 1, "every": 1}
    form = CopyForm(request.POST or None, initial=initial)
    if form.is_valid():
        try:
            made = copying.copy_event(actor=session_actor(request), event=event, **form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            if len(made) == 1:
                messages.success(request, _("The event is ready. Open registration when you want people to join."))
                return redirect("web:console", made[0].uid)
            messages.success(request, _("{number} events are ready, as drafts.").format(number=len(made)))
            return redirect("web:organise-club", event.club.slug)
    return render(request, "console/copy.html", {"event": event, "form": form})
