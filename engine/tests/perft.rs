//! Perft: counts sequences of legal actions, to detect changes of rules and of lists.
//!
//! `perft.json` has the counts to depths 1, 2, … To add a position, write it there without digest and with `null` for
//! each depth to count. Then run `cargo run --release -p engine --example perft`, which completes it and never changes
//! an existing digest or number. If a list changes on purpose, replace the affected counts by `null`, and give the
//! reason in the commit. A digest never changes, since records contain it.

use crate::support::perft::cases;

#[test]
fn every_count_is_as_committed() {
    for case in cases() {
        assert_eq!(case.counted().leaves, case.leaves, "{}", case.name);
    }
}

#[test]
fn every_digest_is_as_committed() {
    for case in cases() {
        assert_eq!(case.counted().digest, case.digest, "{}", case.name);
    }
}

#[test]
fn missing_values_are_completed_and_others_never_changed() {
    let case = cases().swap_remove(0);
    let counted = case.counted();
    let mut new = case.clone();
    new.digest = None;
    new.leaves = vec![None; case.leaves.len()];
    assert_eq!(new.completed(&counted), Ok(case.clone()));
    new.leaves[..2].copy_from_slice(&case.leaves[..2]);
    assert_eq!(new.completed(&counted), Ok(case.clone()));
    assert_eq!(case.completed(&counted), Ok(case.clone()));
    let mut other_digest = counted.clone();
    other_digest.digest = Some("0000000000000000".into());
    let mut other_count = counted.clone();
    other_count.leaves[1] = Some(0);
    for other in [other_digest, other_count] {
        let error = case.completed(&other).expect_err("a number would change");
        assert!(error.starts_with(&case.name), "{error}");
    }
    // A count stays even if another one is missing.
    new.leaves[0] = Some(0);
    assert!(new.completed(&counted).is_err());
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
