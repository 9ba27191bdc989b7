//! Founding [B29].

use engine::play::Reason;
use engine::words::Resource;

use super::boards::*;

#[test]
fn b29_a_site_that_shows_all_three_leaves_the_choice_to_the_founder() {
    for resource in Resource::ALL {
        let mut table = orient()
            .with("greeks 1G knossos; greeks hold m1i1g1")
            .play("stone maneuver_1");
        table.refuses_because("found knossos", "B29", Reason::ResourceNeeded);
        table.lists(
            "found",
            "found knossos marble; found knossos iron; found knossos gold",
        );
        table.play(&format!("found knossos {resource}"));
        assert_eq!(table.resource("knossos"), Some(*resource));
        assert_eq!(table.holds("greeks"), (0, 0, 0, 0));
        table.refuses_because("found knossos gold", "B29", Reason::SiteTaken);
    }
}

#[test]
fn b29_a_site_that_shows_one_gives_only_that() {
    let mut table = orient()
        .with("greeks 1L attalia; greeks hold m1i1g1")
        .play("stone maneuver_1");
    for other in ["marble", "iron"] {
        let reason = table.refuses(&format!("found attalia {other}"), "B29");
        assert!(matches!(reason, Reason::WrongResource { .. }));
    }
    table.play("found attalia");
    assert_eq!(table.resource("attalia"), Some(Resource::Gold));
}

#[test]
fn b29_a_sea_region_has_no_site() {
    let table = west()
        .with("romans 1G mare_tyrrhenum; romans hold m1i1g1")
        .play("stone maneuver_1");
    assert_eq!(table.refuses("found mare_tyrrhenum", "B29"), Reason::NoSite);
    table.refuses_because("found mare_tyrrhenum gold", "B29", Reason::NoSite);
    assert_eq!(table.listed("found"), [] as [&str; 0]);
}

#[test]
fn b29_a_unit_must_stand_there_and_strangers_do_not_matter() {
    let mut table = west()
        .with("romans 1G sparta; greeks 3L3G sparta; romans hold m1i1c1")
        .play("stone iron");
    assert_eq!(table.refuses("found lugdunum", "B29"), Reason::NoUnitThere);
    table.refuses("found sparta m1i1g1", "B6");
    table.refuses("found sparta m1c1", "B29");
    table.play("found sparta");
    assert_eq!(table.holds("romans"), (0, 1, 0, 1));
}
