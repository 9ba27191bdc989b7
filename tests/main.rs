//! Tests of the service and its program: `cargo test --workspace --test api`. After `--`, name a module or a test, such
//! as `http::leagues`.

mod faults;
mod http;
mod pages;

/// A line without a test would silently remove that test from the runs on PostgreSQL.
#[test]
fn every_line_of_on_postgres_names_a_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/");
    let read = |file: String| std::fs::read_to_string(format!("{folder}{file}"));
    let lines = read("on-postgres".into()).expect("the list");
    for line in lines
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut parts = line.splitn(3, "::");
        let [Some("http"), Some(module), Some(test)] = [(); 3].map(|()| parts.next()) else {
            panic!("{line} is no module and no test");
        };
        let source = read(format!("http/{module}.rs")).expect(line);
        assert!(
            source.contains(&format!("fn {test}")),
            "{line} names no test"
        );
    }
}
