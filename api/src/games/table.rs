//! A game in memory: an unchanging picture of where it stands, and drafts of what happens next.

use std::sync::{Arc, OnceLock};

use engine::content::Library;
use engine::forms::{ResultBody, View, digest_text};
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Game, Names, Refusal};
use engine::record::{Entry, EventRow, Player, Setup};
use engine::state::State;
use serde_json::Value;
use uuid::Uuid;

use super::bodies::{EventBody, EventKind, GameBody, GameSummary, SeatBody, Status};
use super::error::GameError;
use super::log::{self, event_row, time_text, timestamp};
use super::orders::StandingOrder;
use crate::store::{GameRow, SeatRow, StoredEvent};

/// Where a game stands after an event.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its id.
    pub id: Uuid,
    /// The stored row.
    pub row: GameRow,
    /// The seats in order.
    pub seats: Vec<SeatRow>,
    /// What stays the same.
    pub game: Arc<Game>,
    /// The position.
    pub state: State,
    /// The view as JSON, once it has been asked for.
    json: OnceLock<Arc<str>>,
}

/// The setup of a stored game, with its seed.
///
/// # Errors
/// When the stored setup is none.
pub fn stored_setup(row: &GameRow) -> Result<Setup, serde_json::Error> {
    let mut value: Value = serde_json::from_str(&row.setup)?;
    if let Value::Object(fields) = &mut value {
        fields.remove("seed_commitment");
        fields.insert("seed".to_owned(), Value::String(row.seed.clone()));
    }
    serde_json::from_value(value)
}

/// What a stored game starts from.
///
/// # Errors
/// When the stored setup starts no game any more.
pub fn start(row: &GameRow, library: &Library) -> Result<(Game, State), GameError> {
    let damaged = |message: String| GameError::Damaged {
        id: row.id.clone(),
        message,
    };
    let setup = stored_setup(row).map_err(|error| damaged(error.to_string()))?;
    setup
        .start(library)
        .map_err(|error| damaged(error.to_string()))
}

/// A stored game without its position.
///
/// # Errors
/// When what is stored cannot be read.
pub fn summary(row: &GameRow, seats: &[SeatRow]) -> Result<GameSummary, GameError> {
    let damaged = |message: String| GameError::Damaged {
        id: row.id.clone(),
        message,
    };
    let setup = stored_setup(row).map_err(|error| damaged(error.to_string()))?;
    let status = Status::by_name(&row.status).ok_or_else(|| damaged("status".to_owned()))?;
    let result = row.result.as_deref().map(serde_json::from_str).transpose();
    let named = seats.iter().zip(&setup.seats).zip(0..);
    Ok(GameSummary {
        id: row.id.parse().map_err(|_| damaged("id".to_owned()))?,
        edition: row.edition.clone(),
        board: row.board.clone(),
        ruleset_hash: setup.ruleset_hash.clone().unwrap_or_default(),
        board_hash: setup.board_hash.clone().unwrap_or_default(),
        variants: setup.variants.clone(),
        max_rounds: setup.max_rounds,
        status,
        seq: row.seq as u64,
        created_at: timestamp(row.created_at),
        updated_at: timestamp(row.updated_at),
        rated: row.rated == 1,
        league: row.league.clone(),
        seed_commitment: engine::chance::seed_commitment(&row.seed),
        seed: (row.seed_known == 1 || status.is_over()).then(|| row.seed.clone()),
        seats: named
            .map(|((seat, setup), number)| SeatBody {
                seat: number,
                nations: setup.nations.clone(),
                player: player(seat),
            })
            .collect(),
        result: result.map_err(|error| damaged(error.to_string()))?,
    })
}

/// Who plays a seat.
pub fn player(seat: &SeatRow) -> Player {
    match (seat.kind.as_str(), &seat.name, &seat.player_id) {
        ("bot", Some(name), _) => Player::Bot { name: name.clone() },
        ("person", name, Some(id)) => Player::Person {
            id: id.clone(),
            name: name.clone(),
        },
        _ => Player::Open,
    }
}

impl Table {
    /// The picture of a stored game, folded from its events.
    ///
    /// # Errors
    /// When what is stored does not replay.
    pub fn fold(
        id: Uuid,
        row: GameRow,
        seats: Vec<SeatRow>,
        events: &[StoredEvent],
        library: &Library,
    ) -> Result<Table, GameError> {
        let (game, first) = start(&row, library)?;
        let damaged = |message: &str| GameError::Damaged {
            id: row.id.clone(),
            message: message.to_owned(),
        };
        let last = events.last().ok_or_else(|| damaged("it has no events"))?;
        let state = log::fold(&game, &first, events)?.into_state();
        if digest_text(state.digest()) != last.digest {
            return Err(damaged("the last event has another digest"));
        }
        if last.hash != row.hash {
            return Err(damaged(
                "the hash of its last event does not follow from its events",
            ));
        }
        Ok(Table {
            id,
            game: Arc::new(game),
            row,
            seats,
            state,
            json: OnceLock::new(),
        })
    }

    /// The picture of a game that is being created; it has no events yet.
    pub fn new(id: Uuid, row: GameRow, seats: Vec<SeatRow>, game: Game, state: State) -> Table {
        Table {
            id,
            row,
            seats,
            game: Arc::new(game),
            state,
            json: OnceLock::new(),
        }
    }

    /// The last event.
    pub fn seq(&self) -> u64 {
        self.row.seq as u64
    }

    /// Where it stands as a whole.
    pub fn status(&self) -> Status {
        Status::by_name(&self.row.status).unwrap_or(Status::Abandoned)
    }

    /// The view.
    ///
    /// # Errors
    /// When what is stored cannot be read.
    pub fn body(&self) -> Result<GameBody, GameError> {
        let running = self.status() == Status::Running;
        let pending = self.game.questions(&self.state);
        Ok(GameBody {
            summary: summary(&self.row, &self.seats)?,
            pending: if running { pending } else { Vec::new() },
            state: View::from_state(&self.game, &self.state),
        })
    }

    /// The view as JSON, made once.
    ///
    /// # Errors
    /// When what is stored cannot be read.
    pub fn json(&self) -> Result<Arc<str>, GameError> {
        if let Some(json) = self.json.get() {
            return Ok(json.clone());
        }
        let json = serde_json::to_string(&self.body()?).map_err(|error| GameError::Damaged {
            id: self.row.id.clone(),
            message: error.to_string(),
        })?;
        Ok(self.json.get_or_init(|| json.into()).clone())
    }

    /// The seat with this number.
    ///
    /// # Errors
    /// When there is none.
    pub fn seat(&self, number: u8) -> Result<&SeatRow, GameError> {
        self.seats
            .get(usize::from(number))
            .ok_or_else(|| GameError::NotFound(format!("seat {number} at this table")))
    }

    /// The standing orders of a seat.
    pub fn orders(&self, seat: u8) -> Vec<StandingOrder> {
        let orders = self.seats.get(usize::from(seat)).map(|row| &row.orders);
        // What is stored was written from this type; were it unreadable, nothing is ordered.
        orders
            .and_then(|orders| serde_json::from_str(orders).ok())
            .unwrap_or_default()
    }

    /// Who must act, for messages.
    pub fn illegal(&self, illegal: Refusal, field: Option<String>) -> GameError {
        let pending = self.game.questions(&self.state);
        let seq = self.seq();
        match illegal.reason {
            engine::play::Reason::NotYourTurn { .. } => GameError::NotYourTurn { pending, seq },
            engine::play::Reason::GameOver => GameError::GameOver { seq },
            _ => GameError::Illegal {
                illegal,
                edition: self.game.ruleset.data.edition.clone(),
                field,
                pending,
                seq,
            },
        }
    }
}

/// Events that are about to be appended, and the picture after them.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The picture after them.
    pub table: Table,
    /// The last event before them; `None` when they create the game.
    pub after: Option<u64>,
    /// The events for the wire.
    pub events: Vec<EventBody>,
    /// The events for the store.
    pub rows: Vec<StoredEvent>,
    /// Seats that changed.
    pub seats: Vec<u8>,
    /// The open row of event cards as everybody knows it before the first draw among the events:
    /// without the cards drawn. `None` while none was drawn.
    pub row_before_draw: Option<Vec<Card>>,
    now: i64,
}

impl Draft {
    /// Begins at where a game stands.
    pub fn new(table: &Table) -> Draft {
        let now = jiff::Timestamp::now().as_microsecond();
        Draft {
            after: Some(table.seq()),
            table: Table {
                json: OnceLock::new(),
                ..table.clone()
            },
            events: Vec::new(),
            rows: Vec::new(),
            seats: Vec::new(),
            row_before_draw: None,
            // Time does not run backwards within a game, whatever the clock does.
            now: now.max(table.row.updated_at),
        }
    }

    /// Begins a game: its first event is the setup.
    pub fn create(table: Table, setup: &Entry) -> Draft {
        let mut draft = Draft::new(&table);
        draft.after = None;
        draft.now = table.row.updated_at;
        draft.seats = (0..table.seats.len() as u8).collect();
        draft.table.row.seq = -1;
        draft.push((0, 0), setup, None, None, &[]);
        draft
    }

    /// Applies an action of a nation.
    ///
    /// # Errors
    /// When the rules do not allow it; the draft is then as it was.
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
            .and_then(|row| player(row).actor().map(str::to_owned));
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
        let status = match result {
            Some(_) => Status::Finished,
            None => Status::Abandoned,
        };
        self.table.row.status = status.name().to_owned();
        // A result is plain data with string keys, which is always JSON.
        self.table.row.result = result.and_then(|body| serde_json::to_string(body).ok());
    }

    /// Replaces who plays a seat.
    pub fn set_seat(&mut self, number: u8, change: impl FnOnce(&mut SeatRow)) {
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
        let seq = table.row.seq + 1;
        let (nation, action) = act.unzip();
        let name = nation.map(|nation| table.game.nation_name(nation).to_owned());
        let previous = (seq > 0).then_some(table.row.hash.as_str());
        let row = EventRow {
            seq: seq as u64,
            turn,
            player,
            nation: name,
            notation: entry.to_string(),
            digest: digest_text(table.state.digest()),
            at: time_text(self.now),
            hash: String::new(),
        }
        .chained(previous);
        table.row.seq = seq;
        table.row.updated_at = self.now;
        table.row.hash.clone_from(&row.hash);
        let stored = StoredEvent {
            game_id: table.row.id.clone(),
            seq,
            position: 0,
            turn: i64::from(turn),
            player: row.player.clone(),
            nation: row.nation.clone(),
            notation: row.notation.clone(),
            digest: row.digest.clone(),
            hash: row.hash.clone(),
            at: self.now,
        };
        debug_assert_eq!(event_row(&stored), row);
        self.rows.push(stored);
        self.events.push(EventBody {
            seq: row.seq,
            game: table.id,
            kind: EventKind::of(entry),
            round,
            turn,
            nation: row.nation,
            seat: nation.map(|nation| table.game.seat_of(nation)),
            player: row.player,
            action,
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
