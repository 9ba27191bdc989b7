//! Actions in notation.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use engine::content::Library;
use engine::play::Game;

use super::run::Reached;
use crate::support::golden;

/// One game of each board and number of nations among the golden records.
static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
    let mut known = BTreeSet::new();
    let mut games = Vec::new();
    for record in golden::records().values() {
        if known.insert((record.setup.board.clone(), record.setup.seats.len())) {
            let started = record.setup.start(Library::embedded());
            games.push(started.expect("it replays").0);
        }
    }
    games
});

/// Every action of the golden records once.
pub fn actions() -> Vec<String> {
    let records = golden::records();
    let all = records.values().flat_map(|record| &record.actions);
    let texts: BTreeSet<&str> = all.map(|text| text.trim_start_matches('-')).collect();
    texts.into_iter().map(str::to_owned).collect()
}

/// Checks that an action is preserved by printing and parsing, in notation and with names.
pub fn check(text: &str) -> Reached {
    let mut reached = Reached::Refused;
    for game in GAMES.iter() {
        let Ok((_, action)) = game.parse(text) else {
            continue;
        };
        let printed = game.print(&action);
        assert_eq!(game.parse(&printed), Ok((None, action)), "{printed}");
        let json = serde_json::to_string(&action.named(game)).expect("it has a JSON form");
        let named: engine::play::Action<engine::play::Names> =
            serde_json::from_str(&json).expect("its JSON form is one");
        assert_eq!(named.numbered(game), Ok(action), "{json}");
        reached = Reached::Accepted;
    }
    reached
}
