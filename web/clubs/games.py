"""A club's own games: a list, a form with the phone's sheet beside it, versions, links, files, a page to try one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core import strict_json
from core.brute_force import look_up
from core.costly import OWN_GAME, bounded
from core.errors import DomainError
from core.language import reader_language
from tournaments import games, selectors
from tournaments.games import CustomEngine
from tournaments.links import game_link, origin_of
from tournaments.models import Club, GameVersion, OwnGame, Role
from tournaments.services import games as services
from web.base import READ_OR_SEND, attempt, managed_club_or_404, reasons, session_actor, takes_a_sheet
from web.clubs import game_forms
from web.phone.sheets import SeatName
from web.phone.sheets.forms import Links, SheetForm

MADE_UP = ("Ana", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hana")
MOST_EXAMPLES = 1000


@dataclass
class Maker:
    """The form of a definition: its fields, what is wrong with them, and the sheet that it makes."""

    fields: Mapping[str, str]
    definition: Mapping[str, Any]
    findings: dict[str, list[str]] = field(default_factory=dict)
    engine: CustomEngine | None = None
    is_text: bool = False
    text: str = ""

    @classmethod
    def of(cls, definition: Mapping[str, Any]) -> Maker:
        """Return the form of a definition that somebody starts from."""
        made = cls(game_forms.fields_of(definition), definition, text=game_forms.as_text(definition))
        made.is_text = "sheet" in definition and not game_forms.is_plain(definition)
        made._judge([])
        return made

    @classmethod
    def read(cls, data: QueryDict) -> Maker:
        """Return the form as it was sent, judged; as text, or field by field."""
        if data.get("as") == "text":
            value = _json(data.get("text", ""))
            definition = value if isinstance(value, dict) else {}
            made = cls(game_forms.fields_of({}), definition, is_text=True, text=data.get("text", ""))
        else:
            definition = game_forms.definition_of(data)
            made = cls({name: data.get(name, "") for name in data}, definition, text=game_forms.as_text(definition))
        made._judge(game_forms.kept_lines(data))
        return made

    def _judge(self, kept: list[int]) -> None:
        if not self.definition and not self.is_text:
            return
        try:
            self.engine = games.engine_to_try(self.definition)
        except DomainError as error:
            self.refuse(error, kept)

    def refuse(self, error: DomainError, kept: list[int] | None = None) -> None:
        """Say what is wrong beside the fields it concerns."""
        for each in error.errors or [{"path": [], "message": error.detail}]:
            name = "" if self.is_text else game_forms.field_of(each["path"], kept or [])
            self.findings.setdefault(name, []).append(each["message"])

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of the form, with room for more."""
        numbers = {int(name.split(".")[2]) for name in self.fields if name.startswith("sheet.lines.")}
        count = min(max(game_forms.ROOM, max(numbers, default=-1) + 2), games.MOST_LINES)
        names = ("key", "name", "name.fr", "factor", "values", "given_to", "break", *game_forms.LIMITS)
        return [
            {
                "number": index + 1,
                "at": f"sheet.lines.{index}",
                "f": {
                    each.replace(".", "_"): {
                        "name": f"sheet.lines.{index}.{each}",
                        "value": self.fields.get(f"sheet.lines.{index}.{each}", ""),
                    }
                    for each in names
                },
            }
            for index in range(count)
        ]

    @property
    def f(self) -> dict[str, dict[str, str]]:
        """The other fields by their names, with underscores."""
        names = [
            "slug",
            "name",
            "name.fr",
            "remarks",
            "remarks.fr",
            "seats.min",
            "seats.max",
            "winner",
            "minutes",
            "rated",
        ]
        names += [
            "sheet.kind",
            "sheet.ties",
            "sheet.rounds",
            "sheet.target",
            "sheet.values",
            "sheet.given_to",
            "tiebreaks.0",
        ]
        names += [f"sheet.{each}" for each in game_forms.LIMITS]
        return {name.replace(".", "_"): {"name": name, "value": self.fields.get(name, "")} for name in names}

    @property
    def others(self) -> list[str]:
        """What is wrong and has no field of its own."""
        known = {each["name"] for each in self.f.values()} | {"tiebreaks", "sheet.lines"}
        known |= {each["name"] for line in self.lines for each in line["f"].values()}
        return [text for name, texts in self.findings.items() if name not in known for text in texts]

    @property
    def preview(self) -> SheetForm | None:
        """The sheet as a phone shows it; nothing while the definition makes no sense."""
        if self.engine is None:
            return None
        variant = self.engine.variants[0]
        return SheetForm(
            self.engine, variant, _made_up(min(variant.people[-1], max(variant.people[0], 3))), {}, Links(check="-")
        )


def _json(text: str) -> object:
    try:
        return strict_json.read(text)
    except ValueError:
        return None


def _made_up(count: int) -> list[SeatName]:
    return [SeatName(f"seat-{number}", name) for number, name in enumerate(MADE_UP[:count], 1)]


# --- Pages of organisers ----------------------------------------------------------------------------------------


@never_cache
@login_required
@READ_OR_SEND
@takes_a_sheet
def game_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's own games; copy one by a link or from a file."""
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    if request.method == "POST":
        try:
            made = _taken(request, club)
        except DomainError as error:
            messages.error(request, " ".join(reasons(error)))
        else:
            if made is not None:
                messages.success(request, _("The game is yours now. Change what you like."))
                return redirect("web:own-game", slug, made.slug)
            messages.error(request, _("Nobody shares a game by this link, and the file is not a definition."))
    found = selectors.described(session_actor(request), club.games.select_related("club")).order_by("slug")
    language = reader_language()
    ready = [
        (
            each["slug"],
            each["name"].get(language) or each["name"]["en"],
            each["remarks"].get(language) or each["remarks"]["en"],
        )
        for each in games.ready()
    ]
    own = [(game, games.engine_of_game(game).name.into(language)) for game in found]
    return _show(request, "games", club, own=own, ready=ready)


def _taken(request: HttpRequest, club: Club) -> OwnGame | None:
    """Return the game that was copied, by a link or from a file; None where there is none."""
    actor = session_actor(request)
    if (file := request.FILES.get("file")) is not None:
        value = _json(file.read().decode(errors="replace"))
        if not isinstance(value, dict):
            return None
        return services.define_game(actor=actor, club=club, definition=games.definition_in(value))
    link = request.POST.get("link", "").strip().rstrip("/").rpartition("/")[2]
    source = look_up(request, lambda: selectors.game_with_link(actor, link))
    return services.copy_game(actor=actor, club=club, source=source) if source else None


@never_cache
@login_required
@READ_OR_SEND
@takes_a_sheet
def new_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Describe a game for the first time, from nothing or from a ready definition."""
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    if request.method != "POST":
        start = next((each for each in games.ready() if each["slug"] == request.GET.get("from")), {})
        return _form(request, club, Maker.of(start))
    maker = Maker.read(request.POST)
    if request.POST.get("action") == "save" and maker.engine is not None:
        define = partial(services.define_game, actor=session_actor(request), club=club, definition=maker.definition)
        if made := _saved(maker, define):
            messages.success(request, _("The game is ready. Try its sheet, then run an event of it."))
            return redirect("web:club-game", slug, made.slug)
    return _form(request, club, maker)


@never_cache
@login_required
@READ_OR_SEND
@takes_a_sheet
def own_game(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """Change a game by another version; below, its versions, its link, and the way to remove it."""
    club, own = _own(request, slug, game)
    if request.method != "POST":
        return _form(request, club, Maker.of(own.newest[0].definition), own)
    maker = Maker.read(request.POST)
    if request.POST.get("action") == "save" and maker.engine is not None:
        gone = dict.fromkeys(own.newest[0].definition.keys() - maker.definition.keys())
        changes = {**gone, **maker.definition}
        redefine = partial(services.redefine_game, actor=session_actor(request), game=own, changes=changes)
        if made := _saved(maker, redefine):
            said = _("Version {number} is ready. Events that exist keep the version they have.")
            messages.success(request, said.format(number=made.version))
            return redirect("web:own-game", slug, game)
    return _form(request, club, maker, own)


def _saved(maker: Maker, save: partial[OwnGame]) -> OwnGame | None:
    try:
        return save()
    except DomainError as error:
        maker.refuse(error)
        return None


@login_required
@require_POST
@takes_a_sheet
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the sheet that the fields make, as a piece of the page."""
    managed_club_or_404(request, slug, Role.ORGANISER)
    return render(request, "clubs/_game_preview.html", {"maker": Maker.read(request.POST)})


@login_required
@require_POST
def act(request: HttpRequest, slug: str, game: str, verb: str) -> HttpResponse:
    """Share a game by a link, end the link, or remove the game."""
    _club, own = _own(request, slug, game)
    actor = session_actor(request)
    if verb == "remove":
        done = attempt(request, lambda: [services.remove_game(actor=actor, game=own)], _("The game is removed."))
        return redirect("web:own-games", slug) if done else redirect("web:own-game", slug, game)
    said = _("Whoever has the link can copy the game.") if verb == "share" else _("The link works no longer.")
    attempt(request, partial(services.share_game, actor=actor, game=own, is_shared=verb == "share"), said)
    return redirect("web:own-game", slug, game)


def _own(request: HttpRequest, slug: str, game: str) -> tuple[Club, Any]:
    club = managed_club_or_404(request, slug, Role.ORGANISER)
    found = selectors.described(session_actor(request), club.games.select_related("club"))
    return club, get_object_or_404(found, slug=game)


def _form(request: HttpRequest, club: Club, maker: Maker, own: Any = None) -> HttpResponse:
    versions = GameVersion.objects.filter(game=own).order_by("-number")[:50] if own else ()
    link = game_link(own, origin_of(request)) if own and own.link else ""
    context = {
        "maker": maker,
        "own": own,
        "versions": versions,
        "link": link,
        "tiebreaks": range(1, game_forms.MOST_TIEBREAKS + 1),
    }
    return _show(request, "game_form", club, findings=maker.findings, **context)


def _show(request: HttpRequest, template: str, club: Club, **context: Any) -> HttpResponse:
    frame = {"club": club, "is_owner": session_actor(request).is_at_least(Role.OWNER, club), "is_organiser": True}
    return render(request, f"clubs/{template}.html", frame | context)


# --- Pages of everybody -----------------------------------------------------------------------------------------


@READ_OR_SEND
@takes_a_sheet
def try_game(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """Show a game of a club with its sheet, to try with made-up players; a sheet that is sent is stored nowhere."""
    actor = session_actor(request)
    own = get_object_or_404(selectors.described(actor, selectors.visible_games(actor)), club__slug=slug, slug=game)
    return _try(request, own, is_ours=actor.is_at_least(Role.ORGANISER, own.club))


@READ_OR_SEND
@takes_a_sheet
def shared_game(request: HttpRequest, link: str) -> HttpResponse:
    """Show a game that a club has shared by a link."""
    actor = session_actor(request)
    own = look_up(request, lambda: selectors.game_with_link(actor, link))
    if own is None:
        raise Http404
    clubs = selectors.clubs_run_by(actor, Role.ORGANISER).order_by("name", "pk")
    return _try(request, own, clubs=clubs, link=game_link(own, origin_of(request)))


def _try(request: HttpRequest, own: Any, **context: Any) -> HttpResponse:
    engine = games.engine_of_game(own)
    counts = engine.definition.people
    wanted = request.GET.get("people", "")
    count = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 3 else min(3, counts[-1])
    people = _made_up(min(max(count, counts[0]), counts[-1]))
    variant = next(each for each in engine.variants if len(people) in each.people)
    check = reverse("api:own-game-version-check", args=[own.club.slug, own.slug, engine.version])
    report = _example(request, engine, people)
    form = SheetForm(engine, variant, people, report, Links(check=check))
    if request.method == "POST":
        form = SheetForm(engine, variant, people, form.read(request.POST), Links(check=check), judged=True)
    language = reader_language()
    remarks = engine.summary.into(language) if engine.definition.remarks else ""
    context |= {"own": own, "name": engine.name.into(language), "remarks": remarks, "form": form, "numbers": counts}
    context |= {"next_example": random.randrange(MOST_EXAMPLES), "minutes": engine.definition.minutes}
    return render(request, "public/club_game.html", context)


def _example(request: HttpRequest, engine: CustomEngine, people: list[SeatName]) -> dict[str, Any]:
    """Return a made-up sheet where one is asked for."""
    seed = request.GET.get("example", "")
    if not seed:
        return {}
    with bounded(OWN_GAME):
        return games.made_up_sheet(engine, [seat.uid for seat in people], seed)


@require_safe
def game_file(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """Answer with the newest definition as a file that another club can read."""
    actor = session_actor(request)
    found = selectors.described(actor, selectors.visible_games(actor))
    own: Any = get_object_or_404(found, club__slug=slug, slug=game)
    options = {"indent": 2, "ensure_ascii": False}
    answer = JsonResponse(own.newest[0].definition, json_dumps_params=options)
    answer["Content-Disposition"] = f'attachment; filename="{own.slug}.json"'
    return answer


urlpatterns = [
    path("organise/club/<slug:slug>/games/", game_list, name="own-games"),
    path("organise/club/<slug:slug>/games/new/", new_game, name="new-game"),
    path("organise/club/<slug:slug>/games/preview/", preview, name="preview-game"),
    path("organise/club/<slug:slug>/games/of/<slug:game>/", own_game, name="own-game"),
    *(
        path(f"organise/club/<slug:slug>/games/of/<slug:game>/{verb}/", act, {"verb": verb}, name=f"{verb}-game")
        for verb in ("share", "unshare", "remove")
    ),
    path("clubs/<slug:slug>/games/<slug:game>/", try_game, name="club-game"),
    path("clubs/<slug:slug>/games/<slug:game>/file/", game_file, name="club-game-file"),
    path("shared-games/<slug:link>/", shared_game, name="shared-game"),
]
