//! The queries of ratings and of their changes.

use analytics::ratings::algorithm::Skill;
use diesel::prelude::*;
use uuid::Uuid;

use crate::db::connection::AnyConnection;
use crate::db::projections::offsets::{Offset, offset};
use crate::db::schema::{
    accounts, games, league_events, leagues, rating_changes, ratings, ratings_shown,
};
use crate::db::{Store, StoreError};
use crate::games::model::Visibility;
use crate::games::queries::audit::at_one_moment;

/// A rating of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRating {
    /// The id of an account, or the name of a bot.
    pub player: String,
    /// The edition; empty for all editions together.
    pub edition: String,
    /// The name of the kind of player.
    pub kind: String,
    /// The rating.
    pub skill: Skill,
    /// The number of rated games.
    pub games: i64,
    /// When the last rated game ended, in microseconds since 1970.
    pub updated_at: i64,
}

/// The place of a step in the order of ratings.
///
/// Games are in the order of the log of all games. Events of leagues come after the games that had ended by then, in
/// the order of their log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RatingPlace {
    /// The position of a game's last event.
    /// For an event of a league, the end of the log of all games at that time.
    pub position: i64,
    /// The position of an event in the log of all leagues; 0 for games.
    pub league_position: i64,
}

/// A finished game or an event of a league, which may change ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingStep {
    /// The place in the order of ratings.
    pub place: RatingPlace,
    /// The id of the game, or of the league for its event.
    pub id: String,
    /// When it happened, in microseconds since 1970.
    pub at: i64,
    /// The event of the league, as JSON; `None` for games.
    pub text: Option<String>,
}

/// The change of a rating by a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingChange {
    /// The place in the order of ratings.
    pub place: RatingPlace,
    /// The id of an account, or the name of a bot.
    pub player: String,
    /// The edition; empty for all editions together.
    pub edition: String,
    /// The id of the game; for an over-the-board result, of the league.
    pub game: String,
    /// The table of the league; 0 for games.
    pub league_table: i64,
    /// When the game ended, in microseconds since 1970.
    pub at: i64,
    /// The mean rank of the player's seats, in sixtieths.
    pub rank: i64,
    /// The number of compared players.
    pub players: i64,
    /// The rating before the game.
    pub before: Skill,
    /// The rating after the game.
    pub after: Skill,
}

/// The name of the projection.
const NAME: &str = "ratings";

/// The progress of the ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingsEnd {
    /// The run that is being written.
    pub run: i64,
    /// The published run.
    pub shown: i64,
    /// The position of the last event of the last applied game.
    pub position: i64,
    /// The version of the algorithm.
    pub algorithm: i64,
    /// The position of the last applied event in the log of all leagues.
    pub league_position: i64,
    /// 1 if an applied result was corrected later; else 0.
    pub stale: i64,
}

/// A row of `ratings`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = ratings)]
struct RatingRow {
    run: i64,
    player: String,
    edition: String,
    kind: String,
    rating: i64,
    uncertainty: i64,
    ordinal: i64,
    games: i64,
    updated_at: i64,
}

impl RatingRow {
    fn new(run: i64, rating: StoredRating) -> RatingRow {
        RatingRow {
            run,
            player: rating.player,
            edition: rating.edition,
            kind: rating.kind,
            rating: rating.skill.rating,
            uncertainty: rating.skill.uncertainty,
            ordinal: rating.skill.ordinal(),
            games: rating.games,
            updated_at: rating.updated_at,
        }
    }
}

impl From<RatingRow> for StoredRating {
    fn from(row: RatingRow) -> StoredRating {
        StoredRating {
            player: row.player,
            edition: row.edition,
            kind: row.kind,
            skill: Skill {
                rating: row.rating,
                uncertainty: row.uncertainty,
            },
            games: row.games,
            updated_at: row.updated_at,
        }
    }
}

/// A row of `rating_changes`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = rating_changes)]
struct ChangeRow {
    run: i64,
    position: i64,
    player: String,
    edition: String,
    game: String,
    at: i64,
    place: i64,
    players: i64,
    rating_before: i64,
    uncertainty_before: i64,
    rating: i64,
    uncertainty: i64,
    league_position: i64,
    league_table: i64,
}

impl ChangeRow {
    fn new(run: i64, change: RatingChange) -> ChangeRow {
        ChangeRow {
            run,
            position: change.place.position,
            player: change.player,
            edition: change.edition,
            game: change.game,
            at: change.at,
            place: change.rank,
            players: change.players,
            rating_before: change.before.rating,
            uncertainty_before: change.before.uncertainty,
            rating: change.after.rating,
            uncertainty: change.after.uncertainty,
            league_position: change.place.league_position,
            league_table: change.league_table,
        }
    }
}

impl From<ChangeRow> for RatingChange {
    fn from(row: ChangeRow) -> RatingChange {
        RatingChange {
            place: RatingPlace {
                position: row.position,
                league_position: row.league_position,
            },
            player: row.player,
            edition: row.edition,
            game: row.game,
            league_table: row.league_table,
            at: row.at,
            rank: row.place,
            players: row.players,
            before: Skill {
                rating: row.rating_before,
                uncertainty: row.uncertainty_before,
            },
            after: Skill {
                rating: row.rating,
                uncertainty: row.uncertainty,
            },
        }
    }
}

/// Filters ratings.
#[derive(Clone, Debug)]
pub struct RatingFilter {
    /// The name of the kind of player.
    pub kind: String,
    /// The edition; empty for all editions together.
    pub edition: String,
    /// The minimum number of games.
    pub games: i64,
}

/// A page of the ratings of a run, read at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingRows {
    /// The progress of the ratings.
    pub end: RatingsEnd,
    /// The number of ratings of the run.
    pub count: i64,
    /// The ratings, each with its stored ordinal.
    pub items: Vec<(StoredRating, i64)>,
}

/// The most changes that are read at a time: far more than a batch of games causes.
const MOST_CHANGES: i64 = 100_000;

/// The number of changes of an old run that are deleted at a time.
const FORGOTTEN: i64 = 2_000;

impl RatingsEnd {
    /// Returns the offset of the run that is being written.
    fn offset(self) -> Offset {
        Offset {
            version: self.algorithm,
            run: self.run,
            position: self.position,
            league_position: self.league_position,
        }
    }
}

/// Returns the progress of the ratings.
fn end(connection: &mut AnyConnection) -> Result<RatingsEnd, StoreError> {
    let Offset {
        version,
        run,
        position,
        league_position,
    } = offset(connection, NAME)?;
    let (shown, stale) = ratings_shown::table
        .find(1)
        .select((ratings_shown::run, ratings_shown::stale))
        .first(connection)?;
    Ok(RatingsEnd {
        run,
        shown,
        position,
        algorithm: version,
        league_position,
        stale,
    })
}

fn set_stale(connection: &mut AnyConnection, stale: i64) -> Result<(), StoreError> {
    diesel::update(ratings_shown::table.find(1))
        .set(ratings_shown::stale.eq(stale))
        .execute(connection)?;
    Ok(())
}

/// Queries the published run, and repeats the query if another run was published while it ran.
fn query_published<T>(
    connection: &mut AnyConnection,
    ask: impl Fn(&mut AnyConnection, i64) -> QueryResult<T>,
) -> Result<T, StoreError> {
    loop {
        let shown = end(connection)?.shown;
        let found = ask(connection, shown)?;
        if end(connection)?.shown == shown {
            return Ok(found);
        }
    }
}

impl Store {
    /// Returns the progress of the ratings.
    pub fn ratings_end(&self) -> Result<RatingsEnd, StoreError> {
        end(&mut *self.connection()?)
    }

    /// Returns the next steps of ratings after an offset in both logs, in order.
    ///
    /// They are finished games that are rated and not private, and all events of leagues.
    pub(super) fn rating_steps(
        &self,
        position: i64,
        league_position: i64,
        limit: i64,
    ) -> Result<Vec<RatingStep>, StoreError> {
        // Both logs must be read at the same moment.
        at_one_moment(&mut *self.connection()?, |connection| {
            let games: Vec<(String, i64, i64)> = games::table
                .filter(games::rated.eq(1))
                .filter(games::finished_position.gt(position))
                .filter(games::visibility.ne(Visibility::Private.name()))
                .order(games::finished_position)
                .limit(limit)
                .select((
                    games::id,
                    games::updated_at,
                    games::finished_position.assume_not_null(),
                ))
                .load(connection)?;
            let events: Vec<(String, i64, String, i64, i64)> = league_events::table
                .filter(league_events::position.gt(league_position))
                .order(league_events::position)
                .limit(limit)
                .select((
                    league_events::league,
                    league_events::at,
                    league_events::text,
                    league_events::log_position.assume_not_null(),
                    league_events::position.assume_not_null(),
                ))
                .load(connection)?;
            let place = |position, league_position| RatingPlace {
                position,
                league_position,
            };
            let games = games.into_iter().map(|(id, at, position)| RatingStep {
                place: place(position, 0),
                id,
                at,
                text: None,
            });
            let events = events.into_iter();
            let events = events.map(|(id, at, text, position, league_position)| RatingStep {
                place: place(position, league_position),
                id,
                at,
                text: Some(text),
            });
            let mut steps: Vec<RatingStep> = games.chain(events).collect();
            steps.sort_by_key(|step| step.place);
            steps.truncate(limit as usize);
            Ok(steps)
        })
    }

    /// Returns the place of an event of a league; `None` if there is no such event.
    pub(super) fn rating_place(
        &self,
        league: Uuid,
        seq: u64,
    ) -> Result<Option<RatingPlace>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<(i64, i64)> = league_events::table
            .find((league.to_string(), seq as i64))
            .select((league_events::log_position, league_events::position))
            .first(connection)
            .optional()?;
        Ok(found.map(|(position, league_position)| RatingPlace {
            position,
            league_position,
        }))
    }

    /// Returns the players that a run compared at a place, with their ranks in sixtieths.
    pub(super) fn compared_at(
        &self,
        run: i64,
        place: RatingPlace,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(rating_changes::table
            .filter(rating_changes::run.eq(run))
            .filter(rating_changes::position.eq(place.position))
            .filter(rating_changes::league_position.eq(place.league_position))
            .filter(rating_changes::edition.eq(""))
            .order(rating_changes::player)
            .select((rating_changes::player, rating_changes::place))
            .load(connection)?)
    }

    /// Returns the ratings of players in a run, in all editions.
    pub(super) fn ratings_in(
        &self,
        run: i64,
        players: Vec<String>,
    ) -> Result<Vec<StoredRating>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<RatingRow> = ratings::table
            .filter(ratings::run.eq(run))
            .filter(ratings::player.eq_any(players))
            .load(connection)?;
        Ok(rows.into_iter().map(StoredRating::from).collect())
    }

    /// Returns at most `limit` ratings of the run that is being written, after a player and edition.
    pub(super) fn rating_page(
        &self,
        behind: Option<(String, String)>,
        limit: i64,
    ) -> Result<RatingRows, StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let end = end(connection)?;
            let run = ratings::run.eq(end.run);
            let mut query = ratings::table.filter(run).into_boxed();
            if let Some((player, edition)) = &behind {
                let later = ratings::player.gt(player).or(ratings::edition.gt(edition));
                query = query.filter(ratings::player.ge(player)).filter(later);
            }
            let rows: Vec<RatingRow> = query
                .order((ratings::player, ratings::edition))
                .limit(limit)
                .load(connection)?;
            let items = rows.into_iter().map(|row| {
                let ordinal = row.ordinal;
                (row.into(), ordinal)
            });
            Ok(RatingRows {
                end,
                count: ratings::table.filter(run).count().get_result(connection)?,
                items: items.collect(),
            })
        })
    }

    /// Returns the changes of a run between two places, and the progress of the ratings.
    ///
    /// Both are read at the same moment.
    pub(super) fn rating_changes_between(
        &self,
        run: i64,
        behind: RatingPlace,
        until: RatingPlace,
    ) -> Result<(RatingsEnd, Vec<RatingChange>), StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let later = (rating_changes::position.gt(behind.position))
                .or(rating_changes::league_position.gt(behind.league_position));
            let earlier = (rating_changes::position.lt(until.position))
                .or(rating_changes::league_position.le(until.league_position));
            // The first conditions allow the use of an index.
            let rows: Vec<ChangeRow> = rating_changes::table
                .filter(rating_changes::run.eq(run))
                .filter(rating_changes::position.ge(behind.position))
                .filter(rating_changes::position.le(until.position))
                .filter(later)
                .filter(earlier)
                .limit(MOST_CHANGES)
                .load(connection)?;
            let rows = rows.into_iter().map(RatingChange::from);
            Ok((end(connection)?, rows.collect()))
        })
    }

    /// Stores a batch of changes and the new progress, if no other node has written since `from` was read.
    ///
    /// Returns whether it was stored.
    pub(super) fn add_ratings(
        &self,
        from: RatingsEnd,
        to: RatingsEnd,
        changed: Vec<StoredRating>,
        changes: Vec<RatingChange>,
    ) -> Result<bool, StoreError> {
        self.advance(NAME, from.offset(), to.offset(), move |transaction| {
            let connection = &mut *transaction.0;
            for rating in changed {
                let row = RatingRow::new(from.run, rating);
                let key = ratings::table.find((row.run, row.player.clone(), row.edition.clone()));
                let known = diesel::update(key)
                    .set((
                        ratings::rating.eq(row.rating),
                        ratings::uncertainty.eq(row.uncertainty),
                        ratings::ordinal.eq(row.ordinal),
                        ratings::games.eq(row.games),
                        ratings::updated_at.eq(row.updated_at),
                    ))
                    .execute(connection)?;
                if known == 0 {
                    diesel::insert_into(ratings::table)
                        .values(row)
                        .execute(connection)?;
                }
            }
            for change in changes {
                diesel::insert_into(rating_changes::table)
                    .values(ChangeRow::new(from.run, change))
                    .execute(connection)?;
            }
            match to.stale == from.stale {
                true => Ok(()),
                false => set_stale(connection, to.stale),
            }
        })
    }

    /// Begins a new run from the first game, if no other node has written since `from` was read.
    /// Returns whether it began.
    ///
    /// The published run stays until [`Store::show_ratings`].
    pub fn begin_ratings(&self, from: RatingsEnd, algorithm: i64) -> Result<bool, StoreError> {
        let offset = from.offset();
        self.advance(NAME, offset, offset.restart(algorithm), |transaction| {
            set_stale(transaction.0, 0)
        })
    }

    /// Publishes the run that is being written, if no other node has written since `from` was read.
    pub(super) fn show_ratings(&self, from: RatingsEnd) -> Result<(), StoreError> {
        let shown = from.offset();
        self.advance(NAME, shown, shown, move |transaction| {
            diesel::update(ratings_shown::table.find(1))
                .set(ratings_shown::run.eq(from.run))
                .execute(transaction.0)?;
            Ok(())
        })?;
        Ok(())
    }

    /// Deletes a part of a run older than the published one. Returns whether there was one.
    pub(super) fn forget_ratings(&self, shown: i64) -> Result<bool, StoreError> {
        let connection = &mut *self.connection()?;
        let old = ratings::table.filter(ratings::run.lt(shown));
        let old: Option<i64> = old.select(ratings::run).first(connection).optional()?;
        let Some(run) = old else {
            return Ok(false);
        };
        let far: Option<i64> = rating_changes::table
            .filter(rating_changes::run.eq(run))
            .order(rating_changes::position)
            .offset(FORGOTTEN)
            .select(rating_changes::position)
            .first(connection)
            .optional()?;
        self.write(move |connection| {
            let part = rating_changes::table
                .filter(rating_changes::run.eq(run))
                .filter(rating_changes::position.le(far.unwrap_or(i64::MAX)));
            diesel::delete(part).execute(connection)?;
            if far.is_none() {
                diesel::delete(ratings::table.filter(ratings::run.eq(run))).execute(connection)?;
            }
            Ok(true)
        })
    }

    /// Returns ratings, highest ordinal first, after an ordinal and a player, with the handles of accounts.
    pub(super) fn ratings(
        &self,
        filter: &RatingFilter,
        behind: Option<(i64, String)>,
        limit: usize,
    ) -> Result<Vec<(StoredRating, Option<String>)>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<(RatingRow, Option<String>)> =
            query_published(connection, |connection, shown| {
                let mut query = ratings::table
                    .left_join(accounts::table.on(accounts::id.eq(ratings::player)))
                    .filter(ratings::run.eq(shown))
                    .filter(ratings::kind.eq(&filter.kind))
                    .filter(ratings::edition.eq(&filter.edition))
                    .filter(ratings::games.ge(filter.games))
                    .select((RatingRow::as_select(), accounts::handle.nullable()))
                    .into_boxed();
                if let Some((ordinal, player)) = &behind {
                    // The first condition allows the use of an index.
                    let lower = (ratings::ordinal.lt(*ordinal)).or(ratings::player.lt(player));
                    query = query.filter(ratings::ordinal.le(*ordinal)).filter(lower);
                }
                query
                    .order((ratings::ordinal.desc(), ratings::player.desc()))
                    .limit(limit as i64)
                    .load(connection)
            })?;
        Ok((rows.into_iter())
            .map(|(row, handle)| (row.into(), handle))
            .collect())
    }

    /// Returns the ratings of a player: first for all editions together, then by edition.
    pub(super) fn ratings_of(&self, player: &str) -> Result<Vec<StoredRating>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<RatingRow> = query_published(connection, |connection, shown| {
            ratings::table
                .filter(ratings::run.eq(shown))
                .filter(ratings::player.eq(player))
                .order(ratings::edition)
                .load(connection)
        })?;
        Ok(rows.into_iter().map(StoredRating::from).collect())
    }

    /// Returns changes of a rating before a place, latest first, with the visibility of the game or league.
    pub(super) fn rating_changes(
        &self,
        player: &str,
        edition: &str,
        before: Option<RatingPlace>,
        limit: usize,
    ) -> Result<Vec<(RatingChange, Option<Visibility>)>, StoreError> {
        type ChangeWithVisibility = (ChangeRow, Option<String>, Option<String>);
        let connection = &mut *self.connection()?;
        let rows: Vec<ChangeWithVisibility> = query_published(connection, |connection, shown| {
            let mut query = rating_changes::table
                .left_join(games::table.on(games::id.eq(rating_changes::game)))
                .left_join(leagues::table.on(leagues::id.eq(rating_changes::game)))
                .filter(rating_changes::run.eq(shown))
                .filter(rating_changes::player.eq(player))
                .filter(rating_changes::edition.eq(edition))
                .select((
                    ChangeRow::as_select(),
                    games::visibility.nullable(),
                    leagues::visibility.nullable(),
                ))
                .into_boxed();
            if let Some(before) = before {
                // The first condition allows the use of an index.
                let earlier = (rating_changes::position.lt(before.position))
                    .or(rating_changes::league_position.lt(before.league_position));
                query = query
                    .filter(rating_changes::position.le(before.position))
                    .filter(earlier);
            }
            query
                .order((
                    rating_changes::position.desc(),
                    rating_changes::league_position.desc(),
                ))
                .limit(limit as i64)
                .load(connection)
        })?;
        let with_visibility = |(row, of_game, of_league): ChangeWithVisibility| {
            let visibility = of_game.or(of_league);
            let visibility = visibility.and_then(|name| Visibility::by_name(&name));
            (row.into(), visibility)
        };
        Ok(rows.into_iter().map(with_visibility).collect())
    }
}
