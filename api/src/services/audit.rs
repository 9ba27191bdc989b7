//! Audits a database: games, leagues, checkpoints, ratings and the transparency log.

use records::PublicKeys;

use crate::games;
use crate::games::audit::{AuditedGames, Finding};
use crate::http::error::ServiceError;
use crate::services::Services;
use crate::signing::checkpoints::KeptCheckpoint;
use crate::signing::tlog::audit::KeptHead;

/// The numbers of audited items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// Games, their seats and events.
    pub games: AuditedGames,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Leagues.
    pub leagues: u64,
    /// Events of leagues.
    pub league_events: u64,
    /// The events of leagues that checkpoints cover.
    pub covered_league_events: u64,
    /// Ratings.
    pub ratings: u64,
    /// Leaves of the transparency log.
    pub leaves: u64,
    /// What could not be verified, as sentences for the operator.
    pub unprotected: Vec<String>,
}

/// Data that no signature and no other row proves, in every database.
const UNPROTECTED: [&str; 6] = [
    "of games that are not finished: whether they are rated, their league, and who may see them",
    "who may see or organize a game, seat tokens, invitations, standing orders, undo requests, deadlines, rematches, \
     and when a finished game was recorded",
    "accounts and handles, tokens, passwords, passkeys, recovery codes, sessions, webhooks and their deliveries, stored responses, \
     scheduled work, the list of nodes",
    "bids for seats, messages of chats, annotations",
    "suspended accounts, closed leagues, hidden texts, the log of administrators' acts, reports",
    "published datasets, which are files beside the database",
];

/// Compares all rows of a database with each other, with their signatures and with checkpoints.
/// `elsewhere` are checkpoints stored outside the database, `heads` those of the transparency log. Ratings are computed again. `each` receives every
/// finding.
pub fn audit<E: From<ServiceError>>(
    services: &Services,
    keys: &PublicKeys,
    (elsewhere, heads): (&[KeptCheckpoint], &[KeptHead]),
    mut each: impl FnMut(Finding<'_>) -> Result<(), E>,
) -> Result<AuditReport, E> {
    let (checkpoints, faults) = services.signing.signed_checkpoints(keys)?;
    let missing = elsewhere
        .iter()
        .filter_map(|one| one.check(&checkpoints, keys));
    for fault in faults.into_iter().chain(missing) {
        each(Finding::Fault(fault))?;
    }
    let games = games::audit::audit(
        services.games.store(),
        &services.library,
        &checkpoints,
        elsewhere,
        &mut each,
    )?;
    let mut fault = |fault| each(Finding::Fault(fault));
    let (leagues, league_events) =
        (services.leagues).audit(&checkpoints, elsewhere, keys, &mut fault)?;
    let ratings = services.ratings.audit(&mut fault)?;
    let leaves = services.signing.audit_log(keys, heads, &mut fault)?;
    let mut last = checkpoints.iter().filter_map(|one| one.leagues.as_ref());
    let covered_league_events = last.next_back().map_or(0, |leagues| leagues.position);
    let covered = checkpoints.last().map_or(0, |one| one.position);
    let uncovered = games.events.saturating_sub(covered);
    let of_leagues = league_events.saturating_sub(covered_league_events);
    let mut unprotected = Vec::new();
    if uncovered + of_leagues > 0 {
        unprotected.push(format!(
            "{uncovered} events of games and {of_leagues} of leagues after the last checkpoint: the newest may have \
             been removed, and those of {} unfinished games may have been rewritten",
            games.unfinished
        ));
    }
    unprotected.extend(ratings.unprotected);
    unprotected.extend(UNPROTECTED.map(str::to_owned));
    Ok(AuditReport {
        checkpoints: checkpoints.len() as u64,
        leagues,
        league_events,
        covered_league_events,
        ratings: ratings.ratings,
        leaves,
        unprotected,
        games,
    })
}
