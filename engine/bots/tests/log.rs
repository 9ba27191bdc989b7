//! The fold of a log: undos lead back to the very states, however far.

use crate::support::setup;

use std::sync::Arc;

use engine::content::Library;
use engine::forms::digest_text;
use records::{Entry, EventRow, Fold, PublicSetup};

const AT: &str = "2026-11-21T12:00:00Z";

#[test]
fn undos_lead_back_however_far() {
    let library = Library::embedded();
    let bots = ["random"; 4];
    let setup = setup::of_bots("antike-east", &bots, &[], "a long game", 200);
    let record = bots::play(library, &setup, "long", AT).expect("bots play it");
    let (game, first) = record.start(library).expect("it starts");
    let game = Arc::new(game);
    let mut fold = Fold::new(game.clone(), first.clone());
    let mut rows: Vec<EventRow> = Vec::new();
    fn write(fold: &mut Fold, rows: &mut Vec<EventRow>, entry: Entry) {
        rows.push(fold.write(&entry, None, AT).expect("it follows"));
    }
    let setup = PublicSetup::new(&record.setup);
    write(&mut fold, &mut rows, Entry::Setup(Box::new(setup)));
    // All but the last action, which ends the game.
    let actions = &record.actions[..record.actions.len() - 1];
    assert!(
        actions.len() > 1200,
        "{} actions are too few",
        actions.len()
    );
    let mut done = 0;
    // The rows of the actions that count.
    let mut places = vec![0];
    let mut steps = vec![actions.len()];
    for back in [
        0,
        1,
        63,
        64,
        65,
        700,
        actions.len() - 3,
        127,
        128,
        1,
        actions.len() - 1,
    ] {
        steps.push(actions.len() - 1 - back);
    }
    for to in steps {
        if to < done {
            write(&mut fold, &mut rows, Entry::Undo(places[to]));
            let target = &rows[places[to] as usize];
            assert_eq!(digest_text(fold.state().digest()), target.digest, "to {to}");
            places.truncate(to + 1);
            done = to;
        }
        for action in &actions[done..] {
            write(&mut fold, &mut rows, Entry::Action(action.clone()));
            places.push(rows.len() as u64 - 1);
        }
        done = actions.len();
    }
    let last = Entry::Action(record.actions[actions.len()].clone());
    write(&mut fold, &mut rows, last);
    assert_eq!(fold.result(), record.result);
    // The log can be imported, and its actions are those of the record plus the undone ones.
    let mut imported = Fold::new(game, first);
    for row in &rows {
        imported.apply_row(row).expect("it follows");
    }
    assert_eq!(imported.state(), fold.state());
    let counts = |row: &&EventRow| row.nation.is_some() && imported.counts(row.seq);
    let counting = rows.iter().filter(counts).map(|row| &row.notation);
    assert!(counting.eq(&record.actions));
}
