//! A draft: events that are to be appended to a game, and the snapshot after them.

use engine::forms::{ResultBody, digest_text};
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Names, Refusal};
use engine::setup::Player;
use engine::state::State;
use records::{Entry, EventRow};

use crate::db::time::{time_text, timestamp};
use crate::games::bidding::{Bidding, TakenSeat};
use crate::games::bodies::{ActionOutcome, EventBody, EventKind, EventPayload, hide_texts};
use crate::games::model::{Seat, Status};
use crate::games::table::Table;
use crate::http::error::ServiceError;

/// Events that are to be appended to a game, and the snapshot after them.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The snapshot after the events.
    pub table: Table,
    /// The events as they are sent.
    pub events: Vec<EventBody>,
    /// The events as they are stored.
    pub rows: Vec<EventRow>,
    /// The numbers of the seats that changed.
    pub seats: Vec<u8>,
    /// The open row of event cards before the first draw among the events, without the cards drawn.
    /// `None` if no card is drawn.
    pub row_before_draw: Option<Vec<Card>>,
    /// SHA-256 of the account or address to which the bots' moves are charged, if a bot has taken a seat.
    pub charged_to: Option<String>,
    /// The path of the resource whose secret the response contains.
    /// Such a response is not stored for repeated requests.
    pub secret_of: Option<String>,
    /// Whether the bidding for seats has changed.
    pub bidding_changed: bool,
    /// The deadline before the events.
    pub was_due_at: Option<i64>,
    now: i64,
}

impl Draft {
    /// Creates an empty draft for a game.
    pub fn new(table: &Table, now: i64) -> Draft {
        Draft {
            table: table.to_change(),
            events: Vec::new(),
            rows: Vec::new(),
            seats: Vec::new(),
            row_before_draw: None,
            charged_to: None,
            secret_of: None,
            bidding_changed: false,
            was_due_at: table.stored.due_at,
            // Times must not decrease within a game, even if the clock is set back.
            now: now.max(table.stored.updated_at),
        }
    }

    /// Creates the draft of a new game, whose first event is the setup.
    pub fn create(table: Table, setup: &Entry) -> Draft {
        let mut draft = Draft::new(&table, table.stored.updated_at);
        draft.seats = (0..table.seats.len() as u8).collect();
        draft.bidding_changed = draft.table.stored.bidding.is_some();
        // A new game has no deadline in the database.
        draft.was_due_at = None;
        draft.push((0, 0), setup, None, None, &[]);
        draft
    }

    /// Returns when the events are recorded, in microseconds since 1970.
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

    /// Adds an event that is neither an action nor an undo.
    pub fn add_entry(&mut self, entry: &Entry, player: Option<String>) {
        let at = (self.table.state.round, self.table.state.turn);
        self.push(at, entry, player, None, &[]);
    }

    /// Goes back to an earlier state. The event belongs to the turn of the request.
    pub fn go_back(&mut self, to: u64, state: State, player: Option<String>) {
        let at = (self.table.state.round, self.table.state.turn);
        self.table.state = state;
        self.push(at, &Entry::Undo(to), player, None, &[]);
    }

    /// Ends the game, with a result or without.
    pub fn finish(&mut self, result: Option<&ResultBody>) {
        if self.table.stored.pending_bidding().is_some() {
            self.change_bidding(|bidding, _| bidding.ends_at = None);
        }
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

    /// Appends a row to the log, as the fold of records expects it, and its event.
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
        let mut shown = entry.clone();
        if table.stored.texts_hidden {
            shown = hide_texts(shown);
        }
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
            kind: EventKind::from_entry(entry),
            round,
            turn,
            nation: row.nation,
            seat: nation.map(|nation| table.game.seat_of(nation)),
            player: row.player,
            action,
            notation: shown.to_string(),
            payload: EventPayload::from_entry(shown),
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

    /// Changes the player of a seat and adds the event.
    pub(in crate::games) fn seat_player(&mut self, seat: Seat) {
        let Seat { number, player, .. } = seat.clone();
        let id = player.actor().map(str::to_owned);
        self.set_seat(number, |old| {
            let former = old.account().or(old.former);
            *old = Seat { former, ..seat };
        });
        let open = |seat: &Seat| seat.player == Player::Open;
        let bids = self.table.stored.pending_bidding().is_some();
        if self.table.status() == Status::Open && !bids && !self.table.seats.iter().any(open) {
            self.table.stored.status = Status::Running;
        }
        let entry = Entry::Seat {
            seat: number,
            player,
        };
        self.add_entry(&entry, id);
        if bids {
            let now = self.now;
            self.change_bidding(|bidding, players| bidding.restart(number, players, now));
        }
    }

    /// Changes the bidding for seats. If no bid is missing then, the players take the seats, and the game starts.
    pub fn change_bidding(&mut self, change: impl FnOnce(&mut Bidding, &[Player])) {
        let seats = self.table.seats.clone();
        let players = self.table.players();
        let Some(bidding) = &mut self.table.stored.bidding else {
            return;
        };
        change(bidding, &players);
        let taken = bidding.resolve(&players, &self.table.stored.seed);
        let taken = taken.map(<[TakenSeat]>::to_vec);
        self.table.stored.due_at = bidding.due(&players, &self.table.stored.pauses);
        self.bidding_changed = true;
        let Some(taken) = taken else {
            return;
        };
        self.table.stored.status = Status::Running;
        // Holidays go with their players.
        let mut pauses = self.table.stored.pauses.clone();
        for seat in pauses.iter_mut().filter_map(|pause| pause.seat.as_mut()) {
            let mut places = (0..).zip(&taken);
            *seat = places
                .find(|(_, taken)| taken.from == *seat)
                .map_or(*seat, |(place, _)| place);
        }
        self.table.set_pauses(pauses);
        let before = self.table.seq();
        // An event for each seat, so that no time of the bidding counts on its clock.
        for (number, TakenSeat { from, .. }) in (0..).zip(taken) {
            let Some(former) = seats.get(usize::from(from)).cloned() else {
                continue;
            };
            let player = former.player.clone();
            let id = player.actor().map(str::to_owned);
            self.set_seat(number, |seat| {
                *seat = Seat { number, ..former };
            });
            let entry = Entry::Seat {
                seat: number,
                player,
            };
            self.add_entry(&entry, id);
        }
        let last = self.table.seq();
        if let Some(bidding) = &mut self.table.stored.bidding {
            bidding.seat(before + 1, last);
        }
    }

    /// Returns the response with the draft's events.
    pub fn response(&self) -> Result<ActionOutcome, ServiceError> {
        Ok(ActionOutcome {
            seq: self.table.seq(),
            events: self.events.clone(),
            game: self.table.body()?,
        })
    }
}
