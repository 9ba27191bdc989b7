//! Verification: checks that a record replays and proves its result. Reports the first fault.

use std::sync::Arc;

use engine::content::Library;
use engine::forms::{NotationError, ResultBody, SetupError, digest_text};
use engine::ids::Card;
use engine::play::{Game, Refusal};
use engine::setup::Setup;
use engine::state::State;

use crate::log::{shuffled_deck, utc};
use crate::record::laid_out;
use crate::{
    Entry, EventRow, Fold, LogFault, RECORD_FORMAT, Record, ReplayStep, ResultFault, Source,
};

/// Why a record does not replay or does not prove what it claims.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The format is not [`RECORD_FORMAT`].
    #[error("the format is {0:?}; expected {RECORD_FORMAT:?}")]
    Format(String),
    /// `played_at` is not a time in UTC.
    #[error("played_at is {0:?}; expected an RFC 3339 time in UTC, such as 2012-10-18T12:00:00Z")]
    PlayedAt(String),
    /// The setup does not start a game.
    #[error("the setup does not start a game: {0}")]
    Setup(#[from] SetupError),
    /// An action cannot be read.
    #[error("action {}: {source}", index + 1)]
    Notation {
        /// Position in [`Record::actions`], from 0.
        index: usize,
        /// What is wrong with the text.
        source: NotationError,
    },
    /// An action is not legal.
    #[error("action {} ({text}): {source}", index + 1)]
    Illegal {
        /// Position in [`Record::actions`], from 0.
        index: usize,
        /// The action.
        text: String,
        /// The rule or condition that it breaks.
        source: Refusal,
    },
    /// The digest of the last state differs from the recorded one.
    #[error("the digest after the last action is {found}, but the record has {recorded}")]
    Digest {
        /// The digest from the replay.
        found: String,
        /// The digest in the record.
        recorded: String,
    },
    /// The result differs from that of the game.
    #[error("the record's result is not that of the game: {0}")]
    Result(#[from] ResultFault),
    /// The event log is broken or contradicts the record.
    #[error("event {seq}: {fault}")]
    Event {
        /// The first bad event.
        seq: u64,
        /// What is wrong with it.
        fault: LogFault,
    },
}

/// The outcome of a verification without faults.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The game.
    pub game: Game,
    /// The last state.
    pub state: State,
    /// True if nothing but a record vouches for the result.
    ///
    /// This is an adjudication or agreement without a log, or one whose log was imported from such a record. Every
    /// other result follows from the actions or is a decision of the service that wrote the log.
    pub declared: bool,
}

impl Record {
    /// Replays the record, checks actions, result and digest, and passes each step to `each`.
    ///
    /// Undone actions are only parsed. The event log is ignored; see [`Record::verify`].
    ///
    /// # Errors
    /// The first fault.
    pub fn replay(
        &self,
        library: &Library,
        mut each: impl FnMut(ReplayStep<'_>),
    ) -> Result<(Game, State), ReplayError> {
        self.check_format()?;
        let (game, mut state) = self.start(library)?;
        let mut effects = Vec::new();
        for (index, text) in self.actions.iter().enumerate() {
            if let Some(undone) = text.strip_prefix('-') {
                let read = game.parse(undone);
                read.map_err(|source| ReplayError::Notation { index, source })?;
                continue;
            }
            let (nation, action) = game
                .read(&state, text)
                .map_err(|source| ReplayError::Notation { index, source })?;
            effects.clear();
            game.apply(&mut state, nation, action, &mut effects)
                .map_err(|source| ReplayError::Illegal {
                    index,
                    text: text.clone(),
                    source,
                })?;
            if let Some(deck) = shuffled_deck(&state, &effects) {
                let number = state.cards.reshuffles.saturating_sub(1);
                if !self.matches_deck(&game, number, &deck) {
                    let field = format!("reshuffles[{number}]");
                    return Err(SetupError::new(
                        field,
                        "the deck is not a shuffle of the used cards",
                    )
                    .into());
                }
            }
            each(ReplayStep {
                game: &game,
                index,
                nation,
                action,
                state: &state,
                effects: &effects,
            });
        }
        self.check_reshuffles(&state)?;
        match (&self.result, game.result_body(&state)) {
            (Some(recorded), None) => check_declared(&game, &state, recorded)?,
            (recorded, found) => same_result(found.as_ref(), recorded.as_ref())?,
        }
        self.check_digest(&state)?;
        Ok((game, state))
    }

    /// Checks that the record proves its result.
    ///
    /// It must name its ruleset and board by their hashes. Without an event log, its actions must lead to its digest
    /// and result. No action leads to an adjudication or agreement: it is accepted as
    /// [declared](Verification::declared) if people could have decided so. With an event log, the log must be
    /// consistent row by row and lead to the record's setup, players, actions, digest and result; then an
    /// adjudication must be in the log.
    ///
    /// # Errors
    /// The first fault; in a log, the first bad event.
    pub fn verify(&self, library: &Library) -> Result<Verification, ReplayError> {
        match &self.events {
            Some(events) => self.verify_log(events, library),
            None => self.verify_with(library, |_| {}),
        }
    }

    /// Checks the format, `played_at`, and that the versions of ruleset and board are named.
    ///
    /// A record must name these versions because the current ones change with a release.
    fn check_form(&self, library: &Library) -> Result<(), ReplayError> {
        self.check_format()?;
        let setup = &self.setup;
        if setup.ruleset_hash.is_none() || setup.board_hash.is_none() {
            let spelled = setup.spelled_out(library)?;
            let (field, current) = match setup.ruleset_hash {
                None => ("ruleset_hash", spelled.ruleset_hash),
                Some(_) => ("board_hash", spelled.board_hash),
            };
            let current = current.unwrap_or_default();
            let message = format!("a record must have it; the current one is {current}");
            return Err(SetupError::new(field, message).into());
        }
        match utc(&self.played_at) {
            Some(_) => Ok(()),
            None => Err(ReplayError::PlayedAt(self.played_at.clone())),
        }
    }

    /// Like [`Record::verify`], and passes each action that counts to `each`.
    ///
    /// # Errors
    /// As [`Record::verify`].
    pub fn verify_with(
        &self,
        library: &Library,
        each: impl FnMut(ReplayStep<'_>),
    ) -> Result<Verification, ReplayError> {
        self.check_form(library)?;
        let logged = self.events.as_ref();
        let logged = logged.map(|events| self.verify_log(events, library));
        let logged = logged.transpose()?;
        let (game, state) = self.replay(library, each)?;
        let result = self.result.as_ref();
        let by_people = result.is_some_and(|result| result.reason.is_decision());
        Ok(Verification {
            declared: logged.map_or(by_people, |logged| logged.declared),
            game,
            state,
        })
    }

    fn verify_log(
        &self,
        events: &[EventRow],
        library: &Library,
    ) -> Result<Verification, ReplayError> {
        self.check_form(library)?;
        let (game, first) = self.start(library)?;
        let game = Arc::new(game);
        let bad = |seq: u64, fault: LogFault| ReplayError::Event { seq, fault };
        let mut fold = Fold::new(game.clone(), first);
        // For each seat, the last event that set its player; for each action, its event.
        let mut seated = vec![0; game.seats()];
        let mut acted: Vec<u64> = Vec::with_capacity(self.actions.len());
        for (seq, row) in (0..).zip(events) {
            let entry = fold.apply_row(row).map_err(|fault| bad(seq, fault))?;
            match entry {
                Entry::Setup(setup) if !setup.matches(&self.setup) => {
                    return Err(bad(seq, LogFault::OtherSetup));
                }
                Entry::Action(text) => {
                    let recorded = self
                        .actions
                        .get(acted.len())
                        .map(|action| action.strip_prefix('-').unwrap_or(action));
                    if recorded != Some(&text) {
                        return Err(bad(seq, LogFault::OtherAction));
                    }
                    acted.push(seq);
                }
                Entry::Seat { seat, .. } => seated[usize::from(seat)] = seq,
                _ => {}
            }
        }
        let last = (events.len() as u64).checked_sub(1);
        let last = last.ok_or_else(|| bad(0, LogFault::Empty))?;
        let seats = self.setup.seats.iter().zip(fold.players()).zip(&seated);
        for ((seat, player), seq) in seats {
            if seat.player != *player {
                return Err(bad(*seq, LogFault::OtherPlayer));
            }
        }
        if acted.len() < self.actions.len() {
            return Err(bad(last, LogFault::OtherAction));
        }
        for (recorded, seq) in self.actions.iter().zip(&acted) {
            if recorded.starts_with('-') == fold.counts(*seq) {
                return Err(bad(*seq, LogFault::OtherAction));
            }
        }
        for (seq, number, deck) in fold.reshuffles() {
            if !self.matches_deck(&game, number, deck) {
                return Err(bad(seq, LogFault::Reshuffle(number)));
            }
        }
        self.check_reshuffles(fold.state())?;
        let claim = match fold.is_abandoned() && self.result.is_some() {
            true => Err(ResultFault::Abandoned),
            false => same_result(fold.result().as_ref(), self.result.as_ref()),
        };
        claim.map_err(|fault| bad(fold.ended_by().unwrap_or(last), fault.into()))?;
        let ended = events.last();
        if ended.is_none_or(|row| row.at != self.played_at) {
            return Err(bad(last, LogFault::PlayedAt(self.played_at.clone())));
        }
        if let Some(signature) = &self.signature
            && ended.is_none_or(|row| (row.seq, &row.hash) != (signature.seq, &signature.hash))
        {
            return Err(bad(last, LogFault::Signed(signature.seq)));
        }
        // Only a service has organizers who decide. Other sources could claim anything.
        let decided = fold.is_decided() && self.source != Source::Service;
        let declared = fold.is_declared() || decided;
        let state = fold.into_state();
        self.check_digest(&state)?;
        Ok(Verification {
            game: Arc::unwrap_or_clone(game),
            state,
            declared,
        })
    }

    fn check_format(&self) -> Result<(), ReplayError> {
        match self.format == RECORD_FORMAT {
            true => Ok(()),
            false => Err(ReplayError::Format(self.format.clone())),
        }
    }

    fn check_digest(&self, state: &State) -> Result<(), ReplayError> {
        let found = digest_text(state.digest());
        match found == self.digest {
            true => Ok(()),
            false => Err(ReplayError::Digest {
                found,
                recorded: self.digest.clone(),
            }),
        }
    }

    /// Returns whether cards are shuffled by the record's seed. Over the board there is no seed.
    pub fn decks_come_from_seed(&self) -> bool {
        !self.setup.seed.is_empty()
    }

    /// Returns the game and its first state.
    ///
    /// Decks that come from the seed are shuffled again, to find those that differ in the record.
    ///
    /// # Errors
    /// If the setup starts no game, or names a deck that is not the one from its seed.
    pub fn start(&self, library: &Library) -> Result<(Game, State), SetupError> {
        let setup = &self.setup;
        let spelled = setup.deck.is_some() || !setup.reshuffles.is_empty();
        if !spelled || !self.decks_come_from_seed() {
            return setup.start(library);
        }
        let unspelled = Setup {
            deck: None,
            reshuffles: Vec::new(),
            ..setup.clone()
        };
        let (game, first) = unspelled.start(library)?;
        if let Some(recorded) = &setup.deck {
            let deck = laid_out(setup, &first);
            if !card_names(&game, &deck).eq(recorded.iter().map(String::as_str)) {
                let message = "the seed gives another deck; remove this deck, or correct the seed";
                return Err(SetupError::new("deck", message));
            }
        }
        Ok((game, first))
    }

    fn check_reshuffles(&self, state: &State) -> Result<(), SetupError> {
        let happened = usize::from(state.cards.reshuffles);
        match self.setup.reshuffles.len() > happened {
            true => {
                let field = format!("reshuffles[{happened}]");
                Err(SetupError::new(
                    field,
                    "the game has no such reshuffle; remove the deck",
                ))
            }
            false => Ok(()),
        }
    }

    /// Returns whether a reshuffled deck is the one in the setup. True if the setup has none.
    fn matches_deck(&self, game: &Game, number: u8, deck: &[Card]) -> bool {
        let recorded = self.setup.reshuffles.get(usize::from(number));
        let same =
            |recorded: &[String]| card_names(game, deck).eq(recorded.iter().map(String::as_str));
        recorded.is_none_or(|recorded| recorded.is_empty() || same(recorded))
    }
}

fn card_names<'a>(game: &'a Game, cards: &'a [Card]) -> impl Iterator<Item = &'a str> {
    cards.iter().map(|card| game.ruleset.card_name(*card))
}

/// Checks that people can have ended a running game in this state with this result.
fn check_declared(game: &Game, state: &State, recorded: &ResultBody) -> Result<(), ResultFault> {
    match recorded.reason.is_decision() {
        true => Ok(game.check_decision(state, recorded)?),
        false => Err(ResultFault::GoesOn(recorded.reason)),
    }
}

/// Checks that the result of a game is the one in the record.
fn same_result(
    found: Option<&ResultBody>,
    recorded: Option<&ResultBody>,
) -> Result<(), ResultFault> {
    match (found, recorded) {
        (found, recorded) if found == recorded => Ok(()),
        (None, Some(recorded)) => Err(ResultFault::GoesOn(recorded.reason)),
        (Some(found), None) => Err(ResultFault::Over(found.reason)),
        (Some(found), Some(recorded)) if found.reason != recorded.reason => {
            Err(ResultFault::Reason {
                expected: found.reason,
                found: recorded.reason,
            })
        }
        _ => Err(ResultFault::Ranks),
    }
}
