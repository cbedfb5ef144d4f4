"""Pages to log in, to set a password, to see one's account and to accept an invitation."""

from __future__ import annotations

from typing import Any, cast

from axes.helpers import get_cool_off
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from core.errors import DomainError
from core.guesses import count_guess, is_guessing
from core.models import User
from tournaments import selectors
from tournaments.actors import Actor, Kind
from tournaments.links import origin_of
from tournaments.models import Invitation, Membership
from tournaments.pages.base import READ_OR_SEND, Refusal, refuse
from tournaments.pages.forms import ChangeForm, JoinForm, LogInForm, NewPasswordForm, ResetForm, TokenForm
from tournaments.services import credentials, members

BACKEND = "django.contrib.auth.backends.ModelBackend"  # of the two, the one that knows people


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)  # whoever gets here is logged in


# --- Logging in, passwords --------------------------------------------------------------------------------------


class LogIn(views.LoginView):
    """Log in by e-mail address and password."""

    template_name = "accounts/login.html"
    authentication_form = LogInForm


def locked(request: HttpRequest, response: HttpResponse, credentials: dict[str, Any] | None) -> HttpResponse:
    """Answer a login after too many wrong passwords."""
    wait = get_cool_off(request)
    advice = _("Nothing is lost. Wait {minutes} minutes without another attempt, then log in.")
    refusal = Refusal(429, _("Too many wrong passwords"), advice.format(minutes=int(wait.total_seconds()) // 60))
    answer = refuse(request, refusal)
    answer["Retry-After"] = str(int(wait.total_seconds()))
    return answer


class ChangePassword(views.PasswordChangeView):
    """Change one's password."""

    template_name = "accounts/password.html"
    form_class = ChangeForm
    success_url = reverse_lazy("pages:account")

    def form_valid(self, form: Any) -> HttpResponse:
        """Change it, and say so."""
        messages.success(self.request, _("Your password is changed. Other devices are logged out."))
        return super().form_valid(form)


class ResetPassword(views.PasswordResetView):
    """Ask for a link to set a password."""

    template_name = "accounts/reset.html"
    form_class = ResetForm
    subject_template_name = "accounts/mail_subject.txt"
    email_template_name = "accounts/mail.txt"
    success_url = reverse_lazy("pages:reset-sent")

    def form_valid(self, form: Any) -> HttpResponse:
        """Send the link, if there is an account, and say the same in any case."""
        self.extra_email_context = {"origin": origin_of(self.request)}
        return super().form_valid(form)


class ResetSent(views.PasswordResetDoneView):
    """Say that a link is on its way."""

    template_name = "accounts/reset_sent.html"


class SetPassword(views.PasswordResetConfirmView):
    """Set a password by a link, and log in with it."""

    template_name = "accounts/set_password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("pages:account")
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def dispatch(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
        """Move what the link says into the session, from where the next request takes it."""
        if "token" in request.GET:
            request.session["password_user"] = request.GET.get("user", "")
        user = request.session.get("password_user", "")
        return super().dispatch(request, uidb64=user, token=request.GET.get("token", self.reset_url_token))

    def form_valid(self, form: Any) -> HttpResponse:
        """Set it, and say so."""
        messages.success(self.request, _("Your password is set, and you are logged in."))
        return super().form_valid(form)

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
    context = {
        "form": form,
        "secret": secret,
        "clubs": [(club, role.label) for club, role in selectors.roles_of(actor) if role],
        "tokens": selectors.tokens_of(_user(request)),
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
    return redirect("pages:account")


# --- Invitations ------------------------------------------------------------------------------------------------


@never_cache
@sensitive_post_parameters()
@READ_OR_SEND
def invitation(request: HttpRequest) -> HttpResponse:
    """Show an invitation, and accept it: with the account of its address, or with a new one."""
    if is_guessing(request):
        return refuse(request, Refusal(429, _("Too many wrong links"), _("Wait a minute, then open yours again.")))
    secret = request.GET.get("secret", "")
    found = selectors.invitation_with(secret)
    if found is None:
        count_guess(request)
        advice = _("The link is incomplete, or the invitation was taken back. Open it from the mail once more.")
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
    return None


def _answer_user(request: HttpRequest, found: Invitation, secret: str) -> HttpResponse:
    user = _user(request)
    if user.email.lower() != found.email.lower():
        advice = _("It was sent to {invited}, and you are logged in as {own}. Log out to go on with that address.")
        advice = advice.format(invited=found.email, own=user.email)
        refusal = Refusal(403, _("This invitation is for another address"), advice)
        return refuse(request, refusal, has_other_account=True)
    if request.method == "POST":
        return _welcome(request, members.accept_invitation(actor=Actor(Kind.USER, user=user), secret=secret))
    return render(request, "accounts/invitation.html", {"invitation": found})


def _answer_guest(request: HttpRequest, found: Invitation, secret: str) -> HttpResponse:
    context: dict[str, Any] = {"invitation": found}
    if not User.objects.filter(email__iexact=found.email).exists():
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
    return redirect("pages:account")
