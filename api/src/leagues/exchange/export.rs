//! The results of a league, for all formats.

use charts::titled;
use jiff::Timestamp;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::leagues::exchange::comma::{AND, RESULTS};
use crate::leagues::exchange::sheet::{Sheet, SheetCell};
use crate::leagues::league::TableState;
use crate::leagues::service::Leagues;
use crate::leagues::standings::seat_points;

/// A seat of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedSeat {
    /// The id of the last member who played the seat.
    pub member: String,
    /// The name of that member.
    pub name: String,
    /// The nations.
    pub nations: Vec<String>,
    /// The rank, from 1.
    pub rank: u8,
    /// The points by the rules of the season.
    pub points: f64,
}

/// A result that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedTable {
    /// The number of the table in the league.
    pub number: u32,
    /// The name of the season.
    pub season: String,
    /// The round.
    pub round: Option<u16>,
    /// When the game was played, or when its result was recorded.
    pub played_at: Timestamp,
    /// When the result was recorded.
    pub recorded_at: Timestamp,
    /// The edition.
    pub edition: String,
    /// The name of the edition for people, such as `Antike II`.
    pub game: String,
    /// The board.
    pub board: Option<String>,
    /// The note of the organizers.
    pub note: Option<String>,
    /// The league, season, round and table in words, with the note.
    pub comment: String,
    /// The seats, in table order.
    pub seats: Vec<ExportedSeat>,
}

impl Leagues {
    /// Returns the results of one season or of all that count, by number of the table.
    ///
    /// # Errors
    /// 404 when the caller sees no such league or season.
    pub(in crate::leagues) fn exported(
        &self,
        id: Uuid,
        call: &Call,
        season: Option<u16>,
    ) -> Result<Vec<ExportedTable>, ServiceError> {
        let league = self.visible_league(id, call)?;
        if let Some(missing) = season.filter(|season| league.season_numbered(*season).is_none()) {
            return Err(ServiceError::NotFound(format!("season {missing}")));
        }
        let names = self.names_in(&league)?;
        let mut tables = Vec::new();
        for table in &league.tables {
            let result = table.result.as_ref();
            let counts = table.state == TableState::Counted
                && season.is_none_or(|season| table.season == season);
            let Some((result, points)) = result.filter(|_| counts).zip(seat_points(&league, table))
            else {
                continue;
            };
            let of_season = league.season_numbered(table.season);
            let season = of_season
                .map(|season| season.name.clone())
                .unwrap_or_default();
            let round = table
                .round
                .map_or(String::new(), |round| format!(", round {round}"));
            let note = table
                .note
                .as_ref()
                .map_or(String::new(), |note| format!(": {note}"));
            let seats = table.seats.iter().zip(&result.ranks).zip(points);
            let seats = seats.map(|((seat, rank), points)| {
                let member = seat.members.last().cloned().unwrap_or_default();
                ExportedSeat {
                    name: names.get(&member).cloned().unwrap_or_default(),
                    member,
                    nations: seat.nations.clone(),
                    rank: *rank,
                    points: points.number(),
                }
            });
            tables.push(ExportedTable {
                number: table.number,
                comment: format!(
                    "{}, {season}{round}, table {}{note}",
                    league.name, table.number
                ),
                season,
                round: table.round,
                played_at: table.played_at.unwrap_or_else(|| timestamp(result.at)),
                recorded_at: timestamp(result.at),
                game: titled(&table.edition),
                edition: table.edition.clone(),
                board: table.board.clone(),
                note: table.note.clone(),
                seats: seats.collect(),
            });
        }
        Ok(tables)
    }
}

/// Returns results in the columns of an import.
pub fn results_sheet(tables: &[ExportedTable]) -> Sheet {
    let optional =
        |text: &Option<String>| text.as_deref().map_or(SheetCell::Empty, SheetCell::from);
    let rows = tables.iter().flat_map(|table| {
        table.seats.iter().map(move |seat| {
            let round = table
                .round
                .map_or(SheetCell::Empty, |round| SheetCell::from(u32::from(round)));
            vec![
                SheetCell::from(&*table.season),
                round,
                SheetCell::from(table.number),
                SheetCell::Text(table.played_at.to_string()),
                SheetCell::from(&*seat.name),
                SheetCell::Text(seat.nations.join(&AND.to_string())),
                SheetCell::from(u32::from(seat.rank)),
                SheetCell::from(seat.points),
                SheetCell::from(&*table.edition),
                optional(&table.board),
                optional(&table.note),
            ]
        })
    });
    Sheet {
        name: "Results",
        head: RESULTS.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}
