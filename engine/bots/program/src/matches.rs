//! `tabularium-bots match`: plays bots against each other, with each side on every seat equally often.

use anyhow::{Context, bail};
use bots::search::value::Value;
use bots::{
    BOTS, BotEntry, Fixture, Hypotheses, Match, MatchStanding, Search, Side, Spec, Verdict,
};
use engine::content::Library;
use engine::setup::Setup;
use programs::{DataOption, ProgressDisplay};
use rayon::prelude::*;
use records::Record;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Play a match between bots and report whether the first side is better.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    tabularium-bots match --board antike-east --sides search:100,greedy=3 --rounds 50 --seed 1\n\n\
        Every round has its own seed, from which nations, seats and decks follow. In each round each side has each seat as \
        often as any other side in proportion to its seats. Intervals are 95 % intervals, computed from rounds. The match \
        stops when a sequential test (errors of 5 %) has decided whether the share of the first side is --worse or \
        --better, or after --rounds. The same options give the same table, except for bots with a budget of time.\n\n\
        With --other-weights, the bot search_other is search with the weights of another file, such as the file of this \
        program before it was trained again:\n  \
    git show COMMIT:engine/bots/data/value.json > before.json\n  \
    tabularium-bots match --other-weights before.json --sides search@50ms,search_other@50ms=3")]
pub struct Matches {
    /// The sides, separated by commas: a bot, with =N if it has N seats instead of 1.
    #[arg(long, value_delimiter = ',', required = true)]
    pub sides: Vec<String>,
    /// A file of weights for the bot search_other.
    #[arg(long, value_name = "FILE")]
    pub other_weights: Option<PathBuf>,
    /// The board, which also determines the edition.
    #[arg(long, default_value = "antike-east")]
    pub board: String,
    /// Variants, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pub variants: Vec<String>,
    /// The maximum number of rounds.
    #[arg(long, default_value_t = 100)]
    pub rounds: u64,
    /// The share of the first side if it is not better; by default its part of the seats.
    #[arg(long, value_parser = share)]
    pub worse: Option<f64>,
    /// The share of the first side if it is better; by default a fifth of the way from --worse to 1.
    #[arg(long, value_parser = share)]
    pub better: Option<f64>,
    /// Play all rounds, even if the test decides earlier.
    #[arg(long)]
    pub all: bool,
    /// The seed of all chance: round N is played with the seed "SEED-N".
    #[arg(long, default_value = "1")]
    pub seed: String,
    /// The last round of a game.
    #[arg(long, default_value_t = 200)]
    pub max_rounds: u32,
    /// The boards and rulesets to use.
    #[command(flatten)]
    pub data: DataOption,
}

/// Parses a share.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share must be a number from 0 to 1".to_owned())
}

/// The weights of [`search_other`].
static OTHER: OnceLock<Value> = OnceLock::new();

/// Returns the bot that searches with the weights of a file.
fn search_other(path: &Path) -> anyhow::Result<BotEntry> {
    let read = || -> anyhow::Result<Value> {
        let text = std::fs::read_to_string(path)?;
        Value::parse(&text).map_err(anyhow::Error::msg)
    };
    let value = read().with_context(|| format!("--other-weights {}", path.display()))?;
    OTHER.get_or_init(|| value);
    let search = Spec::among(BOTS, "search")?.named;
    Ok(BotEntry {
        name: "search_other",
        seat: |_| Box::new(OTHER.get().map_or_else(Search::default, Search::with)),
        ..search
    })
}

/// Parses a side.
fn side(bots: &[BotEntry], text: &str) -> anyhow::Result<Side> {
    let (bot, seats) = match text.split_once('=') {
        Some((bot, seats)) => {
            let seats: Option<usize> = seats.parse().ok().filter(|seats| (1..=6).contains(seats));
            (
                bot,
                seats.with_context(|| format!("{text:?} must end in =N, with 1 to 6 seats"))?,
            )
        }
        None => (text, 1),
    };
    let bot = Spec::among(bots, bot)?;
    Ok(Side { bot, seats })
}

impl Matches {
    /// Plays the match and prints its table.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let progress = ProgressDisplay::new("rounds", self.rounds);
        let (contest, standing, verdict) = self.play(&library, Some(&progress))?;
        progress.finish();
        print!("{}", self.table(&contest, &standing, verdict));
        Ok(())
    }

    /// Plays the match.
    pub fn play(
        &self,
        library: &Library,
        progress: Option<&ProgressDisplay>,
    ) -> anyhow::Result<(Match, MatchStanding, Option<Verdict>)> {
        let contest = self.contest(library)?;
        let mut standing = MatchStanding::new(&contest);
        let hypotheses = self.hypotheses(&contest)?;
        // Enough rounds at a time for all cores. Rounds after a decision are ignored.
        let chunk = rayon::current_num_threads().max(1) as u64;
        for start in (0..self.rounds).step_by(chunk as usize) {
            let rounds: Vec<u64> = (start..self.rounds.min(start + chunk)).collect();
            let played: Vec<anyhow::Result<Vec<(Fixture, Record)>>> = rounds
                .into_par_iter()
                .map(|round| {
                    let fixtures = contest.round(round).into_par_iter();
                    let played = fixtures.map(|fixture| {
                        let record = fixture.play(library, "a match", "2012-10-18T12:00:00Z")?;
                        Ok((fixture, record))
                    });
                    let played = played.collect();
                    progress.into_iter().for_each(ProgressDisplay::step);
                    played
                })
                .collect();
            for round in played {
                standing.add(&round?);
                let verdict = standing.verdict(hypotheses).filter(|_| !self.all);
                if verdict.is_some() {
                    return Ok((contest, standing, verdict));
                }
            }
        }
        let verdict = standing.verdict(hypotheses);
        Ok((contest, standing, verdict))
    }

    fn contest(&self, library: &Library) -> anyhow::Result<Match> {
        let mut bots = BOTS.to_vec();
        if let Some(path) = &self.other_weights {
            bots.push(search_other(path)?);
        }
        let sides = self.sides.iter().map(|text| side(&bots, text));
        let sides: Vec<Side> = sides.collect::<Result<_, _>>()?;
        if sides.len() < 2 {
            bail!("a match needs at least two sides: --sides greedy,random");
        }
        let Some(board) = library.board(&self.board) else {
            bail!("there is no board {:?}", self.board);
        };
        let setup = Setup {
            edition: board.data.edition.clone(),
            board: self.board.clone(),
            variants: self.variants.clone(),
            seed: self.seed.clone(),
            max_rounds: Some(self.max_rounds),
            ..Setup::default()
        };
        Ok(Match { setup, sides })
    }

    fn hypotheses(&self, contest: &Match) -> anyhow::Result<Hypotheses> {
        let seats: usize = contest.sides.iter().map(|side| side.seats).sum();
        let fair = contest.sides[0].seats as f64 / seats as f64;
        let worse = self.worse.unwrap_or(fair);
        let better = self.better.unwrap_or(worse + (1.0 - worse) / 5.0);
        if better <= worse {
            bail!("--better must be above --worse, but {better} is not above {worse}");
        }
        Ok(Hypotheses { worse, better })
    }

    /// Returns the table of the match, as text.
    fn table(&self, contest: &Match, standing: &MatchStanding, verdict: Option<Verdict>) -> String {
        let mut text = format!(
            "{}, seed {:?}: {} rounds, {} games; weights of search {}\n",
            self.board,
            self.seed,
            standing.rounds(),
            standing.scores.games,
            &Value::embedded_hash()[..12],
        );
        text += &format!(
            "{:20} {:>5} {:>7} {:>7}  {:15} {:>7}\n",
            "side", "seats", "fair", "share", "interval", "rating"
        );
        for (side, got) in contest.sides.iter().zip(standing.sides()) {
            let interval = format!("{:.3} to {:.3}", got.interval.0, got.interval.1);
            text += &format!(
                "{:20} {:>5} {:>7.3} {:>7.3}  {interval:15} {:>+7.0}\n",
                side.bot.to_string(),
                side.seats,
                got.fair,
                got.share,
                got.rating
            );
        }
        text += match verdict {
            Some(Verdict::Better) => "decided: the first side is better\n",
            Some(Verdict::NotBetter) => "decided: the first side is not better\n",
            None => "not decided\n",
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        matches: Matches,
    }

    fn command(options: &str) -> Matches {
        Command::parse_from(format!("match {options}").split(' ')).matches
    }

    #[test]
    fn a_match_stops_when_it_is_decided_and_prints_a_table() -> anyhow::Result<()> {
        let contest =
            command("--sides greedy,random --board duellum-rome-carthage --max-rounds 30");
        let (sides, standing, verdict) = contest.play(Library::embedded(), None)?;
        assert_eq!(verdict, Some(Verdict::Better));
        assert!(standing.rounds() < 20, "{} rounds", standing.rounds());
        let table = contest.table(&sides, &standing, verdict);
        assert!(table.contains("greedy"), "{table}");
        assert!(
            table.ends_with("decided: the first side is better\n"),
            "{table}"
        );
        // The result is the same with any number of threads.
        let (_, again, _) = contest.play(Library::embedded(), None)?;
        assert_eq!(again.scores, standing.scores);
        Ok(())
    }

    #[test]
    fn the_same_weights_from_a_file_are_exactly_as_strong() -> anyhow::Result<()> {
        let contest = command(
            "--sides search:2,search_other:2 --other-weights ../data/value.json \
             --board duellum-rome-carthage --rounds 2 --all",
        );
        let (_, standing, _) = contest.play(Library::embedded(), None)?;
        assert_eq!(standing.scores.games, 4);
        assert_eq!(standing.sides()[0].share, 0.5);
        Ok(())
    }

    #[test]
    fn invalid_matches_are_refused() {
        for options in [
            "--sides greedy",
            "--sides greedy,genius",
            "--sides greedy=0,random",
            "--sides greedy=x,random",
            "--sides greedy,random --board atlantis",
            "--sides greedy,random --worse 0.7 --better 0.6",
            "--sides greedy,search_other:2",
            "--sides greedy,search_other:2 --other-weights nowhere.json",
            "--sides greedy,search_other:2 --other-weights Cargo.toml",
        ] {
            let contest = command(options);
            assert!(
                contest.play(Library::embedded(), None).is_err(),
                "{options}"
            );
        }
    }
}
