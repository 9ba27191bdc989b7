//! Perft: the number of sequences of legal actions from known positions, so that a change of the
//! rules, or of what is listed, does not go unseen. `perft.json` has the counts to depths 1, 2, …
//!
//! When the rules have moved on purpose, write the counts anew with
//! `cargo test -p engine --test perft -- --ignored`, and look at every one that differs.

use std::path::Path;

use engine::content::Library;
use engine::forms::digest_text;
use engine::play::{Game, perft};
use engine::record::Setup;
use engine::state::State;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize)]
struct Case {
    name: String,
    setup: Setup,
    /// Actions from the start to the position, in notation, parted by `; `.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    actions: String,
    /// The digest of the position, which never changes: records carry it.
    digest: String,
    /// The number of sequences of 1, 2, … actions.
    leaves: Vec<u64>,
}

impl Case {
    fn position(&self) -> (Game, State) {
        let (game, mut state) = self.setup.start(Library::embedded()).expect("it starts");
        for text in self.actions.split("; ").filter(|text| !text.is_empty()) {
            let (named, action) = game.parse(text).expect("it reads");
            let nation = named.or(game.question(&state).map(|question| question.asked()));
            let nation = nation.expect("the game goes on");
            game.apply(&mut state, nation, action, &mut Vec::new())
                .unwrap_or_else(|illegal| panic!("{}: {text}: {illegal}", self.name));
        }
        (game, state)
    }

    fn counted(&self) -> Vec<u64> {
        let (game, state) = self.position();
        (1..=self.leaves.len() as u32)
            .map(|depth| perft(&game, &state, depth))
            .collect()
    }
}

fn file() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft.json")
}

fn cases() -> Vec<Case> {
    let json = std::fs::read_to_string(file()).expect("the file is there");
    serde_json::from_str(&json).expect("it reads")
}

#[test]
fn every_count_is_as_committed() {
    for case in cases() {
        assert_eq!(case.counted(), case.leaves, "{}", case.name);
    }
}

#[test]
fn every_digest_is_as_committed() {
    for case in cases() {
        let (_, state) = case.position();
        assert_eq!(digest_text(state.digest()), case.digest, "{}", case.name);
    }
}

#[test]
fn each_board_and_number_of_nations_is_counted() {
    let cases = cases();
    let antike = [(2, 0), (2, 1), (3, 0), (4, 0), (5, 0), (6, 0)];
    let antike_ii = [(3, 0), (3, 1), (4, 0), (4, 1), (5, 0), (6, 0)];
    let duellum = [(2, 0), (2, 1)];
    for (board, kinds) in [
        ("antike-east", &antike[..]),
        ("antike-west", &antike),
        ("antike-ii-mare-nostrum", &antike_ii),
        ("antike-ii-orient", &antike_ii),
        ("duellum-rome-carthage", &duellum),
        ("duellum-greece-persia", &duellum),
    ] {
        for &(seats, variants) in kinds {
            let counted = cases.iter().filter(|case| {
                let setup = &case.setup;
                setup.board == board
                    && setup.seats.len() == seats
                    && setup.variants.len() == variants
            });
            assert!(counted.count() >= 1, "{board} with {seats} seats");
        }
    }
}

#[test]
#[ignore = "writes the committed counts anew"]
fn regenerate() {
    let mut cases = cases();
    for case in &mut cases {
        case.leaves = case.counted();
        case.digest = digest_text(case.position().1.digest());
    }
    let json = serde_json::to_string_pretty(&cases).expect("it is JSON");
    std::fs::write(file(), json + "\n").expect("it can be written");
}
