//! Playthroughs: positions, legal actions and effects of whole games, line by line.
//! They are written with the golden records.

use crate::support::{golden, playthrough};

#[test]
fn playthroughs_are_as_they_were() {
    let golden_records = golden::records();
    for name in playthrough::NAMES {
        let path = golden::folder().join(format!("playthroughs/{name}.txt"));
        let written = std::fs::read_to_string(&path).expect("a playthrough");
        let rendered = playthrough::render(&golden_records[*name]);
        let mut lines = written.lines().zip(rendered.lines()).enumerate();
        if let Some((index, (was, is))) = lines.find(|(_, (was, is))| was != is) {
            panic!("{name}.txt, line {}:\n was {was}\n  is {is}", index + 1);
        }
        assert_eq!(written.lines().count(), rendered.lines().count(), "{name}");
    }
}

#[test]
fn no_playthrough_is_left_over() {
    let folder = golden::folder().join("playthroughs");
    let entries = std::fs::read_dir(folder).expect("the folder of the playthroughs");
    for entry in entries {
        let name = entry.expect("a file").file_name();
        let name = name.to_string_lossy();
        let stem = name.strip_suffix(".txt").unwrap_or(&name);
        assert!(playthrough::NAMES.contains(&stem), "{name} is not compared");
    }
}
