"""What 10 Phases says to its readers, in English and French. When a sentence is said is decided elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import KeyWords, Path, Words

NAME = Words("10 Phases", "10 phases pour gagner")
SUMMARY = Words(
    "A dice race through ten combinations that must be completed in order.",
    "Une course aux dés à travers dix combinaisons, à réussir dans l’ordre.",
)

MESSAGES: Mapping[str, Words] = {
    "too-many-phases": Words(
        "{place}: {count} are written; there are only ten.",
        "{place} : {count} sont inscrites ; il n’y en a que dix.",
    ),
    "dice-notation": Words(
        "{place}: this is not a list of dice. Write faces from 1 to 10 or W with one space between them, "
        "and if you like the colour (r, b, o, g) right after the face: 10r 9 W.",
        "{place} : ce n’est pas une liste de dés. Écrivez les faces de 1 à 10 ou W, séparées par une espace, "
        "et si vous voulez la couleur (r, b, o, g) juste après la face : 10r 9 W.",
    ),
    "turns-partial": Words(
        "The turns are missing here, but another column has them. Give them for all players who completed a phase, "
        "or for none.",
        "Les tours manquent ici, mais une autre colonne les a. Donnez-les pour tous les joueurs qui ont réussi une "
        "phase, ou pour aucun.",
    ),
    "unreachable-points": Words(
        "{place}: {points} cannot be made. With {combination} {low} to {high} points are possible; "
        "nearest to yours: {near}.",
        "{place} : {points} est impossible. Avec {combination}, on peut faire de {low} à {high} points ; "
        "au plus près : {near}.",
    ),
    "dice-count": Words(
        "{place}: {count} dice are listed. It takes at least {size}, and there are only ten.",
        "{place} : {count} dés sont notés. Il en faut au moins {size}, et il n’y en a que dix.",
    ),
    "dice-supply": Words(
        "{place}: {high} with 5 to 10 and {low} with 1 to 4 or W are listed. There are six dice of the first kind "
        "and four of the second.",
        "{place} : {high} de 5 à 10 et {low} de 1 à 4 ou W sont notés. Il y a six dés de la première sorte "
        "et quatre de la seconde.",
    ),
    "dice-incomplete": Words(
        "{place}: these dice do not make {combination}.", "{place} : ces dés ne forment pas {combination}."
    ),
    "dice-points": Words(
        "{place}: {points} points cannot be counted with these dice; the nearest they give is {near}.",
        "{place} : on ne peut pas compter {points} points avec ces dés ; au plus près, ils donnent {near}.",
    ),
    "bonus5-wrong": Words(
        "{place} must be {due}. Of the first five phases {done} are completed and count {count}; "
        "the bonus of 40 takes all five and 221 points.",
        "{place} doit être de {due}. Des cinq premières phases, {done} sont réussies et comptent {count} ; "
        "le bonus de 40 demande les cinq et 221 points.",
    ),
    "bonus5-misses": Words(
        "{place} is 0, although the first five phases count {count}. That is right if misses come off at once, "
        "which leaves {left}; we take them off at the end, and then {due} are due.",
        "{place} est de 0, alors que les cinq premières phases comptent {count}. C’est juste si les échecs se "
        "retirent aussitôt, ce qui laisse {left} ; nous les retirons à la fin, et le bonus est alors de {due}.",
    ),
    "total-mismatch": Words(
        "{place} says {total}, but the column adds up to {due}.",
        "{place} indique {total}, mais la colonne fait {due}.",
    ),
    "no-finisher": Words(
        "Nobody has completed ten phases, so the game is not over.",
        "Personne n’a réussi les dix phases : la partie n’est pas finie.",
    ),
    "bonus10-unfinished": Words(
        "{place} must be 0: it takes ten completed phases, and here are {count}.",
        "{place} doit être de 0 : il faut dix phases réussies, il y en a {count}.",
    ),
    "bonus10-nobody": Words(
        "Nobody has the bonus after phase 10; the player who completed phase 10 first earns 40.",
        "Personne n’a le bonus de la phase 10 ; le joueur qui l’a réussie en premier gagne 40.",
    ),
    "bonus10-solo": Words(
        "{place} must be {due}: when playing alone, it is earned by completing phase 10 at the first attempt, "
        "and the unsuccessful attempts written for it are {misses}.",
        "{place} doit être de {due} : en solitaire, on le gagne en réussissant la phase 10 du premier coup, "
        "et les essais infructueux inscrits pour elle sont {misses}.",
    ),
    "turns-order": Words(
        "{place}: turn {turn} lies before turn {before} of the preceding phase; phases are completed in order.",
        "{place} : le tour {turn} précède le tour {before} de la phase d’avant ; les phases se font dans l’ordre.",
    ),
    "turn-after-end": Words(
        "{place}: turn {turn} is too late. {other} completed phase 10 first, in turn {end}, "
        "so the last turn here was turn {last}.",
        "{place} : le tour {turn} vient trop tard. {other} a réussi la phase 10 en premier, au tour {end} ; "
        "le dernier tour était ici le tour {last}.",
    ),
    "two-phases-in-turn": Words(
        "{place}: turn {turn} is also that of the preceding phase. Only in the closing turn, after somebody else "
        "completed phase 10, may phases follow one another.",
        "{place} : le tour {turn} est aussi celui de la phase d’avant. Les phases ne s’enchaînent qu’au dernier tour, "
        "quand un autre a réussi la phase 10.",
    ),
    "bonus10-order": Words(
        "{place} must be {due}. It is for {other}, first to complete phase 10 in turn {end}, and for those seated "
        "later who complete phase 10, and no other phase, in that same turn.",
        "{place} doit être de {due}. Il revient à {other}, qui a réussi la phase 10 en premier au tour {end}, et aux "
        "joueurs placés après qui réussissent la phase 10, et elle seule, dans ce même tour.",
    ),
}

_FIELDS = {
    "game": Words("The game", "Le jeu"),
    "variant": Words("The variant", "La variante"),
    "seats": Words("The list of players", "La liste des joueurs"),
    "block": Words("The block", "La feuille"),
    "phase": Words("The phase", "La phase"),
    "throws": Words("The number of throws left", "Le nombre de lancers restants"),
    "phases": Words("The list of phases", "La liste des phases"),
    "bonus5": Words("The bonus after phase 5", "Le bonus de la phase 5"),
    "bonus10": Words("The bonus after phase 10", "Le bonus de la phase 10"),
    "total": Words("The total", "Le total"),
    "misses": Words("The list of unsuccessful attempts", "La liste des essais infructueux"),
    "turns": Words("The list of turns", "La liste des tours"),
    "dice": Words("The list of dice", "La liste des dés"),
}
_ENTRIES = {
    "seats": Words("Player {number}", "Joueur {number}"),
    "phases": Words("Phase {number}", "Phase {number}"),
    "misses": Words("Unsuccessful attempts at phase {number}", "Essais infructueux à la phase {number}"),
    "turns": Words("Turn of phase {number}", "Tour de la phase {number}"),
    "dice": Words("Dice of phase {number}", "Dés de la phase {number}"),
}
_COLUMN = Words("The column", "La colonne")


def place(path: Path, language: str) -> str:
    """Say where a path points, without the seat."""
    if path[:1] == ("block",) and len(path) == 2:
        return _COLUMN.into(language)
    *names, last = ("report", *path)
    if isinstance(last, int):
        return _ENTRIES[str(names[-1])].into(language).format(number=last + 1)
    return _FIELDS[last].into(language) if last in _FIELDS else str(last)


KEYS = (
    KeyWords(
        ahead=Words("all ten phases completed", "les dix phases réussies"),
        behind=Words("without all ten phases", "sans les dix phases"),
    ),
    KeyWords(level=Words("level on points", "à égalité de points")),
    KeyWords(
        level=Words("level on the best phase", "à égalité de meilleure phase"),
        ahead=Words("best phase {own} against {other}", "meilleure phase {own} contre {other}"),
        behind=Words("best phase {own} against {other}", "meilleure phase {own} contre {other}"),
    ),
)

RULES: Mapping[str, Words] = {
    "layout-unlike-block": Words(
        "with these colours the best seven dice of one colour do not give {most}, as the block says.",
        "avec ces couleurs, les sept meilleurs dés d’une couleur ne donnent pas {most}, comme le dit le bloc.",
    ),
    "throw-first": Words("the dice have to be thrown first.", "il faut d’abord lancer les dés."),
    "cup-is-empty": Words(
        "no die is in the cup; choose which to keep, or end the attempt.",
        "aucun dé n’est à lancer ; choisissez lesquels garder, ou terminez l’essai.",
    ),
    "other-dice": Words(
        "exactly the {count} dice in the cup fall, each written in its own place.",
        "ce sont exactement les {count} dés ramassés qui tombent, chacun écrit à sa place.",
    ),
    "no-such-face": Words(
        "the die in this place has no face {face}; it has {die}.",
        "le dé de cette place n’a pas de face {face} ; il a {die}.",
    ),
    "no-throw-left": Words(
        "three throws have been made; write points or pass.",
        "les trois lancers sont faits ; inscrivez des points ou passez.",
    ),
    "not-on-table": Words(
        "only dice that lie on the table can be kept, each in its own place: {dice}.",
        "on ne peut garder que des dés posés sur la table, chacun à sa place : {dice}.",
    ),
    "nothing-to-throw": Words(
        "at least one die has to be thrown again; to keep all of them, write points or pass.",
        "il faut relancer au moins un dé ; pour tout garder, inscrivez des points ou passez.",
    ),
    "not-made": Words("these dice do not make up phase {phase}.", "ces dés ne forment pas la phase {phase}."),
    "points-not-made": Words(
        "these dice do not give {points} points; possible: {possible}.",
        "ces dés ne donnent pas {points} points ; possible : {possible}.",
    ),
}
