"""Pages to log in, to set a password, to see one's account and to accept an invitation."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from core import mails, passwords, second_factor, sessions
from core.brute_force import count_failure
from core.errors import DomainError
from core.models import User
from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.models import Invitation, Membership, Role
from tournaments.services import credentials, members
from web.accounts.second_factor import BACKEND, enter
from web.base import READ_OR_SEND, Refusal, refuse
from web.forms import ChangeForm, JoinForm, LogInForm, NewPasswordForm, ResetForm, TokenForm


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)  # only views that require a login call this


# --- Logging in, passwords --------------------------------------------------------------------------------------


class LogIn(views.LoginView):
    """Log in by e-mail address and password, and a second factor where there is one."""

    template_name = "accounts/login.html"
    authentication_form = LogInForm

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in, or go on to the second step."""
        return enter(self.request, form.get_user(), self.get_success_url())


class ChangePassword(views.PasswordChangeView):
    """Change one's password."""

    template_name = "accounts/password.html"
    form_class = ChangeForm
    success_url = reverse_lazy("web:account")

    def get_form_kwargs(self) -> dict[str, Any]:
        """Let the form look at the old password as the login does."""
        return super().get_form_kwargs() | {"request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        """Change the password, and say on the next page what ended with the old one; this session goes on."""
        try:
            answer = super().form_valid(form)
        except DomainError as error:
            form.add_error(None, error.detail)
            return self.form_invalid(form)
        sessions.note(self.request, form.user)
        messages.success(
            self.request, _("Your password is changed. Other devices are logged out; your API tokens ended.")
        )
        return answer


class ResetPassword(views.PasswordResetView):
    """Ask for a link to set a password; the answer is the same whether there is an account or not."""

    template_name = "accounts/reset.html"
    form_class = ResetForm
    success_url = reverse_lazy("web:reset-sent")

    def dispatch(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
        """Say whom to ask where this service sends no mail."""
        if not mails.is_set_up():
            return render(request, "accounts/reset_by_hand.html")
        return super().dispatch(request, *args, **options)


class ResetSent(views.PasswordResetDoneView):
    """Say that a link is on its way."""

    template_name = "accounts/reset_sent.html"


class SetPassword(views.PasswordResetConfirmView):
    """Set a password by a link, and log in with it."""

    template_name = "accounts/set_password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("web:account")
    token_generator = passwords.any_tokens

    def dispatch(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
        """Move what the link says into the session, from where the next request takes it.

        Only of a link that is good: nobody stores anything here by making one up.
        """
        if "token" not in request.GET:
            user = request.session.get("password_user", "")
            return super().dispatch(request, uidb64=user, token=self.reset_url_token)
        user, token = request.GET.get("user", ""), request.GET["token"]
        answer = super().dispatch(request, uidb64=user, token=token)
        if answer.status_code == 302:
            request.session["password_user"] = user
        else:
            request.session.pop("password_user", None)
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password, which a mailed link makes a proof of the address, and log in with it."""
        token = self.request.session.get(views.INTERNAL_RESET_SESSION_TOKEN)
        is_mailed = passwords.mailed_tokens.check_token(form.user, token)
        form.hash_in_turn()
        try:
            with transaction.atomic():
                super().form_valid(form)
                if is_mailed:
                    passwords.prove_address(form.user)
        except DomainError:  # another password was set meanwhile, which ended the link
            self.validlink = False
            return self.render_to_response(self.get_context_data())
        messages.success(self.request, _("Your password is set. Logins and API tokens of a former one have ended."))
        return enter(self.request, form.user, str(self.success_url))

    def render_to_response(self, context: dict[str, Any], **options: Any) -> HttpResponse:
        """Answer a link that is not valid any more as one that is gone."""
        return super().render_to_response(context, status=200 if self.validlink else 410, **options)


# --- The account ------------------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
def account(request: HttpRequest) -> HttpResponse:
    """Show one's account; a new token is shown in the answer to its form and never again."""
    actor = Actor(Kind.USER, user=_user(request))
    form, secret = TokenForm(request.POST or None), ""
    if form.is_valid():
        _token, secret = credentials.create_token(actor=actor, name=form.cleaned_data["name"])
        form = TokenForm()
    roles = selectors.roles_of(actor)
    context = {
        "form": form,
        "secret": secret,
        "clubs": [(club, role.label) for club, role in roles if role],
        "tokens": selectors.tokens_of(_user(request)),
        "logins": sessions.logins_of(_user(request)),
        "this_one": request.session.session_key,
        "has_second_factor": second_factor.is_on(_user(request)),
        "is_owner": any(role == Role.OWNER for _club, role in roles),
        "is_mail_set_up": mails.is_set_up(),
    }
    return render(request, "accounts/account.html", context)


@login_required
@require_POST
def revoke_token(request: HttpRequest, uid: str) -> HttpResponse:
    """Revoke one of one's tokens."""
    user = _user(request)
    token = get_object_or_404(selectors.tokens_of(user), uid=uid)
    credentials.revoke(actor=Actor(Kind.USER, user=user), credential=token)
    messages.success(request, _("The token “{name}” is revoked.").format(name=token.name))
    return redirect("web:account")


@login_required
@require_POST
def end_session(request: HttpRequest, uid: str) -> HttpResponse:
    """Log out in one of one's browsers, at once."""
    logins = sessions.logins_of(_user(request))
    found = get_object_or_404(logins, uid=uid)
    sessions.end(logins.filter(pk=found.pk))
    messages.success(request, _("“{browser}” is logged out.").format(browser=found))
    return redirect("web:account")


@login_required
@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    """Log out everywhere else."""
    sessions.end(sessions.logins_of(_user(request)).exclude(pk=request.session.session_key))
    messages.success(request, _("Everywhere else you are logged out."))
    return redirect("web:account")


# --- Invitations ------------------------------------------------------------------------------------------------


@never_cache
@sensitive_post_parameters()
@READ_OR_SEND
def invitation(request: HttpRequest) -> HttpResponse:
    """Show an invitation, and accept it: with the account of its address, or with a new one."""
    secret = request.GET.get("secret", "")
    found = selectors.invitation_with(secret)
    if found is None:
        count_failure(request)
        advice = _(
            "The link is incomplete, or the invitation was taken back. "
            "Open it from the mail again, or ask the club for a new one."
        )
        return refuse(request, Refusal(404, _("There is no such invitation"), advice))
    if refusal := _why_closed(found):
        return refuse(request, refusal)
    answer = _answer_user if request.user.is_authenticated else _answer_guest
    try:
        return answer(request, found, secret)
    except DomainError as error:  # somebody was quicker than this form
        return refuse(request, Refusal(error.status, _("The invitation could not be accepted"), error.detail))


def _why_closed(found: Invitation) -> Refusal | None:
    if found.accepted_at:
        advice = _("It works once. If it was you who used it, log in; otherwise ask the club for a new one.")
        return Refusal(410, _("This invitation was used"), advice)
    if found.expires_at <= timezone.now():
        return Refusal(
            410, _("This invitation has expired"), _("It was good for 14 days. Ask the club for a new one.")
        )
    if mails.is_set_up() and not found.is_mailed:
        advice = _("Its link was shown to others than you. Ask the club for a new one, which comes by mail alone.")
        return Refusal(410, _("This invitation does not count any more"), advice)
    if not selectors.open_invitations().filter(pk=found.pk).exists():
        advice = _("Whoever sent it no longer owns the club. Ask the club for a new one.")
        return Refusal(410, _("This invitation does not count any more"), advice)
    return None


def _answer_user(request: HttpRequest, found: Invitation, secret: str) -> HttpResponse:
    user = _user(request)
    if user.email.lower() != found.email.lower():
        advice = _("It was sent to {invited}, and you are logged in as {own}. Log out to go on with that address.")
        advice = advice.format(invited=found.email, own=user.email)
        refusal = Refusal(403, _("This invitation is for another address"), advice)
        return refuse(request, refusal, has_other_account=True)
    if not members.can_accept(user):
        return render(request, "accounts/invitation.html", {"invitation": found, "must_prove": True})
    if request.method == "POST":
        return _welcome(request, members.accept_invitation(actor=Actor(Kind.USER, user=user), secret=secret))
    return render(request, "accounts/invitation.html", {"invitation": found})


def _answer_guest(request: HttpRequest, found: Invitation, secret: str) -> HttpResponse:
    context: dict[str, Any] = {"invitation": found}
    user = User.objects.at(found.email).first()
    if user is not None:
        context["must_prove"] = not members.can_accept(user)
    else:
        form = JoinForm(User(email=found.email), request.POST or None, initial={"email": found.email})
        if form.is_valid():
            name, password = form.cleaned_data["name"], form.cleaned_data["new_password1"]
            membership = members.accept_with_new_account(secret=secret, name=name, password=password)
            login(request, membership.user, backend=BACKEND)
            return _welcome(request, membership)
        context["form"] = form
    return render(request, "accounts/invitation.html", context)


def _welcome(request: HttpRequest, membership: Membership) -> HttpResponse:
    text = _("Welcome! You are now {role} of {club}.")
    role = membership.get_role_display()
    messages.success(request, text.format(role=role, club=membership.club.name))
    return redirect("web:organise-club", membership.club.slug)
