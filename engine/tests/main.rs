//! Tests of the engine through its public interface, a module for each subject: `cargo test --workspace --test engine`,
//! and behind `--` a module or a test, such as `rules::battle`.

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
