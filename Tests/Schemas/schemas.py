"""JSON Schemas (2020-12) of the outputs of all commands.

    python3 Tests/Schemas/schemas.py PROGRAM            validates the outputs, and those of the API
    python3 Tests/Schemas/schemas.py PROGRAM --rewrite  writes docs/reference/schema and the components of openapi.json

A schema is derived from what the encoders print: a member that is present in all outputs is required. An absent value is omitted or
null, so each value except those of ALWAYS may be null. Other members are permitted, because new keys may be added. written.py has
the schemas of outputs that this test cannot produce.
"""
import json
import pathlib
import sys

import jsonschema

from outputs import collect
from written import schemas as written

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/reference/schema"
OPENAPI = ROOT / "Sources/Dashboard/API/openapi.json"
BASE = "https://json-schema.org/draft/2020-12/schema"
# Keys whose values have the format of RFC 3339.
TIMES = {"time", "started", "ended", "created", "last_used", "begins", "until"}
# Keys that always have a value.
ALWAYS = {"type", "id", "profile"}
# Objects whose keys are data.
MAPS = {"confidence_factors", "mood_counts"}


def infer(values, key=""):
    """The schema of values, most of which have the same type."""
    kinds = {kind(value) for value in values}
    optional = "null" in kinds
    kinds.discard("null")
    if not kinds:
        return {}
    if kinds == {"object"}:
        schema = of_objects([value for value in values if value is not None], key)
    elif kinds == {"array"}:
        items = [item for value in values if value is not None for item in value]
        # A list of values can contain some that are absent, such as the stress of hours without measurements.
        is_scalar = all(kind(item) not in ("object", "array") for item in items)
        schema = {"type": "array", "items": infer(items, key if is_scalar else "") if items else {}}
    else:
        schema = {"type": sorted(kinds)[0] if len(kinds) == 1 else sorted(kinds)}
        if schema["type"] == "string" and key in TIMES:
            schema["format"] = "date-time"
    if (optional or key not in ALWAYS) and key:
        schema["type"] = [schema["type"], "null"] if isinstance(schema["type"], str) else [*schema["type"], "null"]
    return schema


def kind(value):
    if value is None:
        return "null"
    return {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}[type(value)]


def of_objects(objects, key=""):
    if key in MAPS:
        return {"type": "object", "additionalProperties": infer([v for o in objects for v in o.values()])}
    keys = list(dict.fromkeys(name for item in objects for name in item))
    schema = {"type": "object", "properties": {
        name: infer([item[name] for item in objects if name in item], name) for name in keys}}
    required = [name for name in keys if all(name in item for item in objects)]
    return {**schema, "required": required} if required else schema


def generate(outputs):
    schemas = {}
    for name, documents in sorted(outputs.items()):
        assert documents, f"{name}: no output"
        types = list(dict.fromkeys(d.get("type") for d in documents)) if name == "session-line" else []
        if types:
            body = {"oneOf": [lines(documents, kind) for kind in sorted(types)]}
        else:
            body = of_objects(documents)
        schemas[name] = {"$schema": BASE, "$id": f"{name}.schema.json", "title": name.replace("-", " "), **body}
    return {**schemas, **written()}


def lines(documents, kind):
    schema = of_objects([d for d in documents if d["type"] == kind])
    schema["properties"]["type"] = {"const": kind}
    return schema


def components(document, schemas):
    """The document with the schemas as components."""
    kept = {name: schema for name, schema in document["components"]["schemas"].items() if name[0].isupper()}
    used = {name for name, _ in RESPONSES.values()} | {"journal-entry", "session-line", "morning-result", "breathing-result"}
    added = {name: {k: v for k, v in schema.items() if k not in ("$schema", "$id", "title")}
             for name, schema in schemas.items() if name in used}
    document["components"]["schemas"] = {**kept, **added}
    for path, (name, member) in RESPONSES.items():
        content = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
        reference = {"$ref": f"#/components/schemas/{name}"}
        if member is None:
            content["schema"] = reference
        else:
            content["schema"]["properties"][member] = {"type": "array", "items": reference}
    added = document["paths"]["/api/v1/journal"]["post"]["responses"]["201"]["content"]["application/json"]
    added["schema"] = {"$ref": "#/components/schemas/journal-entry"}
    return document


# The schema of each response, and the member that contains a list of them.
RESPONSES = {
    "/api/v1/status": ("status", None), "/api/v1/measurements": ("measurement", "measurements"),
    "/api/v1/measurements/{id}": ("measurement-details", None), "/api/v1/sessions": ("session", "sessions"),
    "/api/v1/sessions/{id}": ("session-details", None), "/api/v1/breathing": ("breathing", "breathing"),
    "/api/v1/morning": ("morning", "morning"), "/api/v1/night": ("night", "night"), "/api/v1/trends": ("trend", "trends"),
    "/api/v1/report": ("report", None), "/api/v1/baseline": ("baseline", None), "/api/v1/settings": ("settings", None),
    "/api/v1/journal": ("journal-entry", "journal")}


def text(document):
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def compact(document):
    """The OpenAPI document with one line per method and per schema, because the program contains it."""
    def members(value, depth):
        if depth == 0:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        lines = [f"{json.dumps(key)}:{members(item, depth - 1 if isinstance(item, dict) else 0)}" for key, item in value.items()]
        return "{\n" + ",\n".join(lines) + "\n}"
    return members(document, 3) + "\n"


def rewrite(outputs):
    FOLDER.mkdir(exist_ok=True)
    schemas = generate(outputs)
    for path in FOLDER.glob("*.schema.json"):
        path.unlink()
    for name, schema in schemas.items():
        (FOLDER / f"{name}.schema.json").write_text(text(schema))
    OPENAPI.write_text(compact(components(json.loads(OPENAPI.read_text()), schemas)))
    print(f"schemas: {len(schemas)} files were written")


def validate(outputs):
    schemas = {path.name.removesuffix(".schema.json"): json.loads(path.read_text()) for path in FOLDER.glob("*.schema.json")}
    hand = written()
    assert set(schemas) == set(outputs) | set(hand), set(schemas) ^ (set(outputs) | set(hand))
    assert {name: schemas[name] for name in hand} == hand, "written.py has other schemas; use --rewrite"
    count = 0
    for name, documents in outputs.items():
        jsonschema.Draft202012Validator.check_schema(schemas[name])
        validator = jsonschema.Draft202012Validator(schemas[name])
        for document in documents:
            error = jsonschema.exceptions.best_match(validator.iter_errors(document))
            assert error is None, f"{name}: {error.json_path}: {error.message}; rewrite the schemas with --rewrite"
            unknown = set(document) - known(schemas[name])
            assert not unknown, f"{name}: {unknown} is not in the schema; rewrite the schemas with --rewrite"
            count += 1
    document = json.loads(OPENAPI.read_text())
    assert components(json.loads(OPENAPI.read_text()), schemas) == document, "openapi.json has other schemas; use --rewrite"
    print(f"schemas: {count} objects of {len(outputs)} kinds are valid, and openapi.json has the same schemas")


def known(schema):
    return set().union(*(part.get("properties", {}) for part in schema.get("oneOf", [schema])))


if __name__ == "__main__":
    outputs = collect(str(pathlib.Path(sys.argv[1]).resolve()))
    rewrite(outputs) if "--rewrite" in sys.argv else validate(outputs)
