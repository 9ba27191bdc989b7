//! Invitation codes: an account that knows the code gets a reserved seat, even in a private game.

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
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;
use crate::http::secret::hashed;

/// The digits of Crockford's base 32, which are hard to confuse.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Generates a code: 60 random bits as three groups of four digits.
fn generate_code() -> Result<String, StoreError> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Unavailable(error.to_string()))?;
    let digit = |byte: &u8| char::from(DIGITS[usize::from(byte % 32)]);
    let groups = bytes.chunks(4).map(|group| group.iter().map(digit));
    let groups: Vec<String> = groups.map(String::from_iter).collect();
    Ok(groups.join("-"))
}

/// Returns the hash by which a code is found.
/// `O` counts as zero, `I` and `L` as one; case and dashes do not matter.
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
        Status::Running => Err(ServiceError::conflict(
            ConflictKind::AlreadyStarted,
            "the game has started, so its invitation code is not valid: ask the organizer for a seat",
        )),
        _ => Err(ServiceError::over(table.seq())),
    }
}

/// Invitations to games by codes.
#[derive(Debug)]
pub struct Invitations {
    games: Arc<Games>,
}

impl Invitations {
    /// Creates the invitations of the games.
    pub fn new(games: Arc<Games>) -> Invitations {
        Invitations { games }
    }

    /// Creates a code for a game and replaces the previous one.
    pub fn make_code(&self, id: Uuid, call: &Call) -> Result<InvitationCode, ServiceError> {
        let table = self.games.table(id)?;
        self.games.access.check_organizer(call, &table)?;
        if let Some(kept) = call.stored_answer(&self.games.store)? {
            return Ok(kept);
        }
        check_open(&table)?;
        let invitation = InvitationCode {
            code: generate_code()?,
        };
        let kept = call.keep_location(format!("/v1/games/{id}"))?;
        (self.games.store).set_invitation_code(id, Some(hash(&invitation.code)), kept)?;
        Ok(invitation)
    }

    /// Deletes the code of a game. Seats that were reserved with it stay reserved.
    pub fn withdraw_code(&self, id: Uuid, call: &Call) -> Result<(), ServiceError> {
        self.games
            .access
            .check_organizer(call, &*self.games.table(id)?)?;
        Ok((self.games.store).set_invitation_code(id, None, call.keep_act())?)
    }

    /// Reserves the first free seat of the game with a code, unless the caller's account has a seat there.
    pub fn take_up(
        &self,
        call: &Call,
        invitation: &InvitationCode,
    ) -> Result<GameBody, ServiceError> {
        let account = call.account(Scope::Play)?.account;
        let game = self.games.store.invited_by(&hash(&invitation.code))?;
        let unknown = || ServiceError::NotFound("game with this invitation code".to_owned());
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
                let full = || {
                    ServiceError::conflict(
                        ConflictKind::NoFreeSeat,
                        "every seat of the game is taken or reserved: ask the organizer",
                    )
                };
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
    fn a_code_is_found_in_every_spelling() {
        let code = generate_code().unwrap();
        assert_eq!(code.len(), 14, "{code}");
        assert_ne!(code, generate_code().unwrap());
        assert_eq!(hash("1A0Z-QQQQ-0011"), hash("la oz qqqq ooil"));
        assert_ne!(hash("1A0Z-QQQQ-0011"), hash("1A0Z-QQQQ-0012"));
    }
}
