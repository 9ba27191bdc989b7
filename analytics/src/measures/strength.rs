//! The measure `strength`: win rates at equal strength, see [`crate::statistics::logit`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use polars::prelude::*;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::measure::{FORMAT, Measure, MeasureSums, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT_BELOW};
use super::summary::{RATES, SHARE_PART, Summary, SummaryRows, SummaryStorage};
use crate::facts::{ColumnInfo, columns};
use crate::statistics::interval::q_values;
use crate::statistics::logit::{PRIOR, Strength, StrengthSeat};

/// The most games of a format that are compared. More would take time and memory for little precision.
const MOST_GAMES: u32 = 10_000;

/// The most players with an estimated skill.
const MOST_PLAYERS: usize = 200;

/// The columns of `seats` by which nations are grouped.
const KINDS: [&str; 3] = ["nation", "place", "opening"];

const LOG_ODDS: &str = "log odds";
const RATE: &str = "wins a nation in a game";

/// The measure `strength`.
pub static STRENGTH: Measure = Measure {
    name: "strength",
    path: "strength",
    label: "Equal strength",
    meaning: "Win rates at equal strength, by nation, place and opening: the estimated rate in the same games if all \
        players were equally strong (`equal_rate`, with its 95% interval), and the effect on the log odds of the \
        win with everything else equal (`effect`). Both come from a conditional logit of the winner, in which \
        nations, places and openings have effects and each player has a normally distributed skill. It compares \
        the nations of a game, so filters on nations (`nation`, `seat`, `place`, `player`, `bot`, `opponents`, \
        `path`) are refused.",
    caveat: "The model assumes that the skill of players does not depend on what they play. If strong players prefer a \
        nation, a part of their skill is attributed to the nation, more so if they play few games.",
    keys: &KEYS,
    figures: &[&FIGURES],
    sums: &[(&EACH_NATION, &EACH)],
    finish: rows,
    is_of_whole_games: true,
    shape: TableShape::Rows(RowFigures::EqualRates),
    group: Some("by"),
    ..rates::MEASURE
};

static EACH_NATION: Summary = Summary {
    name: "each",
    keys: &EACH,
    sums: &["share_parts"],
    rows: SummaryRows::Each(|source| Ok(source.seats.clone())),
    storage: SummaryStorage::Nowhere,
    ..RATES
};

/// The columns that are kept of each nation in a game.
const EACH: [&str; 6] = ["game", "nation", "seat", "place", "opening", "player"];

const KEYS: [ColumnInfo; 2] = columns! {
    /// How nations are grouped: by nation, place (in the seat order) or opening.
    by: Text, "";
    /// The nation, the place or the opening.
    level: Text, "";
};

const FIGURES: [ColumnInfo; 15] = columns! {
    /// The place, nation or opening that all nations of the row have, and no others.
    /// An example is place 1 of a nation that always begins. The two effects cannot be separated, so both rows show
    /// their sum. Empty for most rows.
    always_with: Text, "";
    /// Games with a nation of the row.
    /// If the format has more than 10,000 games, 10,000 of them are selected by a hash of their ids.
    games: Count, "games";
    /// Nations of the row in these games.
    nation_games: Count, "nations in games";
    /// Sum of their shares of the win.
    wins: Number, "wins";
    /// wins / nation_games.
    rate: Number, RATE;
    /// The estimated rate in the same games if all players were equally strong.
    /// The players cause the difference from the rate.
    equal_rate: Number, RATE;
    /// Lower end of the 95% interval of equal_rate.
    low: Number, RATE;
    /// Upper end of that interval.
    high: Number, RATE;
    /// The effect of the row on the log odds of the win.
    /// It is relative to the mean of the rows of the same kind without always_with, for equal players and equal values
    /// of the other two of nation, place and opening. With always_with: the effect of both kinds together, relative to
    /// the mean of all nations. The same holds for the only row of such a kind without always_with.
    effect: Number, LOG_ODDS;
    /// Lower end of the 95% interval of the effect.
    effect_low: Number, LOG_ODDS;
    /// Upper end of that interval.
    effect_high: Number, LOG_ODDS;
    /// The false discovery rate if this row is called significant (Benjamini-Hochberg).
    /// All rows with a smaller p-value are then significant too.
    q: Number, "";
    /// The number of players of the format with an estimated skill.
    /// These are at most the 200 players with the most games, each with at least two games against others. The skill of
    /// other players is assumed to be the mean.
    skills: Count, "players";
    /// The most likely standard deviation of their skill; 0 if there are fewer than two players.
    skill_spread: Number, LOG_ODDS;
    /// Whether there are fewer than 30 games, or the standard error of the effect is above 1.
    /// Then the effect cannot be separated from the skill of players who always play the same.
    insufficient: Flag, "";
};

/// Keeps the games that are compared: those of each format whose ids have the smallest hashes.
/// The order of games and parts makes no difference.
pub(super) fn select_games(sums: DataFrame) -> PolarsResult<DataFrame> {
    if sums.height() <= MOST_GAMES as usize {
        return Ok(sums);
    }
    let ids = sums.column("game")?.str()?.iter();
    let hashes = ids.map(|id| xxh3_64(id.unwrap_or_default().as_bytes()));
    let hashes: Vec<u64> = hashes.collect();
    let hash = |row: &IdxSize| hashes[*row as usize];
    let mut compared = vec![false; sums.height()];
    for rows in rows_by_format(&sums)? {
        let mut games: Vec<u64> = rows.iter().map(hash).collect();
        games.sort_unstable();
        games.dedup();
        let last = games.get(MOST_GAMES as usize - 1).or(games.last()).copied();
        for row in rows {
            compared[row as usize] = Some(hash(&row)) <= last;
        }
    }
    sums.filter(&BooleanChunked::from_iter_values(
        "is_compared".into(),
        compared.into_iter(),
    ))
}

/// Returns the numbers of the rows of each format.
pub(super) fn rows_by_format(sums: &DataFrame) -> PolarsResult<Vec<Vec<IdxSize>>> {
    let formats = sums.group_by(FORMAT)?.into_groups();
    let rows = formats.iter().map(|rows| match rows {
        GroupsIndicator::Idx((_, rows)) => rows.to_vec(),
        GroupsIndicator::Slice([first, count]) => (first..first + count).collect(),
    });
    Ok(rows.collect())
}

/// A row without its format.
struct StrengthRow {
    by: &'static str,
    level: String,
    always_with: String,
    games: u32,
    nation_games: f64,
    wins: f64,
    rate: [f64; 3],
    effect: [f64; 3],
    p_value: f64,
    skills: u32,
    spread: f64,
    insufficient: bool,
}

/// Builds rows for each nation, place and opening of each format.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let (sums, filters) = (added.own, added.filters);
    let of_formats = rows_by_format(sums)?;
    // One row of each format, in the order of tables.
    let firsts: Vec<IdxSize> = of_formats.iter().map(|rows| rows[0]).collect();
    let firsts = IdxCa::from_vec("row".into(), firsts);
    let numbers = 0..of_formats.len() as IdxSize;
    let numbers = IdxCa::from_iter_values("number".into(), numbers);
    let mut formats = sums.select(FORMAT)?.take(&firsts)?;
    formats.with_column(numbers.into_column())?;
    let formats = formats.sort(FORMAT, SortMultipleOptions::default())?;
    let order: Vec<IdxSize> = formats
        .column("number")?
        .idx()?
        .into_no_null_iter()
        .collect();
    // Sorts before the formats are divided among threads: polars has its own threads, and a thread that waits for
    // them would start on the next format.
    let nations = |number: IdxSize| {
        let rows = of_formats[number as usize].clone();
        let own = sums.take(&IdxCa::from_vec("row".into(), rows))?;
        own.sort(["game", "seat", "place"], SortMultipleOptions::default())
    };
    let nations: PolarsResult<Vec<DataFrame>> = order.into_iter().map(nations).collect();
    let each = nations?.into_par_iter().enumerate();
    let each = each.map(|(place, own)| Ok((place as IdxSize, format_rows(&own)?)));
    let mut rows: Vec<StrengthRow> = Vec::new();
    let mut places: Vec<IdxSize> = Vec::new();
    for (place, own) in each.collect::<PolarsResult<Vec<(IdxSize, Vec<StrengthRow>)>>>()? {
        let enough = |row: &StrengthRow| row.games >= filters.min_games.unwrap_or(0);
        rows.extend(own.into_iter().filter(enough));
        places.resize(rows.len(), place);
    }
    let mut frame = formats.select(FORMAT)?;
    frame = frame.take(&IdxCa::from_vec("row".into(), places))?;
    let numbers = |name: &str, number: &dyn Fn(&StrengthRow) -> f64| {
        Float64Chunked::from_iter_values(name.into(), rows.iter().map(number)).into_column()
    };
    let counts = |name: &str, count: &dyn Fn(&StrengthRow) -> u32| {
        UInt32Chunked::from_iter_values(name.into(), rows.iter().map(count)).into_column()
    };
    let texts = |name: &str, text: &dyn Fn(&StrengthRow) -> String| {
        let texts = rows.iter().map(text);
        StringChunked::from_iter_values(name.into(), texts).into_column()
    };
    let p_values: Vec<f64> = rows.iter().map(|row| row.p_value).collect();
    let insufficient = rows.iter().map(|row| row.insufficient);
    let insufficient: BooleanChunked = insufficient.collect();
    for column in [
        texts("by", &|row| row.by.to_owned()),
        texts("level", &|row| row.level.clone()),
        texts("always_with", &|row| row.always_with.clone()),
        counts("games", &|row| row.games),
        counts("nation_games", &|row| row.nation_games as u32),
        numbers("wins", &|row| row.wins),
        numbers("rate", &|row| row.wins / row.nation_games),
        numbers("equal_rate", &|row| row.rate[0]),
        numbers("low", &|row| row.rate[1]),
        numbers("high", &|row| row.rate[2]),
        numbers("effect", &|row| row.effect[0]),
        numbers("effect_low", &|row| row.effect[1]),
        numbers("effect_high", &|row| row.effect[2]),
        Column::new("q".into(), q_values(&p_values)),
        counts("skills", &|row| row.skills),
        numbers("skill_spread", &|row| row.spread),
        insufficient.with_name("insufficient".into()).into_column(),
    ] {
        frame.with_column(column)?;
    }
    added.select(frame.lazy()).collect()
}

/// A level: one nation, place or opening.
struct StrengthLevel {
    /// The index of its kind in [`KINDS`].
    kind: usize,
    name: LevelName,
    /// The index of its effect. Levels that always occur together share one.
    effect: usize,
    /// The first other level that exactly the same nations have: the two effects cannot be separated.
    partner: Option<usize>,
    games: u32,
    last_game: Option<usize>,
    nation_games: f64,
    /// The sum of win shares, in parts.
    parts: f64,
}

impl StrengthLevel {
    fn new((kind, name): (usize, LevelName)) -> StrengthLevel {
        StrengthLevel {
            kind,
            name,
            effect: 0,
            partner: None,
            games: 0,
            last_game: None,
            nation_games: 0.0,
            parts: 0.0,
        }
    }
}

/// Computes the rows of one format. Its nations are sorted by game and seat.
fn format_rows(nations: &DataFrame) -> PolarsResult<Vec<StrengthRow>> {
    let texts = |name: &str| -> PolarsResult<Vec<String>> {
        let column = nations.column(name)?.cast(&DataType::String)?;
        let texts = column.str()?.iter();
        Ok(texts
            .map(|text| text.unwrap_or_default().to_owned())
            .collect())
    };
    let (games, seats, players) = (texts("game")?, texts("seat")?, texts("player")?);
    let [with_nation_columns, of_place, of_opening] = KINDS.map(texts);
    let texts = [with_nation_columns?, of_place?, of_opening?];
    let shares = nations.column("share_parts")?.i64()?;
    // The nations of each game, by seat.
    let mut tables: Vec<Vec<Vec<usize>>> = Vec::new();
    for row in 0..nations.height() {
        match tables.last_mut() {
            Some(table) if games[row - 1] == games[row] => match table.last_mut() {
                Some(seat) if seats[row - 1] == seats[row] => seat.push(row),
                _ => table.push(vec![row]),
            },
            _ => tables.push(vec![vec![row]]),
        }
    }
    let parts = |row: usize| shares.get(row).unwrap_or_default() as f64;
    // Games without a winner contain no information.
    tables.retain(|table| table.iter().flatten().any(|row| parts(*row) > 0.0));
    let rows = || tables.iter().flatten().flatten().copied();
    let names = (0..KINDS.len()).flat_map(|kind| {
        let texts: BTreeSet<&str> = rows().map(|row| texts[kind][row].as_str()).collect();
        texts
            .into_iter()
            .map(move |text| (kind, LevelName::parse(text)))
    });
    let names: BTreeSet<(usize, LevelName)> = names.collect();
    let mut levels: Vec<StrengthLevel> = names.into_iter().map(StrengthLevel::new).collect();
    let numbers: HashMap<(usize, String), usize> = levels
        .iter()
        .enumerate()
        .map(|(number, level)| ((level.kind, level.name.text.clone()), number))
        .collect();
    let levels_of: HashMap<usize, [usize; KINDS.len()]> = rows()
        .map(|row| {
            let number = |kind: usize| numbers[&(kind, texts[kind][row].clone())];
            (row, std::array::from_fn(number))
        })
        .collect();
    for (game, table) in tables.iter().enumerate() {
        for row in table.iter().flatten() {
            for number in levels_of[row] {
                let level = &mut levels[number];
                if level.last_game.replace(game) != Some(game) {
                    level.games += 1;
                }
                level.nation_games += 1.0;
                level.parts += parts(*row);
            }
        }
    }
    let effects = join_partners(&mut levels, levels_of.values());
    let skills = skills(&tables, &players, effects);
    let compared_seat = |rows: &Vec<usize>| {
        let own = rows.iter().flat_map(|row| {
            let own = levels_of[row].map(|number| levels[number].effect);
            BTreeSet::from(own)
        });
        StrengthSeat {
            share: rows.iter().map(|row| parts(*row)).sum::<f64>() / SHARE_PART,
            player: skills.get(players[rows[0]].as_str()).copied(),
            nations: rows.len(),
            effects: own.collect(),
        }
    };
    let compared = tables
        .iter()
        .map(|table| table.iter().map(compared_seat).collect());
    let compared: Vec<Vec<StrengthSeat>> = compared.collect();
    let strength = Strength::fit(&compared, effects, skills.len());
    // In the order of games, so that sums are the same to the last bit.
    let nations: Vec<[usize; KINDS.len()]> = rows().map(|row| levels_of[&row]).collect();
    let rows = levels.iter().enumerate().map(|(number, level)| {
        let effect = strength.effect(&contrast(&levels, &nations, number));
        let rate = strength.equal_rate(level.effect);
        let partner = level.partner.map(|number| &levels[number]);
        StrengthRow {
            by: KINDS[level.kind],
            level: level.name.text.clone(),
            always_with: partner.map_or(String::new(), |other| {
                format!("{} {}", KINDS[other.kind], other.name.text)
            }),
            games: level.games,
            nation_games: level.nation_games,
            wins: level.parts / SHARE_PART,
            rate: [rate.value, rate.low, rate.high],
            effect: [effect.value, effect.low, effect.high],
            p_value: strength.p_value(&effect),
            skills: skills.len() as u32,
            spread: strength.spread(),
            insufficient: level.games < INSUFFICIENT_BELOW || effect.error > PRIOR / 2.0,
        }
    });
    Ok(rows.collect())
}

/// Assigns the same effect to levels that always occur together. Returns the number of effects.
/// For example, if the board decides which nation begins, the effect of the nation and of beginning cannot be
/// separated.
fn join_partners<'a>(
    levels: &mut [StrengthLevel],
    nations: impl Iterator<Item = &'a [usize; KINDS.len()]>,
) -> usize {
    let mut together: HashMap<(usize, usize), f64> = HashMap::new();
    let mut all = 0.0;
    for own in nations {
        all += 1.0;
        for (place, one) in own.iter().enumerate() {
            for other in &own[place + 1..] {
                *together.entry((*one, *other)).or_default() += 1.0;
            }
        }
    }
    let mut effects = 0;
    for number in 0..levels.len() {
        let count = levels[number].nation_games;
        // A level that all nations have has nothing to be compared with.
        let is_partner = |other: &usize| {
            let pair = (number.min(*other), number.max(*other));
            let both = together.get(&pair);
            count < all && both == Some(&count) && levels[*other].nation_games == count
        };
        let partner = (0..levels.len()).find(is_partner);
        levels[number].partner = partner;
        levels[number].effect = match partner {
            Some(first) if first < number => levels[first].effect,
            _ => {
                effects += 1;
                effects - 1
            }
        };
    }
    effects
}

/// Returns the contrast of a row: effects with weights.
/// It is the effect of the nations in the row on some kinds, less that of the nations for comparison. Most rows
/// concern their own kind and are compared with the rows of the kind without a partner. A row with a partner, or the
/// only row of its kind without one, concerns all kinds that partners connect with its own, and is compared with all
/// nations.
fn contrast(
    levels: &[StrengthLevel],
    nations: &[[usize; KINDS.len()]],
    number: usize,
) -> Vec<(usize, f64)> {
    let level = &levels[number];
    let of_kind = levels.iter().filter(|other| other.kind == level.kind);
    let free = of_kind.filter(|other| other.partner.is_none()).count();
    let is_free = level.partner.is_none() && free > 1;
    let kinds = match is_free {
        true => BTreeSet::from([level.kind]),
        false => connected(levels, level.kind),
    };
    let counts = |is_counted: &dyn Fn(&[usize; KINDS.len()]) -> bool| {
        let counted = nations.iter().filter(|own| is_counted(own));
        let (mut counts, mut all): (BTreeMap<usize, f64>, f64) = (BTreeMap::new(), 0.0);
        for own in counted {
            all += 1.0;
            let effects = kinds.iter().map(|kind| levels[own[*kind]].effect);
            for effect in effects.collect::<BTreeSet<usize>>() {
                *counts.entry(effect).or_default() += 1.0;
            }
        }
        counts
            .into_iter()
            .map(move |(effect, count)| (effect, count / all))
    };
    let mut sum: BTreeMap<usize, f64> = counts(&|own| own[level.kind] == number).collect();
    for (effect, part) in counts(&|own| !is_free || levels[own[level.kind]].partner.is_none()) {
        *sum.entry(effect).or_default() -= part;
    }
    sum.into_iter().collect()
}

/// Returns the kinds that partners connect with a kind.
fn connected(levels: &[StrengthLevel], kind: usize) -> BTreeSet<usize> {
    let mut kinds = BTreeSet::from([kind]);
    // Each iteration adds a kind, or the set is complete.
    for _ in KINDS {
        for level in levels {
            if let Some(partner) = level.partner.map(|number| &levels[number])
                && kinds.contains(&level.kind)
            {
                kinds.insert(partner.kind);
            }
        }
    }
    kinds
}

/// Returns the players with an estimated skill, numbered from `first`.
/// A game in which one player has all seats contains no information about skill.
pub(super) fn skills<'a>(
    tables: &[Vec<Vec<usize>>],
    players: &'a [String],
    first: usize,
) -> BTreeMap<&'a str, usize> {
    let mut games: BTreeMap<&str, usize> = BTreeMap::new();
    for table in tables {
        let seats = table.iter().map(|seat| players[seat[0]].as_str());
        let names: BTreeSet<&str> = seats.clone().collect();
        if names.len() > 1 {
            seats.for_each(|name| *games.entry(name).or_default() += 1);
        }
    }
    // Open seats have the empty name.
    games.remove("");
    let mut most: Vec<(&str, usize)> = games.into_iter().filter(|(_, games)| *games > 1).collect();
    most.sort_by_key(|(name, games)| (std::cmp::Reverse(*games), *name));
    most.truncate(MOST_PLAYERS);
    let mut names: Vec<&str> = most.into_iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    names.into_iter().zip(first..).collect()
}

/// The name of a level, in the order of tables: numbers are sorted by value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LevelName {
    number: Option<u32>,
    text: String,
}

impl LevelName {
    fn parse(text: &str) -> LevelName {
        LevelName {
            number: text.parse().ok(),
            text: text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds games with one nation each.
    fn games(first: u32, count: u32) -> DataFrame {
        let ids = (first..first + count).map(|number| format!("game {number}"));
        let ids = StringChunked::from_iter_values("game".into(), ids).into_column();
        let format = FORMAT.map(|name| Column::new(name.into(), vec!["same"; count as usize]));
        let columns = format.into_iter().chain([ids]).collect();
        DataFrame::new(count as usize, columns).expect("a frame")
    }

    #[test]
    fn the_same_games_are_compared_whatever_parts_they_come_from() {
        let sorted = |frame: DataFrame| {
            let sorted = frame.sort(["game"], SortMultipleOptions::default());
            sorted
                .expect("sorted")
                .column("game")
                .expect("a column")
                .clone()
        };
        let thin = |frame: DataFrame| select_games(frame).expect("a frame");
        let all = sorted(thin(games(0, MOST_GAMES + 3_000)));
        assert_eq!(all.len(), MOST_GAMES as usize);
        let more = thin(games(1_000, MOST_GAMES + 2_000));
        let parts = games(0, 1_000).vstack(&more).expect("a frame");
        assert_eq!(all, sorted(thin(parts)));
        assert_eq!(thin(games(0, 5)).height(), 5);
    }
}
