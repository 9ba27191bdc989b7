//! Annotated records: the text form keeps the record and the annotations, and wrong annotations are refused.

use engine::content::Library;
use proptest::prelude::*;
use records::{ActionVerdict, AnnotatedRecord, Annotations, Note, Record, Variation};
use strum::VariantArray;

use crate::support::golden::records;

/// Notes on every seventh action that counts, with what was played as the variation.
fn annotate(record: &Record, comment: &str) -> Annotations {
    let counts = |(_, text): &(usize, &String)| !text.starts_with('-');
    let actions = record.actions.iter().enumerate().filter(counts);
    let note = |(action, text): (usize, &String)| Note {
        action,
        verdict: Some(ActionVerdict::VARIANTS[action % 6]),
        comment: Some(comment.to_owned()),
        variations: vec![Variation {
            actions: vec![text.clone()],
            comment: (action % 2 == 0).then(|| comment.to_owned()),
        }],
    };
    Annotations {
        comment: Some(comment.to_owned()),
        notes: actions.step_by(7).map(note).take(500).collect(),
    }
}

#[test]
fn text_keeps_records_and_annotations() {
    let library = Library::embedded();
    for (name, record) in records() {
        let annotations = annotate(&record, "braces {}, (parentheses); a \\ and\n\"lines\"");
        assert_eq!(annotations.check(&record, library), Ok(()), "{name}");
        let text = annotations.to_text(&record, "dido", library).unwrap();
        let read = AnnotatedRecord::from_text(&text, library).unwrap();
        assert_eq!(read.annotator.as_deref(), Some("dido"));
        assert_eq!(read.annotations, annotations, "{name}");
        let plain = record.to_text(library).unwrap();
        assert_eq!(read.record.to_text(library).unwrap(), plain, "{name}");
        // A record without annotations is read too.
        let read = AnnotatedRecord::from_text(&plain, library).unwrap();
        assert!(read.annotations.is_empty(), "{name}");
    }
}

#[test]
fn an_example_reads_like_a_book() {
    let library = Library::embedded();
    let record = &records()["east_4_growth"];
    let played = record.actions[0].clone();
    let annotations = Annotations {
        comment: None,
        notes: vec![Note {
            action: 0,
            verdict: Some(ActionVerdict::Doubtful),
            comment: Some("Too early.".to_owned()),
            variations: vec![Variation {
                actions: vec!["stone gold".to_owned()],
                comment: Some("Better.".to_owned()),
            }],
        }],
    };
    let text = annotations.to_text(record, "dido", library).unwrap();
    let line = format!(": {played} ?! {{Too early.}} (stone gold {{Better.}})");
    assert!(text.contains(&line), "{text}");
    assert!(text.starts_with("[Format \"tabularium-annotated/1\"]\n[Annotator \"dido\"]\n"));
}

#[test]
fn wrong_annotations_are_refused() {
    let library = Library::embedded();
    let all = records();
    let record = &all["east_4_undone"];
    let undone = record.actions.iter().position(|text| text.starts_with('-'));
    let good = |action| Note {
        action,
        verdict: Some(ActionVerdict::Good),
        ..Note::default()
    };
    let with = |actions: &[&str]| Note {
        variations: vec![Variation {
            actions: actions.iter().map(ToString::to_string).collect(),
            comment: None,
        }],
        ..good(0)
    };
    let comment = |text: &str| Note {
        comment: Some(text.to_owned()),
        ..good(0)
    };
    for (notes, field) in [
        (vec![good(record.actions.len())], "notes[0].action"),
        (vec![good(undone.unwrap())], "notes[0].action"),
        (vec![good(1), good(0)], "notes[1].action"),
        (vec![good(0), good(0)], "notes[1].action"),
        (
            vec![Note {
                verdict: None,
                ..good(0)
            }],
            "notes[0]",
        ),
        (vec![comment("")], "notes[0].comment"),
        (vec![comment("\u{7}")], "notes[0].comment"),
        (vec![comment(&"x".repeat(1001))], "notes[0].comment"),
        (vec![with(&[])], "notes[0].variations[0].actions"),
        (vec![with(&["stone"])], "notes[0].variations[0].actions[0]"),
        (
            vec![with(&["stone gold", "stone gold"])],
            "notes[0].variations[0].actions[1]",
        ),
    ] {
        let annotations = Annotations {
            comment: None,
            notes,
        };
        let refused = annotations.check(record, library).unwrap_err();
        assert_eq!(refused.field, field, "{refused}");
    }
}

#[test]
fn wrong_texts_are_refused_by_their_line() {
    let library = Library::embedded();
    let text = records()["east_4_growth"].to_text(library).unwrap();
    let line = text
        .lines()
        .position(|line| line.starts_with("1. "))
        .unwrap();
    let played = text.lines().nth(line).unwrap();
    for (added, message) in [
        (" {open", "must end with }"),
        (" (stone gold", "must end with )"),
        (" (stone gold (end))", "no variations"),
        (" {one} {two}", "one comment"),
        (" (stone gold {one}; end)", "at its end"),
    ] {
        let wrong = text.replacen(played, &format!("{played}{added}"), 1);
        let refused = AnnotatedRecord::from_text(&wrong, library).unwrap_err();
        assert_eq!(refused.line, line + 1, "{refused}");
        assert!(refused.message.contains(message), "{refused}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_comment_is_kept(comment in "[^\\p{Cc}]{1,60}", text in "\\PC{0,80}") {
        let library = Library::embedded();
        let record = Record::from_text(include_str!("../../../tests/records/east_4_growth.txt")).unwrap();
        let annotations = annotate(&record, &comment);
        let written = annotations.to_text(&record, &comment, library).unwrap();
        let read = AnnotatedRecord::from_text(&written, library).unwrap();
        prop_assert_eq!(read.annotations, annotations);
        // Anything else is refused without a panic.
        let _ = AnnotatedRecord::from_text(&format!("{written}\n3. arabs: {text}"), library);
    }
}
