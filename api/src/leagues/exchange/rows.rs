//! The rows of an import, independent of the format of the file.

use engine::content::Library;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// The most rows of an import.
pub const MOST_ROWS: usize = 10_000;

/// A fault of a file in a row and a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// The column, or the attribute or field of the format.
    pub column: String,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl RowFault {
    /// Creates a fault.
    pub fn new(column: impl Into<String>, message: impl Into<String>) -> RowFault {
        RowFault {
            column: column.into(),
            message: message.into(),
        }
    }
}

/// A person whom a file lists as a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRow {
    /// The row of the file.
    pub row: u64,
    /// The name of a member without an account.
    pub name: Option<String>,
    /// The handle of an account to invite.
    pub handle: Option<String>,
}

/// A player of a result in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedSeat {
    /// The row of the file.
    pub row: u64,
    /// The name, handle or id of the player.
    pub player: String,
    /// The nations.
    pub nations: Vec<String>,
    /// The place, from 1.
    pub rank: Option<u8>,
    /// The points that the file gives. They are only compared.
    pub points: Option<f64>,
    /// What is wrong with the row.
    pub fault: Option<RowFault>,
}

/// A result in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultRows {
    /// The name of the season.
    pub season: Option<String>,
    /// The round.
    pub round: Option<u16>,
    /// When the game was played.
    pub played_at: Option<Timestamp>,
    /// The edition.
    pub edition: Option<String>,
    /// The board.
    pub board: Option<String>,
    /// A note.
    pub note: Option<String>,
    /// Why the result is not imported although nothing is wrong with it, for example because it is of another game.
    pub skipped: Option<String>,
    /// The seats, in table order.
    pub seats: Vec<ImportedSeat>,
}

/// The rows of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportRows {
    /// Members.
    Members(Vec<MemberRow>),
    /// Results.
    Results(Vec<ResultRows>),
}

/// Why a file cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnreadableFile(pub String);

/// Returns the letters and digits of a name in lower case, by which names are compared.
pub fn folded(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the edition with a name in any spelling, such as `Antike II`.
pub fn edition_named(library: &Library, name: &str) -> Option<String> {
    let mut editions = library.rulesets().map(|ruleset| &ruleset.data.edition);
    editions
        .find(|known| folded(known) == folded(name))
        .cloned()
}

/// Returns the board with a name in any spelling.
pub fn board_named(library: &Library, name: &str) -> Option<String> {
    let mut boards = library.boards().map(|board| &board.data.id);
    boards.find(|known| folded(known) == folded(name)).cloned()
}

/// Returns the nation with a name in any spelling.
pub fn nation_named(library: &Library, name: &str) -> Option<String> {
    let mut nations = library.boards().flat_map(|board| board.nations());
    let known = nations.find(|known| folded(known) == folded(name));
    known.map(str::to_owned)
}

/// Returns the nations that a text names, such as `Greeks` or `greeks+romans`; none if a part is not a nation.
pub fn nations_named(library: &Library, text: &str) -> Vec<String> {
    let parts = text.split(['+', '/', ',', '&']);
    let nations: Option<Vec<String>> = parts.map(|part| nation_named(library, part)).collect();
    nations.unwrap_or_default()
}

/// Parses a time: `2024-03-01`, `2024-03-01 19:30:00` or RFC 3339. Without an offset it is in UTC.
pub fn moment(text: &str) -> Option<Timestamp> {
    let civil = || {
        let time = text.parse::<DateTime>().ok();
        let day = || {
            Some(
                text.parse::<Date>()
                    .ok()?
                    .to_datetime(jiff::civil::Time::midnight()),
            )
        };
        time.or_else(day)?.to_zoned(TimeZone::UTC).ok()
    };
    text.parse()
        .ok()
        .or_else(|| civil().map(|zoned| zoned.timestamp()))
}

/// Returns the places that scores and winners give, or `None` if there are neither.
///
/// Winners are first. The others follow by score, or share a place.
pub fn places(scores: &[Option<f64>], wins: &[bool]) -> Option<Vec<u8>> {
    let has_scores = scores.iter().all(Option::is_some);
    if !has_scores && !wins.contains(&true) {
        return None;
    }
    let score = |seat: usize| scores[seat].filter(|_| has_scores).unwrap_or_default();
    let is_better = |one: usize, other: usize| match (wins[one], wins[other]) {
        (true, false) => true,
        (false, true) => false,
        _ => score(one) > score(other),
    };
    let place = |seat: usize| {
        let better = (0..scores.len()).filter(|other| is_better(*other, seat));
        u8::try_from(better.count() + 1).unwrap_or(u8::MAX)
    };
    Some((0..scores.len()).map(place).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winners_are_first_and_the_others_follow_by_score() {
        let scores = |list: &[f64]| list.iter().copied().map(Some).collect::<Vec<_>>();
        let none = [false; 3];
        let by_score = places(&scores(&[7.0, 9.0, 7.0]), &none);
        assert_eq!(by_score, Some(vec![2, 1, 2]));
        let decided = places(&scores(&[9.0, 9.0, 4.0]), &[false, true, false]);
        assert_eq!(decided, Some(vec![2, 1, 3]));
        let partly = places(&[Some(9.0), None, None], &[false, true, false]);
        assert_eq!(partly, Some(vec![2, 1, 2]));
        assert_eq!(places(&[None, None, None], &none), None);
    }

    #[test]
    fn times_have_three_forms() {
        for (text, time) in [
            ("2024-03-01", Some("2024-03-01T00:00:00Z")),
            ("2024-03-01 19:30:00", Some("2024-03-01T19:30:00Z")),
            ("2024-03-01T19:30:00+01:00", Some("2024-03-01T18:30:00Z")),
            ("1.3.2024", None),
            ("", None),
        ] {
            let expected = time.map(|time| time.parse().unwrap());
            assert_eq!(moment(text), expected, "{text}");
        }
    }
}
