"""Every page, under the namespace `web`."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from web import print as paper
from web import projector, styleguide
from web.accounts import first_start, second_factor
from web.accounts import views as accounts
from web.clubs import files as club_files
from web.clubs import views as clubs
from web.console import actions, copies, decision, entries, event_settings, history, penalties
from web.console import views as console
from web.manual import games
from web.public import front

app_name = "web"

# Routes are tried in their order: what every phone polls comes first.
urlpatterns = [
    path("", include("web.phone.home")),
    path("", include("web.phone.call")),
    path("", include("web.phone.table")),
    path("", front.front, name="front"),
    path("start/", first_start.start, name="start"),
    path("login/", accounts.LogIn.as_view(), name="login"),
    path("login/code/", second_factor.LogInCode.as_view(), name="login-code"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("password/", accounts.ChangePassword.as_view(), name="password"),
    path("password/reset/", accounts.ResetPassword.as_view(), name="reset-password"),
    path("password/reset/sent/", accounts.ResetSent.as_view(), name="reset-sent"),
    path("password/set/", accounts.SetPassword.as_view(), name="set-password"),
    path("account/", accounts.account, name="account"),
    path("account/tokens/<slug:uid>/revoke/", accounts.revoke_token, name="revoke-token"),
    path("account/sessions/end-others/", accounts.end_other_sessions, name="end-other-sessions"),
    path("account/sessions/<slug:uid>/end/", accounts.end_session, name="end-session"),
    path("account/second-factor/", second_factor.second_factor_page, name="second-factor"),
    path("invitations/", accounts.invitation, name="invitation"),
    path("organise/", clubs.mine, name="organise"),
    path("organise/new/", clubs.new, name="new-club"),
    path("organise/club/<slug:slug>/", clubs.overview, name="organise-club"),
    path("organise/club/<slug:slug>/settings/", clubs.settings, name="club-settings"),
    path("organise/club/<slug:slug>/members/", clubs.people, name="members"),
    path("organise/club/<slug:slug>/members/<int:pk>/", clubs.change_member, name="member"),
    path("organise/club/<slug:slug>/invitations/<slug:uid>/", clubs.take_back_invitation, name="take-back-invitation"),
    path("organise/club/<slug:slug>/keys/", clubs.keys, name="keys"),
    path("organise/club/<slug:slug>/keys/<slug:uid>/", clubs.key, name="key"),
    path("organise/club/<slug:slug>/keys/<slug:uid>/revoke/", clubs.revoke_key, name="revoke-key"),
    path("organise/club/<slug:slug>/files/", club_files.page, name="club-files"),
    path("organise/club/<slug:slug>/seasons/", clubs.season_list, name="club-seasons"),
    path("organise/club/<slug:slug>/seasons/<slug:uid>/", clubs.season, name="club-season"),
    path("organise/club/<slug:slug>/events/new/", event_settings.new, name="new-event"),
    path("organise/", include("web.clubs.merges")),
    path("", include("web.clubs.games")),
    path("organise/club/<slug:slug>/webhooks/", include("web.clubs.webhooks")),
    path("organise/club/<slug:slug>/", include("web.clubs.people")),
    path("e/<slug:uid>/settings/", event_settings.edit, name="event-settings"),
    path("e/<slug:uid>/copy/", copies.copy, name="copy-event"),
    path("e/<slug:uid>/players/", entries.entry_list, name="entries"),
    path("e/<slug:uid>/players/act/", entries.act_on_all, name="act-entries"),
    path("e/<slug:uid>/players/<slug:entry_uid>/", entries.entry_page, name="entry"),
    path("e/<slug:uid>/players/<slug:entry_uid>/change/", entries.change_entry, name="change-entry"),
    path("e/<slug:uid>/penalties/", penalties.penalty_list, name="penalties"),
    path("e/<slug:uid>/penalties/<slug:penalty_uid>/take-back/", penalties.take_back, name="take-back-penalty"),
    path("e/<slug:uid>/console/", console.console, name="console"),
    path("e/<slug:uid>/console/part/", console.part, name="console-part"),
    path("e/<slug:uid>/console/news/", console.stream, name="console-news"),
    path("e/<slug:uid>/console/act/", actions.act_on_event, name="act-event"),
    path("e/<slug:uid>/console/<int:number>/", console.console, name="console-round"),
    path("e/<slug:uid>/console/<int:number>/part/", console.part, name="console-round-part"),
    path("e/<slug:uid>/console/<int:number>/act/", actions.act_on_round, name="act-round"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/act/", actions.act_on_table, name="act-table"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/", decision.table, name="table-decision"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/sheet/", decision.sheet, name="table-decision-sheet"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/rank/", decision.rank, name="table-decision-rank"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/decide/", decision.decide, name="decide"),
    path("e/<slug:uid>/history/", history.history, name="event-history"),
    path("e/<slug:uid>/print/", paper.menu, name="print"),
    path("e/<slug:uid>/print/<int:number>/seating/", paper.seating, name="print-seating"),
    path("e/<slug:uid>/print/<int:number>/slips/", paper.slips, name="print-slips"),
    path("e/<slug:uid>/print/<int:number>/sheets/", paper.sheets, name="print-sheets"),
    path("e/<slug:uid>/print/sheet/", paper.blank_sheet, name="print-sheet"),
    path("e/<slug:uid>/print/plan/", paper.plan, name="print-plan"),
    path("e/<slug:uid>/print/poster/", paper.poster, name="print-poster"),
    path("e/<slug:uid>/print/standings/", paper.standings, name="print-standings"),
    path("e/<slug:uid>/print/certificates/", paper.certificates, name="print-certificates"),
    path("e/<slug:uid>/projector/", projector.projector, name="projector"),
    path("e/<slug:uid>/projector/part/", projector.part, name="projector-part"),
    path("e/<slug:uid>/projector/news/", projector.stream, name="projector-news"),
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/", games.game, name="game"),
    path("games/<slug:slug>/sheet/", paper.game_sheet, name="game-sheet"),
    path("clubs/<slug:slug>/games/<slug:game>/sheet/", paper.club_game_sheet, name="club-game-sheet"),
    path("", include("web.manual.documents")),
    path("", include("web.phone.app")),
    path("", include("web.join.views")),
    path("", include("web.public.events")),
    path("", include("web.public.pictures")),
    path("", include("web.public.clubs")),
    path("", include("web.public.seasons")),
    path("", include("web.public.players")),
    path("", include("web.public.leaderboards")),
    path("", include("web.public.embeds")),
    path("", include("web.public.calendars")),
    path("", include("web.play.solo")),
    path("", include("web.play.challenges")),
    path("", include("web.play.records")),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
