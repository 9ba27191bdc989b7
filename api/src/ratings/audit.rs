//! Auditing ratings: they are computed again from the first game on and compared with what is stored. Memory grows with
//! the number of rated players, not with that of games.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::games::known_id;
use crate::http::error::ServiceError;
use crate::leagues::event::change_of_table;
use crate::leagues::limits::MOST_ROWS;
use crate::ratings::algorithm::ALGORITHM;
use crate::ratings::queries::{RatingChange, RatingPlace, RatingStep, RatingsEnd, StoredRating};
use crate::ratings::service::{Ratings, TOGETHER, take_in, with};

/// How many stored ratings are read at a time.
const PAGE: i64 = 1_000;

/// How many differences are reported one by one.
const REPORTED: u64 = 10;

/// What an audit of ratings comes to.
#[derive(Debug, Default)]
pub struct AuditedRatings {
    /// How many ratings were compared.
    pub ratings: u64,
    /// Why some were not.
    pub unprotected: Option<String>,
}

/// Whether a comparison goes on.
enum ReplayOutcome {
    Compared,
    /// What is stored is to be computed anew, for this reason.
    Outdated(String),
}

/// By what a change is told apart.
type Key = (RatingPlace, String, String);

struct Replay<'a, F> {
    source: &'a Ratings,
    /// How far the computation has come.
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

    /// Computes ratings up to an end that was stored, and compares what each game did.
    fn advance(&mut self, to: RatingsEnd) -> Result<ReplayOutcome, E> {
        let store = &self.source.store;
        loop {
            let steps =
                store.rating_steps(self.end.position, self.end.league_position, TOGETHER as i64);
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
            let computed = by_key(take_in(&games, &mut self.ratings));
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
                    (Some(_), Some(_)) => "is stored otherwise than it follows",
                    (Some(_), None) => "is not stored",
                    _ => "does not follow from the games",
                };
                let (_, player, edition) = key;
                let game = one.or(other).map_or("", |change| &change.game);
                self.report(format!(
                    "what game {game} did to {player} in {} {what}",
                    named(edition)
                ))?;
            }
            self.end = steps.iter().fold(self.end, with);
            self.at = last;
        }
        let reached = (self.end.position, self.end.league_position);
        if reached != (to.position, to.league_position) {
            let message = format!(
                "they go up to {} and {} of the logs of games and leagues, and follow up to {} and {}",
                to.position, to.league_position, reached.0, reached.1
            );
            self.report(message)?;
        }
        Ok(ReplayOutcome::Compared)
    }

    /// Whether a change is of a result at a real table that was corrected since it was counted: then all ratings behind
    /// it are to be computed anew.
    fn is_corrected(&self, change: &RatingChange, to: RatingsEnd) -> Result<bool, ServiceError> {
        if change.league_table == 0 {
            return Ok(false);
        }
        let Ok(league) = known_id(&change.game) else {
            return Ok(false);
        };
        let rows = self.source.store.league_events(league, None, MOST_ROWS)?;
        Ok(rows.iter().any(|row| {
            let of_table = change_of_table(&row.text).is_some_and(|(table, is_correction)| {
                is_correction && i64::from(table) == change.league_table
            });
            let is_ahead = row.position > u64::try_from(to.league_position).ok();
            of_table && (to.stale != 0 || is_ahead)
        }))
    }

    fn compare(&mut self, kept: &StoredRating, ordinal: i64) -> Result<(), E> {
        let key = (kept.player.clone(), kept.edition.clone());
        let message = match self.ratings.get(&key) {
            Some(rating) if rating == kept && rating.skill.ordinal() == ordinal => return Ok(()),
            Some(_) => "is stored otherwise than it follows from the games",
            None => "does not follow from the games",
        };
        let (player, edition) = key;
        self.report(format!("that of {player} in {} {message}", named(&edition)))
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
    /// Computes all ratings again and compares them with those that are stored, and what each game did; what does not
    /// fit is told to `fault`.
    pub(crate) fn audit<E: From<ServiceError>>(
        &self,
        fault: impl FnMut(String) -> Result<(), E>,
    ) -> Result<AuditedRatings, E> {
        let mut audited = AuditedRatings::default();
        let begin = self.store.ratings_end().map_err(ServiceError::from)?;
        if begin.algorithm != ALGORITHM {
            audited.unprotected = Some(format!(
                "ratings: version {} of the algorithm computed them, and this program has version {ALGORITHM}",
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
            // It is begun anew while it is read.
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
                        "{kept} are stored, and {follow} follow from the games"
                    ))?;
                }
                break;
            }
        }
        // What is stored behind the last game; games may be rated meanwhile.
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
                    "{count} changes are stored behind the last game that counts"
                ))?;
            }
            break;
        }
        if replay.differences > REPORTED {
            let more = replay.differences - REPORTED;
            (replay.fault)(format!("ratings: {more} more differ"))?;
        }
        if begin.run != begin.shown {
            audited.unprotected =
                Some("ratings: those that are shown are being recomputed".to_owned());
        }
        Ok(audited)
    }
}
