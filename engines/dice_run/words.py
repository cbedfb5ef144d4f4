"""Messages of the game, in English and French."""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import KeyWords, Path, Words

MESSAGES: Mapping[str, Words] = {
    "stage-count": Words(
        "The race has four stages; there are {count} here.", "La course compte quatre étapes ; il y en a {count} ici."
    ),
    "podium-size": Words(
        "{place}: a podium has three places, first, second and third; there are {count} here.",
        "{place} : un podium a trois places, première, deuxième et troisième ; il y en a {count} ici.",
    ),
    "podium-repeat": Words(
        "{place}: this player already stands on this podium. Each place goes to another player.",
        "{place} : ce joueur est déjà sur ce podium. Chaque place revient à un autre joueur.",
    ),
    "objective-notation": Words(
        "{place}: “{text}” is no card. Write a letter of {colours} and a value from 1 to 6, such as {example}.",
        "{place} : « {text} » n’est pas une carte. Il faut une lettre de {colours} et une valeur de 1 à 6, "
        "comme {example}.",
    ),
    "die-notation": Words(
        "{place}: “{text}” is no die. Write a letter of {colours} and a value from 1 to 6, such as {example}, "
        "with one space between dice.",
        "{place} : « {text} » n’est pas un dé. Il faut une lettre de {colours} et une valeur de 1 à 6, "
        "comme {example}, avec une espace entre les dés.",
    ),
    "objective-reused": Words(
        "{place}: {card} was already used by {other} in stage {stage}. Each card serves once.",
        "{place} : {card} a déjà servi à {other} à l’étape {stage}. Chaque carte ne sert qu’une fois.",
    ),
    "empty-group": Words(
        "{place} has no dice. Leave out Gaps and groups that have vanished.",
        "{place} n’a pas de dé. Omettez les Écarts et les groupes disparus.",
    ),
    "dice-set": Words(
        "{place}: there are {wrong}, but the race has six dice of each colour.",
        "{place} : il y a {wrong}, alors que la course compte six dés de chaque couleur.",
    ),
    "podium-mismatch": Words(
        "{place}: dice and objectives give {others}.", "{place} : les dés et les objectifs donnent {others}."
    ),
    "points-mismatch": Words(
        "{place}: {claimed} is written, but the podiums give {total}.",
        "{place} : {claimed} est noté, mais les podiums donnent {total}.",
    ),
    "tie-unresolved": Words(
        "{place}: level with {other} in every group. Say who made the stage card appear, "
        "so that the order of the two can be checked.",
        "{place} : à égalité avec {other} dans tous les groupes. Indiquez qui a fait apparaître la carte d’étape, "
        "pour que l’ordre des deux puisse être vérifié.",
    ),
}

POINTS = KeyWords(level=Words("level on points", "à égalité de points"))
STRONGEST = KeyWords(
    ahead=Words(
        "strongest stage card won {own} against {other}", "plus forte carte d’étape gagnée {own} contre {other}"
    ),
    behind=Words(
        "strongest stage card won {own} against {other}", "plus forte carte d’étape gagnée {own} contre {other}"
    ),
)
KEYS: Mapping[str, tuple[KeyWords, ...]] = {"standard": (POINTS, STRONGEST)}

_FIELDS: Mapping[str, Words] = {
    "game": Words("Game", "Jeu"),
    "variant": Words("Variant", "Variante"),
    "seats": Words("Players", "Joueurs"),
    "stages": Words("Stages", "Étapes"),
    "points": Words("Points", "Points"),
    "colours": Words("Colours of the dice", "Couleurs des dés"),
    "podium": Words("podium", "podium"),
    "revealer": Words("player who made the stage card appear", "joueur qui a fait apparaître la carte d’étape"),
    "objectives": Words("objectives", "objectifs"),
    "groups": Words("groups of dice", "groupes de dés"),
}
_REPORT = Words("The report", "La feuille")
_SEAT = Words("Player {}", "Joueur {}")
_STAGE = Words("Stage {}", "Étape {}")
_PLACE = Words("place {} of the podium", "place {} du podium")
_OBJECTIVE = Words("objective", "objectif")
_GROUP = Words("group {}", "groupe {}")
_DIE = Words("die {}", "dé {}")


def place(path: Path, language: str) -> str:
    """Say where a path of a report points: `("stages", 1, "groups", 0, 2)` is "Stage 2, group 1, die 3"."""
    parts: list[tuple[Words, int]] = []
    if len(path) > 1 and path[0] == "stages":
        parts, path = [(_STAGE, int(path[1]))], path[2:]
    parts += _steps(path)
    return ", ".join(words.into(language).replace("{}", str(index + 1)) for words, index in parts or [(_REPORT, 0)])


def _steps(path: Path) -> list[tuple[Words, int]]:
    match path:
        case ("seats", int(index)):
            return [(_SEAT, index)]
        case ("podium", int(index)):
            return [(_PLACE, index)]
        case ("objectives", str()):
            return [(_OBJECTIVE, 0)]
        case ("groups", int(index)):
            return [(_GROUP, index)]
        case ("groups", int(index), int(position)):
            return [(_GROUP, index), (_DIE, position)]
    return [(_field(str(name)), 0) for name in path[:1]]


def _field(name: str) -> Words:
    return _FIELDS.get(name) or Words(name, name)
