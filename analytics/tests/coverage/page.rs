//! The tables of `analytics/COVERAGE.md`, which the tests write or compare.

use std::sync::Mutex;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/COVERAGE.md");

/// If this variable is set, the tests simulate as many corpora as the page, and write their tables into it.
const WRITE: &str = "TABULARIUM_WRITE_COVERAGE";

/// How far a figure may differ from the page, which has more corpora.
const TOLERANCE: f64 = 0.04;

/// Tests run in parallel and write the same file.
static LOCK: Mutex<()> = Mutex::new(());

/// Returns how many corpora of each kind to make.
pub fn times(daily: usize, page: usize) -> usize {
    if is_written() { page } else { daily }
}

fn is_written() -> bool {
    std::env::var_os(WRITE).is_some()
}

/// Writes the rows below the page's table head, or checks that the page has the same ones.
pub fn check<const N: usize>(head: &str, rows: &[(&str, [f64; N])]) {
    let _guard = LOCK.lock();
    let page = std::fs::read_to_string(FILE).expect("the page");
    let (before, table) = page.split_once(head).expect(head);
    assert!(
        !table.contains(head),
        "COVERAGE.md has this table twice: {head}"
    );
    let (table, after) = table.split_once("\n\n").unwrap_or((table, ""));
    let mut lines = table.lines().skip(1);
    let separator = lines.next().unwrap_or_default();
    if is_written() {
        let rows: Vec<String> = rows
            .iter()
            .map(|(name, shares)| row(name, shares))
            .collect();
        let rows = rows.join("\n");
        let page = format!("{before}{head}\n{separator}\n{rows}\n\n{after}");
        std::fs::write(FILE, page.trim_end().to_owned() + "\n").expect("written");
        return;
    }
    let shown: Vec<(&str, Vec<f64>)> = lines.map(read).collect();
    assert_eq!(
        shown.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        rows.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
        "write the page again with {WRITE}=1"
    );
    for ((name, shown), (_, found)) in shown.iter().zip(rows) {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE;
        assert!(
            shown.len() == N && shown.iter().zip(found).all(near),
            "{name}: {found:.3?}, but {shown:.3?} on the page; if that is right, write it again with {WRITE}=1"
        );
    }
}

fn row(name: &str, shares: &[f64]) -> String {
    let shares = shares
        .iter()
        .map(|share| format!(" {:.1}% |", share * 100.0));
    format!("| {name} |{}", shares.collect::<String>())
}

fn read(row: &str) -> (&str, Vec<f64>) {
    let mut cells = row.trim_matches([' ', '|']).split(" | ");
    let name = cells.next().unwrap_or_default();
    let shares = cells.map(|cell| cell.trim_end_matches('%').parse::<f64>().expect(row) / 100.0);
    (name, shares.collect())
}
