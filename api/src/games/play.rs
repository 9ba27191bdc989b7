//! Playing: actions of people, and the decisions that are taken by themselves.

use std::time::{Duration, Instant};

use bots::{Host, Spec};
use engine::forms::Asked;
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Names, Payments, Reason};
use engine::setup::Player;
use records::Entry;
use uuid::Uuid;

use crate::db::work::Done;
use crate::games::bodies::{Acted, LegalActions};
use crate::games::draft::Draft;
use crate::games::model::{Seat, Status};
use crate::games::named_action::NamedAction;
use crate::games::orders;
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;

/// How many decisions of bots and standing orders go with the action before them; the rest follows
/// by itself.
const AT_ONCE: usize = 128;

/// After how long nothing more is decided that goes with them.
const STRETCH: Duration = Duration::from_millis(250);

/// The most actions in one request.
pub const MOST_ACTIONS: usize = 200;

/// The bots of a table, for a stretch of their decisions.
fn host(table: &Table) -> Host {
    let mut host = Host::new(&table.game, &table.state);
    for seat in &table.seats {
        if let Player::Bot { name } = &seat.player
            && let Ok(spec) = name.parse()
        {
            host.seat(seat.number, &spec);
        }
    }
    host
}

/// The next decision when it is a bot's or a standing order's.
fn automatic(table: &Table, host: &mut Host) -> Option<(Nation, Action)> {
    if table.status() != Status::Running {
        return None;
    }
    let question = table.game.question(&table.state)?;
    let seat = table.game.seat_of(question.asked());
    let action = match table.seats.get(usize::from(seat))?.player {
        Player::Bot { .. } => host.choose(&table.state, table.seq() + 1),
        _ => orders::decide(&table.game, &table.state, &table.orders(seat), &question),
    };
    Some((question.asked(), action?))
}

/// Who is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thinking {
    /// Bots that think are left to the workers: somebody waits for the answer.
    Later,
    /// They think now.
    Now,
}

/// Whether the next decision is that of a bot that thinks for as long as its budget allows.
fn is_thinker(table: &Table) -> bool {
    let Some(question) = table.game.question(&table.state) else {
        return false;
    };
    let seat = usize::from(table.game.seat_of(question.asked()));
    matches!(table.seats.get(seat), Some(seat) if thinks(&seat.player))
}

/// Whether a player is a bot that thinks for as long as its budget allows.
pub fn thinks(player: &Player) -> bool {
    match player {
        Player::Bot { name } => name.parse().is_ok_and(|spec: Spec| spec.thinks()),
        _ => false,
    }
}

/// Lets bots and standing orders go on, for a stretch, up to where a bot must think.
pub fn reply(draft: &mut Draft) {
    go_on(draft, Thinking::Later, AT_ONCE);
}

fn go_on(draft: &mut Draft, thinking: Thinking, most: usize) {
    let mut host = host(&draft.table);
    let begun = Instant::now();
    for decided in 0..most {
        // What a bot has planned is lost with its host.
        let is_late = decided > 0 && begun.elapsed() >= STRETCH;
        if is_late && !host.is_ready(&draft.table.state) {
            return;
        }
        if thinking == Thinking::Later && is_thinker(&draft.table) {
            return;
        }
        let Some((nation, action)) = automatic(&draft.table, &mut host) else {
            return;
        };
        if let Err(error) = draft.act(nation, action) {
            tracing::error!(game = %draft.table.id(), %error, ?action, "a bot's choice is refused");
            return;
        }
    }
}

/// Refuses what needs a running game.
pub fn check_running(table: &Table) -> Result<(), ServiceError> {
    match table.status() {
        Status::Running => Ok(()),
        Status::Open => Err(ServiceError::Conflict(
            "the game has not started: a seat is open".to_owned(),
        )),
        Status::Finished | Status::Abandoned => Err(ServiceError::over(table.seq())),
    }
}

impl Games {
    /// Refuses to make a log longer that is as long as one may be.
    ///
    /// # Errors
    /// [`ServiceError::Conflict`] when it is.
    pub(in crate::games) fn check_length(&self, table: &Table) -> Result<(), ServiceError> {
        let most = self.limits.events;
        if table.seq() < most {
            return Ok(());
        }
        let message = format!(
            "the game has {} events, and at most {most} are taken: it goes no further, and its organizer \
             can adjudicate it",
            table.seq()
        );
        Err(ServiceError::Conflict(message))
    }

    /// Applies actions of the caller's seat, all or none; bots and standing orders answer at once.
    /// An event card is drawn by the last of them only: were others refused or accepted behind it,
    /// they would reveal what is drawn before it is.
    pub fn act(
        &self,
        id: Uuid,
        call: &Call,
        actions: &[NamedAction],
    ) -> Result<Acted, ServiceError> {
        self.change(id, call, |table| {
            let mut draft = self.acts(table, call, actions)?;
            reply(&mut draft);
            let acted = draft.acted()?;
            Ok((draft, acted))
        })
    }

    /// What [`Games::act`] would do, without the answers of bots and without the cards that would be
    /// drawn; nothing changes.
    ///
    /// # Errors
    /// As [`Games::act`].
    pub fn try_out(
        &self,
        id: Uuid,
        call: &Call,
        actions: &[NamedAction],
    ) -> Result<Acted, ServiceError> {
        let table = self.table(id)?;
        let tried = || self.acts(&table, call, actions);
        let draft = call.guarded(table.seq(), tried)?;
        let mut acted = draft.acted()?;
        if let Some(row) = &draft.row_before_draw {
            let name = |card: &Card| table.game.ruleset.card_name(*card).to_owned();
            hide_draw(&mut acted, row.iter().map(name).collect());
        }
        if table.status() == Status::Running && !table.stored.seed_known {
            // The game is not really over: its seed stays secret.
            acted.game.summary.seed = None;
        }
        Ok(acted)
    }

    fn acts(
        &self,
        table: &Table,
        call: &Call,
        actions: &[NamedAction],
    ) -> Result<Draft, ServiceError> {
        let seat = call.any_seat(table)?;
        check_running(table)?;
        self.check_length(table)?;
        let mut draft = Draft::new(table, self.store.now());
        for (index, named) in actions.iter().enumerate() {
            let whole = Some(named.path.clone()).filter(|path| !path.is_empty());
            if draft.row_before_draw.is_some() {
                // The same answer whatever was drawn, and whatever comes behind it.
                return Err(ServiceError::CardDrawn {
                    field: named.path.clone(),
                    pending: table.game.questions(&table.state),
                    seq: table.seq(),
                });
            }
            let path = named.prefix();
            let nation = acting_nation(&draft.table, seat, named, &path)?;
            let action = named.action.clone().numbered(&table.game);
            let action = action.map_err(|error| ServiceError::name(&path, &error))?;
            if draft.table.status().is_over() {
                return Err(ServiceError::GameOver {
                    seq: table.seq(),
                    field: whole,
                });
            }
            draft.act(nation, action).map_err(|illegal| {
                // Of a list, at least the action is named.
                let applied = whole.is_some().then_some(index);
                let field = match illegal.reason {
                    // It is not the nation that is wrong, but who acts.
                    Reason::NotYourTurn { .. } => None,
                    ref reason => reason.field(),
                };
                let field = match field {
                    Some(field) => Some(format!("{path}{field}")),
                    None => whole,
                };
                (draft.table).illegal(illegal, field, table.seq(), applied)
            })?;
        }
        Ok(draft)
    }

    /// Goes on with a game in which the next decision is a bot's or a standing order's, for a stretch. A
    /// game of bots alone that has as many events as it may is given up.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] when a bot finds nothing to do, or the game goes no further; when the store
    /// fails.
    pub(in crate::games) fn advance(&self, id: Uuid) -> Result<Done, ServiceError> {
        let is_bot = |seat: &Seat| matches!(seat.player, Player::Bot { .. });
        let pause = self.limits.bot_pause;
        // Somebody may watch.
        let is_paced = !pause.is_zero() && self.table(id)?.seats.iter().all(is_bot);
        if is_paced {
            std::thread::sleep(pause);
        }
        let most = if is_paced { 1 } else { AT_ONCE };
        let moved = self.change(id, &Call::default(), |table| {
            if !table.is_automatic() {
                return Err(ServiceError::over(table.seq()));
            }
            let mut draft = Draft::new(table, self.store.now());
            if let Err(too_long) = self.check_length(table) {
                if !table.seats.iter().all(is_bot) {
                    return Err(ServiceError::damaged(id, too_long));
                }
                // Nobody is there to end it.
                draft.note(&Entry::Abandon, None);
                draft.finish(None);
                return Ok((draft, ()));
            }
            go_on(&mut draft, Thinking::Now, most);
            if draft.events.is_empty() {
                return Err(ServiceError::damaged(id, "a bot finds nothing to do"));
            }
            Ok((draft, ()))
        });
        match moved {
            Ok(()) => Ok(Done::Stored),
            // Whatever others have made of it, no bot must move.
            Err(ServiceError::GameOver { .. }) => Ok(Done::Nothing),
            Err(error) => Err(error),
        }
    }

    /// What may be done now.
    pub fn legal_actions(
        &self,
        id: Uuid,
        payments: Payments,
    ) -> Result<LegalActions, ServiceError> {
        let table = self.table(id)?;
        let mut legal = LegalActions {
            seq: table.seq(),
            pending: Vec::new(),
            actions: Vec::new(),
        };
        if table.status() == Status::Running {
            let mut actions = Vec::new();
            table
                .game
                .legal_actions(&table.state, payments, &mut actions);
            let body = |action: &Action| action.named(&table.game);
            legal.actions = actions.iter().map(body).collect();
            legal.pending = table.game.questions(&table.state);
        }
        Ok(legal)
    }
}

/// Takes out of an answer what only the order of the deck can reveal: the cards drawn by its last
/// event, the row with them, and what is hashed of it. `row` is the open row without them.
fn hide_draw(acted: &mut Acted, row: Vec<String>) {
    for event in acted.events.last_mut().into_iter() {
        let drawn = |effect: &Effect<Names>| matches!(effect, Effect::CardRevealed { .. });
        event.effects.retain(|effect| !drawn(effect));
        event.digest.clear();
        event.hash.clear();
    }
    for pending in &mut acted.game.summary.pending {
        if let Asked::CardChoice { options, .. } = &mut pending.asked {
            options.retain(|option| row.contains(option));
        }
    }
    acted.game.state.digest.clear();
    if let Some(cards) = &mut acted.game.state.cards {
        cards.open = row;
    }
}

/// The nation that acts: the one named, else the seat's nation that must act, else its first that
/// is left.
fn acting_nation(
    table: &Table,
    seat: u8,
    named: &NamedAction,
    path: &str,
) -> Result<Nation, ServiceError> {
    if let Some(name) = &named.nation {
        let nation = table.game.nation_by_name(name).ok_or_else(|| {
            ServiceError::invalid(format!("{path}nation"), format!("no nation {name:?} plays"))
        })?;
        return match table.game.seat_of(nation) == seat {
            true => Ok(nation),
            false => Err(ServiceError::Forbidden(format!(
                "this token plays seat {seat}, which does not play {name}"
            ))),
        };
    }
    let pending = table
        .game
        .question(&table.state)
        .map(|question| question.asked());
    let own: Vec<Nation> = table.game.nations_of(seat).collect();
    let left = |nation: &&Nation| !table.state.nation(**nation).resigned;
    pending
        .filter(|nation| own.contains(nation))
        .or_else(|| own.iter().find(left).copied())
        .or_else(|| own.first().copied())
        .ok_or_else(|| ServiceError::Conflict(format!("seat {seat} plays no nation")))
}
