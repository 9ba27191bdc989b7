//! Lists of games, and counts: by what they are filtered, each with an index that serves it.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Integer, Text};
use uuid::Uuid;

use super::accounts::call_by_handles;
use super::connection::AnyConnection;
use super::game::{SeatedGame, Status, Visibility};
use super::read::{unreadable, with_seats};
use super::rows::{GameRow, SeatRow};
use super::schema::{games, names, players, seats};
use super::{Store, StoreError};

/// How far games are counted.
const COUNTED: i64 = 10_000;

/// How many names a search may come to.
const NAMES: usize = 20;

/// Which games are asked for; what is `None` does not matter.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// The edition.
    pub edition: Option<String>,
    /// The board.
    pub board: Option<String>,
    /// The status.
    pub status: Option<Status>,
    /// An account that sits at the table, or the name of a bot that does.
    pub player: Option<String>,
    /// What the name begins with that is shown of a person at the table, whatever the case of its letters A to Z.
    pub name: Option<String>,
    /// The league.
    pub league: Option<String>,
    /// Only public games.
    pub only_public: bool,
    /// Only games in which a seat is kept for this account.
    pub invited: Option<String>,
    /// Only games that wait for this account, and those of which it is not known.
    pub waiting_for: Option<String>,
    /// Created at or after, in microseconds since 1970.
    pub since: Option<i64>,
    /// Created before, in microseconds since 1970.
    pub until: Option<i64>,
}

/// A part of a list of games.
#[derive(Clone, Debug, Default)]
pub struct GameList {
    /// The games that can be read, newest first.
    pub games: Vec<SeatedGame>,
    /// The ids of those that cannot, as they are stored.
    pub damaged: Vec<String>,
    /// The last id of the part, where more games follow.
    pub next: Option<String>,
}

/// A number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many there are; or so many at least, unless `exact`.
    pub count: u64,
    /// Whether these are all.
    pub exact: bool,
}

/// What a list goes behind: the creation and the id of a game.
type Place = (i64, String);

/// The places of games that fit a filter, newest first, behind a place; with the person of a name at the
/// table where one is given.
macro_rules! places {
    ($filter:expr, $name:expr, $before:expr, $limit:expr) => {{
        let filter: &GameFilter = $filter;
        let name: Option<&str> = $name;
        let before: Option<Place> = $before;
        match (name, filter.player.clone()) {
            (Some(name), player) => {
                let both = names::game_id.eq(games::id);
                let query = names::table.inner_join(games::table.on(both));
                let query = query
                    .select((names::created_at, names::game_id))
                    .into_boxed();
                let mut query = query.filter(names::name.eq(name.to_owned()));
                if let Some(player) = player {
                    let sits = players::table
                        .filter(players::player.eq(player))
                        .filter(players::created_at.eq(names::created_at))
                        .filter(players::game_id.eq(names::game_id));
                    query = query.filter(diesel::dsl::exists(sits));
                }
                let mut query = filtered!(query, filter, games, names::created_at, games::id);
                if let Some(account) = filter.waiting_for.clone() {
                    query = query.filter(waiting!(account));
                }
                let query = behind!(query, before, names::created_at, names::game_id);
                Asked::Names(
                    query
                        .order((names::created_at.desc(), names::game_id.desc()))
                        .limit($limit),
                )
            }
            (None, None) => {
                let query = games::table
                    .select((games::created_at, games::id))
                    .into_boxed();
                let mut query = filtered!(query, filter, games, games::created_at, games::id);
                if let Some(account) = filter.waiting_for.clone() {
                    query = query.filter(waiting!(account));
                }
                let query = behind!(query, before, games::created_at, games::id);
                Asked::Games(
                    query
                        .order((games::created_at.desc(), games::id.desc()))
                        .limit($limit),
                )
            }
            (None, Some(player)) => {
                let query = players::table
                    .select((players::created_at, players::game_id))
                    .into_boxed();
                let query = query.filter(players::player.eq(player));
                let (created_at, id) = (players::created_at, players::game_id);
                let mut query = filtered!(query, filter, players, created_at, id);
                if let Some(account) = filter.waiting_for.clone() {
                    let game = games::table
                        .filter(games::id.eq(id))
                        .filter(waiting!(account));
                    query = query.filter(diesel::dsl::exists(game));
                }
                let query = behind!(query, before, players::created_at, players::game_id);
                Asked::Players(
                    query
                        .order((players::created_at.desc(), players::game_id.desc()))
                        .limit($limit),
                )
            }
        }
    }};
}

/// The filters by what both games and players' rows tell.
macro_rules! filtered {
    ($query:expr, $filter:expr, $table:ident, $created_at:expr, $id:expr) => {{
        let mut query = $query;
        if let Some(edition) = $filter.edition.clone() {
            query = query.filter($table::edition.eq(edition));
        }
        if let Some(board) = $filter.board.clone() {
            query = query.filter($table::board.eq(board));
        }
        match $filter.status {
            // Nearly all games are: an index of them would lead past the other filters.
            Some(Status::Finished) => {
                query = query.filter($table::status.concat("").eq(Status::Finished.name()));
            }
            Some(status) => query = query.filter($table::status.eq(status.name())),
            None => {}
        }
        if let Some(league) = $filter.league.clone() {
            query = query.filter($table::league.eq(league));
        }
        if $filter.only_public {
            query = query.filter($table::visibility.eq(Visibility::Public.name()));
        }
        if let Some(account) = $filter.invited.clone() {
            let kept = seats::table.filter(seats::invited.eq(account));
            query = query.filter($id.eq_any(kept.select(seats::game_id)));
            // What is kept in a game that is over can be claimed by nobody.
            let under_way = [Status::Open.name(), Status::Running.name()];
            query = query.filter($table::status.concat("").eq_any(under_way));
        }
        if let Some(since) = $filter.since {
            query = query.filter($created_at.ge(since));
        }
        if let Some(until) = $filter.until {
            query = query.filter($created_at.lt(until));
        }
        query
    }};
}

/// That a game waits for an account, or that it is not known whether it does.
macro_rules! waiting {
    ($account:expr) => {
        games::waiting_for.eq($account).or(games::pending.is_null())
    };
}

macro_rules! behind {
    ($query:expr, $before:expr, $created_at:expr, $id:expr) => {{
        let mut query = $query;
        if let Some((created_at, id)) = $before {
            // The first condition is the one that an index takes.
            let older = $created_at.lt(created_at).or($id.lt(id));
            query = query.filter($created_at.le(created_at)).filter(older);
        }
        query
    }};
}

/// A query for places, by which table it goes.
enum Asked<G, P, N> {
    Games(G),
    Players(P),
    Names(N),
}

/// Does the same with a query, whichever it is.
macro_rules! either {
    ($asked:expr, $query:ident => $work:expr) => {
        match $asked {
            Asked::Games($query) => $work,
            Asked::Players($query) => $work,
            Asked::Names($query) => $work,
        }
    };
}

impl Store {
    /// Games that fit the filter, newest first by creation and id, those behind the game `before`.
    ///
    /// # Errors
    /// [`StoreError::Cursor`] when there is no game `before`; when the database fails.
    pub fn games(
        &self,
        filter: &GameFilter,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<GameList, StoreError> {
        let connection = &mut *self.connection()?;
        let before = before.map(|id| place(connection, filter, id)).transpose()?;
        let limit = limit as i64;
        let mut ids = found(connection, filter, before, limit + 1)?;
        let more = ids.len() as i64 > limit;
        ids.truncate(limit as usize);
        let next = ids.last().filter(|_| more).cloned();
        let list = load_apart(connection, &ids)?;
        Ok(GameList { next, ..list })
    }

    /// How many games fit the filter, as far as they are counted.
    pub fn count_games(&self, filter: &GameFilter) -> Result<Count, StoreError> {
        let connection = &mut *self.connection()?;
        let found: i64 = match &filter.name {
            // A game may have several such names at its table.
            Some(_) => found(connection, filter, None, COUNTED + 1)?.len() as i64,
            None => either!(places!(filter, None, None, COUNTED + 1), query =>
                Counted(query).get_result(connection))?,
        };
        Ok(Count {
            count: found.min(COUNTED) as u64,
            exact: found <= COUNTED,
        })
    }

    /// How the database finds a list, in its own words, a step a line: for operators and tests.
    pub fn list_plan(&self, filter: &GameFilter) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        let before = Some((0, String::new()));
        let name = filter.name.as_deref();
        Ok(match connection {
            AnyConnection::Sqlite(sqlite) => {
                type Step = (i32, i32, i32, String);
                let steps: Vec<Step> = either!(places!(filter, name, before, 51), query =>
                    SqlitePlan(query).load(sqlite))?;
                steps.into_iter().map(|(.., step)| step).collect()
            }
            AnyConnection::Postgres(postgres) => postgres.transaction(|postgres| {
                use diesel::connection::SimpleConnection;
                // Small tables are read whole unless that is forbidden.
                postgres.batch_execute("SET LOCAL enable_seqscan = off")?;
                either!(places!(filter, name, before, 51), query => PostgresPlan(query).load(postgres))
            })?,
        })
    }
}

/// The ids of games that fit a filter, newest first, behind a place.
fn found(
    connection: &mut AnyConnection,
    filter: &GameFilter,
    before: Option<Place>,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    let mut places: Vec<Place> = Vec::new();
    match &filter.name {
        None => {
            places =
                either!(places!(filter, None, before, limit), query => query.load(connection))?;
        }
        Some(beginning) => {
            for name in names_that_begin(connection, beginning)? {
                let name = Some(name.as_str());
                let own: Vec<Place> = either!(places!(filter, name, before.clone(), limit), query =>
                    query.load(connection))?;
                places.extend(own);
            }
            places.sort_unstable_by(|one, other| other.cmp(one));
            places.dedup();
            places.truncate(limit as usize);
        }
    }
    Ok(places.into_iter().map(|(_, id)| id).collect())
}

/// The names that begin so, found one after the other by their index.
fn names_that_begin(
    connection: &mut AnyConnection,
    beginning: &str,
) -> Result<Vec<String>, StoreError> {
    let beginning = beginning.to_ascii_lowercase();
    let end = format!("{beginning}{}", char::MAX);
    let mut found: Vec<String> = Vec::new();
    loop {
        let query = names::table.select(names::name).order(names::name).limit(1);
        let query = query.filter(names::name.lt(&end)).into_boxed();
        let query = match found.last() {
            None => query.filter(names::name.ge(&beginning)),
            Some(last) => query.filter(names::name.gt(last)),
        };
        let next: Option<String> = query.first(connection).optional()?;
        match next {
            None => return Ok(found),
            Some(_) if found.len() == NAMES => return Err(StoreError::ManyNames(NAMES)),
            Some(name) => found.push(name),
        }
    }
}

/// The most games of an account that are looked up for those that are not over.
const NEWEST: i64 = 10_000;

impl Store {
    /// The games that are not over at whose table an account sits or where a seat is kept for it, the newest first.
    pub fn games_under_way(&self, account: Uuid, limit: i64) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        let account = account.to_string();
        let mut ids: Vec<String> = players::table
            .filter(players::player.eq(account.clone()))
            .order((players::created_at.desc(), players::game_id.desc()))
            .limit(NEWEST)
            .select(players::game_id)
            .load(connection)?;
        ids.extend(
            seats::table
                .filter(seats::invited.eq(account))
                .select(seats::game_id)
                .load::<String>(connection)?,
        );
        let mut found: Vec<(i64, String)> = Vec::new();
        for part in ids.chunks(500) {
            let under_way = [Status::Open.name(), Status::Running.name()];
            let part = games::table
                .filter(games::id.eq_any(part))
                .filter(games::status.eq_any(under_way))
                .select((games::created_at, games::id));
            found.extend(part.load::<(i64, String)>(connection)?);
        }
        found.sort_by(|a, b| b.cmp(a));
        found.dedup();
        found.truncate(usize::try_from(limit).unwrap_or(0));
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }
}

impl Store {
    /// The accounts at some tables, those for which a seat is kept there and those that lost one, each with the game.
    pub fn accounts_at<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let connection = &mut *self.connection()?;
        let ids: Vec<&str> = ids.collect();
        let mut found = Vec::new();
        for part in ids.chunks(500) {
            type Accounts = (String, Option<String>, Option<String>, Option<String>);
            let seated: Vec<Accounts> = seats::table
                .filter(seats::game_id.eq_any(part))
                .select((
                    seats::game_id,
                    seats::player_id,
                    seats::invited,
                    seats::former,
                ))
                .load(connection)?;
            for (game, player, invited, former) in seated {
                let concerned = player.into_iter().chain(invited).chain(former);
                found.extend(concerned.map(|account| (game.clone(), account)));
            }
        }
        Ok(found)
    }
}

/// Where a game stands in lists. One that a list does not show is no place in it.
fn place(
    connection: &mut AnyConnection,
    filter: &GameFilter,
    id: Uuid,
) -> Result<Place, StoreError> {
    let mut query = games::table
        .filter(games::id.eq(id.to_string()))
        .into_boxed();
    if filter.only_public {
        query = query.filter(games::visibility.eq(Visibility::Public.name()));
    }
    let created_at: Option<i64> = query
        .select(games::created_at)
        .first(connection)
        .optional()?;
    let created_at = created_at.ok_or(StoreError::Cursor)?;
    Ok((created_at, id.to_string()))
}

/// The games with these ids, newest first, apart from those that are damaged.
pub(super) fn load_apart(
    connection: &mut AnyConnection,
    ids: &[String],
) -> Result<GameList, StoreError> {
    let mut list = GameList::default();
    match load(connection, ids) {
        Ok(games) => list.games = games,
        // One of them is damaged: which, is seen one by one.
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

/// The games with these ids, in their order.
fn load(connection: &mut AnyConnection, ids: &[String]) -> Result<Vec<SeatedGame>, StoreError> {
    let damaged = |error| unreadable("of a list", error);
    let found: Vec<GameRow> = games::table
        .filter(games::id.eq_any(ids.to_vec()))
        .order((games::created_at.desc(), games::id.desc()))
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
    call_by_handles(connection, games.iter_mut().flat_map(|(_, seats)| seats))?;
    Ok(games)
}

/// A query inside another one, or behind a word.
macro_rules! around {
    ($(#[$doc:meta])* $name:ident, $sql_type:ty, $before:literal, $after:literal) => {
        $(#[$doc])*
        struct $name<Q>(Q);

        impl<Q> QueryId for $name<Q> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }

        impl<Q> Query for $name<Q> {
            type SqlType = $sql_type;
        }

        impl<Q, C> RunQueryDsl<C> for $name<Q> {}

        impl<Q, DB> QueryFragment<DB> for $name<Q>
        where
            DB: diesel::backend::Backend,
            Q: QueryFragment<DB>,
        {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
                out.push_sql($before);
                self.0.walk_ast(out.reborrow())?;
                out.push_sql($after);
                Ok(())
            }
        }
    };
}

around!(
    /// How many rows a query has.
    Counted, BigInt, "SELECT count(*) FROM (", ") AS found"
);
around!(
    /// SQLite's plan for a query.
    SqlitePlan, (Integer, Integer, Integer, Text), "EXPLAIN QUERY PLAN ", ""
);
around!(
    /// PostgreSQL's plan for a query.
    PostgresPlan, Text, "EXPLAIN (COSTS OFF) ", ""
);
