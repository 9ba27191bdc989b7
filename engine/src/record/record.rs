//! A record: a whole game.

use serde::{Deserialize, Serialize};

use crate::content::Library;
use crate::forms::{NotationError, ResultBody, SetupError, digest_text};
use crate::ids::{Card, Nation};
use crate::play::{Action, Effect, Game, Illegal};
use crate::record::{
    EventRow, Player, Setup, Signature, first_broken, tells_setup, told_player, told_players,
};
use crate::state::State;
use crate::words::EndReason;

/// What [`Record::format`] says.
pub const FORMAT: &str = "tabularium-record/1";

/// Where a record comes from.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display, strum::EnumString,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Source {
    /// Played on a Tabularium service.
    Service,
    /// Played by bots for statistics.
    Simulation,
    /// Played elsewhere.
    Import,
}

/// A game: its setup, its actions, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Always [`FORMAT`].
    pub format: String,
    /// The game's id.
    pub id: String,
    /// The setup with every choice spelled out.
    pub setup: Setup,
    /// The actions in notation; those that were undone have a `-` before them.
    pub actions: Vec<String>,
    /// The event log, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<EventRow>>,
    /// How it ended; null while it goes on.
    pub result: Option<ResultBody>,
    /// Digest of the last state, 16 hexadecimal digits.
    pub digest: String,
    /// When it was played (ended): RFC 3339, UTC.
    pub played_at: String,
    /// Where it comes from.
    pub source: Source,
    /// Whether it counts for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The league it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<String>,
    /// By whom it is vouched for: the office that keeps the finished game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Signature>,
}

/// One action of a replay and what followed.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The game.
    pub game: &'a Game,
    /// Position of the action in [`Record::actions`], from 0.
    pub index: usize,
    /// The nation that acted.
    pub nation: Nation,
    /// What it did.
    pub action: Action,
    /// The state after it.
    pub state: &'a State,
    /// What followed.
    pub effects: &'a [Effect],
}

/// A record that does not replay.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The format is another one.
    #[error("the format is {0:?}, not {FORMAT:?}")]
    Format(String),
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
        source: Illegal,
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
    #[error("the game does not end as the record says")]
    Result,
    /// The chain of events is broken.
    #[error("event {seq}: {message}")]
    Event {
        /// The first bad event.
        seq: u64,
        /// What is wrong with it.
        message: String,
    },
}

impl Record {
    /// Replays the record, checks every action, the result and the digest, and shows each step to
    /// `each`. Undone actions are passed over. The event log is not looked at;
    /// see [`Record::verify`].
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn replay(
        &self,
        library: &Library,
        mut each: impl FnMut(Step<'_>),
    ) -> Result<(Game, State), ReplayError> {
        if self.format != FORMAT {
            return Err(ReplayError::Format(self.format.clone()));
        }
        let (game, mut state) = self.setup.start(library)?;
        let mut effects = Vec::new();
        for (index, text) in self.actions.iter().enumerate() {
            if text.starts_with('-') {
                continue;
            }
            let (nation, action) = game
                .parse(text)
                .map_err(|source| ReplayError::Notation { index, source })?;
            // A parsed action without a name is the act of whoever must act.
            let acts = game.pending(&state).map(|pending| pending.nation);
            let nation = nation.or(acts).unwrap_or(state.to_move);
            effects.clear();
            game.apply(&mut state, nation, action, &mut effects)
                .map_err(|source| ReplayError::Illegal {
                    index,
                    text: text.clone(),
                    source,
                })?;
            if let Some(deck) = shuffled_deck(&state, &effects) {
                self.check_reshuffle(&game, &state, &deck)?;
            }
            each(Step {
                game: &game,
                index,
                nation,
                action,
                state: &state,
                effects: &effects,
            });
        }
        self.check_result(&game, &state)?;
        let found = digest_text(state.digest());
        if found != self.digest {
            return Err(ReplayError::Digest {
                found,
                recorded: self.digest.clone(),
            });
        }
        Ok((game, state))
    }

    /// Spells out what the seed has decided beyond the seats: the event deck and the decks that used
    /// cards became. Only for games that are over, for it gives the order of the deck away.
    ///
    /// # Errors
    /// When the record does not replay.
    pub fn spell_out(&mut self, library: &Library) -> Result<(), ReplayError> {
        let (game, first) = self.setup.start(library)?;
        if game.rules.cards.is_none() {
            return Ok(());
        }
        let names = |cards: Vec<Card>| -> Vec<String> {
            let name = |card: Card| game.ruleset.card_name(card).to_owned();
            cards.into_iter().map(name).collect()
        };
        // A position that tells the order of its deck has not drawn it.
        let position = self.setup.position.as_ref();
        let told = position.and_then(|body| body.cards.as_ref()?.order.as_ref());
        let deck = told.is_none().then(|| {
            let dealt = match position {
                None => first.cards.open.cards(),
                Some(_) => &[],
            };
            let dealt = dealt.iter().rev().copied();
            let deck = first.cards.deck.cards().iter().copied();
            names(deck.chain(dealt).collect())
        });
        // By the number of reshuffles: those before a position are not known.
        let mut reshuffles = vec![Vec::new(); usize::from(first.cards.reshuffles)];
        self.replay(library, |step| {
            reshuffles.extend(shuffled_deck(step.state, step.effects).map(names));
        })?;
        self.setup.deck = deck;
        self.setup.reshuffles = reshuffles;
        Ok(())
    }

    /// Whether the deck that used cards have just become is the one that the setup tells.
    fn check_reshuffle(&self, game: &Game, state: &State, deck: &[Card]) -> Result<(), SetupError> {
        let index = usize::from(state.cards.reshuffles.saturating_sub(1));
        let told = self.setup.reshuffles.get(index);
        let names = deck.iter().map(|card| game.ruleset.card_name(*card));
        match told.filter(|told| !told.is_empty()) {
            Some(told) if !names.eq(told.iter().map(String::as_str)) => {
                let field = format!("reshuffles[{index}]");
                Err(SetupError::new(field, "these are not the used cards"))
            }
            _ => Ok(()),
        }
    }

    fn check_result(&self, game: &Game, state: &State) -> Result<(), ReplayError> {
        let agrees = match (&self.result, game.result_body(state)) {
            (recorded, Some(found)) => recorded.as_ref() == Some(&found),
            (None, None) => true,
            (Some(recorded), None) => {
                let by_people = matches!(
                    recorded.reason,
                    EndReason::Agreement | EndReason::Adjudication
                );
                let ranks = recorded.ranks.iter().map(|body| (body.seat, body.rank));
                let seats = game.seats();
                by_people
                    && recorded.ranks.len() == seats
                    && recorded
                        .ranks
                        .iter()
                        .all(|body| usize::from(body.seat) < seats)
                    && *recorded == game.rank_seats(state, recorded.reason, ranks)
            }
        };
        if agrees {
            Ok(())
        } else {
            Err(ReplayError::Result)
        }
    }

    /// Replays the record and, where it carries its event log, checks the chain of hashes, the
    /// digest of every event, and that the log tells the same setup, players and actions.
    ///
    /// # Errors
    /// The first thing that is wrong; in a log, the first bad event.
    pub fn verify(&self, library: &Library) -> Result<(Game, State), ReplayError> {
        if let Some(events) = &self.events {
            self.verify_events(events, library)?;
        }
        self.replay(library, |_| {})
    }

    fn verify_events(&self, events: &[EventRow], library: &Library) -> Result<(), ReplayError> {
        let bad = |seq: u64, message: &str| ReplayError::Event {
            seq,
            message: message.to_owned(),
        };
        let broken = first_broken(events);
        let (game, first) = self.setup.start(library)?;
        // States by sequence number, so that an undo can go back.
        let mut states: Vec<State> = Vec::new();
        let mut actions: Vec<String> = Vec::new();
        // For each entry of `actions`, the event it came from.
        let mut origins: Vec<u64> = Vec::new();
        // For each seat, who plays it and the event that told it last.
        let mut players: Vec<(Player, u64)> = Vec::new();
        for row in events {
            if broken == Some(row.seq) || broken == Some(states.len() as u64) {
                let seq = states.len() as u64;
                return Err(bad(
                    seq,
                    "its hash does not follow from the events before it",
                ));
            }
            let state = match (states.last(), row.notation.split_once(' ')) {
                (None, _) if !tells_setup(&row.notation, &self.setup) => {
                    return Err(bad(row.seq, "it tells another setup than the record"));
                }
                (None, _) => {
                    let told = told_players(&row.notation);
                    players.extend(told.into_iter().map(|player| (player, row.seq)));
                    first.clone()
                }
                (Some(_), Some(("undo", to))) => {
                    let to: usize = to.parse().map_err(|_| bad(row.seq, "cannot read it"))?;
                    let back = states.get(to).cloned();
                    for (text, origin) in actions.iter_mut().zip(&origins) {
                        if *origin > to as u64 && !text.starts_with('-') {
                            text.insert(0, '-');
                        }
                    }
                    back.ok_or_else(|| bad(row.seq, "it undoes to an event that is not there"))?
                }
                (Some(state), Some(("seat", told))) => {
                    let (seat, player) =
                        told_player(told).ok_or_else(|| bad(row.seq, "cannot read it"))?;
                    let known = players.get_mut(seat);
                    *known.ok_or_else(|| bad(row.seq, "there is no such seat"))? =
                        (player, row.seq);
                    state.clone()
                }
                (Some(state), Some(("adjudicate", _))) => state.clone(),
                (Some(state), _) => {
                    let mut next = state.clone();
                    let (named, action) = game
                        .parse(&row.notation)
                        .map_err(|error| bad(row.seq, &error.to_string()))?;
                    let acts = game.pending(state).map(|pending| pending.nation);
                    let nation = named.or(acts).unwrap_or(state.to_move);
                    game.apply(&mut next, nation, action, &mut Vec::new())
                        .map_err(|error| bad(row.seq, &error.to_string()))?;
                    actions.push(row.notation.clone());
                    origins.push(row.seq);
                    next
                }
            };
            if digest_text(state.digest()) != row.digest {
                return Err(bad(row.seq, "the state after it has another digest"));
            }
            states.push(state);
        }
        if states.is_empty() {
            return Err(bad(0, "the log is empty"));
        }
        for (seat, (player, seq)) in self.setup.seats.iter().zip(&players) {
            if seat.player != *player {
                return Err(bad(
                    *seq,
                    "it tells another player of a seat than the record",
                ));
            }
        }
        let agreeing = actions.iter().zip(&self.actions);
        let agreeing = agreeing.take_while(|(log, told)| log == told).count();
        if agreeing < actions.len().max(self.actions.len()) {
            let last = events.len() as u64 - 1;
            let seq = origins.get(agreeing).copied().unwrap_or(last);
            return Err(bad(seq, "the log and the record's actions differ"));
        }
        Ok(())
    }
}

/// The deck that used cards became in the action with these effects, if they did, the last card
/// drawn first.
fn shuffled_deck(state: &State, effects: &[Effect]) -> Option<Vec<Card>> {
    let is_shuffle = |effect: &Effect| matches!(effect, Effect::DeckShuffled { .. });
    let at = effects.iter().position(is_shuffle)?;
    let drawn = effects[at..]
        .iter()
        .rev()
        .filter_map(|effect| match effect {
            Effect::CardRevealed { card } => Some(*card),
            _ => None,
        });
    let deck = state.cards.deck.cards().iter().copied();
    Some(deck.chain(drawn).collect())
}
