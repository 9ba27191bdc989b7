"""Runs the commands that pages show and compares what they print with what the pages show.

    readme.py PAGE ...

Runs each block of `sh`, and in a block of `console` each command behind `$ `. The commands of a page share one shell
and one new folder, so variables last. A block of `sh not-run` is not run. The output of a `console` command is below
it, that of an `sh` block in a block of `text` that follows. There, `…` stands for any text; where it occurs, spaces
and line breaks do not count, nor do the characters of ids and tokens. Commands that name port 8080 of this machine go
to the server at $TABULARIUM. A command may fail only if the page shows a problem with a `code` below it.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
CHANGING = [(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"), (r"tabularium_\w+", "tabularium_")]


def is_whole(command):
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def console(block):
    """Yields each command of the block with the output shown below it."""
    for text in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = text.splitlines()
        end = next(end for end in range(1, len(lines) + 1) if is_whole("\n".join(lines[:end])))
        yield "\n".join(lines[:end]), "\n".join(lines[end:])


def sessions(page):
    """Yields each command of the page with its output as shown, in order."""
    for kind, block, output in BLOCK.findall(page):
        if kind == "sh":
            yield block, output
        else:
            yield from console(block)


def is_as_shown(printed, shown):
    if "…" not in shown:
        return printed.strip() == shown.strip()
    for changing, fixed in CHANGING:
        printed, shown = (re.sub(changing, fixed, text) for text in (printed, shown))
    pieces = ["".join(piece.split()) for piece in shown.split("…")]
    return re.fullmatch(".*".join(map(re.escape, pieces)), "".join(printed.split()), re.DOTALL) is not None


def run(page, host, folder):
    """Runs a page's commands; returns how many there are and how many outputs were compared."""
    commands = list(sessions(Path(page).read_text(encoding="utf-8")))
    outputs = folder / "outputs"
    outputs.mkdir()
    # With this, curl fails when a server refuses, but prints the answer.
    (folder / ".curlrc").write_text("fail-with-body\nsilent\nshow-error\n")
    script = ["set -o pipefail"]
    for number, (command, _) in enumerate(commands):
        command = re.sub(r"(localhost|127\.0\.0\.1):8080", host, command)
        script.append(f"{{\n{command}\n}} >{outputs}/{number}; echo $? >{outputs}/{number}.status")
    subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, env=os.environ | {"CURL_HOME": str(folder)}, check=True)
    compared = 0
    for number, (command, shown) in enumerate(commands):
        printed = (outputs / str(number)).read_text(encoding="utf-8")
        status = (outputs / f"{number}.status").read_text(encoding="utf-8").strip()
        assert status == "0" or '"code":' in shown, f"{page}: $ {command}\nended with {status}:\n{printed}"
        if shown.strip():
            assert is_as_shown(printed, shown), f"{page}: $ {command}\n{printed}\nis not as shown:\n{shown}"
            compared += 1
    return len(commands), compared


def main(pages):
    host = os.environ["TABULARIUM"].removeprefix("http://")
    total = 0
    for page in pages:
        with tempfile.TemporaryDirectory() as folder:
            commands, compared = run(page, host, Path(folder))
        if commands:
            print(f"{page}: {commands} commands run, {compared} outputs are as shown")
        total += compared
    assert total >= 10, f"only {total} outputs compared: are the blocks still marked?"


main(sys.argv[1:])
