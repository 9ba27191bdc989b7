//! The measure `skill`: how much of the variance of results the skill of people explains, and how much is left to luck.
//! See [`crate::statistics::skill_share`] for the method.

use std::collections::BTreeMap;

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT, INSUFFICIENT_BELOW, numbers, squares};
use super::summary::{ALL, ALL_CLUSTERS, RATES, SHARE_PART, Summary, SummaryStorage};
use crate::facts::{ColumnInfo, columns};
use crate::statistics::skill_share::{PersonResults, SkillShare};

/// How much of the variance of results the skill of people explains.
pub static SKILL: Measure = Measure {
    name: "skill",
    path: "skill",
    label: "Skill and luck",
    meaning: "Skill and luck: how much of the variance of results the skill of people explains. The rest is luck, and \
        everything else that differs from game to game. Only people with two games or more say something about skill.",
    caveat: "Among players of equal skill the share is 0, whatever the game. So it describes a game with its players.",
    keys: &KEYS,
    figures: &[&FIGURES],
    sums: &[(&ALL, &[]), (&BY_PLAYER, &["player"])],
    finish: rows,
    shape: TableShape::Rows(RowFigures::Skill),
    ..rates::MEASURE
};

static BY_PLAYER: Summary = Summary {
    name: "skill",
    keys: &["player"],
    storage: SummaryStorage::Nowhere,
    ..RATES
};

const KEYS: [ColumnInfo; 1] = columns! {
    /// What explains this part of the variance: skill, or luck and everything else.
    part: Text, "";
};

const FIGURES: [ColumnInfo; 6] = columns! {
    /// Seats of people in games.
    seats: Count, "seats";
    /// People.
    people: Count, "people";
    /// The share of the variance of results.
    variance_share: Number, "";
    /// Lower end of its 95% interval; 0 with fewer than two people with two games.
    low: Number, "";
    /// Upper end of that interval; 1 with fewer than two people with two games.
    high: Number, "";
    ..INSUFFICIENT
};

/// Builds two rows for each format: skill, and luck.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let own = added.own.clone().lazy();
    let own = own.filter(col("cluster").neq(lit(ALL_CLUSTERS)));
    let own = own
        .sort(
            [&FORMAT[..], &["player"]].concat(),
            SortMultipleOptions::default(),
        )
        .collect()?;
    let (nations, wins) = (numbers(&own, "nation_games")?, numbers(&own, "wins")?);
    let by_seat = squares(&own)?;
    // Rows of a format follow each other; the value is the first row with the persons.
    let mut formats: BTreeMap<Vec<String>, (usize, Vec<PersonResults>)> = BTreeMap::new();
    for row in 0..own.height() {
        let format = FORMAT
            .iter()
            .map(|name| Ok(own.column(name)?.get(row)?.to_string()));
        let format = format.collect::<PolarsResult<Vec<String>>>()?;
        let (_, persons) = formats.entry(format).or_insert((row, Vec::new()));
        persons.push(PersonResults {
            nations: nations[row],
            wins: wins[row] / SHARE_PART,
            by_seat: by_seat[row],
        });
    }
    let least = added.filters.min_games.unwrap_or(0);
    let mut firsts: Vec<IdxSize> = Vec::new();
    let (mut part, mut seats, mut people) = (Vec::new(), Vec::new(), Vec::new());
    let (mut share, mut low, mut high, mut few) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (first, persons) in formats.into_values() {
        let count = persons.iter().map(|own| own.nations).sum::<f64>() as u32;
        if count < least {
            continue;
        }
        let skill = SkillShare::estimate(&persons);
        let luck = SkillShare {
            share: 1.0 - skill.share,
            low: 1.0 - skill.high,
            high: 1.0 - skill.low,
            ..skill
        };
        for (name, row) in [("luck", luck), ("skill", skill)] {
            firsts.push(first as IdxSize);
            part.push(name);
            seats.push(count);
            people.push(persons.len() as u32);
            share.push(row.share);
            low.push(row.low);
            high.push(row.high);
            few.push(count < INSUFFICIENT_BELOW || row.people < LEAST_PEOPLE);
        }
    }
    let mut frame = own.take(&IdxCa::from_vec("".into(), firsts))?;
    for column in [
        Column::new("part".into(), part),
        Column::new("seats".into(), seats),
        Column::new("people".into(), people),
        Column::new("variance_share".into(), share),
        Column::new("low".into(), low),
        Column::new("high".into(), high),
        Column::new("insufficient".into(), few),
    ] {
        frame.with_column(column)?;
    }
    let by = [&FORMAT[..], &["part"]].concat();
    added
        .select(frame.lazy())
        .sort(by, SortMultipleOptions::default())
        .collect()
}

/// Shares of fewer people with several games are marked as insufficient.
const LEAST_PEOPLE: usize = 20;
