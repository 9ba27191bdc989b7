//! `tabularium-bots simulate`: plays games between bots, and writes their records as NDJSON.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use bots::{Spec, play_with};
use engine::content::{Board, Library};
use engine::setup::{Setup, SetupSeat};
use jiff::Timestamp;
use programs::{DataOption, ProgressDisplay};
use rayon::prelude::*;
use records::{RECORD_FORMAT, Record};
use sha2::{Digest, Sha256};

use crate::shard::Shard;

/// Simulate games between bots and write their records.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    tabularium-bots simulate --board antike-east --nations 4 --bots greedy,greedy,random,greedy \\\n    \
    --games 1000 --seed 1 --out games.ndjson\n\n\
    The same seed and --played-at give the same file, and so does a simulation that was interrupted \
    and run again with --resume.")]
pub struct Simulate {
    /// The edition; by default that of the board.
    #[arg(long)]
    pub edition: Option<String>,
    /// The board.
    #[arg(long, default_value = "antike-east")]
    pub board: String,
    /// The number of nations; by default 4, or as many as the board is for.
    /// In the base game 2 with the variant two_player_double, and 4 with two bots for the two-player game with four
    /// nations.
    #[arg(long)]
    pub nations: Option<u8>,
    /// One bot for all seats, or one for each seat in order, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "greedy")]
    pub bots: Vec<String>,
    /// Variants, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pub variants: Vec<String>,
    /// The number of games.
    #[arg(long, default_value_t = 1000)]
    pub games: u64,
    /// The seed of all chance: game N is played with the seed "SEED-N".
    #[arg(long, default_value = "1")]
    pub seed: String,
    /// The last round of a game.
    #[arg(long, default_value_t = 200)]
    pub max_rounds: u32,
    /// The time at which the games were played; the current time by default.
    #[arg(long)]
    pub played_at: Option<Timestamp>,
    /// The boards and rulesets to use.
    #[command(flatten)]
    pub data: DataOption,
    /// The part of the games to play, such as 2/4 on the second of four machines.
    /// Part N plays every game whose number modulo 4 is N - 1.
    #[arg(long, default_value_t)]
    pub shard: Shard,
    /// The file to write; `-` is standard output.
    #[arg(long, default_value = "-")]
    pub out: PathBuf,
    /// Continue at the end of the file; do not play its games again.
    #[arg(long)]
    pub resume: bool,
}

impl Simulate {
    /// Plays the games and writes the file.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let summary = self.write(&library)?;
        summary.print();
        Ok(())
    }

    /// Plays the games into the file.
    ///
    /// # Errors
    /// Those of [`run`](Simulate::run).
    pub fn write(&self, library: &Library) -> anyhow::Result<SimulationSummary> {
        let mut done = 0;
        let mut out: Box<dyn Write> = if self.out == Path::new("-") {
            Box::new(stdout().lock())
        } else {
            let open = if self.resume {
                self.go_on(library).map(|(file, lines)| {
                    done = lines;
                    file
                })
            } else {
                File::create(&self.out).map_err(anyhow::Error::from)
            };
            let file = open.with_context(|| format!("cannot write {}", self.out.display()))?;
            Box::new(BufWriter::new(file))
        };
        let mut summary = SimulationSummary::default();
        let left = self.shard.numbers(self.games).count().saturating_sub(done);
        let progress = ProgressDisplay::new("games", left as u64);
        self.records(library, done, &progress, |record| {
            summary.add(&record);
            serde_json::to_writer(&mut out, &record)?;
            out.write_all(b"\n")?;
            Ok(())
        })?;
        out.flush()?;
        progress.finish();
        Ok(summary)
    }

    /// Opens the file for appending and removes an incomplete last line.
    /// Returns it with its number of lines.
    fn go_on(&self, library: &Library) -> anyhow::Result<(File, usize)> {
        let mut options = File::options();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.out)?;
        let (mut lines, mut whole) = (0, 0);
        let (mut first, mut last, mut line) = (Vec::new(), Vec::new(), Vec::new());
        let mut reader = BufReader::new(&file);
        while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            lines += 1;
            whole += line.len() as u64;
            if lines == 1 {
                first.clone_from(&line);
            }
            std::mem::swap(&mut last, &mut line);
            line.clear();
        }
        drop(reader);
        let (edition, bots) = (self.edition(library)?, self.seated_bots(library)?);
        // The setup of the game on a line, before it is played.
        let expected_setup = |line: usize| -> anyhow::Result<Option<Setup>> {
            let number = self.shard.numbers(self.games).nth(line);
            let setup = number.map(|number| self.setup(&edition, number, &bots));
            let spelled = setup.map(|setup| setup.spelled_out(library)).transpose()?;
            Ok(spelled.map(undecked))
        };
        let same = if lines == 0 {
            line.is_empty() || expected_setup(0)?.is_some_and(|setup| is_begun(&line, setup))
        } else {
            let is_made = |line: usize, text: &[u8]| -> anyhow::Result<bool> {
                let found: Record =
                    serde_json::from_slice(text).context("it contains no records")?;
                let at = self.played_at.map(|at| at.to_string());
                let same_time = at.is_none_or(|at| at == found.played_at);
                Ok(same_time && expected_setup(line)? == Some(undecked(found.setup)))
            };
            is_made(0, &first)? && is_made(lines - 1, &last)?
        };
        if !same {
            bail!(
                "it contains other games than these options give: use other options or another file"
            );
        }
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        Ok((file, lines))
    }

    /// Returns the edition of the games.
    fn edition(&self, library: &Library) -> anyhow::Result<String> {
        match (&self.edition, library.board(&self.board)) {
            (Some(edition), _) => Ok(edition.clone()),
            (None, Some(board)) => Ok(board.data.edition.clone()),
            (None, None) => bail!("there is no board {:?}", self.board),
        }
    }

    /// Plays the part's games except the first `done` on all cores, and passes on the records in order.
    fn records(
        &self,
        library: &Library,
        done: usize,
        progress: &ProgressDisplay,
        mut each: impl FnMut(Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let bots = self.seated_bots(library)?;
        let edition = self.edition(library)?;
        let played_at = match self.played_at {
            Some(moment) => moment,
            // As precise as databases store it, so that an export equals the import.
            None => Timestamp::from_microsecond(Timestamp::now().as_microsecond())?,
        };
        let numbers: Vec<u64> = self.shard.numbers(self.games).skip(done).collect();
        // Enough games at a time for all cores, but few enough for memory and to lose.
        for chunk in numbers.chunks(8 * rayon::current_num_threads()) {
            let played: Vec<anyhow::Result<Record>> = chunk
                .par_iter()
                .map(|number| {
                    let setup = self.setup(&edition, *number, &bots);
                    let mut record = play_with(library, &setup, &bots, "", &played_at.to_string())?;
                    record.spell_out(library)?;
                    record.id = game_id(played_at, &record.setup)?;
                    progress.step();
                    Ok(record)
                })
                .collect();
            for record in played {
                each(record?)?;
            }
        }
        Ok(())
    }

    /// Returns the bot of each seat, in order.
    fn seated_bots(&self, library: &Library) -> anyhow::Result<Vec<Spec>> {
        let named = self.bots.iter().map(|name| name.parse());
        let named = named.collect::<Result<Vec<Spec>, _>>()?;
        let double = self.variants.iter().any(|name| name == "two_player_double");
        let board = library.board(&self.board);
        let for_so_many =
            |nations| board.is_none_or(|board| board.data.starts.contains_key(&nations));
        let nations = match (self.nations, board) {
            (Some(nations), _) => nations,
            (None, Some(board)) => usual_nations(board),
            (None, None) => 4,
        };
        let seats = match self.bots.len() {
            // Two bots with four nations play the two-player game [A41].
            2 if nations == 4 => 2,
            1 if nations == 2 && !double && !for_so_many(2) => {
                bail!("the two-player game with four nations needs --nations 4 and two --bots")
            }
            _ => usize::from(nations),
        };
        match named[..] {
            [one] => Ok(vec![one; seats]),
            _ if named.len() == seats => Ok(named),
            _ => bail!(
                "there are {} bots for {seats} seats: name one for each seat",
                named.len()
            ),
        }
    }

    fn setup(&self, edition: &str, number: u64, bots: &[Spec]) -> Setup {
        let seat = |bot: &Spec| SetupSeat::bot(bot.to_string());
        Setup {
            edition: edition.to_owned(),
            board: self.board.clone(),
            variants: self.variants.clone(),
            seats: bots.iter().map(seat).collect(),
            seed: format!("{}-{number}", self.seed),
            max_rounds: Some(self.max_rounds),
            ..Setup::default()
        }
    }
}

/// Returns the number of nations by default: 4, or as many as the board is for.
pub fn usual_nations(board: &Board) -> u8 {
    let mut numbers = board.data.starts.keys().copied();
    let first = numbers.clone().next().unwrap_or(4);
    numbers.find(|nations| *nations == 4).unwrap_or(first)
}

/// Returns a setup without the decks that follow from the seed and are known after the game.
fn undecked(setup: Setup) -> Setup {
    Setup {
        deck: None,
        reshuffles: Vec::new(),
        ..setup
    }
}

/// Returns whether a piece of a line can be the start of a record with this spelled-out setup.
///
/// The id is ignored: it depends on the time of the game, which is at the end of the line.
fn is_begun(piece: &[u8], setup: Setup) -> bool {
    const ID: &str = "00000000-0000-0000-0000-000000000000";
    // Plain data with string keys is always JSON.
    let setup = serde_json::to_string(&undecked(setup)).unwrap_or_default();
    // The decks would follow here.
    let setup = setup.trim_end_matches('}');
    let before = format!("{{\"format\":\"{RECORD_FORMAT}\",\"id\":\"");
    let begins = format!("{before}{ID}\",\"setup\":{setup}");
    let id = before.len()..before.len() + ID.len();
    let mut pairs = piece.iter().zip(begins.as_bytes()).enumerate();
    pairs.all(
        |(place, (found, made))| match id.contains(&place) && *made != b'-' {
            true => found.is_ascii_hexdigit(),
            false => found == made,
        },
    )
}

/// Returns a UUIDv7 [RFC 9562] whose random part is derived from the spelled-out setup.
///
/// So the same simulation gives the same ids, and any other simulation gives other ids.
fn game_id(played_at: Timestamp, setup: &Setup) -> anyhow::Result<String> {
    let mut hash = Sha256::new_with_prefix("tabularium simulation\n");
    hash.update(played_at.to_string());
    hash.update("\n");
    hash.update(serde_json::to_vec(setup)?);
    let mut random = [0; 10];
    random.copy_from_slice(&hash.finalize()[..10]);
    let millis = u64::try_from(played_at.as_millisecond()).unwrap_or(0);
    let id = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    Ok(id.to_string())
}

/// The totals of a simulation.
#[derive(Default)]
pub struct SimulationSummary {
    games: u64,
    actions: u64,
    reasons: BTreeMap<String, u64>,
    wins: BTreeMap<String, f64>,
}

impl SimulationSummary {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        self.actions += record.actions.len() as u64;
        let Some(result) = &record.result else {
            return;
        };
        *self.reasons.entry(result.reason.to_string()).or_default() += 1;
        for rank in &result.ranks {
            if rank.share > 0.0 {
                *self.wins.entry(rank.nations.join(" + ")).or_default() += rank.share;
            }
        }
    }

    fn print(&self) {
        let list = |entries: Vec<String>| entries.join(", ");
        let reasons = self.reasons.iter().map(|(name, n)| format!("{name} {n}"));
        let wins = self.wins.iter().map(|(name, n)| format!("{name} {n}"));
        eprintln!("{} games, {} actions", self.games, self.actions);
        eprintln!("ended by: {}", list(reasons.collect()));
        eprintln!("won by: {}", list(wins.collect()));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use engine::setup::Player;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn ids_are_uuid_version_7_and_follow_from_the_whole_setup() -> anyhow::Result<()> {
        let at: Timestamp = "2026-11-20T18:00:00Z".parse()?;
        let seat = |name: &str| SetupSeat::bot(name);
        let setup = Setup {
            edition: "antike".to_owned(),
            board: "antike-east".to_owned(),
            seats: vec![seat("random"), seat("random")],
            seed: "7-0".to_owned(),
            max_rounds: Some(3),
            ..Setup::default()
        };
        let id = game_id(at, &setup)?;
        assert_eq!(Uuid::parse_str(&id)?.get_version_num(), 7);
        assert_eq!(id, game_id(at, &setup)?);
        type Change = fn(&mut Setup);
        let changes: [Change; 8] = [
            |setup| setup.edition = "antike_ii".to_owned(),
            |setup| setup.board = "antike-west".to_owned(),
            |setup| setup.ruleset_hash = Some("0".repeat(64)),
            |setup| setup.board_hash = Some("0".repeat(64)),
            |setup| setup.variants = vec!["military".to_owned()],
            |setup| {
                setup.seats[0].player = Player::Bot {
                    name: "greedy".to_owned(),
                }
            },
            |setup| setup.seed = "7-1".to_owned(),
            |setup| setup.max_rounds = Some(4),
        ];
        let mut ids = HashSet::from([
            id,
            game_id(at + jiff::SignedDuration::from_micros(1), &setup)?,
        ]);
        for change in changes {
            let mut other = setup.clone();
            change(&mut other);
            ids.insert(game_id(at, &other)?);
        }
        assert_eq!(ids.len(), 10);
        Ok(())
    }
}
