"""What DIX says to its readers, in English and French. When it is said is decided in the other modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.base import KeyWords, Path, Report, Words
from engines.dix.pieces import ALIX, COLOURS, Run

NAME = Words("DIX", "DIX")
SUMMARY = Words(
    "Push your luck for cards and money, outbid the others for jokers, and make a long run in each colour.",
    "Tentez votre chance pour des cartes ou de la monnaie, enchérissez sur les jokers et faites une longue suite "
    "dans chaque couleur.",
)
VARIANT_WORDS: Mapping[str, Words] = {
    "standard": Words("Standard", "Standard"),
    "bust-buy": Words("Buying when bust", "Achat quand on est grillé"),
    "solo": Words("Solo against ALIX", "Solo contre ALIX"),
}
COLOUR_WORDS: Mapping[str, Words] = {
    "blue": Words("blue", "bleu"),
    "green": Words("green", "vert"),
    "orange": Words("orange", "orange"),
    "pink": Words("pink", "rose"),
}
RUN_WORDS: Mapping[str, Words] = {
    "blue": Words("Blue run", "Suite bleue"),
    "green": Words("Green run", "Suite verte"),
    "orange": Words("Orange run", "Suite orange"),
    "pink": Words("Pink run", "Suite rose"),
}
LEVEL_TITLES: Mapping[int, Words] = {
    4: Words("This is only the beginning!", "Ce n’est que le début !"),
    5: Words("You are getting the hang of it!", "Ça commence à rentrer !"),
    6: Words("Impressive!", "Impressionnant !"),
    7: Words("A prodigy of strategy and luck!", "Un prodige de stratégie et de chance !"),
    8: Words("You are one of the aces of DIX!", "Vous faites partie des as de DIX !"),
    9: Words("Truly remarkable!", "Vraiment remarquable !"),
    10: Words("But how did you do it?", "Mais comment avez-vous fait ?"),
}
"""What the rulebook calls a win against ALIX, by difficulty."""
RUN_ALONE = Words(
    "a run is claimed here, but its cards are missing", "une suite est annoncée ici, mais ses cartes manquent"
)
FILL_ALONE = Words(
    "cards are given here, but no run is claimed", "des cartes sont données ici, mais aucune suite n’est annoncée"
)

MESSAGES: Mapping[str, Words] = {
    "run-notation": Words(
        "{place}: “{run}” is not a run. Write the first and the last number with a hyphen, as in 2-6, or a single "
        "number from 1 to 9.",
        "{place} : « {run} » n’est pas une suite. Écrivez le premier et le dernier nombre avec un trait d’union, "
        "comme 2-6, ou un seul nombre de 1 à 9.",
    ),
    "run-order": Words(
        "{place}: {run} is the wrong way round. Write the smaller number first.",
        "{place} : {run} est à l’envers. Écrivez d’abord le plus petit nombre.",
    ),
    "card-notation": Words(
        "{place}: “{card}” is not a card. Write b7 for a blue 7 (b, g, o, p), 7* for a joker 7, b# for a blue joker, "
        "*# for the special joker, with one space between cards. Currency cards are never held.",
        "{place} : « {card} » n’est pas une carte. Écrivez b7 pour un 7 bleu (b, g, o, p), 7* pour un joker 7, "
        "b# pour un joker bleu, *# pour le joker spécial, avec une espace entre les cartes. On ne garde jamais "
        "de carte Monnaie.",
    ),
    "fills-without-cards": Words(
        "The cards of the runs are given without the whole hand. Give all cards held as well, or neither.",
        "Les cartes des suites sont données sans la main entière. Donnez aussi toutes les cartes possédées, "
        "ou aucune des deux.",
    ),
    "alix-seat": Words(
        "In a solo game the second seat belongs to ALIX, not to “{label}”.",
        "En solo, la deuxième place est celle d’ALIX, pas de « {label} ».",
    ),
    "difficulty": Words(
        "The difficulty is {difficulty}; it must be from {low} to {high}.",
        "La difficulté est de {difficulty} ; elle doit aller de {low} à {high}.",
    ),
    "coins-over-limit": Words(
        "{coins} coins are too many: nobody keeps more than {most}.",
        "{coins} jetons de monnaie, c’est trop : personne n’en garde plus de {most}.",
    ),
    "runs-exceed-cards": Words(
        "The runs take {places} cards, and the number held is {count}.",
        "Les suites demandent {places} cartes, et il y en a {count}.",
    ),
    "points-mismatch": Words(
        "Points written: {points}. These runs score {score}: one per card, and one more for 1-9.",
        "Points inscrits : {points}. Ces suites en valent {score} : un par carte, et un de plus pour 1-9.",
    ),
    "card-count": Words(
        "Cards counted: {count}. Cards listed: {listed}. The two must agree.",
        "Cartes comptées : {count}. Cartes notées : {listed}. Les deux doivent s’accorder.",
    ),
    "run-gap": Words(
        "{place}: no number card is held for {numbers}; jokers that fit there: {jokers}.",
        "{place} : aucune carte Nombre en main pour {numbers} ; jokers qui conviennent : {jokers}.",
    ),
    "jokers-overused": Words(
        "Each run can be filled by itself, but not all together. Places that need a joker: {places}; "
        "some want the same one.",
        "Chaque suite peut être complétée seule, mais pas toutes ensemble. Places à combler par un joker : {places} ; "
        "certaines demandent le même.",
    ),
    "alix-underclaimed": Words(
        "These runs score {score}; her cards should be arranged as well as possible and could score {best}, with "
        "{better}. The claim counts as it is.",
        "Ces suites valent {score} ; ses cartes devraient être arrangées au mieux et pourraient valoir {best}, avec "
        "{better}. L’annonce compte telle quelle.",
    ),
    "fill-colours": Words("{place}: {state}.", "{place} : {state}."),
    "fill-length": Words(
        "{place}: cards given: {count}. The run {run} takes {size}.",
        "{place} : cartes données : {count}. La suite {run} en demande {size}.",
    ),
    "fill-misfit": Words(
        "{place}: {card} cannot stand for {colour} {number}.",
        "{place} : {card} ne peut pas remplacer le {number} {colour}.",
    ),
    "fill-not-held": Words(
        "The runs use {card} more often ({used}) than it is held ({held}).",
        "Les suites utilisent {card} plus souvent ({used}) qu’il n’y en a en main ({held}).",
    ),
    "cards-over-deck": Words(
        "All players together hold {count} cards, but the deck at this table has {deck}.",
        "Tous les joueurs réunis ont {count} cartes, mais la pioche de cette table en compte {deck}.",
    ),
    "consolation-impossible": Words(
        "{tokens} consolation tokens cannot be earned: a bust takes two cards at least, so {deck} cards give at "
        "most {most}.",
        "On ne peut pas gagner {tokens} jetons de consolation : pour être grillé il faut au moins deux cartes, donc "
        "{deck} cartes en donnent au plus {most}.",
    ),
    "special-joker-copies": Words(
        "The special joker *# is listed {count} times; there is only one.",
        "Le joker spécial *# est noté {count} fois ; il n’y en a qu’un.",
    ),
    "tiebreak-missing": Words(
        "{place} is needed: it decides a shared first place.",
        "{place} : il faut l’indiquer pour départager la première place.",
    ),
    "below-optimum": Words(
        "These runs score {score}; the cards could score {best}, with {better}. The claim counts as it is.",
        "Ces suites valent {score} ; les cartes pourraient valoir {best}, avec {better}. L’annonce compte "
        "telle quelle.",
    ),
    "consolation-over-box": Words(
        "{tokens} consolation tokens are reported and the box has {box}. That is possible, but unusual.",
        "{tokens} jetons de consolation sont annoncés et la boîte en a {box}. C’est possible, mais rare.",
    ),
    "copies-over-box": Words(
        "{card} is listed {count} times; the box is believed to hold {box}.",
        "{card} est noté {count} fois ; la boîte en contiendrait {box}.",
    ),
}

_PLACES: Mapping[str, Words] = {
    "game": Words("Game", "Jeu"),
    "variant": Words("Variant", "Variante"),
    "seats": Words("List of players", "Liste des joueurs"),
    "difficulty": Words("Difficulty", "Difficulté"),
    "hands": Words("List of hands", "Liste des mains"),
}
_FIELDS: Mapping[str, Words] = {
    "runs": Words("List of runs", "Liste des suites"),
    "coins": Words("Number of coins", "Nombre de jetons de monnaie"),
    "consolation": Words("Number of consolation tokens", "Nombre de jetons de consolation"),
    "card_count": Words("Number of cards", "Nombre de cartes"),
    "points": Words("Number of points", "Nombre de points"),
    "cards": Words("List of cards", "Liste des cartes"),
    "fills": Words("List of cards in the runs", "Liste des cartes des suites"),
}
_PLAYER = Words("Player {}", "Joueur {}")
_HAND = Words("Hand", "Main")
_CARD = Words("Card {}", "Carte {}")
_RUN_CARD = Words("{}, card {}", "{}, carte {}")


def place(path: Path, language: str) -> str:
    """Say where a path of a report points, without the seat."""
    match path:
        case (str(field),) if field in _PLACES:
            words = _PLACES[field]
        case ("seats", int(index)):
            return _PLAYER.into(language).format(index + 1)
        case ("hands", _):
            words = _HAND
        case ("hands", _, str(field)) if field in _FIELDS:
            words = _FIELDS[field]
        case ("hands", _, "cards", int(index)):
            return _CARD.into(language).format(index + 1)
        case ("hands", _, "runs" | "fills", str(colour)) if colour in RUN_WORDS:
            words = RUN_WORDS[colour]
        case ("hands", _, "fills", str(colour), int(index)) if colour in RUN_WORDS:
            return _RUN_CARD.into(language).format(RUN_WORDS[colour].into(language), index + 1)
        case (*_, last):
            return f"“{last}”" if language == "en" else f"« {last} »"
        case _:
            return ""
    return words.into(language)


def name_runs(runs: Sequence[Run | None]) -> Words:
    """Say the runs of an arrangement: "blue 1-5, pink 7"."""
    named = [(COLOUR_WORDS[colour], run) for colour, run in zip(COLOURS, runs, strict=True) if run]
    return Words(
        *[", ".join([f"{colour.into(language)} {run}" for colour, run in named]) for language in ("en", "fr")]
    )


def solo_title(report: Report, winner: str) -> Words | None:
    """Return what the rulebook calls a win against ALIX; None for a defeat and for other variants."""
    return LEVEL_TITLES[report["difficulty"]] if report["variant"] == "solo" and winner != ALIX else None


_MONEY = Words("{own} in money against {other}", "{own} de monnaie contre {other}")
_CARDS = Words("{own} cards held against {other}, fewer is better", "{own} cartes contre {other}, moins vaut mieux")
_POINTS = KeyWords(level=Words("level on points", "à égalité de points"))
_MORE = Words("only more points beat ALIX", "il faut plus de points qu’ALIX pour gagner")
_TABLE = (
    _POINTS,
    KeyWords(level=Words("and on money", "et de monnaie"), ahead=_MONEY, behind=_MONEY),
    KeyWords(ahead=_CARDS, behind=_CARDS, sign=-1),
)
KEYS: Mapping[str, tuple[KeyWords, ...]] = {
    "standard": _TABLE,
    "bust-buy": _TABLE,
    "solo": (_POINTS, KeyWords(ahead=_MORE, behind=_MORE)),
}

RULES: Mapping[str, Words] = {
    "unknown-variant": Words("the game has no variant {variant}.", "le jeu n’a pas de variante {variant}."),
    "seat-count": Words(
        "there are {count} seats; this variant is for {low} to {high}.",
        "il y a {count} places ; cette variante se joue de {low} à {high}.",
    ),
    "alix-seat": Words(
        "the second seat of a solo game belongs to ALIX, not to {label}.",
        "la deuxième place d’une partie solo est celle d’ALIX, pas de {label}.",
    ),
    "unknown-option": Words("this variant has no option {option}.", "cette variante n’a pas d’option {option}."),
    "bad-option": Words(
        "the option {option} cannot be {value}: `difficulty` is a number from 4 to 10, `bust_buy` is true or false.",
        "l’option {option} ne peut pas être {value} : `difficulty` est un nombre de 4 à 10, `bust_buy` vaut true ou "
        "false.",
    ),
    "bad-deck": Words(
        "the deck must give the copies of each card, at most {size} cards in all and one special joker.",
        "la pioche doit donner le nombre de chaque carte, au plus {size} cartes en tout et un seul joker spécial.",
    ),
    "unreadable-move": Words("this is not a move of DIX.", "ce n’est pas un coup de DIX."),
    "game-over": Words("the game is already over.", "la partie est déjà finie."),
    "not-now": Words("this cannot be done now.", "on ne peut pas faire cela maintenant."),
    "alix-decides": Words(
        "ALIX has no choice here: her move is “{move}”.", "ALIX n’a pas le choix ici : son coup est « {move} »."
    ),
    "no-such-seat": Words(
        "there is no seat {seat}; there are {count}.", "il n’y a pas de place {seat} ; il y en a {count}."
    ),
    "deck-empty": Words("the deck is empty; stop and take a reward.", "la pioche est vide ; il faut s’arrêter."),
    "not-in-deck": Words("{card} is not in the deck any more.", "{card} n’est plus dans la pioche."),
    "bid-too-low": Words(
        "a bid of {bid} is too low; the minimum is {least}.",
        "une enchère de {bid} est trop basse ; il faut au moins {least}.",
    ),
    "bid-too-high": Words(
        "a bid of {bid} cannot be paid; the player has {means}.", "on ne peut pas payer {bid} ; le joueur a {means}."
    ),
    "not-in-market": Words("{card} is not in the market.", "{card} n’est pas au marché."),
    "already-held": Words(
        "{card} cannot be bought: the player already has one.",
        "{card} ne peut pas être acheté : le joueur en a déjà un.",
    ),
    "not-enough-coins": Words(
        "{coins} coins cannot be paid; the player has {held}.",
        "on ne peut pas payer {coins} jetons de monnaie ; le joueur en a {held}.",
    ),
    "not-enough-tokens": Words(
        "{tokens} consolation tokens cannot be paid; the player has {held}.",
        "on ne peut pas payer {tokens} jetons de consolation ; le joueur en a {held}.",
    ),
    "card-not-spendable": Words(
        "{card} cannot be given that many times; in a solo auction only second copies pay.",
        "on ne peut pas donner {card} autant de fois ; dans une enchère en solo, seuls les doublons paient.",
    ),
    "underpaid": Words("{paid} is not enough; the price is {price}.", "{paid} ne suffit pas ; le prix est {price}."),
    "overpaid": Words(
        "{paid} is more than the price of {price}. Coins and cards pay exactly; only tokens alone may pay more, "
        "and none of them may be superfluous.",
        "{paid} dépasse le prix de {price}. La monnaie et les cartes paient au plus juste ; seuls des jetons de "
        "consolation peuvent payer plus, et aucun ne doit être superflu.",
    ),
}
