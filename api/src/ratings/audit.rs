//! Audits ratings: computes them again from the first game and compares them with the stored ones.
//!
//! Memory grows with the number of rated players, not with the number of games.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use analytics::ratings::algorithm::ALGORITHM;

use crate::games::known_id;
use crate::http::error::ServiceError;
use crate::leagues::event::change_of_tables;
use crate::leagues::limits::MOST_ROWS;
use crate::ratings::queries::{RatingChange, RatingPlace, RatingStep, RatingsEnd, StoredRating};
use crate::ratings::service::{BATCH, Ratings, apply_games, end_after};

/// The number of stored ratings that are read at a time.
const PAGE: i64 = 1_000;

/// The number of differences that are reported individually.
const REPORTED: u64 = 10;

/// The result of an audit of ratings.
#[derive(Debug, Default)]
pub struct AuditedRatings {
    /// The number of compared ratings.
    pub ratings: u64,
    /// Why some ratings could not be compared.
    pub unprotected: Option<String>,
}

/// The result of a comparison.
enum ReplayOutcome {
    Compared,
    /// The stored ratings are outdated and will be recomputed, for this reason.
    Outdated(String),
}

/// Identifies a rating change: place, player and edition.
type Key = (RatingPlace, String, String);

struct Replay<'a, F> {
    source: &'a Ratings,
    /// The end of the computation so far.
    end: RatingsEnd,
    at: RatingPlace,
    ratings: HashMap<(String, String), StoredRating>,
    differences: u64,
    fault: F,
}

impl<E: From<ServiceError>, F: FnMut(String) -> Result<(), E>> Replay<'_, F> {
    fn report(&mut self, message: String) -> Result<(), E> {
        self.differences += 1;
        match self.differences <= REPORTED {
            true => (self.fault)(format!("ratings: {message}")),
            false => Ok(()),
        }
    }

    /// Computes ratings up to a stored end, and compares the changes of each game.
    fn advance(&mut self, to: RatingsEnd) -> Result<ReplayOutcome, E> {
        let store = &self.source.store;
        loop {
            let steps =
                store.rating_steps(self.end.position, self.end.league_position, BATCH as i64);
            let mut steps = steps.map_err(ServiceError::from)?;
            let is_beyond = |step: &RatingStep| match step.text {
                None => step.place.position > to.position,
                Some(_) => step.place.league_position > to.league_position,
            };
            let within = steps.iter().position(is_beyond).unwrap_or(steps.len());
            steps.truncate(within);
            let Some(last) = steps.last().map(|step| step.place) else {
                break;
            };
            let games = self
                .source
                .rated_games(&steps)
                .map_err(|(_, error)| error)?;
            let computed = by_key(apply_games(&games, &mut self.ratings));
            let kept = store.rating_changes_between(to.run, self.at, last);
            let (_, kept) = kept.map_err(ServiceError::from)?;
            let kept = by_key(kept);
            let keys: BTreeSet<&Key> = computed.keys().chain(kept.keys()).collect();
            for key in keys {
                let (one, other) = (computed.get(key), kept.get(key));
                if one == other {
                    continue;
                }
                if let Some(change) = one.or(other)
                    && self.is_corrected(change, to)?
                {
                    let (table, league) = (change.league_table, &change.game);
                    return Ok(ReplayOutcome::Outdated(format!(
                        "ratings since the result of table {table} of league {league}, which was corrected: the \
                         server recomputes them"
                    )));
                }
                let what = match (one, other) {
                    (Some(_), Some(_)) => "is stored with other values than the computed ones",
                    (Some(_), None) => "is missing",
                    _ => "is stored but does not follow from the games",
                };
                let (_, player, edition) = key;
                let game = one.or(other).map_or("", |change| &change.game);
                self.report(format!(
                    "the change of {player} by game {game} in {} {what}",
                    named(edition)
                ))?;
            }
            self.end = steps.iter().fold(self.end, end_after);
            self.at = last;
        }
        let reached = (self.end.position, self.end.league_position);
        if reached != (to.position, to.league_position) {
            let message = format!(
                "their offsets in the logs of games and leagues are {} and {}, but the logs end at {} and {}",
                to.position, to.league_position, reached.0, reached.1
            );
            self.report(message)?;
        }
        Ok(ReplayOutcome::Compared)
    }

    /// Whether a change belongs to an over-the-board result that was corrected after it was applied.
    ///
    /// Then all later ratings must be recomputed.
    fn is_corrected(&self, change: &RatingChange, to: RatingsEnd) -> Result<bool, ServiceError> {
        if change.league_table == 0 {
            return Ok(false);
        }
        let Ok(league) = known_id(&change.game) else {
            return Ok(false);
        };
        let rows = self.source.store.league_events(league, None, MOST_ROWS)?;
        Ok(rows.iter().any(|row| {
            let of_table = change_of_tables(&row.text).is_some_and(|(tables, is_correction)| {
                is_correction
                    && tables
                        .iter()
                        .any(|table| i64::from(*table) == change.league_table)
            });
            let is_ahead = row.position > u64::try_from(to.league_position).ok();
            of_table && (to.stale != 0 || is_ahead)
        }))
    }

    fn compare(&mut self, kept: &StoredRating, ordinal: i64) -> Result<(), E> {
        let key = (kept.player.clone(), kept.edition.clone());
        let message = match self.ratings.get(&key) {
            Some(rating) if rating == kept && rating.skill.ordinal() == ordinal => return Ok(()),
            Some(_) => "is stored with other values than those computed from the games",
            None => "is stored but does not follow from the games",
        };
        let (player, edition) = key;
        self.report(format!(
            "the rating of {player} in {} {message}",
            named(&edition)
        ))
    }
}

fn by_key(changes: Vec<RatingChange>) -> BTreeMap<Key, RatingChange> {
    let key = |change: &RatingChange| {
        let (player, edition) = (change.player.clone(), change.edition.clone());
        (change.place, player, edition)
    };
    let keyed = changes.into_iter().map(|change| (key(&change), change));
    keyed.collect()
}

fn named(edition: &str) -> &str {
    match edition {
        "" => "all editions",
        edition => edition,
    }
}

impl Ratings {
    /// Computes all ratings and changes again, and compares them with the stored ones.
    /// Passes each difference to `fault`.
    pub(crate) fn audit<E: From<ServiceError>>(
        &self,
        fault: impl FnMut(String) -> Result<(), E>,
    ) -> Result<AuditedRatings, E> {
        let mut audited = AuditedRatings::default();
        let begin = self.store.ratings_end().map_err(ServiceError::from)?;
        if begin.algorithm != ALGORITHM {
            audited.unprotected = Some(format!(
                "ratings: they were computed by version {} of the algorithm; this program has version {ALGORITHM}",
                begin.algorithm
            ));
            return Ok(audited);
        }
        let mut replay = Replay {
            source: self,
            end: RatingsEnd {
                position: 0,
                league_position: 0,
                ..begin
            },
            at: RatingPlace {
                position: i64::MIN,
                league_position: 0,
            },
            ratings: HashMap::new(),
            differences: 0,
            fault,
        };
        let mut behind = None;
        loop {
            let page = self.store.rating_page(behind, PAGE);
            let page = page.map_err(ServiceError::from)?;
            // A new run began while the ratings were read.
            if page.end.run != begin.run {
                audited.unprotected = Some("ratings: they are being recomputed".to_owned());
                return Ok(audited);
            }
            if let ReplayOutcome::Outdated(why) = replay.advance(page.end)? {
                audited.unprotected = Some(why);
                return Ok(audited);
            }
            for (rating, ordinal) in &page.items {
                replay.compare(rating, *ordinal)?;
            }
            audited.ratings += page.items.len() as u64;
            let last = page.items.last();
            behind = last.map(|(rating, _)| (rating.player.clone(), rating.edition.clone()));
            if page.items.len() < PAGE as usize {
                let (kept, follow) = (page.count, replay.ratings.len());
                if usize::try_from(kept) != Ok(follow) {
                    replay.report(format!(
                        "{kept} ratings are stored, but the games give {follow}"
                    ))?;
                }
                break;
            }
        }
        // Checks changes stored after the last game; games may be rated during the audit.
        let all = RatingPlace {
            position: i64::MAX,
            league_position: i64::MAX,
        };
        loop {
            let later = (self.store).rating_changes_between(begin.run, replay.at, all);
            let (end, later) = later.map_err(ServiceError::from)?;
            let is_end = (end.position, end.league_position)
                <= (replay.end.position, replay.end.league_position);
            if !is_end && end.run == begin.run && replay.differences == 0 {
                if let ReplayOutcome::Outdated(why) = replay.advance(end)? {
                    audited.unprotected = Some(why);
                    return Ok(audited);
                }
                continue;
            }
            if !later.is_empty() && end.run == begin.run {
                let count = later.len();
                replay.report(format!(
                    "{count} changes are stored after the last game that counts"
                ))?;
            }
            break;
        }
        if replay.differences > REPORTED {
            let more = replay.differences - REPORTED;
            (replay.fault)(format!("ratings: {more} more differences"))?;
        }
        if begin.run != begin.shown {
            audited.unprotected =
                Some("ratings: the published ratings are being recomputed".to_owned());
        }
        Ok(audited)
    }
}
