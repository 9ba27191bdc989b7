//! Golden games of Antike II: both boards, every number of nations, both variants.

use super::{Played, played};

/// The boards of the edition.
pub const MARE_NOSTRUM: &str = "antike-ii-mare-nostrum";
/// The other board, with sites for any resource.
pub const ORIENT: &str = "antike-ii-orient";

/// The games of bots from the set-up.
pub const PLAYED: &[Played] = &[
    played("orient_3_goal", ORIENT, &["greedy"; 3], &[], 1, 60),
    played("orient_4_goal", ORIENT, &["greedy"; 4], &[], 2, 60),
    played("orient_5_goal", ORIENT, &["greedy"; 5], &[], 3, 60),
    played("orient_6_goal", ORIENT, &["greedy"; 6], &[], 5, 60),
    played(
        "mare_nostrum_3_goal",
        MARE_NOSTRUM,
        &["greedy"; 3],
        &[],
        1,
        60,
    ),
    played(
        "mare_nostrum_4_goal",
        MARE_NOSTRUM,
        &["greedy"; 4],
        &[],
        2,
        60,
    ),
    played(
        "mare_nostrum_5_goal",
        MARE_NOSTRUM,
        &["greedy"; 5],
        &[],
        3,
        60,
    ),
    played(
        "mare_nostrum_6_goal",
        MARE_NOSTRUM,
        &["greedy"; 6],
        &[],
        5,
        60,
    ),
    played(
        "orient_6_temple_destroyed",
        ORIENT,
        &["greedy"; 6],
        &[],
        26,
        60,
    ),
    played(
        "mare_nostrum_6_temple_destroyed",
        MARE_NOSTRUM,
        &["greedy"; 6],
        &[],
        13,
        60,
    ),
    played(
        "orient_4_nine_scholars",
        ORIENT,
        &["greedy"; 4],
        &["nine_scholars"],
        8,
        60,
    ),
    played(
        "mare_nostrum_3_nine_scholars",
        MARE_NOSTRUM,
        &["greedy"; 3],
        &["nine_scholars"],
        1,
        60,
    ),
    played(
        "orient_4_free_city_types",
        ORIENT,
        &["greedy"; 4],
        &["free_city_types"],
        1,
        60,
    ),
    played(
        "mare_nostrum_5_both_variants",
        MARE_NOSTRUM,
        &["greedy"; 5],
        &["nine_scholars", "free_city_types"],
        4,
        60,
    ),
    played(
        "orient_4_military",
        ORIENT,
        &["greedy_military"; 4],
        &[],
        1,
        60,
    ),
    played(
        "mare_nostrum_4_growth",
        MARE_NOSTRUM,
        &["greedy_growth"; 4],
        &[],
        1,
        60,
    ),
    played(
        "orient_5_progress",
        ORIENT,
        &["greedy_progress"; 5],
        &[],
        1,
        60,
    ),
    played(
        "orient_3_random",
        ORIENT,
        &["random"; 3],
        &["free_city_types"],
        1,
        12,
    ),
    played(
        "mare_nostrum_6_random",
        MARE_NOSTRUM,
        &["random"; 6],
        &[],
        2,
        8,
    ),
    played(
        "orient_3_round_limit",
        ORIENT,
        &["greedy_progress", "greedy_military", "greedy_growth"],
        &[],
        8,
        26,
    ),
];
