//! Standings, head-to-head results and cross tables as tables of cells.

use std::collections::HashMap;

use crate::leagues::exchange::sheet::{Sheet, SheetCell};
use crate::leagues::model::{HeadToHeadBody, StandingBody, StandingsBody};

fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns standings as a table, with a column for each tie-break.
pub fn standings_sheet(body: &StandingsBody) -> Sheet {
    let tie_breaks = body.rules.tie_breaks.iter();
    // The prefix keeps tie-breaks apart from columns with the same name.
    let tie_breaks = tie_breaks.map(|tie_break| format!("by_{}", tie_break.name()));
    let row = |row: &StandingBody| {
        let known = [
            SheetCell::from(row.rank),
            SheetCell::from(&*row.member.id),
            SheetCell::from(&*row.member.name),
            SheetCell::from(row.games),
            SheetCell::from(row.points),
        ];
        let tie_breaks = row.tie_breaks.iter().copied().map(SheetCell::from);
        known.into_iter().chain(tie_breaks).collect()
    };
    Sheet {
        name: "Standings",
        head: (texts(&["rank", "member", "name", "games", "points"]).into_iter())
            .chain(tie_breaks)
            .collect(),
        rows: body.rows.iter().map(row).collect(),
    }
}

/// Returns head-to-head results as a table with a row for each pair.
pub fn head_to_head_sheet(body: &HeadToHeadBody) -> Sheet {
    let rows = body.rows.iter().map(|row| {
        let numbers = [row.games, row.ahead, row.equal, row.behind];
        let members = [&row.one, &row.other].into_iter();
        members
            .flat_map(|member| [SheetCell::from(&*member.id), SheetCell::from(&*member.name)])
            .chain(numbers.map(SheetCell::from))
            .collect()
    });
    Sheet {
        name: "Head to head",
        head: texts(&[
            "one",
            "one_name",
            "other",
            "other_name",
            "games",
            "ahead",
            "equal",
            "behind",
        ]),
        rows: rows.collect(),
    }
}

/// Returns a cross table: a row and a column for each member who has played, in the order of the standings.
///
/// A cell is the score of the row's member against the column's member: 1 for each better rank in a game, and 1/2 for an
/// equal rank. It is empty for members who have not met.
pub fn cross_table_sheet(standings: &StandingsBody, met: &HeadToHeadBody) -> Sheet {
    let mut scores: HashMap<(&str, &str), f64> = HashMap::new();
    for row in &met.rows {
        let (one, other) = (&*row.one.id, &*row.other.id);
        scores.insert((one, other), row.ahead + row.equal / 2.0);
        scores.insert((other, one), row.behind + row.equal / 2.0);
    }
    let played: Vec<&StandingBody> = (standings.rows.iter())
        .filter(|row| row.games > 0.0)
        .collect();
    let numbers = (1..=played.len()).map(|number| number.to_string());
    let row = |(number, row): (u32, &&StandingBody)| {
        let known = [
            SheetCell::from(number),
            SheetCell::from(row.rank),
            SheetCell::from(&*row.member.id),
            SheetCell::from(&*row.member.name),
            SheetCell::from(row.points),
        ];
        let against = played.iter().map(|other| {
            let score = scores.get(&(&*row.member.id, &*other.member.id));
            score.map_or(SheetCell::Empty, |score| SheetCell::from(*score))
        });
        known.into_iter().chain(against).collect()
    };
    Sheet {
        name: "Cross table",
        head: (texts(&["number", "rank", "member", "name", "points"]).into_iter())
            .chain(numbers)
            .collect(),
        rows: (1..).zip(&played).map(row).collect(),
    }
}
