//! Variants [B41] [B42].

use engine::play::Reason;
use engine::words::{Personage, Resource};

use super::boards::*;
use crate::rules::table::*;

fn nine_scholars() -> Position {
    Position::of(with_variants(mare_nostrum(4), &["nine_scholars"]))
}

#[test]
fn b41_the_first_nation_with_all_know_hows_wins_the_ninth_scholar() {
    let position =
        || nine_scholars().with("romans know all but strata; greeks know strata; romans hold g9");
    let table = position().table();
    assert_eq!(table.state.bank.personages[Personage::Scholar.index()], 9);
    let mut table = position().table();
    table.play("stone know_how; develop strata; end");
    assert_eq!(table.won(), [Personage::Scholar]);
    assert_eq!(table.acts(), Some("germanic_tribes"));
    // The eighth know-how may win its own scholar as well.
    let table = nine_scholars()
        .with("romans know all but strata; romans hold g9")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.won(), [Personage::Scholar, Personage::Scholar]);
}

#[test]
fn b41_the_second_nation_with_all_of_them_wins_nothing() {
    let table = nine_scholars()
        .with("romans know all but strata; greeks know all; romans hold g9")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.won(), []);
}

#[test]
fn b41_the_ninth_scholar_counts_for_the_goal_and_is_won_once() {
    let mut table = nine_scholars()
        .with("romans know all but strata; greeks know strata; romans hold g9; romans have 8 king")
        .table();
    let mut later = nine_scholars()
        .with("romans know all; romans have 1 scholar")
        .table();
    table.play("stone know_how; develop strata; end");
    assert_eq!(
        table.outcome().map(|(reason, _)| reason),
        Some(engine::words::EndReason::Goal)
    );
    later.play("stone know_how; end");
    assert_eq!(later.won(), []);
}

#[test]
fn b42_the_founder_chooses_the_resource_of_every_city() {
    let mut table = Position::of(with_variants(mare_nostrum(4), &["free_city_types"]))
        .with("romans 1L sparta; romans 1G mare_tyrrhenum; romans hold m2i2g2")
        .play("stone iron");
    assert_eq!(table.refuses("found sparta", "B42"), Reason::ResourceNeeded);
    table.lists(
        "found",
        "found sparta marble; found sparta iron; found sparta gold",
    );
    table.refuses_because("found mare_tyrrhenum iron", "B29", Reason::NoSite);
    table.play("found sparta iron");
    assert_eq!(table.resource("sparta"), Some(Resource::Iron));
}

#[test]
fn b42_without_the_variant_the_site_decides() {
    let mut table = west().with("romans 1L sparta; romans hold m2i2g2").table();
    table.play("stone iron");
    let reason = table.refuses("found sparta iron", "B29");
    assert_eq!(
        reason,
        Reason::WrongResource {
            resource: Resource::Iron
        }
    );
}

#[test]
fn b41_b42_go_together_and_others_do_not_exist() {
    let both = ["nine_scholars", "free_city_types"];
    Table::start(&with_variants(mare_nostrum(5), &both));
    for variants in [&["expert"] as &[&str], &["nine_scholars", "nine_scholars"]] {
        let error = refused(&with_variants(mare_nostrum(5), variants));
        assert!(error.field.starts_with("variants["));
    }
}

#[test]
fn b41_the_ninth_scholar_comes_with_the_ordinary_one_even_beyond_the_goal() {
    let table = nine_scholars()
        .with("romans know all but strata; romans hold g6; romans have 8 king")
        .play("stone know_how; develop strata; end");
    assert_eq!(table.won(), [Personage::Scholar, Personage::Scholar]);
    assert_eq!(table.points("romans"), 10);
    assert_eq!(
        table.outcome().map(|(reason, _)| reason),
        Some(engine::words::EndReason::Goal)
    );
}
