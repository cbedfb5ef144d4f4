"""Routes of the pages that need results."""

from __future__ import annotations

from django.urls import include, path

from scoring.pages import acts, console, desk, games, prints, projector

app_name = "scoring"

urlpatterns = [
    path("", include("scoring.pages.evening")),
    path("", include("scoring.pages.table")),
    path("games/", games.games, name="games"),
    path("games/<slug:slug>/", games.game, name="game"),
    path("e/<slug:uid>/console/", console.console, name="console"),
    path("e/<slug:uid>/console/part/", console.part, name="console-part"),
    path("e/<slug:uid>/console/act/", acts.act_on_event, name="act-event"),
    path("e/<slug:uid>/console/<int:number>/", console.console, name="console-round"),
    path("e/<slug:uid>/console/<int:number>/part/", console.part, name="console-round-part"),
    path("e/<slug:uid>/console/<int:number>/act/", acts.act_on_round, name="act-round"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/act/", acts.act_on_table, name="act-table"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/", desk.desk, name="desk"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/sheet/", desk.sheet, name="desk-sheet"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/rank/", desk.rank, name="desk-rank"),
    path("e/<slug:uid>/console/table/<slug:table_uid>/decide/", desk.decide, name="decide"),
    path("e/<slug:uid>/print/", prints.menu, name="print"),
    path("e/<slug:uid>/print/<int:number>/seating/", prints.seating, name="print-seating"),
    path("e/<slug:uid>/print/<int:number>/slips/", prints.slips, name="print-slips"),
    path("e/<slug:uid>/print/poster/", prints.poster, name="print-poster"),
    path("e/<slug:uid>/print/standings/", prints.standings, name="print-standings"),
    path("e/<slug:uid>/projector/", projector.projector, name="projector"),
    path("e/<slug:uid>/projector/part/", projector.part, name="projector-part"),
    path("", include("scoring.pages.docs")),
    path("", include("scoring.pages.public.events")),
    path("", include("scoring.pages.public.clubs")),
    path("", include("scoring.pages.public.players")),
    path("", include("scoring.pages.public.leaderboards")),
    path("", include("scoring.pages.public.embeds")),
    path("", include("scoring.pages.public.calendars")),
]
