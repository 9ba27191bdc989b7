//! Ratings of players, and what each game did to them. They are written by runs: a run begins with the first game
//! and is shown once it has come to the last, so that ratings are there while they are computed anew.

use diesel::prelude::*;

use super::connection::AnyConnection;
use super::game::Visibility;
use super::schema::{accounts, events, games, rating_changes, ratings, ratings_end};
use super::{Store, StoreError};

/// How strong somebody is, as far as that is known, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The mean.
    pub rating: i64,
    /// The standard deviation.
    pub uncertainty: i64,
}

impl Skill {
    /// How strong somebody is at least, as good as certainly: the mean less three standard deviations.
    pub fn ordinal(self) -> i64 {
        self.rating - 3 * self.uncertainty
    }
}

/// What a player is rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRating {
    /// The id of an account, or the name of a bot.
    pub player: String,
    /// In which edition; empty for all of them together.
    pub edition: String,
    /// The kind of player, by its name.
    pub kind: String,
    /// The rating.
    pub skill: Skill,
    /// How many games it is made of.
    pub games: i64,
    /// When the last of them ended, in microseconds since 1970.
    pub updated_at: i64,
}

/// What a game did to a rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingChange {
    /// The position of the game's last event.
    pub position: i64,
    /// The id of an account, or the name of a bot.
    pub player: String,
    /// In which edition; empty for all of them together.
    pub edition: String,
    /// The game's id.
    pub game: String,
    /// When it ended, in microseconds since 1970.
    pub at: i64,
    /// The mean rank of the player's seats, in sixtieths.
    pub place: i64,
    /// How many players were compared.
    pub players: i64,
    /// The rating before.
    pub before: Skill,
    /// The rating after.
    pub after: Skill,
}

/// How far the ratings go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable)]
pub struct RatingsEnd {
    /// The run that is written.
    pub run: i64,
    /// The run that is shown.
    pub shown: i64,
    /// Up to which game the run goes, by the position of its last event.
    pub position: i64,
    /// The version of the algorithm.
    pub algorithm: i64,
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
}

impl ChangeRow {
    fn new(run: i64, change: RatingChange) -> ChangeRow {
        ChangeRow {
            run,
            position: change.position,
            player: change.player,
            edition: change.edition,
            game: change.game,
            at: change.at,
            place: change.place,
            players: change.players,
            rating_before: change.before.rating,
            uncertainty_before: change.before.uncertainty,
            rating: change.after.rating,
            uncertainty: change.after.uncertainty,
        }
    }
}

impl From<ChangeRow> for RatingChange {
    fn from(row: ChangeRow) -> RatingChange {
        RatingChange {
            position: row.position,
            player: row.player,
            edition: row.edition,
            game: row.game,
            at: row.at,
            place: row.place,
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

/// Which ratings are listed.
#[derive(Clone, Debug)]
pub struct RatingFilter {
    /// The kind of player, by its name.
    pub kind: String,
    /// The edition; empty for all of them together.
    pub edition: String,
    /// The least number of games.
    pub games: i64,
}

/// Of how many changes a run that is shown no more is rid at a time.
const FORGOTTEN: i64 = 2_000;

/// How far the ratings go.
fn end(connection: &mut AnyConnection) -> Result<RatingsEnd, StoreError> {
    let columns = (
        ratings_end::run,
        ratings_end::shown,
        ratings_end::position,
        ratings_end::algorithm,
    );
    Ok(ratings_end::table
        .find(1)
        .select(columns)
        .first(connection)?)
}

/// Asks the run that is shown, and again when another is shown meanwhile.
fn of_shown<T>(
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
    /// How far the ratings go.
    ///
    /// # Errors
    /// When the database fails.
    pub fn ratings_end(&self) -> Result<RatingsEnd, StoreError> {
        end(&mut *self.connection()?)
    }

    /// Finished games that say they are rated and that more than their players may see, with their last event
    /// behind a position of the log of all games, with the position of that event, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub fn rated_after(&self, position: i64, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .filter(games::rated.eq(1))
            .filter(games::finished_position.gt(position))
            .filter(games::visibility.ne(Visibility::Private.name()))
            .order(games::finished_position)
            .limit(limit)
            .select((games::id, games::finished_position.assume_not_null()))
            .load(connection)?)
    }

    /// What the log of a game, by its number, says of seats behind its setup, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub fn seatings(&self, game: i64) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(events::table
            .filter(events::game.eq(game))
            .filter(events::notation.like("seat %"))
            .order(events::seq)
            .select(events::notation)
            .load(connection)?)
    }

    /// The ratings of players in a run, in all editions.
    ///
    /// # Errors
    /// When the database fails.
    pub fn ratings_in(
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

    /// Writes what games did, up to a position, if nobody has written since `from` was read; says whether.
    ///
    /// # Errors
    /// When the database fails. Nothing is written then.
    pub fn add_ratings(
        &self,
        from: RatingsEnd,
        position: i64,
        changed: Vec<StoredRating>,
        changes: Vec<RatingChange>,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            if end(connection)? != from {
                return Ok(false);
            }
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
            diesel::update(ratings_end::table.find(1))
                .set(ratings_end::position.eq(position))
                .execute(connection)?;
            Ok(true)
        })
    }

    /// Begins another run, from the first game on, if nobody has written since `from` was read; says whether. The
    /// one that is shown stays until [`Store::show_ratings`].
    ///
    /// # Errors
    /// When the database fails. Nothing is written then.
    pub fn begin_ratings(&self, from: RatingsEnd, algorithm: i64) -> Result<bool, StoreError> {
        self.write(move |connection| {
            if end(connection)? != from {
                return Ok(false);
            }
            diesel::update(ratings_end::table.find(1))
                .set((
                    ratings_end::run.eq(from.run + 1),
                    ratings_end::position.eq(0),
                    ratings_end::algorithm.eq(algorithm),
                ))
                .execute(connection)?;
            Ok(true)
        })
    }

    /// Shows the run that is written, if nobody has written since `from` was read.
    ///
    /// # Errors
    /// When the database fails. Nothing is written then.
    pub fn show_ratings(&self, from: RatingsEnd) -> Result<(), StoreError> {
        self.write(move |connection| {
            if end(connection)? == from {
                diesel::update(ratings_end::table.find(1))
                    .set(ratings_end::shown.eq(from.run))
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    /// Forgets some of a run before the one that is shown; says whether there was one.
    ///
    /// # Errors
    /// When the database fails. Nothing is written then.
    pub fn forget_ratings(&self, shown: i64) -> Result<bool, StoreError> {
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

    /// Ratings that fit, the highest ordinal first, behind an ordinal and a player, with the handles of accounts.
    ///
    /// # Errors
    /// When the database fails.
    pub fn ratings(
        &self,
        filter: &RatingFilter,
        behind: Option<(i64, String)>,
        limit: usize,
    ) -> Result<Vec<(StoredRating, Option<String>)>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<(RatingRow, Option<String>)> = of_shown(connection, |connection, shown| {
            let mut query = ratings::table
                .left_join(accounts::table.on(accounts::id.eq(ratings::player)))
                .filter(ratings::run.eq(shown))
                .filter(ratings::kind.eq(&filter.kind))
                .filter(ratings::edition.eq(&filter.edition))
                .filter(ratings::games.ge(filter.games))
                .select((RatingRow::as_select(), accounts::handle.nullable()))
                .into_boxed();
            if let Some((ordinal, player)) = &behind {
                // The first condition is the one that an index takes.
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

    /// The ratings of a player: in all editions together first, then by edition.
    ///
    /// # Errors
    /// When the database fails.
    pub fn ratings_of(&self, player: &str) -> Result<Vec<StoredRating>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<RatingRow> = of_shown(connection, |connection, shown| {
            ratings::table
                .filter(ratings::run.eq(shown))
                .filter(ratings::player.eq(player))
                .order(ratings::edition)
                .load(connection)
        })?;
        Ok(rows.into_iter().map(StoredRating::from).collect())
    }

    /// What games did to a rating, the last first, those before a position; each with who may see the game.
    ///
    /// # Errors
    /// When the database fails.
    pub fn rating_changes(
        &self,
        player: &str,
        edition: &str,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<(RatingChange, Option<Visibility>)>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<(ChangeRow, String)> = of_shown(connection, |connection, shown| {
            rating_changes::table
                .inner_join(games::table.on(games::id.eq(rating_changes::game)))
                .filter(rating_changes::run.eq(shown))
                .filter(rating_changes::player.eq(player))
                .filter(rating_changes::edition.eq(edition))
                .filter(rating_changes::position.lt(before.unwrap_or(i64::MAX)))
                .order(rating_changes::position.desc())
                .limit(limit as i64)
                .select((ChangeRow::as_select(), games::visibility))
                .load(connection)
        })?;
        let told = rows.into_iter();
        Ok(told
            .map(|(row, visibility)| (row.into(), Visibility::by_name(&visibility)))
            .collect())
    }
}
