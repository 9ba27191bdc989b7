//! What a caller is in a game: its organizer, a player or a spectator.

use crate::games::model::Visibility;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;

impl Call {
    /// Returns the caller's token if it is of an account or of this game.
    fn game_token(&self, table: &Table) -> Result<&str, ServiceError> {
        let Some(token) = self.token.as_deref() else {
            let message =
                "send a bearer token: of a player's account, of a seat or of the organizer";
            return Err(ServiceError::Unauthenticated(message));
        };
        match self.access.is_some() || table.has_token(token) {
            true => Ok(token),
            false => Err(ServiceError::Forbidden(
                "this token is for another game: send one of this game or of an account".to_owned(),
            )),
        }
    }

    /// Checks that the caller organizes the game: by the game's token, its account, or the scope `admin`.
    ///
    /// # Errors
    /// 401 if the request has no token; 403 if the caller is not the organizer or the token lacks the scope.
    pub fn organizer(&self, table: &Table) -> Result<(), ServiceError> {
        let token = self.game_token(table)?;
        if table.stored.organizer.as_deref() == Some(token) {
            return Ok(());
        }
        match self.access.as_deref() {
            Some(access) if table.stored.organizer_account == Some(access.account) => {
                access.needs(Scope::Organize)
            }
            _ if self.act_as_administrator() => Ok(()),
            _ => Err(ServiceError::Forbidden(
                "only the organizer of the game may do this".to_owned(),
            )),
        }
    }

    /// Returns the seat that the caller plays, by the seat's token or by account.
    ///
    /// # Errors
    /// Those of [`Call::organizer`].
    pub fn any_seat(&self, table: &Table) -> Result<u8, ServiceError> {
        let token = self.game_token(table)?;
        let mut seats = table.seats.iter();
        if let Some(seat) = seats.find(|seat| seat.token.as_deref() == Some(token)) {
            return Ok(seat.number);
        }
        let Some(access) = &self.access else {
            let message = "the organizer's token plays no seat: send the token of a seat";
            return Err(ServiceError::Forbidden(message.to_owned()));
        };
        let seat = table.seat_of(access.account).ok_or_else(|| {
            ServiceError::Forbidden("your account plays no seat of this game".to_owned())
        })?;
        access.needs(Scope::Play)?;
        Ok(seat)
    }

    /// Checks that the caller plays this seat.
    ///
    /// # Errors
    /// 404 if the seat does not exist, and those of [`Call::organizer`].
    pub fn own_seat(&self, table: &Table, number: u8) -> Result<(), ServiceError> {
        table.seat(number)?;
        match self.any_seat(table)? {
            own if own == number => Ok(()),
            own => Err(ServiceError::Forbidden(format!(
                "you play seat {own}, not seat {number}"
            ))),
        }
    }

    /// Returns true if the caller may see a game.
    /// A private game is visible to its players, its organizer, invited accounts and administrators.
    pub fn sees(&self, table: &Table) -> bool {
        if table.stored.visibility != Visibility::Private {
            return true;
        }
        let token = self.token.as_deref();
        token.is_some_and(|token| table.has_token(token))
            || self.access.as_deref().is_some_and(|access| {
                access.scopes.allow(Scope::Admin) || table.is_shown_to(access.account)
            })
    }
}
