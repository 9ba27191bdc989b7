# %% [markdown]
# # A dataset in pandas
#
# Reads the newest dataset of a server and draws win rates with intervals, a tree of openings, and what a mix of
# personages is worth. Needs `pandas`, `pyarrow` and `matplotlib`. Open it as a notebook (Jupyter with Jupytext, VS Code,
# PyCharm), or run it: `TABULARIUM=https://example.org python with_pandas.py`. It writes three pictures and their numbers.

# %%
import json
import os
import urllib.request

import matplotlib.pyplot as plt
import numpy
import pandas

SERVER = os.environ.get("TABULARIUM", "http://localhost:8080")


def get(path):
    with urllib.request.urlopen(SERVER + path) as answer:
        return json.load(answer)


# %% [markdown]
# ## From the list of datasets to a table
#
# `datapackage.json` describes each file. A table has a file for each edition and month; all files of a table have the
# same schema, which says what each column means.

# %%
datasets = get("/v1/datasets")["items"]
assert datasets, f"{SERVER} has no published dataset yet"
dataset = datasets[0]
package = get(dataset["path"] + "/datapackage.json")
print(f"{dataset['title']}: {dataset['games']} games, version {dataset['version']}, {dataset['licenses'][0]['name']}")


def read_table(name):
    files = [file for file in package["resources"] if file.get("schema") == f"schemas/{name}.json"]
    return pandas.concat(
        [pandas.read_parquet(f"{SERVER}{dataset['path']}/{file['path']}") for file in files], ignore_index=True
    )


seats = read_table("seats")
awards = read_table("awards")

# %% [markdown]
# ## Games that can be compared
#
# Games that the rules ended with a winner, of the format with most games. Games of different formats are never summed.

# %%
FORMAT = ["board", "variants", "nations", "players", "play", "bots"]
for column in ["variants", "bots"]:
    seats[column] = seats[column].str.join(",")
seats = seats[seats.reason.isin(["goal", "temple_destroyed"]) & ~seats.from_position & ~seats.declared]
most = seats.groupby(FORMAT).game.nunique().idxmax()
seats = seats[(seats[FORMAT] == list(most)).all(axis=1)]
title = f"{most[0]}, {most[2]} nations, played by {most[5] or most[4]}"
print(f"{title}: {seats.game.nunique()} games")

# %% [markdown]
# ## Win rates with intervals
#
# The nations of a game are not independent: one wins what the others do not. So the variance is counted by game, and the
# interval is Wilson's, for as many independent games as would vary so much. The server adds what differs between
# players, and takes the quantiles of exact distributions: with few games, or games of people, its intervals are wider.


# %%
def win_rates(rows, by):
    games = rows.groupby(by + ["game"]).share.agg(nations="size", wins="sum")
    rates = games.groupby(by).agg(games=("wins", "size"), nation_games=("nations", "sum"), wins=("wins", "sum"))
    rates["rate"] = rates.wins / rates.nation_games
    beyond = games.wins - games.nations * games.join(rates.rate).rate
    varies = (beyond**2).groupby(by).sum()
    one = rates.rate * (1 - rates.rate)
    # One game that varies like a coin counts beside the others, so no interval has a width of 0.
    effect = ((varies + one) / ((rates.nation_games + 1) * one)).where(one > 0, 1.0)
    z2 = 1.96**2 * effect / rates.nation_games
    middle = (rates.rate + z2 / 2) / (1 + z2)
    half = numpy.sqrt(z2 * (one + z2 / 4)) / (1 + z2)
    return rates.assign(low=middle - half, high=middle + half).reset_index()


def draw_rates(axes, labels, rates, expected):
    axes.axvline(expected, color="grey", linestyle="dashed")
    axes.errorbar(rates.rate, labels, xerr=[rates.rate - rates.low, rates.high - rates.rate], fmt="o", capsize=3)
    axes.invert_yaxis()
    axes.set_xlabel("wins a nation in a game, 95% interval")


nations = win_rates(seats, ["nation"])
nations.to_csv("win_rates.csv", index=False)
print(nations.to_string(index=False))
figure, axes = plt.subplots(layout="constrained")
draw_rates(axes, nations.nation, nations, seats.expected.mean())
axes.set_title(title)
figure.savefig("win_rates.png")

# %% [markdown]
# ## The tree of openings
#
# A node contains the nations that began with the same rondel spaces. In the picture a box is as high as many nations
# went that way, and its colour is their win rate.

# %%
STOPS = ["stop_1", "stop_2", "stop_3"]


def tree_level(level):
    found = win_rates(seats.dropna(subset=STOPS[:level]), STOPS[:level])
    ways = found[STOPS[:level]].itertuples(index=False)
    return found.assign(path=[",".join(way[:-1]) for way in ways], field=found[STOPS[level - 1]])


levels = [tree_level(level) for level in range(1, len(STOPS) + 1)]
pandas.concat(levels).drop(columns=STOPS).to_csv("openings.csv", index=False)
colours = plt.get_cmap("viridis")
scale = plt.Normalize(0, 2 * seats.expected.mean())
figure, axes = plt.subplots(figsize=(9, 7), layout="constrained")


def draw_branches(path, level, bottom):
    branches = levels[level]
    branches = branches[branches.path == ",".join(path)].sort_values("nation_games", ascending=False)
    for branch in branches.itertuples():
        axes.barh(bottom, 0.96, branch.nation_games, level, align="edge", color=colours(scale(branch.rate)), edgecolor="w")
        if branch.nation_games > len(seats) / 50:
            label = f"{branch.field} {branch.rate:.2f} ({branch.nation_games})"
            print("    " * level + label)
            axes.text(level + 0.03, bottom + branch.nation_games / 2, label, va="center", fontsize=8, color="w")
        if level + 1 < len(STOPS):
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
won = awards[(awards.nth == FIRST) & awards.game.isin(seats.game)]
mixes = win_rates(won, ["mix"]).sort_values("nation_games", ascending=False)
mixes.to_csv("mixes.csv", index=False)
print(mixes.to_string(index=False))

# %% [markdown]
# The model compares the nations of a game with each other (a conditional logit): the chance of each grows with the worth
# of its mix, which is the sum of the worths of its personages. The worth of a king is 0. A normal distribution with
# variance 1 as the prior keeps the effects finite where there are few games. It says what goes together with winning, not
# what to choose.

# %%
KINDS = ["scholar", "general", "citizen", "navigator"]
game = won.game.factorize()[0]
counts = won[KINDS].to_numpy(float)
share = won.share.to_numpy()
worth = numpy.zeros(len(KINDS))


def of_game(values):
    sums = numpy.zeros((game.max() + 1, *values.shape[1:]))
    numpy.add.at(sums, game, values)
    return sums[game]


for _ in range(25):
    chance = numpy.exp(counts @ worth)
    expected = of_game(share) * chance / of_game(chance)
    centred = counts - of_game(counts * chance[:, None]) / of_game(chance)[:, None]
    information = centred.T @ (centred * expected[:, None]) + numpy.eye(len(KINDS))
    worth = worth + numpy.linalg.solve(information, counts.T @ (share - expected) - worth)
error = numpy.sqrt(numpy.diag(numpy.linalg.inv(information)))
ends = {"odds": worth, "low": worth - 1.96 * error, "high": worth + 1.96 * error}
model = pandas.DataFrame({"personage": KINDS, **{name: numpy.exp(end) for name, end in ends.items()}})
model.to_csv("mix_model.csv", index=False)
print("\nOdds of winning with one more of a kind in the place of a king")
print(model.to_string(index=False))

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
shown = mixes.head(12)
draw_rates(left, shown.mix, shown, won.share.mean())
left.set_title(f"The first {FIRST} personages")
right.axvline(1, color="grey", linestyle="dashed")
right.errorbar(model.odds, model.personage, xerr=[model.odds - model.low, model.high - model.odds], fmt="o", capsize=3)
right.set_xscale("log")
right.set_xticks([0.25, 0.5, 1, 2, 4], ["1/4", "1/2", "1", "2", "4"])
right.minorticks_off()
right.set_xlabel("odds of winning beside one more king, 95% interval")
right.set_title("What one personage is worth (conditional logit)")
figure.suptitle(title)
figure.savefig("mixes.png")
