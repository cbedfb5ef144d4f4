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

RULES: Mapping[str, Words] = {
    "unreadable-move": Words("“{text}” says no move.", "« {text} » n’est pas un coup."),
    "game-over": Words("The game is over.", "La partie est finie."),
    "unknown-variant": Words("Dice Run has no variant “{variant}”.", "Dice Run n’a pas de variante « {variant} »."),
    "seat-count": Words(
        "Dice Run is for {low} to {high} players with different names; there are {count}.",
        "Dice Run se joue de {low} à {high} joueurs aux noms différents ; il y en a {count}.",
    ),
    "unknown-option": Words("There is no option “{option}”.", "Il n’y a pas d’option « {option} »."),
    "bad-option": Words(
        "The option “{option}” is wrong. Colours are five different letters; cards are numbers by type that add up "
        "to 76, equally many of each colour and of each value.",
        "L’option « {option} » est fausse. Les couleurs sont cinq lettres différentes ; les cartes, des nombres par "
        "type dont la somme est 76, autant de chaque couleur et de chaque valeur.",
    ),
    "not-now": Words("Not now: {due}.", "Pas maintenant : {due}."),
    "wrong-dice": Words("{dice}: these are not the dice that are thrown.", "{dice} : ce ne sont pas les dés lancés."),
    "wrong-deal": Words("Each player gets {count} cards.", "Chaque joueur reçoit {count} cartes."),
    "card-gone": Words("No card {card} is left to be dealt.", "Il ne reste pas de carte {card} à donner."),
    "wrong-packs": Words(
        "The {total} cards make five packs of different sizes, at most {apart} cards apart.",
        "Les {total} cartes forment cinq paquets de tailles différentes, à {apart} cartes près.",
    ),
    "card-not-held": Words("The player has no card {card}.", "Le joueur n’a pas de carte {card}."),
    "no-such-dice": Words("There are no dice of {feature}.", "Il n’y a pas de dés de {feature}."),
    "no-such-group": Words(
        "Group {group} cannot be chosen; there are {count} groups.",
        "Le groupe {group} ne peut pas être choisi ; il y a {count} groupes.",
    ),
    "no-swap": Words(
        "Group {group} cannot change places with the next: the front group stays, and no Gap may lie between them.",
        "Le groupe {group} ne peut pas changer de place avec le suivant : le groupe de tête reste, et aucun Écart ne "
        "doit les séparer.",
    ),
    "front-too-small": Words(
        "A Sprint needs four dice in the front group; there are {count}.",
        "Un Sprint demande quatre dés dans le groupe de tête ; il y en a {count}.",
    ),
    "wrong-sprint": Words(
        "Three dice sprint, neither more nor less; here {count}.",
        "Trois dés font un Sprint, ni plus ni moins ; ici {count}.",
    ),
    "not-in-front": Words("{dice}: not in the front group.", "{dice} : pas dans le groupe de tête."),
    "objective-played": Words(
        "The player has already played {card} in this stage.", "Le joueur a déjà joué {card} pendant cette étape."
    ),
    "objective-not-held": Words("The player has no objective {card}.", "Le joueur n’a pas d’objectif {card}."),
    "rerolled-last": Words(
        "The player rerolled last; somebody else must do so first.",
        "Le joueur a relancé en dernier ; un autre doit d’abord le faire.",
    ),
    "front-group": Words("The front group cannot be rerolled.", "Le groupe de tête ne peut pas être relancé."),
    "card-applicable": Words(
        "The player has {card}, which can be applied; discarding is for those who have no such card.",
        "Le joueur a {card}, qui peut s’appliquer ; seul se défausse qui n’a aucune carte de ce genre.",
    ),
}

DUE: Mapping[str, Words] = {
    "dice": Words("all dice are thrown", "on lance tous les dés"),
    "objectives": Words("objective cards are dealt", "on distribue les objectifs"),
    "hands": Words("movement cards are dealt", "on distribue les cartes de déplacement"),
    "packs": Words("the pile is split into packs", "on partage la pioche en paquets"),
    "starter": Words("a player throws for the first turn", "un joueur lance pour commencer"),
    "turn": Words("a player takes a turn", "un joueur joue son tour"),
    "reroll": Words("the dice of a group are thrown", "on relance les dés d’un groupe"),
    "draw": Words("a movement card is drawn", "on pioche une carte de déplacement"),
    "choice": Words("a player chooses an objective", "un joueur choisit un objectif"),
    "over": Words("the game is over", "la partie est finie"),
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
