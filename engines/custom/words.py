"""What is said of clubs' own games and their sheets, in English and French; names of lines are the club's own."""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import Finding, KeyWords, Path, Words
from engines.custom.definition import BEST_ROUND, LAST_ROUND, Definition, PlacesSheet, words_of
from engines.words import COMMON

MESSAGES: Mapping[str, Words] = {
    "value-too-low": Words(
        "{place}: {value} is too low; the least is {least}.",
        "{place} : {value} est trop bas ; le minimum est {least}.",
    ),
    "value-too-high": Words(
        "{place}: {value} is too high; the most is {most}.",
        "{place} : {value} est trop haut ; le maximum est {most}.",
    ),
    "value-off-step": Words(
        "{place}: {value} is not possible; nearest are {below} and {above}.",
        "{place} : {value} est impossible ; au plus près, il y a {below} et {above}.",
    ),
    "value-not-listed": Words(
        "{place}: {value} is not possible. Possible: {values}.",
        "{place} : {value} est impossible. Possible : {values}.",
    ),
    "given-wrong": Words(
        "{place}: players who have it: {count}. It should be {given}.",
        "{place} : joueurs qui l’ont : {count}. Il en faut {given}.",
    ),
    "sum-wrong": Words(
        "{place}: all players together have {total}. It should be {sum}.",
        "{place} : tous les joueurs ont ensemble {total}. Il faut {sum}.",
    ),
    "seat-unknown": Words("{place}: this player does not sit here.", "{place} : ce joueur n’est pas à cette table."),
    "seat-twice": Words("{place}: this player already has a place.", "{place} : ce joueur a déjà une place."),
    "seat-missing": Words("This player has no place yet.", "Ce joueur n’a pas encore de place."),
    "tie-not-allowed": Words(
        "{place}: {others} cannot share it; this game has no ties.",
        "{place} : {others} ne peuvent pas la partager ; ce jeu n’a pas d’égalité.",
    ),
    "rounds-wrong": Words(
        "Rounds on the sheet: {count}. This game has {rounds}.",
        "Manches sur la feuille : {count}. Ce jeu en compte {rounds}.",
    ),
    "target-not-reached": Words(
        "The game is not over: nobody has {target} yet, the most is {most}.",
        "La partie n’est pas finie : personne n’a encore {target}, le maximum est {most}.",
    ),
    "played-on": Words(
        "{place}: the game was over after round {end}, when somebody had reached {target}.",
        "{place} : la partie était finie après la manche {end}, quand quelqu’un avait atteint {target}.",
    ),
}

_FIELDS = {
    "game": Words("The game", "Le jeu"),
    "variant": Words("The variant", "La variante"),
    "seats": Words("The list of players", "La liste des joueurs"),
    "places": Words("The list of places", "La liste des places"),
    "points": Words("The points", "Les points"),
    "rounds": Words("The list of rounds", "La liste des manches"),
    "lines": Words("The lines", "Les lignes"),
}
_ENTRIES = {
    "seats": Words("Player {number}", "Joueur {number}"),
    "places": Words("Place {number}", "Place {number}"),
    "rounds": Words("Round {number}", "Manche {number}"),
}


def place(definition: Definition, path: Path, language: str) -> str:
    """Say where a path of a sheet points, without the seat."""
    match path:
        case ("lines", _, str(key)):
            names = {line.key: words_of(line.name) for line in definition.lines}
            return names[key].into(language) if key in names else key
        case ("seats" | "places" | "rounds" as name, int(index), *_):
            return _ENTRIES[name].into(language).format(number=index + 1)
        case (str(name), *_) if name in _FIELDS:
            return _FIELDS[name].into(language)
    return str(path[-1]) if path else ""


_POINTS = KeyWords(level=Words("level on points", "à égalité de points"))
_PLACES = KeyWords()
_ROUND = {
    BEST_ROUND: Words("best round", "meilleure manche"),
    LAST_ROUND: Words("last round", "dernière manche"),
}


def keys(definition: Definition) -> tuple[KeyWords, ...]:
    """Return what each element of a standings key means."""
    if isinstance(definition.sheet, PlacesSheet):
        return (_PLACES,)
    names = _ROUND | {line.key: words_of(line.name) for line in definition.lines}
    points = _POINTS._replace(sign=-1 if definition.is_low else 1)
    return (points, *(_compared(names[name], sign) for name, sign in definition.breaks))


def _compared(name: Words, sign: int) -> KeyWords:
    # A club may write braces into a name; in a sentence they stand for themselves.
    english, french = (text.replace("{", "{{").replace("}", "}}") for text in name)
    compared = Words(english + ": {own} against {other}", french + " : {own} contre {other}")
    level = Words(f"level on {name.en}", f"à égalité pour {name.fr}")
    return KeyWords(level=level, ahead=compared, behind=compared, sign=sign)


ROW_OF_PLACES = Words("{name}: {ordinal}{reason}", "{name} : {ordinal}{reason}")

DEFINITION: Mapping[str, Words] = {
    "not-an-object": Words("The definition must be a JSON object.", "La définition doit être un objet JSON."),
    "seats-order": Words(
        "{place}: the least ({min}) is more than the most ({max}).",
        "{place} : le minimum ({min}) dépasse le maximum ({max}).",
    ),
    "winner-needs-places": Words(
        "Only a sheet of places is won by places; say most or fewest.",
        "Seule une feuille de places se gagne aux places ; dites most ou fewest.",
    ),
    "target-impossible": Words(
        "Nobody can reach {target}; the most that somebody can have is {most}.",
        "Personne ne peut atteindre {target} ; on peut avoir {most} au plus.",
    ),
    "key-taken": Words(
        "{place}: another line has the key {key}, or it is a word of ours. Choose another.",
        "{place} : une autre ligne a la clé {key}, ou c’est un mot réservé. Choisissez-en une autre.",
    ),
    "values-and-range": Words(
        "{place}: give either a list of values or a range, not both.",
        "{place} : donnez soit une liste de valeurs, soit un intervalle, pas les deux.",
    ),
    "values-repeated": Words("{place}: a value stands there twice.", "{place} : une valeur s’y trouve deux fois."),
    "limits-order": Words(
        "{place}: the most ({max}) is less than the least ({min}).",
        "{place} : le maximum ({max}) est inférieur au minimum ({min}).",
    ),
    "given-repeated": Words("{place}: a number stands there twice.", "{place} : un nombre s’y trouve deux fois."),
    "given-impossible": Words(
        "{place}: with {seats} players, so many cannot have it while the others have 0.",
        "{place} : à {seats} joueurs, autant ne peuvent pas l’avoir pendant que les autres ont 0.",
    ),
    "sum-impossible": Words(
        "{place}: {seats} players cannot have {sum} together.",
        "{place} : {seats} joueurs ne peuvent pas avoir {sum} ensemble.",
    ),
    "unknown-line": Words(
        "{place}: there is no line {line} to break ties.",
        "{place} : il n’y a pas de ligne {line} pour départager.",
    ),
    "tiebreak-repeated": Words("{place}: {line} has already decided.", "{place} : {line} a déjà départagé."),
    "shared-not-last": Words(
        "{place}: after a shared place nothing decides any more; put it last.",
        "{place} : après une place partagée, plus rien ne départage ; mettez-la à la fin.",
    ),
    "slug-fixed": Words(
        "The short name of a game stays, because sheets and addresses hold it: {slug}.",
        "Le nom court d’un jeu reste, car des feuilles et des adresses le contiennent : {slug}.",
    ),
    "name-invalid": Words("{place}: {reason}", "{place} : {reason}"),
}

_OF_A_DEFINITION = {
    "slug": Words("The short name", "Le nom court"),
    "name": Words("The name", "Le nom"),
    "seats": Words("The number of players", "Le nombre de joueurs"),
    "winner": Words("How it is won", "La façon de gagner"),
    "sheet": Words("The sheet", "La feuille"),
    "kind": Words("The kind of sheet", "Le genre de feuille"),
    "lines": Words("The lines", "Les lignes"),
    "key": Words("The key", "La clé"),
    "min": Words("The least", "Le minimum"),
    "max": Words("The most", "Le maximum"),
    "step": Words("The step", "Le pas"),
    "factor": Words("The factor", "Le facteur"),
    "values": Words("The values", "Les valeurs"),
    "given_to": Words("How many have it", "Combien l’ont"),
    "sum": Words("The sum", "La somme"),
    "rounds": Words("The number of rounds", "Le nombre de manches"),
    "target": Words("The target", "L’objectif"),
    "tiebreaks": Words("The tie-breaks", "Les départages"),
    "minutes": Words("The likely length", "La durée probable"),
    "remarks": Words("The remarks", "Les remarques"),
    "rated": Words("Whether it is rated", "Compte pour les cotes"),
}
_LINE = Words("Line {number}", "Ligne {number}")
_TIEBREAK = Words("Tie-break {number}", "Départage {number}")


def place_in_definition(path: Path, language: str) -> str:
    """Say where a path of a definition points."""
    match path:
        case ("sheet", "lines", int(index), *rest):
            parts = [_LINE.into(language).format(number=index + 1)]
            if rest and str(rest[0]) in _OF_A_DEFINITION:
                inner = _OF_A_DEFINITION[str(rest[0])].into(language)
                parts.append(inner[0].lower() + inner[1:])
            return ", ".join(parts)
        case ("tiebreaks", int(index), *_):
            return _TIEBREAK.into(language).format(number=index + 1)
    named = [str(step) for step in path if str(step) in _OF_A_DEFINITION]
    return _OF_A_DEFINITION[named[-1]].into(language) if named else ".".join(map(str, path))


def say(finding: Finding, language: str) -> str:
    """Say a finding about a definition in a sentence."""
    code = finding.code.partition(".")[2]
    facts = {name: _said(value, language) for name, value in finding.facts.items()}
    template = DEFINITION.get(code) or COMMON[code]
    return template.into(language).format(place=place_in_definition(finding.path, language), **facts)


def _said(value: object, language: str) -> object:
    return value.into(language) if isinstance(value, Words) else value
