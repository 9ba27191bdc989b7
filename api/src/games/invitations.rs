//! Invitations by a code: who knows it has a seat kept, and sees the game though it is private.

use std::sync::Arc;

use engine::setup::Player;
use uuid::Uuid;

use crate::db::StoreError;
use crate::games::bodies::{GameBody, InvitationCode};
use crate::games::draft::Draft;
use crate::games::model::{Seat, Status, known_id};
use crate::games::service::Games;
use crate::games::table::Table;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::scope::Scope;
use crate::http::secret::hashed;

/// The digits of Crockford's base 32: nobody reads one for another.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A fresh code: 60 bits of chance as three groups of four digits.
fn fresh_code() -> Result<String, StoreError> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Unavailable(error.to_string()))?;
    let digit = |byte: &u8| char::from(DIGITS[usize::from(byte % 32)]);
    let groups = bytes.chunks(4).map(|group| group.iter().map(digit));
    let groups: Vec<String> = groups.map(String::from_iter).collect();
    Ok(groups.join("-"))
}

/// The hash by which a code is found, however it is written: `O` is a zero, `I` and `L` are ones.
fn hash(code: &str) -> String {
    let written = code.chars().filter(|letter| letter.is_ascii_alphanumeric());
    let digits: String = written
        .map(|letter| match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            digit => digit,
        })
        .collect();
    hashed(&format!("invitation {digits}"))
}

fn check_open(table: &Table) -> Result<(), ServiceError> {
    match table.status() {
        Status::Open => Ok(()),
        Status::Running => Err(ServiceError::Conflict("the game has started".to_owned())),
        _ => Err(ServiceError::over(table.seq())),
    }
}

/// Invitations to games by a code.
#[derive(Debug)]
pub struct Invitations {
    games: Arc<Games>,
}

impl Invitations {
    /// Invitations to the games.
    pub fn new(games: Arc<Games>) -> Invitations {
        Invitations { games }
    }

    /// Gives a game a code in place of the one that it has.
    pub fn make_code(&self, id: Uuid, call: &Call) -> Result<InvitationCode, ServiceError> {
        let table = self.games.table(id)?;
        self.games.access.check_organizer(call, &table)?;
        if let Some(kept) = call.kept(&self.games.store)? {
            return Ok(kept);
        }
        check_open(&table)?;
        let made = InvitationCode {
            code: fresh_code()?,
        };
        let kept = call.keep_location(format!("/v1/games/{id}"))?;
        (self.games.store).set_invitation_code(id, Some(hash(&made.code)), kept)?;
        Ok(made)
    }

    /// Takes the code of a game back; what was kept by it stays kept.
    pub fn withdraw_code(&self, id: Uuid, call: &Call) -> Result<(), ServiceError> {
        self.games
            .access
            .check_organizer(call, &*self.games.table(id)?)?;
        Ok(self.games.store.set_invitation_code(id, None, None)?)
    }

    /// Keeps a seat of the game with a code for the caller's account, the first that is free, unless it has one.
    pub fn take_up(
        &self,
        call: &Call,
        invitation: &InvitationCode,
    ) -> Result<GameBody, ServiceError> {
        let account = call.account(Scope::Play)?.account;
        let game = self.games.store.invited_by(&hash(&invitation.code))?;
        let unknown = || ServiceError::NotFound("game with this code".to_owned());
        let id = known_id(&game.ok_or_else(unknown)?)?;
        let has_seat = |table: &Table| {
            let mut seats = table.seats.iter();
            seats.any(|seat| [seat.account(), seat.invited].contains(&Some(account)))
        };
        let table = self.games.table(id)?;
        if has_seat(&table) {
            return table.body();
        }
        self.games.change(id, call, |table| {
            let mut draft = Draft::new(table, self.games.store.now());
            if !has_seat(table) {
                check_open(table)?;
                let free = |seat: &&Seat| seat.player == Player::Open && seat.invited.is_none();
                let seat = table.seats.iter().find(free);
                let full = || ServiceError::Conflict("no seat is free".to_owned());
                let number = seat.ok_or_else(full)?.number;
                draft.set_seat(number, |seat| seat.invited = Some(account));
            }
            let body = draft.table.body()?;
            Ok((draft, body))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_however_it_is_written() {
        let code = fresh_code().unwrap();
        assert_eq!(code.len(), 14, "{code}");
        assert_ne!(code, fresh_code().unwrap());
        assert_eq!(hash("1A0Z-QQQQ-0011"), hash("la oz qqqq ooil"));
        assert_ne!(hash("1A0Z-QQQQ-0011"), hash("1A0Z-QQQQ-0012"));
    }
}
