//! The report: one page that needs nothing else, with the numbers of the measures.

use crate::{Office, done, run, text};

/// The report of an office, with more arguments.
fn report(office: &Office, more: &[&str]) -> String {
    let (facts, out) = (office.path("facts"), office.path("report.html"));
    let arguments = [
        "report", "--facts", &facts, "--out", &out, "--reason", "any",
    ];
    done(&[&arguments[..], more].concat());
    std::fs::read_to_string(&out).expect("a page")
}

#[test]
fn a_report_has_the_numbers_of_the_measures_and_needs_nothing_else() {
    let office = Office::new();
    let page = report(&office, &["--title", "Dido's <season>"]);
    assert!(page.contains("<h1>Dido's &lt;season&gt;</h1>"), "{page}");
    for loaded in [
        "<script",
        "<link",
        "<img",
        "<iframe",
        " src=",
        "url(",
        "@import",
        "href=\"http",
        " onload",
    ] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    let lengths = office.json("lengths", &[]);
    assert!(
        page.contains(&format!("{} games", lengths["games"])),
        "{page}"
    );
    let rows = lengths["rows"].as_array().expect("rows");
    let most = rows.iter().filter(|row| row["quantity"] == "rounds");
    let most = most
        .rev()
        .max_by_key(|row| row["games"].as_u64())
        .expect("a kind of games");
    let nations = office.json("nations", &[]);
    let mut told = 0;
    for row in nations["rows"].as_array().expect("rows") {
        let same = [
            "edition", "board", "variants", "nations", "players", "play", "bots",
        ];
        if same.iter().all(|name| row[*name] == most[*name]) {
            let name = drawing::words(row["nation"].as_str().expect("a name"));
            let percent = match row["rate"].as_f64().expect("a rate") * 100.0 {
                small if small < 9.95 => format!("{small:.1}%"),
                percent => format!("{percent:.0}%"),
            };
            let words = format!("{name}: {percent}, 95% interval");
            assert!(page.contains(&words), "{words}: {page}");
            told += 1;
        }
    }
    assert!(told > 1, "{most}");
    let data = nations["data_version"].as_str().expect("a version");
    assert!(page.contains(&format!("data {data}")), "{data}: {page}");
    assert!(
        page.contains("measure nations --facts facts --reason any"),
        "{page}"
    );
    assert!(
        page.contains(r"--title 'Dido'\''s &lt;season&gt;' --reason any --out"),
        "{page}"
    );
}

#[test]
fn the_same_facts_give_the_same_report_and_filters_hold() {
    let office = Office::new();
    let page = report(&office, &[]);
    assert_eq!(page, report(&office, &[]));
    let west = report(&office, &["--board", "antike-west"]);
    assert!(west.contains("<code>board=antike-west</code>"), "{west}");
    assert!(
        !west.contains("Antike East") && page.contains("Antike East"),
        "{west}"
    );
    let none = report(&office, &["--since", "2100-01-01"]);
    assert!(
        none.contains("No game fits.") && !none.contains("<svg"),
        "{none}"
    );
    let facts = office.path("facts");
    let refused = run(&["report", "--facts", &facts, "--out", "x", "--board", "moon"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("antike-east"),
        "it says what there is"
    );
}
