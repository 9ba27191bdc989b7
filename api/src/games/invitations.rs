//! Invitation codes: everybody who knows the code gets a seat before the start, even in a private game.

use std::sync::Arc;

use engine::setup::Player;
use uuid::Uuid;

use crate::db::StoreError;
use crate::games::bodies::{
    Claim, ClaimOutcome, GameBody, GameSummary, InvitationCode, InvitedClaim,
};
use crate::games::draft::Draft;
use crate::games::model::{Claims, Seat, Status, known_id};
use crate::games::seats::{check_free, check_reservation, is_reserved_for};
use crate::games::service::Games;
use crate::games::table::{Table, summary};
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

/// Returns the first seat that is open and not reserved.
fn first_free(table: &Table) -> Result<u8, ServiceError> {
    let free = |seat: &&Seat| seat.player == Player::Open && seat.invited.is_none();
    let full = || {
        ServiceError::conflict(
            ConflictKind::NoFreeSeat,
            "every seat of the game is taken or reserved: ask the organizer",
        )
    };
    let seat = table.seats.iter().find(free);
    Ok(seat.ok_or_else(full)?.number)
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

    /// Returns the id of the game with a code.
    fn game_of(&self, code: &str) -> Result<Uuid, ServiceError> {
        let game = self.games.store.invited_by(&hash(code))?;
        let unknown = || ServiceError::NotFound("game with this invitation code".to_owned());
        known_id(&game.ok_or_else(unknown)?)
    }

    /// Returns the game with a code, whatever its visibility and status.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] if the code is unknown, or the error of the store.
    pub fn table(&self, code: &str) -> Result<Arc<Table>, ServiceError> {
        self.games.table(self.game_of(code)?)
    }

    /// Returns the open game with a code, whatever its visibility.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] if the code is unknown, a conflict if the game has started or is over, or the error
    /// of the store.
    pub fn open_game(&self, code: &str) -> Result<GameSummary, ServiceError> {
        let table = self.table(code)?;
        check_open(&table)?;
        summary(&table.stored, &table.seats)
    }

    /// Claims a seat of the game with a code, for the caller's account or a guest.
    /// Without a number, that is the seat reserved for the account, or else the first free one.
    pub fn claim(
        &self,
        code: &str,
        call: &Call,
        claim: &InvitedClaim,
    ) -> Result<ClaimOutcome, ServiceError> {
        let named = Claim {
            name: claim.name.clone(),
        };
        self.games
            .claim_chosen(self.game_of(code)?, call, &named, |table| {
                check_open(table)?;
                let reserved = table.seats.iter().find(|seat| is_reserved_for(seat, call));
                let Some(number) = claim.seat else {
                    return reserved.map_or_else(|| first_free(table), |seat| Ok(seat.number));
                };
                let seat = table.seat(number)?;
                check_free(seat, call)?;
                // The code opens seats of a game for invited players, but not a seat that is reserved for another.
                check_reservation(seat, Claims::Open, call)?;
                Ok(number)
            })
    }

    /// Reserves the first free seat of the game with a code, unless the caller's account has a seat there.
    pub fn take_up(
        &self,
        call: &Call,
        invitation: &InvitationCode,
    ) -> Result<GameBody, ServiceError> {
        let account = call.account(Scope::Play)?.account;
        let id = self.game_of(&invitation.code)?;
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
                let number = first_free(table)?;
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
