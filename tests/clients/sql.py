"""Holds the queries that `tabularium-analytics measure … --sql` prints to the program's own answers: DuckDB asks
the same Parquet files and must find the same numbers.

    sql.py PROGRAM FACTS
"""

import json
import math
import subprocess
import sys

import duckdb

TABLES = ["seats", "cards", "know_hows", "cities"]
MEASURES = ["nations", "openings", "seats", "cards", "know-hows", "conquests"]
# One filter and more of each kind.
FILTERS = [
    [],
    ["--reason", "any"],
    ["--reason", "any", "--board", "antike-east", "--nations", "4"],
    ["--reason", "any", "--ruleset", "each", "--min-games", "3"],
    ["--reason", "any", "--ruleset", "2", "--declared", "any", "--from-position", "any"],
    ["--reason", "round_limit", "--bots", "only", "--rated", "false"],
    ["--reason", "any", "--variant", "none", "--place", "1"],
    ["--reason", "any", "--variant", "special_units"],
    ["--reason", "any", "--since", "2000-01-01", "--until", "2100-01-01T12:00:00Z"],
    ["--reason", "any", "--since", "2100-01-01"],
    ["--reason", "any", "--as-of", "20"],
    ["--reason", "any", "--as-of", "2000-01-01", "--definition", "1"],
    ["--reason", "any", "--bot", "greedy", "--opponents", "bots"],
    ["--reason", "any", "--player", "O'Neill' OR TRUE --"],
    ["--reason", "any", "--path", "marble", "--seat", "0"],
]

program, facts = sys.argv[1:]


def ask(measure, filters, *more):
    """What the program prints."""
    command = [program, "measure", measure, "--facts", facts, *filters, *more]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def same(one, other):
    """Whether values are the same, numbers up to the order in which they were divided."""
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12)
    return one == other


database = duckdb.connect()
for table in TABLES:
    database.execute(
        f"CREATE VIEW {table} AS SELECT * FROM "
        f"read_parquet('{facts}/{table}/*/*/*.parquet', hive_partitioning = true)"
    )
compared = 0
for measure in MEASURES:
    for filters in FILTERS:
        expected = json.loads(ask(measure, filters, "--format", "json"))["rows"]
        answer = database.execute(ask(measure, filters, "--sql"))
        names = [column[0] for column in answer.description]
        found = [dict(zip(names, row)) for row in answer.fetchall()]
        assert len(found) == len(expected), (measure, filters, len(found), len(expected))
        for mine, theirs in zip(found, expected):
            for name, value in mine.items():
                assert same(value, theirs[name]), (measure, filters, name, mine, theirs)
                compared += 1
assert compared > 2000, compared
print(f"{compared} numbers and names are the same in DuckDB")
