"""Holds the queries that `tabularium-analytics measure … --sql` prints to the program's own answers: its `query`, DuckDB
and Spark ask the same Parquet files and must find the same numbers; pandas must read every table.

    sql.py PROGRAM FACTS query|DuckDB|Spark|pandas ...
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

TABLES = ["seats", "cards", "know_hows", "cities", "results"]
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
    ["--reason", "any", "--as-of", "2000-01-01"],
    ["--reason", "any", "--bot", "greedy", "--opponents", "bots"],
    ["--reason", "any", "--player", "O'Neill' OR TRUE --"],
    ["--reason", "any", "--player", "\\' OR TRUE --"],
    ["--reason", "any", "--path", "marble", "--seat", "0"],
]
# Only nations count results at real tables.
OF_NATIONS = [
    ["--reason", "any", "--result-only", "any"],
    ["--reason", "any", "--result-only", "any", "--as-of", "20", "--variant", "none"],
]

# What Spark calls otherwise than the standard and others.
SPARK = {
    "DOUBLE PRECISION": "DOUBLE",
    "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
    "array_to_string": "array_join",
}

program, facts, *engines = sys.argv[1:]


def ask(measure, filters, *more):
    """What the program prints."""
    command = [program, "measure", measure, "--facts", facts, *filters, *more]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def same(one, other):
    """Whether values are the same, numbers up to the order in which they were divided."""
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12)
    return one == other


def in_program(query):
    """What answers queries in the program itself."""
    command = [program, "query", "--facts", facts, "--format", "json", "-"]
    return json.loads(subprocess.run(command, input=query, check=True, capture_output=True, text=True).stdout)


def in_duckdb():
    """What answers queries in DuckDB, with the names of columns."""
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
    """The same in Spark."""
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
    """Reads every table and an answer in pandas; as many rows are there as the program counts."""
    import pandas

    tables = [entry.name for entry in pathlib.Path(facts).iterdir() if any(entry.glob("edition=*"))]
    assert len(tables) >= 10, tables
    for table in sorted(tables):
        rows = pandas.read_parquet(f"{facts}/{table}")
        counted = in_program(f"SELECT COUNT(*) AS counted FROM {table}")
        assert len(rows) == counted[0]["counted"], (table, len(rows), counted)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "measure", "nations", "--facts", facts, "--reason", "any", "--format", "parquet",
                        "--out", f"{folder}/nations.parquet"], check=True)
        rates = pandas.read_parquet(f"{folder}/nations.parquet")
    assert ((0 <= rates.low) & (rates.low <= rates.rate) & (rates.rate <= rates.high) & (rates.high <= 1)).all()
    print(f"{len(tables)} tables and {len(rates)} rates are read by pandas")


def compare(engine, answer, asked):
    """Holds what an engine finds to what the program does."""
    compared = 0
    for measure, filters, expected, query in asked:
        found = answer(query)
        assert len(found) == len(expected), (engine, measure, filters, len(found), len(expected))
        for mine, theirs in zip(found, expected):
            for name, value in mine.items():
                assert same(value, theirs[name]), (engine, measure, filters, name, mine, theirs)
                compared += 1
    assert compared > 2000, compared
    print(f"{compared} numbers and names are the same in {engine}")


def filters_of(measure):
    """The filters with which a measure is asked."""
    return FILTERS + (OF_NATIONS if measure == "nations" else [])


ASKED = [
    (
        measure,
        filters,
        json.loads(ask(measure, filters, "--format", "json"))["rows"],
        ask(measure, filters, "--sql"),
    )
    for measure in MEASURES
    for filters in filters_of(measure)
]
for engine in engines:
    if engine == "query":
        # Polars has no words for moments with a zone and for characters by number.
        unknown = ["TIMESTAMP WITH TIME ZONE", "CHR("]
        known = [asked for asked in ASKED if not any(word in asked[3] for word in unknown)]
        compare(engine, in_program, known)
    elif engine == "DuckDB":
        compare(engine, in_duckdb(), ASKED)
    elif engine == "Spark":
        # It takes half a second for each: every filter once, and every measure.
        some = [asked for asked in ASKED if asked[0] == "nations" or asked[1] in FILTERS[2:4]]
        compare(engine, in_spark(), some)
    elif engine == "pandas":
        read_in_pandas()
    else:
        sys.exit(f"there is no engine {engine}")
