"""Checks a published dataset as its readers use it.

    published_dataset.py validate DATASET      frictionless accepts the folder, and refuses it when it is forged
    published_dataset.py notebooks FOLDER      the notebooks find the win rates of the server at $TABULARIUM
"""

import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import pyarrow
import pyarrow.parquet
from frictionless import Package

TABLES_WITHOUT_KEY = {"trades"}


def rename_nation(rows):
    rows[0]["nation"] = "atlantis"


def rename_game(rows):
    rows[0]["game"] = "no-game"


def leave_out_reason(rows):
    rows[0]["reason"] = None


def repeat_row(rows):
    rows[1] = rows[0]


def remove_row(rows):
    rows.pop()


FORGERIES = [
    (rename_nation, "constraint-error"),
    (rename_game, "foreign-key"),
    (leave_out_reason, "constraint-error"),
    (repeat_row, "primary-key"),
    (remove_row, "row-count"),
]


def error_types(report):
    return {error.type for task in report.tasks for error in task.errors}


def check_descriptor(folder):
    """Checks what frictionless does not: keys, closed sets of values, counts of rows, and that nothing is null."""
    descriptor = json.loads((folder / "datapackage.json").read_text())
    rows = dict.fromkeys(descriptor["tables"], 0)
    for resource in descriptor["resources"]:
        assert None not in resource.values(), resource
        if resource.get("type") != "table":
            assert "schema" not in resource and "rows" not in resource, resource
            continue
        schema = json.loads((folder / resource["schema"]).read_text())
        table = pathlib.Path(resource["schema"]).stem
        assert "primaryKey" in schema or table in TABLES_WITHOUT_KEY, table
        assert "foreignKeys" in schema or table in {"index", "results"}, table
        if table in rows:
            rows[table] += resource["rows"]
    assert rows == descriptor["tables"], (rows, descriptor["tables"])
    enums = [
        (path.stem, field["name"])
        for path in (folder / "schemas").glob("*.json")
        for field in json.loads(path.read_text())["fields"]
        if "enum" in field["constraints"]
    ]
    for column in [("seats", "nation"), ("seats", "player_kind"), ("games", "reason"), ("cities", "act"), ("cards", "card")]:
        assert column in enums, (column, enums)
    return sum(rows.values()), len(enums)


def check_forgeries(folder):
    """Validates files with one wrong row, and a changed one that is not a table; returns how many."""

    def find(prefix):
        return next(file for file in Package(folder / "datapackage.json").resources if file.name.startswith(prefix))

    path = folder / find("seats.").path
    table = pyarrow.parquet.read_table(path, partitioning=None)
    for forge, expected in FORGERIES:
        rows = table.to_pylist()
        forge(rows)
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, table.schema), path)
        found = error_types(find("seats.").validate())
        assert expected in found, (forge.__name__, expected, found)
    path = folder / find("summaries.").path
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    found = error_types(find("summaries.").validate())
    assert found == {"hash-count"}, found
    return len(FORGERIES) + 1


def validate(folder):
    report = Package(folder / "datapackage.json").validate()
    assert report.valid, report.to_summary()
    rows, enums = check_descriptor(folder)
    with tempfile.TemporaryDirectory() as copy:
        copy = pathlib.Path(copy) / "forged"
        shutil.copytree(folder, copy)
        forgeries = check_forgeries(copy)
    print(
        f"frictionless finds no error in {len(report.tasks)} files with {rows} rows and {enums} columns of closed sets, "
        f"and all {forgeries} forgeries"
    )


def statistics(path):
    """Returns the rows of a measure of the server."""
    request = urllib.request.Request(os.environ["TABULARIUM"] + path, headers={"Accept": "text/csv"})
    with urllib.request.urlopen(request) as answer:
        return list(csv.DictReader(io.TextIOWrapper(answer, encoding="utf-8")))


def compare(path, expected, keys):
    """Compares the numbers of a notebook with rows of the server; returns how many rows are the same."""
    with path.open(newline="") as file:
        found = {tuple(row[key] for key in keys): row for row in csv.DictReader(file)}
    expected = {tuple(row[name] for name in keys.values()): row for row in expected}
    assert found.keys() == expected.keys(), (path.name, found.keys() ^ expected.keys())
    for key, row in expected.items():
        # The server takes the ends of its intervals from exact distributions.
        ends = dict.fromkeys(["low", "high"], 0.02) if row["insufficient"] == "false" else {}
        for column, tolerance in {**dict.fromkeys(["games", "nation_games", "wins", "rate"], 1e-9), **ends}.items():
            difference = float(found[key][column]) - float(row[column])
            assert abs(difference) <= tolerance, (path.name, key, column, found[key][column], row[column])
    return len(expected)


def check_numbers(here):
    """Compares what a notebook wrote in a folder with the server's own statistics."""
    for picture in ["win_rates.png", "openings.png", "mixes.png"]:
        assert (here / picture).stat().st_size > 5_000, picture
    games = "board=antike-east&nations=4"
    nations = statistics(f"/v1/stats/nations?{games}")
    assert any(row["insufficient"] == "false" for row in nations), nations
    tree = [row for row in statistics(f"/v1/stats/openings/tree?levels=3&{games}") if row["field"]]
    mixes = [row for row in statistics(f"/v1/stats/personages?at=3&{games}") if row["by"] == "mix"]
    return (
        compare(here / "win_rates.csv", nations, {"nation": "nation"})
        + compare(here / "openings.csv", tree, {"path": "path", "field": "field"})
        + compare(here / "mixes.csv", mixes, {"mix": "personages"})
    )


def notebooks(folder):
    programs = {"with_pandas.py": [sys.executable], "with_duckdb.py": [sys.executable]}
    needed = 'quit(status = !all(c("arrow", "jsonlite") %in% rownames(installed.packages())))'
    if shutil.which("Rscript") and subprocess.run(["Rscript", "-e", needed]).returncode == 0:
        programs["with_r.R"] = ["Rscript"]
    else:
        print("with_r.R is not run: R or one of its packages is missing")
    for name, program in programs.items():
        with tempfile.TemporaryDirectory() as here:
            subprocess.run([*program, str(folder / name)], cwd=here, check=True, stdout=subprocess.DEVNULL)
            print(f"{name}: {check_numbers(pathlib.Path(here))} rows have the server's win rates")


command, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
{"validate": validate, "notebooks": notebooks}[command](folder)
