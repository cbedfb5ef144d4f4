"""What a reader is told about a finding, a tie or a refused move of Sixmix, in English and French.

Filling the sentences with names and facts is left to `engines.words`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.base import KeyWords, Path, Words
from engines.sixmix.pieces import STANDARD, TWO_PLAYER

MESSAGES: Mapping[str, Words] = {
    "row-notation": Words(
        "{place}: write six digits from 1 to 6 per row: {expected}.",
        "{place} : écrivez six chiffres de 1 à 6 par rangée : {expected}.",
    ),
    "dice-notation": Words(
        "{place}: write one of the letters gdrol for each of the six dice: {expected}.",
        "{place} : écrivez une des lettres gdrol pour chacun des six dés : {expected}.",
    ),
    "held-notation": Words(
        "{place}: write both numbers, blue before yellow: {expected} is eleven points.",
        "{place} : écrivez les deux nombres, les bleus avant les jaunes : {expected} vaut onze points.",
    ),
    "colour-repeated": Words(
        "{colour} is already the colour of {other}; every row has a colour of its own.",
        "{colour} est déjà la couleur de {other} ; chaque rangée a sa propre couleur.",
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
    "equal-numbers": Words(
        "Round {round}: several rows show the highest number. These tokens ({tokens}) leave out the second number; "
        "usually it still brings 1, which makes {due}.",
        "Manche {round} : plusieurs rangées montrent le nombre le plus élevé. Ces jetons ({tokens}) ne comptent pas "
        "le deuxième nombre ; d’habitude il rapporte quand même 1, ce qui fait {due}.",
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
        "Round {round}: {due} in the hundred-thousand column. Counted here: {counts}.",
        "Manche {round} : {due} dans la colonne des cent mille. Ici on compte : {counts}.",
    ),
    "hundred-thousand-colours": Words(
        "Round {round}: each player has two dice in the hundred-thousand column; usually one of each colour. "
        "Counted here: {counts}.",
        "Manche {round} : chaque joueur a deux dés dans la colonne des cent mille ; d’habitude un de chaque couleur. "
        "Ici on compte : {counts}.",
    ),
    "starter-wrong": Words(
        "Round {round} is usually begun by the player with the fewest points so far, the youngest of several. "
        "With {points} that is: {others}.",
        "La manche {round} est d’habitude commencée par le joueur qui a le moins de points, le plus jeune à égalité. "
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
        "Level on {points} points with {others} for the first place: the digit in the hundred-thousand square "
        "after the last round is needed.",
        "À égalité avec {others} à {points} points pour la première place : il faut le chiffre de la case "
        "des cent mille après la dernière manche.",
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
        "Tokens held altogether: blue {blue}, yellow {yellow}. The box has 5 blue and 25 yellow ones.",
        "Jetons détenus en tout : bleus {blue}, jaunes {yellow}. La boîte en a 5 bleus et 25 jaunes.",
    ),
    "held-value": Words(
        "{held} is worth {value}, but the rounds give {total} points.",
        "{held} vaut {value}, mais les manches donnent {total} points.",
    ),
    "held-exchange": Words(
        "{yellow} yellow tokens are held while blue ones are left; usually five yellow ones are exchanged "
        "for a blue one.",
        "{yellow} jetons jaunes sont gardés alors qu’il reste des bleus ; d’habitude, cinq jaunes s’échangent "
        "contre un bleu.",
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
QUOTED = Words("“{name}”", "« {name} »")
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
    return (known or QUOTED).into(language).format(name=name)


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

RULES: Mapping[str, Words] = {
    "unknown-variant": Words(
        "The variant must be one of: {variants}.", "La variante doit être l’une de : {variants}."
    ),
    "seat-count": Words(
        "This variant is for {low} to {high} players.", "Cette variante se joue de {low} à {high} joueurs."
    ),
    "unknown-option": Words(
        "There is no option “{option}”; the only one is “colours”.",
        "Il n’y a pas d’option « {option} » ; la seule est « colours ».",
    ),
    "wrong-colours": Words(
        "The option “colours” must give every seat {each} of the letters {letters}, no letter twice.",
        "L’option « colours » doit donner à chaque place {each} des lettres {letters}, aucune lettre deux fois.",
    ),
    "ages-due": Words(
        "First the players are ordered by age, the youngest first.",
        "D’abord, on range les joueurs par âge, le plus jeune en tête.",
    ),
    "first-due": Words(
        "Now a throw decides who begins.",
        "Maintenant, un lancer décide qui commence.",
    ),
    "pick-due": Words(
        "Now the player chooses the colour of the die to throw.",
        "Maintenant, le joueur choisit la couleur du dé à lancer.",
    ),
    "roll-due": Words("Now the die is thrown.", "Maintenant, on lance le dé."),
    "put-due": Words("Now the die is placed on the board.", "Maintenant, on pose le dé sur le plateau."),
    "game-over": Words("The game is over.", "La partie est terminée."),
    "unreadable-move": Words("“{text}” is not a move.", "« {text} » n’est pas un coup."),
    "wrong-ages": Words(
        "The order by age names each of the {count} seats once.",
        "L’ordre d’âge nomme chacune des {count} places une fois.",
    ),
    "wrong-first": Words(
        "For the start {count} players throw a die each, from 1 to {sides}.",
        "Pour commencer, {count} joueurs lancent chacun un dé, de 1 à {sides}.",
    ),
    "no-such-die": Words(
        "The player has no die of colour {colour} left to throw.",
        "Le joueur n’a plus de dé de couleur {colour} à lancer.",
    ),
    "no-such-number": Words("A die shows 1 to {sides}, not {number}.", "Un dé montre 1 à {sides}, pas {number}."),
    "no-such-row": Words(
        "There is no row {row} in play, only {rows}.", "Il n’y a pas de rangée {row} en jeu, mais {rows}."
    ),
    "no-such-square": Words(
        "A row has squares 1 to {squares}, not {square}.", "Une rangée a les cases 1 à {squares}, pas {square}."
    ),
    "square-taken": Words("Square {square} of row {row} is taken.", "La case {square} de la rangée {row} est prise."),
    "second-lead": Words(
        "A die of colour {colour} already stands in the hundred-thousand column; only one may.",
        "Un dé de couleur {colour} est déjà dans la colonne des cent mille ; un seul y a droit.",
    ),
    "lead-owed": Words(
        "This is the last die of colour {colour} and none stands in the hundred-thousand column: it must go there.",
        "C’est le dernier dé de couleur {colour} et aucun n’est dans la colonne des cent mille : il doit y aller.",
    ),
}
