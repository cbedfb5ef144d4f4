"""Files of events and of the whole club: in by a form, with a report of what became of them, and out by links."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from core.errors import DomainError
from scoring.errors import FileInvalidError
from scoring.services import files
from tournaments.models import Role
from web.base import READ_OR_SEND, managed_club_or_404, session_actor
from web.forms import MOST_SAID, ServiceForm


class FileForm(ServiceForm):
    """A file to take in."""

    file = forms.FileField(
        label=gettext_lazy("The file of an event or of a club"),
        help_text=gettext_lazy("JSON, as this service or another one like it wrote it; 8 MB at the most."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )

    def refuse(self, error: DomainError) -> None:
        """Say what is wrong with a file, each fault with the place where it is."""
        self.add_error("file", error.detail)
        for fault in error.errors[:MOST_SAID]:
            place = ".".join(str(step) for step in fault["path"])
            self.add_error("file", f"{place}: {fault['message']}" if place else str(fault["message"]))


@never_cache
@login_required
@READ_OR_SEND
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a file into a club, and say what was taken and what not; the same file again is the same event."""
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    actor, taken = session_actor(request), None
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_valid():
        sent = form.cleaned_data["file"]
        try:
            if sent.size > settings.EVENT_FILE_MAX_BYTES:
                raise FileInvalidError(_("The file is too large. Send its events one by one."))
            taken = files.take_upload(actor=actor, club=club, body=sent.read())
        except DomainError as error:
            form.refuse(error)
        else:
            form = FileForm()
    is_owner = actor.role_in(club) == Role.OWNER
    context = {"club": club, "is_owner": is_owner, "is_organiser": True, "form": form, "taken": taken}
    return render(request, "clubs/files.html", context)


# A form has its file and little more; `ops.front` looks for it.
page.most_bytes = settings.FILE_UPLOAD_MAX_MEMORY_SIZE  # type: ignore[attr-defined]
