"""Stages the last stage of the Dockerfile as a root file system, and prints how to start it.

    python image.py DOCKERFILE PROGRAM ROOT

There is no container engine here, so this reads the instructions that matter. What `COPY --from=build` takes from
another stage is PROGRAM, or an empty folder. ROOT has the base image: its files come from the Debian packages that the
image is made of. Prints the image's user, environment, folder, volume, command and health check as shell variables.
"""

import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

dockerfile, program, root = (Path(argument).resolve() for argument in sys.argv[1:])
repository = dockerfile.parents[2]
text = re.sub(r"\\\n\s*", " ", dockerfile.read_text(encoding="utf-8"))
instructions = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
last = max(index for index, (name, _) in enumerate(instructions) if name == "FROM")
image = {"ENV": {}}
for name, rest in instructions[last + 1 :]:
    match name:
        case "COPY":
            words = rest.split()
            options = dict(word.removeprefix("--").split("=", 1) for word in words if word.startswith("--"))
            *sources, target = [word for word in words if not word.startswith("--")]
            place = root / target.lstrip("/")
            for source in sources:
                to = place / Path(source).name if target.endswith("/") else place
                to.parent.mkdir(parents=True, exist_ok=True)
                if "from" not in options:
                    shutil.copy(repository / source, to)
                elif Path(source).name == "tabularium":
                    shutil.copy(program, to)
                else:
                    assert source == "/data", f"{source} is neither the program nor an empty folder"
                    to.mkdir()
                if "chown" in options:
                    os.chown(to, *map(int, options["chown"].split(":")))
        case "ENV":
            image["ENV"] |= dict(word.split("=", 1) for word in shlex.split(rest))
        case "HEALTHCHECK":
            image["HEALTHCHECK"] = json.loads(rest.split("CMD", 1)[1])
        case "ENTRYPOINT" | "CMD":
            image[name] = json.loads(rest)
        case "USER" | "WORKDIR" | "VOLUME" | "STOPSIGNAL":
            image[name] = rest
        case "LABEL" | "EXPOSE":
            pass
        case _:
            sys.exit(f"{name} is an instruction that this test does not know")

user = image["USER"].split(":")[0]
assert user != "0", "the image runs as root"
(root / image["ENV"]["SSL_CERT_FILE"].lstrip("/")).stat()
print(f"user={user}")
print("environment=(" + " ".join(shlex.quote(f"{key}={value}") for key, value in image["ENV"].items()) + ")")
print(f"volume={image['VOLUME']} workdir={image['WORKDIR']} signal={image['STOPSIGNAL']}")
print("command=(" + shlex.join(image["ENTRYPOINT"] + image["CMD"]) + ")")
print("health=(" + shlex.join(image["HEALTHCHECK"]) + ")")
