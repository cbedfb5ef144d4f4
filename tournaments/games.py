"""Which games there are, which variants they have and how many people each seats: ours, and those of clubs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F

from core.language import reader_language
from core.names import NameInvalidError, clean_name
from engines import GAMES, choices, custom
from engines.base import CompleteEngine, Engine, Finding, Path, Variant
from engines.custom import CustomEngine, samples
from engines.custom.definition import CODES, LONGEST_LINE, LONGEST_NAME, LONGEST_REMARKS, MOST_LINES
from tournaments.errors import GameInvalidError
from tournaments.models import Club, Event, GameVersion, OwnGame
from tournaments.models.games import PREFIX, engine_of_version

__all__ = [
    "GAMES",
    "MOST_LINES",
    "CompleteEngine",
    "CustomEngine",
    "Engine",
    "Variant",
    "as_stored",
    "choices",
    "defined",
    "definition_in",
    "definition_schema",
    "engine_named",
    "engine_of",
    "engine_of_event",
    "engine_of_game",
    "engine_to_try",
    "is_rated",
    "made_up_sheet",
    "minutes_of",
    "own_engines",
    "own_game",
    "ready",
    "sizes",
    "variant_for",
    "version_named",
]

CUSTOM = custom.PREFIX
definition_schema = custom.schema
ready = custom.ready


def engine_of(game: str) -> Engine | None:
    """Return a game's engine by what results are kept under: ours, or the newest of a club's own."""
    own = own_game(game)
    return engine_of_game(own) if own else GAMES.get(game)


def own_game(game: str) -> OwnGame | None:
    """Return the club's own game that results are kept under; None for one of ours."""
    if not game.startswith(PREFIX):
        return None
    return OwnGame.objects.filter(uid=game.removeprefix(PREFIX)).select_related("club").first()


def engine_of_game(game: OwnGame, number: int | None = None) -> CustomEngine:
    """Return the engine of a club's own game: of a version, or of the newest; GameVersion.DoesNotExist for no such."""
    version = GameVersion.objects.only("pk").get(game=game, number=number or game.version)
    return engine_of_version(game.key, version.pk)


def engine_of_event(event: Event) -> Engine:
    """Return the rules that an event is played by."""
    engine = event.engine
    assert engine is not None  # noqa: S101 -- an event without a game is never saved
    return engine


def own_engines(club: Club) -> list[CustomEngine]:
    """Return the games that a club has described itself, in their newest versions."""
    newest = GameVersion.objects.filter(game__club=club, number=F("game__version")).select_related("game")
    return [engine_of_version(each.game.key, each.pk) for each in newest.order_by("game__slug").defer("definition")]


def engine_named(club: Club, name: str, number: int | None = None) -> Engine | None:
    """Return a game that a club can play by what everybody calls it: ours, or its own as `custom:harbour`."""
    if not name.startswith(CUSTOM):
        return GAMES.get(name)
    version = version_named(club, name, number)
    return engine_of_version(version.game.key, version.pk) if version else None


def version_named(club: Club, name: str, number: int | None = None) -> GameVersion | None:
    """Return a version of a club's own game, or its newest, by what everybody calls the game."""
    own = GameVersion.objects.filter(game__club=club, game__slug=name.removeprefix(CUSTOM)).select_related("game")
    wanted = F("game__version") if number is None else number
    return own.filter(number=wanted).first() if name.startswith(CUSTOM) else None


def as_stored(club: Club, fields: Mapping[str, Any], event: Event | None = None) -> dict[str, Any]:
    """Return the fields of an event with its game as it is stored: the key, and of a club's own the version.

    A game that an event already has stays in the version that it has, unless a version is asked for.
    """
    values = {name: value for name, value in fields.items() if name != "game_version"}
    number = fields.get("game_version")
    name = values.get("game", event.game_slug if event is not None and number is not None else None)
    if name is None:
        return values
    if event is not None and name == event.game_slug and number is None:
        values.pop("game", None)
        return values
    if not name.startswith(CUSTOM):
        return values | {"game": name, "definition": None}
    # Locked, so that nobody removes the game meanwhile.
    own = OwnGame.objects.select_for_update().filter(club=club, slug=name.removeprefix(CUSTOM)).first()
    if own is None:
        return values | {"game": name, "definition": None}
    version = GameVersion.objects.filter(game=own, number=number or own.version).first()
    return values | {"game": own.key if version else name, "definition": version}


def minutes_of(engine: Engine) -> int | None:
    """Return how long a club says that its game takes."""
    return engine.definition.minutes if isinstance(engine, CustomEngine) else None


def is_rated(engine: Engine) -> bool:
    """Say whether results of a game may count for ratings."""
    return not isinstance(engine, CustomEngine) or engine.definition.rated


def variant_for(engine: Engine, wanted: Variant, size: int) -> Variant | None:
    """Return the variant a table of some size plays: the event's own, or another for a size that it does not seat.

    So a two-seat table in a Sixmix event plays the two-player form. Nobody is made to play alone.
    """
    if size in wanted.people:
        return wanted
    if wanted.is_solo:
        return None
    return next((each for each in engine.variants if size in each.people and not each.is_solo), None)


def sizes(engine: Engine, wanted: Variant) -> list[int]:
    """Return every table size an event of a variant can have."""
    return [size for size in range(1, 9) if variant_for(engine, wanted, size)]


def made_up_sheet(engine: CustomEngine, seats: Sequence[str], seed: str) -> dict[str, Any]:
    """Return a valid sheet of a club's own game that nobody played."""
    return samples.sheet(engine.definition, seats, random.Random(seed))


# What an answer of the API says beyond a definition. Sent back, it is left out: an answer is a file to copy from.
ADDED = ("version", "club", "game", "in_use", "link", "created_at")


def definition_in(data: object) -> object:
    """Return the definition in what a club sends, without what our own answers add to it."""
    return {name: value for name, value in data.items() if name not in ADDED} if isinstance(data, dict) else data


# --- Definitions ------------------------------------------------------------------------------------------------


def defined(value: object) -> dict[str, Any]:
    """Return a definition that makes sense, its texts in their one form; GameInvalidError with all that is wrong."""
    checked = custom.read(value)
    if checked.definition is None or not isinstance(value, dict):
        raise GameInvalidError.of(_said(checked.errors))
    texts = list(_texts(value))
    cleaned = {path: _cleaned(texts_of, longest, path) for path, texts_of, longest in texts}
    if wrong := [found for each in cleaned.values() if isinstance(each, list) for found in each]:
        raise GameInvalidError.of(_said(wrong))
    return dict(_with(value, cleaned))


def engine_to_try(value: object) -> CustomEngine:
    """Return the engine of a definition that nobody has stored; GameInvalidError with all that is wrong."""
    return custom.engine(custom.stored(defined(value)))


def refuse_slug(slug: str) -> GameInvalidError:
    """Return what is said when another slug is given to a game that has one."""
    return GameInvalidError.of(_said([Finding(f"{CODES}.slug-fixed", ("slug",), {"slug": slug})]))


def _said(findings: Any) -> list[dict[str, Any]]:
    language = reader_language()
    return [{"code": each.code, "path": list(each.path), "message": custom.say(each, language)} for each in findings]


def _texts(value: Mapping[str, Any]) -> Iterator[tuple[Path, Any, int]]:
    """Yield every text of a definition: where it stands, what it says, how long it may be."""
    yield ("name",), value["name"], LONGEST_NAME
    if value.get("remarks") is not None:
        yield ("remarks",), value["remarks"], LONGEST_REMARKS
    for index, line in enumerate(value["sheet"].get("lines", ())):
        yield ("sheet", "lines", index, "name"), line["name"], LONGEST_LINE


def _cleaned(text: Any, longest: int, path: Path) -> Any:
    """Return a text in its one form, or the findings about it."""
    try:
        if isinstance(text, str):
            return clean_name(" ".join(text.split()), longest=longest)
        return {name: clean_name(" ".join(each.split()), longest=longest) for name, each in text.items()}
    except NameInvalidError as error:
        return [Finding(f"{CODES}.name-invalid", path, {"reason": error.detail})]


def _with(value: Any, texts: Mapping[Path, Any], path: Path = ()) -> Any:
    if path in texts:
        return texts[path]
    if isinstance(value, dict):
        return {name: _with(each, texts, (*path, name)) for name, each in value.items()}
    if isinstance(value, list):
        return [_with(each, texts, (*path, index)) for index, each in enumerate(value)]
    return value
