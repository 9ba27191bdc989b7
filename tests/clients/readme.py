"""Does what the sessions in a page say, one after the other in this folder, and holds what is printed to what the page
shows: each block of `console`, in which commands stand behind `$ ` and what they print, if it is shown, below.

    readme.py PAGE
"""

import re
import subprocess
import sys

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# A command goes on behind a backslash.
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n?", re.MULTILINE)


def sessions(page):
    """Each command with what is shown below it."""
    for block in BLOCK.findall(page):
        _, *pieces = COMMAND.split(block)
        yield from zip(pieces[::2], pieces[1::2])


def main(page):
    with open(page, encoding="utf-8") as file:
        asked = list(sessions(file.read()))
    compared = 0
    for command, shown in asked:
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"$ {command}\n{done.stderr}"
        if shown.strip():
            assert done.stdout.strip() == shown.strip(), f"$ {command}\n{done.stdout}\nis not as shown:\n{shown}"
            compared += 1
    assert compared >= 2, compared
    print(f"{len(asked)} commands do as {page} says, {compared} print what it shows")


main(sys.argv[1])
