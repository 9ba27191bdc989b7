//! Ratings: a thread takes in rated games that have finished since it last looked, whoever finished them, in the
//! order in which they ended in the log. What a game does is written in one transaction with the position up to which
//! games count, which has to be the one that was read: so none counts twice, whichever nodes look, and a node goes on
//! where another has stopped.

mod algorithm;
mod bodies;
mod counts;
mod forecast;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};
use std::time::Duration;

use bots::Spec;
use engine::record::PlayerKind;

pub use algorithm::ALGORITHM;
pub use bodies::{PlayerProfile, RatingBody, RatingChangeBody, RatingKind, SkillBody};
pub use counts::{KINDS, PLACES, Participant, has_sat};
pub use forecast::{Forecast, Loss};

use super::{GameError, Games, Page, known_id};
use crate::store::{
    RatingChange, RatingFilter, RatingsEnd, Skill, StoreError, StoredRating, Visibility, timestamp,
};
use crate::work::Next;

/// How often it is looked for rated games that have finished.
const LOOK: Duration = Duration::from_millis(500);

/// How many games are taken in together.
pub const TOGETHER: i64 = 64;

/// With fewer games a rating is provisional.
pub const PROVISIONAL: i64 = 10;

/// The edition of a rating in all of them.
const ALL_EDITIONS: &str = "";

/// Starts the thread. It ends when the service stops or is gone.
///
/// # Errors
/// When the system gives no thread.
pub fn start(games: &Arc<Games>) -> Result<(), GameError> {
    let weak = Arc::downgrade(games);
    let look = move || match Weak::upgrade(&weak) {
        Some(games) => games.rate(TOGETHER),
        None => Ok(Next::End),
    };
    let supervised = games.supervisor.supervise("ratings", LOOK, look);
    Ok(supervised.map_err(|error| StoreError::Unavailable(error.to_string()))?)
}

/// A game that counts, as far as ratings ask.
struct RatedGame {
    id: String,
    position: i64,
    edition: String,
    /// In microseconds since 1970.
    ended_at: i64,
    /// Those who are compared, kind by kind.
    compared: Vec<Vec<Participant>>,
}

/// Takes games into ratings that are known so far; those of new players are added.
fn take_in(
    games: &[RatedGame],
    ratings: &mut HashMap<(String, String), StoredRating>,
) -> Vec<RatingChange> {
    let mut changes = Vec::new();
    for game in games {
        for compared in &game.compared {
            for edition in [game.edition.as_str(), ALL_EDITIONS] {
                let key = |player: &Participant| (player.player.clone(), edition.to_owned());
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
                        position: game.position,
                        player: player.player.clone(),
                        edition: edition.to_owned(),
                        game: game.id.clone(),
                        at: game.ended_at,
                        place: i64::from(place),
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

impl Games {
    /// Takes in at most `most` games that have finished, shows ratings that have come to the last game, or rids the
    /// store of some of those before.
    ///
    /// # Errors
    /// When the store fails. Nothing is written then.
    pub fn rate(&self, most: i64) -> Result<Next, GameError> {
        let end = self.store.ratings_end()?;
        if end.algorithm > ALGORITHM {
            // Nodes of a later program go on with theirs.
            return Ok(Next::Later);
        }
        if end.algorithm < ALGORITHM {
            self.store.begin_ratings(end, ALGORITHM)?;
            return Ok(Next::Now);
        }
        let found = self.store.rated_after(end.position, most)?;
        let Some((_, last)) = found.last() else {
            if end.run != end.shown {
                self.store.show_ratings(end)?;
                return Ok(Next::Now);
            }
            return Ok(match self.store.forget_ratings(end.shown)? {
                true => Next::Now,
                false => Next::Later,
            });
        };
        let games = self.rated_games(&found)?;
        let mut ratings = self.ratings_before(end, &games)?;
        let changes = take_in(&games, &mut ratings);
        let touched: HashSet<(&str, &str)> = (changes.iter())
            .map(|change| (&*change.player, &*change.edition))
            .collect();
        ratings.retain(|(player, edition), _| touched.contains(&(&**player, &**edition)));
        let changed = ratings.into_values().collect();
        (self.store).add_ratings(end, *last, changed, changes)?;
        Ok(Next::Now)
    }

    /// Computes all ratings anew; those that are shown stay until it is done. Returns how many games say that they
    /// are rated.
    ///
    /// # Errors
    /// When the store fails, or holds ratings of a later program.
    pub fn recompute_ratings(&self) -> Result<u64, GameError> {
        let end = self.store.ratings_end()?;
        if end.algorithm > ALGORITHM {
            let message = "the ratings were computed by a later program";
            return Err(GameError::Conflict(message.to_owned()));
        }
        // Where another node was first, its run is as good.
        self.store.begin_ratings(end, ALGORITHM)?;
        while self.rate(TOGETHER)? == Next::Now {}
        let mut counted = 0;
        self.each_rated(|_| counted += 1)?;
        Ok(counted)
    }

    /// Foretells all rated games in their order, those of a kind, and tells what it has cost for the second half of
    /// them; and how many games there were.
    ///
    /// # Errors
    /// When the store fails.
    pub fn forecast(&self, kind: PlayerKind) -> Result<(Loss, usize), GameError> {
        let mut games = Vec::new();
        self.each_rated(|game| {
            let mut compared = game.compared.into_iter();
            let own = compared.find(|players| players.iter().any(|player| player.kind == kind));
            games.extend(own);
        })?;
        let mut forecast = Forecast::default();
        let mut total = Loss::default();
        for (number, players) in games.iter().enumerate() {
            let cost = forecast.take(players);
            if number >= games.len() / 2 {
                total.pairs += cost.pairs;
                total.ratings += cost.ratings;
                total.elo += cost.elo;
                total.coin += cost.coin;
            }
        }
        Ok((total, games.len()))
    }

    fn each_rated(&self, mut each: impl FnMut(RatedGame)) -> Result<(), GameError> {
        let mut position = 0;
        loop {
            let found = self.store.rated_after(position, TOGETHER)?;
            let Some((_, last)) = found.last() else {
                return Ok(());
            };
            position = *last;
            self.rated_games(&found)?.into_iter().for_each(&mut each);
        }
    }

    /// Those of some games that count.
    fn rated_games(&self, found: &[(String, i64)]) -> Result<Vec<RatedGame>, GameError> {
        let mut games = Vec::with_capacity(found.len());
        for (id, position) in found {
            match self.rated_game(id, *position) {
                Ok(game) => games.extend(game),
                Err(error @ GameError::Damaged { .. }) => {
                    tracing::warn!(game = id, %error, "it is not rated");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(games)
    }

    fn rated_game(&self, id: &str, position: i64) -> Result<Option<RatedGame>, GameError> {
        let Some((stored, _)) = self.store.game(known_id(id)?)? else {
            return Ok(None);
        };
        let Some(result) = counts::result_that_counts(&stored)? else {
            return Ok(None);
        };
        let told = self.store.seatings(stored.number)?;
        let credited = counts::credited(&stored, &told)?;
        let mut compared: Vec<Vec<Participant>> = KINDS
            .map(|kind| counts::participants(result, &credited, kind))
            .into();
        compared.retain(|players| !players.is_empty());
        Ok(Some(RatedGame {
            id: stored.id.to_string(),
            position,
            edition: stored.edition.clone(),
            ended_at: stored.updated_at,
            compared,
        }))
    }

    /// What is known so far of those who are compared in games.
    fn ratings_before(
        &self,
        end: RatingsEnd,
        games: &[RatedGame],
    ) -> Result<HashMap<(String, String), StoredRating>, GameError> {
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

/// Where a list of ratings goes on: `ORDINAL.PLAYER`, the player in hexadecimal.
fn cursor(text: &str) -> Option<(i64, String)> {
    let (ordinal, player) = text.split_once('.')?;
    let player = String::from_utf8(hex::decode(player).ok()?).ok()?;
    is_name(&player).then_some((ordinal.parse().ok()?, player))
}

/// Whether somebody can be named so; PostgreSQL takes no zeros.
fn is_name(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

impl Games {
    /// Ratings of a kind of player in an edition, or in all together, the highest ordinal first; those that are
    /// provisional only when asked.
    ///
    /// # Errors
    /// When there is no such place in the list, or the store fails.
    pub fn ratings(
        &self,
        kind: RatingKind,
        edition: Option<&str>,
        provisional: bool,
        behind: Option<&str>,
        limit: usize,
    ) -> Result<Page<RatingBody>, GameError> {
        let behind = match behind {
            None => None,
            Some(text) => Some(cursor(text).ok_or(StoreError::Cursor)?),
        };
        let kind = match kind {
            RatingKind::Account => PlayerKind::Account,
            RatingKind::Bot => PlayerKind::Bot,
        };
        let filter = RatingFilter {
            kind: kind.name().to_owned(),
            edition: edition.unwrap_or(ALL_EDITIONS).to_owned(),
            games: if provisional { 0 } else { PROVISIONAL },
        };
        let mut found = self.store.ratings(&filter, behind, limit + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| more);
        Ok(Page {
            next: last.map(|(rating, _)| {
                let player = hex::encode(&rating.player);
                format!("{}.{player}", rating.skill.ordinal())
            }),
            items: (found.into_iter())
                .map(|(rating, handle)| body(rating, handle))
                .collect(),
        })
    }

    /// The player with an id or a handle, deleted ones too, with the ratings.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub fn profile(&self, named: &str) -> Result<PlayerProfile, GameError> {
        let player = self.player(named)?;
        let found = self.store.ratings_of(&player.id.to_string())?;
        let rating = |rating| body(rating, Some(player.handle.clone()));
        let ratings = found.into_iter().map(rating).collect();
        Ok(PlayerProfile { player, ratings })
    }

    /// What an account, by id or handle, or a bot, by its name, is called, and how many games the rating in an edition
    /// or in all together is made of.
    ///
    /// # Errors
    /// When there is no such player, or the store fails.
    pub fn rated(&self, named: &str, edition: Option<&str>) -> Result<(String, u64), GameError> {
        let account = self.account_named(named)?;
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

    /// What games did to the rating of an account, by id or handle, or of a bot, by its name: the last first.
    ///
    /// # Errors
    /// When there is no such player or no such place in the list, or the store fails.
    pub fn rating_history(
        &self,
        named: &str,
        edition: Option<&str>,
        behind: Option<&str>,
        limit: usize,
    ) -> Result<Page<RatingChangeBody>, GameError> {
        let player = match self.account_named(named)? {
            Some(account) => account.id.to_string(),
            None if named.parse::<Spec>().is_ok() => named.to_owned(),
            // Records name bots and accounts of other offices.
            None if is_name(named) && !self.store.ratings_of(named)?.is_empty() => named.to_owned(),
            None => return Err(GameError::NotFound(format!("player {named:?}"))),
        };
        let behind: Option<Result<i64, _>> = behind.map(str::parse);
        let behind = behind.transpose().map_err(|_| StoreError::Cursor)?;
        let edition = edition.unwrap_or(ALL_EDITIONS);
        let mut found = (self.store).rating_changes(&player, edition, behind, limit + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let last = found.last().filter(|_| more);
        let next = last.map(|(change, _)| change.position.to_string());
        let told = |(change, visibility): (RatingChange, Option<Visibility>)| {
            // Who may know the ids of other games was told them.
            let public = visibility == Some(Visibility::Public);
            let game = public.then(|| known_id(&change.game)).transpose()?;
            Ok(RatingChangeBody {
                game,
                at: timestamp(change.at),
                place: change.place as f64 / f64::from(PLACES),
                players: change.players as u64,
                before: skill(change.before),
                after: skill(change.after),
            })
        };
        let items: Result<Vec<RatingChangeBody>, GameError> = found.into_iter().map(told).collect();
        Ok(Page {
            items: items?,
            next,
        })
    }
}
