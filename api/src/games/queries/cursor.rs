//! The orders of lists of games, and the cursors of their pages.

use std::fmt;
use std::fmt::Display;
use std::str::FromStr;

use crate::db::StoreError;

/// The order of a list of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest first.
    #[default]
    Created,
    /// Finished games, the latest end first.
    Ended,
    /// Finished games, the most rounds first.
    Longest,
}

impl Order {
    /// Returns the columns of `games` and of `game_players` with the value of the order.
    pub(super) fn columns(self) -> (&'static str, &'static str) {
        match self {
            Order::Created => ("created_at", "created_at"),
            Order::Ended => ("updated_at", "ended_at"),
            Order::Longest => ("rounds", "rounds"),
        }
    }

    fn letter(self) -> char {
        match self {
            Order::Created => 'c',
            Order::Ended => 'e',
            Order::Longest => 'l',
        }
    }
}

/// The last game of a page, after which the next page starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The order of the list.
    pub(super) order: Order,
    /// The game's value in that order.
    pub(super) value: i64,
    /// The game's number.
    pub(super) game: i64,
}

impl Cursor {
    pub(super) fn key(&self) -> (i64, i64) {
        (self.value, self.game)
    }
}

impl Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cursor { order, value, game } = self;
        write!(formatter, "{}{value}.{game}", order.letter())
    }
}

impl FromStr for Cursor {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Cursor, StoreError> {
        let orders = [Order::Created, Order::Ended, Order::Longest];
        let read = || {
            let order = orders
                .into_iter()
                .find(|one| text.starts_with(one.letter()))?;
            let (value, game) = text.get(1..)?.split_once('.')?;
            Some(Cursor {
                order,
                value: value.parse().ok()?,
                game: game.parse().ok()?,
            })
        };
        read().ok_or(StoreError::Cursor)
    }
}
