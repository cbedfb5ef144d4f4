"""Routes of the pages everybody can see."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from tournaments.pages import accounts, clubs, entries, styleguide, views, wizard

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
    path("organise/", clubs.mine, name="clubs"),
    path("organise/new/", clubs.new, name="new-club"),
    path("organise/club/<slug:slug>/", clubs.desk, name="desk"),
    path("organise/club/<slug:slug>/settings/", clubs.settings, name="club-settings"),
    path("organise/club/<slug:slug>/members/", clubs.people, name="members"),
    path("organise/club/<slug:slug>/members/<int:pk>/", clubs.change_member, name="member"),
    path("organise/club/<slug:slug>/invitations/<slug:uid>/", clubs.take_back_invitation, name="take-back-invitation"),
    path("organise/club/<slug:slug>/keys/", clubs.keys, name="keys"),
    path("organise/club/<slug:slug>/keys/<slug:uid>/revoke/", clubs.revoke_key, name="revoke-key"),
    path("organise/club/<slug:slug>/seasons/", clubs.season_list, name="club-seasons"),
    path("organise/club/<slug:slug>/seasons/<slug:uid>/", clubs.season, name="club-season"),
    path("organise/club/<slug:slug>/events/new/", wizard.new, name="new-event"),
    path("e/<slug:uid>/settings/", wizard.edit, name="event-settings"),
    path("e/<slug:uid>/players/", entries.entry_list, name="entries"),
    path("e/<slug:uid>/players/<slug:entry_uid>/", entries.entry_page, name="entry"),
    path("e/<slug:uid>/players/<slug:entry_uid>/change/", entries.change_entry, name="change-entry"),
    path("", include("tournaments.pages.app")),
    path("", include("tournaments.pages.join")),
    path("organise/club/<slug:slug>/webhooks/", include("tournaments.pages.webhooks")),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
