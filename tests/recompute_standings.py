#!/usr/bin/env python3
"""Recomputes the standings of a league from its log, with Python's standard library (see api/docs/leagues.md).

    recompute_standings.py LEAGUE EVENTS STANDINGS

LEAGUE is the id of the league. EVENTS has the answers of /v1/leagues/LEAGUE/events, one page a line. STANDINGS has
answers of /v1/leagues/LEAGUE/standings and /v1/leagues/LEAGUE/teams/standings, one a line, for any seasons, divisions
and `as_of`. The exit code is 1 if a number differs.

The program shares no code with the server. All numbers are exact fractions.
"""
import functools
import hashlib
import json
import sys
from fractions import Fraction


class Season:
    def __init__(self, event):
        self.rules, self.format = event["rules"], event.get("format", {"type": "spread"})
        self.divisions, self.teams = [], []


class Table:
    def __init__(self, table, season):
        self.number, self.season, self.round = table["table"], season, table["round"]
        self.game, self.byes = table["game"], table.get("byes", [])
        self.seats = [[seat["member"]] for seat in table["seats"]]
        self.prices = [0] * len(self.seats)
        self.state, self.ranks = "playing", None


class League:
    """The state of a league after some events."""

    def __init__(self):
        self.members, self.active, self.seasons, self.tables = [], set(), [], []

    def add_table(self, table):
        self.tables.append(Table(table, len(self.seasons)))
        return self.tables[-1]

    def apply(self, event):
        kind = event["type"]
        if kind == "joined":
            if event["member"] not in self.members:
                self.members.append(event["member"])
            self.active.add(event["member"])
        elif kind == "left":
            self.active.discard(event["member"])
        elif kind == "season_began":
            self.seasons.append(Season(event))
        elif kind == "divisions_set":
            self.seasons[-1].divisions = [list(one["members"]) for one in event["divisions"]]
        elif kind == "teams_set":
            self.seasons[-1].teams = [list(one["members"]) for one in event["teams"]]
        elif kind == "member_placed":
            of_division = "division" in event
            groups = self.seasons[-1].divisions if of_division else self.seasons[-1].teams
            for group in groups:
                if event["member"] in group:
                    group.remove(event["member"])
            groups[event["division" if of_division else "team"] - 1].append(event["member"])
        elif kind == "tables_created":
            for table in event["tables"]:
                self.add_table(table)
        elif kind == "seats_taken":
            table = next(one for one in self.tables if one.game == event["game"])
            if table.state == "playing":
                table.seats = [table.seats[seat] for seat in event["from"]]
                table.prices = event["prices"]
        elif kind == "game_finished":
            table = next(one for one in self.tables if one.game == event["game"])
            if table.state == "playing":
                table.state, table.ranks = "counted", event["ranks"]
        elif kind == "game_abandoned":
            table = next(one for one in self.tables if one.game == event["game"])
            if table.state == "playing":
                table.state = "abandoned"
        elif kind == "result_entered":
            table = self.add_table(event["table"])
            table.state, table.ranks = "counted", event["ranks"]
        elif kind == "table_adjudicated":
            table = self.tables[event["table"] - 1]
            table.state, table.ranks = "counted", event["ranks"]
        elif kind == "table_voided":
            self.tables[event["table"] - 1].state = "void"
        elif kind == "player_replaced":
            seat = self.tables[event["table"] - 1].seats[event["seat"]]
            if event["member"] in seat:
                del seat[seat.index(event["member"]) + 1:]
            else:
                seat.append(event["member"])


def seat_points(scoring, ranks):
    """The points of each seat: equal ranks share the points of their places."""
    places = [1] if scoring == "shares" else scoring["rank_points"]
    worth = lambda place: places[place] if place < len(places) else 0

    def points(rank):
        better = sum(other < rank for other in ranks)
        equal = ranks.count(rank)
        return Fraction(sum(worth(place) for place in range(better, better + equal)), equal)

    return [points(rank) for rank in ranks]


def credits(rule, players):
    if rule == "split":
        return [Fraction(1, players)] * players
    counts = 0 if rule == "first" else players - 1
    return [Fraction(index == counts) for index in range(players)]


def ladder(league, season):
    """The order of a ladder: the lower of two members who wins exchanges places."""
    if season < 1 or league.seasons[season - 1].format["type"] != "ladder":
        return None
    order = ladder(league, season - 1) or []
    order += [member for member in league.members if member not in order]
    for table in league.tables:
        if table.season != season or table.state != "counted" or table.ranks[0] == table.ranks[1]:
            continue
        winner, loser = (0, 1) if table.ranks[0] < table.ranks[1] else (1, 0)
        above, below = (order.index(table.seats[seat][-1]) for seat in (loser, winner))
        if below > above:
            order[above], order[below] = order[below], order[above]
    return order


def progress(league, season):
    """How far each member has come in a bracket; nothing in other formats."""
    form = league.seasons[season - 1].format
    if form["type"] not in ("knock_out", "double_elimination"):
        return None
    lives, needed = 1 + (form["type"] == "double_elimination"), form.get("best_of", 1) // 2 + 1
    lost, matches = {}, {}
    for table in league.tables:
        if table.season != season or table.round is None:
            continue
        for member in table.byes:
            lost.setdefault(member, [])
        for *replaced, last in table.seats:
            lost.setdefault(last, [])
            for member in replaced:
                lost[member] = [table.round] * lives
        if table.state == "void" or len(table.seats) != 2:
            continue
        first = [seat[0] for seat in table.seats]
        of_round = matches.setdefault(table.round, [])
        match = next((one for one in of_round if set(one["players"]) == set(first)), None)
        if match is None:
            match = {"players": first, "wins": [0, 0]}
            of_round.append(match)
        places = [match["players"].index(member) for member in first]
        if table.state == "counted" and table.ranks.count(1) == 1:
            match["wins"][places[table.ranks.index(1)]] += 1
        for place, seat in zip(places, table.seats):
            match["players"][place] = seat[-1]
    for number, of_round in matches.items():
        for match in of_round:
            if max(match["wins"]) >= needed:
                lost[match["players"][match["wins"].index(min(match["wins"]))]].append(number)
    reached = lambda rounds: 10**6 - len(rounds) if len(rounds) < lives else max(rounds)
    return {member: reached(lost[member]) if member in lost else 0 for member in league.members}


class Sums:
    def __init__(self):
        self.games = self.wins = self.seconds = Fraction(0)
        self.results = []


def tally(league, season):
    """Adds up the tables of a season: the sums of each member, and the meetings of each pair."""
    rules, form = league.seasons[season - 1].rules, league.seasons[season - 1].format
    weights = {one["round"]: Fraction(one["percent"], 100) for one in rules.get("round_weights", [])}
    sums, met, rounds = {member: Sums() for member in league.members}, {}, set()
    own = [table for table in league.tables if table.season == season]
    placed = {(table.round, member) for table in own if table.state != "void" for sits in (*table.seats, table.byes)
              for member in sits}
    for table in own:
        weight = weights.get(table.round, Fraction(1))
        if table.state == "void" and table.round is not None:
            for member in table.byes:
                if (table.round, member) not in placed:
                    placed.add((table.round, member))
                    sums[member].results.append((weight * form.get("bye_points", 0), 0, table.round))
        if table.state != "counted":
            continue
        if table.round is not None:
            rounds.add(table.round)
        for member in table.byes:
            sums[member].results.append((weight * form.get("bye_points", 0), 0, table.round))
        points, wins = seat_points(rules["scoring"], table.ranks), seat_points("shares", table.ranks)
        points = [worth - Fraction(price, 10) for worth, price in zip(points, table.prices)]
        shares = [list(zip(seat, credits(rules.get("replacement", "split"), len(seat)))) for seat in table.seats]
        for seat, players in enumerate(shares):
            rank = table.ranks[seat]
            is_second = sum(other < rank for other in table.ranks) == 1
            for member, credit in players:
                own = sums[member]
                own.games += credit
                own.wins += wins[seat] * credit
                own.seconds += credit * is_second
                own.results.append((weight * points[seat] * credit, credit, table.round))
                for other, others in enumerate(shares):
                    for opponent, share in others if other != seat else []:
                        pair = met.setdefault((member, opponent), [Fraction(0)] * 3)
                        result = (table.ranks[other] > rank) + Fraction(table.ranks[other] == rank, 2)
                        pair[0] += credit * share
                        pair[1] += credit * share * result
    counted = rules.get("counted", "all")
    for own in sums.values():
        kept = len(own.results)
        if counted != "all" and "best" in counted:
            kept = counted["best"]
        elif counted != "all":
            played = {number for _, _, number in own.results if number is not None}
            dropped = max(counted["all_but"] - len(rounds - played), 0)
            kept = max(len(own.results) - dropped, 1)
        best = sorted(own.results, key=lambda result: -result[0])[:kept]
        own.points = sum((points for points, _, _ in best), Fraction(0))
        own.counted_games = sum((games for _, games, _ in best), Fraction(0))
    return sums, met


def standings(identity, league, season, among=None):
    """The rows of a season: rank, member, games, points and tie-breaks; the best first."""
    rules = league.seasons[season - 1].rules
    sums, met = tally(league, season)
    rows = [one for one in league.members if one in league.active or sums[one].games > 0]
    rows = [one for one in rows if among is None or one in among]
    drawn = lambda member: hashlib.sha256(f"lot {identity} {season} {member}".encode()).digest()[:4]
    lots = sorted(league.members, key=lambda member: (drawn(member), member))

    def value(name, member, group):
        own = sums[member]
        if name == "wins":
            return own.wins
        if name == "seconds":
            return own.seconds
        if name == "games":
            return own.games
        if name == "average":
            # The server rounds down to a millionth.
            return Fraction(int(own.points / max(own.counted_games, Fraction(1, 12)) * 10**6), 10**6)
        if name == "head_to_head":
            return sum((met[member, other][1] for other in group if (member, other) in met), Fraction(0))
        if name == "opponents":
            pairs = ((other, pair[0]) for (one, other), pair in met.items() if one == member)
            return sum((games * sums[other].points for other, games in pairs), Fraction(0))
        return Fraction(lots.index(member) + 1)

    order = ladder(league, season)
    if order:
        groups = [[member] for member in order if member in rows]
    else:
        reached = progress(league, season) or {}
        groups = split(split([rows], lambda member: reached.get(member, 0)), lambda member: sums[member].points)
    values = {member: [] for member in rows}
    for name in rules.get("tie_breaks", []):
        for group in groups:
            for member in group:
                values[member].append(value(name, member, group))
        groups = split(groups, lambda member: values[member][-1])
    found = []
    for group in groups:
        rank = len(found) + 1
        found += [(rank, member, sums[member].games, sums[member].points, values[member]) for member in group]
    return found, sums


def split(groups, key):
    """Splits groups into members with equal keys, the greatest key first."""
    parts = []
    for group in groups:
        for number in sorted({key(member) for member in group}, reverse=True):
            parts.append([member for member in group if key(member) == number])
    return parts


def team_standings(identity, league, season):
    rows, sums = standings(identity, league, season)
    teams = []
    for number, members in enumerate(league.seasons[season - 1].teams, 1):
        own = [row for row in rows if row[1] in members]
        add = lambda index: sum((row[index] for row in own), Fraction(0))
        teams.append((number, add(3), sum((sums[row[1]].wins for row in own), Fraction(0)), add(2)))
    teams.sort(key=lambda team: (-team[1], -team[2], team[0]))
    rank = lambda team: 1 + sum(other[1:3] > team[1:3] for other in teams)
    return [(rank(team), *team) for team in teams]


def near(number, fraction):
    return abs(number - float(fraction)) <= 1e-9 * max(1.0, abs(number))


def differences(identity, league, answer):
    season = answer["season"]
    if answer["rows"] and "team" in answer["rows"][0]:
        rows = team_standings(identity, league, season)
        if len(rows) != len(answer["rows"]):
            yield "the number of teams"
        for row, shown in zip(rows, answer["rows"]):
            if row[:2] != (shown["rank"], shown["team"]):
                yield f"rank {shown['rank']} of team {shown['team']}"
            for name, number in zip(("points", "wins", "games"), row[2:]):
                if not near(shown[name], number):
                    yield f"{name} of team {shown['team']}: {shown[name]}, not {float(number)}"
        return
    among = answer["division"] and league.seasons[season - 1].divisions[answer["division"] - 1]
    rows, _ = standings(identity, league, season, among)
    if len(rows) != len(answer["rows"]):
        yield f"the number of rows: {len(answer['rows'])}, not {len(rows)}"
    for (rank, member, games, points, values), shown in zip(rows, answer["rows"]):
        if (shown["rank"], shown["member"]["id"]) != (rank, member):
            yield f"rank {shown['rank']}: {shown['member']['id']}, not {member} with rank {rank}"
        numbers = [("games", shown["games"], games), ("points", shown["points"], points)]
        numbers += [("tie-break", one, other) for one, other in zip(shown["tie_breaks"], values)]
        for name, one, other in numbers:
            if not near(one, other):
                yield f"{name} of {member}: {one}, not {float(other)}"
        counted = sum(one["points"] for one in shown["results"] if one["counted"])
        if shown["results"] and not near(shown["points"], Fraction(counted)):
            yield f"the results of {member} add up to {counted}, not {shown['points']}"


def main(identity, events, answers):
    pages = [json.loads(line) for line in open(events, encoding="utf-8") if line.strip()]
    events = [event for page in pages for event in page["items"]]
    answers = [json.loads(line) for line in open(answers, encoding="utf-8") if line.strip()]

    @functools.cache
    def league_at(seq):
        league = League()
        for event in events:
            if event["seq"] <= seq:
                # The text is what the hashes of the log cover.
                league.apply(json.loads(event["text"]))
        return league

    faults = 0
    for answer in answers:
        for difference in differences(identity, league_at(answer["seq"]), answer):
            faults += 1
            print(f"season {answer['season']} at {answer['seq']}: {difference}", file=sys.stderr)
    rows = sum(len(answer["rows"]) for answer in answers)
    print(f"{len(answers)} standings with {rows} rows, {faults} differences")
    sys.exit(faults > 0 or not answers)


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 4 else sys.exit(__doc__)
