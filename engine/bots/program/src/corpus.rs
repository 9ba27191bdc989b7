//! `tabularium-bots corpus`: simulates games on every board with every number of nations.

use std::path::PathBuf;

use anyhow::Context;
use jiff::Timestamp;
use programs::DataOption;

use crate::shard::Shard;
use crate::simulate::Simulate;

/// Simulate games on every board with every number of nations, and write their records.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example, on the second of four machines:\n  \
    tabularium-bots corpus --bots search:400 --games 200 --shard 2/4 --out corpus\n\n\
    Each table of a board and a number of nations has a file, as `tabularium-bots simulate --seed \
        SEED-BOARD-NATIONS` would write it. If interrupted, run the same command again: it continues. The files of all \
        parts together are the whole: `tabularium import corpus/*.ndjson` merges them.")]
pub struct Corpus {
    /// The bot of all seats.
    #[arg(long, default_value = "search:100")]
    pub bots: String,
    /// The boards, separated by commas; all by default.
    #[arg(long, value_delimiter = ',')]
    pub boards: Vec<String>,
    /// The number of games for each board and number of nations.
    #[arg(long, default_value_t = 100)]
    pub games: u64,
    /// The seed of all chance.
    #[arg(long, default_value = "corpus")]
    pub seed: String,
    /// The last round of a game.
    #[arg(long, default_value_t = 200)]
    pub max_rounds: u32,
    /// The time at which the games were played; the current time by default.
    #[arg(long)]
    pub played_at: Option<Timestamp>,
    /// The part of the games to play, such as 2/4 on the second of four machines.
    #[arg(long, default_value_t)]
    pub shard: Shard,
    /// The boards and rulesets to use.
    #[command(flatten)]
    pub data: DataOption,
    /// The folder of the files; created if missing.
    #[arg(long)]
    pub out: PathBuf,
}

impl Corpus {
    /// Plays the games that are still missing.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        std::fs::create_dir_all(&self.out)
            .with_context(|| format!("cannot create {}", self.out.display()))?;
        let all = library.boards().map(|board| board.data.id.clone());
        let boards: Vec<String> = match &self.boards[..] {
            [] => all.collect(),
            some => some.to_vec(),
        };
        for board in boards {
            let found = library.board(&board);
            let found = found.with_context(|| format!("there is no board {board:?}"))?;
            for nations in found.data.starts.keys() {
                let file = match self.shard {
                    whole if whole == Shard::default() => format!("{board}-{nations}.ndjson"),
                    part => {
                        let part = part.to_string().replace('/', "-of-");
                        format!("{board}-{nations}-{part}.ndjson")
                    }
                };
                eprintln!("{file}");
                let simulate = Simulate {
                    edition: None,
                    board: board.clone(),
                    nations: Some(*nations),
                    bots: vec![self.bots.clone()],
                    variants: Vec::new(),
                    games: self.games,
                    seed: format!("{}-{board}-{nations}", self.seed),
                    max_rounds: self.max_rounds,
                    played_at: self.played_at,
                    data: self.data.clone(),
                    shard: self.shard,
                    out: self.out.join(file),
                    resume: true,
                };
                simulate.write(&library)?;
            }
        }
        Ok(())
    }
}
