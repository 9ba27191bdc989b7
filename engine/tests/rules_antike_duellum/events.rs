//! The event cards that are played at any time of the turn [D41] [D43].

use engine::content::CardEffect;
use engine::play::{Effect, Reason};
use engine::words::Unit;

use super::boards::*;
use crate::rules::table::*;

/// Plays a card at every point of a turn where one of these can be played.
#[track_caller]
fn played_at_any_time(position: impl Fn() -> Position, card: &str) {
    let moments = [
        "stone iron; end; stone iron; end",
        "stone iron",
        "stone arming",
        "stone temple",
        "stone maneuver_1",
        "stone maneuver_1; conquer carales 1G",
        "stone know_how; found genua iron",
    ];
    for moment in moments {
        let ready = || {
            let position = position().with("romans 1G carales; romans 1L genua");
            let held = position.body.nations["romans"].coins.max(3);
            position.holds("romans", &format!("m9i9g9c{held}"))
        };
        let mut table = ready().table();
        assert_ne!(table.listed(card), [] as [&str; 0], "before the stone");
        table.play(moment);
        assert_ne!(table.listed(card), [] as [&str; 0], "{moment}");
        table.play(card);
    }
}

#[test]
fn d43_the_deck_is_as_the_digest_lists_it() {
    let table = Table::start(&rome_carthage());
    let cards = table.game.rules.data.cards.as_ref().expect("cards");
    let counts: Vec<_> = cards
        .deck
        .iter()
        .map(|card| (card.name.as_str(), card.copies))
        .collect();
    assert_eq!(
        counts,
        [
            ("ACADEMY", 2),
            ("BURGLARY", 2),
            ("EARTHQUAKE", 2),
            ("FORTRESS", 3),
            ("FORCED MARCH", 2),
            ("FAIR WIND", 2),
            ("MASTER BUILDER", 2),
            ("RICH HARVEST", 2),
            ("MERCENARIES", 2),
            ("CONSCRIPTION", 2),
            ("TRIBUTE", 2),
            ("SETTLERS", 2),
        ]
    );
    assert_eq!(counts.iter().map(|(_, copies)| copies).sum::<u8>(), 25);
    let any_time = cards.deck.iter().filter(|card| card.effect.any_time());
    let any_time: Vec<_> = any_time.map(|card| card.id.as_str()).collect();
    assert_eq!(
        any_time,
        [
            "burglary",
            "earthquake",
            "mercenaries",
            "conscription",
            "tribute"
        ]
    );
    let defends = cards.deck.iter().find(|card| card.effect.defends());
    assert_eq!(
        defends.map(|card| card.effect),
        Some(CardEffect::Defend { defence: 1 })
    );
}

#[test]
fn d43_assumptions_about_the_cards_are_marked() {
    let table = Table::start(&rome_carthage());
    let assumed = &table.game.ruleset.data.assumed;
    for printed in ["academy", "burglary", "earthquake", "fortress"] {
        let card = table.game.ruleset.card_by_name(printed).expect("it exists");
        let index = card.index();
        assert!(assumed.contains(&format!("/cards/deck/{index}/copies")));
        assert!(!assumed.contains(&format!("/cards/deck/{index}")));
    }
    for index in 4..12 {
        assert!(assumed.contains(&format!("/cards/deck/{index}")));
    }
}

#[test]
fn d43_burglary_takes_half_of_the_opponents_coins_rounded_down() {
    for (coins, left) in [(2, 1), (3, 2), (4, 2), (7, 4)] {
        let table = rome()
            .with("romans hand burglary")
            .holds("carthaginians", &format!("m4c{coins}"))
            .play("play burglary");
        assert_eq!(table.holds("carthaginians"), (4, 0, 0, left));
        // They go to the bank.
        assert_eq!(table.holds("romans"), (0, 0, 0, 0));
        assert_eq!(u16::from(table.state.bank.coins), 24 - left);
    }
}

#[test]
fn d41_burglary_needs_two_coins_to_take_from() {
    let table = |coins: &str| {
        rome()
            .with("romans hand burglary; romans hold c9")
            .holds("carthaginians", coins)
            .table()
    };
    for coins in ["m9", "c1"] {
        let table = table(coins);
        assert_eq!(table.refuses("play burglary", "D41"), Reason::NoEffect);
        assert_eq!(table.listed("play"), [] as [&str; 0]);
    }
    assert_eq!(table("c2").listed("play"), ["play burglary"]);
}

#[test]
fn d41_the_second_burglary_takes_half_of_the_rest() {
    let table = rome()
        .with("romans hand burglary burglary; carthaginians hold c9")
        .play("play burglary; play burglary");
    assert_eq!(table.holds("carthaginians"), (0, 0, 0, 3));
}

#[test]
fn d41_burglary_at_any_time_of_the_turn() {
    let position = || rome().with("romans hand burglary; carthaginians hold c4");
    played_at_any_time(position, "play burglary");
}

#[test]
fn d43_earthquake_destroys_any_wall_into_its_owners_supply() {
    let position = || rome().with("romans hand earthquake; walls roma carthago");
    let mut table = position().table();
    table.lists("play", "play earthquake carthago; play earthquake roma");
    table.play("play earthquake carthago");
    assert!(!table.has_wall("carthago") && table.has_wall("roma"));
    assert_eq!(table.walls_left("carthaginians"), 1);
    let destroyed = Effect::WallDestroyed {
        nation: table.id("carthaginians"),
        region: table.region("carthago"),
    };
    assert!(table.effects.contains(&destroyed));
    // Its own wall can be of use elsewhere.
    let mut table = position().holds("romans", "m1").table();
    table.play("stone temple; play earthquake roma; wall neapolis");
    assert!(table.has_wall("neapolis"));
}

#[test]
fn d41_earthquake_needs_a_wall_there() {
    let table = rome()
        .with("romans hand earthquake; walls carthago")
        .table();
    for region in ["roma", "carales", "corsica"] {
        let text = format!("play earthquake {region}");
        assert_eq!(table.refuses(&text, "D41"), Reason::NoWallThere);
    }
    let table = rome().hand("romans", &["earthquake"]).table();
    assert_eq!(table.listed("play"), [] as [&str; 0]);
}

#[test]
fn d43_an_earthquake_opens_the_city_to_a_conquest() {
    let mut table = rome()
        .with("romans hand earthquake earthquake; walls carthago; romans 1L carthago")
        .play("stone maneuver_1");
    assert_eq!(table.listed("conquer"), [] as [&str; 0]);
    table.play("play earthquake carthago; conquer carthago 1L");
    assert_eq!(table.owner("carthago"), Some("romans"));
}

#[test]
fn d41_earthquake_at_any_time_of_the_turn() {
    let position = || rome().hand("romans", &["earthquake"]).walls(&["carthago"]);
    played_at_any_time(position, "play earthquake carthago");
}

#[test]
fn d43_mercenaries_place_a_unit_for_nothing_and_outside_the_limit() {
    let table = rome()
        .with("romans hand mercenaries mercenaries; romans box 3L1G; romans hold i2")
        .play("stone arming; play mercenaries roma L; arm roma L; play mercenaries roma G");
    assert_eq!(table.units("roma", "romans"), (2, 1));
    assert_eq!(table.boxed("romans"), (1, 0));
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d43_mercenaries_fight_on_arrival() {
    let table = rome()
        .with("romans hand mercenaries; carthaginians 1L roma")
        .play("play mercenaries roma L");
    assert_eq!(table.units("roma", "carthaginians"), (0, 0));
    assert_eq!(table.units("roma", "romans"), (0, 0));
    assert_eq!(table.boxed("romans"), (1, 1));
    assert_eq!(table.boxed("carthaginians"), (2, 1));
}

#[test]
fn d41_mercenaries_go_where_a_unit_may_be_placed() {
    let hand = ["mercenaries", "conscription"];
    let table = || rome().hand("romans", &hand).boxed("romans", 0, 1);
    let mut table = table().table();
    let no_legion = Reason::NotInBox { unit: Unit::Legion };
    assert_eq!(table.refuses("play mercenaries roma L", "D41"), no_legion);
    assert_eq!(
        table.listed("play mercenaries"),
        ["play mercenaries neapolis G", "play mercenaries roma G"]
    );
    let reason = table.refuses("play mercenaries cremona G", "D41");
    assert_eq!(reason, Reason::NoBorderFor { unit: Unit::Galley });
    for region in ["carthago", "ancona"] {
        let text = format!("play mercenaries {region} G");
        assert_eq!(table.refuses(&text, "D41"), Reason::NoOwnCity);
    }
    // What has just been recruited was not in the box when the turn began.
    table.play("play conscription L");
    assert_eq!(table.refuses("play mercenaries roma L", "D41"), no_legion);
    let empty = rome().hand("romans", &hand).boxed("romans", 0, 0).table();
    assert_eq!(empty.listed("play mercenaries"), [] as [&str; 0]);
}

#[test]
fn d43_units_lost_this_turn_are_not_placed_by_mercenaries() {
    let table = rome()
        .with("romans hand mercenaries mercenaries; carthaginians 2L roma")
        .play("play mercenaries roma L");
    let reason = table.refuses("play mercenaries roma L", "D41");
    assert_eq!(reason, Reason::NotInBox { unit: Unit::Legion });
}

#[test]
fn d43_mercenaries_placed_before_the_movement_move_like_the_others() {
    for actions in [
        "play mercenaries roma L; stone maneuver_1",
        "stone maneuver_1; play mercenaries roma L",
    ] {
        let mut table = rome().hand("romans", &["mercenaries"]).table();
        table.play(actions).play("march 1L roma ancona");
        assert_eq!(table.units("ancona", "romans"), (1, 0));
        table.refuses("march 1L ancona cremona", "D24");
    }
}

#[test]
fn d43_mercenaries_are_no_special_unit() {
    let table = rome_with_special_units()
        .hand("romans", &["mercenaries"])
        .boxed("romans", 0, 0)
        .temples(&["roma"])
        .table();
    assert_eq!(table.listed("play"), [] as [&str; 0]);
    assert!(table.game.parse("play mercenaries roma A").is_err());
}

#[test]
fn d41_mercenaries_at_any_time_of_the_turn() {
    let position = || rome().hand("romans", &["mercenaries"]);
    played_at_any_time(position, "play mercenaries roma L");
}

#[test]
fn d43_conscription_moves_two_legions_or_one_galley_to_the_box() {
    let position = || rome().hand("romans", &["conscription", "conscription"]);
    let mut table = position().table();
    table.play("play conscription L; play conscription G");
    assert_eq!(table.boxed("romans"), (3, 2));
    assert_eq!(table.supply("romans"), (9, 10));
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    // As far as the supply has them.
    let mut table = position().boxed("romans", 11, 12).table();
    table.play("play conscription L");
    assert_eq!(table.boxed("romans"), (12, 12));
}

#[test]
fn d41_conscription_needs_such_a_unit_in_the_supply() {
    let table = rome()
        .with("romans hand conscription; romans box 2L12G; romans 10L roma")
        .table();
    table.refuses_because("play conscription L", "D41", Reason::NoEffect);
    table.refuses_because("play conscription G", "D41", Reason::NoEffect);
    assert_eq!(table.listed("play"), [] as [&str; 0]);
}

#[test]
fn d41_conscription_at_any_time_of_the_turn() {
    let position = || rome().hand("romans", &["conscription"]);
    played_at_any_time(position, "play conscription G");
}

#[test]
fn d43_tribute_takes_two_coins_from_the_bank_as_far_as_it_has_them() {
    let position = || rome().hand("romans", &["tribute", "tribute"]);
    let mut table = position().table();
    table.play("play tribute");
    assert_eq!(table.holds("romans"), (0, 0, 0, 2));
    assert_eq!(table.state.bank.coins, 22);
    let mut table = position().holds("carthaginians", "c23").table();
    table.play("play tribute");
    assert_eq!(table.holds("romans"), (0, 0, 0, 1));
    assert_eq!(table.refuses("play tribute", "D41"), Reason::NoEffect);
    assert_eq!(table.listed("play"), [] as [&str; 0]);
}

#[test]
fn d41_tribute_at_any_time_of_the_turn() {
    let position = || rome().hand("romans", &["tribute"]);
    played_at_any_time(position, "play tribute");
}
