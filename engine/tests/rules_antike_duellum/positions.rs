//! Games that start from a position of Antike Duellum.
//!
//! A printed position is read back exactly. An impossible position is rejected with the name of the wrong field.

use engine::chance::Chance;
use engine::forms::{
    CardChoiceBody, FortressBody, Position as Written, SpecialUnitBody, UnitsBody,
};
use engine::play::{Action, Payments};
use engine::state::SpecialPlace;
use engine::words::{Field, Personage, Phase, Resource, SpecialUnit};

use super::boards::*;
use super::listed::{lists_what_is_accepted, rich};
use crate::rules::table::*;

/// How many games full of cards are played at random.
const WALKS: usize = 12;

/// Checks that the game continues in the same way from its JSON.
#[track_caller]
fn goes_on(table: &Table) {
    let json = serde_json::to_string(&table.body()).expect("it is JSON");
    let mut setup = table.setup.clone();
    setup.position = serde_json::from_str(&json).expect("it reads");
    let restarted = Table::start(&setup);
    assert_eq!(restarted.state, table.state);
    assert_eq!(restarted.state.digest(), table.state.digest());
    assert_eq!(restarted.question(), table.question());
    let all = Payments::All;
    assert_eq!(restarted.listed_with(all, ""), table.listed_with(all, ""));
}

#[test]
fn d03_d05_a_start_is_read_back() {
    for setup in [rome_carthage(), greece_persia()] {
        goes_on(&Table::start(&setup));
        goes_on(&Table::start(&with_variants(setup, &["special_units"])));
    }
}

#[test]
fn d15_d16_walls_boxes_hands_and_used_cards_are_read_back() {
    let mut table = rome()
        .with("walls roma carthago; romans have 2 general; romans box 4L; carthaginians box 9G")
        .with("romans hand tribute conscription conscription; carthaginians hand fortress academy")
        .with("used burglary tribute; romans hold m9i9g9c5")
        .table();
    goes_on(&table);
    for actions in [
        "play tribute",
        "stone arming",
        "play conscription G",
        "arm roma L",
    ] {
        table.play(actions);
        goes_on(&table);
    }
    assert_eq!(
        table.body().turn_state.armable,
        Some(UnitsBody {
            legions: 3,
            galleys: 0
        })
    );
}

#[test]
fn d43_effects_prepared_by_cards_are_read_back() {
    let table = rome()
        .with("open academy burglary tribute; romans hand master_builder settlers")
        .with("romans 1L ancona; romans hold m9i9g9c5")
        .play("stone temple; play master_builder; play settlers");
    goes_on(&table);
    let mut table = rome_with_special_units()
        .with("open academy burglary tribute; romans hand forced_march fair_wind fair_wind")
        .with("romans special roma; romans 2L2G roma")
        .table();
    for actions in [
        "stone maneuver_1",
        "play forced_march; march 1L roma ancona",
        "play fair_wind; march 1A roma corsica; march 1G roma neapolis",
        "play fair_wind",
        "march 1A corsica massilia",
    ] {
        table.play(actions);
        goes_on(&table);
    }
}

#[test]
fn d43_a_declared_conquest_and_a_saved_city_are_read_back() {
    let mut table = rome()
        .with("carthaginians hand fortress fortress; romans 1L carthago; romans 3G carales")
        .table();
    for actions in [
        "stone maneuver_1; conquer carthago 1L",
        "play fortress",
        "conquer carales 1G",
        "play fortress",
        "end",
        "card settlers",
    ] {
        table.play(actions);
        goes_on(&table);
    }
}

#[test]
fn d50_special_units_on_the_board_and_in_the_box_are_read_back() {
    let mut table = rome_with_special_units()
        .with("romans special corsica; temples carthago; carthaginians hold i9")
        .turn_of("carthaginians")
        .table();
    goes_on(&table);
    for actions in ["stone arming", "arm carthago C", "end"] {
        table.play(actions);
        goes_on(&table);
    }
}

#[test]
fn d40_every_moment_of_games_full_of_cards_is_read_back() {
    let mut chance = Chance::new("walks");
    let mut questions = 0;
    for walk in 0..WALKS {
        let to_move = ["romans", "carthaginians"][walk % 2];
        let mut table = rich().turn_of(to_move).table();
        let mut list = Vec::new();
        for step in 0..80 {
            let Some(question) = table.game.question(&table.state) else {
                break;
            };
            questions += u32::from(table.state.question.is_some());
            (table.game).legal_actions(&table.state, Payments::Default, &mut list);
            // Trades would drown everything else.
            let rest = |action: &Action| !matches!(action, Action::Trade { .. });
            let list: Vec<Action> = list.iter().copied().filter(rest).collect();
            let action = list[chance.below(list.len() as u32) as usize];
            let applied = table.apply(question.nation(), action);
            assert_eq!(applied, Ok(()), "{}", table.game.print(&action));
            if table.state.outcome.is_none() {
                goes_on(&table);
                if step % 10 == walk % 10 {
                    lists_what_is_accepted(&table);
                }
            }
        }
    }
    assert!(questions > 20, "only {questions} questions were asked");
}

#[test]
fn d40_derived_values_can_be_omitted_and_must_be_right_if_given() {
    let mut setup = rome().walls(&["roma"]).setup();
    let body = setup.position.as_mut().expect("a position");
    body.bank.cities.extend([
        (Resource::Marble, 10),
        (Resource::Iron, 10),
        (Resource::Gold, 8),
    ]);
    let nation = body.nations.get_mut("romans").expect("it plays");
    nation.walls = Some(0);
    body.cards.as_mut().expect("cards").deck = 22;
    Table::start(&setup);
    blames("position.bank.cities", rome(), |body| {
        body.bank.cities.insert(Resource::Gold, 9);
    });
    blames(
        "position.nations.romans.walls",
        rome().walls(&["roma"]),
        |body| {
            body.nations.get_mut("romans").expect("it plays").walls = Some(1);
        },
    );
    blames("position.cards.deck", rome(), |body| {
        body.cards.as_mut().expect("cards").deck = 21;
    });
}

#[test]
fn d03_a_box_has_no_more_units_than_there_are() {
    let field = "position.nations.romans.recruitment_box";
    let error = refused(&rome().boxed("romans", 13, 0).setup());
    assert_eq!(error.field, field);
    // If omitted, it is empty.
    let mut position = rome().boxed("romans", 2, 1);
    let romans = position.body.nations.get_mut("romans").expect("they play");
    romans.recruitment_box = None;
    let table = position.table();
    assert_eq!(table.state.nation(table.id("romans")).boxed, [0, 0]);
    // Units on the board and in the box together.
    let error = refused(&rome().with("romans box 4L; romans 9L roma").setup());
    assert_eq!(error.field, "position.regions.roma");
}

#[test]
fn d02_no_more_cities_of_a_resource_than_tokens() {
    Table::start(&rome().gold_cities("romans", &SITES[..8]).setup());
    let error = refused(&rome().gold_cities("romans", &SITES).setup());
    assert_eq!(error.field, "position.regions");
}

#[test]
fn d33_no_more_walls_on_the_board_than_the_track_has_given() {
    let error = refused(&rome().walls(&["roma", "neapolis"]).setup());
    assert_eq!(error.field, "position.nations.romans");
    let more = rome().personages("romans", Personage::King, 1);
    Table::start(&more.walls(&["roma", "neapolis"]).setup());
}

#[test]
fn d25_hostile_units_of_a_kind_cannot_stand_together() {
    let position = || rome().units("roma", "romans", 1, 0);
    let error = refused(&position().units("roma", "carthaginians", 1, 0).setup());
    assert_eq!(error.field, "position.regions.roma");
    Table::start(&position().units("roma", "carthaginians", 0, 1).setup());
}

#[test]
fn d50_hostile_units_of_its_kind_stand_with_a_special_unit_if_they_were_armed_there() {
    let position = || {
        let admiral = rome_with_special_units().special("romans", "corsica");
        admiral.units("corsica", "carthaginians", 0, 1)
    };
    let error = refused(&position().by_version(1).setup());
    assert_eq!(error.field, "position.regions.corsica");
    Table::start(&position().by_version(2).setup());
}

#[test]
fn d40_no_card_is_in_two_places() {
    let error = refused(&rome().with("romans hand academy academy academy").setup());
    assert_eq!(error.field, "position.nations.romans.cards");
    let hands = rome().hand("romans", &["settlers", "settlers"]);
    assert_eq!(refused(&hands.setup()).field, "position.cards.open");
    let used = rome().used(&["settlers", "settlers"]);
    assert_eq!(refused(&used.setup()).field, "position.cards.used");
    let unknown = rome().hand("carthaginians", &["plague"]);
    let error = refused(&unknown.setup());
    assert_eq!(error.field, "position.nations.carthaginians.cards");
    assert_eq!(error.message, "the edition has no card \"plague\"");
}

#[test]
fn d40_three_cards_lie_open_while_there_are_any() {
    for open in [
        &["tribute", "academy"] as &[&str],
        &[],
        &["tribute", "academy", "academy", "settlers"],
    ] {
        let error = refused(&rome().open(open).setup());
        assert_eq!(error.field, "position.cards.open");
    }
    // Two will do when all others are held.
    let two = rome().open(&["tribute", "academy"]);
    Table::start(&two.deck(&[], "romans").setup());
    blames("position.cards", rome(), |body| body.cards = None);
}

#[test]
fn d40_the_order_of_the_deck_has_the_cards_that_are_left() {
    let order = || rome().table().deck();
    let mut setup = rome().setup();
    let reversed: Vec<String> = order().into_iter().rev().collect();
    let body = setup.position.as_mut().expect("a position");
    body.cards.as_mut().expect("cards").order = Some(reversed.clone());
    assert_eq!(Table::start(&setup).deck(), reversed);
    let mut fewer = order();
    fewer.pop();
    let mut other = order();
    other[0] = if other[0] == "tribute" {
        "academy"
    } else {
        "tribute"
    }
    .into();
    let mut unknown = order();
    unknown[0] = "plague".into();
    for wrong in [fewer, other, unknown, Vec::new()] {
        blames("position.cards.order", rome(), |body| {
            body.cards.as_mut().expect("cards").order = Some(wrong);
        });
    }
}

fn on_field(body: &mut Written, field: Field) {
    body.phase = Phase::Action;
    body.nations.get_mut("romans").expect("it plays").stone = Some(field);
    body.turn_state.field = Some(field);
}

#[test]
fn d16_no_more_may_be_armed_than_the_box_has() {
    blames("position.turn_state.armable", rome(), |body| {
        body.turn_state.armable = Some(UnitsBody {
            legions: 2,
            galleys: 0,
        });
    });
    // If omitted, all units in the box.
    let mut table = rome().boxed("romans", 2, 0).holds("romans", "i4").table();
    table.play("stone arming; arm roma L; arm neapolis L");
}

#[test]
fn d43_a_saved_city_is_one_that_was_attacked() {
    let safe = |field: Field, region: &'static str| {
        move |body: &mut Written| {
            on_field(body, field);
            body.turn_state.safe = vec![region.into()];
        }
    };
    for (field, region) in [
        (Field::Maneuver1, "roma"),
        (Field::Maneuver1, "ancona"),
        (Field::Temple, "carthago"),
        (Field::Maneuver1, "atlantis"),
    ] {
        let error = refused_after(rome(), safe(field, region));
        assert_eq!(error.field, "position.turn_state.safe", "{region}");
    }
    let mut setup = rome().units("carthago", "romans", 2, 0).setup();
    safe(Field::Maneuver1, "carthago")(setup.position.as_mut().expect("a position"));
    let table = Table::start(&setup);
    table.refuses("conquer carthago 1L", "D43");
}

#[test]
fn d43_effects_prepared_by_cards_belong_to_their_fields() {
    blames("position.turn_state.cheaper_temple", rome(), |body| {
        on_field(body, Field::Iron);
        body.turn_state.cheaper_temple = 2;
    });
    blames("position.turn_state.free_neighbours", rome(), |body| {
        body.turn_state.free_neighbours = 1
    });
    let borders = |legions: u8| UnitsBody {
        legions,
        galleys: 0,
    };
    for (field, legions) in [(Field::Iron, 1), (Field::Maneuver1, 3)] {
        blames("position.turn_state.extra_borders", rome(), |body| {
            on_field(body, field);
            body.turn_state.extra_borders = borders(legions);
        });
    }
    // A card still in the hand has not been played.
    blames(
        "position.turn_state.extra_borders",
        rome().hand("romans", &["forced_march"]),
        |body| {
            on_field(body, Field::Maneuver1);
            body.turn_state.extra_borders = borders(2);
        },
    );
}

#[test]
fn d43_units_with_as_many_borders_left_as_there_can_be_lose_none_by_a_card() {
    let mut setup = rome_with_special_units()
        .with("open academy burglary tribute; romans hand fair_wind fair_wind; romans 2G roma")
        .with("romans special roma")
        .setup();
    let body = setup.position.as_mut().expect("a position");
    on_field(body, Field::Maneuver1);
    body.turn_state.special_left = 4;
    let left = body.turn_state.units.entry("roma".into()).or_default();
    left.galleys.extend([(4, 1), (3, 1)]);
    let mut table = Table::start(&setup);
    table.play("play fair_wind; play fair_wind");
    let left = &table.body().turn_state;
    assert_eq!(left.units["roma"].galleys, [(4, 2)].into());
    assert_eq!(left.special_left, 4);
    goes_on(&table);
}

#[test]
fn d43_a_declared_conquest_is_one_that_can_have_been() {
    let position = || rome().with("romans 1L1G carthago; carthaginians hand fortress");
    let declared = |region: &str, asked: &str, legions: u8| {
        let fortress = FortressBody {
            region: region.into(),
            asked: asked.into(),
            legions,
            galleys: 0,
        };
        move |body: &mut Written| {
            on_field(body, Field::Maneuver1);
            body.phase = Phase::Conquest;
            body.turn_state.fortress = Some(fortress);
        }
    };
    let mut setup = position().setup();
    declared("carthago", "carthaginians", 1)(setup.position.as_mut().expect("a position"));
    let mut table = Table::start(&setup);
    assert_eq!(table.listed(""), ["play fortress", "pass"]);
    table.play("play fortress");
    assert_eq!(table.owner("carthago"), Some("romans"));
    let field = "position.turn_state.fortress";
    for (region, asked, legions) in [
        ("carthago", "romans", 1),
        ("carthago", "greeks", 1),
        ("carthago", "carthaginians", 2),
        ("carthago", "carthaginians", 0),
        ("carales", "carthaginians", 1),
        ("roma", "carthaginians", 1),
        ("atlantis", "carthaginians", 1),
    ] {
        let error = refused_after(position(), declared(region, asked, legions));
        assert_eq!(error.field, field, "{region} {asked} {legions}");
    }
    // A nation without a FORTRESS is not asked.
    let without = position().hand("carthaginians", &[]);
    blames(field, without, declared("carthago", "carthaginians", 1));
    // And no nation before the conquests.
    blames("position.phase", position(), |body| {
        declared("carthago", "carthaginians", 1)(body);
        body.phase = Phase::Action;
    });
    blames("position.turn_state", position(), |body| {
        declared("carthago", "carthaginians", 1)(body);
        body.turn_state.card_choice = Some(CardChoiceBody {
            asked: "carthaginians".into(),
            due: 1,
        });
    });
}

#[test]
fn d42_cards_are_taken_by_the_opponent_at_the_end() {
    let choice = |asked: &str, due: u8| {
        let choice = CardChoiceBody {
            asked: asked.into(),
            due,
        };
        move |body: &mut Written| {
            on_field(body, Field::Iron);
            body.phase = Phase::End;
            body.turn_state.card_choice = Some(choice);
        }
    };
    let mut setup = rome().setup();
    choice("carthaginians", 1)(setup.position.as_mut().expect("a position"));
    Table::start(&setup).play("card settlers; stone iron");
    let field = "position.turn_state.card_choice";
    for (asked, due) in [("romans", 1), ("carthaginians", 0), ("greeks", 1)] {
        blames(field, rome(), choice(asked, due));
    }
    blames(
        field,
        rome().open(&[]).deck(&[], "romans"),
        choice("carthaginians", 1),
    );
    blames("position.phase", rome(), |body| {
        choice("carthaginians", 1)(body);
        body.phase = Phase::Action;
    });
}

#[test]
fn d50_a_special_unit_is_the_nations_own_and_stands_where_it_can() {
    let field = "position.nations.romans.special_unit";
    let with = |unit: Option<SpecialUnit>, region: Option<&str>| {
        let special = SpecialUnitBody {
            unit,
            region: region.map(str::to_owned),
        };
        move |body: &mut Written| {
            body.nations
                .get_mut("romans")
                .expect("it plays")
                .special_unit = Some(special);
        }
    };
    blames(field, rome(), with(None, None));
    let special = rome_with_special_units;
    blames(field, special(), with(Some(SpecialUnit::Commander), None));
    blames(
        format!("{field}.region"),
        special(),
        with(None, Some("cremona")),
    );
    blames(
        format!("{field}.region"),
        special(),
        with(None, Some("atlantis")),
    );
    // If omitted, it is in the box.
    let mut position = special().special("romans", "roma");
    let romans = position.body.nations.get_mut("romans").expect("they play");
    romans.special_unit = None;
    let table = position.table();
    let place = table.state.nation(table.id("romans")).special;
    assert_eq!(place, Some(SpecialPlace::Boxed));
    blames(
        "position.turn_state.special_armable",
        special().special("romans", "roma"),
        |body| {
            body.turn_state.special_armable = Some(true);
        },
    );
    for (in_box, field) in [(true, Field::Maneuver1), (false, Field::Arming)] {
        let position = match in_box {
            true => special(),
            false => special().special("romans", "roma"),
        };
        blames("position.turn_state.special_left", position, |body| {
            on_field(body, field);
            body.turn_state.special_left = 1;
        });
    }
}

#[test]
fn d15_the_other_editions_have_none_of_this_in_a_position() {
    let refused_there = |change: fn(&mut Written)| {
        let mut setup = Position::east("greeks").setup();
        change(setup.position.as_mut().expect("a position"));
        refused(&setup).field
    };
    let greeks = "position.nations.greeks";
    let field = refused_there(|body| {
        let nation = body.nations.get_mut("greeks").expect("it plays");
        nation.recruitment_box = Some(UnitsBody::default());
    });
    assert_eq!(field, format!("{greeks}.recruitment_box"));
    let field = refused_there(|body| {
        body.nations.get_mut("greeks").expect("it plays").cards = Some(Vec::new());
    });
    assert_eq!(field, format!("{greeks}.cards"));
    let field = refused_there(|body| {
        let city = body.regions.values_mut().find_map(|at| at.city.as_mut());
        city.expect("a city").wall = true;
    });
    assert!(field.starts_with("position.regions."), "{field}");
}
