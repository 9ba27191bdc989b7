//! `tabularium-bots analyse`: games judged turn by turn by the search player.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use bots::search::value::Value;
use bots::{Budget, Estimate, JudgedTurn, Move, PlayedGame, PlayedTurn};
use charts::titled;
use engine::content::Library;
use engine::play::Game;
use engine::setup::Player;
use programs::{DataOption, Progress, read_records};
use rayon::prelude::*;
use records::Record;
use serde::Serialize;

/// What a turn loses of the win to be marked, and how; the worst last, which the measure `accuracy` counts as blunders.
const MARKS: [(f64, &str); 3] = [(0.02, "?!"), (0.05, "?"), (0.10, "??")];

/// So many turning points are told of a game.
const TURNING_POINTS: usize = 5;

/// The end of a turn in notation.
const END: &str = "end";

/// Stands for a blank at which no line is broken.
const NO_BREAK: char = '\u{a0}';

/// Text is broken after so many letters.
const WIDTH: usize = 100;

/// JudgeName each turn of recorded games by the search player.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    tabularium-bots analyse game.txt --budget 800\n\n\
    Each turn is judged with what its player could know: what was done is played out as often as the best that\n\
    search finds. Shares of the win rest on short playouts and a fitted evaluation; they are good for comparing turns\n\
    of a game. The same budget of playouts and --seed give the same analysis.")]
pub struct Analyse {
    /// Files of records: NDJSON, or one record as text; either may be packed by gzip.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// For how long to think about each turn: playouts, such as 800, or time, such as 500ms.
    #[arg(long, default_value = "200")]
    pub budget: Budget,
    /// Where chance comes from.
    #[arg(long, default_value = "1")]
    pub seed: String,
    /// How it is told.
    #[arg(long, value_enum, default_value_t)]
    pub format: AnalysisFormat,
    /// Which boards and rulesets.
    #[command(flatten)]
    pub data: DataOption,
}

/// How an analysis is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AnalysisFormat {
    /// To be read by people.
    #[default]
    Text,
    /// A line of JSON for each turn, then one for the game.
    Ndjson,
}

/// What has judged turns: a bot with its budget a turn, the hash of its numbers, the version of the program.
#[derive(Debug, Serialize)]
struct JudgeName {
    judge: String,
    numbers: String,
    version: &'static str,
}

/// What part of the win a seat may expect, with its interval.
#[derive(Debug, Serialize)]
struct ShareLine {
    seat: u8,
    nations: Vec<String>,
    share: f64,
    low: f64,
    high: f64,
}

/// A turn in NDJSON.
#[derive(Debug, Serialize)]
struct TurnLine<'a> {
    /// Always `turn`.
    kind: &'static str,
    /// The game's id.
    game: &'a str,
    #[serde(flatten)]
    judge: &'a JudgeName,
    seed: &'a str,
    round: u32,
    turn: u32,
    nation: &'a str,
    seat: u8,
    /// What was done, in notation.
    actions: &'a [String],
    /// What each seat could expect, if the best is done that is known.
    before: Vec<ShareLine>,
    /// What each seat could expect of what was done.
    after: Vec<ShareLine>,
    /// The share of the win that the seat lost.
    lost: f64,
    /// `?!`, `?` or `??`; null where little was lost.
    mark: Option<&'static str>,
    /// What was better; null where nothing better is known.
    better: Option<BetterLine>,
    /// Playouts that it took.
    playouts: u32,
}

/// What was better than what was done.
#[derive(Debug, Serialize)]
struct BetterLine {
    /// The share that the seat could expect of it.
    share: f64,
    /// The turn in notation.
    actions: Vec<String>,
    /// What might have followed.
    then: Vec<String>,
}

/// A game in NDJSON, behind its turns.
#[derive(Debug, Serialize)]
struct GameLine<'a> {
    /// Always `game`.
    kind: &'static str,
    /// The game's id.
    game: &'a str,
    #[serde(flatten)]
    judge: &'a JudgeName,
    seed: &'a str,
    edition: &'a str,
    board: &'a str,
    /// How well each seat was played.
    players: Vec<SeatAccuracy>,
    /// The turns by which most was lost, the worst first.
    turning_points: Vec<u32>,
}

/// How well a seat was played.
#[derive(Debug, Serialize)]
struct SeatAccuracy {
    seat: u8,
    nations: Vec<String>,
    player: String,
    /// Turns that were judged.
    turns: usize,
    /// Those of them than which nothing better is known.
    best: usize,
    /// The share of the win that a turn lost on average; null without a turn.
    lost: Option<f64>,
    /// What part was kept of the shares that the best known turns promised; null without a turn.
    accuracy: Option<f64>,
}

/// A game with its judgements.
struct Analysed<'a> {
    record: &'a Record,
    game: &'a Game,
    turns: Vec<(&'a PlayedTurn, JudgedTurn)>,
}

impl Analyse {
    /// Analyses the games of the files, and writes to standard output.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let mut bad = 0;
        for file in &self.files {
            read_records(file, &library, |line, record| {
                let checked = record.and_then(|record| {
                    let checked = record.check_names().map_err(|error| error.to_string());
                    checked.map(|()| record)
                });
                let told = checked.and_then(|record| self.analyse(&record, &library));
                match told {
                    Ok(told) => stdout().write_all(told.as_bytes())?,
                    Err(error) => {
                        bad += 1;
                        eprintln!("{}:{line}: {error}", file.display());
                    }
                }
                Ok(())
            })?;
        }
        match bad {
            0 => Ok(()),
            bad => bail!("{bad} records could not be analysed"),
        }
    }

    /// The analysis of a game, in the format that is asked for.
    fn analyse(&self, record: &Record, library: &Library) -> Result<String, String> {
        let played = PlayedGame::read(record, library).map_err(|error| error.to_string())?;
        let progress = Progress::new("turns", played.turns.len() as u64);
        let judged = played.turns.par_iter().map(|turn| {
            let judged = turn.judge(&played.game, self.budget, &self.seed);
            progress.step();
            judged.map(|judged| (turn, judged))
        });
        let turns: Vec<_> = judged.collect::<Vec<_>>().into_iter().flatten().collect();
        progress.finish();
        let analysed = Analysed {
            record,
            game: &played.game,
            turns,
        };
        match self.format {
            AnalysisFormat::Text => Ok(analysed.text(self)),
            AnalysisFormat::Ndjson => analysed.lines(self).map_err(|error| error.to_string()),
        }
    }

    fn judge(&self) -> JudgeName {
        JudgeName {
            judge: format!("search{}", self.budget),
            numbers: Value::embedded_hash(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    fn budget_text(&self) -> String {
        match self.budget {
            Budget::Playouts(playouts) => format!("{playouts} playouts"),
            Budget::Time(time) => format!("{} ms", time.as_millis()),
        }
    }
}

/// How a turn is marked that loses so much.
fn mark(lost: f64) -> Option<&'static str> {
    let reached = MARKS.iter().rev().find(|(least, _)| lost >= *least);
    reached.map(|(_, mark)| *mark)
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Words broken into lines, the first behind `first`, the others as far to the right.
fn wrapped(first: &str, words: &str) -> String {
    let indent = first.chars().count();
    let (mut text, mut length) = (first.to_owned(), indent);
    for (index, word) in words.split(' ').enumerate() {
        let letters = word.chars().count();
        if index > 0 && length + 1 + letters > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            length = indent;
        } else if index > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += letters;
    }
    text.push('\n');
    text.replace(NO_BREAK, " ")
}

/// Words between which no line is broken.
fn in_one_line(words: &str) -> String {
    words.replace(' ', &NO_BREAK.to_string())
}

/// Actions of a turn for a reader, to whom it goes without saying that it ends.
fn readable<'a>(actions: impl Iterator<Item = &'a str>) -> String {
    let told = actions.filter(|action| *action != END);
    let told: Vec<String> = told.map(in_one_line).collect();
    match told.is_empty() {
        true => END.to_owned(),
        false => told.join("; "),
    }
}

/// What stands for a player.
fn player(record: &Record, seat: u8) -> String {
    let player = record.setup.seats.get(usize::from(seat));
    match player.map(|seat| &seat.player) {
        Some(Player::Bot { name }) => name.clone(),
        Some(Player::Person { id, name }) => name.clone().unwrap_or_else(|| id.clone()),
        Some(Player::Open) | None => "nobody".to_owned(),
    }
}

impl Analysed<'_> {
    fn seats(&self) -> impl Iterator<Item = u8> + use<> {
        0..self.game.seats() as u8
    }

    fn nations(&self, seat: u8) -> Vec<String> {
        let nations = self.game.nations_of(seat);
        nations
            .map(|nation| self.game.nation_name(nation).to_owned())
            .collect()
    }

    fn seat_of(&self, turn: &PlayedTurn) -> usize {
        usize::from(self.game.seat_of(turn.nation))
    }

    fn shares(&self, estimates: &[Estimate]) -> Vec<ShareLine> {
        let shares = self
            .seats()
            .zip(estimates)
            .map(|(seat, estimate)| ShareLine {
                seat,
                nations: self.nations(seat),
                share: estimate.share,
                low: estimate.low,
                high: estimate.high,
            });
        shares.collect()
    }

    fn accuracy(&self, seat: u8) -> SeatAccuracy {
        let place = usize::from(seat);
        let own = |turn: &&(&PlayedTurn, JudgedTurn)| self.game.seat_of(turn.0.nation) == seat;
        let own: Vec<&JudgedTurn> = self.turns.iter().filter(own).map(|(_, own)| own).collect();
        let sum = |of: &dyn Fn(&JudgedTurn) -> f64| own.iter().map(|turn| of(turn)).sum::<f64>();
        let (lost, before) = (
            sum(&|turn| turn.lost),
            sum(&|turn| turn.before[place].share),
        );
        SeatAccuracy {
            seat,
            nations: self.nations(seat),
            player: player(self.record, seat),
            turns: own.len(),
            best: own.iter().filter(|turn| turn.lost == 0.0).count(),
            lost: (!own.is_empty()).then(|| lost / own.len() as f64),
            accuracy: (before > 0.0).then(|| 1.0 - lost / before),
        }
    }

    /// The turns by which most was lost, of those that are marked.
    fn turning_points(&self) -> Vec<&(&PlayedTurn, JudgedTurn)> {
        let marked = |turn: &&(&PlayedTurn, JudgedTurn)| mark(turn.1.lost).is_some();
        let mut turns: Vec<_> = self.turns.iter().filter(marked).collect();
        turns.sort_by(|a, b| b.1.lost.total_cmp(&a.1.lost));
        turns.truncate(TURNING_POINTS);
        turns
    }

    fn lines(&self, options: &Analyse) -> serde_json::Result<String> {
        let game = &self.record.id;
        let judge = &options.judge();
        let mut text = String::new();
        for (turn, judged) in &self.turns {
            let seat = self.seat_of(turn);
            let better = judged.better.as_ref().map(|better| {
                let mut line = better.line.iter().map(|one| one.notation.clone());
                BetterLine {
                    share: better.shares[seat].share,
                    actions: line.by_ref().take(better.own).collect(),
                    then: line.collect(),
                }
            });
            let line = TurnLine {
                kind: "turn",
                game,
                judge,
                seed: &options.seed,
                round: turn.round,
                turn: turn.turn,
                nation: self.game.nation_name(turn.nation),
                seat: self.game.seat_of(turn.nation),
                actions: &turn.notation,
                before: self.shares(&judged.before),
                after: self.shares(&judged.after),
                lost: judged.lost,
                mark: mark(judged.lost),
                better,
                playouts: judged.playouts,
            };
            text += &(serde_json::to_string(&line)? + "\n");
        }
        let turning_points = self.turning_points();
        let line = GameLine {
            kind: "game",
            game,
            judge,
            seed: &options.seed,
            edition: &self.record.setup.edition,
            board: &self.record.setup.board,
            players: self.seats().map(|seat| self.accuracy(seat)).collect(),
            turning_points: turning_points.iter().map(|(turn, _)| turn.turn).collect(),
        };
        text += &(serde_json::to_string(&line)? + "\n");
        Ok(text)
    }

    fn text(&self, options: &Analyse) -> String {
        let mut text = self.heading(options);
        let names = self.game.all_nations();
        let names = names.map(|nation| self.game.nation_name(nation).len());
        let width = names.max().unwrap_or(0);
        let mut round = None;
        for (place, (turn, judged)) in self.turns.iter().enumerate() {
            if round != Some(turn.round) {
                text += &format!("\nRound {}\n", turn.round);
                round = Some(turn.round);
            }
            text += &self.turn(turn, judged, width);
            let next = self.turns.get(place + 1).map(|(next, _)| next.round);
            if next != Some(turn.round) {
                text += &wrapped("      ", &self.standing(judged));
            }
        }
        text + &self.ending()
    }

    fn heading(&self, options: &Analyse) -> String {
        let Record {
            id,
            setup,
            played_at,
            result,
            ..
        } = self.record;
        let mut text = format!(
            "{} on {}, game {id}, played {played_at}\n",
            titled(&setup.edition),
            titled(&setup.board.replace('-', "_"))
        );
        for seat in self.seats() {
            let rank = result.as_ref().and_then(|result| {
                let mut ranks = result.ranks.iter();
                ranks.find(|rank| rank.seat == seat)
            });
            let place = rank.map_or_else(String::new, |rank| {
                format!(", place {} with {} points", rank.rank, rank.points)
            });
            let (nations, player) = (self.nations(seat).join(" and "), player(self.record, seat));
            text += &format!("  {nations}: {player}{place}\n");
        }
        let about = format!(
            "Judged by search with {} a turn, seed {:?}, numbers {}. Before what a nation did in its turn stands the share of \
             the win that it could expect of it, behind it in brackets a personage that it won and its points by then. \
             Intervals are of 95 % and say how far playouts differ. {}.",
            options.budget_text(),
            options.seed,
            &Value::embedded_hash()[..12],
            MARKS
                .map(|(least, mark)| format!("{mark} lost {} or more", percent(least)))
                .join(", "),
        );
        text + "\n" + &wrapped("", &about) + &self.leads()
    }

    /// Who was ahead by which rounds.
    fn leads(&self) -> String {
        let mut leads: Vec<(usize, u32, u32)> = Vec::new();
        for (place, (turn, judged)) in self.turns.iter().enumerate() {
            let next = self.turns.get(place + 1);
            if next.is_some_and(|(next, _)| next.round == turn.round) {
                continue;
            }
            let shares = judged.after.iter().map(|estimate| estimate.share);
            let most = shares.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let seat = most.map_or(0, |(seat, _)| seat);
            match leads.last_mut() {
                Some((ahead, _, last)) if *ahead == seat => *last = turn.round,
                _ => leads.push((seat, turn.round, turn.round)),
            }
        }
        let told = leads.iter().map(|(seat, first, last)| {
            let nations = self.nations(*seat as u8).join(" and ");
            match first == last {
                true => format!("{nations} {first}"),
                false => format!("{nations} {first} to {last}"),
            }
        });
        let told: Vec<String> = told.collect();
        match told.is_empty() {
            true => String::new(),
            false => format!(
                "\n{}",
                wrapped("Ahead at the end of rounds: ", &(told.join(", ") + "."))
            ),
        }
    }

    /// The personages of a turn, in brackets.
    fn won(&self, turn: &PlayedTurn) -> Option<String> {
        let won = turn.won.iter().map(|(nation, personage, points)| {
            let who = match *nation == turn.nation {
                true => String::new(),
                false => format!("{} ", self.game.nation_name(*nation)),
            };
            let points = match points {
                1 => "1 point".to_owned(),
                points => format!("{points} points"),
            };
            in_one_line(&format!("{who}{}: {points}", personage.name()))
        });
        let won: Vec<String> = won.collect();
        (!won.is_empty()).then(|| format!("[{}]", won.join("; ")))
    }

    /// What might follow, turn by turn with whose it is.
    fn line(&self, moves: &[Move]) -> String {
        let mut turns: Vec<String> = Vec::new();
        for turn in moves.split_inclusive(|one| one.notation == END) {
            let nation = self.game.nation_name(turn[0].nation);
            let actions = readable(turn.iter().map(|one| &*one.notation));
            turns.push(format!("{nation} {actions}"));
        }
        turns.join("; ")
    }

    fn turn(&self, turn: &PlayedTurn, judged: &JudgedTurn, width: usize) -> String {
        let seat = self.seat_of(turn);
        let nation = self.game.nation_name(turn.nation);
        let share = percent(judged.after[seat].share);
        let first = format!("{:>4}. {nation:width$} {share:>7}  ", turn.turn);
        let mark = mark(judged.lost);
        let mut done = readable(turn.notation.iter().map(String::as_str));
        for more in self.won(turn).into_iter().chain(mark.map(str::to_owned)) {
            done += &format!(" {more}");
        }
        let mut text = wrapped(&first, &done);
        let better = judged.better.as_ref().filter(|_| mark.is_some());
        if let Some(better) = better {
            let estimate = better.shares[seat];
            let (own, then) = better.line.split_at(better.own);
            let (low, high) = (100.0 * estimate.low, 100.0 * estimate.high);
            let better = format!(
                "better {} ({low:.1} to {high:.1}): {}",
                percent(estimate.share),
                readable(own.iter().map(|one| &*one.notation))
            );
            let indent = " ".repeat(first.chars().count());
            text += &wrapped(&indent, &better);
            // A small loss is soon read.
            if !then.is_empty() && mark != Some(MARKS[0].1) {
                text += &wrapped(&indent, &format!("then perhaps {}", self.line(then)));
            }
        }
        text
    }

    /// How the seats stand after a turn.
    fn standing(&self, judged: &JudgedTurn) -> String {
        let seats = self.seats().zip(&judged.after);
        let told = seats.map(|(seat, estimate)| {
            format!(
                "{} {}",
                self.nations(seat).join(" and "),
                percent(estimate.share)
            )
        });
        format!("({})", told.collect::<Vec<String>>().join(", "))
    }

    fn ending(&self) -> String {
        let mut text = "\nTurning points\n".to_owned();
        let turning_points = self.turning_points();
        if turning_points.is_empty() {
            text += "  none: no turn lost much\n";
        }
        for (turn, judged) in turning_points {
            let seat = self.seat_of(turn);
            let (before, after) = (judged.before[seat].share, judged.after[seat].share);
            text += &format!(
                "  round {}, turn {}: {} from {} to {}\n",
                turn.round,
                turn.turn,
                self.game.nation_name(turn.nation),
                percent(before),
                percent(after)
            );
            let better = judged
                .better
                .as_ref()
                .map(|better| &better.line[..better.own]);
            let better = better.into_iter().flatten().map(|one| &*one.notation);
            let done = turn.notation.iter().map(String::as_str);
            text += &wrapped("    done:   ", &readable(done));
            text += &wrapped("    better: ", &readable(better));
        }
        text += "\nAccuracy: what part was kept of the shares that the best known turns promised\n";
        for seat in self.seats() {
            let accuracy = self.accuracy(seat);
            let in_percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), percent);
            let told = format!(
                "{} ({}): {}; a turn lost {} of the win on average; nothing better known in {} of {} turns",
                accuracy.nations.join(" and "),
                accuracy.player,
                in_percent(accuracy.accuracy),
                in_percent(accuracy.lost),
                accuracy.best,
                accuracy.turns
            );
            text += &wrapped("  ", &told);
        }
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_marked_by_what_they_lose() {
        let marks = [0.0, 0.019, 0.02, 0.05, 0.3].map(mark);
        assert_eq!(marks, [None, None, Some("?!"), Some("?"), Some("??")]);
    }

    #[test]
    fn lines_are_broken_between_words() {
        let words = ["stone iron;"; 20].join(" ");
        let text = wrapped("  1. greeks ", &words);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= WIDTH));
        assert!(lines[1].starts_with(&" ".repeat(12)));
        let joined: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(joined.join(" "), format!("1. greeks {words}"));
    }
}
