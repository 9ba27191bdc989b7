//! Queries of the games of accounts.

use diesel::prelude::*;
use uuid::Uuid;

use crate::db::schema::{game_players, games, seats};
use crate::db::{Store, StoreError};
use crate::games::model::Status;

/// The most games of an account that are searched for unfinished ones.
const NEWEST: i64 = 10_000;

impl Store {
    /// Returns the unfinished games in which an account plays or has a reserved seat, the newest first.
    pub(in crate::games) fn games_under_way(
        &self,
        account: Uuid,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        let account = account.to_string();
        let newest = game_players::table
            .filter(game_players::player.eq(account.clone()))
            .order((game_players::created_at.desc(), game_players::game.desc()))
            .limit(NEWEST)
            .select(game_players::game);
        let newest: Vec<i64> = newest.load(connection)?;
        let mut ids: Vec<String> = Vec::with_capacity(newest.len());
        for part in newest.chunks(500) {
            let part = games::table.filter(games::number.eq_any(part));
            ids.extend(part.select(games::id).load::<String>(connection)?);
        }
        ids.extend(
            seats::table
                .filter(seats::invited.eq(account))
                .select(seats::game_id)
                .load::<String>(connection)?,
        );
        let mut found: Vec<(i64, String)> = Vec::new();
        for part in ids.chunks(500) {
            let under_way = [Status::Open.name(), Status::Running.name()];
            let part = games::table
                .filter(games::id.eq_any(part))
                .filter(games::status.eq_any(under_way))
                .select((games::created_at, games::id));
            found.extend(part.load::<(i64, String)>(connection)?);
        }
        found.sort_by(|a, b| b.cmp(a));
        found.dedup();
        found.truncate(usize::try_from(limit).unwrap_or(0));
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }

    /// Returns the accounts of some games, each with the game.
    /// These are players, invited accounts and those that lost a seat.
    pub(in crate::games) fn accounts_at<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let connection = &mut *self.connection()?;
        let ids: Vec<&str> = ids.collect();
        let mut found = Vec::new();
        for part in ids.chunks(500) {
            type Accounts = (String, Option<String>, Option<String>, Option<String>);
            let seated: Vec<Accounts> = seats::table
                .filter(seats::game_id.eq_any(part))
                .select((
                    seats::game_id,
                    seats::player_id,
                    seats::invited,
                    seats::former,
                ))
                .load(connection)?;
            for (game, player, invited, former) in seated {
                let concerned = player.into_iter().chain(invited).chain(former);
                found.extend(concerned.map(|account| (game.clone(), account)));
            }
        }
        Ok(found)
    }
}
