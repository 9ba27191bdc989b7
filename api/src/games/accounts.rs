//! Updates games when an account changes its handle, and leaves games for a deleted account.

use std::sync::Arc;

use uuid::Uuid;

use crate::games::model::Status;
use crate::games::queries::lists::GameFilter;
use crate::games::service::Games;
use crate::http::call::{Access, Call};
use crate::http::error::ServiceError;
use crate::http::scope::{Scope, Scopes};

/// How many games are read at a time.
const TOGETHER: usize = 1_000;

impl Games {
    /// Lets the caller's account leave its games that have not started.
    /// The token does not need the scope `play`.
    pub fn leave_open_games(&self, call: &Call, access: &Access) -> Result<(), ServiceError> {
        let account: Uuid = access.account;
        let with_play_scope = Call {
            token: call.token.clone(),
            access: Some(Arc::new(Access {
                scopes: Scopes::from_iter([Scope::Play]),
                ..access.clone()
            })),
            ..Call::default()
        };
        let open = GameFilter {
            player: Some(account.to_string()),
            status: Some(Status::Open),
            ..GameFilter::default()
        };
        let mut open_games = Vec::new();
        let mut after = None;
        loop {
            let page = self.store.games(&open, after, TOGETHER)?;
            open_games.extend(page.games);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        for (game, seats) in open_games {
            let seat = seats.iter().find(|seat| seat.account() == Some(account));
            if let Some(seat) = seat {
                match self.leave(game.id, &with_play_scope, seat.number) {
                    // The game has started since, or another request has freed the seat.
                    Ok(_)
                    | Err(
                        ServiceError::Conflict(..)
                        | ServiceError::Forbidden(_)
                        | ServiceError::GameOver { .. },
                    ) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Loads games again that are in memory and were just written, by their stored ids.
    pub fn refresh(&self, games: &[String]) -> Result<(), ServiceError> {
        for id in games.iter().filter_map(|id| id.parse().ok()) {
            if self.live.contains_key(&id)
                && let Some(version) = self.store.version(id)?
            {
                self.learn(id, |table| table.stored.version >= version)?;
            }
        }
        Ok(())
    }
}
