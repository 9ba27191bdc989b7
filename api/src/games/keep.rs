//! Keeping games that were played elsewhere: by simulation, or on another service.

use engine::Record;
use engine::setup::Player;
use engine::wire::ResultBody;
use serde_json::json;
use uuid::Uuid;

use super::bodies::{EventKind, SeatPlayer, Status};
use super::create::seat_row;
use super::table::{Draft, Table, public_setup};
use super::{GameError, Games};
use crate::store::{GameRow, SeatRow};

impl Games {
    /// Stores the record of a game as its events, with hashes of their own and the record's time.
    /// Undone actions are left out. Returns the game's id: the record's, when that is a UUID.
    ///
    /// # Errors
    /// When the record does not replay; [`crate::store::StoreError::Conflict`] when a game with
    /// this id is there already; when the store fails. Nothing is stored then.
    pub fn keep(&self, record: &Record) -> Result<Uuid, GameError> {
        let id = record.id.parse().unwrap_or_else(|_| Uuid::now_v7());
        let mut draft = Draft::create(self.kept_table(id, record)?);
        for (index, text) in record.actions.iter().enumerate() {
            if text.starts_with('-') {
                continue;
            }
            let field = || format!("actions[{index}]");
            let game = draft.table.game.clone();
            let (named, action) = game
                .parse(text)
                .map_err(|error| GameError::invalid(field(), error))?;
            let acts = game.pending(&draft.table.state).map(|p| p.nation);
            let nation = named.or(acts).unwrap_or(draft.table.state.to_move);
            draft
                .act(nation, action)
                .map_err(|illegal| GameError::invalid(field(), illegal))?;
        }
        match (&record.result, draft.table.status()) {
            (Some(result), Status::Running | Status::Open) => decide(&mut draft, result)?,
            (Some(result), _)
                if draft.table.game.result_body(&draft.table.state).as_ref() != Some(result) =>
            {
                let message = "the game does not end as the record says";
                return Err(GameError::invalid("result", message));
            }
            _ => {}
        }
        self.commit(draft, None)?;
        Ok(id)
    }

    fn kept_table(&self, id: Uuid, record: &Record) -> Result<Table, GameError> {
        let (game, state) = record.setup.start(&self.library)?;
        let at: jiff::Timestamp = record
            .played_at
            .parse()
            .map_err(|error| GameError::invalid("played_at", error))?;
        let at = at.as_microsecond();
        let seats = (0..)
            .zip(&record.setup.seats)
            .map(|(number, seat)| kept_seat(id, number, &seat.player))
            .collect::<Result<Vec<SeatRow>, GameError>>()?;
        let row = GameRow {
            id: id.to_string(),
            edition: record.setup.edition.clone(),
            board: record.setup.board.clone(),
            status: Status::Running.name().to_owned(),
            setup: public_setup(&game.setup)
                .map_err(|error| GameError::invalid("setup", error))?
                .to_string(),
            seed: record.setup.seed.clone(),
            seed_known: 1,
            seq: 0,
            created_at: at,
            updated_at: at,
            result: None,
            rated: i64::from(record.rated),
            league: record.league.clone(),
            source: record.source.to_string(),
            organizer: None,
            bot_due: 0,
        };
        Ok(Table::new(id, row, seats, game, state))
    }
}

/// A seat without a token: nobody goes on with a kept game.
fn kept_seat(id: Uuid, number: u8, player: &Player) -> Result<SeatRow, GameError> {
    let (mut row, _) = seat_row(id, number, &SeatPlayer::Open, "setup.seats")?;
    match player {
        Player::Bot { name } => {
            row.kind = "bot".to_owned();
            row.name = Some(name.clone());
        }
        Player::Person { id, name } => {
            row.kind = "person".to_owned();
            row.player_id = Some(id.clone());
            row.name.clone_from(name);
        }
        Player::Open => {}
    }
    Ok(row)
}

/// Ends a game as people have decided.
fn decide(draft: &mut Draft, result: &ResultBody) -> Result<(), GameError> {
    let game = &draft.table.game;
    let ranks = result.ranks.iter().map(|body| (body.seat, body.rank));
    let seats: std::collections::BTreeSet<u8> = ranks.clone().map(|(seat, _)| seat).collect();
    let complete = seats.iter().copied().eq(0..game.seats() as u8);
    if !complete || game.rank_seats(&draft.table.state, result.reason, ranks) != *result {
        let message = "the game does not end as the record says";
        return Err(GameError::invalid("result", message));
    }
    let told = json!({ "reason": result.reason, "ranks": result.ranks, "note": null });
    draft.note(EventKind::Adjudicate, format!("adjudicate {told}"), None);
    draft.finish(Some(result));
    Ok(())
}
