"""What a reader is told about a finding, a tie or a refused move of Sixmix, in English and French."""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import KeyWords, Path, Words
from engines.sixmix.pieces import STANDARD, TWO_PLAYER

MESSAGES: Mapping[str, Words] = {
    "row-notation": Words(
        "{place}: a row is written with digits from 1 to 6, six of them: {expected}.",
        "{place} : une rangée s’écrit avec six chiffres de 1 à 6 : {expected}.",
    ),
    "dice-notation": Words(
        "{place}: the dice of a row are written with six letters of gdrol: {expected}.",
        "{place} : les dés d’une rangée s’écrivent avec six lettres parmi gdrol : {expected}.",
    ),
    "held-notation": Words(
        "{place}: tokens are written as blue and yellow ones, both numbers always given: {expected} is eleven points.",
        "{place} : les jetons s’écrivent bleus puis jaunes, toujours les deux nombres : {expected} vaut onze points.",
    ),
    "colour-repeated": Words(
        "{colour} is already played by {other}; every row has a colour of its own.",
        "{colour} : déjà la couleur de {other} ; chaque rangée a sa propre couleur.",
    ),
    "unreachable-tokens": Words(
        "Round {round}: no rows give {tokens}. The highest number brings 2, the next number 1, "
        "and triples bring at most 2 more per row.",
        "Manche {round} : aucune rangée ne donne {tokens}. Le nombre le plus élevé rapporte 2, le suivant 1, "
        "et les triplés au plus 2 de plus par rangée.",
    ),
    "tokens-mismatch": Words(
        "Round {round}: {rows} earns {due} among these rows, not {taken}.",
        "Manche {round} : parmi ces rangées, {rows} rapporte {due}, pas {taken}.",
    ),
    "foreign-die": Words(
        "Round {round}: nobody plays with dice of this colour: {colours}.",
        "Manche {round} : personne ne joue avec des dés de cette couleur : {colours}.",
    ),
    "colour-count": Words(
        "Round {round}: every colour has six dice on the board. Counted here: {counts}.",
        "Manche {round} : chaque couleur a six dés sur le plateau. Ici on compte : {counts}.",
    ),
    "hundred-thousand": Words(
        "Round {round}: every colour has exactly one die in the hundred-thousand column. Counted here: {counts}.",
        "Manche {round} : chaque couleur a exactement un dé dans la colonne des cent mille. Ici on compte : {counts}.",
    ),
    "starter-wrong": Words(
        "Round {round} is begun by the player with the fewest points so far, the youngest of several. "
        "With {points} that is: {others}.",
        "La manche {round} est commencée par le joueur qui a le moins de points, le plus jeune à égalité. "
        "Avec {points}, c’est : {others}.",
    ),
    "played-on": Words(
        "Round {round} cannot have been played: {other} already had {points} points, and ten end the game.",
        "La manche {round} n’a pas pu être jouée : {other} avait déjà {points} points, et dix terminent la partie.",
    ),
    "not-finished": Words(
        "Nobody has ten points yet: the game is not over. {other} has the most with {points}.",
        "Personne n’a encore dix points : la partie n’est pas finie. {other} en a le plus avec {points}.",
    ),
    "tiebreak-missing": Words(
        "Level on {points} points with {others}: the digit in the hundred-thousand square after the last round "
        "is needed.",
        "À égalité avec {others} à {points} points : il faut le chiffre de la case des cent mille "
        "après la dernière manche.",
    ),
    "lead-mismatch": Words(
        "The lead digit is given as {given}, but {rows} has {due} in the hundred-thousand square.",
        "Le premier chiffre indiqué est {given}, mais {rows} porte {due} dans la case des cent mille.",
    ),
    "lead-impossible": Words(
        "Rows that begin with {leads} cannot bring the last round’s tokens {tokens}: a larger first digit makes "
        "a larger number.",
        "Des rangées qui commencent par {leads} ne peuvent pas rapporter les jetons {tokens} de la dernière manche : "
        "un premier chiffre plus grand fait un nombre plus grand.",
    ),
    "held-supply": Words(
        "{blue} blue and {yellow} yellow tokens are held; the box has 5 blue and 25 yellow ones.",
        "{blue} jetons bleus et {yellow} jaunes sont détenus ; la boîte en a 5 bleus et 25 jaunes.",
    ),
    "held-value": Words(
        "{held} is worth {value}, but the rounds give {total} points.",
        "{held} vaut {value}, mais les manches donnent {total} points.",
    ),
    "held-exchange": Words(
        "{yellow} yellow tokens are held while blue ones are left; five yellow ones are exchanged for a blue one.",
        "{yellow} jetons jaunes sont gardés alors qu’il reste des bleus ; cinq jaunes s’échangent contre un bleu.",
    ),
    "row-count": Words(
        "{place}: this variant has {rows} per player.", "{place} : dans cette variante, il y a {rows} par joueur."
    ),
}

# Singular throughout: the shared sentences say that such a thing "is missing" or "does not belong here".
FIELDS: Mapping[str, Words] = {
    "game": Words("game", "jeu"),
    "variant": Words("variant", "variante"),
    "seats": Words("list of players", "liste des joueurs"),
    "rounds": Words("list of rounds", "liste des manches"),
    "tokens": Words("number of tokens", "nombre de jetons"),
    "rows": Words("row", "rangée"),
    "dice": Words("row of dice colours", "rangée des couleurs de dés"),
    "starter": Words("starting player", "joueur qui commence"),
    "colours": Words("colour", "couleur"),
    "youngest_first": Words("order by age", "ordre d’âge"),
    "lead": Words("lead digit", "premier chiffre"),
    "held": Words("count of tokens held", "compte des jetons détenus"),
}
ROUND = Words("round {number}", "manche {number}")
PLAYER = Words("player {number}", "joueur {number}")
OF = Words("{what} of {label}", "{what} de {label}")


def place(path: Path, language: str) -> str:
    """Say where a path points, without the seat: `("rounds", 1, "tokens", "ana")` is "Round 2, number of tokens"."""
    match path:
        case ("seats", int(index)):
            words = PLAYER.into(language).format(number=index + 1)
        case ("rounds", int(index)):
            words = ROUND.into(language).format(number=index + 1)
        case ("rounds", int(index), name, *_):
            words = f"{ROUND.into(language).format(number=index + 1)}, {_field(name, language)}"
        case ("rows", label):  # a request for help has no seats a finding could name
            words = OF.into(language).format(what=_field("rows", language), label=label)
        case (name, *_):
            words = _field(name, language)
        case _:
            words = ""
    return words[:1].upper() + words[1:]


def _field(name: str | int, language: str) -> str:
    known = FIELDS.get(str(name))
    return known.into(language) if known else f"“{name}”"


_KEYS = (
    KeyWords(level=Words("level on points", "à égalité de points")),
    KeyWords(
        ahead=Words(
            "{own} in the hundred-thousand square against {other}", "{own} dans la case des cent mille contre {other}"
        ),
        behind=Words(
            "{own} in the hundred-thousand square against {other}", "{own} dans la case des cent mille contre {other}"
        ),
    ),
)
KEYS: Mapping[str, tuple[KeyWords, ...]] = {STANDARD: _KEYS, TWO_PLAYER: _KEYS}
