//! Properties of every position, tested by random walks and by arbitrary text for all parsers.

mod invariants;
mod positions;
mod text;
mod walk;
mod words;

use std::collections::BTreeSet;

use engine::play::{Action, Effect, Payments};
use engine::state::State;
use invariants::{Tally, check_state};
use walk::{Walk, random_action, setups};

/// Checks everything that must hold in the current position of a walk.
fn check_moment(walk: &mut Walk) {
    let (game, state) = (walk.game.clone(), walk.state.clone());
    check_state(&game, &state);
    let question = game.question(&state).expect("the walk goes on");

    let mut listed = Vec::new();
    game.legal_actions(&state, Payments::All, &mut listed);
    assert!(!listed.is_empty(), "nothing can be done");
    let mut default = Vec::new();
    game.legal_actions(&state, Payments::Default, &mut default);
    assert!(default.iter().all(|action| listed.contains(action)));
    for (index, action) in listed.iter().enumerate() {
        assert!(
            !listed[..index].contains(action),
            "{action:?} is listed twice"
        );
    }

    // Listed actions are accepted, printed and parsed; only a sample if there are many.
    for _ in 0..listed.len().min(12) {
        let action = listed[walk.below(listed.len())];
        assert_eq!(game.canonical(&state, action), action);
        let mut after = state.clone();
        let accepted = game.apply(&mut after, question.nation(), action, &mut Vec::new());
        assert_eq!(accepted, Ok(()), "{action:?}");
        text::check_round_trip(&game, &action);
    }

    // Any other action is refused without a change, or is another form of a listed action.
    for attempt in 0..24 {
        let action = match attempt % 3 {
            0 => random_action(walk),
            _ => {
                let base = listed[walk.below(listed.len())];
                walk::mutated(walk, base)
            }
        };
        let canonical = game.canonical(&state, action);
        match try_action(walk, &state, action) {
            Some(after) => {
                assert!(
                    listed.contains(&canonical),
                    "{action:?} is accepted, not listed"
                );
                let mut same = state.clone();
                game.apply(&mut same, question.nation(), canonical, &mut Vec::new())
                    .expect("it is listed");
                assert_eq!(after, same, "{action:?} is not {canonical:?}");
            }
            None => assert!(
                !listed.contains(&canonical),
                "{action:?} is refused, but listed"
            ),
        }
        text::check_round_trip(&game, &action);
    }

    // No other nation can act.
    for nation in game
        .all_nations()
        .filter(|nation| *nation != question.nation())
    {
        let action = listed[walk.below(listed.len())];
        let mut after = state.clone();
        assert!(
            game.apply(&mut after, nation, action, &mut Vec::new())
                .is_err()
        );
        assert_eq!(after, state);
    }
}

/// Returns the state after an action, or `None` if it is refused, which must not change anything.
fn try_action(walk: &Walk, state: &State, action: Action) -> Option<State> {
    let nation = walk.game.question(state)?.nation();
    let mut after = state.clone();
    let mut effects = Vec::new();
    match walk.game.apply(&mut after, nation, action, &mut effects) {
        Ok(()) => Some(after),
        Err(illegal) => {
            assert_eq!(after, *state, "{action:?} was refused and left a trace");
            assert!(effects.is_empty(), "{action:?} was refused with effects");
            assert_ne!(illegal.to_string(), "");
            None
        }
    }
}

#[test]
fn random_walks_keep_every_invariant() {
    for (index, setup) in setups().iter().enumerate() {
        for seed in 0..3 {
            let mut walk = Walk::start(setup, &format!("walk {index} {seed}"));
            for step in 0..60 {
                if walk.is_over() {
                    break;
                }
                check_moment(&mut walk);
                if step % 10 == 0 {
                    positions::check_position(&walk);
                }
                let mut tally = Tally::of(&walk.game, &walk.state);
                let effects = walk.step();
                effects.iter().for_each(|effect| tally.book(effect));
                assert_eq!(tally, Tally::of(&walk.game, &walk.state), "{effects:?}");
            }
            check_state(&walk.game, &walk.state);
        }
    }
}

#[test]
fn rich_positions_keep_every_invariant() {
    let setups = setups();
    let mut taken = BTreeSet::new();
    let (mut temples_taken, mut cards_passed) = (0, 0);
    for seed in 0..180 {
        let setup = &setups[seed % setups.len()];
        let rich = walk::rich_position(setup, &format!("rich {seed}"));
        let mut walk = Walk::start(&rich, &format!("rich walk {seed}"));
        for _ in 0..25 {
            if walk.is_over() {
                break;
            }
            check_moment(&mut walk);
            positions::check_position(&walk);
            let mut tally = Tally::of(&walk.game, &walk.state);
            let effects = walk.step();
            effects.iter().for_each(|effect| tally.book(effect));
            for effect in &effects {
                temples_taken += u32::from(matches!(effect, Effect::NeutralTempleTaken { .. }));
                cards_passed += u32::from(matches!(effect, Effect::BellonaPassed { .. }));
            }
            assert_eq!(tally, Tally::of(&walk.game, &walk.state), "{effects:?}");
        }
        check_state(&walk.game, &walk.state);
        taken.extend(walk.actions.iter().flat_map(|text| {
            let words = text.split(' ').map(str::to_owned);
            words.filter(|word| !word.ends_with(':')).take(1)
        }));
        let rare = |text: &&String| text.contains("giving") || text.ends_with("free");
        taken.extend(walk.actions.iter().filter(rare).cloned());
    }
    // The walks reach all kinds of actions, so that the invariants are tried on all of them.
    for kind in [
        "stone", "temple", "arm", "develop", "march", "battle", "answer", "conquer", "found",
        "trade", "chip", "take", "end", "resign", "wall", "recruit", "card", "play", "pass",
    ] {
        assert!(taken.contains(kind), "no walk has {kind}");
    }
    assert!(
        taken.iter().any(|text| text.contains("giving")),
        "no city was given up"
    );
    assert!(
        taken.iter().any(|text| text.ends_with("free")),
        "no free unit was set up"
    );
    assert!(temples_taken > 0, "no neutral temple was taken");
    assert!(cards_passed > 0, "the Bellona card stayed");
}
