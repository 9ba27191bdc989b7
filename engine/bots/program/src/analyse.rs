//! `tabularium-bots analyse`: evaluates each turn of recorded games with the search bot.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::bail;
use bots::search::value::Value;
use bots::{Budget, Estimate, JudgedTurn, Move, PlayedGame, PlayedTurn};
use charts::titled;
use engine::content::Library;
use engine::play::Game;
use engine::setup::Player;
use programs::{DataOption, ProgressDisplay, read_records};
use rayon::prelude::*;
use records::{Annotations, Note, Record, Variation};
use serde::Serialize;

/// The marks of turns by the win probability lost.
/// The measure `accuracy` counts the last one as blunders.
const MARKS: [(f64, &str); 3] = [(0.02, "?!"), (0.05, "?"), (0.10, "??")];

/// The most turning points listed for a game.
const TURNING_POINTS: usize = 5;

/// The end of a turn in notation.
const END: &str = "end";

/// Marks a blank where no line break is allowed.
const NO_BREAK: char = '\u{a0}';

/// The maximum length of a line in letters.
const WIDTH: usize = 100;

/// Evaluate each turn of recorded games with the search bot.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    tabularium-bots analyse game.txt --budget 800\n\n\
        Each turn is evaluated with what its player could know. The played turn gets as many variations and playouts as\n\
        the best turn that the search finds. A turn is marked only if a second search with another seed and budget agrees.\n\
        Win probabilities are based on short playouts: use them to compare turns of a game, not as\n\
        predictions. The same budget of playouts and --seed give the same analysis.")]
pub struct Analyse {
    /// Files of records: NDJSON, or one record as text; both can be compressed with gzip.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The budget for each turn: playouts, such as 800, or time, such as 500ms.
    #[arg(long, default_value = "200")]
    pub budget: Budget,
    /// The seed of all chance.
    #[arg(long, default_value = "1")]
    pub seed: String,
    /// The output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: AnalysisFormat,
    /// The boards and rulesets to use.
    #[command(flatten)]
    pub data: DataOption,
}

/// The output format of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AnalysisFormat {
    /// Text for people.
    #[default]
    Text,
    /// One line of JSON for each turn, then one for the game.
    Ndjson,
    /// The record in notation, with a verdict and a better variation at each marked turn.
    Annotated,
}

/// The evaluator: a bot with its budget, the hash of its weights, and the version of the program.
#[derive(Debug, Serialize)]
struct Evaluator {
    judge: String,
    numbers: String,
    version: &'static str,
}

/// The expected share of the win of a seat, with its interval.
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
    judge: &'a Evaluator,
    seed: &'a str,
    round: u32,
    turn: u32,
    nation: &'a str,
    seat: u8,
    /// The played actions, in notation.
    actions: &'a [String],
    /// The expected shares by seat before the turn, if the best known choice is made.
    before: Vec<ShareLine>,
    /// The expected shares by seat after the turn.
    after: Vec<ShareLine>,
    /// The win probability that the turn lost its seat: the smaller loss of two searches.
    lost: f64,
    /// `?!`, `?` or `??`; null if little was lost.
    mark: Option<&'static str>,
    /// The better choice; null if none is known.
    better: Option<BetterLine>,
    /// The number of playouts used.
    playouts: u32,
}

/// A better choice than the played one.
#[derive(Debug, Serialize)]
struct BetterLine {
    /// The seat's expected share.
    share: f64,
    /// The turn in notation.
    actions: Vec<String>,
    /// A likely continuation.
    then: Vec<String>,
}

/// A game in NDJSON, after its turns.
#[derive(Debug, Serialize)]
struct GameLine<'a> {
    /// Always `game`.
    kind: &'static str,
    /// The game's id.
    game: &'a str,
    #[serde(flatten)]
    judge: &'a Evaluator,
    seed: &'a str,
    edition: &'a str,
    board: &'a str,
    /// The accuracy of each seat.
    players: Vec<SeatAccuracy>,
    /// The turns that lost most, the worst first.
    turning_points: Vec<u32>,
}

/// The accuracy of a seat.
#[derive(Debug, Serialize)]
struct SeatAccuracy {
    seat: u8,
    nations: Vec<String>,
    player: String,
    /// The number of evaluated turns.
    turns: usize,
    /// The number of turns without a known better choice.
    best: usize,
    /// The mean win probability lost by a turn; null without turns.
    lost: Option<f64>,
    /// The part kept of the shares that the best known choices promised; null without turns.
    accuracy: Option<f64>,
}

/// A game with its evaluated turns.
struct RecordAnalysis<'a> {
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
                let output = checked.and_then(|record| self.analyse(&record, &library));
                match output {
                    Ok(output) => stdout().write_all(output.as_bytes())?,
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

    /// Returns the analysis of a game in the chosen format.
    fn analyse(&self, record: &Record, library: &Library) -> Result<String, String> {
        let played = PlayedGame::read(record, library).map_err(|error| error.to_string())?;
        let progress = ProgressDisplay::new("turns", played.turns.len() as u64);
        let judged = played.turns.par_iter().map(|turn| {
            let judged = turn.judge(&played.game, self.budget, &self.seed);
            progress.step();
            judged.map(|judged| (turn, judged))
        });
        let turns: Vec<_> = judged.collect::<Vec<_>>().into_iter().flatten().collect();
        progress.finish();
        let analysed = RecordAnalysis {
            record,
            game: &played.game,
            turns,
        };
        match self.format {
            AnalysisFormat::Text => Ok(analysed.text(self)),
            AnalysisFormat::Ndjson => analysed.lines(self).map_err(|error| error.to_string()),
            AnalysisFormat::Annotated => analysed.annotated(self, library),
        }
    }

    fn judge(&self) -> Evaluator {
        Evaluator {
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

/// Returns the mark of a turn that lost this share.
fn mark(lost: f64) -> Option<&'static str> {
    let reached = MARKS.iter().rev().find(|(least, _)| lost >= *least);
    reached.map(|(_, mark)| *mark)
}

/// Formats a share in percent.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Breaks words into lines, the first line after `first`, the others indented by its length.
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

/// Returns words between which no line break is allowed.
fn in_one_line(words: &str) -> String {
    words.replace(' ', &NO_BREAK.to_string())
}

/// Returns the actions of a turn for readers, without its end.
fn readable<'a>(actions: impl Iterator<Item = &'a str>) -> String {
    let actions: Vec<String> = actions
        .filter(|action| *action != END)
        .map(in_one_line)
        .collect();
    match actions.is_empty() {
        true => END.to_owned(),
        false => actions.join("; "),
    }
}

/// Returns the name to show for a player.
fn player(record: &Record, seat: u8) -> String {
    let player = record.setup.seats.get(usize::from(seat));
    match player.map(|seat| &seat.player) {
        Some(Player::Bot { name }) => name.clone(),
        Some(Player::Person { id, name }) => name.clone().unwrap_or_else(|| id.clone()),
        Some(Player::Open) | None => "no player".to_owned(),
    }
}

impl RecordAnalysis<'_> {
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

    /// The marked turns that lost most.
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

    /// Returns the record in notation, with notes about the marked turns.
    fn annotated(&self, options: &Analyse, library: &Library) -> Result<String, String> {
        let note = |(turn, judged): &(&PlayedTurn, JudgedTurn)| {
            let better = judged.better.as_ref()?;
            let seat = self.seat_of(turn);
            let own = better.line.iter().take(better.own);
            Some(Note {
                action: turn.first,
                verdict: Some(mark(judged.lost)?.parse().ok()?),
                comment: Some(format!(
                    "{} after this turn",
                    percent(judged.after[seat].share)
                )),
                variations: vec![Variation {
                    actions: own.map(|step| step.notation.clone()).collect(),
                    comment: Some(percent(better.shares[seat].share)),
                }],
            })
        };
        let about = format!(
            "Shares of the win by search with {} for each turn, seed {:?}, weights {}.",
            options.budget_text(),
            options.seed,
            &Value::embedded_hash()[..12],
        );
        let annotations = Annotations {
            comment: Some(about),
            notes: self.turns.iter().filter_map(note).collect(),
        };
        let checked = annotations.check(self.record, library);
        checked.map_err(|error| error.to_string())?;
        let text = annotations.to_text(self.record, &options.judge().judge, library);
        text.map_err(|error| error.to_string())
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
                format!(", rank {} with {} points", rank.rank, rank.points)
            });
            let (nations, player) = (self.nations(seat).join(" and "), player(self.record, seat));
            text += &format!("  {nations}: {player}{place}\n");
        }
        let about = format!(
            "Evaluated by search with {} for each turn, seed {:?}, weights {}. Each turn has the win probability after \
             it, its actions, and in brackets a personage that it won with the points of the nation. In 90 % of \
             positions, ten times as many playouts stay within the interval. Two searches agree on each loss. {}.",
            options.budget_text(),
            options.seed,
            &Value::embedded_hash()[..12],
            MARKS
                .map(|(least, mark)| format!("{mark} lost {} or more", percent(least)))
                .join(", "),
        );
        text + "\n" + &wrapped("", &about) + &self.leads()
    }

    /// The leaders by rounds.
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
        let leads = leads.iter().map(|(seat, first, last)| {
            let nations = self.nations(*seat as u8).join(" and ");
            match first == last {
                true => format!("{nations} {first}"),
                false => format!("{nations} {first} to {last}"),
            }
        });
        let leads: Vec<String> = leads.collect();
        match leads.is_empty() {
            true => String::new(),
            false => format!(
                "\n{}",
                wrapped("Ahead at the end of rounds: ", &(leads.join(", ") + "."))
            ),
        }
    }

    /// The personages won in a turn, in brackets.
    fn won(&self, turn: &PlayedTurn) -> Option<String> {
        let won = turn.won.iter().map(|(nation, personage, points)| {
            let winner = match *nation == turn.nation {
                true => String::new(),
                false => format!("{} ", self.game.nation_name(*nation)),
            };
            let points = match points {
                1 => "1 point".to_owned(),
                points => format!("{points} points"),
            };
            in_one_line(&format!("{winner}{}: {points}", personage.name()))
        });
        let won: Vec<String> = won.collect();
        (!won.is_empty()).then(|| format!("[{}]", won.join("; ")))
    }

    /// A likely continuation, turn by turn with the nations.
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
            // A small loss needs no continuation.
            if !then.is_empty() && mark != Some(MARKS[0].1) {
                text += &wrapped(&indent, &format!("then perhaps {}", self.line(then)));
            }
        }
        text
    }

    /// The shares of the seats after a turn.
    fn standing(&self, judged: &JudgedTurn) -> String {
        let seats = self.seats().zip(&judged.after);
        let shares = seats.map(|(seat, estimate)| {
            format!(
                "{} {}",
                self.nations(seat).join(" and "),
                percent(estimate.share)
            )
        });
        format!("({})", shares.collect::<Vec<String>>().join(", "))
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
        text += "\nAccuracy: the part kept of the shares that the best known turns promised\n";
        for seat in self.seats() {
            let accuracy = self.accuracy(seat);
            let in_percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), percent);
            let line = format!(
                "{} ({}): {}; mean win probability lost by a turn {}; nothing better known in {} of {} turns",
                accuracy.nations.join(" and "),
                accuracy.player,
                in_percent(accuracy.accuracy),
                in_percent(accuracy.lost),
                accuracy.best,
                accuracy.turns
            );
            text += &wrapped("  ", &line);
        }
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_marked_by_win_probability_lost() {
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
