"""Pages of a club's webhooks: their settings, and the log of messages, from which one can be sent again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from core.errors import DomainError
from tournaments import selectors
from tournaments.actors import Actor
from tournaments.models import Club, Role, Webhook
from tournaments.services import webhooks
from web.base import READ_OR_SEND, attempt, managed_club_or_404, reasons, session_actor
from web.forms import ServiceForm

LATEST = 50  # messages of the log on a page; the API has the rest


class WebhookForm(ServiceForm):
    """Who is told of what."""

    url = forms.CharField(
        label=gettext_lazy("Address of the receiver"),
        max_length=Webhook.LONGEST_URL,
        help_text=gettext_lazy("A public address that begins with https://."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    types = forms.MultipleChoiceField(
        label=gettext_lazy("Send a message when"),
        choices=[(each.value, each.label) for each in webhooks.SUBSCRIBABLE],
        initial=webhooks.SUBSCRIBABLE,
        widget=forms.CheckboxSelectMultiple,
    )


class ChannelForm(ServiceForm):
    """Which channel is told in words."""

    form = forms.ChoiceField(
        label=gettext_lazy("Where members read it"),
        choices=[each for each in Webhook.Form.choices if each[0] != Webhook.Form.JSON],
    )
    channel = forms.CharField(
        label=gettext_lazy("Incoming webhook of the channel"),
        max_length=Webhook.LONGEST_URL,
        help_text=gettext_lazy(
            "Discord and Slack give this address in the settings of a channel. Whoever has it can write there."
        ),
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )


@never_cache
@login_required
@READ_OR_SEND
def webhook_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the webhooks of a club; the secret of a new one is shown in the answer to its form and never again."""
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    is_channel = "channel" in request.POST
    form, secret = WebhookForm(None if is_channel else request.POST or None), ""
    channel = ChannelForm(request.POST if is_channel else None)
    if request.method == "POST":
        _require_owner(request, club)
    if is_channel and channel.is_valid() and _make_channel(request, club, channel):
        return redirect("web:webhooks", slug)
    if form.is_valid():
        try:
            made = webhooks.create_webhook(actor=session_actor(request), club=club, **form.cleaned_data)
        except DomainError as error:
            form.refuse(error)
        else:
            form, secret = WebhookForm(), made.secret
    found = selectors.webhooks_of(club)
    return _show(request, "webhooks", club, form=form, channel=channel, secret=secret, webhooks=found)


def _make_channel(request: HttpRequest, club: Club, form: ChannelForm) -> bool:
    """Have a channel told of rounds and final standings; say whether that was possible."""
    sent = form.cleaned_data
    actor = session_actor(request)
    try:
        made = webhooks.create_webhook(
            actor=actor, club=club, url=sent["channel"], types=webhooks.SAID, form=sent["form"]
        )
        webhooks.ping(actor=actor, webhook=made)
    except DomainError as error:
        form.add_error("channel", " ".join(reasons(error)))
        return False
    messages.success(request, _("The channel is told from now on; a test is on its way."))
    return True


@never_cache
@login_required
@READ_OR_SEND
def one_webhook(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Show a webhook with its log, and change it."""
    club, webhook = _find(request, slug, uid)
    if webhook.is_chat:  # it is deleted and made anew, with its address
        return _show_one(request, club, webhook)
    form = WebhookForm(request.POST or None, initial={"url": webhook.url, "types": webhook.types})
    if request.method == "POST":
        _require_owner(request, club)
    if form.is_valid():
        try:
            webhooks.edit_webhook(actor=session_actor(request), webhook=webhook, **form.changes)
        except DomainError as error:
            form.refuse(error)
        else:
            return redirect("web:webhook", slug, uid)
    return _show_one(request, club, webhook, form=form)


@never_cache
@login_required
@require_POST
def rotate(request: HttpRequest, slug: str, uid: str) -> HttpResponse:
    """Give a webhook a new secret, which is shown in the answer and never again."""
    club, webhook = _find(request, slug, uid)
    _require_owner(request, club)
    webhook = webhooks.rotate_secret(actor=session_actor(request), webhook=webhook)
    return _show_one(request, club, webhook, secret=webhook.secret)


@login_required
@require_POST
def act(request: HttpRequest, slug: str, uid: str, verb: str) -> HttpResponse:
    """Test, switch on, switch off or delete a webhook."""
    club, webhook = _find(request, slug, uid)
    if verb != "test":
        _require_owner(request, club)
    actor = session_actor(request)
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "test": (partial(webhooks.ping, actor=actor, webhook=webhook), _("The test is on its way.")),
        "on": (_switch(actor, webhook, is_active=True), _("The webhook is switched on.")),
        "off": (_switch(actor, webhook, is_active=False), _("The webhook is switched off.")),
        "delete": (partial(webhooks.delete_webhook, actor=actor, webhook=webhook), _("The webhook is deleted.")),
    }
    attempt(request, *acts[verb])
    return redirect("web:webhooks", slug) if verb == "delete" else redirect("web:webhook", slug, uid)


@login_required
@require_POST
def redeliver(request: HttpRequest, slug: str, uid: str, delivery: str) -> HttpResponse:
    """Send a message of the log again."""
    _club, webhook = _find(request, slug, uid)
    found = get_object_or_404(webhook.deliveries.select_related("webhook__club"), uid=delivery)
    again = partial(webhooks.redeliver, actor=session_actor(request), delivery=found)
    attempt(request, again, _("The message is on its way once more."))
    return redirect("web:webhook", slug, uid)


def _switch(actor: Actor, webhook: Webhook, *, is_active: bool) -> Callable[[], Webhook]:
    return partial(webhooks.edit_webhook, actor=actor, webhook=webhook, is_active=is_active)


def _find(request: HttpRequest, slug: str, uid: str) -> tuple[Club, Webhook]:
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    return club, get_object_or_404(selectors.webhooks_of(club), uid=uid)


def _require_owner(request: HttpRequest, club: Club) -> None:
    if not session_actor(request).is_at_least(Role.OWNER, club):
        raise PermissionDenied


def _show_one(
    request: HttpRequest, club: Club, webhook: Webhook, *, form: WebhookForm | None = None, secret: str = ""
) -> HttpResponse:
    form = form or WebhookForm(initial={"url": webhook.url, "types": webhook.types})
    log = webhook.deliveries.order_by("-pk")[:LATEST]
    return _show(request, "webhook", club, webhook=webhook, form=form, secret=secret, log=log)


def _show(request: HttpRequest, template: str, club: Club, **context: Any) -> HttpResponse:
    is_owner = session_actor(request).is_at_least(Role.OWNER, club)
    frame = {"club": club, "is_owner": is_owner, "is_organiser": True}
    return render(request, f"clubs/{template}.html", frame | context)


urlpatterns = [
    path("", webhook_list, name="webhooks"),
    path("<slug:uid>/", one_webhook, name="webhook"),
    path("<slug:uid>/secret/", rotate, name="webhook-rotate"),
    *(
        path(f"<slug:uid>/{verb}/", act, {"verb": verb}, name=f"webhook-{verb}")
        for verb in ("test", "on", "off", "delete")
    ),
    path("<slug:uid>/messages/<slug:delivery>/", redeliver, name="webhook-redeliver"),
]
