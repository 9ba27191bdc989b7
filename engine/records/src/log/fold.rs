//! What the rows of a log come to. Service, import and verification read logs by this one fold; a row
//! that does not follow from those before it is refused.

use std::sync::Arc;

use engine::forms::{DecisionError, NotationError, ResultBody, digest_text};
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Game, Refusal};
use engine::setup::{Player, TimeoutThen};
use engine::state::State;
use engine::words::EndReason;
use jiff::Timestamp;

use super::{Decision, Entry, EntryError, EventRow, SeatClocks, TimeoutFault};

/// How many rows that count lie between two states that a fold keeps for undos.
const PART: usize = 64;

/// Why a row does not follow from those before it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LogFault {
    /// Rows are missing, there twice or in another order.
    #[error("its number is {found}, the next is {expected}")]
    Seq {
        /// The number that follows.
        expected: u64,
        /// As in the row.
        found: u64,
    },
    /// The chain is broken.
    #[error("its hash does not follow from the events before it")]
    Hash,
    /// When it was recorded cannot be read, or is not UTC.
    #[error("{0:?} is no time in UTC as RFC 3339 gives it")]
    Time(String),
    /// It was recorded before the row before it.
    #[error("it was recorded before the event before it")]
    Earlier,
    /// The log ends at another time than the record says.
    #[error("it is the last, but the record's played_at is {0:?}")]
    PlayedAt(String),
    /// The record's signature is of another log.
    #[error("it is the last, but the record's signature is of event {0} and its hash")]
    Signed(u64),
    /// What it says cannot be read.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The first row is no setup, or another one is.
    #[error("a setup is event 0 and no other")]
    Setup,
    /// The setup is not the record's.
    #[error("it tells another setup than the record")]
    OtherSetup,
    /// Its action cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Its action is not legal.
    #[error(transparent)]
    Illegal(#[from] Refusal),
    /// It goes back to a row that is not there or was undone.
    #[error("it undoes to event {0}, which does not count")]
    Undo(u64),
    /// It goes back to where the game stands.
    #[error("it undoes nothing: event {0} is the one before it")]
    Needless(u64),
    /// A log that was not written at once tells who asked for an undo.
    #[error("it does not tell who asked for it")]
    Nobody,
    /// A game is given up only before it starts.
    #[error("a game that has started is not given up without a result")]
    Started,
    /// There is no such seat.
    #[error("there is no such seat")]
    Seat(u8),
    /// It stands behind the end.
    #[error("the game was over before it")]
    Over,
    /// People cannot have decided so.
    #[error(transparent)]
    Decision(#[from] DecisionError),
    /// No seat has timed out so.
    #[error(transparent)]
    Timeout(#[from] TimeoutFault),
    /// It happened in another turn.
    #[error("it belongs to turn {expected}, not {found}")]
    Turn {
        /// The turn.
        expected: u32,
        /// As in the row.
        found: u32,
    },
    /// Another nation acted.
    #[error("{} acts, not {}", shown(expected), shown(found))]
    Nation {
        /// Who acted.
        expected: Option<String>,
        /// As in the row.
        found: Option<String>,
    },
    /// Another player acted.
    #[error("it is done by {}, not {}", shown(expected), shown(found))]
    Player {
        /// Who acted.
        expected: Option<String>,
        /// As in the row.
        found: Option<String>,
    },
    /// Nobody at the table can have asked for it.
    #[error("{0:?} plays no seat")]
    Stranger(String),
    /// The position is another one.
    #[error("the state after it has another digest")]
    Digest,
    /// A seat is played by another than the record says.
    #[error("it tells another player of a seat than the record")]
    OtherPlayer,
    /// The record tells other actions, or others that were undone.
    #[error("the log and the record's actions differ")]
    OtherAction,
    /// The used cards became another deck than the record spells out.
    #[error("the used cards became another deck than the record's reshuffles[{0}]")]
    Reshuffle(u8),
    /// The log ends otherwise than the record says.
    #[error(transparent)]
    Result(#[from] ResultFault),
    /// The log has no rows.
    #[error("the log is empty")]
    Empty,
}

fn shown(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or("nobody")
}

/// Why a record's result is not that of its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultFault {
    /// The game goes on.
    #[error("the game goes on, and the record says it ended by {0}")]
    GoesOn(EndReason),
    /// The game is over.
    #[error("the game is over, by {0}, and the record tells no result")]
    Over(EndReason),
    /// It was given up.
    #[error("the game was given up without a result, and the record tells one")]
    Abandoned,
    /// It ended for another reason.
    #[error("the game ended by {expected}, the record says by {found}")]
    Reason {
        /// As it ended.
        expected: EndReason,
        /// As the record says.
        found: EndReason,
    },
    /// Ranks, points, shares, nations or their order are others.
    #[error("the game's ranks, points or shares are others than the record's")]
    Ranks,
    /// No log carries it, and people cannot have decided so.
    #[error("nothing but the record tells its result, and {0}")]
    Declared(#[from] DecisionError),
}

/// Which rows of a log count: an undo leads back to an earlier one, and those between do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Their numbers, ascending.
    rows: Vec<u64>,
}

impl Path {
    /// Adds the next row of the log. An undo goes back first.
    ///
    /// # Errors
    /// With the row that an undo goes back to, when it does not count.
    pub fn add(&mut self, seq: u64, entry: &Entry) -> Result<(), u64> {
        if let Entry::Undo(to) = entry {
            let at = self.rows.binary_search(to).map_err(|_| *to)?;
            self.rows.truncate(at + 1);
        }
        self.rows.push(seq);
        Ok(())
    }

    /// Whether a row counts.
    pub fn contains(&self, seq: u64) -> bool {
        self.rows.binary_search(&seq).is_ok()
    }
}

/// A row that counts, with its action if it is one.
#[derive(Clone, Copy, Debug)]
struct CountedRow {
    seq: u64,
    act: Option<(Nation, Action)>,
}

/// Rows that count, one behind the other, and the state before them.
#[derive(Clone, Debug)]
struct FoldPart {
    before: State,
    rows: Vec<CountedRow>,
}

/// An action that counts and brought cards to light.
#[derive(Clone, Debug)]
struct CardDraw {
    seq: u64,
    /// The number of the reshuffle, from 0, and the deck that the used cards became in it.
    deck: Option<(u8, Vec<Card>)>,
}

/// How a log ends.
#[derive(Clone, Debug)]
struct End {
    seq: u64,
    result: Option<ResultBody>,
    by: By,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The rules, or that it was given up.
    Itself,
    /// A decision where the log was written.
    Decision,
    /// A decision that a record claimed.
    Declaration,
}

/// What followed from a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowEffect {
    /// The turn in which it happened.
    pub turn: u32,
    /// The player who acted, as [`EventRow::player`] has it.
    pub player: Option<String>,
    /// The nation that acted and its action.
    pub act: Option<(Nation, Action)>,
}

/// A log up to one of its rows: where the game stands then.
///
/// It keeps the rows that count and a few states, not one for each row. Copies share nearly all of that,
/// so a copy costs little more than its state, and goes on by itself.
#[derive(Clone, Debug)]
pub struct Fold {
    game: Arc<Game>,
    state: State,
    effects: Vec<Effect>,
    players: Vec<Player>,
    draws: Vec<CardDraw>,
    /// There where the setup tells a pace.
    clock: Option<SeatClocks>,
    /// The seat that has timed out and what must follow.
    owed: Option<(u8, TimeoutThen)>,
    /// Which rows count, but for the last.
    past: Vec<Arc<FoldPart>>,
    /// The last rows that count.
    last: FoldPart,
    end: Option<End>,
    next: u64,
    last_hash: Option<String>,
    last_at: Option<Timestamp>,
    /// Whether all rows were recorded at the same time: an import writes a whole log so.
    at_once: bool,
}

impl Fold {
    /// A log without rows, of a game that starts with this state.
    pub fn new(game: Arc<Game>, first: State) -> Fold {
        Fold {
            game,
            state: first.clone(),
            effects: Vec::new(),
            players: Vec::new(),
            draws: Vec::new(),
            clock: None,
            owed: None,
            past: Vec::new(),
            last: FoldPart {
                before: first,
                rows: Vec::new(),
            },
            end: None,
            next: 0,
            last_hash: None,
            last_at: None,
            at_once: true,
        }
    }

    /// Takes the next row with all that it tells: number, hash, time, what it says, turn, nation,
    /// player and digest. Returns what it says.
    ///
    /// # Errors
    /// Why the row does not follow. The fold is of no use then.
    pub fn take(&mut self, row: &EventRow) -> Result<Entry, LogFault> {
        if row.seq != self.next {
            let (expected, found) = (self.next, row.seq);
            return Err(LogFault::Seq { expected, found });
        }
        if row.hash != row.chained_hash(self.last_hash.as_deref()) {
            return Err(LogFault::Hash);
        }
        self.note_time(&row.at)?;
        let entry: Entry = row.notation.parse()?;
        if matches!(entry, Entry::Undo(_)) && row.player.is_none() && !self.at_once {
            return Err(LogFault::Nobody);
        }
        let told = self.follow(&entry, row.player.as_deref())?;
        if row.turn != told.turn {
            let (expected, found) = (told.turn, row.turn);
            return Err(LogFault::Turn { expected, found });
        }
        let nation = told.act.map(|(nation, _)| self.game.nation_name(nation));
        if row.nation.as_deref() != nation {
            return Err(LogFault::Nation {
                expected: nation.map(str::to_owned),
                found: row.nation.clone(),
            });
        }
        if row.player != told.player {
            return Err(LogFault::Player {
                expected: told.player,
                found: row.player.clone(),
            });
        }
        if digest_text(self.state.digest()) != row.digest {
            return Err(LogFault::Digest);
        }
        self.last_hash = Some(row.hash.clone());
        Ok(entry)
    }

    /// Writes the next row. `asked_by` is who asks for an undo, where that is known.
    ///
    /// # Errors
    /// Why it does not follow. The fold is then as it was only if the entry is an action that is
    /// refused.
    pub fn write(
        &mut self,
        entry: &Entry,
        asked_by: Option<&str>,
        at: &str,
    ) -> Result<EventRow, LogFault> {
        let seq = self.next;
        self.note_time(at)?;
        let told = self.follow(entry, asked_by)?;
        let nation = told.act.map(|(nation, _)| self.game.nation_name(nation));
        let row = EventRow {
            seq,
            turn: told.turn,
            player: told.player,
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

    /// Follows what the next row says, without its other columns. `asked_by` is who asks for an
    /// undo, where that is known.
    ///
    /// # Errors
    /// Why it does not follow. The fold is then as it was only if the entry is an action that is
    /// refused.
    pub fn follow(&mut self, entry: &Entry, asked_by: Option<&str>) -> Result<RowEffect, LogFault> {
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
        let mut told = RowEffect {
            turn: self.state.turn,
            player: None,
            act: None,
        };
        match entry {
            Entry::Setup(setup) => {
                if setup.seats.len() != self.game.seats() {
                    return Err(LogFault::OtherSetup);
                }
                told.turn = 0;
                self.players = setup.seats.iter().map(|seat| seat.player.clone()).collect();
                let clock = |pace| SeatClocks::new(pace, setup.seats.len());
                self.clock = setup.pace.clone().map(clock);
            }
            Entry::Action(text) => {
                let (nation, action) = self.act(seq, text)?;
                // A nation has a seat, and every seat a player.
                let seat = usize::from(self.game.seat_of(nation));
                told.player = self.players[seat].actor().map(str::to_owned);
                told.act = Some((nation, action));
            }
            Entry::Undo(to) => {
                if to + 1 == seq {
                    return Err(LogFault::Needless(*to));
                }
                let plays = |name: &str| self.players.iter().any(|p| p.actor() == Some(name));
                if let Some(stranger) = asked_by.filter(|name| !plays(name)) {
                    return Err(LogFault::Stranger(stranger.to_owned()));
                }
                told.player = asked_by.map(str::to_owned);
                self.go_back(*to)?;
            }
            Entry::Seat { seat, player } => {
                let seated = self.players.get_mut(usize::from(*seat));
                *seated.ok_or(LogFault::Seat(*seat))? = player.clone();
                told.player = player.actor().map(str::to_owned);
            }
            Entry::Adjudicate(decision) => {
                let Decision { result, .. } = &**decision;
                self.game.check_decision(&self.state, result)?;
                self.end = Some(End {
                    seq,
                    result: Some(result.clone()),
                    by: match decision.declared {
                        true => By::Declaration,
                        false => By::Decision,
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
                    by: By::Itself,
                });
            }
        }
        self.settle(entry, told.act)?;
        if let (Some(clock), Some(at)) = (&mut self.clock, self.last_at) {
            clock.note(entry, at, &self.game, &self.state, &self.players);
        }
        self.last.rows.push(CountedRow { seq, act: told.act });
        self.next += 1;
        Ok(told)
    }

    /// What a time-out leads to stands in the rows behind it and nowhere else.
    fn settle(&mut self, entry: &Entry, act: Option<(Nation, Action)>) -> Result<(), LogFault> {
        let Some((seat, then)) = self.owed.take() else {
            if let Entry::Timeout { seat, then } = entry {
                self.owed = Some((*seat, *then)).filter(|_| *then != TimeoutThen::Wait);
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
                    self.owed = Some((seat, then));
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
                by: By::Itself,
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

    /// Tells when the next row was recorded, before [`Fold::follow`], which does not look at it by itself:
    /// games with a pace need it.
    ///
    /// # Errors
    /// When it is no time in UTC, or before that of the last row.
    pub fn note_time(&mut self, at: &str) -> Result<(), LogFault> {
        let time = utc(at).ok_or_else(|| LogFault::Time(at.to_owned()))?;
        if let Some(last) = self.last_at {
            if time < last {
                return Err(LogFault::Earlier);
            }
            self.at_once &= time == last;
        }
        self.last_at = Some(time);
        Ok(())
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// How many rows it has followed: the number of the next one.
    pub fn len(&self) -> u64 {
        self.next
    }

    /// Whether it has followed no row.
    pub fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// About how much memory it takes, in bytes, with what it shares with its copies.
    pub fn size(&self) -> usize {
        let part = size_of::<FoldPart>() + PART * size_of::<CountedRow>();
        size_of::<Fold>() + self.past.len() * part + self.draws.len() * size_of::<CardDraw>()
    }

    /// The state after the last row.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state after the last row, without the fold.
    pub fn into_state(self) -> State {
        self.state
    }

    /// What followed from the last row, if it was an action.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// The time that the seats have, in a game with a pace.
    pub fn clock(&self) -> Option<&SeatClocks> {
        self.clock.as_ref()
    }

    /// Who plays the seats, in order.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Whether a row counts: it was followed, and no undo has led back behind it.
    pub fn counts(&self, seq: u64) -> bool {
        let starts = |part: &Arc<FoldPart>| part.rows.first().is_some_and(|row| row.seq <= seq);
        let rows = match self.last.rows.first() {
            Some(first) if first.seq <= seq => &self.last.rows,
            // No part but the last is empty.
            _ => match self.past.partition_point(starts).checked_sub(1) {
                Some(part) => &self.past[part].rows,
                None => return false,
            },
        };
        rows.binary_search_by_key(&seq, |row| row.seq).is_ok()
    }

    /// Whether cards were drawn behind a row, by actions that count.
    pub fn drew_behind(&self, seq: u64) -> bool {
        self.draws.last().is_some_and(|draw| draw.seq > seq)
    }

    /// Whether actions that count stand behind a row: without one, going back to it changes nothing.
    pub fn acted_behind(&self, seq: u64) -> bool {
        let past = self.past.iter().map(|part| &part.rows);
        let rows = past.chain([&self.last.rows]).flatten().rev();
        rows.take_while(|row| row.seq > seq)
            .any(|row| row.act.is_some())
    }

    /// The decks that used cards became in actions that count: the row, the number of the reshuffle
    /// from 0, and the deck, the last card drawn first.
    pub fn reshuffles(&self) -> impl Iterator<Item = (u64, u8, &[Card])> {
        self.draws.iter().filter_map(|draw| {
            let (number, deck) = draw.deck.as_ref()?;
            Some((draw.seq, *number, deck.as_slice()))
        })
    }

    /// The row that ended the game.
    pub fn ended_by(&self) -> Option<u64> {
        self.end.as_ref().map(|end| end.seq)
    }

    /// Whether the game was given up without a result.
    pub fn is_abandoned(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.result.is_none())
    }

    /// How the game ended, if it has. A game that starts from a position may be over at once.
    pub fn result(&self) -> Option<ResultBody> {
        match &self.end {
            Some(end) => end.result.clone(),
            None => self.game.result_body(&self.state),
        }
    }

    /// Whether the result is one that a record claimed, see [`Decision::declared`].
    pub(crate) fn is_declared(&self) -> bool {
        self.end
            .as_ref()
            .is_some_and(|end| end.by == By::Declaration)
    }

    /// Whether people ended the game where the log was written.
    pub(crate) fn is_decided(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.by == By::Decision)
    }
}

/// A moment as records and logs write it, RFC 3339 in UTC.
pub(crate) fn utc(text: &str) -> Option<Timestamp> {
    let text = Some(text).filter(|text| text.ends_with('Z'));
    text.and_then(|text| text.parse().ok())
}

/// The deck that used cards became in the action with these effects, if they did, the last card
/// drawn first.
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
