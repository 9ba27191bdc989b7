//! A game in memory: an unchanging picture of where it stands, and drafts of what happens next.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use engine::content::Library;
use engine::forms::{QuestionForm, ResultBody, View, digest_text};
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Game, Names, Refusal};
use engine::setup::{Pace, Setup};
use engine::state::State;
use records::{Entry, EventRow, SeatClocks};
use serde_json::Value;
use uuid::Uuid;

use crate::db::time::{time_text, timestamp};
use crate::games::bodies::{EventBody, EventKind, EventPayload, GameBody, GameSummary, SeatBody};
use crate::games::log::Reading;
use crate::games::model::{Seat, Status, StoredGame};
use crate::games::orders::StandingOrder;
use crate::http::error::ServiceError;

/// Where a game stands after an event.
#[derive(Clone, Debug)]
pub struct Table {
    /// What is stored of it.
    pub stored: StoredGame,
    /// The seats in order.
    pub seats: Vec<Seat>,
    /// What stays the same.
    pub game: Arc<Game>,
    /// The position.
    pub state: State,
    /// The time of the seats, in a game with a pace.
    pub clock: Option<SeatClocks>,
    /// The view as JSON, once it has been asked for.
    json: OnceLock<Bytes>,
}

/// The setup of a stored game, with its seed.
pub fn stored_setup(stored: &StoredGame) -> Result<Setup, serde_json::Error> {
    let mut value: Value = serde_json::from_str(&stored.setup)?;
    if let Value::Object(fields) = &mut value {
        fields.remove("seed_commitment");
        fields.insert("seed".to_owned(), Value::String(stored.seed.clone()));
    }
    serde_json::from_value(value)
}

/// What a stored game starts from.
pub fn start(stored: &StoredGame, library: &Library) -> Result<(Game, State), ServiceError> {
    let damaged = |message: String| ServiceError::damaged(stored.id, message);
    let setup = stored_setup(stored).map_err(|error| damaged(error.to_string()))?;
    setup
        .start(library)
        .map_err(|error| damaged(error.to_string()))
}

/// A stored game without its position.
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
        league: stored.league.clone(),
        seed_commitment: engine::chance::seed_commitment(&stored.seed),
        seed: (stored.seed_known || status.is_over()).then(|| stored.seed.clone()),
        seats: named
            .map(|(seat, setup)| SeatBody {
                seat: seat.number,
                nations: setup.nations.clone(),
                player: seat.shown(),
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
    /// The picture of a stored game whose log was read to its end.
    pub fn read(
        stored: StoredGame,
        seats: Vec<Seat>,
        reading: Reading,
    ) -> Result<Table, ServiceError> {
        reading.check_end(&stored, &seats)?;
        Ok(Table {
            game: reading.game().clone(),
            clock: reading.fold().clock().cloned(),
            stored,
            seats,
            state: reading.into_fold().into_state(),
            json: OnceLock::new(),
        })
    }

    /// The picture of a game that is being created; it has no events yet.
    pub fn new(
        stored: StoredGame,
        seats: Vec<Seat>,
        game: Game,
        state: State,
        pace: Option<Pace>,
    ) -> Table {
        Table {
            clock: pace.map(|pace| SeatClocks::new(pace, seats.len())),
            stored,
            seats,
            game: Arc::new(game),
            state,
            json: OnceLock::new(),
        }
    }

    /// Its id.
    pub fn id(&self) -> Uuid {
        self.stored.id
    }

    /// The last event.
    pub fn seq(&self) -> u64 {
        self.stored.seq
    }

    /// Where it stands as a whole.
    pub fn status(&self) -> Status {
        self.stored.status
    }

    /// The view.
    pub fn body(&self) -> Result<GameBody, ServiceError> {
        Ok(GameBody {
            summary: GameSummary {
                pending: self.pending(),
                ..summary(&self.stored, &self.seats)?
            },
            undo_wish: self.undo_wish(),
            clocks: self.clocks(),
            state: View::from_state(&self.game, &self.state),
        })
    }

    /// What is asked of whom; nothing while the game does not run.
    pub fn pending(&self) -> Vec<QuestionForm> {
        match self.status() {
            Status::Running => self.game.questions(&self.state),
            _ => Vec::new(),
        }
    }

    /// Notes in what is stored what is asked of whom, and which account is waited for.
    pub(crate) fn note_pending(&mut self) {
        let pending = self.pending();
        let asked = pending.first().and_then(|asked| {
            let seat = self.seats.get(usize::from(asked.seat))?;
            Some(seat.account()?.to_string())
        });
        self.stored.waiting_for = asked;
        self.stored.pending = pending;
    }

    /// The view as JSON, made once.
    pub fn json(&self) -> Result<Bytes, ServiceError> {
        if let Some(json) = self.json.get() {
            return Ok(json.clone());
        }
        let json = serde_json::to_string(&self.body()?);
        let json = json.map_err(|error| ServiceError::damaged(self.id(), error))?;
        Ok(self.json.get_or_init(|| json.into()).clone())
    }

    /// The entity tag of the view, without quotes: the last event, and behind a dot a hash of what changes without one:
    /// the undo request, the rematch and for which accounts seats are kept.
    pub fn tag(&self) -> String {
        let invited: Vec<Option<Uuid>> = self.seats.iter().map(|seat| seat.invited).collect();
        let told = (self.undo_wish(), self.stored.rematch);
        if told == (None, None) && invited.iter().all(Option::is_none) {
            return self.seq().to_string();
        }
        let told = format!("{told:?} {invited:?}");
        format!(
            "{}.{}",
            self.seq(),
            &crate::http::secret::hashed(&told)[..8]
        )
    }

    /// The seat with this number.
    pub fn seat(&self, number: u8) -> Result<&Seat, ServiceError> {
        self.seats
            .get(usize::from(number))
            .ok_or_else(|| ServiceError::NotFound(format!("seat {number} at this table")))
    }

    /// The seat that an account plays.
    pub fn seat_of(&self, account: Uuid) -> Option<u8> {
        let mut seats = self.seats.iter();
        let seat = seats.find(|seat| seat.account() == Some(account))?;
        Some(seat.number)
    }

    /// Whether a nation of a seat has not resigned.
    pub fn is_in_game(&self, seat: u8) -> bool {
        let mut nations = self.game.nations_of(seat);
        nations.any(|nation| !self.state.nation(nation).resigned)
    }

    /// The standing orders of a seat.
    pub fn orders(&self, seat: u8) -> Vec<StandingOrder> {
        let orders = self.seats.get(usize::from(seat)).map(|row| &row.orders);
        // What is stored was written from this type; were it unreadable, nothing is ordered.
        orders
            .and_then(|orders| serde_json::from_str(orders).ok())
            .unwrap_or_default()
    }

    /// A refused action and the field of the request to blame; `seq` is where the stored game stands, and of a
    /// list `applied` says how many of its actions stand before this picture.
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
}

/// Events that are about to be appended, and the picture after them.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The picture after them.
    pub table: Table,
    /// The events for the wire.
    pub events: Vec<EventBody>,
    /// The events for the store.
    pub rows: Vec<EventRow>,
    /// Seats that changed.
    pub seats: Vec<u8>,
    /// The open row of event cards as everybody knows it before the first draw among the events:
    /// without the cards drawn. `None` while none was drawn.
    pub row_before_draw: Option<Vec<Card>>,
    /// SHA-256 of whom the bots' moves are charged to, where one has sat down.
    pub charged_to: Option<String>,
    /// The path of what a secret in the answer belongs to; such an answer is not stored for a repetition.
    pub secret_of: Option<String>,
    /// When time was up before the events.
    pub was_due_at: Option<i64>,
    now: i64,
}

impl Draft {
    /// Begins at where a game stands.
    pub fn new(table: &Table, now: i64) -> Draft {
        Draft {
            table: Table {
                json: OnceLock::new(),
                ..table.clone()
            },
            events: Vec::new(),
            rows: Vec::new(),
            seats: Vec::new(),
            row_before_draw: None,
            charged_to: None,
            secret_of: None,
            was_due_at: table.stored.due_at,
            // Time does not run backwards within a game, whatever the clock does.
            now: now.max(table.stored.updated_at),
        }
    }

    /// Begins a game: its first event is the setup.
    pub fn create(table: Table, setup: &Entry) -> Draft {
        let mut draft = Draft::new(&table, table.stored.updated_at);
        draft.seats = (0..table.seats.len() as u8).collect();
        draft.push((0, 0), setup, None, None, &[]);
        draft
    }

    /// When its events are recorded, in microseconds since 1970.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Applies an action of a nation.
    pub fn act(&mut self, nation: Nation, action: Action) -> Result<(), Refusal> {
        let game = self.table.game.clone();
        let (turn, round) = (self.table.state.turn, self.table.state.round);
        let mut effects = Vec::new();
        let before = self.table.state.clone();
        game.apply(&mut self.table.state, nation, action, &mut effects)?;
        if self.row_before_draw.is_none() && effects.iter().any(Effect::is_draw) {
            let mut row = before.cards.open.cards().to_vec();
            if let Action::TakeCard { card } = action
                && let Some(place) = row.iter().position(|open| *open == card)
            {
                row.remove(place);
            }
            self.row_before_draw = Some(row);
        }
        let action = game.canonical(&before, action);
        let notation = game.print_by(&before, nation, &action);
        let body = action.named(&game);
        let seat = usize::from(game.seat_of(nation));
        let player = self
            .table
            .seats
            .get(seat)
            .and_then(|seat| seat.player.actor().map(str::to_owned));
        let entry = Entry::Action(notation);
        self.push(
            (round, turn),
            &entry,
            player,
            Some((nation, body)),
            &effects,
        );
        if let Some(result) = game.result_body(&self.table.state) {
            self.finish(Some(&result));
        }
        Ok(())
    }

    /// Notes what is no action of a nation and no undo.
    pub fn note(&mut self, entry: &Entry, player: Option<String>) {
        let at = (self.table.state.round, self.table.state.turn);
        self.push(at, entry, player, None, &[]);
    }

    /// Goes back to an earlier state; the event belongs to the turn in which it was asked.
    pub fn go_back(&mut self, to: u64, state: State, player: Option<String>) {
        let at = (self.table.state.round, self.table.state.turn);
        self.table.state = state;
        self.push(at, &Entry::Undo(to), player, None, &[]);
    }

    /// Ends the game, with a result or without.
    pub fn finish(&mut self, result: Option<&ResultBody>) {
        self.table.stored.status = match result {
            Some(_) => Status::Finished,
            None => Status::Abandoned,
        };
        self.table.stored.result = result.cloned();
    }

    /// Changes a seat.
    pub fn set_seat(&mut self, number: u8, change: impl FnOnce(&mut Seat)) {
        if let Some(seat) = self.table.seats.get_mut(usize::from(number)) {
            change(seat);
            if !self.seats.contains(&number) {
                self.seats.push(number);
            }
        }
    }

    /// Adds a row to the log as the engine's fold expects it, and tells it.
    fn push(
        &mut self,
        (round, turn): (u32, u32),
        entry: &Entry,
        player: Option<String>,
        act: Option<(Nation, Action<Names>)>,
        effects: &[Effect],
    ) {
        let table = &mut self.table;
        // Row 0 is the first of a game that is not stored yet.
        let first = table.stored.version == 0 && self.rows.is_empty();
        let seq = if first { 0 } else { table.stored.seq + 1 };
        let (nation, action) = act.unzip();
        let name = nation.map(|nation| table.game.nation_name(nation).to_owned());
        let row = EventRow {
            seq,
            turn,
            player,
            nation: name,
            notation: entry.to_string(),
            digest: digest_text(table.state.digest()),
            at: time_text(self.now),
            hash: String::new(),
        }
        .chained((!first).then_some(table.stored.hash.as_str()));
        table.stored.seq = seq;
        table.stored.updated_at = self.now;
        table.stored.hash.clone_from(&row.hash);
        table.run_clock(entry, self.now);
        self.rows.push(row.clone());
        self.events.push(EventBody {
            seq: row.seq,
            game: table.id(),
            kind: EventKind::of(entry),
            round,
            turn,
            nation: row.nation,
            seat: nation.map(|nation| table.game.seat_of(nation)),
            player: row.player,
            action,
            payload: EventPayload::of(entry.clone()),
            notation: row.notation,
            effects: effects
                .iter()
                .map(|effect| effect.named(&table.game))
                .collect(),
            digest: row.digest,
            hash: row.hash,
            at: timestamp(self.now),
            position: None,
        });
    }
}
