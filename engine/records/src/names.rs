//! Limits on names, seeds and notes: the same for records and for games created over the API.

use engine::setup::{Player, check_name, check_seed};

use crate::{Entry, Record};

/// The longest note of a decision, in bytes.
pub const LONGEST_NOTE: usize = 1000;

/// A name, seed or note that exceeds the limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct NameError {
    /// The path of the field, such as `setup.seats[1].player.name`.
    pub field: String,
    /// What is wrong with its value.
    pub message: String,
}

/// Checks the note of a decision, which may have several lines.
///
/// # Errors
/// The limits, as text.
pub fn check_note(note: &str) -> Result<(), String> {
    let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    match note.len() <= LONGEST_NOTE && !note.chars().any(strange) {
        true => Ok(()),
        false => Err(format!(
            "a note has at most {LONGEST_NOTE} bytes and no control characters except line breaks and tabs"
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
    /// Checks the league, seed, players and notes of the record and of its log.
    ///
    /// # Errors
    /// The first value that exceeds the limits.
    pub fn check_names(&self) -> Result<(), NameError> {
        let named = |field: &str, checked: Result<(), String>| {
            checked.map_err(|message| NameError {
                field: field.to_owned(),
                message,
            })
        };
        if let Some(league) = &self.league {
            named("league", check_name(league))?;
        }
        if let Some(bot) = self.setup.pace.as_ref().and_then(|pace| pace.bot.as_ref()) {
            named("setup.pace.bot", check_name(bot))?;
        }
        if !self.setup.seed.is_empty() {
            named("setup.seed", check_seed(&self.setup.seed))?;
        }
        for (number, seat) in self.setup.seats.iter().enumerate() {
            check_player(&format!("setup.seats[{number}].player"), &seat.player)?;
        }
        for row in self.events.iter().flatten() {
            let field = format!("events[{}]", row.seq);
            if let Some(player) = &row.player {
                named(&format!("{field}.player"), check_name(player))?;
            }
            // Most rows are actions, which hold no names. Rows that do not parse are reported elsewhere.
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
                    named(&format!("{field}.note"), check_note(note))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
