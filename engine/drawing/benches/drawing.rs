//! Benchmarks of drawings.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use drawing::{Style, board, position};
use engine::content::Library;
use engine::forms::View;
use records::Record;

fn drawings(criterion: &mut Criterion) {
    let library = Library::embedded();
    let style = Style::default();
    let west = library.board("antike-west").expect("a released board");
    criterion.bench_function("an empty board", |bench| bench.iter(|| board(west, &style)));

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/records");
    let file = format!("{folder}/mare_nostrum_6_goal.txt");
    let text = std::fs::read_to_string(file).expect("a golden record");
    let record = Record::from_text(&text).expect("a golden record");
    let (game, state) = record.replay(library, |_| ()).expect("a golden record");
    let view = View::from_state(&game, &state);
    criterion.bench_function("a late position of six nations", |bench| {
        bench.iter(|| position(&game, &view, &style));
    });
    let svg = position(&game, &view, &style).expect("a style that fits");
    criterion.bench_function("its 1,200 pixels", |bench| {
        bench.iter(|| drawing::png(&svg));
    });
}

criterion_group!(benches, drawings);
criterion_main!(benches);
