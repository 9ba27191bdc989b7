//! `tabularium-bots match`: bots against bots, so that each sits everywhere equally often.

use anyhow::{Context, bail};
use bots::search::value::Value;
use bots::{Fixture, Guesses, Match, MatchStanding, Side, Spec, Verdict};
use engine::content::Library;
use engine::setup::Setup;
use programs::{DataOption, Progress};
use rayon::prelude::*;
use records::Record;

/// Let bots play a match and tell who is better.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    tabularium-bots match --board antike-east --sides search:100,greedy=3 --rounds 50 --seed 1\n\n\
    Every round has a seed of its own, with the nations, places and decks that follow from it, and is \
    played so that each side has each seat as often as any other in proportion to its seats. Intervals \
    are of 95 % and reckoned from rounds. The match stops when a sequential test (errors of 5 %) has \
    decided whether the share of the first side is --worse or --better, or after --rounds. The same \
    options give the same table, but for bots with a budget of time.")]
pub struct Matches {
    /// The sides, with commas between: a bot, with =N for N seats in place of 1.
    #[arg(long, value_delimiter = ',', required = true)]
    pub sides: Vec<String>,
    /// The board; its edition is played.
    #[arg(long, default_value = "antike-east")]
    pub board: String,
    /// Variants, with commas between.
    #[arg(long, value_delimiter = ',')]
    pub variants: Vec<String>,
    /// The most rounds.
    #[arg(long, default_value_t = 100)]
    pub rounds: u64,
    /// The share of the first side if it is no better; its part of the seats when left out.
    #[arg(long, value_parser = share)]
    pub worse: Option<f64>,
    /// The share of the first side if it is better; when left out, a fifth of the way from --worse to 1.
    #[arg(long, value_parser = share)]
    pub better: Option<f64>,
    /// Play all rounds, whatever the test says.
    #[arg(long)]
    pub all: bool,
    /// Where all chance comes from: round N is played with the seed "SEED-N".
    #[arg(long, default_value = "1")]
    pub seed: String,
    /// The last round of a game.
    #[arg(long, default_value_t = 200)]
    pub max_rounds: u32,
    /// Which boards and rulesets.
    #[command(flatten)]
    pub data: DataOption,
}

/// Reads a share.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is a number from 0 to 1".to_owned())
}

/// Reads a side.
fn side(text: &str) -> anyhow::Result<Side> {
    let (bot, seats) = match text.split_once('=') {
        Some((bot, seats)) => {
            let seats: Option<usize> = seats.parse().ok().filter(|seats| (1..=6).contains(seats));
            (
                bot,
                seats.with_context(|| format!("{text:?} has no number of seats from 1 to 6"))?,
            )
        }
        None => (text, 1),
    };
    let bot: Spec = bot.parse()?;
    Ok(Side { bot, seats })
}

impl Matches {
    /// Plays the match and prints how it went.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let progress = Progress::new("rounds", self.rounds);
        let (of, standing, verdict) = self.play(&library, Some(&progress))?;
        progress.finish();
        print!("{}", self.table(&of, &standing, verdict));
        Ok(())
    }

    /// Plays the match.
    pub fn play(
        &self,
        library: &Library,
        progress: Option<&Progress>,
    ) -> anyhow::Result<(Match, MatchStanding, Option<Verdict>)> {
        let of = self.of(library)?;
        let mut standing = MatchStanding::new(&of);
        let guesses = self.guesses(&of)?;
        // Enough rounds at a time to keep every core busy; those behind a decision do not count.
        let chunk = rayon::current_num_threads().max(1) as u64;
        for start in (0..self.rounds).step_by(chunk as usize) {
            let rounds: Vec<u64> = (start..self.rounds.min(start + chunk)).collect();
            let played: Vec<anyhow::Result<Vec<(Fixture, Record)>>> = rounds
                .into_par_iter()
                .map(|round| {
                    let fixtures = of.round(round).into_par_iter();
                    let played = fixtures.map(|fixture| {
                        let record = fixture.play(library, "a match", "2012-10-18T12:00:00Z")?;
                        Ok((fixture, record))
                    });
                    let played = played.collect();
                    progress.into_iter().for_each(Progress::step);
                    played
                })
                .collect();
            for round in played {
                standing.add(&round?);
                let verdict = standing.verdict(guesses).filter(|_| !self.all);
                if verdict.is_some() {
                    return Ok((of, standing, verdict));
                }
            }
        }
        let verdict = standing.verdict(guesses);
        Ok((of, standing, verdict))
    }

    fn of(&self, library: &Library) -> anyhow::Result<Match> {
        let sides: Vec<Side> = self
            .sides
            .iter()
            .map(|text| side(text))
            .collect::<Result<_, _>>()?;
        if sides.len() < 2 {
            bail!("a match has two sides at least");
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

    fn guesses(&self, of: &Match) -> anyhow::Result<Guesses> {
        let seats: usize = of.sides.iter().map(|side| side.seats).sum();
        let fair = of.sides[0].seats as f64 / seats as f64;
        let worse = self.worse.unwrap_or(fair);
        let better = self.better.unwrap_or(worse + (1.0 - worse) / 5.0);
        if better <= worse {
            bail!("--better {better} is not above --worse {worse}");
        }
        Ok(Guesses { worse, better })
    }

    /// The match in some lines of text.
    fn table(&self, of: &Match, standing: &MatchStanding, verdict: Option<Verdict>) -> String {
        let mut text = format!(
            "{}, seed {:?}: {} rounds, {} games; numbers of search {}\n",
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
        for (side, got) in of.sides.iter().zip(standing.sides()) {
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
        of: Matches,
    }

    fn command(options: &str) -> Matches {
        Command::parse_from(format!("match {options}").split(' ')).of
    }

    #[test]
    fn a_match_stops_when_it_is_decided_and_is_told_in_a_table() -> anyhow::Result<()> {
        let of = command("--sides greedy,random --board duellum-rome-carthage --max-rounds 30");
        let (sides, standing, verdict) = of.play(Library::embedded(), None)?;
        assert_eq!(verdict, Some(Verdict::Better));
        assert!(standing.rounds() < 20, "{} rounds", standing.rounds());
        let table = of.table(&sides, &standing, verdict);
        assert!(table.contains("greedy"), "{table}");
        assert!(
            table.ends_with("decided: the first side is better\n"),
            "{table}"
        );
        // The same again, however many threads there are.
        let (_, again, _) = of.play(Library::embedded(), None)?;
        assert_eq!(again.scores, standing.scores);
        Ok(())
    }

    #[test]
    fn what_makes_no_match_is_refused() {
        for options in [
            "--sides greedy",
            "--sides greedy,genius",
            "--sides greedy=0,random",
            "--sides greedy=x,random",
            "--sides greedy,random --board atlantis",
            "--sides greedy,random --worse 0.7 --better 0.6",
        ] {
            let of = command(options);
            assert!(of.play(Library::embedded(), None).is_err(), "{options}");
        }
    }
}
