//! Rulesets and boards.

use std::path::Path;

use engine::chance::Chance;
use engine::content::{Board, Library, Ruleset};
use engine::setup::{Player, Setup, SetupSeat};

use super::play::{check_view, play_on};
use super::run::Reached;

/// Every released version of every ruleset or board.
pub fn files(kind: &str) -> Vec<String> {
    let entries = |path: &Path| {
        let entries = std::fs::read_dir(path).expect("a folder of data");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
        paths.sort();
        paths
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../data")
        .join(kind);
    let paths = entries(&root)
        .into_iter()
        .flat_map(|folder| entries(&folder));
    let read = |path| std::fs::read_to_string(path).expect("a readable file");
    paths.map(read).collect()
}

/// Plays games of a ruleset that loads, unless their setups are rejected.
pub fn check_ruleset(text: &str) -> Reached {
    let Ok(ruleset) = Ruleset::parse(text) else {
        return Reached::Refused;
    };
    let edition = ruleset.data.edition.clone();
    let mut library = Library::embedded().clone();
    let hash = ruleset.hash.to_string();
    library.add_ruleset(ruleset);
    let boards = library
        .boards()
        .filter(|board| board.data.edition == edition);
    let boards: Vec<String> = boards.map(|board| board.data.id.clone()).collect();
    check_games(text, &library, &boards, Some(hash), None)
}

/// Plays games on a board that loads, unless their setups are rejected.
pub fn check_board(text: &str) -> Reached {
    let Ok(board) = Board::parse(text) else {
        return Reached::Refused;
    };
    let mut library = Library::embedded().clone();
    let (id, hash) = (board.data.id.clone(), board.hash.to_string());
    library.add_board(board);
    check_games(text, &library, &[id], None, Some(hash))
}

/// Some games on each of the boards: any number of seats, any variant or none.
fn check_games(
    text: &str,
    library: &Library,
    boards: &[String],
    ruleset_hash: Option<String>,
    board_hash: Option<String>,
) -> Reached {
    let mut chance = Chance::new(text);
    let mut reached = Reached::Read;
    for id in boards {
        let board = library.board(id).expect("it was listed");
        let Some(ruleset) = library.ruleset(&board.data.edition) else {
            continue;
        };
        let mut counts: Vec<u8> = board.data.starts.keys().copied().collect();
        counts.push(2);
        let variants: Vec<&String> = ruleset.data.variants.keys().collect();
        for _ in 0..3 {
            let seats = counts[chance.below(counts.len() as u32) as usize];
            let variant = variants.get(chance.below(2 * variants.len() as u32 + 1) as usize);
            let seat = SetupSeat {
                nations: Vec::new(),
                player: Player::Open,
            };
            let setup = Setup {
                edition: board.data.edition.clone(),
                board: id.clone(),
                ruleset_hash: ruleset_hash.clone(),
                board_hash: board_hash.clone(),
                variants: variant.into_iter().map(ToString::to_string).collect(),
                seats: vec![seat; usize::from(seats)],
                seed: "fuzz".into(),
                ..Setup::default()
            };
            let Ok((game, mut state)) = setup.start(library) else {
                continue;
            };
            play_on(&game, &mut state, text, 50);
            let setup = setup.spelled_out(library).expect("it started");
            check_view(&setup, &game, &state, library);
            reached = Reached::Accepted;
        }
    }
    reached
}
