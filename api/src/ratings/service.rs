//! Ratings: a projection of rated games and over-the-board results, in the order of the logs.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use analytics::ratings::algorithm;
use analytics::ratings::algorithm::{ALGORITHM, Skill};
use analytics::ratings::{KINDS, PLACES, RankedPlayer, participants, ranked};
use bots::Spec;
use charts::Curves;
use engine::setup::PlayerKind;

use crate::accounts::service::Accounts;
use crate::db::projections::{BatchOutcome, Projection, ProjectionError};
use crate::db::time::timestamp;
use crate::db::{Store, StoreError};
use crate::games::model::Visibility;
use crate::games::{counts, known_id};
use crate::http::error::ServiceError;
use crate::http::page::cut;
use crate::leagues::event::change_of_tables;
use crate::leagues::league::{League, LeagueTable};
use crate::leagues::log::LeagueLog;
use crate::leagues::results::ranked_at_table;
use crate::ratings::forecast::{Comparison, compare};
use crate::ratings::model::{
    PlayerProfile, RatingBody, RatingChangeBody, RatingHistory, RatingKind, RatingPage, SkillBody,
};
use crate::ratings::pictures::{DRAWN, rating_curves};
use crate::ratings::queries::{
    RatingChange, RatingFilter, RatingPlace, RatingStep, RatingsEnd, StoredRating,
};
use crate::ratings::ranked_game::RankedGame;

/// The number of games and events in a batch.
pub const BATCH: usize = 64;

/// A rating of fewer games is provisional.
pub const PROVISIONAL: i64 = 10;

/// The edition of a rating for all editions together.
const ALL_EDITIONS: &str = "";

/// The service of ratings.
#[derive(Debug)]
pub struct Ratings {
    pub(crate) store: Arc<Store>,
    accounts: Arc<Accounts>,
    leagues: Arc<LeagueLog>,
    pace: Mutex<RatingPace>,
}

/// The projection of ratings.
struct RatingProjection(Arc<Ratings>);

impl Projection for RatingProjection {
    fn name(&self) -> &'static str {
        "ratings"
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
        self.0.rate(limit)
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let store = &self.0.store;
        let end = store.ratings_end()?;
        let steps = store.rating_steps(end.position, end.league_position, 1)?;
        let Some(step) = steps.into_iter().next() else {
            return Ok(None);
        };
        store.add_ratings(end, end_after(end, &step), Vec::new(), Vec::new())?;
        Ok(Some(step.id))
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        let store = &self.0.store;
        let end = store.ratings_end()?;
        if end.algorithm > ALGORITHM {
            let message =
                "the ratings were computed by a newer version of this program: use that version";
            return Err(ProjectionError::new(message));
        }
        // If another node was first, its run is equivalent.
        store.begin_ratings(end, ALGORITHM)?;
        Ok(())
    }
}

/// A game or result that counts for ratings.
pub(crate) struct RatedGame {
    place: RatingPlace,
    /// The id of the game; for an over-the-board result, of the league.
    id: String,
    /// The number of the table in the league; 0 for a game on this server.
    league_table: u32,
    edition: String,
    /// When it ended, in microseconds since 1970.
    ended_at: i64,
    /// The compared players, by kind.
    compared: Vec<Vec<RankedPlayer>>,
}

/// Returns the tables of a league that a step corrects.
fn corrected(step: &RatingStep) -> Option<Vec<u32>> {
    let (tables, is_correction) = change_of_tables(step.text.as_deref()?)?;
    is_correction.then_some(tables)
}

/// Returns the progress of ratings after a step.
pub(crate) fn end_after(end: RatingsEnd, step: &RatingStep) -> RatingsEnd {
    let RatingPlace {
        position,
        league_position,
    } = step.place;
    match step.text {
        None => RatingsEnd { position, ..end },
        Some(_) => RatingsEnd {
            league_position,
            ..end
        },
    }
}

/// Applies games to ratings, and returns the changes. Ratings of new players are added.
pub(crate) fn apply_games(
    games: &[RatedGame],
    ratings: &mut HashMap<(String, String), StoredRating>,
) -> Vec<RatingChange> {
    let mut changes = Vec::new();
    for game in games {
        for compared in &game.compared {
            for edition in [game.edition.as_str(), ALL_EDITIONS] {
                let key = |player: &RankedPlayer| (player.player.clone(), edition.to_owned());
                let before: Vec<(Skill, u32)> = (compared.iter())
                    .map(|player| {
                        let known = ratings.get(&key(player));
                        (
                            known.map_or(algorithm::NEW, |rating| rating.skill),
                            player.place,
                        )
                    })
                    .collect();
                let after = algorithm::step(&before);
                for ((player, (before, place)), after) in compared.iter().zip(before).zip(after) {
                    let rating = ratings.entry(key(player)).or_insert_with(|| StoredRating {
                        player: player.player.clone(),
                        edition: edition.to_owned(),
                        kind: player.kind.name().to_owned(),
                        skill: before,
                        games: 0,
                        updated_at: game.ended_at,
                    });
                    rating.skill = after;
                    rating.games += 1;
                    rating.updated_at = game.ended_at;
                    changes.push(RatingChange {
                        place: game.place,
                        player: player.player.clone(),
                        edition: edition.to_owned(),
                        game: game.id.clone(),
                        league_table: i64::from(game.league_table),
                        at: game.ended_at,
                        rank: i64::from(place),
                        players: compared.len() as i64,
                        before,
                        after,
                    });
                }
            }
        }
    }
    changes
}

/// When this node began and published the last run after a correction.
#[derive(Clone, Copy, Debug, Default)]
pub struct RatingPace {
    begun: Option<Instant>,
    shown: Option<Instant>,
}

impl RatingPace {
    /// Returns the wait before the next run.
    ///
    /// It limits recomputing to half of the time, even if results are corrected continually.
    fn pause(&self, now: Instant) -> Duration {
        let (Some(begun), Some(shown)) = (self.begun, self.shown) else {
            return Duration::ZERO;
        };
        let (took, shows) = (
            shown.saturating_duration_since(begun),
            now.saturating_duration_since(shown),
        );
        took.saturating_sub(shows)
    }
}

impl Ratings {
    /// Creates the service of the ratings in a store.
    pub fn new(store: Arc<Store>, accounts: Arc<Accounts>, leagues: Arc<LeagueLog>) -> Ratings {
        Ratings {
            store,
            accounts,
            leagues,
            pace: Mutex::default(),
        }
    }

    /// Returns the projection that computes the ratings.
    pub fn projection(self: &Arc<Ratings>) -> Box<dyn Projection> {
        Box::new(RatingProjection(self.clone()))
    }

    fn pace(&self) -> MutexGuard<'_, RatingPace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies a batch of steps, or publishes a complete run, or deletes a part of an old run.
    pub fn rate(&self, most: usize) -> Result<BatchOutcome, ProjectionError> {
        let end = self.store.ratings_end()?;
        if end.algorithm > ALGORITHM {
            // Nodes with a newer program continue with their run.
            return Ok(BatchOutcome::All);
        }
        if end.algorithm < ALGORITHM {
            self.store.begin_ratings(end, ALGORITHM)?;
            return Ok(BatchOutcome::More);
        }
        let mut found =
            (self.store).rating_steps(end.position, end.league_position, most as i64)?;
        let Some(first) = found.first() else {
            if end.run != end.shown {
                self.store.show_ratings(end)?;
                self.pace().shown = Some(Instant::now());
                return Ok(BatchOutcome::More);
            }
            // Before another run begins, so that there are never more than two runs.
            if self.store.forget_ratings(end.shown)? {
                return Ok(BatchOutcome::More);
            }
            if end.stale == 0 {
                return Ok(BatchOutcome::All);
            }
            let pause = self.pace().pause(Instant::now());
            if !pause.is_zero() {
                return Ok(BatchOutcome::AllFor(pause));
            }
            self.store.begin_ratings(end, ALGORITHM)?;
            self.pace().begun = Some(Instant::now());
            return Ok(BatchOutcome::More);
        };
        if corrected(first).is_some() {
            let mut to = end;
            for (step, tables) in found
                .iter()
                .map_while(|step| Some((step, corrected(step)?)))
            {
                let at = |error: ServiceError| ProjectionError::at(&step.id, error);
                for table in tables {
                    if to.stale == 0 {
                        let league = known_id(&step.id).map_err(at)?;
                        to.stale =
                            i64::from(!self.is_rating_current(end, league, table).map_err(at)?);
                    }
                }
                to = end_after(to, step);
            }
            self.store.add_ratings(end, to, Vec::new(), Vec::new())?;
            return Ok(BatchOutcome::More);
        }
        let until = found.iter().position(|step| corrected(step).is_some());
        found.truncate(until.unwrap_or(found.len()));
        let to = found.iter().fold(end, end_after);
        let games =
            (self.rated_games(&found)).map_err(|(step, error)| ProjectionError::at(step, error))?;
        let mut ratings = self.ratings_before(end, &games)?;
        let changes = apply_games(&games, &mut ratings);
        let touched: HashSet<(&str, &str)> = (changes.iter())
            .map(|change| (&*change.player, &*change.edition))
            .collect();
        ratings.retain(|(player, edition), _| touched.contains(&(&**player, &**edition)));
        let changed = ratings.into_values().collect();
        self.store.add_ratings(end, to, changed, changes)?;
        Ok(BatchOutcome::More)
    }

    /// Forecasts the rated games of a kind of player, in order. Also returns the number of games.
    pub fn forecast(&self, kind: PlayerKind) -> Result<(Comparison, usize), ServiceError> {
        let mut games: Vec<RankedGame> = Vec::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        self.each_rated(|game| {
            let mut compared = game.compared.into_iter();
            let own = compared.find(|players| players.iter().any(|player| player.kind == kind));
            let numbered = own.into_iter().map(|players| {
                let number = |player: RankedPlayer| {
                    let next = numbers.len();
                    (*numbers.entry(player.player).or_insert(next), player.place)
                };
                players.into_iter().map(number).collect()
            });
            games.extend(numbered);
        })?;
        Ok((compare(&games, numbers.len()), games.len()))
    }

    fn each_rated(&self, mut each: impl FnMut(RatedGame)) -> Result<(), ServiceError> {
        let (mut position, mut league_position) = (0, 0);
        loop {
            let found = (self.store).rating_steps(position, league_position, BATCH as i64)?;
            if found.is_empty() {
                return Ok(());
            }
            for step in &found {
                match step.text {
                    None => position = step.place.position,
                    Some(_) => league_position = step.place.league_position,
                }
            }
            let games = self.rated_games(&found).map_err(|(_, error)| error)?;
            games.into_iter().for_each(&mut each);
        }
    }

    /// Returns the steps that count as games. An error comes with the id of its game or league.
    pub(crate) fn rated_games(
        &self,
        found: &[RatingStep],
    ) -> Result<Vec<RatedGame>, (String, ServiceError)> {
        let mut games = Vec::with_capacity(found.len());
        for step in found {
            let rated = match &step.text {
                None => self.rated_game(&step.id, step.place),
                Some(text) => match change_of_tables(text) {
                    Some((tables, false)) => {
                        (tables.first()).map_or(Ok(None), |table| self.rated_result(step, *table))
                    }
                    _ => Ok(None),
                },
            };
            match rated {
                Ok(game) => games.extend(game),
                Err(error @ ServiceError::Damaged { .. }) => {
                    tracing::warn!(game = step.id, %error, "a damaged game is not rated");
                }
                Err(error) => return Err((step.id.clone(), error)),
            }
        }
        Ok(games)
    }

    /// Returns a league and one of its tables, in their current state.
    fn table_now(
        &self,
        league: uuid::Uuid,
        table: u32,
    ) -> Result<Option<(Arc<League>, LeagueTable)>, ServiceError> {
        let league = match self.leagues.now(league) {
            Ok(league) => league,
            Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
                tracing::warn!(%league, %error, "the results of a damaged league are not rated");
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let table = league.table_numbered(table).cloned();
        Ok(table.map(|table| (league, table)))
    }

    /// Returns the over-the-board result of a table, if it counts.
    fn rated_result(
        &self,
        step: &RatingStep,
        table: u32,
    ) -> Result<Option<RatedGame>, ServiceError> {
        let found = self.table_now(known_id(&step.id)?, table)?;
        let Some((league, table)) = found else {
            return Ok(None);
        };
        let Some(ranked) = ranked_at_table(&league, &table) else {
            return Ok(None);
        };
        let compared = participants(&ranked, PlayerKind::Account);
        let played = table.played_at.map(|at| at.as_microsecond());
        Ok(Some(RatedGame {
            place: step.place,
            id: step.id.clone(),
            league_table: table.number,
            edition: table.edition,
            ended_at: played.unwrap_or(step.at),
            compared: Vec::from_iter(Some(compared).filter(|players| !players.is_empty())),
        }))
    }

    /// Whether the applied ratings match the current over-the-board result of a table.
    fn is_rating_current(
        &self,
        end: RatingsEnd,
        league: uuid::Uuid,
        number: u32,
    ) -> Result<bool, ServiceError> {
        let Some((current, table)) = self.table_now(league, number)? else {
            return Ok(true);
        };
        if table.game.is_some() {
            return Ok(true);
        }
        let Some(place) = self.store.rating_place(league, table.seq)? else {
            return Ok(true);
        };
        let ranked = ranked_at_table(&current, &table).unwrap_or_default();
        let mut now: Vec<(String, i64)> = participants(&ranked, PlayerKind::Account)
            .into_iter()
            .map(|own| (own.player, i64::from(own.place)))
            .collect();
        now.sort_unstable();
        Ok(self.store.compared_at(end.run, place)? == now)
    }

    fn rated_game(&self, id: &str, place: RatingPlace) -> Result<Option<RatedGame>, ServiceError> {
        let Some((stored, _)) = self.store.game(known_id(id)?)? else {
            return Ok(None);
        };
        let Some(result) = counts::result_that_counts(&stored)? else {
            return Ok(None);
        };
        let seatings = self.store.seatings(stored.number)?;
        let credited = counts::credited(&stored, &seatings)?;
        let ranked = ranked(result, credited);
        let mut compared: Vec<Vec<RankedPlayer>> =
            KINDS.map(|kind| participants(&ranked, kind)).into();
        compared.retain(|players| !players.is_empty());
        Ok(Some(RatedGame {
            place,
            id: stored.id.to_string(),
            league_table: 0,
            edition: stored.edition.clone(),
            ended_at: stored.updated_at,
            compared,
        }))
    }

    /// Returns the current ratings of the players who are compared in games.
    fn ratings_before(
        &self,
        end: RatingsEnd,
        games: &[RatedGame],
    ) -> Result<HashMap<(String, String), StoredRating>, ServiceError> {
        let compared = games.iter().flat_map(|game| &game.compared).flatten();
        let mut players: Vec<String> = compared.map(|player| player.player.clone()).collect();
        players.sort_unstable();
        players.dedup();
        let known = self.store.ratings_in(end.run, players)?;
        let keyed =
            |rating: StoredRating| ((rating.player.clone(), rating.edition.clone()), rating);
        Ok(known.into_iter().map(keyed).collect())
    }
}

fn body(rating: StoredRating, handle: Option<String>) -> RatingBody {
    RatingBody {
        kind: match rating.kind == PlayerKind::Bot.name() {
            true => RatingKind::Bot,
            false => RatingKind::Account,
        },
        player: rating.player,
        handle,
        edition: Some(rating.edition).filter(|edition| edition != ALL_EDITIONS),
        rating: algorithm::number(rating.skill.rating),
        uncertainty: algorithm::number(rating.skill.uncertainty),
        ordinal: algorithm::number(rating.skill.ordinal()),
        games: rating.games as u64,
        provisional: rating.games < PROVISIONAL,
        updated_at: timestamp(rating.updated_at),
    }
}

fn skill(skill: Skill) -> SkillBody {
    SkillBody {
        rating: algorithm::number(skill.rating),
        uncertainty: algorithm::number(skill.uncertainty),
    }
}

/// Parses the cursor of a list of ratings: `ORDINAL.PLAYER`, the player in hexadecimal.
fn cursor(text: &str) -> Option<(i64, String)> {
    let (ordinal, player) = text.split_once('.')?;
    let player = String::from_utf8(hex::decode(player).ok()?).ok()?;
    is_name(&player).then_some((ordinal.parse().ok()?, player))
}

/// Formats a cursor for [`cursor`].
fn cursor_text(rating: &StoredRating) -> String {
    let player = hex::encode(&rating.player);
    format!("{}.{player}", rating.skill.ordinal())
}

/// Parses the cursor of a history.
/// It is `POSITION` for a game and `POSITION.LEAGUE_POSITION` for an over-the-board result.
fn place(text: &str) -> Option<RatingPlace> {
    let (position, league_position) = text.split_once('.').unwrap_or((text, "0"));
    Some(RatingPlace {
        position: position.parse().ok()?,
        league_position: league_position.parse().ok()?,
    })
}

/// Formats a cursor for [`place`].
fn place_text(place: RatingPlace) -> String {
    match place.league_position {
        0 => place.position.to_string(),
        league_position => format!("{}.{league_position}", place.position),
    }
}

/// Whether a text can be the name of a player; PostgreSQL does not accept U+0000.
fn is_name(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

impl Ratings {
    /// Returns ratings of a kind of player in an edition, or in all together, highest ordinal first.
    ///
    /// Provisional ratings are included only on request.
    pub fn list(
        &self,
        kind: RatingKind,
        edition: Option<&str>,
        provisional: bool,
        behind: Option<&str>,
        limit: usize,
    ) -> Result<RatingPage, ServiceError> {
        let behind = match behind {
            None => None,
            Some(text) => Some(cursor(text).ok_or(StoreError::Cursor)?),
        };
        let filter = RatingFilter {
            kind: PlayerKind::from(kind).name().to_owned(),
            edition: edition.unwrap_or(ALL_EDITIONS).to_owned(),
            games: if provisional { 0 } else { PROVISIONAL },
        };
        let found = self.store.ratings(&filter, behind, limit + 1)?;
        let (found, next) = cut(found, limit, |(rating, _)| cursor_text(rating));
        Ok(RatingPage {
            items: (found.into_iter())
                .map(|(rating, handle)| body(rating, handle))
                .collect(),
            next,
        })
    }

    /// Returns the player with an id or handle, including deleted accounts, with all ratings.
    pub fn profile(&self, named: &str) -> Result<PlayerProfile, ServiceError> {
        let player = self.accounts.player(named)?;
        let found = self.store.ratings_of(&player.id.to_string())?;
        let rating = |rating| body(rating, Some(player.handle.clone()));
        let ratings = found.into_iter().map(rating).collect();
        Ok(PlayerProfile { player, ratings })
    }

    /// Returns the last games of a history as curves; the player is named as in [`Ratings::history`].
    pub fn curves(&self, named: &str, edition: Option<&str>) -> Result<Curves, ServiceError> {
        let (player, all) = self.rated(named, edition)?;
        let history = self.history(named, edition, None, DRAWN)?;
        Ok(rating_curves(&player, edition, all, &history.items))
    }

    /// Returns the name of an account or bot, and the number of games of its rating.
    fn rated(&self, named: &str, edition: Option<&str>) -> Result<(String, u64), ServiceError> {
        let account = self.accounts.account_named(named)?;
        let (id, name) = account.map_or_else(
            || (named.to_owned(), named.to_owned()),
            |account| (account.id.to_string(), account.handle),
        );
        let ratings = match is_name(&id) {
            true => self.store.ratings_of(&id)?,
            false => Vec::new(),
        };
        let edition = edition.unwrap_or(ALL_EDITIONS);
        let own = ratings.iter().find(|rating| rating.edition == edition);
        Ok((name, own.map_or(0, |rating| rating.games as u64)))
    }

    /// Returns the changes of a rating, latest first: of an account, by id or handle, or of a bot, by name.
    pub fn history(
        &self,
        named: &str,
        edition: Option<&str>,
        behind: Option<&str>,
        limit: usize,
    ) -> Result<RatingHistory, ServiceError> {
        let player = match self.accounts.account_named(named)? {
            Some(account) => account.id.to_string(),
            None if named.parse::<Spec>().is_ok() => named.to_owned(),
            // Records can contain bots and accounts of other servers.
            None if is_name(named) && !self.store.ratings_of(named)?.is_empty() => named.to_owned(),
            None => return Err(ServiceError::NotFound(format!("player {named:?}"))),
        };
        let behind = behind.map(|text| place(text).ok_or(StoreError::Cursor));
        let behind = behind.transpose()?;
        let edition = edition.unwrap_or(ALL_EDITIONS);
        let found = (self.store).rating_changes(&player, edition, behind, limit + 1)?;
        let (found, next) = cut(found, limit, |(change, _)| place_text(change.place));
        let body = |(change, visibility): (RatingChange, Option<Visibility>)| {
            // Unlisted games and leagues are not named: only people with their id may see them.
            let public = visibility == Some(Visibility::Public);
            let id = public.then(|| known_id(&change.game)).transpose()?;
            let at_table = id.is_some() && change.league_table > 0;
            Ok(RatingChangeBody {
                game: id.filter(|_| !at_table),
                league: id.filter(|_| at_table),
                table: at_table.then_some(change.league_table as u32),
                at: timestamp(change.at),
                place: change.rank as f64 / f64::from(PLACES),
                players: change.players as u64,
                before: skill(change.before),
                after: skill(change.after),
            })
        };
        let items: Result<Vec<RatingChangeBody>, ServiceError> =
            found.into_iter().map(body).collect();
        Ok(RatingHistory {
            items: items?,
            next,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_waits_as_long_as_the_last_one_took() {
        let (begin, second) = (Instant::now(), Duration::from_secs(1));
        let none = RatingPace::default();
        assert_eq!(none.pause(begin), Duration::ZERO);
        let pace = RatingPace {
            begun: Some(begin),
            shown: Some(begin + 30 * second),
        };
        assert_eq!(pace.pause(begin + 59 * second), second);
        assert_eq!(pace.pause(begin + 60 * second), Duration::ZERO);
        // The current run began after the last one was published.
        let next = RatingPace {
            begun: Some(begin + 60 * second),
            ..pace
        };
        assert_eq!(next.pause(begin + 61 * second), Duration::ZERO);
    }
}
