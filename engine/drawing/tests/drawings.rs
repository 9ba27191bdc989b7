//! Drawings of every board and of late positions of every golden record.

use std::collections::BTreeSet;

use crate::golden;
use charts::Theme;
use drawing::{Style, StyleError, board, position};
use engine::content::{Board, Library};
use engine::forms::View;
use engine::play::Game;
use engine::state::State;

/// The positions of every golden record after three quarters of its actions and at its end.
/// Each has the record's name.
fn positions(mut each: impl FnMut(&str, &Game, &State)) {
    for (name, record) in golden::records() {
        let late = record.actions.len() * 3 / 4;
        let replayed = record.replay(Library::embedded(), |step| {
            if step.index == late {
                each(&name, step.game, step.state);
            }
        });
        let (game, state) = replayed.expect("a golden record");
        each(&name, &game, &state);
    }
}

fn drawn(game: &Game, state: &State, style: &Style) -> String {
    position(game, &View::from_state(game, state), style).expect("a style that fits")
}

fn dark() -> Style {
    Style {
        theme: Theme::Dark,
        ..Style::default()
    }
}

/// Checks that each region has its name, and its contents as text.
fn check_regions(name: &str, game: &Game, svg: &str) {
    let tree = roxmltree::Document::parse(svg).expect("XML");
    let texts = tree.descendants();
    let texts = texts.filter(|node| node.tag_name().name() == "text");
    let written: BTreeSet<&str> = texts.filter_map(|node| node.text()).collect();
    for region in &game.board.data.regions {
        assert!(written.contains(&*region.name), "{name}: {}", region.name);
        let mut groups = tree.descendants();
        let group = groups.find(|node| node.attribute("data-region") == Some(&region.id));
        let title = group.and_then(|group| group.first_element_child());
        let title = title.and_then(|title| title.text()).unwrap_or_default();
        assert!(title.starts_with(&format!("{}: ", region.name)), "{title}");
    }
}

#[test]
fn every_drawing_is_small_well_formed_and_described() {
    let mut largest = 0;
    let mut check = |name: &str, svg: &str| {
        largest = largest.max(svg.len());
        assert!(svg.len() < 60_000, "{name}: {} bytes", svg.len());
        let tree =
            roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = tree.root_element();
        let named = root.attribute("aria-labelledby").expect("a label");
        for id in named.split(' ') {
            let mut all = tree.descendants();
            let element = all.find(|node| node.attribute("id") == Some(id));
            let text = element.and_then(|node| node.text()).unwrap_or_default();
            assert!(!text.is_empty(), "{name}: {id}");
        }
        let ids = tree.descendants().filter_map(|node| node.attribute("id"));
        let ids: BTreeSet<&str> = ids.collect();
        for node in tree.descendants().filter(roxmltree::Node::is_element) {
            let tag = node.tag_name().name();
            assert!(
                !["script", "style", "image", "a"].contains(&tag),
                "{name}: {tag}"
            );
            for attribute in node.attributes() {
                assert!(!attribute.name().starts_with("on"), "{name}: {attribute:?}");
                if attribute.name() == "href" {
                    let target = attribute.value().strip_prefix('#').expect("its own marks");
                    assert!(ids.contains(target), "{name}: {target}");
                }
            }
        }
    };
    for found in Library::embedded().boards() {
        for style in [Style::default(), dark()] {
            check(&found.data.id, &board(found, &style).expect("a drawing"));
        }
    }
    positions(|name, game, state| {
        let svg = drawn(game, state, &Style::default());
        check(name, &svg);
        check_regions(name, game, &svg);
    });
    assert!(
        largest > 40_000,
        "positions of six nations are drawn: {largest}"
    );
}

#[test]
fn the_same_position_gives_the_same_bytes_whatever_the_deck_and_the_seed() {
    let mut with_cards = 0;
    positions(|name, game, state| {
        let open = drawn(game, state, &dark());
        let mut other = game.clone();
        other.seed = "another".to_owned();
        assert!(drawn(&other, state, &dark()) == open, "{name}");
        if game.rules.data.cards.is_some() {
            with_cards += 1;
            let view = View::with_deck(game, state);
            let picture = position(game, &view, &dark()).expect("a drawing");
            assert!(picture == open, "{name}");
        }
    });
    assert!(with_cards > 10);
}

#[test]
fn a_style_that_does_not_fit_is_refused() {
    let found = Library::embedded().board("antike-west").expect("a board");
    let with = |width: u32, highlight: &[&str]| {
        let highlight = highlight.iter().map(|id| (*id).to_owned()).collect();
        let style = Style {
            width,
            highlight,
            ..Style::default()
        };
        board(found, &style)
    };
    let plain = with(1200, &[]).expect("a drawing");
    assert!(with(1200, &["roma"]).expect("a drawing") != plain);
    assert_eq!(with(199, &[]), Err(StyleError::Width(199)));
    assert_eq!(with(2401, &[]), Err(StyleError::Width(2401)));
    let atlantis = with(1200, &["roma", "atlantis"]);
    assert_eq!(atlantis, Err(StyleError::Region("atlantis".to_owned())));
}

#[test]
fn names_of_a_board_are_escaped_and_odd_boards_are_drawn() {
    let found = Library::embedded().board("antike-west").expect("a board");
    let mut data = found.data.clone();
    data.name = "<script>alert('&\u{1}\")</script>".to_owned();
    data.provenance.note = "</text><image href=\"x\"/>".to_owned();
    for region in &mut data.regions {
        region.name = format!("<b onload=\"x\">{}]]>", region.name);
        // All regions at one position, which is not on the globe.
        (region.lon, region.lat) = (f64::MAX, 90.0);
    }
    let json = serde_json::to_string(&data).expect("JSON");
    let odd = Board::parse(&json).expect("a board");
    let svg = board(&odd, &Style::default()).expect("a drawing");
    let tree = roxmltree::Document::parse(&svg).expect("XML");
    let tags = tree.descendants().map(|node| node.tag_name().name());
    for tag in tags {
        assert!(!["script", "b", "image"].contains(&tag), "{tag}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[cfg(feature = "png")]
#[test]
fn drawings_are_shown_in_pixels_as_large_as_asked() {
    let found = Library::embedded()
        .board("duellum-rome-carthage")
        .expect("a board");
    for (width, height) in [(200_u32, 141_u32), (600, 424)] {
        let style = Style { width, ..dark() };
        let png = drawing::png(&board(found, &style).expect("a drawing")).expect("pixels");
        assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
        assert_eq!(png[16..20], width.to_be_bytes());
        assert_eq!(png[20..24], height.to_be_bytes());
    }
    assert!(drawing::png("no picture").is_err());
    let huge = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9"/>"#;
    assert!(drawing::png(huge).is_err());
}
