//! Temples and town walls [D15].

use engine::chips::Price;
use engine::play::Reason;
use engine::words::Resource;

use super::boards::*;

#[test]
fn d15_a_temple_costs_six_marble_and_a_coin_for_each_adjacent_temple_whoever_owns_it() {
    let position = |coins: &str| {
        rome()
            .gold_cities("romans", &["ancona", "genua"])
            .gold_cities("carthaginians", &["croton"])
            .temples(&["ancona", "croton", "carales"])
            .holds("romans", &format!("m6{coins}"))
    };
    // Ancona and Croton are adjacent to Neapolis, Carales is not.
    let mut table = position("c2").table();
    table.play("stone temple; temple neapolis");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert!(table.has_temple("neapolis"));
    assert_eq!(table.state.bank.temples, 8);
    let mut table = position("c1").table();
    table.play("stone temple");
    let price = Price::from_parts([6, 0, 0], 2);
    table.refuses_because("temple neapolis", "A4", Reason::CannotPay { price });
    // Genua has no temple beside it.
    table.play("temple genua");
    assert_eq!(table.holds("romans"), (0, 0, 0, 1));
}

#[test]
fn d15_the_extra_costs_are_coins_only() {
    let mut table = rome().with("temples neapolis; romans hold m9i9g9").table();
    table.play("stone temple");
    let price = Price::from_parts([6, 0, 0], 1);
    table.refuses_because("temple roma", "A4", Reason::CannotPay { price });
    assert_eq!(table.listed("temple"), ["temple cremona"]);
    // Coins still replace marble.
    let mut table = rome().with("temples neapolis; romans hold m5c2").table();
    table.play("stone temple; temple roma m5c2");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    let mut table = rome().with("temples neapolis; romans hold m7c1").table();
    table.play("stone temple");
    table.refuses_because("temple roma m7", "D15", Reason::WrongPayment { price });
}

#[test]
fn d15_a_new_temple_makes_the_next_one_beside_it_dearer() {
    let mut table = rome().holds("romans", "m12c1").table();
    table.play("stone temple; temple roma");
    assert_eq!(table.holds("romans"), (6, 0, 0, 1));
    table.play("temple neapolis");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d15_one_temple_a_city_own_cities_only_while_the_bank_has_some() {
    let mut table = rome().temples(&["roma"]).holds("romans", "m9c9").table();
    table.play("stone temple");
    assert_eq!(table.refuses("temple roma", "D15"), Reason::HasTemple);
    assert_eq!(table.refuses("temple carthago", "D15"), Reason::NoOwnCity);
    assert_eq!(table.refuses("temple ancona", "D15"), Reason::NoOwnCity);
    let mut position = rome().holds("romans", "m9c9");
    for (index, site) in SITES.into_iter().enumerate() {
        position = position.city("carthaginians", site, Resource::ALL[index % 3]);
    }
    let all = ["carales", "caesarea", "carthago"];
    let mut table = position.temples(&SITES).temples(&all).table();
    table.play("stone temple");
    assert_eq!(table.state.bank.temples, 0);
    assert_eq!(table.refuses("temple roma", "D15"), Reason::NoTempleLeft);
    assert_eq!(table.listed("temple"), [] as [&str; 0]);
}

#[test]
fn d15_a_town_wall_costs_a_marble_and_comes_from_the_personal_supply() {
    let mut table = rome().holds("romans", "m2").table();
    table.play("stone temple");
    table.lists("wall", "wall cremona; wall neapolis; wall roma");
    assert_eq!(table.refuses("wall carthago", "D15"), Reason::NoOwnCity);
    table.play("wall roma");
    assert!(table.has_wall("roma"));
    assert_eq!(table.walls_left("romans"), 0);
    assert_eq!(table.holds("romans"), (1, 0, 0, 0));
    assert_eq!(table.refuses("wall roma", "D15"), Reason::HasWall);
    assert_eq!(table.refuses("wall cremona", "D15"), Reason::NoWallLeft);
    assert_eq!(table.listed("wall"), [] as [&str; 0]);
}

#[test]
fn d15_a_coin_pays_for_a_wall_and_nothing_else_does() {
    let mut table = rome().holds("romans", "i1g1c1").table();
    table.play("stone temple");
    let price = Price::only(Resource::Marble, 1);
    table.refuses_because("wall roma i1", "D15", Reason::WrongPayment { price });
    table.play("wall roma");
    assert_eq!(table.holds("romans"), (0, 1, 1, 0));
    let mut table = rome().holds("romans", "i1g1").table();
    table.play("stone temple");
    table.refuses_because("wall roma", "A4", Reason::CannotPay { price });
}

#[test]
fn d15_temples_and_walls_in_any_order_and_number() {
    let mut table = rome().with("romans have 1 king; romans hold m14c1").table();
    assert_eq!(table.walls_left("romans"), 2);
    table.play("stone temple; wall neapolis; temple roma; wall roma; temple neapolis; end");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
    assert_eq!(table.walls_left("romans"), 0);
}
