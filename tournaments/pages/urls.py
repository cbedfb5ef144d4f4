"""Routes of the pages everybody can see."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path

from tournaments.pages import accounts, styleguide, views

app_name = "pages"

urlpatterns = [
    path("", views.front, name="front"),
    path("login/", accounts.LogIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("password/", accounts.ChangePassword.as_view(), name="password"),
    path("password/reset/", accounts.ResetPassword.as_view(), name="reset-password"),
    path("password/reset/sent/", accounts.ResetSent.as_view(), name="reset-sent"),
    path("password/set/", accounts.SetPassword.as_view(), name="set-password"),
    path("account/", accounts.account, name="account"),
    path("account/tokens/<slug:uid>/revoke/", accounts.revoke_token, name="revoke-token"),
    path("invitations/", accounts.invitation, name="invitation"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
