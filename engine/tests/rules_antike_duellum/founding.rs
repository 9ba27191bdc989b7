//! Founding [D29].

use engine::chips::Price;
use engine::play::Reason;
use engine::words::Resource;

use super::boards::*;

#[test]
fn d29_a_city_needs_a_unit_and_a_free_site() {
    let table = rome()
        .with("romans 1L ancona; romans 1G corsica; romans 1L carthago; romans hold m3i3g3c3")
        .play("stone marble");
    table.lists(
        "found",
        "found ancona marble; found ancona iron; found ancona gold",
    );
    table.refuses_because("found genua gold", "D29", Reason::NoUnitThere);
    assert_eq!(table.refuses("found corsica gold", "D29"), Reason::NoSite);
    table.refuses_because("found carthago gold", "D29", Reason::SiteTaken);
    assert_eq!(table.refuses("found ancona", "D29"), Reason::ResourceNeeded);
}

#[test]
fn d29_hostile_units_do_not_prevent_it() {
    let table = rome()
        .with("romans 1L genua; carthaginians 3G genua; romans hold m1i1g1")
        .play("stone temple; found genua gold");
    assert_eq!(table.owner("genua"), Some("romans"));
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d29_the_tokens_of_a_resource_are_shared_and_run_out() {
    let position = |count: usize| {
        rome()
            .gold_cities("carthaginians", &SITES[..count])
            .with("romans 1L genua; romans hold m1i1g1c9")
    };
    let mut table = position(7).table();
    table.play("stone marble; found genua gold");
    assert_eq!(table.tokens_of(Resource::Gold), 0);
    let mut table = position(8).table();
    table.play("stone marble");
    let resource = Resource::Gold;
    table.refuses_because("found genua gold", "D29", Reason::NoTokenOf { resource });
    table.lists("found", "found genua marble; found genua iron");
    // A conquest only turns the token over.
    let mut table = position(8).units("carthago", "romans", 1, 0).table();
    table.play("stone maneuver_1; conquer carthago 1L");
    table.refuses("found genua gold", "D29");
}

#[test]
fn d29_each_neighbour_of_the_same_resource_costs_a_coin_whoever_owns_it() {
    let position = |chips: &str| {
        rome()
            .units("brundisium", "romans", 1, 0)
            .city("carthaginians", "croton", Resource::Marble)
            .city("romans", "apollonia", Resource::Iron)
            .holds("romans", chips)
    };
    // Neapolis and Croton give marble; one border is of land, the other of both.
    let price = |coins| Price::from_parts([1, 1, 1], coins);
    let mut table = position("m9i9g9c1").table();
    table.play("stone temple");
    let reason = table.refuses("found brundisium marble", "A4");
    assert_eq!(reason, Reason::CannotPay { price: price(2) });
    // Other chips do not replace the coins.
    let reason = table.refuses("found brundisium iron m1i2g1", "D29");
    assert_eq!(reason, Reason::WrongPayment { price: price(1) });
    table.lists("found", "found brundisium iron; found brundisium gold");
    table.play("found brundisium iron");
    assert_eq!(table.holds("romans"), (8, 8, 8, 0));
    let mut table = position("m1i1g1c2").table();
    table.play("stone temple; found brundisium marble");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d29_coins_may_replace_the_chips() {
    let mut table = rome().with("romans 1L genua; romans hold c3").table();
    table.play("stone temple; found genua gold");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}

#[test]
fn d29_cities_are_founded_one_after_another() {
    // The first gold city makes the second one dearer.
    let mut table = rome()
        .with("romans 1L genua; romans 1L massilia; romans hold m2i2g2c1")
        .play("stone temple; found genua gold");
    assert_eq!(table.holds("romans"), (1, 1, 1, 1));
    table.play("found massilia gold");
    assert_eq!(table.holds("romans"), (0, 0, 0, 0));
}
