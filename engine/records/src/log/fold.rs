//! The fold of a log: applies its rows in order and has their outcome.
//!
//! The service, imports and verification all read logs through it. It rejects a row that does not follow.

use std::sync::Arc;

use engine::forms::{DecisionError, NotationError, ResultBody, digest_text};
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Game, Refusal};
use engine::setup::{Player, TimeoutThen};
use engine::state::State;
use engine::words::EndReason;
use jiff::Timestamp;

use super::{Decision, Entry, EntryError, EventRow, SeatClocks, TimeoutFault};

/// How many counting rows lie between two states that a fold keeps for undos.
const PART: usize = 64;

/// Why a row does not follow from those before it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LogFault {
    /// Rows are missing, repeated or out of order.
    #[error("its number is {found}; expected {expected}")]
    Seq {
        /// The next number.
        expected: u64,
        /// The number in the row.
        found: u64,
    },
    /// The hash chain is broken.
    #[error("its hash does not match its content and the events before it")]
    Hash,
    /// Its time is not a time in UTC.
    #[error("its time is {0:?}; expected an RFC 3339 time in UTC, such as 2012-10-18T12:00:00Z")]
    Time(String),
    /// Its time is earlier than that of the row before it.
    #[error("its time is earlier than that of the event before it")]
    Earlier,
    /// The time of the last row is not the record's `played_at`.
    #[error("it is the last event, but its time is not the record's played_at, {0:?}")]
    PlayedAt(String),
    /// The record's signature is for another log.
    #[error("it is the last event, but the record's signature is for event {0} or another hash")]
    Signed(u64),
    /// It cannot be parsed.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// Row 0 is not a setup, or another row is.
    #[error("event 0 must be a setup, and no other event may be one")]
    Setup,
    /// Its setup is not the record's.
    #[error("its setup is not the record's")]
    OtherSetup,
    /// Its action cannot be parsed.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Its action is not legal.
    #[error(transparent)]
    Illegal(#[from] Refusal),
    /// The target of the undo is missing or was undone itself.
    #[error("it undoes to event {0}, which does not exist or was undone")]
    Undo(u64),
    /// The undo changes nothing.
    #[error("it undoes nothing: event {0} is the one before it")]
    Needless(u64),
    /// The undo has no player. Only logs that were written in one go, such as imports, may omit it.
    #[error("it does not name the player who requested the undo")]
    NoRequester,
    /// Only a game that has not started can be abandoned.
    #[error("a game that has started cannot be abandoned without a result")]
    Started,
    /// There is no such seat.
    #[error("there is no seat {0}")]
    Seat(u8),
    /// It comes after the end.
    #[error("the game was already over")]
    Over,
    /// Not a possible decision of people.
    #[error(transparent)]
    Decision(#[from] DecisionError),
    /// The time-out is not valid.
    #[error(transparent)]
    Timeout(#[from] TimeoutFault),
    /// Its turn is wrong.
    #[error("its turn is {found}; expected {expected}")]
    Turn {
        /// The turn of the game.
        expected: u32,
        /// The turn in the row.
        found: u32,
    },
    /// Its nation is wrong.
    #[error("its nation is {}; expected {}", or_none(found), or_none(expected))]
    Nation {
        /// The nation that acted.
        expected: Option<String>,
        /// The nation in the row.
        found: Option<String>,
    },
    /// Its player is wrong.
    #[error("its player is {}; expected {}", or_none(found), or_none(expected))]
    Player {
        /// The player who acted.
        expected: Option<String>,
        /// The player in the row.
        found: Option<String>,
    },
    /// The requester of an undo has no seat.
    #[error("{0:?} has no seat in this game")]
    NotSeated(String),
    /// Its digest is wrong.
    #[error("its digest is not that of the state after it")]
    Digest,
    /// Its seat has another player in the record.
    #[error("the record has another player on this seat")]
    OtherPlayer,
    /// The actions, or which of them were undone, differ from the record.
    #[error("its action is not the one in the record, or only one of them is undone")]
    OtherAction,
    /// A reshuffled deck differs from the record.
    #[error("its reshuffled deck is not the record's reshuffles[{0}]")]
    Reshuffle(u8),
    /// The result differs from the record.
    #[error(transparent)]
    Result(#[from] ResultFault),
    /// The log has no rows.
    #[error("the log is empty")]
    Empty,
}

fn or_none(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or("none")
}

/// Why a record's result is not that of its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultFault {
    /// The game is not over, but the record has a result.
    #[error("the game goes on, but the record says it ended by {0}")]
    GoesOn(EndReason),
    /// The game is over, but the record has no result.
    #[error("the game ended by {0}, but the record has no result")]
    Over(EndReason),
    /// The game was abandoned, but the record has a result.
    #[error("the game was abandoned without a result, but the record has one")]
    Abandoned,
    /// The reason differs.
    #[error("the game ended by {expected}, but the record says by {found}")]
    Reason {
        /// The reason in the game.
        expected: EndReason,
        /// The reason in the record.
        found: EndReason,
    },
    /// Ranks, points, shares, nations or their order differ.
    #[error("the ranks, points, shares or nations in the record are not those of the game")]
    Ranks,
    /// It is not in a log, and not a possible decision of people.
    #[error("no log confirms the result, and {0}")]
    Declared(#[from] DecisionError),
}

/// Which rows of a log count: not those between an undo and the row that it returns to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Their numbers, ascending.
    rows: Vec<u64>,
}

impl Path {
    /// Adds the next row of the log.
    ///
    /// # Errors
    /// The target of an undo, if that row does not count.
    pub fn add(&mut self, seq: u64, entry: &Entry) -> Result<(), u64> {
        if let Entry::Undo(to) = entry {
            let at = self.rows.binary_search(to).map_err(|_| *to)?;
            self.rows.truncate(at + 1);
        }
        self.rows.push(seq);
        Ok(())
    }

    /// Returns whether a row counts.
    pub fn contains(&self, seq: u64) -> bool {
        self.rows.binary_search(&seq).is_ok()
    }
}

/// A row that counts, with its action if it has one.
#[derive(Clone, Copy, Debug)]
struct CountedRow {
    seq: u64,
    act: Option<(Nation, Action)>,
}

/// Consecutive rows that count, and the state before them.
#[derive(Clone, Debug)]
struct FoldPart {
    before: State,
    rows: Vec<CountedRow>,
}

/// An action that counts and drew cards.
#[derive(Clone, Debug)]
struct CardDraw {
    seq: u64,
    /// The number of the reshuffle, from 0, and the deck after it.
    deck: Option<(u8, Vec<Card>)>,
}

/// The end of a game.
#[derive(Clone, Debug)]
struct End {
    seq: u64,
    result: Option<ResultBody>,
    cause: EndCause,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndCause {
    /// The rules, or that it was abandoned.
    Game,
    /// A decision where the log was written.
    Decision,
    /// A decision claimed by an imported record.
    Declaration,
}

/// The outcome of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowEffect {
    /// The turn in which it happened.
    pub turn: u32,
    /// The player who acted, for [`EventRow::player`].
    pub player: Option<String>,
    /// The nation that acted and its action.
    pub act: Option<(Nation, Action)>,
}

/// The outcome of a log up to one of its rows.
///
/// It keeps the rows that count and a few states, not one for each row. Clones share most of it, so a clone costs
/// little more than one state, and continues independently.
#[derive(Clone, Debug)]
pub struct Fold {
    game: Arc<Game>,
    state: State,
    effects: Vec<Effect>,
    players: Vec<Player>,
    draws: Vec<CardDraw>,
    /// Present if the setup has a pace.
    clock: Option<SeatClocks>,
    /// The seat that has timed out, and the consequence that the next rows must have.
    pending: Option<(u8, TimeoutThen)>,
    /// The rows that count, except the last ones.
    past: Vec<Arc<FoldPart>>,
    /// The last rows that count.
    last: FoldPart,
    end: Option<End>,
    next: u64,
    last_hash: Option<String>,
    last_at: Option<Timestamp>,
    /// Whether all rows have the same time, as in a log that an import wrote.
    same_time: bool,
}

impl Fold {
    /// Returns the fold of an empty log of a game that starts with this state.
    pub fn new(game: Arc<Game>, first: State) -> Fold {
        Fold {
            game,
            state: first.clone(),
            effects: Vec::new(),
            players: Vec::new(),
            draws: Vec::new(),
            clock: None,
            pending: None,
            past: Vec::new(),
            last: FoldPart {
                before: first,
                rows: Vec::new(),
            },
            end: None,
            next: 0,
            last_hash: None,
            last_at: None,
            same_time: true,
        }
    }

    /// Applies the next row and checks all its columns. Returns its entry.
    ///
    /// # Errors
    /// Why the row does not follow. The fold cannot be used afterwards.
    pub fn apply_row(&mut self, row: &EventRow) -> Result<Entry, LogFault> {
        if row.seq != self.next {
            let (expected, found) = (self.next, row.seq);
            return Err(LogFault::Seq { expected, found });
        }
        if row.hash != row.chained_hash(self.last_hash.as_deref()) {
            return Err(LogFault::Hash);
        }
        self.note_time(&row.at)?;
        let entry: Entry = row.notation.parse()?;
        if matches!(entry, Entry::Undo(_)) && row.player.is_none() && !self.same_time {
            return Err(LogFault::NoRequester);
        }
        let outcome = self.apply_entry(&entry, row.player.as_deref())?;
        if row.turn != outcome.turn {
            let (expected, found) = (outcome.turn, row.turn);
            return Err(LogFault::Turn { expected, found });
        }
        let nation = outcome.act.map(|(nation, _)| self.game.nation_name(nation));
        if row.nation.as_deref() != nation {
            return Err(LogFault::Nation {
                expected: nation.map(str::to_owned),
                found: row.nation.clone(),
            });
        }
        if row.player != outcome.player {
            return Err(LogFault::Player {
                expected: outcome.player,
                found: row.player.clone(),
            });
        }
        if digest_text(self.state.digest()) != row.digest {
            return Err(LogFault::Digest);
        }
        self.last_hash = Some(row.hash.clone());
        Ok(entry)
    }

    /// Applies `entry` and returns it as the next row. `asked_by` requested an undo, if known.
    ///
    /// # Errors
    /// Why it does not follow. Afterwards the fold is unchanged only if the entry is a rejected action.
    pub fn write(
        &mut self,
        entry: &Entry,
        asked_by: Option<&str>,
        at: &str,
    ) -> Result<EventRow, LogFault> {
        let seq = self.next;
        self.note_time(at)?;
        let outcome = self.apply_entry(entry, asked_by)?;
        let nation = outcome.act.map(|(nation, _)| self.game.nation_name(nation));
        let row = EventRow {
            seq,
            turn: outcome.turn,
            player: outcome.player,
            nation: nation.map(str::to_owned),
            notation: entry.to_string(),
            digest: digest_text(self.state.digest()),
            at: at.to_owned(),
            hash: String::new(),
        }
        .chained(self.last_hash.as_deref());
        self.last_hash = Some(row.hash.clone());
        Ok(row)
    }

    /// Applies the entry of the next row, without its other columns.
    /// `asked_by` requested an undo, if known.
    ///
    /// # Errors
    /// Why it does not follow. Afterwards the fold is unchanged only if the entry is a rejected action.
    pub fn apply_entry(
        &mut self,
        entry: &Entry,
        asked_by: Option<&str>,
    ) -> Result<RowEffect, LogFault> {
        if self.end.is_some() {
            return Err(LogFault::Over);
        }
        if (self.next == 0) != matches!(entry, Entry::Setup(_)) {
            return Err(LogFault::Setup);
        }
        self.effects.clear();
        if self.last.rows.len() >= PART {
            let next = FoldPart {
                before: self.state.clone(),
                rows: Vec::new(),
            };
            self.past
                .push(Arc::new(std::mem::replace(&mut self.last, next)));
        }
        let seq = self.next;
        let mut outcome = RowEffect {
            turn: self.state.turn,
            player: None,
            act: None,
        };
        match entry {
            Entry::Setup(setup) => {
                if setup.seats.len() != self.game.seats() {
                    return Err(LogFault::OtherSetup);
                }
                outcome.turn = 0;
                self.players = setup.seats.iter().map(|seat| seat.player.clone()).collect();
                let clock = |pace| SeatClocks::new(pace, setup.seats.len());
                self.clock = setup.pace.clone().map(clock);
            }
            Entry::Action(text) => {
                let (nation, action) = self.act(seq, text)?;
                // Each nation has a seat, and each seat a player.
                let seat = usize::from(self.game.seat_of(nation));
                outcome.player = self.players[seat].actor().map(str::to_owned);
                outcome.act = Some((nation, action));
            }
            Entry::Undo(to) => {
                if to + 1 == seq {
                    return Err(LogFault::Needless(*to));
                }
                let plays = |name: &str| self.players.iter().any(|p| p.actor() == Some(name));
                if let Some(name) = asked_by.filter(|name| !plays(name)) {
                    return Err(LogFault::NotSeated(name.to_owned()));
                }
                outcome.player = asked_by.map(str::to_owned);
                self.go_back(*to)?;
            }
            Entry::Seat { seat, player } => {
                let seated = self.players.get_mut(usize::from(*seat));
                *seated.ok_or(LogFault::Seat(*seat))? = player.clone();
                outcome.player = player.actor().map(str::to_owned);
            }
            Entry::Adjudicate(decision) => {
                let Decision { result, .. } = &**decision;
                self.game.check_decision(&self.state, result)?;
                self.end = Some(End {
                    seq,
                    result: Some(result.clone()),
                    cause: match decision.declared {
                        true => EndCause::Declaration,
                        false => EndCause::Decision,
                    },
                });
            }
            Entry::Timeout { seat, then } => {
                if usize::from(*seat) >= self.players.len() {
                    return Err(LogFault::Seat(*seat));
                }
                let clock = self.clock.as_ref().ok_or(TimeoutFault::NoPace)?;
                let at = self.last_at.unwrap_or(Timestamp::MIN);
                clock.check(*seat, *then, at)?;
            }
            Entry::Abandon => {
                if !self.players.contains(&Player::Open) {
                    return Err(LogFault::Started);
                }
                self.end = Some(End {
                    seq,
                    result: None,
                    cause: EndCause::Game,
                });
            }
        }
        self.settle(entry, outcome.act)?;
        if let (Some(clock), Some(at)) = (&mut self.clock, self.last_at) {
            clock.note(entry, at, &self.game, &self.state, &self.players);
        }
        self.last.rows.push(CountedRow {
            seq,
            act: outcome.act,
        });
        self.next += 1;
        Ok(outcome)
    }

    /// Checks that the rows after a time-out have its consequence, and only there.
    fn settle(&mut self, entry: &Entry, act: Option<(Nation, Action)>) -> Result<(), LogFault> {
        let Some((seat, then)) = self.pending.take() else {
            if let Entry::Timeout { seat, then } = entry {
                self.pending = Some((*seat, *then)).filter(|_| *then != TimeoutThen::Wait);
            }
            return Ok(());
        };
        let settled = match (then, entry, act) {
            (
                TimeoutThen::Bot,
                Entry::Seat {
                    seat: other,
                    player,
                },
                _,
            ) => {
                let bot = self
                    .clock
                    .as_ref()
                    .and_then(|clock| clock.pace().bot.as_ref());
                *other == seat && matches!(player, Player::Bot { name } if Some(name) == bot)
            }
            (TimeoutThen::Resign, _, Some((nation, Action::Resign))) => {
                let left = |nation| !self.state.nation(nation).resigned;
                if self.end.is_none() && self.game.nations_of(seat).any(left) {
                    self.pending = Some((seat, then));
                }
                self.game.seat_of(nation) == seat
            }
            _ => false,
        };
        match settled {
            true => Ok(()),
            false => Err(TimeoutFault::Missing(seat).into()),
        }
    }

    fn act(&mut self, seq: u64, text: &str) -> Result<(Nation, Action), LogFault> {
        let (nation, action) = self.game.read(&self.state, text)?;
        (self.game).apply(&mut self.state, nation, action, &mut self.effects)?;
        if self.effects.iter().any(Effect::is_draw) {
            let deck = shuffled_deck(&self.state, &self.effects);
            let number = self.state.cards.reshuffles.saturating_sub(1);
            self.draws.push(CardDraw {
                seq,
                deck: deck.map(|deck| (number, deck)),
            });
        }
        if let Some(result) = self.game.result_body(&self.state) {
            self.end = Some(End {
                seq,
                result: Some(result),
                cause: EndCause::Game,
            });
        }
        Ok((nation, action))
    }

    fn go_back(&mut self, to: u64) -> Result<(), LogFault> {
        if !self.counts(to) {
            return Err(LogFault::Undo(to));
        }
        while self.last.rows.first().is_none_or(|row| row.seq > to)
            && let Some(part) = self.past.pop()
        {
            self.last = Arc::unwrap_or_clone(part);
        }
        let FoldPart { before, rows } = &mut self.last;
        rows.truncate(rows.partition_point(|row| row.seq <= to));
        let drawn = self.draws.partition_point(|draw| draw.seq <= to);
        self.draws.truncate(drawn);
        self.state = before.clone();
        for (nation, action) in rows.iter().filter_map(|row| row.act) {
            self.effects.clear();
            (self.game).apply(&mut self.state, nation, action, &mut self.effects)?;
        }
        self.effects.clear();
        Ok(())
    }

    /// Records the time of the next row.
    /// Call it before [`Fold::apply_entry`], which needs it in games with a pace.
    ///
    /// # Errors
    /// If it is not a time in UTC, or earlier than the last row.
    pub fn note_time(&mut self, at: &str) -> Result<(), LogFault> {
        let time = utc(at).ok_or_else(|| LogFault::Time(at.to_owned()))?;
        if let Some(last) = self.last_at {
            if time < last {
                return Err(LogFault::Earlier);
            }
            self.same_time &= time == last;
        }
        self.last_at = Some(time);
        Ok(())
    }

    /// Returns the game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Returns the number of rows so far, which is the number of the next one.
    pub fn len(&self) -> u64 {
        self.next
    }

    /// Returns whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// Returns its approximate memory use in bytes, including what it shares with clones.
    pub fn size(&self) -> usize {
        let part = size_of::<FoldPart>() + PART * size_of::<CountedRow>();
        size_of::<Fold>() + self.past.len() * part + self.draws.len() * size_of::<CardDraw>()
    }

    /// Returns the state after the last row.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the state after the last row and drops the fold.
    pub fn into_state(self) -> State {
        self.state
    }

    /// Returns the effects of the last row, if it was an action.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Returns the clocks of the seats, in a game with a pace.
    pub fn clock(&self) -> Option<&SeatClocks> {
        self.clock.as_ref()
    }

    /// Returns the players of the seats, in order.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Returns whether a row exists and was not undone.
    pub fn counts(&self, seq: u64) -> bool {
        let starts = |part: &Arc<FoldPart>| part.rows.first().is_some_and(|row| row.seq <= seq);
        let rows = match self.last.rows.first() {
            Some(first) if first.seq <= seq => &self.last.rows,
            // Only the last part can be empty.
            _ => match self.past.partition_point(starts).checked_sub(1) {
                Some(part) => &self.past[part].rows,
                None => return false,
            },
        };
        rows.binary_search_by_key(&seq, |row| row.seq).is_ok()
    }

    /// Returns whether an action that counts drew cards after this row.
    pub fn drew_after(&self, seq: u64) -> bool {
        self.draws.last().is_some_and(|draw| draw.seq > seq)
    }

    /// Returns whether an action that counts comes after this row. If not, an undo to it changes nothing.
    pub fn acted_after(&self, seq: u64) -> bool {
        let past = self.past.iter().map(|part| &part.rows);
        let rows = past.chain([&self.last.rows]).flatten().rev();
        rows.take_while(|row| row.seq > seq)
            .any(|row| row.act.is_some())
    }

    /// Returns the reshuffles of the event deck by actions that count.
    ///
    /// Each has its row, the number of the reshuffle from 0, and the deck, the last card drawn first.
    pub fn reshuffles(&self) -> impl Iterator<Item = (u64, u8, &[Card])> {
        self.draws.iter().filter_map(|draw| {
            let (number, deck) = draw.deck.as_ref()?;
            Some((draw.seq, *number, deck.as_slice()))
        })
    }

    /// Returns the row that ended the game.
    pub fn ended_by(&self) -> Option<u64> {
        self.end.as_ref().map(|end| end.seq)
    }

    /// Returns whether the game was abandoned without a result.
    pub fn is_abandoned(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.result.is_none())
    }

    /// Returns the result, if the game is over. A game that starts from a position may be over at once.
    pub fn result(&self) -> Option<ResultBody> {
        match &self.end {
            Some(end) => end.result.clone(),
            None => self.game.result_body(&self.state),
        }
    }

    /// Returns whether the result was claimed by an imported record; see [`Decision::declared`].
    pub(crate) fn is_declared(&self) -> bool {
        self.end
            .as_ref()
            .is_some_and(|end| end.cause == EndCause::Declaration)
    }

    /// Returns whether people ended the game where the log was written.
    pub(crate) fn is_decided(&self) -> bool {
        self.end
            .as_ref()
            .is_some_and(|end| end.cause == EndCause::Decision)
    }
}

/// Parses a time as records and logs write it: RFC 3339 in UTC.
pub(crate) fn utc(text: &str) -> Option<Timestamp> {
    let text = Some(text).filter(|text| text.ends_with('Z'));
    text.and_then(|text| text.parse().ok())
}

/// Returns the deck after a reshuffle by the action with these effects, the last card drawn first.
pub(crate) fn shuffled_deck(state: &State, effects: &[Effect]) -> Option<Vec<Card>> {
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
