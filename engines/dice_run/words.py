"""Messages of the game, in English and French: what is wrong with a report, and why a move is refused.

Filling in facts and names is left to `engines.words`.
"""

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
        "{place}: “{text}” is not a card. Write a letter of {colours} and a value from 1 to 6, such as {example}.",
        "{place} : « {text} » n’est pas une carte. Il faut une lettre de {colours} et une valeur de 1 à 6, "
        "comme {example}.",
    ),
    "die-notation": Words(
        "{place}: “{text}” is not a die. Write a letter of {colours} and a value from 1 to 6, such as {example}, "
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

RULES: Mapping[str, Words] = {
    "unknown-variant": Words("there is no variant {variant}.", "il n’y a pas de variante {variant}."),
    "seat-count": Words(
        "the game is for {low} to {high} players with different names; here {count}.",
        "le jeu est pour {low} à {high} joueurs aux noms différents ; ici {count}.",
    ),
    "bad-option": Words(
        "{option} is not possible. Colours are five different letters; cards are numbers by type that add up to 76, "
        "equally many of each colour and of each value.",
        "{option} ne convient pas. Les couleurs sont cinq lettres différentes ; les cartes, des nombres par type dont "
        "la somme est 76, autant de chaque couleur et de chaque valeur.",
    ),
    "dice-due": Words("all dice must be thrown now.", "il faut d’abord lancer tous les dés."),
    "objectives-due": Words("objective cards must be dealt now.", "il faut d’abord distribuer les objectifs."),
    "hands-due": Words("movement cards must be dealt now.", "il faut d’abord distribuer les déplacements."),
    "packs-due": Words("the pile must be split into packs now.", "il faut d’abord partager la pioche en paquets."),
    "starter-due": Words("a player must throw for the first turn now.", "un joueur doit lancer pour commencer."),
    "turn-due": Words("a player must take a turn now.", "un joueur doit jouer son tour."),
    "reroll-due": Words("the dice of the group must be thrown now.", "il faut d’abord relancer les dés du groupe."),
    "draw-due": Words("a movement card must be drawn now.", "il faut d’abord piocher une carte."),
    "choice-due": Words("a player must choose an objective now.", "un joueur doit choisir un objectif."),
    "game-over": Words("the game is over.", "la partie est finie."),
    "wrong-dice": Words("{dice} are not the dice in the air.", "{dice} ne sont pas les dés lancés."),
    "wrong-deal": Words("each player gets {count} cards.", "chaque joueur reçoit {count} cartes."),
    "card-gone": Words("no card {card} is left.", "il ne reste pas de carte {card}."),
    "wrong-packs": Words(
        "the {total} cards make five packs, and none is empty.",
        "les {total} cartes forment cinq paquets, dont aucun n’est vide.",
    ),
    "card-not-held": Words("the player has no card {card}.", "le joueur n’a pas de carte {card}."),
    "no-such-dice": Words("there are no dice of {feature}.", "il n’y a pas de dés de {feature}."),
    "no-such-group": Words(
        "group {group} cannot be chosen; there are {count} groups.",
        "le groupe {group} ne peut pas être choisi ; il y a {count} groupes.",
    ),
    "no-swap": Words(
        "group {group} cannot change places with the next: the front group stays, and no Gap may lie between them.",
        "le groupe {group} ne peut pas changer de place avec le suivant : le groupe de tête reste, et aucun Écart ne "
        "doit les séparer.",
    ),
    "front-too-small": Words(
        "a Sprint needs four dice in the front group; there are {count}.",
        "un Sprint demande quatre dés dans le groupe de tête ; il y en a {count}.",
    ),
    "wrong-sprint": Words(
        "exactly three dice sprint; here {count}.",
        "un Sprint se fait avec exactement trois dés ; ici {count}.",
    ),
    "not-in-front": Words("{dice} is not in the front group.", "{dice} n’est pas dans le groupe de tête."),
    "objective-played": Words(
        "the player has already played {card} in this stage.", "le joueur a déjà joué {card} pendant cette étape."
    ),
    "objective-not-held": Words("the player has no objective {card}.", "le joueur n’a pas d’objectif {card}."),
    "rerolled-last": Words(
        "the player rerolled last; somebody else must reroll first.",
        "le joueur a relancé en dernier ; un autre doit d’abord le faire.",
    ),
    "front-group": Words("the front group cannot be rerolled.", "le groupe de tête ne peut pas être relancé."),
    "card-applicable": Words(
        "the player has {card}, which can be applied; only a player without such a card may discard.",
        "le joueur a {card}, qui peut s’appliquer ; seul un joueur sans carte applicable peut se défausser.",
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
    "seats": Words("List of players", "Liste des joueurs"),
    "stages": Words("List of stages", "Liste des étapes"),
    "points": Words("List of totals", "Liste des totaux"),
    "colours": Words("Colours of the dice", "Couleurs des dés"),
    "podium": Words("podium", "podium"),
    "revealer": Words("player who made the stage card appear", "joueur qui a fait apparaître la carte d’étape"),
    "objectives": Words("objectives", "objectifs"),
    "groups": Words("groups of dice", "groupes de dés"),
}
_ENTRIES: Mapping[str, Words] = {
    "seats": Words("Player {}", "Joueur {}"),
    "podium": Words("place {} of the podium", "place {} du podium"),
    "groups": Words("group {}", "groupe {}"),
    "objectives": Words("objective", "objectif"),
    "points": Words("Total", "Total"),
}
_REPORT = Words("The sheet", "La feuille")
_STAGE = Words("Stage {}", "Étape {}")
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
        case (str(name), entry) if name in _ENTRIES:
            return [(_ENTRIES[name], entry if isinstance(entry, int) else 0)]
        case ("groups", int(index), int(position)):
            return [(_ENTRIES["groups"], index), (_DIE, position)]
    return [(_field(str(name)), 0) for name in path]


def _field(name: str) -> Words:
    return _FIELDS.get(name) or Words(name, name)
