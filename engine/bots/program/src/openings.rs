//! `tabularium-bots openings`: lets each nation begin on several fields, and compares its shares of wins.

use std::collections::BTreeMap;

use anyhow::bail;
use bots::search::value::Value;
use bots::{FirstField, PlayError, Spec, mean_and_margin, play_from};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::content::Library;
use engine::setup::{Setup, SetupSeat};
use engine::words::Field;
use programs::{DataOption, ProgressDisplay};
use rayon::prelude::*;

use crate::simulate::usual_nations;

/// Force each nation to begin on several fields, and compare its shares of wins.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    tabularium-bots openings --board antike-east --nations 4 --bots search:50 --rounds 200\n\n\
    Every round has its own seed, from which nations, seats and decks follow. In each round each nation plays one game \
    from each field: its first turn begins there, and all else is left to the bots. So the difference between \
    fields is caused by the field, unlike in games in which bots choose. Intervals are 95 % intervals of one row, \
    computed from rounds: of twenty rows, one interval is expected to miss. The same options give the same table.")]
pub struct CompareOpenings {
    /// The bot of all seats.
    #[arg(long, default_value = "greedy")]
    pub bots: Spec,
    /// The board, which also determines the edition.
    #[arg(long, default_value = "antike-east")]
    pub board: String,
    /// The number of nations; by default 4, or as many as the board is for.
    #[arg(long)]
    pub nations: Option<u8>,
    /// The fields, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "marble,iron,gold", value_parser = field())]
    pub fields: Vec<Field>,
    /// The number of rounds: games of each nation from each field.
    #[arg(long, default_value_t = 200)]
    pub rounds: u64,
    /// The seed of all chance: round N is played with the seed "SEED-N".
    #[arg(long, default_value = "openings")]
    pub seed: String,
    /// The last round of a game.
    #[arg(long, default_value_t = 200)]
    pub max_rounds: u32,
    /// The boards and rulesets to use.
    #[command(flatten)]
    pub data: DataOption,
}

fn field() -> impl TypedValueParser<Value = Field> {
    let names = Field::ALL.iter().map(|field| field.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Field>())
}

/// The shares of wins of one nation by field, in each round.
type NationShares = Vec<Vec<f64>>;

impl CompareOpenings {
    /// Plays the games and prints the table.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let progress = ProgressDisplay::new("rounds", self.rounds);
        let shares = self.play(&library, Some(&progress))?;
        progress.finish();
        print!("{}", self.table(&shares));
        Ok(())
    }

    /// Plays all games. Returns the shares by nation.
    fn play(
        &self,
        library: &Library,
        progress: Option<&ProgressDisplay>,
    ) -> anyhow::Result<BTreeMap<String, NationShares>> {
        let Some(board) = library.board(&self.board) else {
            bail!("there is no board {:?}", self.board);
        };
        let mut fields = self.fields.clone();
        fields.sort_unstable();
        fields.dedup();
        if fields.len() < 2 || fields.len() < self.fields.len() {
            bail!("--fields needs at least two different fields, such as marble,iron");
        }
        let seats = self.nations.unwrap_or_else(|| usual_nations(board));
        let setup = |round: u64| Setup {
            edition: board.data.edition.clone(),
            board: self.board.clone(),
            seats: vec![SetupSeat::bot(self.bots.to_string()); seats.into()],
            seed: format!("{}-{round}", self.seed),
            max_rounds: Some(self.max_rounds),
            ..Setup::default()
        };
        let rounds: Vec<u64> = (0..self.rounds).collect();
        let played = rounds.into_par_iter().map(|round| {
            let setup = setup(round);
            let played = (0..seats).map(|seat| self.play_each_field(library, &setup, seat));
            let played = played.collect::<Result<Vec<_>, PlayError>>();
            progress.into_iter().for_each(ProgressDisplay::step);
            played
        });
        let played = played.collect::<Result<Vec<_>, PlayError>>()?;
        let mut all: BTreeMap<String, NationShares> = BTreeMap::new();
        for (nation, shares) in played.into_iter().flatten() {
            all.entry(nation).or_default().push(shares);
        }
        Ok(all)
    }

    /// Plays one game from each field. Returns the nation of the seat and its shares.
    fn play_each_field(
        &self,
        library: &Library,
        setup: &Setup,
        seat: u8,
    ) -> Result<(String, Vec<f64>), PlayError> {
        let bots = vec![self.bots; setup.seats.len()];
        let (mut nation, mut shares) = (String::new(), Vec::new());
        for field in &self.fields {
            let first = FirstField {
                seat,
                field: *field,
            };
            let record = play_from(library, setup, &bots, Some(first), "", "")?;
            nation = record.setup.seats[usize::from(seat)].nations.join(" + ");
            let ranks = record.result.iter().flat_map(|result| &result.ranks);
            let own = ranks.filter(|rank| rank.seat == seat);
            shares.push(own.map(|rank| rank.share).sum());
        }
        Ok((nation, shares))
    }

    /// Returns the table, as text.
    fn table(&self, all: &BTreeMap<String, NationShares>) -> String {
        let mut text = format!(
            "{}, {}, seed {:?}: {} rounds; weights of search {}\n{:13} {:>10} {:>6} {:>7}  {:15} {:>12}  {}\n",
            self.board,
            self.bots,
            self.seed,
            self.rounds,
            &Value::embedded_hash()[..12],
            "nation",
            "field",
            "games",
            "share",
            "interval",
            "to the others",
            "interval"
        );
        for (nation, rounds) in all {
            for (index, field) in self.fields.iter().enumerate() {
                let own: Vec<f64> = rounds.iter().map(|shares| shares[index]).collect();
                let others = (self.fields.len() - 1) as f64;
                let differences: Vec<f64> = rounds
                    .iter()
                    .map(|shares| {
                        let sum: f64 = shares.iter().sum();
                        shares[index] - (sum - shares[index]) / others
                    })
                    .collect();
                let (share, margin) = mean_and_margin(&own);
                let (low, high) = ((share - margin).max(0.0), (share + margin).min(1.0));
                let interval = format!("{low:.3} to {high:.3}");
                let (gain, margin) = mean_and_margin(&differences);
                let (low, high) = ((gain - margin).max(-1.0), (gain + margin).min(1.0));
                text += &format!(
                    "{nation:13} {:>10} {:>6} {share:>7.3}  {interval:15} {gain:>+12.3}  {low:+.3} to {high:+.3}\n",
                    field.name(),
                    rounds.len(),
                );
            }
        }
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
        openings: CompareOpenings,
    }

    fn command(options: &str) -> CompareOpenings {
        Command::parse_from(format!("openings {options}").split(' ')).openings
    }

    #[test]
    fn each_nation_in_play_begins_on_each_field_of_each_round() -> anyhow::Result<()> {
        let openings = command(
            "--board antike-ii-orient --nations 3 --fields arming,know_how --rounds 4 --max-rounds 20",
        );
        let shares = openings.play(Library::embedded(), None)?;
        let rounds: Vec<usize> = shares.values().map(Vec::len).collect();
        assert_eq!(rounds, [4, 4, 4], "{shares:?}");
        let mut by_field = shares.values().flatten();
        assert!(by_field.all(|shares| shares.len() == 2));
        let table = openings.table(&shares);
        assert_eq!(table.lines().count(), 2 + 3 * 2, "{table}");
        assert_eq!(openings.play(Library::embedded(), None)?, shares);
        Ok(())
    }

    #[test]
    fn shares_are_compared_with_those_of_the_other_fields_in_the_same_rounds() {
        let openings = command("--fields marble,iron,gold");
        let rounds = vec![vec![1.0, 0.0, 0.0], vec![1.0, 0.0, 1.0]];
        let table = openings.table(&BTreeMap::from([("greeks".to_owned(), rounds)]));
        let row = |field: &str| {
            let line = table
                .lines()
                .find(|line| line.contains(field))
                .unwrap_or("");
            let columns: Vec<&str> = line.split_whitespace().collect();
            (
                columns[2].to_owned(),
                columns[3].to_owned(),
                columns[7].to_owned(),
            )
        };
        let texts = |games: &str, share: &str, gain: &str| {
            (games.to_owned(), share.to_owned(), gain.to_owned())
        };
        assert_eq!(row(" marble"), texts("2", "1.000", "+0.750"));
        assert_eq!(row(" iron"), texts("2", "0.000", "-0.750"));
        assert_eq!(row(" gold"), texts("2", "0.500", "+0.000"));
    }

    #[test]
    fn invalid_openings_are_refused() {
        for options in [
            "--board atlantis",
            "--nations 7",
            "--fields marble",
            "--fields iron,marble,iron",
        ] {
            let openings = command(options);
            assert!(
                openings.play(Library::embedded(), None).is_err(),
                "{options}"
            );
        }
        assert!(Command::try_parse_from(["openings", "--fields", "corn"]).is_err());
    }
}
