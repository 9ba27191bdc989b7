//! The players of games, by whom lists find them, and what happened in finished games.

use diesel::prelude::*;
use engine::setup::Player;

use crate::db::StoreError;
use crate::db::connection::AnyConnection;
use crate::db::projections::offsets::Transaction;
use crate::db::schema::{game_players, games};
use crate::games::model::{Seat, StoredGame};

/// A row of `game_players`: a seat that is not open, as lists find its game.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_players)]
pub struct PlayerRow {
    game: i64,
    seat: i64,
    player: String,
    name: Option<String>,
    created_at: i64,
    ended_at: Option<i64>,
    rounds: Option<i64>,
    nation: Option<String>,
    opening: Option<String>,
    won: Option<i64>,
}

impl PlayerRow {
    /// The row of a seat of a game; none while the seat is open.
    pub fn new(game: &StoredGame, seat: &Seat) -> Option<PlayerRow> {
        Some(PlayerRow {
            game: game.number,
            seat: i64::from(seat.number),
            player: seat.player.actor()?.to_owned(),
            name: match &seat.player {
                Player::Person { name, .. } => name.as_ref().map(|name| name.to_ascii_lowercase()),
                _ => None,
            },
            created_at: game.created_at,
            ended_at: None,
            rounds: None,
            nation: None,
            opening: None,
            won: None,
        })
    }

    /// The row once the game has finished.
    pub fn finished(self, game: &StoredGame, facts: &FinishedGame) -> PlayerRow {
        let own = facts.seats.iter().find(|seat| seat.seat == self.seat);
        PlayerRow {
            ended_at: Some(game.updated_at),
            rounds: Some(facts.rounds),
            nation: own.map(|own| own.nation.clone()),
            opening: own.map(|own| own.opening.to_owned()),
            won: own.map(|own| i64::from(own.won)),
            ..self
        }
    }
}

/// What happened in a finished game, as lists find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The game's id.
    pub id: String,
    /// Its last round.
    pub rounds: i64,
    /// Why it ended.
    pub reason: &'static str,
    /// Its seats.
    pub seats: Vec<FinishedSeat>,
}

/// What happened to a seat of a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedSeat {
    /// Its number, from 0.
    pub seat: i64,
    /// Its nation.
    pub nation: String,
    /// Its opening strategy.
    pub opening: &'static str,
    /// Whether it has a share of the win.
    pub won: bool,
}

/// Writes the players of seats, by whom lists find their game. What the projection `lists` has written of a finished
/// game stays.
pub(crate) fn list_players(
    connection: &mut AnyConnection,
    game: &StoredGame,
    seats: &[Seat],
) -> Result<(), StoreError> {
    for seat in seats {
        let key = game_players::table.find((game.number, i64::from(seat.number)));
        let Some(row) = PlayerRow::new(game, seat) else {
            diesel::delete(key).execute(connection)?;
            continue;
        };
        let player = (
            game_players::player.eq(row.player.clone()),
            game_players::name.eq(row.name.clone()),
        );
        if diesel::update(key).set(player).execute(connection)? == 0 {
            diesel::insert_into(game_players::table)
                .values(row)
                .execute(connection)?;
        }
    }
    Ok(())
}

impl Transaction<'_> {
    /// Lets lists find games by what happened in them.
    pub(in crate::games) fn list_finished(
        &mut self,
        finished: Vec<FinishedGame>,
    ) -> Result<(), StoreError> {
        let connection = &mut *self.0;
        for game in finished {
            let key = games::table.find(game.id);
            diesel::update(key.clone())
                .set((games::rounds.eq(game.rounds), games::reason.eq(game.reason)))
                .execute(connection)?;
            let (number, ended_at): (i64, i64) = key
                .select((games::number, games::updated_at))
                .first(connection)?;
            for seat in game.seats {
                diesel::update(game_players::table.find((number, seat.seat)))
                    .set((
                        game_players::ended_at.eq(ended_at),
                        game_players::rounds.eq(game.rounds),
                        game_players::nation.eq(seat.nation),
                        game_players::opening.eq(seat.opening),
                        game_players::won.eq(i64::from(seat.won)),
                    ))
                    .execute(connection)?;
            }
        }
        Ok(())
    }
}
