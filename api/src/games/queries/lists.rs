//! Lists of games: one query for every filter and order.
//!
//! A list follows one index, that of its most selective filter, in the order of the list, and checks the other
//! filters of each game. It checks at most [`SCAN_LIMIT`] games. So a page may be short, even empty, and still have a
//! next one.

use std::collections::HashMap;
use std::fmt::Write;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use uuid::Uuid;

use crate::db::connection::AnyConnection;
use crate::db::schema::{accounts, game_players, games, seats};
use crate::db::{Store, StoreError};
use crate::games::model::{SeatedGame, Status};
use crate::games::queries::cursor::{Cursor, Order};
use crate::games::queries::read::{load_handles, unreadable, with_seats};
use crate::games::queries::rows::{GameRow, SeatRow};

/// The most games that a page checks if several filters are given.
pub const SCAN_LIMIT: i64 = 5_000;

/// The most games that are counted.
const COUNT_LIMIT: i64 = 10_000;

/// A person at a table: a column, and the name or the id of the account in it.
type Person = (&'static str, String);

/// The most names and handles that may start with the text of a filter.
const MAX_NAMES: usize = 20;

/// Which games are listed, and in which order. A filter that is `None` matches every game.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// The id of the edition.
    pub edition: Option<String>,
    /// The id of the board.
    pub board: Option<String>,
    /// The status.
    pub status: Option<Status>,
    /// Why the game ended.
    pub reason: Option<&'static str>,
    /// The league.
    pub league: Option<String>,
    /// An account, or the name of a bot, that plays in the game.
    pub player: Option<String>,
    /// An account, or the name of a bot, that won or shared the win.
    pub winner: Option<String>,
    /// The beginning of a displayed name of a person: of the handle of an account, or of the name of another person.
    /// The case of the letters A to Z does not matter.
    pub name: Option<String>,
    /// A nation that took part.
    pub nation: Option<String>,
    /// The opening strategy of `nation`, or of any nation if that is `None`.
    pub opening: Option<&'static str>,
    /// A nation that won or shared the win.
    pub winning_nation: Option<String>,
    /// The least number of rounds.
    pub min_rounds: Option<u32>,
    /// The greatest number of rounds.
    pub max_rounds: Option<u32>,
    /// Whether to list only public games.
    pub only_public: bool,
    /// Only open and running games in which a seat is reserved for this account.
    pub invited: Option<String>,
    /// Only games that wait for this account.
    pub waiting_for: Option<String>,
    /// The earliest time of creation, inclusive, in microseconds since 1970.
    pub since: Option<i64>,
    /// The latest time of creation, exclusive, in microseconds since 1970.
    pub until: Option<i64>,
    /// The order.
    pub order: Order,
}

/// A page of games.
#[derive(Clone, Debug, Default)]
pub struct GameList {
    /// The readable games, in order.
    pub games: Vec<SeatedGame>,
    /// The stored ids of the unreadable ones.
    pub damaged: Vec<String>,
    /// The cursor after which more games may follow.
    pub next: Option<Cursor>,
}

/// The number of games that match a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCount {
    /// The number of games, or a lower bound unless `exact` is true.
    pub count: u64,
    /// Whether the number is exact.
    pub exact: bool,
}

/// A part of a query, with a `?` in place of each value.
#[derive(Clone, Debug, Default)]
struct QueryPart {
    sql: String,
    values: Vec<String>,
}

impl QueryPart {
    fn new(sql: impl Into<String>) -> QueryPart {
        QueryPart {
            sql: sql.into(),
            values: Vec::new(),
        }
    }

    fn with(sql: impl Into<String>, value: &str) -> QueryPart {
        QueryPart {
            sql: sql.into(),
            values: vec![value.to_owned()],
        }
    }
}

/// A condition on a seat of a game.
struct SeatFilter {
    /// Whether it matches many games.
    is_common: bool,
    columns: Vec<(&'static str, String)>,
    won: bool,
}

/// The index that a list follows, and the conditions that are checked for each game.
struct ListPlan {
    order: Order,
    from: &'static str,
    /// A table that the other conditions need, and its join condition.
    joined: Option<(&'static str, &'static str)>,
    /// The column of the order, and below the column of the game's number.
    value: String,
    game: &'static str,
    /// The conditions that the index serves.
    index: Vec<QueryPart>,
    /// The conditions that are checked.
    others: Vec<QueryPart>,
}

#[derive(QueryableByName)]
struct ListedGame {
    #[diesel(sql_type = BigInt)]
    value: i64,
    #[diesel(sql_type = BigInt)]
    game: i64,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

type Query = diesel::query_builder::BoxedSqlQuery<
    'static,
    <AnyConnection as Connection>::Backend,
    diesel::query_builder::SqlQuery,
>;

/// Joins the parts of a query and numbers their values.
fn query(parts: &[QueryPart]) -> Query {
    let mut sql = String::new();
    let mut number = 0;
    for letter in parts.iter().flat_map(|part| part.sql.chars()) {
        match letter {
            '?' => {
                number += 1;
                // Writing to a string cannot fail.
                let _ = write!(sql, "${number}");
            }
            letter => sql.push(letter),
        }
    }
    let values = parts.iter().flat_map(|part| &part.values);
    values.fold(diesel::sql_query(sql).into_boxed(), |query, value| {
        query.bind::<Text, _>(value.clone())
    })
}

impl GameFilter {
    /// Returns the conditions on seats, the most selective first. Bots and nations are in many games.
    fn seats(&self, person: Option<&Person>) -> Vec<SeatFilter> {
        let player = |player: &String, won: bool| SeatFilter {
            is_common: Uuid::try_parse(player).is_err(),
            columns: vec![("player", player.clone())],
            won,
        };
        let nation = |columns: Vec<(&'static str, String)>, won: bool| SeatFilter {
            is_common: true,
            columns,
            won,
        };
        let opening = [
            ("nation", self.nation.clone()),
            ("opening", self.opening.map(str::to_owned)),
        ];
        let opening: Vec<_> = opening
            .into_iter()
            .filter_map(|(column, value)| Some((column, value?)))
            .collect();
        let mut seats: Vec<SeatFilter> = [
            person.map(|person| SeatFilter {
                is_common: false,
                columns: vec![person.clone()],
                won: false,
            }),
            self.player.as_ref().map(|own| player(own, false)),
            self.winner.as_ref().map(|own| player(own, true)),
            (!opening.is_empty()).then(|| nation(opening, false)),
            (self.winning_nation.as_ref()).map(|own| nation(vec![("nation", own.clone())], true)),
        ]
        .into_iter()
        .flatten()
        .collect();
        seats.sort_by_key(|seat| seat.is_common);
        seats
    }

    /// Chooses the index: that of a person, else of a league, else of a bot or nation, else of all games.
    fn plan(&self, person: Option<&Person>) -> ListPlan {
        let mut seats = self.seats(person);
        let follows_seats = self.invited.is_none()
            && (seats.first()).is_some_and(|seat| !seat.is_common || self.league.is_none());
        let (column, of_players) = self.order.columns();
        let mut plan = ListPlan {
            order: self.order,
            from: "games",
            joined: None,
            value: format!("games.{column}"),
            game: "games.number",
            index: Vec::new(),
            others: Vec::new(),
        };
        if let Some(invited) = &self.invited {
            // SQLite does not reorder a cross join.
            plan.from = "seats CROSS JOIN games";
            plan.index.push(QueryPart::new("games.id = seats.game_id"));
            plan.index
                .push(QueryPart::with("seats.invited = ?", invited));
            (plan.others).push(QueryPart::new("games.status IN ('open', 'running')"));
        } else if follows_seats {
            plan.from = "game_players AS player";
            // SQLite does not reorder a cross join.
            plan.joined = Some(("CROSS JOIN games", "games.number = player.game"));
            (plan.value, plan.game) = (format!("player.{of_players}"), "player.game");
            plan.index.push(seats.remove(0).part("player"));
        }
        let follows_games = plan.from == "games";
        if self.order != Order::Created {
            let rounds = if follows_seats {
                "player.rounds"
            } else {
                "games.rounds"
            };
            plan.index
                .push(QueryPart::new(format!("{rounds} IS NOT NULL")));
        }
        if self.only_public {
            let public = QueryPart::new("games.visibility = 'public'");
            match plan.from {
                "games" => plan.index.push(public),
                "game_players AS player" => plan.index.push(QueryPart::new("player.public = 1")),
                _ => plan.others.push(public),
            }
        }
        let status = (self.status.filter(|status| *status != Status::Finished)).map(Status::name);
        let mut has_index = !follows_games;
        for (column, value) in [
            ("league", self.league.as_deref()),
            ("status", status),
            ("reason", self.reason),
            ("board", self.board.as_deref()),
            ("edition", self.edition.as_deref()),
        ] {
            let Some(value) = value else { continue };
            if has_index {
                // An expression cannot use an index, so the database keeps to the index chosen above.
                plan.others
                    .push(QueryPart::with(format!("games.{column} || '' = ?"), value));
                continue;
            }
            has_index = true;
            plan.index
                .push(QueryPart::with(format!("games.{column} = ?"), value));
            if column == "status" {
                plan.index
                    .push(QueryPart::new("games.status <> 'finished'"));
            }
        }
        if self.status == Some(Status::Finished) {
            plan.others
                .push(QueryPart::new("games.status || '' = 'finished'"));
        }
        if let Some(account) = &self.waiting_for {
            plan.others
                .push(QueryPart::with("games.waiting_for = ?", account));
        }
        for (order, column, sign, bound) in [
            (Order::Created, "created_at", ">=", self.since),
            (Order::Created, "created_at", "<", self.until),
            (
                Order::Longest,
                "rounds",
                ">=",
                self.min_rounds.map(i64::from),
            ),
            (
                Order::Longest,
                "rounds",
                "<=",
                self.max_rounds.map(i64::from),
            ),
        ] {
            let Some(bound) = bound else { continue };
            match order == self.order {
                true => (plan.index).push(QueryPart::new(format!("{} {sign} {bound}", plan.value))),
                false => {
                    (plan.others).push(QueryPart::new(format!("games.{column} {sign} {bound}")))
                }
            }
        }
        for seat in seats {
            let mut part = seat.part("other");
            part.sql = format!(
                "EXISTS (SELECT 1 FROM game_players AS other WHERE other.game = {} AND {})",
                plan.game, part.sql
            );
            plan.others.push(part);
        }
        plan
    }
}

impl SeatFilter {
    /// Returns the condition on a row of `game_players` with an alias.
    fn part(&self, row: &str) -> QueryPart {
        let columns = self.columns.iter();
        let mut sql: Vec<String> = columns
            .map(|(column, _)| format!("{row}.{column} = ?"))
            .collect();
        if self.won {
            sql.push(format!("{row}.won = 1"));
        }
        // Repeats the condition of the partial index, so that the database can use it.
        if let [(column @ ("nation" | "opening"), _)] = self.columns[..]
            && !self.won
        {
            sql.push(format!("{row}.{column} <> ''"));
        }
        QueryPart {
            sql: sql.join(" AND "),
            values: self
                .columns
                .iter()
                .map(|(_, value)| value.clone())
                .collect(),
        }
    }
}

impl ListPlan {
    /// Builds the query for the games between two cursors. `part` is its end, such as a limit.
    fn query(
        &self,
        others: bool,
        after: Option<Cursor>,
        end: Option<Cursor>,
        part: &str,
    ) -> Vec<QueryPart> {
        let ListPlan {
            from, value, game, ..
        } = self;
        // Without other conditions only the index is read.
        let others = others && !self.others.is_empty();
        let (joined, on) = self.joined.filter(|_| others).unwrap_or(("", "1 = 1"));
        let mut parts = vec![QueryPart::new(format!(
            "SELECT DISTINCT {value} AS value, {game} AS game FROM {from} {joined} WHERE {on}"
        ))];
        let conditions = self
            .index
            .iter()
            .chain(self.others.iter().filter(|_| others));
        for condition in conditions {
            parts.extend([QueryPart::new(" AND "), condition.clone()]);
        }
        for (sign, bound) in [("<", after), (">=", end)] {
            if let Some(bound) = bound {
                parts.push(QueryPart::new(format!(
                    " AND ({value}, {game}) {sign} ({}, {})",
                    bound.value, bound.game
                )));
            }
        }
        parts.push(QueryPart::new(format!(
            " ORDER BY {value} DESC, {game} DESC {part}"
        )));
        parts
    }

    /// Returns the last game that a page checks; `None` if it checks all.
    fn scan_end(
        &self,
        connection: &mut AnyConnection,
        after: Option<Cursor>,
        scan_limit: i64,
    ) -> Result<Option<Cursor>, StoreError> {
        if self.others.is_empty() {
            return Ok(None);
        }
        let part = format!("LIMIT 1 OFFSET {}", scan_limit - 1);
        let last = query(&self.query(false, after, None, &part));
        let last: Option<ListedGame> = last.get_result(connection).optional()?;
        Ok(last.map(|last| self.cursor(&last)))
    }

    fn cursor(&self, found: &ListedGame) -> Cursor {
        Cursor {
            order: self.order,
            value: found.value,
            game: found.game,
        }
    }
}

impl Store {
    /// Returns games that match the filter, in its order, after a cursor.
    /// If several filters are given, it checks at most [`SCAN_LIMIT`] games.
    pub fn games(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<GameList, StoreError> {
        self.games_among(filter, after, limit, SCAN_LIMIT)
    }

    /// Returns games like [`Store::games`], with another limit of checked games.
    pub fn games_among(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        limit: usize,
        scan_limit: i64,
    ) -> Result<GameList, StoreError> {
        if after.is_some_and(|after| after.order != filter.order) {
            return Err(StoreError::Cursor);
        }
        let connection = &mut *self.connection()?;
        let mut found: Vec<Cursor> = Vec::new();
        let mut next: Option<Cursor> = None;
        for person in people(connection, filter)? {
            let plan = filter.plan(person.as_ref());
            let end = plan.scan_end(connection, after, scan_limit)?;
            let part = format!("LIMIT {}", limit + 1);
            let own: Vec<ListedGame> =
                query(&plan.query(true, after, end, &part)).load(connection)?;
            found.extend(own.iter().map(|found| plan.cursor(found)));
            // The page ends where the search for the least advanced person has ended.
            next = next.into_iter().chain(end).max_by_key(Cursor::key);
        }
        found.sort_unstable_by_key(|one| std::cmp::Reverse(one.key()));
        found.dedup();
        found.retain(|one| next.is_none_or(|end| one.key() >= end.key()));
        if found.len() > limit {
            found.truncate(limit);
            next = found.last().copied();
        }
        let ids = ids(connection, &found)?;
        let list = load_readable(connection, &ids)?;
        Ok(GameList { next, ..list })
    }

    /// Counts the games that match the filter, up to a limit.
    pub(in crate::games) fn count_games(
        &self,
        filter: &GameFilter,
    ) -> Result<GameCount, StoreError> {
        let connection = &mut *self.connection()?;
        let part = format!("LIMIT {}", COUNT_LIMIT + 1);
        let (mut count, mut is_whole) = (0, true);
        let people = people(connection, filter)?;
        if let [person] = &people[..] {
            let plan = filter.plan(person.as_ref());
            let end = plan.scan_end(connection, None, COUNT_LIMIT)?;
            let mut parts = vec![QueryPart::new("SELECT count(*) AS count FROM (")];
            parts.extend(plan.query(true, None, end, &part));
            parts.push(QueryPart::new(") AS found"));
            let counted: CountRow = query(&parts).get_result(connection)?;
            (count, is_whole) = (counted.count, end.is_none());
        } else {
            // A game may have several of these people and must be counted once.
            let mut games = std::collections::HashSet::new();
            for person in people {
                let plan = filter.plan(person.as_ref());
                let end = plan.scan_end(connection, None, COUNT_LIMIT)?;
                let own = query(&plan.query(true, None, end, &part));
                let own: Vec<ListedGame> = own.load(connection)?;
                games.extend(own.into_iter().map(|found| found.game));
                is_whole &= end.is_none();
            }
            count += games.len() as i64;
        }
        Ok(GameCount {
            count: count.min(COUNT_LIMIT) as u64,
            exact: is_whole && count <= COUNT_LIMIT,
        })
    }

    /// Returns the database's query plan for a page of a list, one step per line, for operators and tests.
    pub fn list_plan(&self, filter: &GameFilter) -> Result<Vec<String>, StoreError> {
        #[derive(QueryableByName)]
        struct PlanStep {
            #[diesel(sql_type = Text)]
            detail: String,
        }
        #[derive(QueryableByName)]
        struct PlanLine {
            #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
            line: String,
        }
        let connection = &mut *self.connection()?;
        let cursor = Cursor {
            order: filter.order,
            value: 0,
            game: 0,
        };
        let named = filter.name.as_ref().map(|name| ("name", name.clone()));
        let plan = filter.plan(named.as_ref());
        let mut parts = plan.query(true, Some(cursor), Some(cursor), "LIMIT 51");
        if let AnyConnection::Sqlite(_) = connection {
            parts.insert(0, QueryPart::new("EXPLAIN QUERY PLAN "));
            let steps: Vec<PlanStep> = query(&parts).load(connection)?;
            return Ok(steps.into_iter().map(|step| step.detail).collect());
        }
        parts.insert(0, QueryPart::new("EXPLAIN (COSTS OFF) "));
        connection.transaction(|connection| {
            // Otherwise PostgreSQL scans small tables instead of using an index.
            connection.batch_execute("SET LOCAL enable_seqscan = off")?;
            let lines: Vec<PlanLine> = query(&parts).load(connection)?;
            Ok(lines.into_iter().map(|line| line.line).collect())
        })
    }
}

/// Returns the people whose names or handles start with the text of a filter, or one `None` if there is no such filter.
fn people(
    connection: &mut AnyConnection,
    filter: &GameFilter,
) -> Result<Vec<Option<Person>>, StoreError> {
    let Some(beginning) = &filter.name else {
        return Ok(vec![None]);
    };
    let beginning = beginning.to_ascii_lowercase();
    let end = format!("{beginning}{}", char::MAX);
    let mut names: Vec<Option<String>> = Vec::new();
    loop {
        let query = game_players::table
            .filter(game_players::name.lt(&end))
            .select(game_players::name)
            .order(game_players::name)
            .limit(1)
            .into_boxed();
        let query = match names.last() {
            None => query.filter(game_players::name.ge(&beginning)),
            Some(last) => query.filter(game_players::name.gt(last)),
        };
        match query.first(connection).optional()? {
            Some(name) if names.len() <= MAX_NAMES => names.push(name),
            _ => break,
        }
    }
    let plays = game_players::table.filter(game_players::player.eq(accounts::id));
    let accounts: Vec<String> = accounts::table
        .filter(accounts::handle_key.ge(&beginning))
        .filter(accounts::handle_key.lt(&end))
        .filter(diesel::dsl::exists(plays))
        .select(accounts::id)
        .limit(MAX_NAMES as i64 + 1)
        .load(connection)?;
    let names = names.into_iter().flatten().map(|name| ("name", name));
    let accounts = accounts.into_iter().map(|id| ("player", id));
    let people: Vec<_> = names.chain(accounts).map(Some).collect();
    match people.len() > MAX_NAMES {
        true => Err(StoreError::ManyNames(MAX_NAMES)),
        false => Ok(people),
    }
}

/// Returns the ids of games, in the same order.
fn ids(connection: &mut AnyConnection, found: &[Cursor]) -> Result<Vec<String>, StoreError> {
    let numbers: Vec<i64> = found.iter().map(|found| found.game).collect();
    let ids: Vec<(i64, String)> = games::table
        .filter(games::number.eq_any(&numbers))
        .select((games::number, games::id))
        .load(connection)?;
    let mut ids: HashMap<i64, String> = ids.into_iter().collect();
    Ok(numbers
        .iter()
        .filter_map(|number| ids.remove(number))
        .collect())
}

/// Loads the games with these ids, in the same order, and separates the damaged ones.
fn load_readable(connection: &mut AnyConnection, ids: &[String]) -> Result<GameList, StoreError> {
    let mut list = GameList::default();
    match load(connection, ids) {
        Ok(games) => list.games = games,
        // At least one is damaged, so they are loaded one by one.
        Err(StoreError::Damaged { .. }) => {
            for id in ids {
                match load(connection, std::slice::from_ref(id)) {
                    Ok(games) => list.games.extend(games),
                    Err(StoreError::Damaged { .. }) => list.damaged.push(id.clone()),
                    Err(error) => return Err(error),
                }
            }
        }
        Err(error) => return Err(error),
    }
    Ok(list)
}

/// Loads the games with these ids, in the same order.
fn load(connection: &mut AnyConnection, ids: &[String]) -> Result<Vec<SeatedGame>, StoreError> {
    let damaged = |error| unreadable("(no id: a game of a list)", error);
    let found: Vec<GameRow> = games::table
        .filter(games::id.eq_any(ids.to_vec()))
        .load(connection)
        .map_err(damaged)?;
    let seated: Vec<SeatRow> = seats::table
        .filter(seats::game_id.eq_any(ids.to_vec()))
        .order((seats::game_id, seats::seat))
        .load(connection)
        .map_err(damaged)?;
    let mut of_games: HashMap<String, Vec<SeatRow>> = HashMap::with_capacity(found.len());
    for seat in seated {
        let own = of_games.entry(seat.game_id().to_owned());
        own.or_default().push(seat);
    }
    let with_own = |game: GameRow| {
        let own = of_games.remove(game.id()).unwrap_or_default();
        with_seats(game, own)
    };
    let mut games: Vec<SeatedGame> = (found.into_iter().map(with_own)).collect::<Result<_, _>>()?;
    let index = |game: &SeatedGame| ids.iter().position(|id| *id == game.0.id.to_string());
    games.sort_by_cached_key(index);
    load_handles(connection, games.iter_mut().flat_map(|(_, seats)| seats))?;
    Ok(games)
}
