//! The rows by which lists filter games: players, and the content of finished games.

use diesel::prelude::*;
use engine::setup::Player;

use crate::db::StoreError;
use crate::db::connection::AnyConnection;
use crate::db::projections::offsets::Transaction;
use crate::db::schema::{game_players, games};
use crate::games::model::{Seat, StoredGame, Visibility};

/// A row of `game_players`: a seat that is not open.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_players)]
pub struct PlayerRow {
    game: i64,
    seat: i64,
    player: String,
    name: Option<String>,
    public: i64,
    created_at: i64,
    ended_at: Option<i64>,
    rounds: Option<i64>,
    nation: Option<String>,
    opening: Option<String>,
    won: Option<i64>,
}

impl PlayerRow {
    /// Creates the row of a seat; `None` if it is open.
    pub fn new(game: &StoredGame, seat: &Seat) -> Option<PlayerRow> {
        Some(PlayerRow {
            game: game.number,
            seat: i64::from(seat.number),
            player: seat.player.actor()?.to_owned(),
            name: match &seat.player {
                Player::Person { name, .. } => name.as_ref().map(|name| name.to_ascii_lowercase()),
                _ => None,
            },
            public: i64::from(game.visibility == Visibility::Public),
            created_at: game.created_at,
            ended_at: None,
            rounds: None,
            nation: None,
            opening: None,
            won: None,
        })
    }

    /// Adds the content of the finished game to the row.
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

/// The content of a finished game, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The game's id.
    pub id: String,
    /// The number of its last round.
    pub rounds: i64,
    /// Why it ended.
    pub reason: &'static str,
    /// Its seats.
    pub seats: Vec<FinishedSeat>,
}

/// The content of a seat of a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedSeat {
    /// The number of the seat, from 0.
    pub seat: i64,
    /// The nation.
    pub nation: String,
    /// The opening strategy.
    pub opening: &'static str,
    /// Whether the seat won or shared the win.
    pub won: bool,
}

/// Writes the players of seats. The columns of the projection `lists` are not changed.
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
    /// Writes the content of finished games.
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
