//! Playing: actions of players, and automatic decisions of bots and standing orders.

use std::time::{Duration, Instant};

use bots::{Host, Spec};
use engine::forms::QuestionDetails;
use engine::ids::{Card, Nation};
use engine::play::{Action, Effect, Names, Payments, Reason};
use engine::setup::Player;
use records::Entry;
use uuid::Uuid;

use crate::db::work::TaskOutcome;
use crate::games::bodies::{ActionOutcome, LegalActions};
use crate::games::draft::Draft;
use crate::games::model::{Seat, Status};
use crate::games::named_action::NamedAction;
use crate::games::orders;
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};

/// How many automatic decisions follow an action in the same response. Workers make the rest.
const MAX_REPLIES: usize = 128;

/// After how long no more automatic decisions are added to a response.
const REPLY_TIME: Duration = Duration::from_millis(250);

/// The most actions in one request.
pub const MOST_ACTIONS: usize = 200;

/// Creates the bots of a table for a batch of their decisions.
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

/// Returns the next decision if a bot or a standing order makes it.
fn automatic(table: &Table, host: &mut Host) -> Option<(Nation, Action)> {
    if table.status() != Status::Running {
        return None;
    }
    let question = table.game.question(&table.state)?;
    let seat = table.game.seat_of(question.nation());
    let action = match table.seats.get(usize::from(seat))?.player {
        Player::Bot { .. } => host.choose(&table.state, table.seq() + 1),
        _ => orders::decide(&table.game, &table.state, &table.orders(seat), &question),
    };
    Some((question.nation(), action?))
}

/// Whether bots that search may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thinking {
    /// The workers let them decide, because a caller waits for the response.
    Later,
    /// They decide immediately.
    Now,
}

/// Returns true if a bot that uses a time or playout budget decides next.
fn is_thinker(table: &Table) -> bool {
    let Some(question) = table.game.question(&table.state) else {
        return false;
    };
    let seat = usize::from(table.game.seat_of(question.nation()));
    matches!(table.seats.get(seat), Some(seat) if thinks(&seat.player))
}

/// Returns true if a player is a bot that uses a time or playout budget.
pub fn thinks(player: &Player) -> bool {
    match player {
        Player::Bot { name } => name.parse().is_ok_and(|spec: Spec| spec.thinks()),
        _ => false,
    }
}

/// Lets bots and standing orders decide for a short time, but no bots that search.
pub fn reply(draft: &mut Draft) {
    decide_automatically(draft, Thinking::Later, MAX_REPLIES);
}

fn decide_automatically(draft: &mut Draft, thinking: Thinking, most: usize) {
    let mut host = host(&draft.table);
    let begun = Instant::now();
    for decided in 0..most {
        // A planned sequence of a bot is finished, because the plan is lost with its host.
        let is_late = decided > 0 && begun.elapsed() >= REPLY_TIME;
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
            tracing::error!(game = %draft.table.id(), %error, ?action, "the engine refused the decision of a bot");
            return;
        }
    }
}

/// Checks that a game is running.
pub fn check_running(table: &Table) -> Result<(), ServiceError> {
    match table.status() {
        Status::Running => Ok(()),
        Status::Open => Err(ServiceError::conflict(
            ConflictKind::NotStarted,
            "the game has not started: it starts when all seats are claimed",
        )),
        Status::Finished | Status::Abandoned => Err(ServiceError::over(table.seq())),
    }
}

impl Games {
    /// Refuses a change if the log has its greatest length.
    ///
    /// # Errors
    /// [`ConflictKind::LimitReached`] if the log is too long.
    pub(in crate::games) fn check_length(&self, table: &Table) -> Result<(), ServiceError> {
        let most = self.limits.events;
        if table.seq() < most {
            return Ok(());
        }
        let message = format!(
            "the game has {} events, and at most {most} are allowed: only its organizer can end it, by adjudication",
            table.seq()
        );
        Err(ServiceError::conflict(ConflictKind::LimitReached, message))
    }

    /// Applies actions of the caller's seat, all or none. Bots and standing orders reply.
    /// Only the last action may draw an event card. If later ones were accepted or refused, the response would reveal
    /// the drawn card before the draw is final.
    pub fn act(
        &self,
        id: Uuid,
        call: &Call,
        actions: &[NamedAction],
    ) -> Result<ActionOutcome, ServiceError> {
        self.change(id, call, |table| {
            let mut draft = self.draft_actions(table, call, actions)?;
            reply(&mut draft);
            let acted = draft.response()?;
            Ok((draft, acted))
        })
    }

    /// Returns what [`Games::act`] would do, without replies of bots and without the cards drawn.
    /// Nothing changes.
    ///
    /// # Errors
    /// Those of [`Games::act`].
    pub fn try_out(
        &self,
        id: Uuid,
        call: &Call,
        actions: &[NamedAction],
    ) -> Result<ActionOutcome, ServiceError> {
        let table = self.table(id)?;
        let draft = call.guarded(table.seq(), || self.draft_actions(&table, call, actions))?;
        let mut acted = draft.response()?;
        if let Some(row) = &draft.row_before_draw {
            let name = |card: &Card| table.game.ruleset.card_name(*card).to_owned();
            hide_draw(&mut acted, row.iter().map(name).collect());
        }
        if table.status() == Status::Running && !table.stored.seed_known {
            // The real game is not over, so its seed stays secret.
            acted.game.summary.seed = None;
        }
        Ok(acted)
    }

    fn draft_actions(
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
                // The error is the same for every drawn card and every following action.
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
                // In a list, the error names at least the action.
                let applied = whole.is_some().then_some(index);
                let field = match illegal.reason {
                    // The nation's name is valid; it is not its turn.
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

    /// Makes automatic decisions in a game for a short time.
    /// A game of bots alone is abandoned when its log has the greatest length.
    ///
    /// # Errors
    /// [`ServiceError::Damaged`] if a bot finds no action or the log is too long, or the error of the store.
    pub(in crate::games) fn advance(&self, id: Uuid) -> Result<TaskOutcome, ServiceError> {
        let is_bot = |seat: &Seat| matches!(seat.player, Player::Bot { .. });
        let pause = self.limits.bot_pause;
        // The pause lets spectators follow.
        let is_paced = !pause.is_zero() && self.table(id)?.seats.iter().all(is_bot);
        if is_paced {
            std::thread::sleep(pause);
        }
        let most = if is_paced { 1 } else { MAX_REPLIES };
        let moved = self.change(id, &Call::default(), |table| {
            if !table.is_automatic() {
                return Err(ServiceError::over(table.seq()));
            }
            let mut draft = Draft::new(table, self.store.now());
            if let Err(too_long) = self.check_length(table) {
                if !table.seats.iter().all(is_bot) {
                    return Err(ServiceError::damaged(id, too_long));
                }
                // The game has no player who could end it.
                draft.add_entry(&Entry::Abandon, None);
                draft.finish(None);
                return Ok((draft, ()));
            }
            decide_automatically(&mut draft, Thinking::Now, most);
            if draft.events.is_empty() {
                return Err(ServiceError::damaged(id, "a bot found no legal action"));
            }
            Ok((draft, ()))
        });
        match moved {
            Ok(()) => Ok(TaskOutcome::Stored),
            // Another request has changed the game, and no bot has to move.
            Err(ServiceError::GameOver { .. }) => Ok(TaskOutcome::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Returns the legal actions in the present position.
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

/// Removes from a response what only the order of the deck reveals.
/// These are the drawn cards, the row with them, and the digests.
/// `row` is the open row without the drawn cards.
fn hide_draw(acted: &mut ActionOutcome, row: Vec<String>) {
    for event in acted.events.last_mut().into_iter() {
        let drawn = |effect: &Effect<Names>| matches!(effect, Effect::CardRevealed { .. });
        event.effects.retain(|effect| !drawn(effect));
        event.digest.clear();
        event.hash.clear();
    }
    for pending in &mut acted.game.summary.pending {
        if let QuestionDetails::CardChoice { options, .. } = &mut pending.asked {
            options.retain(|option| row.contains(option));
        }
    }
    acted.game.state.digest.clear();
    if let Some(cards) = &mut acted.game.state.cards {
        cards.open = row;
    }
}

/// Returns the nation that acts: the named one, or the seat's nation that must act.
/// Otherwise it is the seat's first one that has not resigned.
fn acting_nation(
    table: &Table,
    seat: u8,
    named: &NamedAction,
    path: &str,
) -> Result<Nation, ServiceError> {
    if let Some(name) = &named.nation {
        let nation = table.game.nation_by_name(name).ok_or_else(|| {
            ServiceError::invalid(
                format!("{path}nation"),
                format!("this game has no nation {name:?}: `pending` lists who must act"),
            )
        })?;
        return match table.game.seat_of(nation) == seat {
            true => Ok(nation),
            false => Err(ServiceError::Forbidden(format!(
                "this token is for seat {seat}, which does not play {name}: send the token of the seat that does"
            ))),
        };
    }
    let pending = table
        .game
        .question(&table.state)
        .map(|question| question.nation());
    let own: Vec<Nation> = table.game.nations_of(seat).collect();
    let left = |nation: &&Nation| !table.state.nation(**nation).resigned;
    pending
        .filter(|nation| own.contains(nation))
        .or_else(|| own.iter().find(left).copied())
        .or_else(|| own.first().copied())
        .ok_or_else(|| ServiceError::damaged(table.id(), format!("seat {seat} has no nation")))
}
