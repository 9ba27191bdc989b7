//! What the names and notes of a record may hold: the same for records and for games that are created.

use engine::setup::{Player, check_name, check_seed};

use crate::{Entry, Record};

/// The longest note of a decision, in bytes.
pub const LONGEST_NOTE: usize = 1000;

/// A name, seed or note that cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct NameError {
    /// Where it stands, as a path such as `setup.seats[1].player.name`.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

/// Whether a note of a decision can be kept: it may have several lines.
///
/// # Errors
/// What is needed.
pub fn check_note(note: &str) -> Result<(), String> {
    let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    match note.len() <= LONGEST_NOTE && !note.chars().any(strange) {
        true => Ok(()),
        false => Err(format!(
            "at most {LONGEST_NOTE} bytes without control characters are kept"
        )),
    }
}

fn check_player(field: &str, player: &Player) -> Result<(), NameError> {
    let named = |part: &str, name: &str| {
        check_name(name).map_err(|message| NameError {
            field: format!("{field}.{part}"),
            message,
        })
    };
    match player {
        Player::Bot { name } => named("name", name),
        Player::Person { id, name } => {
            named("id", id)?;
            name.as_ref().map_or(Ok(()), |name| named("name", name))
        }
        Player::Open => Ok(()),
    }
}

impl Record {
    /// Whether its league, seed, players and notes can be kept, in its log too. Those of a game that
    /// is created are held to the same.
    ///
    /// # Errors
    /// The first one that cannot.
    pub fn check_names(&self) -> Result<(), NameError> {
        let told = |field: &str, checked: Result<(), String>| {
            checked.map_err(|message| NameError {
                field: field.to_owned(),
                message,
            })
        };
        if let Some(league) = &self.league {
            told("league", check_name(league))?;
        }
        if let Some(bot) = self.setup.pace.as_ref().and_then(|pace| pace.bot.as_ref()) {
            told("setup.pace.bot", check_name(bot))?;
        }
        if !self.setup.seed.is_empty() {
            told("setup.seed", check_seed(&self.setup.seed))?;
        }
        for (number, seat) in self.setup.seats.iter().enumerate() {
            check_player(&format!("setup.seats[{number}].player"), &seat.player)?;
        }
        for row in self.events.iter().flatten() {
            let field = format!("events[{}]", row.seq);
            if let Some(player) = &row.player {
                told(&format!("{field}.player"), check_name(player))?;
            }
            // Actions, of which there are most, hold no names; what is no entry is for others to tell.
            if row.nation.is_some() {
                continue;
            }
            let field = format!("{field}.notation");
            match row.notation.parse() {
                Ok(Entry::Setup(setup)) => {
                    for seat in &setup.seats {
                        check_player(&field, &seat.player)?;
                    }
                }
                Ok(Entry::Seat { player, .. }) => check_player(&field, &player)?,
                Ok(Entry::Adjudicate(decision)) => {
                    let note = decision.note.as_deref().unwrap_or_default();
                    told(&format!("{field}.note"), check_note(note))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
