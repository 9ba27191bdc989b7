//! Random text that resembles the notation.

use proptest::prelude::*;

/// Words of the notation and near misses, in any order.
pub fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z_]{1,12}",
        "[0-9]{1,4}[LGCA]?(@[0-9]{1,3})?",
        "([migc][0-9]{0,3}){1,5}",
        "([0-9]{0,3}[LG]){1,3}",
        proptest::sample::select(vec![
            "stone", "temple", "arm", "develop", "march", "battle", "answer", "conquer", "found",
            "trade", "chip", "take", "city", "end", "resign", "giving", "greeks:", "greeks",
            "saba", "pella", "iron", "gold", "wheel", "L", "G", "0", "king", "é", ":", "-", ";",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(word, 0..6).prop_map(|words| words.join(" "))
}
