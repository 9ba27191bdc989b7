//! Positions with their numbers of sequences of legal actions, and completing missing numbers.

use std::path::{Path, PathBuf};

use engine::content::Library;
use engine::forms::digest_text;
use engine::play::{Game, perft};
use engine::setup::Setup;
use engine::state::State;
use serde::{Deserialize, Serialize};

/// A position of `perft.json`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    pub setup: Setup,
    /// Actions from the start to the position, in notation, separated by `; `.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub actions: String,
    /// The digest of the position, which never changes, since records contain it. Absent in a new case.
    #[serde(default)]
    pub digest: Option<String>,
    /// The number of sequences of 1, 2, … actions; `null` if not counted yet.
    pub leaves: Vec<Option<u64>>,
}

impl Case {
    fn position(&self) -> (Game, State) {
        let (game, mut state) = self.setup.start(Library::embedded()).expect("it starts");
        for text in self.actions.split("; ").filter(|text| !text.is_empty()) {
            let (named, action) = game.parse(text).expect("it reads");
            let nation = named.or(game.question(&state).map(|question| question.nation()));
            let nation = nation.expect("the game goes on");
            game.apply(&mut state, nation, action, &mut Vec::new())
                .unwrap_or_else(|illegal| panic!("{}: {text}: {illegal}", self.name));
        }
        (game, state)
    }

    /// Returns the case with the counts of the current program.
    pub fn counted(&self) -> Case {
        let (game, state) = self.position();
        let leaves = (1..=self.leaves.len() as u32).map(|depth| Some(perft(&game, &state, depth)));
        Case {
            digest: Some(digest_text(state.digest())),
            leaves: leaves.collect(),
            ..self.clone()
        }
    }

    /// Returns the case with missing values from `counted`.
    ///
    /// # Errors
    /// If an existing value differs from `counted`; it is never changed.
    pub fn completed(&self, counted: &Case) -> Result<Case, String> {
        let mut moved: Vec<String> = Vec::new();
        if let (Some(was), Some(is)) = (&self.digest, &counted.digest)
            && was != is
        {
            moved.push(format!("{}: digest {was} is now {is}", self.name));
        }
        for (depth, (was, is)) in (1..).zip(self.leaves.iter().zip(&counted.leaves)) {
            if let (Some(was), Some(is)) = (was, is)
                && was != is
            {
                let name = &self.name;
                moved.push(format!("{name}: {was} sequences of {depth} are now {is}"));
            }
        }
        if !moved.is_empty() {
            return Err(moved.join("\n"));
        }
        Ok(counted.clone())
    }
}

/// The file of the cases.
pub fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft.json")
}

/// The committed cases.
pub fn cases() -> Vec<Case> {
    let json = std::fs::read_to_string(file()).expect("the file is there");
    serde_json::from_str(&json).expect("it reads")
}
