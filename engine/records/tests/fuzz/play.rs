//! Random play from any position.

use engine::chance::Chance;
use engine::content::Library;
use engine::forms::{Position, View, digest_text};
use engine::play::{Action, Game, Payments};
use engine::setup::Setup;
use engine::state::State;

/// Plays random legal actions, each kind equally likely, up to `actions` or the end of the game.
///
/// It checks that a nation can always act, that listed actions are accepted and preserved as text, and that actions
/// that were legal earlier are accepted, or refused without a change.
pub fn play_on(game: &Game, state: &mut State, seed: &str, actions: usize) {
    let mut chance = Chance::new(seed);
    let mut effects = Vec::new();
    let mut earlier: Vec<Action> = Vec::new();
    for _ in 0..actions {
        let Some(question) = game.question(state) else {
            return;
        };
        let mut listed = Vec::new();
        let payments = match chance.below(4) {
            0 => Payments::All,
            _ => Payments::Default,
        };
        game.legal_actions(state, payments, &mut listed);
        if let Some(last) = earlier.len().checked_sub(1) {
            let action = earlier[chance.below(last as u32 + 1) as usize];
            let mut after = state.clone();
            if (game.apply(&mut after, question.nation(), action, &mut effects)).is_err() {
                assert_eq!(after, *state, "{action:?} is refused");
            }
        }
        earlier.extend(&listed);
        let mut kinds: Vec<&str> = listed.iter().map(Action::type_name).collect();
        kinds.dedup();
        assert!(!kinds.is_empty(), "{question:?} has no answer");
        let kind = kinds[chance.below(kinds.len() as u32) as usize];
        listed.retain(|action| action.type_name() == kind);
        let action = listed[chance.below(listed.len() as u32) as usize];
        let text = game.print_by(state, question.nation(), &action);
        assert_eq!(
            game.read(state, &text),
            Ok((question.nation(), action)),
            "{text}"
        );
        effects.clear();
        let applied = game.apply(state, question.nation(), action, &mut effects);
        assert_eq!(applied, Ok(()), "{text} is listed");
    }
}

/// The view of a state is a position of the same state while the game goes on.
pub fn check_view(setup: &Setup, game: &Game, state: &State, library: &Library) {
    let view = View::with_deck(game, state);
    assert_eq!(view.digest, digest_text(state.digest()));
    if state.outcome.is_some() {
        return;
    }
    let json = serde_json::to_string(&view).expect("it has a JSON form");
    let position: Position = serde_json::from_str(&json).expect("its JSON form is one");
    let setup = Setup {
        position: Some(Box::new(position)),
        ..setup.clone()
    };
    match setup.start(library) {
        Ok((_, restarted)) => assert_eq!(restarted.digest(), state.digest(), "{json}"),
        Err(error) => panic!("{}: {error}: {json}", error.first().field),
    }
}
