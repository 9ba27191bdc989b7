//! Positions preserve the whole state.

use engine::content::Library;
use engine::forms::{Position, View, digest_text};

use super::walk::Walk;

/// Checks that the position of a walk, read from its wire form, is the same state.
pub fn check_position(walk: &Walk) {
    let body = View::with_deck(&walk.game, &walk.state);
    let json = serde_json::to_string(&body).expect("it is JSON");
    let read: Position = serde_json::from_str(&json).expect("it reads");
    assert_eq!(read, Position::from(body.clone()));
    let mut setup = walk.setup.clone();
    setup.position = Some(Box::new(read));
    let (_, state) = setup
        .start(Library::embedded())
        .unwrap_or_else(|error| panic!("{}: {error}: {json}", error.first().field));
    assert_eq!(state, walk.state);
    assert_eq!(digest_text(state.digest()), body.digest);
}
