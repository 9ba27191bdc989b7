#!/usr/bin/env python3
"""Prints the tables of STATE.md from facts of the corpus.

    state.py FACTS FIRST_HALF SECOND_HALF OPENINGS...

FACTS has the games of all bots, the halves have the games of half of the seeds each. OPENINGS are tables of
`tabularium-bots openings`. TABULARIUM_ANALYTICS is the program, tabularium-analytics by default.
"""

import csv
import io
import os
import subprocess
import sys

PROGRAM = os.environ.get("TABULARIUM_ANALYTICS", "tabularium-analytics")
STRONG, WEAK = "search:100", "greedy"
# The measures, and the columns that name a row in its table.
MEASURES = {
    "nations": ["nation"],
    "seats": ["place"],
    "openings": ["strategy"],
    "nations-openings": ["nation", "strategy"],
    "personages": ["by", "personages"],
    "timing": ["by", "personages", "by_round"],
    "know-hows": ["know_how"],
    "know-hows-rounds": ["know_how", "by_round"],
}
# Rows with fewer nations in games say too little.
LEAST = 30


def rows(facts, measure, bots):
    """Returns the rows of a measure by board, number of nations and key."""
    command = [PROGRAM, "measure", measure, "--facts", facts, "--bots", "only", "--format", "csv"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        bot = row.get("bot") or "all"
        if row["bots"] == bots and bot in ("all", bots):
            key = (row["board"], int(row["nations"]), *(row[name] for name in MEASURES[measure]))
            found[key] = row
    return found


def number(row, column):
    return float(row[column]) if row[column] else float("nan")


def rate(row):
    if row is None:
        return ""
    return "{:.2f} [{:.2f}, {:.2f}]".format(*(number(row, name) for name in ("rate", "low", "high")))


def is_usable(row):
    return int(row["nation_games"]) >= LEAST and number(row, "expected") > 0


def correlation(first, second):
    """Returns the correlation of the lifts of rows that both have, and their number."""
    keys = [key for key in first if key in second and is_usable(first[key]) and is_usable(second[key])]
    pairs = [(number(first[key], "lift"), number(second[key], "lift")) for key in keys]
    if len(pairs) < 3:
        return None, len(pairs)
    means = [sum(pair[side] for pair in pairs) / len(pairs) for side in (0, 1)]
    products = sum((a - means[0]) * (b - means[1]) for a, b in pairs)
    squares = [sum((pair[side] - means[side]) ** 2 for pair in pairs) for side in (0, 1)]
    if min(squares) == 0:
        return None, len(pairs)
    return products / (squares[0] * squares[1]) ** 0.5, len(pairs)


def compare_strengths(strong, weak, halves):
    print("## What agrees between strengths\n")
    print("| measure | `search:100` and `greedy` | rows | halves of `search:100` | rows |")
    print("|---|---|---|---|---|")
    for measure in MEASURES:
        columns = [correlation(strong[measure], weak[measure]), correlation(*halves[measure])]
        # Adding 0 turns -0.00 into 0.00.
        cells = " | ".join(f"{'' if r is None else format(round(r, 2) + 0, '.2f')} | {n}" for r, n in columns)
        print(f"| `{measure}` | {cells} |")


def compare_rates(title, name, strong, weak):
    print(f"\n## {title}\n")
    print(f"| board and nations | {name} | `search:100` | q | `greedy` | q |")
    print("|---|---|---|---|---|---|")
    for key in sorted(strong):
        board, nations, row_name = key
        cells = []
        for row in (strong[key], weak.get(key)):
            cells += [rate(row), "" if row is None else f"{number(row, 'q'):.2f}"]
        print(f"| {board} {nations} | {row_name} | {' | '.join(cells)} |")


def list_significant(measure, strong, weak):
    """Prints the rows that differ from the expected rate in games of the strong bot, the largest differences first."""
    columns = MEASURES[measure]
    found = [
        (key, row) for key, row in strong.items()
        if is_usable(row) and row["insufficient"] == "false" and number(row, "q") < 0.05
    ]
    found.sort(key=lambda one: -abs(number(one[1], "rate") - number(one[1], "expected")))
    usable = sum(is_usable(row) for row in strong.values())
    print(f"\n### `{measure}`: {len(found)} of {usable} rows\n")
    if not found:
        return
    print(f"| board and nations | {' | '.join(columns)} | n | expected | `search:100` | `greedy` |")
    print("|---" * (len(columns) + 5) + "|")
    for key, row in found[:12]:
        board, nations, *names = key
        print(
            f"| {board} {nations} | {' | '.join(names)} | {row['nation_games']} | {number(row, 'expected'):.2f}"
            f" | {rate(row)} | {rate(weak.get(key))} |"
        )


def forced_openings(files):
    """Prints how much better each nation does with each first field than with its other ones."""
    print("\n## Forced openings\n")
    print("| board and nations | bot | nation | games each | marble | iron | gold |")
    print("|---|---|---|---|---|---|---|")
    for file in files:
        with open(file, encoding="utf-8") as lines:
            board, bot = next(lines).split(", ")[:2]
            next(lines)
            nations = {}
            for line in lines:
                name, field, games, _, _, _, _, gain, low, _, high = line.split()
                mark = " \\*" if float(low) > 0 or float(high) < 0 else ""
                nations.setdefault(name, {"games": games})[field] = f"{float(gain):+.2f}{mark}"
        for name, cells in nations.items():
            print(
                f"| {board} {len(nations)} | `{bot}` | {name} | {cells['games']}"
                f" | {cells['marble']} | {cells['iron']} | {cells['gold']} |"
            )


def main():
    facts, first, second, *openings = sys.argv[1:]
    halves = [first, second]
    strong = {measure: rows(facts, measure, STRONG) for measure in MEASURES}
    weak = {measure: rows(facts, measure, WEAK) for measure in MEASURES}
    split = {measure: [rows(half, measure, STRONG) for half in halves] for measure in MEASURES}
    compare_strengths(strong, weak, split)
    compare_rates("Nations", "nation", strong["nations"], weak["nations"])
    compare_rates("Places in the seat order", "place", strong["seats"], weak["seats"])
    forced_openings(openings)
    print("\n## Openings, personages and know-hows")
    for measure in list(MEASURES)[2:]:
        list_significant(measure, strong[measure], weak[measure])


main()
