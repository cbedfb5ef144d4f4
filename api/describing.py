"""The schema as documentation: what every operation and property is about, with an example that could be real.

A serializer says what is special about a field in its `help_text`; what a name means everywhere stands here, once.
Examples are made from the schema itself, so that none can be wrong.
"""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings

from scoring import rules
from tournaments.games import GAMES

# The parts of the API in the order in which somebody needs them.
TAGS = {
    "games": "What there is to play, and the rules as a service for anybody.",
    "me": "Who the caller is, and their tokens and sessions.",
    "clubs": "Clubs, their members, people, keys, webhooks, seasons and files.",
    "events": "Events, their entries, rounds, standings and results.",
    "join": "Find an event by its code.",
    "entries": "One player in one event: status, personal link, proof.",
    "tables": "One table: seats, sheets in progress, reports, decisions.",
    "reports": "One report: confirm, dispute, withdraw.",
    "calls": "Players who call the organiser to their table.",
    "players": "People across events: profile, ratings, merging, privacy.",
    "definitions": "Games that a club defined, by the id of a version.",
    "shared-games": "Games that a club shares by a link.",
    "leaderboards": "Everybody's ratings in a game.",
    "seasons": "The best results of several events.",
    "solo": "Games of one person, dealt by the service.",
    "challenges": "The challenge of the day, the same for everybody.",
    "invitations": "Accept an invitation to a club.",
    "merge-requests": "Two records of one person, where two sides must agree.",
    "root": "Where everything is.",
}
UID = "k7m2qx9d4t8w3bzp"
WORDS = {
    "accepted": "The reports that count now.",
    "active": "Whether it is switched on.",
    "actor": "Who did it: the kind of credential and what it stands for.",
    "advance": "Elimination: how many of each table play on; half of it where null.",
    "after": "The value afterwards.",
    "ahead": "Tables at which one was ahead of them.",
    "anonymous": "Whether the name was forgotten on request.",
    "answer": "What to say of them.",
    "answered_at": "When the other side answered.",
    "at": "When it happened.",
    "attempts": "How often it was tried to deliver it.",
    "author": "The kind of caller who sent it.",
    "before": "The value before.",
    "behind": "Tables at which one was behind them.",
    "best_of": "How many results of a player count.",
    "best_sheets": "The best results, best first.",
    "challenge": "The challenge of a day that it is played for; null for any other game.",
    "change_30_days": "By how much it moved in the last 30 days.",
    "check_in": "With sign-up ahead: players say that they are here before they are seated.",
    "claims": "The known player whom an unproven phone says to be.",
    "closed_at": "When the round was closed.",
    "club": "The slug of the club.",
    "clubs": "The clubs, by name.",
    "code": "What it is, stable and in kebab-case; or a code that people type.",
    "confirmation": "When a sheet counts: at once, once another seat confirms, or once the organiser approves.",
    "confirmations": "The seats that agreed.",
    "count": "How many there are.",
    "created_at": "When it was made.",
    "csv": "The text of the file.",
    "cut": "Who plays in the final, before and after.",
    "cut_to": "How many play the final; no final where null.",
    "data": "What happened, by the ids of the API.",
    "day": "Which day it is of.",
    "definition": "What the club says of the game.",
    "delivered_at": "When it arrived.",
    "delta": "By how much it moved.",
    "detail": "What is wrong and what to do, for people.",
    "difference": "The first entry in which two sheets differ; null where none do.",
    "disputed": "Ids of the tables in dispute.",
    "disputes": "The seats that objected, with their reasons.",
    "docs": "The page to try calls on.",
    "doubtful": "Names that look like somebody the club knows.",
    "dry_run": "Whether it only says what would happen.",
    "email": "The e-mail address.",
    "ends_at": "When it ends.",
    "ends_on": "The last day.",
    "entered": "How many were entered.",
    "entrants": "How many played in it.",
    "entries": "The entries, or their ids.",
    "entry": "The entry, or its id.",
    "errors": "Everything that is wrong, each with its path.",
    "event": "The id of the event, or the event.",
    "event_name": "The name of the event.",
    "events": "The events, or how many of them.",
    "expires_at": "When it ends.",
    "explanation": "What put this place behind the one above, in a sentence.",
    "extra_minutes": "Minutes that were added to the round.",
    "facts": "What else is known of it, by name.",
    "failing_since": "Since when nothing could be delivered.",
    "finished_at": "When it was finished.",
    "first": "One of the two.",
    "first_round": "The first round they play in.",
    "fixed_table": "The number of the table at which they always sit.",
    "flags": "Why somebody should look at it.",
    "forfeit": "Whether they gave up.",
    "forfeits": "Ids of the players who gave up: they take the last places.",
    "format": "How players are seated from round to round; or the kind of a file.",
    "game": "The slug of the game.",
    "game_version": "Which version of a club's own game is played.",
    "games": "The games there are.",
    "given_to": "How many players of a table have it.",
    "gone": "The record that becomes part of the other.",
    "history": "Who did what, oldest first.",
    "house": "The house player of the other seats; empty where there is none.",
    "id": "Its id, for the addresses of the API.",
    "into": "The id of the record to keep.",
    "is_over": "Whether the game is finished.",
    "is_won": "Whether the person came first; null where nobody plays against them.",
    "joined_at": "When they entered.",
    "joining": "Whether players come in by the join code.",
    "kept": "The record that stays.",
    "key": "The name of the value, or what decides the rank.",
    "kind": "Which kind it is.",
    "known": "Those who were known already.",
    "label": "What the club calls the table.",
    "legal": "What is possible now.",
    "like": "Whom the club knows by a name that looks like it.",
    "lines": "The lines of the sheet, in order.",
    "last_played": "When they last played a rated table.",
    "level": "Tables at which one was level with them.",
    "max": "The most.",
    "me": "Who the caller is.",
    "message": "What is wrong, for people, in the language of the request.",
    "min": "The fewest.",
    "minutes": "How long the round lasts; null for as long as it takes.",
    "modified_at": "When the result last changed.",
    "most_entries": "How many come in by the join code; null for any number.",
    "move": "A move as the rules of the game write it.",
    "moves": "Moves as the rules of the game write them, in order.",
    "name": "The name, as people read it.",
    "names": "The names, one each.",
    "new": "Those who were not known before.",
    "next": "The address of the next page; null on the last.",
    "next_attempt_at": "When it is tried again; null where it is done or given up.",
    "note": "A note for the club alone.",
    "number": "Its number, from 1.",
    "ok": "Whether it is legal.",
    "options": "What was set before the game, where it is not the default.",
    "other": "The other one it is about; null where there is none.",
    "opponents": "Those met most often.",
    "path": "Where it is: names of fields and indices from 0.",
    "payload": "The message as it is sent.",
    "people": "The people, or how many of them.",
    "place": "Where the two sheets differ, in words.",
    "places": "The places at the table, best first; or how often each was reached.",
    "played_at": "When the table was played.",
    "player": "The player, or their id.",
    "players": "The players, or their ids.",
    "podium_points": "Points per place, best first, where `points` is `podium`.",
    "penalties": "Points that were taken off entries, each with its reason.",
    "points": "What a table gives: a share of opponents beaten, points per place, or the game's own score.",
    "position": "The seat at the table, from 1.",
    "positions": "How they fare from each seat.",
    "preferred": "How many sit at a table where the numbers allow it.",
    "previous": "The address of the page before; null on the first.",
    "problem": "What is wrong; null or false where nothing is.",
    "problems": "The lines that cannot be used.",
    "provisional": "Whether too few tables were played for a firm rating.",
    "public": "Whether anybody may read it.",
    "quality": "What the seating costs.",
    "rank": "The place, from 1; equals share one.",
    "rank_after": "The place afterwards; null where they are not ranked.",
    "rank_before": "The place before; null where they are not ranked.",
    "ranking": "The places, given by hand.",
    "rated": "Whether its results count for ratings.",
    "rating": "The rating, with three decimals.",
    "ratings": "The ratings, one per game; or those that would change.",
    "reason": "Why, in a sentence.",
    "record": "A game as a list of moves.",
    "refused": "What was not taken, each with its path.",
    "report": "The sheet, or the id of the report.",
    "report_id": "The id of a report of this table that is to count.",
    "reports": "The reports, oldest first; or how many of them.",
    "results": "The rows of this page.",
    "role": "What they may do in the club.",
    "room": "The room the table is in.",
    "round": "The number of the round.",
    "round_minutes": "How long a round lasts; null for as long as it takes.",
    "rounds": "The rounds, or how many are planned.",
    "rounds_seated_after": "Rounds that were seated by standings that may have changed; they stay.",
    "rows": "All places, best first.",
    "says": "Whether the seat agrees.",
    "schema": "Where this description is, or the JSON Schema of a report.",
    "scope": "What a key may do.",
    "score": "The game's own score; null where players were ranked by hand.",
    "season": "The id of the season, or its name in a file.",
    "seasons": "The seasons.",
    "seat": "The label of the seat: the id of its player.",
    "seated_at": "When the round was seated.",
    "seats": "The seats, in order; or how many there may be.",
    "second": "The other of the two.",
    "secret": "A secret; shown once.",
    "seed": "Seats the same round again.",
    "sheet": "The sheet as its game has it; null where players were ranked by hand.",
    "sign_up_ahead": "Whether players sign up on the public page, before the evening.",
    "sign_up_closes_at": "When sign-up ahead closes.",
    "since": "Since when.",
    "sitting_out": "Those who do not play in this round because the numbers force it.",
    "slug": "Its part of an address.",
    "stages": "How many play in each stage of the final, such as 8 and 4; instead of `cut_to`.",
    "standings": "The places, best first; null where the sheet is not legal.",
    "started_at": "When the round began.",
    "starts_at": "When it starts.",
    "starts_on": "The first day.",
    "status": "How far it has come.",
    "step": "By how much points go up.",
    "steps": "How long the seating was searched for.",
    "summary": "The game in a sentence.",
    "table": "The id of the table.",
    "table_labels": "What the club calls its tables, by number from table 1.",
    "table_number": "The number of the table in its round.",
    "table_size": "How many sit at a table.",
    "tables": "The tables, or how many were played.",
    "tables_counted": "Open play: how many of a player's best tables count; the mean of all where null.",
    "tables_least": "Open play: how many tables somebody plays before they are ranked.",
    "prizes": "What there is to win, in order.",
    "standings_shown": "Which places everybody sees while the event runs: all, the first ones, or none for now.",
    "standings_number": "`top`: how many places are shown; `later`: the round after which all are, null for the last.",
    "tie_rule": "What decides a tie at the line of a cut.",
    "tiebreaks": "What decides between players level on points, in order.",
    "text": "What is said, in the words of who says it.",
    "time_zone": "The club's time zone, as `Europe/Paris`.",
    "times": "How often.",
    "timestamp": "When it happened.",
    "title": "The status in words.",
    "token": "The secret to call with.",
    "type": "Which kind it is.",
    "types": "What it is told of.",
    "up_to_date": "False while a computation is pending.",
    "updated_at": "When it last changed.",
    "url": "The address.",
    "user": "One's account; null for other credentials.",
    "value": "The value, with three decimals; null where there is none.",
    "values": "What each of the two sheets says.",
    "variant": "The slug of the variant.",
    "variants": "The ways to play it.",
    "verb": "What was done.",
    "verdict": "What the rules say of it.",
    "verified": "Whether they proved who they are.",
    "version": "Rises with every change.",
    "voices": "What other seats said of it.",
    "waiting_since": "Since when they wait for a place.",
    "warnings": "What is odd and still legal, each with its path.",
    "what": "What changed.",
    "winner": "Whether the most or the fewest points win.",
    "wins": "Tables won.",
    "words": "What the move does, in a sentence.",
}
# What stands in examples for a property of this name.
SAMPLES: dict[str, Any] = {
    "name": "Ana",
    "slug": "cafe-meeple",
    "club": "cafe-meeple",
    "game": "dice-run",
    "variant": "standard",
    "email": "ana@example.org",
    "url": "https://club.example/hook",
    "join_code": "K7QX2M",
    "code": "K7QX2M",
    "text": "What is said, in the words of who says it.",
    "time_zone": "Europe/Paris",
    "next": None,
    "previous": None,
    "reason": "The sheet was read wrong.",
    "csv": "name\nAna\nBo\n",
    "points": "2.500",
    "language": "en",
}
FORMATS = {
    "date-time": "2026-11-18T18:00:00Z",
    "date": "2026-11-18",
    "uri": "https://score.example/api/v1/",
    "email": "ana@example.org",
}
DEEPEST = 14  # levels of an example; what lies deeper is left empty


def describe(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Complete the schema: a hook that drf-spectacular calls when everything else is there."""
    result["info"] |= {
        "contact": {"name": "Whoever runs this service", "url": f"{settings.PUBLIC_URL or 'https://score.example'}/"},
        "license": {"name": "MIT", "identifier": "MIT"}
        if result["openapi"] >= "3.1"
        else {"name": "MIT", "url": "https://opensource.org/license/mit"},
    }
    result["servers"] = [{"url": settings.PUBLIC_URL or "/", "description": "This service."}]
    _name_tags(result)
    _type_sheets(result)
    for each in [each for each in result["components"]["schemas"].values() if "properties" in each]:
        for name, prop in list(each["properties"].items()):
            _describe(name, prop, each["properties"])
    _close_requests(result)
    _mend(result["components"]["schemas"], result["components"]["schemas"])
    for path, methods in result["paths"].items():
        for operation in methods.values():
            _complete(path, operation, result["components"]["schemas"])
    return result


def _name_tags(result: dict[str, Any]) -> None:
    for methods in result["paths"].values():
        for operation in methods.values():
            operation["tags"] = operation.get("tags") or ["root"]
    used = {tag for methods in result["paths"].values() for each in methods.values() for tag in each["tags"]}
    ordered = [*(tag for tag in TAGS if tag in used), *sorted(used - TAGS.keys())]
    result["tags"] = [{"name": tag, "description": TAGS.get(tag, f"About {tag}.")} for tag in ordered]


def _describe(name: str, prop: dict[str, Any], others: dict[str, Any]) -> None:
    if name in WORDS and not prop.get("description"):
        if "$ref" in prop:
            others[name] = {"allOf": [{"$ref": prop["$ref"]}], "description": WORDS[name]}
        else:
            prop["description"] = WORDS[name]


# --- Sheets -------------------------------------------------------------------------------------------------------


def _type_sheets(result: dict[str, Any]) -> None:
    """Say of every sheet that it is one of the games', told apart by `game`."""
    schemas = result["components"]["schemas"]
    mapping = {}
    for slug, engine in GAMES.items():
        name = "Sheet" + "".join(part.title() for part in slug.split("-"))
        schemas |= _sheet(name, rules.report_schema(engine), slug)
        mapping[slug] = f"#/components/schemas/{name}"
    schemas["Sheet"] = {
        "description": "What a table fills in: a sheet of one of the games, or of a game of the club's own.",
        "type": "object",
        "anyOf": [{"$ref": f"#/components/schemas/{each}"} for each in ("SheetOfGame", "SheetOther")],
    }
    schemas["SheetOfGame"] = {
        "description": "A sheet as its game has it; `game` says which.",
        "type": "object",
        "oneOf": [{"$ref": each} for each in mapping.values()],
        "discriminator": {"propertyName": "game", "mapping": mapping},
    }
    schemas["SheetOther"] = {
        "description": "A sheet of a club's own game.",
        "type": "object",
        "properties": {"game": {"type": "string", "pattern": "^custom:", "description": "As `custom:harbour`."}},
        "required": ["game"],
        "additionalProperties": True,
    }


def _sheet(name: str, schema: dict[str, Any], slug: str) -> dict[str, Any]:
    """Return the JSON Schema of a game's sheet as components, its inner definitions beside it."""
    inner = schema.get("$defs", {})

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [moved(each) for each in value]
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            place = {"$ref": value["$ref"].replace("#/$defs/", f"#/components/schemas/{name}")}
            return {"allOf": [place], "description": value["description"]} if "description" in value else place
        return _as_openapi({key: moved(each) for key, each in value.items() if key not in UNKNOWN_TO_OPENAPI})

    whole = moved(schema)
    whole.setdefault("description", f"A sheet of {slug}.")
    whole |= {"type": "object", "required": sorted({*whole.get("required", ()), "game"})}
    whole.setdefault("properties", {})["game"] = {
        "type": "string",
        "enum": [slug],
        "description": "The slug of the game.",
    }
    return {name: whole} | {f"{name}{key}": moved(value) for key, value in inner.items()}


UNKNOWN_TO_OPENAPI = {"$defs", "$schema", "$id", "title", "propertyNames"}


def _as_openapi(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a JSON Schema as OpenAPI 3.0 says it: no constants, no tuples, no null."""
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if isinstance(items := schema.pop("prefixItems", None), list):
        schema["items"] = {"anyOf": items} if items else {}
    if {"type": "null"} in (choices := schema.get("anyOf", [])):
        others = [each for each in choices if each != {"type": "null"}]
        del schema["anyOf"]
        schema |= {**others[0], "nullable": True} if len(others) == 1 else {"anyOf": others, "nullable": True}
    return schema


def _mend(schema: Any, schemas: dict[str, Any]) -> None:
    """Put right what the framework writes otherwise than OpenAPI has it, everywhere in a schema."""
    if isinstance(schema, list):
        for each in schema:
            _mend(each, schemas)
    if not isinstance(schema, dict):
        return
    if schema.get("nullable") is True and "type" not in schema:
        schema["type"] = _type_of(schema, schemas)
    if schema.get("default") == "" and (schema.get("minLength") or "pattern" in schema):
        del schema["default"]
    if isinstance(schema.get("example"), str) and "cursor=" in schema["example"]:
        del schema["example"]
    for each in schema.values():
        _mend(each, schemas)


def _type_of(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _type_of(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    inner = next((schema[each][0] for each in ("allOf", "oneOf", "anyOf") if each in schema), None)
    return str(schema.get("type") or (_type_of(inner, schemas) if inner else "object"))


# --- Requests and operations --------------------------------------------------------------------------------------


def _close_requests(result: dict[str, Any]) -> None:
    """Say that a body takes no other fields than it names: one that is misspelt is refused."""
    for name, each in result["components"]["schemas"].items():
        if name.endswith("Request") and each.get("type") == "object" and "additionalProperties" not in each:
            each["additionalProperties"] = False


def _complete(path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    text = operation.get("description", "").strip()
    first = text.partition("\n\n")[0].replace("\n", " ")
    operation["summary"] = re.split(r"(?<=[a-z])[.:;,] ", first)[0].rstrip(".:")
    operation.setdefault("description", text or operation["summary"])
    for parameter in operation.get("parameters", ()):
        parameter.setdefault("description", WORDS.get(parameter["name"]) or PARAMETERS.get(parameter["name"], ""))
    slug = "dice-run" if path.startswith("/api/v1/games/") else None
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        _exemplify(kind, content, schemas, slug)
    for status, answer in operation["responses"].items():
        for kind, content in answer.get("content", {}).items() if status.startswith("2") else ():
            _exemplify(kind, content, schemas, slug)


PARAMETERS = {
    "phone": "The id of a browser that is told.",
    "uid": "The id of what it is about.",
    "cursor": "Where a page begins: part of `next` and `previous`.",
    "page_size": "Rows per page: 50 unless told, at most 200.",
    "ordering": "The order of the rows; `-` before a name turns it round.",
    "starts_after": "Only events that start then or later.",
    "starts_before": "Only events that start before then.",
    "min_tables": "Only who played at least so many tables.",
    "lang": "The language of the schema.",
    "delivery": "The id of the message.",
    "penalty": "The id of the penalty.",
    "Accept-Language": "`fr` for French.",
    "link": "The secret of a link by which a game is shared.",
    "direction": "Which side one is on.",
}


UPLOAD = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "A CSV file."},
        "dry_run": {"type": "boolean", "description": "Only say what would happen, where the call can."},
    },
    "required": ["file"],
}


def _exemplify(kind: str, content: dict[str, Any], schemas: dict[str, Any], slug: str | None) -> None:
    if "example" in content or "examples" in content:
        return
    if kind == "text/csv":
        content |= {"schema": {"type": "string"}, "example": "name,id\nAna,k7m2qx9d4t8w3bzp\n"}
    elif kind == "multipart/form-data":
        content |= {"schema": UPLOAD, "example": {"file": "name\nAna\n"}}
    elif kind in {"application/json", "application/x-ndjson"}:
        schema = content.get("schema", {})
        content["example"] = example_of(schema, schemas) if schema else rules.example(slug or "dice-run")


def example_of(schema: dict[str, Any], schemas: dict[str, Any], name: str = "", depth: int = 0) -> Any:
    """Return a value that a schema allows, as it could be."""
    if "$ref" in schema:
        return _example_of_component(schema["$ref"].rpartition("/")[2], schemas, name, depth)
    for combined in ("allOf", "oneOf", "anyOf"):
        if combined in schema and "properties" not in schema:
            return example_of(schema[combined][0], schemas, name, depth)
    if "enum" in schema:
        return next(each for each in schema["enum"] if each not in {None, ""} or len(schema["enum"]) == 1)
    return _typed_example(schema, schemas, name, depth)


def _typed_example(schema: dict[str, Any], schemas: dict[str, Any], name: str, depth: int) -> Any:
    value: Any = {} if depth == 0 else "Ana"
    match schema.get("type"):
        case "object":
            value = _object_example(schema, schemas, depth)
        case "array":
            value = _array_example(schema, schemas, name, depth)
        case "boolean":
            value = schema.get("default", True) is not False
        case "integer" | "number":
            value = min(max(1, schema.get("minimum", 1)), schema.get("maximum", 1))
        case "string":
            value = _text_example(schema, name)
    return value


def _example_of_component(component: str, schemas: dict[str, Any], name: str, depth: int) -> Any:
    if component == "Sheet" or component.startswith("SheetDiceRun"):
        return rules.example("dice-run")
    return example_of(schemas[component], schemas, name, depth)


def _object_example(schema: dict[str, Any], schemas: dict[str, Any], depth: int) -> dict[str, Any]:
    if depth > DEEPEST or "properties" not in schema:
        return {}
    return {name: example_of(each, schemas, name, depth + 1) for name, each in schema["properties"].items()}


def _array_example(schema: dict[str, Any], schemas: dict[str, Any], name: str, depth: int) -> list[Any]:
    least = schema.get("minItems", 0)
    if depth > DEEPEST and not least:
        return []
    number = max(1, least) if schema.get("maxItems", 1) else 0
    return [example_of(schema.get("items", {}), schemas, name, depth + 1)] * number


def _text_example(schema: dict[str, Any], name: str) -> Any:
    if schema.get("format") in FORMATS and name not in {"next", "previous"}:
        return FORMATS[schema["format"]]
    value = SAMPLES.get(name, UID)
    if value is None:
        return None if schema.get("nullable") else ""
    if "pattern" in schema and not re.search(schema["pattern"], value):
        value = UID
    return value[: schema.get("maxLength", len(value))]
