//! Setups with positions, in JSON.

use engine::content::Library;
use engine::forms::View;
use engine::setup::Setup;

use super::play::{check_view, play_on};
use super::run::Reached;
use crate::properties::invariants::check_state;
use crate::support::golden;

/// The setups of the golden records with some of the positions that they reach.
pub fn setups() -> Vec<String> {
    let mut setups = Vec::new();
    for record in golden::records().values() {
        let every = record.actions.len() / 5 + 1;
        let replayed = record.replay(Library::embedded(), |step| {
            if step.index % every == 0 && step.game.question(step.state).is_some() {
                let view = View::with_deck(step.game, step.state);
                let setup = Setup {
                    position: Some(Box::new(view.into())),
                    ..record.setup.clone()
                };
                setups.push(serde_json::to_string(&setup).expect("it has a JSON form"));
            }
        });
        replayed.expect("it replays");
    }
    setups
}

/// Checks that a position that starts a game keeps every invariant and equals its view.
/// It checks this also after further actions.
pub fn check(text: &str) -> Reached {
    let library = Library::embedded();
    let Ok(setup) = serde_json::from_str::<Setup>(text) else {
        return Reached::Refused;
    };
    let Ok((game, mut state)) = setup.start(library) else {
        return Reached::Read;
    };
    for actions in [0, 20] {
        play_on(&game, &mut state, text, actions);
        check_state(&game, &state);
        check_view(&setup, &game, &state, library);
    }
    Reached::Accepted
}
