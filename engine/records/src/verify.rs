//! Whether a record proves what it says. The first thing that does not follow is told.

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

/// A record that does not replay, or does not prove what it says.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The format is another one.
    #[error("the format is {0:?}, not {RECORD_FORMAT:?}")]
    Format(String),
    /// When it was played cannot be read, or is not UTC.
    #[error("played_at is {0:?}, no time in UTC as RFC 3339 gives it")]
    PlayedAt(String),
    /// The setup does not start a game.
    #[error("the setup does not start a game: {0}")]
    Setup(#[from] SetupError),
    /// An action cannot be read.
    #[error("action {}: {source}", index + 1)]
    Notation {
        /// Position in [`Record::actions`], from 0.
        index: usize,
        /// Why.
        source: NotationError,
    },
    /// An action is not legal.
    #[error("action {} ({text}): {source}", index + 1)]
    Illegal {
        /// Position in [`Record::actions`], from 0.
        index: usize,
        /// The action.
        text: String,
        /// Why.
        source: Refusal,
    },
    /// The last state is another one.
    #[error("the digest after the last action is {found}, the record says {recorded}")]
    Digest {
        /// As replayed.
        found: String,
        /// As recorded.
        recorded: String,
    },
    /// The game ended otherwise.
    #[error("the game does not end as the record says: {0}")]
    Result(#[from] ResultFault),
    /// The event log does not hold, or does not give what the record says.
    #[error("event {seq}: {fault}")]
    Event {
        /// The first bad event.
        seq: u64,
        /// What is wrong with it.
        fault: LogFault,
    },
}

/// A record that holds.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The game.
    pub game: Game,
    /// Where it stands at the end.
    pub state: State,
    /// Whether the result is one that only the record claims: an adjudication or agreement that no
    /// log carries, or that a log carries because it was taken in from such a record. Every other
    /// result follows from the actions, or is the decision of the service whose log tells it.
    pub declared: bool,
}

impl Record {
    /// Replays the record, checks every action, the result and the digest, and shows each step to
    /// `each`. Undone actions are read and passed over. The event log is not looked at;
    /// see [`Record::verify`].
    ///
    /// # Errors
    /// The first thing that is wrong.
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
                if !self.tells_deck(&game, number, &deck) {
                    let field = format!("reshuffles[{number}]");
                    return Err(SetupError::new(field, "these are not the used cards").into());
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
            (Some(told), None) => may_be_declared(&game, &state, told)?,
            (told, found) => same_result(found.as_ref(), told.as_ref())?,
        }
        self.check_digest(&state)?;
        Ok((game, state))
    }

    /// Whether the record holds. It must name its ruleset and board by their hashes. Without an event log its actions must lead to its digest and
    /// result; an adjudication or agreement, which no action leads to, is taken as
    /// [declared](Verified::declared) when people can have decided so. A record with its event log
    /// holds if the log does, row by row, and gives the record's setup, players, actions, digest and
    /// result; then an adjudication must stand in the log.
    ///
    /// # Errors
    /// The first thing that is wrong; in a log, the first bad event.
    pub fn verify(&self, library: &Library) -> Result<Verified, ReplayError> {
        match &self.events {
            Some(events) => self.verify_log(events, library),
            None => self.verify_with(library, |_| {}),
        }
    }

    /// Whether the record tells when it was played and by which versions of ruleset and board: the
    /// current ones are not for ever.
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
            let message = format!("a record tells its {field}; that of today is {current}");
            return Err(SetupError::new(field, message).into());
        }
        match utc(&self.played_at) {
            Some(_) => Ok(()),
            None => Err(ReplayError::PlayedAt(self.played_at.clone())),
        }
    }

    /// As [`Record::verify`], and shows each action that counts to `each`.
    ///
    /// # Errors
    /// As [`Record::verify`].
    pub fn verify_with(
        &self,
        library: &Library,
        each: impl FnMut(ReplayStep<'_>),
    ) -> Result<Verified, ReplayError> {
        self.check_form(library)?;
        let logged = self.events.as_ref();
        let logged = logged.map(|events| self.verify_log(events, library));
        let logged = logged.transpose()?;
        let (game, state) = self.replay(library, each)?;
        let result = self.result.as_ref();
        let by_people = result.is_some_and(|result| result.reason.is_decision());
        Ok(Verified {
            declared: logged.map_or(by_people, |logged| logged.declared),
            game,
            state,
        })
    }

    fn verify_log(&self, events: &[EventRow], library: &Library) -> Result<Verified, ReplayError> {
        self.check_form(library)?;
        let (game, first) = self.start(library)?;
        let game = Arc::new(game);
        let bad = |seq: u64, fault: LogFault| ReplayError::Event { seq, fault };
        let mut fold = Fold::new(game.clone(), first);
        // For each seat, the event that told its player last; for each action, the event that is it.
        let mut seated = vec![0; game.seats()];
        let mut acted: Vec<u64> = Vec::with_capacity(self.actions.len());
        for (seq, row) in (0..).zip(events) {
            let entry = fold.take(row).map_err(|fault| bad(seq, fault))?;
            match entry {
                Entry::Setup(told) if !told.tells(&self.setup) => {
                    return Err(bad(seq, LogFault::OtherSetup));
                }
                Entry::Action(text) => {
                    let told = self.actions.get(acted.len());
                    let told = told.map(|told| told.strip_prefix('-').unwrap_or(told));
                    if told != Some(&text) {
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
        for (told, seq) in self.actions.iter().zip(&acted) {
            if told.starts_with('-') == fold.counts(*seq) {
                return Err(bad(*seq, LogFault::OtherAction));
            }
        }
        for (seq, number, deck) in fold.reshuffles() {
            if !self.tells_deck(&game, number, deck) {
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
        // Only a service has people who decide; whoever plays elsewhere can write down anything.
        let decided = fold.is_decided() && self.source != Source::Service;
        let declared = fold.is_declared() || decided;
        let state = fold.into_state();
        self.check_digest(&state)?;
        Ok(Verified {
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

    /// Whether cards were shuffled by the seed that the record tells. At a table, where they are
    /// shuffled by hand, there is none.
    pub fn decks_come_from_seed(&self) -> bool {
        !self.setup.seed.is_empty()
    }

    /// What the record starts from. Decks that come from its seed are shuffled anew, so that others
    /// are found.
    ///
    /// # Errors
    /// When the setup starts no game, or tells another deck than its seed gives.
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
        if let Some(told) = &setup.deck {
            let deck = laid_out(setup, &first);
            if !card_names(&game, &deck).eq(told.iter().map(String::as_str)) {
                let message = "this is not the deck that the seed gives";
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
                Err(SetupError::new(field, "no more decks were shuffled"))
            }
            false => Ok(()),
        }
    }

    /// Whether the deck that used cards became is the one that the setup tells, if it tells one.
    fn tells_deck(&self, game: &Game, number: u8, deck: &[Card]) -> bool {
        let told = self.setup.reshuffles.get(usize::from(number));
        let same = |told: &[String]| card_names(game, deck).eq(told.iter().map(String::as_str));
        told.is_none_or(|told| told.is_empty() || same(told))
    }
}

fn card_names<'a>(game: &'a Game, cards: &'a [Card]) -> impl Iterator<Item = &'a str> {
    cards.iter().map(|card| game.ruleset.card_name(*card))
}

/// Whether people can have ended a game that goes on in this state with this result.
fn may_be_declared(game: &Game, state: &State, told: &ResultBody) -> Result<(), ResultFault> {
    match told.reason.is_decision() {
        true => Ok(game.check_decision(state, told)?),
        false => Err(ResultFault::GoesOn(told.reason)),
    }
}

/// Whether a result is the one that a record tells.
fn same_result(found: Option<&ResultBody>, told: Option<&ResultBody>) -> Result<(), ResultFault> {
    match (found, told) {
        (found, told) if found == told => Ok(()),
        (None, Some(told)) => Err(ResultFault::GoesOn(told.reason)),
        (Some(found), None) => Err(ResultFault::Over(found.reason)),
        (Some(found), Some(told)) if found.reason != told.reason => Err(ResultFault::Reason {
            expected: found.reason,
            found: told.reason,
        }),
        _ => Err(ResultFault::Ranks),
    }
}
