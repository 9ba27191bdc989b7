//! Boards, late positions and charts as pixels.
//!
//! They are the same everywhere because their fonts are embedded.

use std::collections::BTreeSet;

use charts::{
    Branch, Chart, Forest, IntervalSide, NARROW, Row, RowGroup, Shape, Theme, Tree, WIDE, chart,
    tree,
};
use drawing::{Style, png, position};
use engine::content::Library;
use engine::forms::View;
use records::Record;

use crate::golden;
use crate::kept::{Picture, all_look_as_they_did, check};

/// The width of pictures of positions, in which every change is visible.
const WIDTH: u32 = 640;

/// The percentage of a picture that may differ, since processors round differently.
const MOST: f64 = 0.05;

/// The record with the most nations of each board, with the theme of its drawing.
/// It is drawn after three quarters of its actions.
const POSITIONS: [(&str, Theme); 6] = [
    ("east_6_goal", Theme::Light),
    ("west_6_goal", Theme::Dark),
    ("orient_6_goal", Theme::Light),
    ("mare_nostrum_6_goal", Theme::Dark),
    ("rome_carthage_2_goal", Theme::Light),
    ("greece_persia_2_goal", Theme::Dark),
];

/// A golden record.
fn record(name: &str) -> Record {
    let read = |end: &str| std::fs::read_to_string(golden::folder().join(format!("{name}.{end}")));
    match read("txt") {
        Ok(text) => Record::from_text(&text).expect("a record as text"),
        Err(_) => serde_json::from_str(&read("json").expect("a file")).expect("a record as JSON"),
    }
}

#[test]
fn every_board_late_in_a_full_game_looks_as_it_did() {
    let library = Library::embedded();
    let mut missing: BTreeSet<&str> = library.boards().map(|board| &*board.data.id).collect();
    let mut drawn: Vec<Picture> = Vec::new();
    let mut changed = Vec::new();
    for (name, theme) in POSITIONS {
        let record = record(name);
        missing.remove(&*record.setup.board);
        let late = record.actions.len() * 3 / 4;
        let style = Style {
            theme,
            width: WIDTH,
            ..Style::default()
        };
        let replayed = record.replay(library, |step| {
            if step.index == late {
                let view = View::from_state(step.game, step.state);
                let svg = position(step.game, &view, &style).expect("a drawing");
                let name = format!("board_{name}");
                match check(&name, &png(&svg).expect("pixels"), MOST) {
                    Ok(picture) => drawn.push(picture),
                    Err(message) => changed.push(message),
                }
            }
        });
        replayed.expect("a golden record");
    }
    all_look_as_they_did(&changed);
    assert_eq!(missing, BTreeSet::new(), "these boards have no picture");
    let [one, other] = [&drawn[0], &drawn[1]];
    assert!(one.difference(other) > 1000.0 * MOST, "other things differ");
}

/// Rates with intervals, quantiles, and winners with the others.
fn table() -> Chart {
    let row = |label: &str, count, shape| Row {
        label: label.to_owned(),
        count,
        few: count < 30,
        shape,
    };
    let rate = |label: &str, count, at, low, high| {
        let expected = Some(0.25);
        let shape = Shape::Interval {
            at,
            low,
            high,
            expected,
            side: IntervalSide::of((low, high), 0.25),
        };
        row(label, count, shape)
    };
    let group = |title: &str, parts, rows, left_out| RowGroup {
        title: title.to_owned(),
        parts,
        rows,
        left_out,
    };
    let rates = vec![
        rate("Romans", 1_288, 0.41, 0.33, 0.49),
        rate("Greeks", 1_288, 0.24, 0.18, 0.32),
        rate("Germanic tribes", 1_288, 0.13, 0.083, 0.19),
        rate("Arabs", 12, 0.2, 0.05, 0.53),
    ];
    let lengths = Shape::Quantiles([14.0, 17.0, 19.5, 23.0, 29.0]);
    let pair = Shape::Pair {
        winners: 3.4,
        others: 1.9,
    };
    Chart {
        title: "Win rates by nation".to_owned(),
        about: "Wins a nation in a game, with 95% intervals; n: nations in games.".to_owned(),
        groups: vec![
            group("Antike East · 4 nations", true, rates, 3),
            group("Rounds", false, vec![row("rounds", 1_288, lengths)], 0),
            group("Citizens", false, vec![row("citizens", 1_288, pair)], 0),
        ],
        notes: vec!["64 games".to_owned()],
        bare: false,
    }
}

/// A tree of openings, three stops deep.
fn openings() -> Forest {
    let branch = |label: &str, count: u64, rate: f64, wide: f64, next: Vec<Branch>| Branch {
        label: label.to_owned(),
        count,
        few: count < 90,
        rate,
        interval: (rate - wide, rate + wide),
        expected: 0.25,
        next,
    };
    let leaf = |label: &str, count, rate, wide| branch(label, count, rate, wide, Vec::new());
    let after_temple = vec![
        leaf("Gold", 1_040, 0.37, 0.04),
        leaf("Arming", 610, 0.29, 0.05),
        leaf("Maneuver 2", 70, 0.2, 0.12),
    ];
    let marble = vec![
        branch("Temple", 1_720, 0.334, 0.03, after_temple),
        branch(
            "Know how",
            420,
            0.151,
            0.05,
            vec![leaf("Iron", 400, 0.155, 0.05)],
        ),
    ];
    let iron = vec![branch(
        "Arming",
        930,
        0.24,
        0.05,
        vec![
            leaf("Maneuver 1", 620, 0.26, 0.05),
            leaf("Marble", 310, 0.21, 0.06),
        ],
    )];
    let next = vec![
        branch("Marble", 2_140, 0.298, 0.025, marble),
        branch("Iron", 930, 0.24, 0.05, iron),
        leaf("Gold", 780, 0.135, 0.035),
        leaf("Temple", 62, 0.065, 0.06),
    ];
    Forest {
        title: "Win rates along the first stops on the rondel".to_owned(),
        about:
            "Wins of nations by where they stopped first, with 95% intervals; n: nations in games."
                .to_owned(),
        trees: vec![Tree {
            title: "Antike East · 4 nations · people".to_owned(),
            root: branch("All of them", 3_912, 0.25, 0.01, next),
            left_out: 31,
        }],
        notes: vec!["978 games".to_owned()],
        bare: false,
    }
}

#[test]
fn a_tree_of_openings_looks_as_it_did() {
    let forest = openings();
    let mut changed = Vec::new();
    for (name, width) in [("tree_wide", WIDE), ("tree_narrow", NARROW)] {
        let bytes = png(&tree(&forest, width, Theme::Light)).expect("pixels");
        changed.extend(check(name, &bytes, MOST).err());
    }
    all_look_as_they_did(&changed);
    // A thicker branch is a visible change.
    let mut other = forest.clone();
    other.trees[0].root.next[2].count *= 2;
    let picture = |forest| Picture::of(&png(&tree(forest, WIDE, Theme::Light)).expect("pixels"));
    let differ = picture(&forest).difference(&picture(&other));
    assert!(differ > MOST, "{differ}");
}

#[test]
fn a_table_of_numbers_looks_as_it_did() {
    let table = table();
    let mut changed = Vec::new();
    for (name, width, theme) in [
        ("table_wide", WIDE, Theme::Light),
        ("table_narrow", NARROW, Theme::Light),
        ("table_dark", WIDE, Theme::Dark),
    ] {
        let bytes = png(&chart(&table, width, theme)).expect("pixels");
        changed.extend(check(name, &bytes, MOST).err());
    }
    all_look_as_they_did(&changed);
    // A slightly wider interval is a visible change.
    let mut other = table.clone();
    if let Shape::Interval { high, .. } = &mut other.groups[0].rows[1].shape {
        *high += 0.02;
    }
    let picture = |table| Picture::of(&png(&chart(table, WIDE, Theme::Light)).expect("pixels"));
    let differ = picture(&table).difference(&picture(&other));
    assert!(differ > MOST, "{differ}");
}
