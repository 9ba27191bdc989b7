//! A game in memory: an immutable snapshot.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use engine::forms::{QuestionForm, View};
use engine::play::{Game, Refusal};
use engine::setup::{Pace, Player};
use engine::state::State;
use records::Entry;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::games::bodies::{
    GameBody, GameSummary, SeatBody, SeatClock, UndoRequest, UndoRequestChange, UndoRequestEnd,
};
use crate::games::clocks::GameClocks;
use crate::games::log::Reading;
use crate::games::model::{Seat, Status, StoredGame, UndoAnswer, Visibility};
use crate::games::orders::{self, StandingOrder};
use crate::games::setup::stored_setup;
use crate::http::error::ServiceError;

/// A snapshot of a game after an event.
#[derive(Clone, Debug)]
pub struct Table {
    /// The stored game.
    pub stored: StoredGame,
    /// The seats in order.
    pub seats: Vec<Seat>,
    /// The rules and the board.
    pub game: Arc<Game>,
    /// The position.
    pub state: State,
    /// The clocks of the seats, if the game has time limits.
    pub clock: Option<GameClocks>,
    /// The body as JSON, once it was requested.
    json: OnceLock<Bytes>,
}

/// Returns a stored game as it is sent, without its position.
pub fn summary(stored: &StoredGame, seats: &[Seat]) -> Result<GameSummary, ServiceError> {
    let setup = stored_setup(stored);
    let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
    let status = stored.status;
    let named = seats.iter().zip(&setup.seats);
    Ok(GameSummary {
        id: stored.id,
        edition: stored.edition.clone(),
        board: stored.board.clone(),
        ruleset_hash: setup.ruleset_hash.clone().unwrap_or_default(),
        board_hash: setup.board_hash.clone().unwrap_or_default(),
        variants: setup.variants.clone(),
        max_rounds: setup.max_rounds,
        status,
        seq: stored.seq,
        created_at: timestamp(stored.created_at),
        updated_at: timestamp(stored.updated_at),
        rated: stored.rated,
        league: stored.shown_league(),
        seed_commitment: engine::chance::seed_commitment(&stored.seed),
        seed: (stored.seed_known || status.is_over()).then(|| stored.seed.clone()),
        seats: named
            .map(|(seat, setup)| SeatBody {
                seat: seat.number,
                nations: setup.nations.clone(),
                player: seat.display_player(stored.texts_hidden),
                invited: seat.invited,
            })
            .collect(),
        result: stored.result.clone(),
        pace: setup.pace,
        due_at: stored.due_at.map(timestamp),
        pending: stored.pending.clone(),
        visibility: stored.visibility,
        claims: stored.claims,
        rematch: stored.rematch,
    })
}

impl Table {
    /// Creates the snapshot of a stored game from the reading of its whole log.
    pub fn read(
        stored: StoredGame,
        seats: Vec<Seat>,
        reading: Reading,
        clock: Option<GameClocks>,
    ) -> Result<Table, ServiceError> {
        reading.check_end(&stored, &seats)?;
        Ok(Table {
            game: reading.game().clone(),
            clock,
            stored,
            seats,
            state: reading.into_fold().into_state(),
            json: OnceLock::new(),
        })
    }

    /// Creates the snapshot of a new game without events.
    pub fn new(
        stored: StoredGame,
        seats: Vec<Seat>,
        game: Game,
        state: State,
        pace: Option<Pace>,
    ) -> Table {
        Table {
            clock: pace.map(|pace| GameClocks::new(pace, seats.len(), stored.pauses.clone())),
            stored,
            seats,
            game: Arc::new(game),
            state,
            json: OnceLock::new(),
        }
    }

    /// Returns the game's id.
    pub fn id(&self) -> Uuid {
        self.stored.id
    }

    /// Returns the number of the last event.
    pub fn seq(&self) -> u64 {
        self.stored.seq
    }

    /// Returns the status of the game.
    pub fn status(&self) -> Status {
        self.stored.status
    }

    /// Returns the game as it is sent.
    pub fn body(&self) -> Result<GameBody, ServiceError> {
        Ok(GameBody {
            summary: GameSummary {
                pending: self.pending(),
                ..summary(&self.stored, &self.seats)?
            },
            undo_request: self.undo_request(),
            bidding: (self.stored.bidding.as_ref()).map(|bidding| {
                let result = self.stored.result.as_ref();
                // In a league, the price is taken off the points of the standings.
                let result = result.filter(|_| self.stored.league.is_none());
                bidding.body(&self.players(), &self.stored.pauses, result)
            }),
            clocks: self.clocks(),
            state: View::from_state(&self.game, &self.state),
        })
    }

    /// Returns the decisions that are needed next; empty unless the game is running.
    pub fn pending(&self) -> Vec<QuestionForm> {
        match self.status() {
            Status::Running => self.game.questions(&self.state),
            _ => Vec::new(),
        }
    }

    /// Stores the decisions that are needed next, and which account must make them.
    pub(in crate::games) fn store_pending(&mut self) {
        let pending = self.pending();
        let account = pending.first().and_then(|asked| {
            let seat = self.seats.get(usize::from(asked.seat))?;
            Some(seat.account()?.to_string())
        });
        self.stored.waiting_for = account;
        self.stored.pending = pending;
    }

    /// Returns the body as JSON, which is created once.
    pub fn json(&self) -> Result<Bytes, ServiceError> {
        if let Some(json) = self.json.get() {
            return Ok(json.clone());
        }
        let json = serde_json::to_string(&self.body()?);
        let json = json.map_err(|error| ServiceError::damaged(self.id(), error))?;
        Ok(self.json.get_or_init(|| json.into()).clone())
    }

    /// Returns the entity tag of the body, without quotes: the last event and perhaps a dot and a hash.
    /// The hash covers what changes without an event: the undo request, the rematch, the invitations, bids, and whether
    /// the texts are hidden.
    pub fn tag(&self) -> String {
        let invited: Vec<Option<Uuid>> = self.seats.iter().map(|seat| seat.invited).collect();
        let stored = &self.stored;
        let bidding = stored.pending_bidding();
        let changes = (
            self.undo_request(),
            stored.rematch,
            stored.texts_hidden,
            bidding,
        );
        if changes == (None, None, false, None) && invited.iter().all(Option::is_none) {
            return self.seq().to_string();
        }
        let changes = format!("{changes:?} {invited:?}");
        format!(
            "{}.{}",
            self.seq(),
            &crate::http::secret::hashed(&changes)[..8]
        )
    }

    /// Returns the players in seat order.
    pub fn players(&self) -> Vec<Player> {
        self.seats.iter().map(|seat| seat.player.clone()).collect()
    }

    /// Returns the seat with a number.
    pub fn seat(&self, number: u8) -> Result<&Seat, ServiceError> {
        self.seats
            .get(usize::from(number))
            .ok_or_else(|| ServiceError::NotFound(format!("seat {number} in this game")))
    }

    /// Returns the seat that an account plays.
    pub fn seat_of(&self, account: Uuid) -> Option<u8> {
        let mut seats = self.seats.iter();
        let seat = seats.find(|seat| seat.account() == Some(account))?;
        Some(seat.number)
    }

    /// Returns true if a nation of the seat has not resigned.
    pub fn is_in_game(&self, seat: u8) -> bool {
        let mut nations = self.game.nations_of(seat);
        nations.any(|nation| !self.state.nation(nation).resigned)
    }

    /// Returns the standing orders of a seat.
    pub fn orders(&self, seat: u8) -> Vec<StandingOrder> {
        let orders = self.seats.get(usize::from(seat)).map(|row| &row.orders);
        // Stored orders were written from this type. Unreadable ones count as none.
        orders
            .and_then(|orders| serde_json::from_str(orders).ok())
            .unwrap_or_default()
    }

    /// Converts the refusal of an action to an error.
    /// `field` is the request's field that caused it, `seq` the last event of the stored game. For a list, `applied`
    /// is the number of actions that were applied before.
    pub fn illegal(
        &self,
        illegal: Refusal,
        field: Option<String>,
        seq: u64,
        applied: Option<usize>,
    ) -> ServiceError {
        let pending = self.game.questions(&self.state);
        match illegal.reason {
            engine::play::Reason::NotYourTurn { .. } => ServiceError::NotYourTurn {
                field,
                pending,
                seq,
                applied,
            },
            engine::play::Reason::GameOver => ServiceError::GameOver { seq, field },
            _ => ServiceError::Illegal {
                illegal,
                edition: self.game.ruleset.data.edition.clone(),
                field,
                pending,
                seq,
                applied,
            },
        }
    }

    /// Returns true if a bot or a standing order decides next.
    pub fn is_automatic(&self) -> bool {
        if self.status() != Status::Running {
            return false;
        }
        let Some(question) = self.game.question(&self.state) else {
            return false;
        };
        let seat = self.game.seat_of(question.nation());
        match self.seats.get(usize::from(seat)) {
            Some(seat) if matches!(seat.player, Player::Bot { .. }) => true,
            _ => orders::decide(&self.game, &self.state, &self.orders(seat), &question).is_some(),
        }
    }

    /// Returns the hashes of the game's tokens: of its seats and its organizer.
    pub(in crate::games) fn tokens(&self) -> impl Iterator<Item = &str> {
        let seats = self.seats.iter().filter_map(|seat| seat.token.as_deref());
        seats.chain(self.stored.organizer.as_deref())
    }

    /// Returns true if a token, by its hash, is one of the game's.
    pub(in crate::games) fn has_token(&self, token: &str) -> bool {
        self.tokens().any(|own| own == token)
    }

    /// Returns true if an account without the scope `admin` may see the game.
    /// A private game is visible to its players, its organizer and invited accounts.
    pub fn is_shown_to(&self, account: Uuid) -> bool {
        let is_own = |other: Option<Uuid>| other == Some(account);
        self.stored.visibility != Visibility::Private
            || is_own(self.stored.organizer_account)
            || self.is_at(account)
    }

    /// Returns the names of the players, by seat. Open seats have none.
    pub fn player_names(&self) -> Vec<String> {
        let players = self.seats.iter();
        let players = players.map(|seat| seat.display_player(self.stored.texts_hidden));
        players
            .filter_map(|player| match player {
                Player::Bot { name } => Some(name),
                Player::Person { name, .. } => name,
                Player::Open => None,
            })
            .collect()
    }

    /// Returns true if an account plays a seat or one is reserved for it.
    pub fn is_at(&self, account: Uuid) -> bool {
        let is_own = |other: Option<Uuid>| other == Some(account);
        (self.seats.iter()).any(|seat| is_own(seat.account()) || is_own(seat.invited))
    }

    /// Returns the clocks of the seats; empty if the game has no time limits.
    pub(in crate::games) fn clocks(&self) -> Vec<SeatClock> {
        let seats = self.clock.iter().flat_map(|clock| clock.seats()).zip(0..);
        seats
            .map(|((timeouts, reserve_seconds), seat)| SeatClock {
                seat,
                reserve_seconds,
                timeouts,
            })
            .collect()
    }

    /// Updates the clocks for an event recorded at a time in microseconds since 1970.
    /// No time runs while a standing order answers.
    pub(in crate::games) fn run_clock(&mut self, entry: &Entry, at: i64) {
        let players = self.players();
        let Some(clock) = &mut self.clock else {
            return;
        };
        clock.note(entry, timestamp(at), &self.game, &self.state, &players);
        let due = clock.due().map(|(_, until)| until.as_microsecond());
        self.stored.due_at = match self.stored.pending_bidding() {
            Some(bidding) => bidding.ends_at,
            None => due.filter(|_| !self.is_automatic()),
        };
    }

    /// Returns the pending undo request.
    pub fn undo_request(&self) -> Option<UndoRequest> {
        if self.status() != Status::Running {
            return None;
        }
        let agreed = || self.seats.iter().filter_map(|seat| self.agreed(seat));
        let (at, by, to) = agreed().min()?;
        let agreed: Vec<u8> = (agreed().filter(|(.., requested)| *requested == to))
            .map(|(_, seat, _)| seat)
            .collect();
        Some(UndoRequest {
            seq: self.seq(),
            to,
            by,
            missing: self
                .seats_in_game(is_person)
                .filter(|seat| !agreed.contains(seat))
                .collect(),
            agreed,
            since: timestamp(at.max(self.stored.updated_at)),
        })
    }

    /// Returns when a seat has agreed to an undo, its number, and the target.
    fn agreed(&self, seat: &Seat) -> Option<(i64, u8, u64)> {
        let consent = seat.consent.filter(|consent| consent.seq == self.seq())?;
        match consent.answer {
            UndoAnswer::Agreed { at } => Some((at, seat.number, consent.to)),
            UndoAnswer::Declined | UndoAnswer::Withdrawn => None,
        }
    }

    /// Returns the change of the undo request since an earlier snapshot, for followers.
    /// `None` if nothing changed, or an event ended the request, which followers receive anyway.
    pub(in crate::games) fn undo_request_change(
        &self,
        before: &Table,
    ) -> Option<UndoRequestChange> {
        let (request, earlier) = (self.undo_request(), before.undo_request());
        let is_new = request != earlier && (request.is_some() || self.seq() == before.seq());
        is_new.then(|| self.undo_request_or_end())
    }

    /// Returns the pending undo request, or how the last one ended, for followers.
    pub fn undo_request_or_end(&self) -> UndoRequestChange {
        let request = self.undo_request();
        let ends = |seat: &Seat| {
            let consent = seat.consent.filter(|consent| consent.seq == self.seq())?;
            match consent.answer {
                UndoAnswer::Agreed { .. } => None,
                UndoAnswer::Declined => Some((UndoRequestEnd::Declined, seat.number)),
                UndoAnswer::Withdrawn => Some((UndoRequestEnd::Withdrawn, seat.number)),
            }
        };
        let ended = match request {
            Some(_) => None,
            None => self.seats.iter().find_map(ends),
        };
        UndoRequestChange {
            game: self.id(),
            ended: match ended {
                Some((ended, _)) => Some(ended),
                None => request.is_none().then_some(UndoRequestEnd::Overtaken),
            },
            by: ended.map(|(_, seat)| seat),
            undo_request: request,
        }
    }

    /// Copies the snapshot for changes, without the cached JSON.
    pub(in crate::games) fn to_change(&self) -> Table {
        Table {
            json: OnceLock::new(),
            ..self.clone()
        }
    }

    /// Returns the seats with players of some kind that have not resigned.
    pub(in crate::games) fn seats_in_game(
        &self,
        matches: fn(&Player) -> bool,
    ) -> impl Iterator<Item = u8> {
        let seats = self.seats.iter().filter(move |seat| matches(&seat.player));
        let numbers = seats.map(|seat| seat.number);
        numbers.filter(|seat| self.is_in_game(*seat))
    }
}

fn is_person(player: &Player) -> bool {
    matches!(player, Player::Person { .. })
}
