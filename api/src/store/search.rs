//! Finished games by what holds of them. Each word, such as a nation that took part, has the games of which it
//! holds. A search goes along the rarest of its words when few games have it, else along all finished games in
//! the order that is asked for, looks up the other words, and stops after so many games, however few fit.

use std::collections::HashMap;
use std::fmt::Write;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use sha2::{Digest, Sha256};

use super::audit::at_one_moment;
use super::connection::AnyConnection;
use super::game::SeatedGame;
use super::lists::{Count, GameList, load_apart};
use super::schema::{finished_games, games, terms, terms_end};
use super::{Store, StoreError};

/// How many games a search looks at for a page. A word that fewer games have is rare.
pub const LOOKED_AT: i64 = 5_000;

/// How far games are counted that are looked at for a count.
const COUNTED: i64 = 10_000;

/// How many rows are written with one statement.
const ROWS: usize = 200;

/// In what order games are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest first.
    #[default]
    Created,
    /// Those that ended last first.
    Ended,
    /// Those of the most rounds first.
    Longest,
}

impl Order {
    fn column(self) -> &'static str {
        match self {
            Order::Created => "created_at",
            Order::Ended => "updated_at",
            Order::Longest => "rounds",
        }
    }
}

/// Which finished games are searched.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The words that hold of them; all games when there are none.
    pub words: Vec<String>,
    /// Their order.
    pub order: Order,
    /// The least number of rounds.
    pub min_rounds: Option<u32>,
    /// The greatest number of rounds.
    pub max_rounds: Option<u32>,
    /// Created at or after, in microseconds since 1970.
    pub since: Option<i64>,
    /// Created before, in microseconds since 1970.
    pub until: Option<i64>,
}

/// Behind which game a search goes on: by what they are ordered, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub struct Found {
    /// By what games are ordered.
    #[diesel(sql_type = BigInt)]
    pub place: i64,
    /// The game's number.
    #[diesel(sql_type = BigInt)]
    pub game: i64,
}

/// What holds of a finished game.
#[derive(Clone, Debug)]
pub struct Words {
    /// The game's id.
    pub id: String,
    /// Its last round.
    pub rounds: u32,
    /// The words.
    pub words: Vec<String>,
}

/// What is kept of a finished game for searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptWords {
    /// When it was created and when it ended, in microseconds since 1970, and its last round; `None` without a row.
    pub row: Option<(i64, i64, i64)>,
    /// How many of the words are kept.
    pub words: i64,
}

/// How much is kept for searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchAccount {
    /// Up to which finished game, by the position of its last event.
    pub reached: i64,
    /// Games.
    pub games: i64,
    /// Words of games.
    pub words: i64,
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(Insertable)]
#[diesel(table_name = terms)]
struct TermRow {
    term: i64,
    game: i64,
}

#[derive(Insertable)]
#[diesel(table_name = finished_games)]
struct FinishedRow {
    game: i64,
    created_at: i64,
    updated_at: i64,
    rounds: i64,
}

/// Along what a search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    /// The games of its first word.
    Word,
    /// All finished games, in its order.
    Order,
}

/// A word as the table has it.
fn term(word: &str) -> i64 {
    let hash = Sha256::digest(word.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash[..8]);
    i64::from_be_bytes(bytes)
}

impl Search {
    /// The games that are looked at, and those of them that fit, as SQL. It holds numbers only.
    fn sql(
        &self,
        terms: &[i64],
        along: Along,
        behind: Option<Found>,
        looked_at: i64,
    ) -> (String, String) {
        let order = self.order.column();
        let mut bounds = String::new();
        for (column, sign, bound) in [
            ("rounds", ">=", self.min_rounds.map(i64::from)),
            ("rounds", "<=", self.max_rounds.map(i64::from)),
            ("created_at", ">=", self.since),
            ("created_at", "<", self.until),
        ] {
            if let Some(bound) = bound {
                // Nothing fails that is written to a string.
                let _ = write!(bounds, " AND {column} {sign} {bound}");
            }
        }
        if let Some(Found { place, game }) = behind {
            let _ = write!(bounds, " AND ({order}, game) < ({place}, {game})");
        }
        let columns = "finished_games.game, created_at, updated_at, rounds";
        let (looked, others) = match (along, terms.split_first()) {
            (Along::Word, Some((first, others))) => {
                // SQLite goes from left to right through a CROSS JOIN.
                let looked = format!(
                    "SELECT {columns} FROM (SELECT game AS number FROM terms WHERE term = {first} LIMIT {looked_at}) \
                     AS named CROSS JOIN finished_games WHERE finished_games.game = named.number"
                );
                (looked, others)
            }
            _ => {
                // What bounds the order bounds what is looked at.
                let of_order = match self.order {
                    Order::Longest if self.since.is_none() && self.until.is_none() => true,
                    Order::Created => self.min_rounds.is_none() && self.max_rounds.is_none(),
                    _ => false,
                };
                let behind = behind.map_or_else(String::new, |Found { place, game }| {
                    format!(" AND ({order}, game) < ({place}, {game})")
                });
                let bounds = if of_order { &bounds } else { &behind };
                let looked = format!(
                    "SELECT {columns} FROM finished_games WHERE 1 = 1{bounds} \
                     ORDER BY {order} DESC, game DESC LIMIT {looked_at}"
                );
                (looked, terms)
            }
        };
        let mut fit = format!("FROM ({looked}) AS looked WHERE 1 = 1{bounds}");
        for other in others {
            let _ = write!(
                fit,
                " AND EXISTS (SELECT 1 FROM terms WHERE term = {other} AND game = looked.game)"
            );
        }
        (looked, fit)
    }

    /// The words, the rarest first, and along what to go.
    fn terms(
        &self,
        connection: &mut AnyConnection,
        looked_at: i64,
    ) -> Result<(Vec<i64>, Along), StoreError> {
        let mut found = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let term = term(word);
            let query = format!(
                "SELECT count(*) AS count FROM (SELECT 1 FROM terms WHERE term = {term} LIMIT {looked_at}) AS found"
            );
            let counted: Counted = diesel::sql_query(query).get_result(connection)?;
            found.push((counted.count, term));
        }
        found.sort_by_key(|(count, _)| *count);
        let along = match found.first() {
            Some((count, _)) if *count < looked_at => Along::Word,
            _ => Along::Order,
        };
        let terms = found.into_iter().map(|(_, term)| term).collect();
        Ok((terms, along))
    }
}

impl Store {
    /// Finished games that fit, in their order, behind one; `looked_at` so many games at the most, such as
    /// [`LOOKED_AT`]. A part may have less than its limit, even none, and have games behind it. `next` is where
    /// they go on.
    pub fn search(
        &self,
        search: &Search,
        behind: Option<Found>,
        limit: usize,
        looked_at: i64,
    ) -> Result<(GameList, Option<Found>), StoreError> {
        let connection = &mut *self.connection()?;
        let (terms, along) = search.terms(connection, looked_at)?;
        let (looked, fit) = search.sql(&terms, along, behind, looked_at);
        let order = search.order.column();
        let query = format!(
            "SELECT {order} AS place, game {fit} ORDER BY {order} DESC, game DESC LIMIT {}",
            limit + 1
        );
        let mut found: Vec<Found> = diesel::sql_query(query).load(connection)?;
        let next = if found.len() > limit {
            found.truncate(limit);
            found.last().copied()
        } else if along == Along::Order {
            let last = format!(
                "SELECT {order} AS place, game FROM ({looked}) AS looked \
                 ORDER BY {order} DESC, game DESC LIMIT 1 OFFSET {}",
                looked_at - 1
            );
            diesel::sql_query(last).get_result(connection).optional()?
        } else {
            None
        };
        let numbers: Vec<i64> = found.iter().map(|found| found.game).collect();
        let ids: Vec<(i64, String)> = games::table
            .filter(games::number.eq_any(numbers))
            .select((games::number, games::id))
            .load(connection)?;
        let ids: HashMap<i64, String> = ids.into_iter().collect();
        let ids = found.iter().filter_map(|found| ids.get(&found.game));
        let ids: Vec<String> = ids.cloned().collect();
        let mut list = load_apart(connection, &ids)?;
        let place = |id: String| ids.iter().position(|other| *other == id);
        (list.games).sort_by_key(|(game, _): &SeatedGame| place(game.id.to_string()));
        Ok((list, next))
    }

    /// How many finished games fit, as far as they are looked at.
    pub fn count_search(&self, search: &Search) -> Result<Count, StoreError> {
        let connection = &mut *self.connection()?;
        let (terms, _) = search.terms(connection, LOOKED_AT)?;
        // Without an order any games do; those of the rarest word tell more than the last.
        let (looked, fit) = search.sql(&terms, Along::Word, None, COUNTED + 1);
        let mut count = |query: String| -> Result<i64, StoreError> {
            let counted: Counted = diesel::sql_query(query).get_result(connection)?;
            Ok(counted.count)
        };
        let found = count(format!("SELECT count(*) AS count {fit}"))?;
        let looked = count(format!(
            "SELECT count(*) AS count FROM ({looked}) AS looked"
        ))?;
        Ok(Count {
            count: found.min(COUNTED) as u64,
            exact: looked <= COUNTED,
        })
    }

    /// How the database searches, by rare words or common ones, in its own words, a step a line: for operators
    /// and tests.
    pub fn search_plan(&self, search: &Search, rare: bool) -> Result<Vec<String>, StoreError> {
        #[derive(QueryableByName)]
        struct Step {
            #[diesel(sql_type = diesel::sql_types::Text)]
            detail: String,
        }
        #[derive(QueryableByName)]
        struct Line {
            #[diesel(sql_type = diesel::sql_types::Text, column_name = "QUERY PLAN")]
            line: String,
        }
        let connection = &mut *self.connection()?;
        let terms: Vec<i64> = search.words.iter().map(|word| term(word)).collect();
        let behind = Some(Found { place: 0, game: 0 });
        let along = if rare { Along::Word } else { Along::Order };
        let (_, fit) = search.sql(&terms, along, behind, LOOKED_AT);
        let query = format!("SELECT game {fit} LIMIT 51");
        Ok(match connection {
            AnyConnection::Sqlite(sqlite) => {
                let steps: Vec<Step> =
                    diesel::sql_query(format!("EXPLAIN QUERY PLAN {query}")).load(sqlite)?;
                steps.into_iter().map(|step| step.detail).collect()
            }
            AnyConnection::Postgres(postgres) => postgres.transaction(|postgres| {
                use diesel::connection::SimpleConnection;
                postgres.batch_execute("SET LOCAL enable_seqscan = off")?;
                let lines: Vec<Line> =
                    diesel::sql_query(format!("EXPLAIN (COSTS OFF) {query}")).load(postgres)?;
                QueryResult::Ok(lines.into_iter().map(|line| line.line).collect())
            })?,
        })
    }

    /// Up to which finished game, by the position of its last event, games can be searched.
    pub fn searchable_to(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(terms_end::table
            .find(1)
            .select(terms_end::reached)
            .first(connection)?)
    }

    /// What is kept of a game, by its number, for searches by some words.
    pub fn kept_words(&self, game: i64, words: &[String]) -> Result<KeptWords, StoreError> {
        let connection = &mut *self.connection()?;
        let wanted: Vec<i64> = words.iter().map(|word| term(word)).collect();
        let columns = (
            finished_games::created_at,
            finished_games::updated_at,
            finished_games::rounds,
        );
        Ok(KeptWords {
            row: finished_games::table
                .find(game)
                .select(columns)
                .first(connection)
                .optional()?,
            words: terms::table
                .filter(terms::term.eq_any(wanted))
                .filter(terms::game.eq(game))
                .count()
                .get_result(connection)?,
        })
    }

    /// Counts what is kept for searches, as at one moment.
    pub fn search_account(&self) -> Result<SearchAccount, StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            Ok(SearchAccount {
                reached: terms_end::table
                    .find(1)
                    .select(terms_end::reached)
                    .first(connection)?,
                games: finished_games::table.count().get_result(connection)?,
                words: terms::table.count().get_result(connection)?,
            })
        })
    }

    /// Lets games be searched, up to a position.
    pub fn add_words(&self, games: Vec<Words>, position: i64) -> Result<(), StoreError> {
        self.write(move |connection| {
            let mut finished = Vec::with_capacity(games.len());
            let mut rows = Vec::new();
            for told in &games {
                let found: Option<(i64, i64, i64)> = games::table
                    .find(&told.id)
                    .select((games::number, games::created_at, games::updated_at))
                    .first(connection)
                    .optional()?;
                let Some((game, created_at, updated_at)) = found else {
                    continue;
                };
                finished.push(FinishedRow {
                    game,
                    created_at,
                    updated_at,
                    rounds: i64::from(told.rounds),
                });
                let terms = told.words.iter().map(|word| term(word));
                rows.extend(terms.map(|term| TermRow { term, game }));
            }
            // Another node may have been first.
            for part in finished.chunks(ROWS) {
                match connection {
                    AnyConnection::Sqlite(sqlite) => {
                        diesel::insert_or_ignore_into(finished_games::table)
                            .values(part)
                            .execute(sqlite)?
                    }
                    AnyConnection::Postgres(postgres) => diesel::insert_into(finished_games::table)
                        .values(part)
                        .on_conflict_do_nothing()
                        .execute(postgres)?,
                };
            }
            for part in rows.chunks(ROWS) {
                match connection {
                    AnyConnection::Sqlite(sqlite) => diesel::insert_or_ignore_into(terms::table)
                        .values(part)
                        .execute(sqlite)?,
                    AnyConnection::Postgres(postgres) => diesel::insert_into(terms::table)
                        .values(part)
                        .on_conflict_do_nothing()
                        .execute(postgres)?,
                };
            }
            let earlier = terms_end::table.filter(terms_end::reached.lt(position));
            diesel::update(earlier)
                .set(terms_end::reached.eq(position))
                .execute(connection)?;
            Ok(())
        })
    }
}
