#!/usr/bin/env python3
"""Checks that TOML model files fit docs/reference/model-file.schema.json, those of equations equations-file.schema.json.

Knows the words of JSON Schema that our schema uses, and refuses a schema with others rather than passing over them. Findings are
printed as file: path: message; the exit code is 1 when there are any.

usage: check_schema.py [FILE...]   (all of models/ when left out)
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "docs/reference/model-file.schema.json"
EQUATIONS_SCHEMA = ROOT / "docs/reference/equations-file.schema.json"
NOTES = {"$schema", "$defs", "title", "description"}
CHECKS = {"$ref", "type", "const", "enum", "anyOf", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "minimum"}


def has_type(value: Any, name: str) -> bool:
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, {"object": dict, "array": list, "string": str, "boolean": bool}[name])


class Validator:
    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self.check_words(schema, "#")

    def check_words(self, schema: dict[str, Any], where: str) -> None:
        unknown = set(schema) - NOTES - CHECKS
        if unknown:
            raise ValueError(f"{where}: words that this checker does not know: {sorted(unknown)}")
        for group in ("$defs", "properties"):
            for name, part in schema.get(group, {}).items():
                self.check_words(part, f"{where}/{group}/{name}")
        for part in schema.get("anyOf", []):
            self.check_words(part, f"{where}/anyOf")
        for word in ("items", "additionalProperties"):
            if isinstance(schema.get(word), dict):
                self.check_words(schema[word], f"{where}/{word}")
        if "$ref" in schema:
            self.resolve(schema["$ref"])

    def resolve(self, reference: str) -> dict[str, Any]:
        node: Any = self.schema
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]
        return node

    def findings(self, value: Any, schema: dict[str, Any] | None = None, path: str = "") -> list[str]:
        schema = self.schema if schema is None else schema
        where = path or "the file"
        found: list[str] = []
        if "$ref" in schema:
            found += self.findings(value, self.resolve(schema["$ref"]), path)
        if "type" in schema:
            types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            if not any(has_type(value, name) for name in types):
                return [*found, f"{where}: not of type {' or '.join(types)}"]
        if "const" in schema and value != schema["const"]:
            found.append(f"{where}: must be {schema['const']!r}")
        if "enum" in schema and value not in schema["enum"]:
            found.append(f"{where}: must be one of {schema['enum']}")
        if "minimum" in schema and value < schema["minimum"]:
            found.append(f"{where}: must be at least {schema['minimum']}")
        if "anyOf" in schema:
            choices = [self.findings(value, choice, path) for choice in schema["anyOf"]]
            if all(choices):
                found.append(f"{where}: fits none of the forms; the nearest: {min(choices, key=len)[0]}")
        if isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
                found.append(f"{where}: has {len(value)} elements")
            for i, item in enumerate(value):
                if "items" in schema:
                    found += self.findings(item, schema["items"], f"{path}[{i}]")
        if isinstance(value, dict):
            found += self.table_findings(value, schema, path)
        return found

    def table_findings(self, table: dict[str, Any], schema: dict[str, Any], path: str) -> list[str]:
        where = path or "the file"
        found = [f"{where}: {key} is missing" for key in schema.get("required", []) if key not in table]
        properties = schema.get("properties", {})
        rest = schema.get("additionalProperties", True)
        for key, value in table.items():
            below = f"{path}.{key}" if path else key
            if key in properties:
                found += self.findings(value, properties[key], below)
            elif rest is False:
                found.append(f"{where}: unknown key {key}")
            elif isinstance(rest, dict):
                found += self.findings(value, rest, below)
        return found


def main(arguments: list[str]) -> int:
    files = [Path(name) for name in arguments] or sorted((ROOT / "models").glob("**/*.toml"))
    mechanisms, equations = (Validator(json.loads(path.read_text(encoding="utf-8"))) for path in (SCHEMA, EQUATIONS_SCHEMA))
    bad = 0
    for file in files:
        model = tomllib.loads(file.read_text(encoding="utf-8"))
        validator = equations if model.get("space") == "equations" else mechanisms
        for finding in validator.findings(model):
            print(f"{file}: {finding}")
            bad += 1
    print(f"note: {len(files)} files")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
