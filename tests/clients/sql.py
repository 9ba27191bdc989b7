"""Compares the queries that `tabularium-analytics measure … --sql` prints with the program's own answers: DuckDB and
Spark ask the same Parquet files and must find the same numbers, intervals included; `query` and pandas must read every
table.

    sql.py PROGRAM FACTS DuckDB|Spark|pandas ...
"""

import csv
import decimal
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile

TABLES = ["games", "seats", "turns", "players", "awards", "cards", "know_hows", "cities", "trades", "ratings", "results"]
# Each measure of win rates with what must be given, and what of its answer is in SQL too.
MEASURES = {
    "nations": [],
    "openings": [],
    "openings-tree": ["--levels", "2"],
    "openings-neighbours": [],
    "nations-places": [],
    "nations-openings": [],
    "personages": [],
    "timing": [],
    "seats": [],
    "trends": [],
    "cards": [],
    "know-hows": [],
    "know-hows-rounds": [],
    "conquests": [],
    "trades": [],
    "head-to-head": ["--bot", "greedy"],
    "positions": ["--digest"],
}
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
    ["--reason", "any", "--as-of", "2000-01-01"],
    ["--reason", "any", "--bot", "greedy", "--opponents", "bots"],
    ["--reason", "any", "--player", "O'Neill' OR TRUE --"],
    ["--reason", "any", "--player", "\\' OR TRUE --"],
    ["--reason", "any", "--path", "marble", "--seat", "0"],
    ["--reason", "any", "--against", "greeks", "--opening", "growth"],
    ["--reason", "any", "--know-how", "market", "--by-round", "8"],
    ["--reason", "any", "--without-know-how", "market", "--time-control", "unlimited"],
    ["--reason", "any", "--min-rating", "26", "--max-rating", "60"],
    ["--reason", "any", "--min-table-rating", "5"],
]
# Those that are asked with every filter; the others with three.
OFTEN = ["nations", "cards"]
# The sums of a row of which its interval is made.
SUMS = ["games", "nation_games", "wins", "game_nn", "game_nw", "game_ww", "skill_variance", "effective_persons"]
# Only nations count over-the-board results.
OF_NATIONS = [
    ["--reason", "any", "--over-the-board", "any"],
    ["--reason", "any", "--over-the-board", "any", "--as-of", "20", "--variant", "none"],
]

# Terms of the standard, and Spark's own terms for them.
SPARK = {
    "DOUBLE PRECISION": "DOUBLE",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
    "array_to_string": "array_join",
    '"': "`",
}

program, facts, *engines = sys.argv[1:]


def ask(measure, filters, *more):
    """Runs a measure and returns what the program prints."""
    command = [program, "measure", measure, "--facts", facts, *filters, *more]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def documented_interval():
    """The function `interval` of the page on SQL."""
    page = pathlib.Path(__file__).parents[2] / "api/docs/sql.md"
    code = page.read_text().split("```python\nfrom scipy", 1)[1].split("```", 1)[0]
    names = {}
    exec("from scipy" + code, names)
    return names["interval"]


def count_rows(table):
    """How many rows a table has, as the program's `query` counts them."""
    command = [program, "query", "--facts", facts, "--format", "json", f"SELECT COUNT(*) AS counted FROM {table}"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)[0]["counted"]


def in_duckdb():
    """Returns a function that runs queries in DuckDB and returns rows with the names of columns."""
    import duckdb

    database = duckdb.connect()
    for table in TABLES:
        database.execute(
            f"CREATE VIEW {table} AS SELECT * FROM "
            f"read_parquet('{facts}/{table}/*/*/*.parquet', hive_partitioning = true)"
        )

    def answer(query):
        found = database.execute(query)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    return answer


def in_spark():
    """Returns a function that runs queries in Spark."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config(map={
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
    }).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for table in TABLES:
        session.read.parquet(f"{facts}/{table}").cache().createOrReplaceTempView(table)

    def answer(query):
        for standard, here in SPARK.items():
            query = query.replace(standard, here)
        return [row.asDict() for row in session.sql(query.strip().rstrip(";")).collect()]

    return answer


def read_in_pandas():
    """Reads every table and an answer in pandas, and compares the number of rows with the program's."""
    import pandas

    tables = [entry.name for entry in pathlib.Path(facts).iterdir() if any(entry.glob("edition=*"))]
    assert len(tables) >= 10, tables
    for table in sorted(tables):
        rows = pandas.read_parquet(f"{facts}/{table}")
        assert len(rows) == count_rows(table), table
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "measure", "nations", "--facts", facts, "--reason", "any", "--format", "parquet",
                        "--out", f"{folder}/nations.parquet"], check=True)
        rates = pandas.read_parquet(f"{folder}/nations.parquet")
    assert ((0 <= rates.low) & (rates.low <= rates.rate) & (rates.rate <= rates.high) & (rates.high <= 1)).all()
    print(f"{len(tables)} tables and {len(rates)} rates are read by pandas")


def same(one, other):
    """Whether values are the same: numbers but for rounding, missing values as CSV has them."""
    if isinstance(one, (int, float, decimal.Decimal)) and not isinstance(one, bool):
        return math.isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-9)
    return ("" if one is None else str(one)) == other


def compare(engine, answer, asked):
    """Compares what an engine finds with what the program does."""
    interval = documented_interval()
    compared = 0
    for measure, filters, expected, query in asked:
        found = answer(query)
        # Rows with nothing to compare are only in SQL.
        extra = len(found) - len(expected)
        assert extra == 0 or measure == "know-hows-rounds" and extra > 0, (engine, measure, filters, extra)
        if not expected:
            continue
        keys = list(expected[0])[: list(expected[0]).index("games")]
        keys = [key for key in keys if key in found[0]]
        by_key = {tuple(str(row[key]) for key in keys): row for row in found}
        for theirs in expected:
            mine = by_key[tuple(theirs[key] for key in keys)]
            low, high = interval({name: mine[name] for name in SUMS})
            for name, value in {**mine, "low": low, "high": high}.items():
                if name in theirs:
                    assert same(value, theirs[name]), (engine, measure, filters, name, mine, theirs)
                    compared += 1
    assert compared > 2000, compared
    print(f"{compared} numbers and names are the same in {engine}, ends of intervals among them")


def filters_of(measure):
    """The filters with which a measure is asked."""
    given = MEASURES[measure]
    if given == ["--digest"]:
        given = ["--digest", first_position()]
    names = set(given[::2])
    fitting = [filters for filters in FILTERS if not names & set(filters[::2])]
    if measure in OFTEN:
        return [filters + given for filters in fitting] + (OF_NATIONS if measure == "nations" else [])
    return [filters + given for filters in fitting[1:4]]


def first_position():
    """The digest of a position in which a game began."""
    command = [program, "query", "--facts", facts, "--format", "json",
               "SELECT digest FROM turns WHERE turn = 1 ORDER BY digest LIMIT 1"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)[0]["digest"]


ASKED = [
    (
        measure,
        filters,
        list(csv.DictReader(io.StringIO(ask(measure, filters, "--format", "csv")))),
        ask(measure, filters, "--sql"),
    )
    for measure in MEASURES
    for filters in filters_of(measure)
]
for engine in engines:
    if engine == "DuckDB":
        compare(engine, in_duckdb(), ASKED)
    elif engine == "Spark":
        # It takes half a second for each: every filter once, and every measure.
        some = [asked for asked in ASKED if asked[0] == "nations" or asked[1][:2] == ["--reason", "any"]][::3]
        compare(engine, in_spark(), some)
    elif engine == "pandas":
        read_in_pandas()
    else:
        sys.exit(f"there is no engine {engine}")
