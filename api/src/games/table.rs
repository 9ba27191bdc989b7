//! A game in memory: an unchanging snapshot.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use engine::forms::{QuestionForm, View};
use engine::play::{Game, Refusal};
use engine::setup::{Pace, Player};
use engine::state::State;
use records::{Entry, SeatClocks};
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::games::bodies::{
    GameBody, GameSummary, SeatBody, SeatClock, UndoWish, UndoWishEnd, UndoWishNews,
};
use crate::games::log::Reading;
use crate::games::model::{Said, Seat, Status, StoredGame, Visibility};
use crate::games::orders::{self, StandingOrder};
use crate::games::setup::stored_setup;
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
    /// The snapshot of a stored game whose log was read to its end.
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

    /// The snapshot of a game that is being created; it has no events yet.
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
    pub(in crate::games) fn note_pending(&mut self) {
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
    /// list `applied` says how many of its actions stand before this snapshot.
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

    /// Whether the next decision is a bot's or a standing order's.
    pub fn is_automatic(&self) -> bool {
        if self.status() != Status::Running {
            return false;
        }
        let Some(question) = self.game.question(&self.state) else {
            return false;
        };
        let seat = self.game.seat_of(question.asked());
        match self.seats.get(usize::from(seat)) {
            Some(seat) if matches!(seat.player, Player::Bot { .. }) => true,
            _ => orders::decide(&self.game, &self.state, &self.orders(seat), &question).is_some(),
        }
    }

    /// The hashes of the tokens of the game: of its seats and its organizer.
    pub(in crate::games) fn tokens(&self) -> impl Iterator<Item = &str> {
        let seats = self.seats.iter().filter_map(|seat| seat.token.as_deref());
        seats.chain(self.stored.organizer.as_deref())
    }

    /// Whether a token is one of the game's, by its hash.
    pub(in crate::games) fn has_token(&self, token: &str) -> bool {
        self.tokens().any(|own| own == token)
    }

    /// Whether an account that is no administrator's may see the game: a private one when it plays or organizes it
    /// or a seat is kept for it.
    pub fn is_shown_to(&self, account: Uuid) -> bool {
        let is_own = |other: Option<Uuid>| other == Some(account);
        self.stored.visibility != Visibility::Private
            || is_own(self.stored.organizer_account)
            || self.is_at(account)
    }

    /// Whether an account has a seat, or one is kept for it.
    pub fn is_at(&self, account: Uuid) -> bool {
        let is_own = |other: Option<Uuid>| other == Some(account);
        (self.seats.iter()).any(|seat| is_own(seat.account()) || is_own(seat.invited))
    }

    /// What the seats have left of their time; empty in a game without a pace.
    pub(in crate::games) fn clocks(&self) -> Vec<SeatClock> {
        let seats = self.clock.iter().flat_map(|clock| clock.seats()).zip(0..);
        let told = seats.map(|((timeouts, reserve_seconds), seat)| SeatClock {
            seat,
            reserve_seconds,
            timeouts,
        });
        told.collect()
    }

    /// Lets the clock of a game with a pace take an event that was recorded at a moment, in microseconds since
    /// 1970. Where a standing order answers, nobody's time runs.
    pub(in crate::games) fn run_clock(&mut self, entry: &Entry, at: i64) {
        let Some(clock) = &mut self.clock else {
            return;
        };
        let players: Vec<Player> = self.seats.iter().map(|seat| seat.player.clone()).collect();
        clock.note(entry, timestamp(at), &self.game, &self.state, &players);
        let due = clock.due().map(|(_, until)| until.as_microsecond());
        self.stored.due_at = due.filter(|_| !self.is_automatic());
    }

    /// The undo request, if there is one.
    pub fn undo_wish(&self) -> Option<UndoWish> {
        if self.status() != Status::Running {
            return None;
        }
        let agreed = || self.seats.iter().filter_map(|seat| self.agreed(seat));
        let (at, by, to) = agreed().min()?;
        let agreed: Vec<u8> = (agreed().filter(|(.., wished)| *wished == to))
            .map(|(_, seat, _)| seat)
            .collect();
        Some(UndoWish {
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

    /// When a seat has agreed to go back, its number, and to where.
    fn agreed(&self, seat: &Seat) -> Option<(i64, u8, u64)> {
        let consent = seat.consent.filter(|consent| consent.seq == self.seq())?;
        match consent.said {
            Said::Agreed { at } => Some((at, seat.number, consent.to)),
            Said::Declined | Said::Withdrawn => None,
        }
    }

    /// What followers receive when this snapshot replaces an earlier one; nothing where the undo request is the same, or
    /// an event that they receive has ended it.
    pub(in crate::games) fn undo_wish_news(&self, before: &Table) -> Option<UndoWishNews> {
        let (wish, earlier) = (self.undo_wish(), before.undo_wish());
        let is_news = wish != earlier && (wish.is_some() || self.seq() == before.seq());
        is_news.then(|| self.undo_wish_or_end())
    }

    /// The undo request as followers receive it, or how the last one ended.
    pub fn undo_wish_or_end(&self) -> UndoWishNews {
        let wish = self.undo_wish();
        let ends = |seat: &Seat| {
            let consent = seat.consent.filter(|consent| consent.seq == self.seq())?;
            match consent.said {
                Said::Agreed { .. } => None,
                Said::Declined => Some((UndoWishEnd::Declined, seat.number)),
                Said::Withdrawn => Some((UndoWishEnd::Withdrawn, seat.number)),
            }
        };
        let ended = match wish {
            Some(_) => None,
            None => self.seats.iter().find_map(ends),
        };
        UndoWishNews {
            game: self.id(),
            ended: match ended {
                Some((ended, _)) => Some(ended),
                None => wish.is_none().then_some(UndoWishEnd::Overtaken),
            },
            by: ended.map(|(_, seat)| seat),
            undo_wish: wish,
        }
    }

    /// The same without its view as JSON, to be changed.
    pub(in crate::games) fn to_change(&self) -> Table {
        Table {
            json: OnceLock::new(),
            ..self.clone()
        }
    }

    /// The seats of such players who are still in the game: without the people nothing is undone.
    pub(in crate::games) fn seats_in_game(
        &self,
        such: fn(&Player) -> bool,
    ) -> impl Iterator<Item = u8> {
        let seats = self.seats.iter().filter(move |seat| such(&seat.player));
        let numbers = seats.map(|seat| seat.number);
        numbers.filter(|seat| self.is_in_game(*seat))
    }
}

fn is_person(player: &Player) -> bool {
    matches!(player, Player::Person { .. })
}
