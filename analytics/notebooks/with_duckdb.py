# %% [markdown]
# # A dataset in DuckDB
#
# Downloads the newest dataset of a server and draws win rates with intervals, a tree of openings, and the mixes of
# personages that win. Needs `duckdb`, `pandas` and `matplotlib`. Open it as a notebook (Jupyter with Jupytext, VS Code,
# PyCharm), or run it: `TABULARIUM=https://example.org python with_duckdb.py`. It writes three pictures and their numbers.

# %%
import hashlib
import json
import os
import pathlib
import urllib.request

import duckdb
import matplotlib.pyplot as plt

SERVER = os.environ.get("TABULARIUM", "http://localhost:8080")


def get(path):
    with urllib.request.urlopen(SERVER + path) as answer:
        return answer.read()


# %% [markdown]
# ## From the list of datasets to tables
#
# The files of a table have the same schema. Their folders are the columns `edition` and `month`.

# %%
datasets = json.loads(get("/v1/datasets"))["items"]
assert datasets, f"{SERVER} has no published dataset yet"
dataset = datasets[0]
package = json.loads(get(dataset["path"] + "/datapackage.json"))
print(f"{dataset['title']}: {dataset['games']} games, version {dataset['version']}, {dataset['licenses'][0]['name']}")
folder = pathlib.Path(dataset["name"])
database = duckdb.connect()
for table in ["seats", "awards"]:
    for file in package["resources"]:
        path = folder / file["path"]
        if file.get("schema") == f"schemas/{table}.json" and not path.exists():
            content = get(f"{dataset['path']}/{file['path']}")
            assert file["hash"] == "sha256:" + hashlib.sha256(content).hexdigest(), f"{path} is damaged"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    database.execute(
        f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{folder}/{table}/*/*/*.parquet', hive_partitioning = true)"
    )

# %% [markdown]
# ## Games that can be compared
#
# Games that the rules ended with a winner, of the format with most games. Games of different formats are never summed.

# %%
database.execute("""
    CREATE VIEW finished AS
    SELECT *, (board, variants, nations, players, play, bots) AS format
    FROM seats
    WHERE reason IN ('goal', 'temple_destroyed') AND NOT from_position AND NOT declared
""")
database.execute("""
    CREATE TABLE chosen AS
    SELECT * FROM finished
    WHERE format = (SELECT format FROM finished GROUP BY format ORDER BY COUNT(DISTINCT game) DESC, format LIMIT 1)
""")
games, expected, board, count, players = database.execute("""
    SELECT COUNT(DISTINCT game), AVG(expected), ANY_VALUE(board), ANY_VALUE(nations),
        ANY_VALUE(CASE WHEN play = 'bots' THEN array_to_string(bots, ',') ELSE play END)
    FROM chosen
""").fetchone()
title = f"{board}, {count} nations, played by {players}"
print(f"{title}: {games} games")

# %% [markdown]
# ## Win rates with intervals
#
# The nations of a game are not independent: one wins what the others do not. So the variance is counted by game, and the
# interval is Wilson's, for as many independent games as would vary so much. The server adds what differs between
# players, and takes the quantiles of exact distributions: with few games, or games of people, its intervals are wider.


# %%
def win_rates(rows, by):
    return database.execute(f"""
        WITH of_games AS (
            SELECT {by}, game, COUNT(*) AS n, SUM(share) AS w FROM {rows} GROUP BY ALL
        ), sums AS (
            SELECT {by}, COUNT(*) AS games, SUM(n)::BIGINT AS nation_games, SUM(w) AS wins, wins / nation_games AS rate,
                rate * (1 - rate) AS one, SUM(w * w) - 2 * rate * SUM(n * w) + rate * rate * SUM(n * n) AS varies
            FROM of_games GROUP BY {by}
        ), effects AS (
            -- One game that varies like a coin counts beside the others, so no interval has a width of 0.
            SELECT *, CASE WHEN one > 0 THEN (varies + one) / ((nation_games + 1) * one) ELSE 1 END AS effect,
                1.96 * 1.96 * effect / nation_games AS z2
            FROM sums
        )
        SELECT {by}, games, nation_games, wins, rate,
            (rate + z2 / 2 - sqrt(z2 * (one + z2 / 4))) / (1 + z2) AS low,
            (rate + z2 / 2 + sqrt(z2 * (one + z2 / 4))) / (1 + z2) AS high
        FROM effects ORDER BY {by}
    """).df()


def draw_rates(axes, labels, rates, expected):
    axes.axvline(expected, color="grey", linestyle="dashed")
    axes.errorbar(rates.rate, labels, xerr=[rates.rate - rates.low, rates.high - rates.rate], fmt="o", capsize=3)
    axes.invert_yaxis()
    axes.set_xlabel("wins a nation in a game, 95% interval")


nations = win_rates("chosen", "nation")
nations.to_csv("win_rates.csv", index=False)
print(nations.to_string(index=False))
figure, axes = plt.subplots(layout="constrained")
draw_rates(axes, nations.nation, nations, expected)
axes.set_title(title)
figure.savefig("win_rates.png")

# %% [markdown]
# ## The tree of openings
#
# A node contains the nations that began with the same rondel spaces. In the picture a box is as high as many nations
# went that way, and its colour is their win rate.

# %%
database.execute("""
    CREATE VIEW stops AS
    SELECT game, share, unnest([
        {'path': '', 'field': stop_1},
        {'path': stop_1, 'field': stop_2},
        {'path': stop_1 || ',' || stop_2, 'field': stop_3}
    ], recursive := true)
    FROM chosen
""")
tree = win_rates("(SELECT * FROM stops WHERE field IS NOT NULL)", "path, field")
tree.to_csv("openings.csv", index=False)
colours = plt.get_cmap("viridis")
scale = plt.Normalize(0, 2 * expected)
figure, axes = plt.subplots(figsize=(9, 7), layout="constrained")


def draw_branches(path, level, bottom):
    branches = tree[tree.path == ",".join(path)].sort_values("nation_games", ascending=False)
    for branch in branches.itertuples():
        axes.barh(bottom, 0.96, branch.nation_games, level, align="edge", color=colours(scale(branch.rate)), edgecolor="w")
        if branch.nation_games > games * count / 50:
            label = f"{branch.field} {branch.rate:.2f} ({branch.nation_games})"
            print("    " * level + label)
            axes.text(level + 0.03, bottom + branch.nation_games / 2, label, va="center", fontsize=8, color="w")
        draw_branches(path + [branch.field], level + 1, bottom)
        bottom += branch.nation_games


draw_branches([], 0, 0)
axes.set_xticks([0.5, 1.5, 2.5], ["first stop", "second stop", "third stop"])
axes.set_ylabel("nations in games")
axes.set_title(f"Openings: {title}")
figure.colorbar(plt.cm.ScalarMappable(scale, colours), ax=axes, label="win rate")
figure.savefig("openings.png")

# %% [markdown]
# ## Mixes of personages
#
# Win rates of nations by the mix of their first personages. The rate of
# all of them is the one to compare with.

# %%
FIRST = 3
database.execute(f"CREATE VIEW won AS SELECT awards.* FROM awards SEMI JOIN chosen USING (game) WHERE nth = {FIRST}")
mixes = win_rates("won", "mix").sort_values("nation_games", ascending=False)
mixes.to_csv("mixes.csv", index=False)
print(mixes.to_string(index=False))
shown = mixes.head(12)
figure, axes = plt.subplots(layout="constrained")
draw_rates(axes, shown.mix, shown, mixes.wins.sum() / mixes.nation_games.sum())
axes.set_title(f"The first {FIRST} personages")
figure.suptitle(title)
figure.savefig("mixes.png")
