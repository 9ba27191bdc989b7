//! Tests of `tabularium-bots draw`.

use super::{done, failed, program};

#[test]
fn boards_and_records_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let record = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../tests/records/rome_carthage_2_goal.txt"
    );
    let draw = |arguments: &[&str]| program(folder.path(), &[&["draw"], arguments].concat());
    let drawn = |output: std::process::Output| {
        done(&output);
        String::from_utf8(output.stdout).unwrap()
    };
    let board = drawn(draw(&[
        "--board",
        "antike-west",
        "--highlight",
        "roma,tingis",
    ]));
    assert!(board.starts_with("<svg") && board.contains(">Tingis</text>"));
    let start = drawn(draw(&[record, "--at", "0"]));
    let end = drawn(draw(&[record, "--theme", "dark"]));
    assert!(start.contains("Round 1 ") && !end.contains("Round 1 "));
    done(&draw(&[record, "--out", "game.svg", "--size", "900"]));
    let written = std::fs::read_to_string(folder.path().join("game.svg")).unwrap();
    assert!(written.contains(r#"width="900""#));
    done(&draw(&[record, "--out", "game.png", "--size", "300"]));
    let pixels = std::fs::read(folder.path().join("game.png")).unwrap();
    assert_eq!(pixels[1..4], *b"PNG");
    for (arguments, expected) in [
        (vec![record, "--at", "99999"], "--at 99999 is too high"),
        (vec!["--board", "moon"], "there is no board \"moon\""),
        (
            vec!["--board", "antike-west", "--size", "9"],
            "must be from 200 to 2400 pixels, not 9",
        ),
        (
            vec!["--board", "antike-west", "--highlight", "atlantis"],
            "the board has no region \"atlantis\"",
        ),
        (vec!["nowhere.txt"], "cannot read nowhere.txt"),
    ] {
        let errors = failed(&draw(&arguments), 1);
        assert!(errors.contains(expected), "{errors}");
    }
    failed(&draw(&[]), 2);
}
