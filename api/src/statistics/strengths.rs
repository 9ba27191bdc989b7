//! The strengths of a player: win rates by nation and opening, and personages by phase of the game, compared with others.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::statistics::difference::Difference;
use analytics::statistics::interval::{Evidence, q_values};
use analytics::{
    Filters, INSUFFICIENT_BELOW, Measure, NATIONS, OPENINGS, PERSONAGES_INCIDENCE, RowCells,
    StatisticsTable,
};
use polars::prelude::PolarsResult;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::model::PlayerBody;
use crate::accounts::service::Accounts;
use crate::http::answers::ReadingStrengths;
use crate::http::limits::gate::charge;
use crate::http::limits::load::{LoadKind, slot};
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{blocking, private};
use crate::http::request::caller::identity;
use crate::statistics::{Statistics, StatisticsError};

/// The phases: how many personages by the end of which round.
const PHASES: [(&str, u32); 3] = [("2", 8), ("4", 15), ("6", 25)];

/// What a player does with a nation, with an opening or in a phase of the game, compared with all others.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StrengthBody {
    /// What the row is about: nation, opening or phase.
    #[schema(example = "nation")]
    pub by: &'static str,
    /// The nation, the opening strategy, or a number of personages by the end of a round.
    #[schema(example = "romans")]
    pub level: String,
    /// The board.
    #[schema(example = "antike-west")]
    pub board: String,
    /// The number of nations.
    pub nations: u32,
    /// The number of players.
    pub players: u32,
    /// The kind of games in words: board, nations, variants and who plays.
    pub format: String,
    /// How often the player had it: nations in games.
    pub nation_games: u32,
    /// The part of these that won; in a phase, the part that had the personages.
    pub rate: f64,
    /// The same of all others in the same kind of games.
    pub others_rate: f64,
    /// rate minus others_rate.
    pub difference: f64,
    /// Lower end of its 95% interval.
    pub difference_low: f64,
    /// Upper end of that interval.
    pub difference_high: f64,
    /// The false discovery rate if this row is called significant (Benjamini-Hochberg).
    pub q: f64,
    /// Whether there are too few games to rely on.
    pub insufficient: bool,
}

/// The strengths of a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerStrengths {
    /// The id of the player.
    pub player: Uuid,
    /// The rows, the clearest differences first.
    pub items: Vec<StrengthBody>,
}

/// A rate of a table with its interval.
#[derive(Clone, Copy)]
struct TableRate {
    nation_games: f64,
    rate: f64,
    low: f64,
    high: f64,
}

impl TableRate {
    fn read(cells: &RowCells<'_>, rate: &str) -> PolarsResult<TableRate> {
        Ok(TableRate {
            nation_games: cells.count("nation_games")?.into(),
            rate: cells.number(rate)?,
            low: cells.number("low")?,
            high: cells.number("high")?,
        })
    }

    /// Returns the rate of the others, if this is the rate of all: `None` if there are no others.
    /// There are many others, so the interval is as wide as that of all.
    fn without(self, own: TableRate) -> Option<[f64; 3]> {
        let others = self.nation_games - own.nation_games;
        let wins = self.rate * self.nation_games - own.rate * own.nation_games;
        let rate = (wins / others).clamp(0.0, 1.0);
        (others > 0.0).then_some([
            rate,
            rate - (self.rate - self.low),
            rate + (self.high - self.rate),
        ])
    }
}

/// A measure of the strengths.
struct StrengthTable {
    by: &'static str,
    measure: &'static Measure,
    rate: &'static str,
}

const TABLES: [StrengthTable; 3] = [
    StrengthTable {
        by: "nation",
        measure: &NATIONS,
        rate: "rate",
    },
    StrengthTable {
        by: "opening",
        measure: &OPENINGS,
        rate: "rate",
    },
    StrengthTable {
        by: "phase",
        measure: &PERSONAGES_INCIDENCE,
        rate: "incidence",
    },
];

impl StrengthTable {
    /// Returns the level of a row; `None` if the row is not compared.
    fn level(&self, cells: &RowCells<'_>) -> PolarsResult<Option<String>> {
        Ok(match self.by {
            "nation" => Some(cells.text("nation")?.to_owned()),
            "opening" => Some(cells.text("strategy")?.to_owned()),
            _ => {
                let (personages, round) = (cells.text("personages")?, cells.count("by_round")?);
                let is_phase =
                    PHASES.contains(&(personages, round)) && cells.text("by")? == "number";
                is_phase.then(|| format!("{personages} personages by round {round}"))
            }
        })
    }

    /// Compares the rows of a player with those of all.
    fn compare(
        &self,
        own: &StatisticsTable,
        all: &StatisticsTable,
    ) -> PolarsResult<Vec<(StrengthBody, f64)>> {
        let mut rates: HashMap<(String, String), TableRate> = HashMap::new();
        for row in 0..all.rows.height() {
            let cells = all.cells(row);
            if let Some(level) = self.level(&cells)? {
                rates.insert((cells.title()?, level), TableRate::read(&cells, self.rate)?);
            }
        }
        let mut found = Vec::new();
        let mut seen: HashMap<String, (RowCells<'_>, Vec<String>)> = HashMap::new();
        for row in 0..own.rows.height() {
            let cells = own.cells(row);
            let format = cells.title()?;
            let (_, levels) = seen.entry(format.clone()).or_insert((cells, Vec::new()));
            if let Some(level) = self.level(&cells)? {
                let counted = TableRate::read(&cells, self.rate)?;
                levels.push(level.clone());
                let key = (format, level);
                if let Some(all) = rates.get(&key) {
                    let few = cells.flag("insufficient")?;
                    found.extend(self.row(&cells, key, (counted, *all), few)?);
                }
            }
        }
        // A table has no rows for personages that the player never has so early.
        let phases = rates.iter().filter(|_| self.by == "phase");
        for (key, all) in phases {
            if let Some((cells, levels)) = seen.get(&key.0)
                && !levels.contains(&key.1)
            {
                let nation_games = f64::from(cells.count("nation_games")?);
                let (low, high) = Evidence::independent(0.0, nation_games).interval();
                let never = TableRate {
                    nation_games,
                    rate: 0.0,
                    low,
                    high,
                };
                let few = nation_games < f64::from(INSUFFICIENT_BELOW);
                found.extend(self.row(cells, key.clone(), (never, *all), few)?);
            }
        }
        Ok(found)
    }

    /// Compares a rate of a player with that of all; `None` if there are no others.
    fn row(
        &self,
        cells: &RowCells<'_>,
        (format, level): (String, String),
        (own, all): (TableRate, TableRate),
        insufficient: bool,
    ) -> PolarsResult<Option<(StrengthBody, f64)>> {
        let Some(others) = all.without(own) else {
            return Ok(None);
        };
        let difference = Difference::new([own.rate, own.low, own.high], others);
        let strength = StrengthBody {
            by: self.by,
            level,
            board: cells.text("board")?.to_owned(),
            nations: cells.count("nations")?,
            players: cells.count("players")?,
            format,
            nation_games: own.nation_games as u32,
            rate: own.rate,
            others_rate: others[0],
            difference: difference.at,
            difference_low: difference.low,
            difference_high: difference.high,
            q: 1.0,
            insufficient,
        };
        Ok(Some((strength, difference.p)))
    }
}

impl Statistics {
    /// Compares a player with all others in the same kinds of games.
    ///
    /// # Errors
    /// Those of [`Statistics::table`].
    pub async fn strengths(&self, player: Uuid) -> Result<PlayerStrengths, StatisticsError> {
        let filters = Filters {
            player: Some(player.to_string()),
            ..Filters::default()
        };
        let mut tables = Vec::new();
        for table in TABLES {
            let own = self.table(table.measure, &filters).await?;
            let all = self.table(table.measure, &Filters::default()).await?;
            tables.push((table, own, all));
        }
        let slot = slot(LoadKind::Table).await.map_err(StatisticsError::Busy)?;
        let compare = move || {
            let _slot = slot;
            let mut found = Vec::new();
            for (table, own, all) in tables {
                found.extend(table.compare(&own, &all)?);
            }
            PolarsResult::Ok(found)
        };
        let found = web::block(compare).await;
        let mut found = found.map_err(|_| StatisticsError::Panicked)??;
        let p_values: Vec<f64> = found.iter().map(|(_, p)| *p).collect();
        for ((row, _), q) in found.iter_mut().zip(q_values(&p_values)) {
            row.q = q;
        }
        found.sort_by(|(one, one_p), (other, other_p)| {
            let sufficient = one.insufficient.cmp(&other.insufficient);
            let keys = |row: &StrengthBody| (row.format.clone(), row.by, row.level.clone());
            sufficient
                .then(one_p.total_cmp(other_p))
                .then_with(|| keys(one).cmp(&keys(other)))
        });
        Ok(PlayerStrengths {
            player,
            items: found.into_iter().map(|(row, _)| row).collect(),
        })
    }
}

/// Whether a caller may see the strengths of a player.
pub fn are_shown(request: &HttpRequest, player: &PlayerBody) -> bool {
    let caller = identity(request).access.map(|access| access.account);
    !player.hides_strengths || caller == Some(player.id)
}

/// Get the strengths of a player
///
/// Compares a player (by id or handle) with all others in the same kind of games: win rates by nation and by opening, and
/// by phase how often the player has 2 personages by round 8, 4 by round 15 and 6 by round 25. The clearest differences
/// are first, and rows with too few games last. 404 also if the player hides the strengths (`PATCH /v1/me`); a token of the
/// player still shows them.
#[utoipa::path(tag = "statistics", params(("player" = String, Path)), responses(
    (status = 200, description = "The strengths", body = PlayerStrengths),
    ReadingStrengths,
))]
#[get("/v1/players/{player}/strengths")]
pub async fn get_player_strengths(
    request: HttpRequest,
    path: web::Path<String>,
    accounts: web::Data<Accounts>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let named = path.into_inner();
    let player = blocking(&accounts, move |accounts| accounts.player(&named)).await?;
    if !are_shown(&request, &player) {
        let detail = "this player does not show strengths";
        return Err(Problem::new(Code::NotFound, detail));
    }
    let strengths = statistics.strengths(player.id).await?;
    Ok(private(HttpResponse::Ok()).json(strengths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_all_without_the_player() {
        let all = TableRate {
            nation_games: 100.0,
            rate: 0.3,
            low: 0.25,
            high: 0.36,
        };
        let own = TableRate {
            nation_games: 20.0,
            rate: 0.5,
            low: 0.3,
            high: 0.7,
        };
        let [rate, low, high] = all.without(own).expect("others");
        assert!(
            (rate - 0.25).abs() < 1e-12 && (low - 0.2).abs() < 1e-12 && (high - 0.31).abs() < 1e-12
        );
        assert!(own.without(own).is_none());
    }
}
