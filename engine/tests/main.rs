//! Tests of the engine through its public interface: `cargo test --workspace --test engine`.
//! Each subject has a module. Add a module or a test after `--`, such as `rules::battle`.

mod content;
mod layers;
mod perft;
mod properties;
mod released;
mod rule_texts;
mod rules;
mod rules_antike_duellum;
mod rules_antike_ii;
mod support;
