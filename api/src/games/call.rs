//! Who calls, on what terms, and what may be kept for a repetition.

use crate::games::model::Visibility;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;

impl Call {
    /// The caller's token, when it is one of an account or belongs to the table.
    fn known(&self, table: &Table) -> Result<&str, ServiceError> {
        let Some(token) = self.token.as_deref() else {
            let message =
                "a bearer token is needed: of a player's account, of a seat or of the organizer";
            return Err(ServiceError::Unauthenticated(message));
        };
        match self.access.is_some() || table.has_token(token) {
            true => Ok(token),
            false => Err(ServiceError::Forbidden(
                "this token belongs to nobody at this table".to_owned(),
            )),
        }
    }

    /// The caller is the organizer: by the game's token, by the account that organizes it, or as an
    /// administrator.
    ///
    /// # Errors
    /// 401 when the request has no token, 403 when it is somebody else's work or the token is not for it.
    pub fn organizer(&self, table: &Table) -> Result<(), ServiceError> {
        let token = self.known(table)?;
        if table.stored.organizer.as_deref() == Some(token) {
            return Ok(());
        }
        match self.access.as_deref() {
            Some(access) if access.scopes.allow(Scope::Admin) => Ok(()),
            Some(access) if table.stored.organizer_account == Some(access.account) => {
                access.needs(Scope::Organize)
            }
            _ => Err(ServiceError::Forbidden(
                "this is for the organizer of the game".to_owned(),
            )),
        }
    }

    /// The seat that the caller plays: by the seat's token or by the account that sits there.
    ///
    /// # Errors
    /// Those of [`Call::organizer`].
    pub fn any_seat(&self, table: &Table) -> Result<u8, ServiceError> {
        let token = self.known(table)?;
        let mut seats = table.seats.iter();
        if let Some(seat) = seats.find(|seat| seat.token.as_deref() == Some(token)) {
            return Ok(seat.number);
        }
        let Some(access) = &self.access else {
            let message = "the organizer's token plays no seat";
            return Err(ServiceError::Forbidden(message.to_owned()));
        };
        let seat = table.seat_of(access.account).ok_or_else(|| {
            ServiceError::Forbidden("your account plays no seat of this game".to_owned())
        })?;
        access.needs(Scope::Play)?;
        Ok(seat)
    }

    /// The caller plays this seat.
    ///
    /// # Errors
    /// 404 when there is no such seat, and those of [`Call::organizer`].
    pub fn own_seat(&self, table: &Table, number: u8) -> Result<(), ServiceError> {
        table.seat(number)?;
        match self.any_seat(table)? {
            own if own == number => Ok(()),
            own => Err(ServiceError::Forbidden(format!(
                "you play seat {own}, not seat {number}"
            ))),
        }
    }

    /// Whether the caller may see a game: of a private one who plays or organizes it, for whom a seat is kept, and
    /// administrators.
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
