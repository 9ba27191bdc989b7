"""Checks the Compose files: variables, form and the names that they refer to.

    python compose.py FILE ...
"""

import re
import sys

from compose_spec.compose_spec import PyOptions

VALUES = {"POSTGRES_PASSWORD": "secret", "TABULARIUM_DOMAIN": "games.example.org"}


def interpolate(text):
    """Replaces `${NAME:-default}` and `${NAME:?message}` as Compose does."""

    def value(match):
        name, sign, rest = match.groups()
        if sign == ":-":
            return VALUES.get(name, rest)
        return VALUES[name]

    code = "\n".join(line.split(" #")[0] for line in text.splitlines() if not line.lstrip().startswith("#"))
    return re.sub(r"\$\{(\w+)(?:(:[-?])([^}]*))?\}", value, code)


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        options = PyOptions(apply_merge=True)
        compose = options.from_yaml(interpolate(file.read()))
    specification = compose.to_dict()
    for name, service in specification["services"].items():
        volumes = [volume.split(":")[0] for volume in service.get("volumes", [])]
        named = {
            "services": list(service.get("depends_on", [])),
            "networks": list(service.get("networks", [])),
            "volumes": [volume for volume in volumes if not volume.startswith((".", "/"))],
        }
        for kind, names in named.items():
            for other in names:
                assert other in specification[kind], f"{path}: {name} names {other}, which is not in {kind}"
    print(f"{path}: {', '.join(specification['services'])}")
