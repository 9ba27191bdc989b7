//! Statistics of finished games.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use analytics::question::EndFilter;
use analytics::{Facts, FactsStore, Filters, GameFacts, Measure, measure};
use bots::play;
use engine::content::Library;
use engine::setup::{Setup, SetupSeat};
use records::Record;
use reqwest::Method;
use serde_json::{Value, json};

use super::support::{TestServer, array, send, tamper};

/// Filters that include games that reached no goal. Bots that take any action seldom reach it.
pub fn any_reason() -> Filters {
    Filters {
        reason: EndFilter::Any,
        ..Filters::default()
    }
}

/// Games of four bots on the East board.
pub fn games(count: usize) -> Vec<Record> {
    let seat = |name: &str| SetupSeat::bot(name);
    let setup = |number: usize| Setup {
        edition: "antike".to_owned(),
        board: "antike-east".to_owned(),
        seats: ["greedy", "greedy", "random", "greedy"].map(seat).into(),
        seed: format!("statistics {number}"),
        max_rounds: Some(12),
        ..Setup::default()
    };
    let played = (0..count).map(|number| {
        let id = uuid::Uuid::now_v7().to_string();
        play(
            Library::embedded(),
            &setup(number),
            &id,
            "2026-01-02T03:04:05Z",
        )
        .unwrap()
    });
    played.collect()
}

/// Returns the position at the beginning of the second turn of a game.
pub fn start_of_second_turn(record: &Record) -> String {
    let facts = GameFacts::derive(record, Library::embedded()).unwrap();
    facts.turns[1].digest.as_deref().unwrap().to_owned()
}

pub async fn server_with(records: &[Record]) -> TestServer {
    let server = TestServer::start();
    for record in records {
        server.imports().import(record).unwrap();
    }
    let all = |body: &Value| body["games"] == json!(records.len());
    server.wait_for("/v1/stats/nations?reason=any", all).await;
    server
}

// Polars refuses to block a single-threaded runtime.
#[tokio::test(flavor = "multi_thread")]
async fn statistics_agree_with_the_records() {
    let records = games(12);
    let server = server_with(&records).await;
    let (facts, left_out) = Facts::from_records(&records, Library::embedded()).unwrap();
    assert!(left_out.is_empty());
    let position = start_of_second_turn(&records[0]);
    for asked in analytics::MEASURES {
        let path = asked.path;
        // Games against others need a player in the query.
        let (query, bot) = match asked.name {
            "head_to_head" => ("&bot=random".to_owned(), Some("random".to_owned())),
            "positions" => (format!("&digest={position}"), None),
            _ => (String::new(), None),
        };
        let answer = server
            .read(&format!("/v1/stats/{path}?reason=any{query}"))
            .await;
        let digest = (asked == &analytics::POSITIONS).then(|| position.clone());
        let filters = Filters {
            bot,
            digest,
            ..any_reason()
        };
        let table = measure(&facts.lazy(), asked, &filters).unwrap();
        // Converted to text and back, as the answer was: parsing may change the last bit of a number.
        let expected = table.to_json().unwrap().to_string();
        let mut expected: Value = serde_json::from_str(&expected).unwrap();
        // Only the server knows the log positions.
        for place in ["log_position", "as_of"] {
            expected[place] = answer[place].clone();
        }
        assert_eq!(answer, expected, "{path}");
    }
    // Computed by hand: each game has one win to share.
    let rows = server.read("/v1/stats/nations?reason=any").await["rows"].clone();
    let wins = array(&rows).iter().map(|row| row["wins"].as_f64());
    let wins: f64 = wins.map(Option::unwrap).sum();
    assert!((wins - 12.0).abs() < 1e-9, "{wins}");
    for row in array(&rows) {
        let name = row["nation"].as_str().unwrap();
        let won = records
            .iter()
            .flat_map(|record| &record.result.as_ref().unwrap().ranks);
        let won: f64 = won
            .filter(|rank| rank.nations == [name])
            .map(|rank| rank.share)
            .sum();
        assert!((row["wins"].as_f64().unwrap() - won).abs() < 1e-9, "{row}");
        assert_eq!(row["games"], 12);
        assert_eq!(row["insufficient"], true);
    }
}

#[tokio::test]
async fn a_game_that_finishes_here_is_counted() {
    let server = TestServer::start();
    let bot = json!({"player": {"bot": "greedy"}});
    let game = json!({"edition": "antike", "board": "antike-west", "max_rounds": 2,
        "seats": [bot, bot, bot]});
    server.create("/v1/games", "", game).await;
    let counted = |body: &Value| body["games"] == 1;
    let body = server
        .wait_for("/v1/stats/lengths?reason=any&board=antike-west", counted)
        .await;
    assert_eq!(body["filters"]["board"], "antike-west");
    let none = server.read("/v1/stats/lengths?reason=any&bots=none").await;
    assert_eq!(none["games"], 0);
    assert_eq!(none["rows"], json!([]));
}

#[tokio::test]
async fn tables_have_the_requested_format() {
    let server = server_with(&games(3)).await;
    let csv = server
        .get_as("/v1/stats/nations?reason=any&nation=greeks", "text/csv")
        .await;
    assert_eq!(csv.status, 200);
    assert_eq!(csv.header("content-type"), "text/csv");
    assert_eq!(csv.text.lines().count(), 2, "{}", csv.text);
    assert!(csv.text.lines().next().unwrap().contains("lift"));
    let parquet = server
        .get_as(
            "/v1/stats/nations?reason=any",
            "application/vnd.apache.parquet",
        )
        .await;
    assert_eq!(parquet.status, 200);
    assert!(parquet.text.starts_with("PAR1"));
    let pixels = server
        .get_as("/v1/stats/nations?reason=any", "image/png")
        .await;
    pixels.problem(406, "not_acceptable");
    let tag = csv.header("etag").to_owned();
    let request = server.request(
        reqwest::Method::GET,
        "/v1/stats/nations?reason=any&nation=greeks",
    );
    let request = request
        .header("Accept", "text/csv")
        .header("If-None-Match", tag);
    assert_eq!(super::support::send(request).await.status, 304);
}

#[tokio::test]
async fn every_table_has_a_picture_with_its_numbers() {
    let records = games(3);
    let server = server_with(&records).await;
    for asked in analytics::MEASURES {
        let of = match asked.name {
            "head_to_head" => "&bot=greedy".to_owned(),
            "positions" => format!("&digest={}", start_of_second_turn(&records[0])),
            _ => String::new(),
        };
        let path = format!("/v1/stats/{}?reason=any{of}", asked.path);
        let svg = server.get_as(&path, "image/svg+xml").await;
        assert_eq!(svg.status, 200, "{path}: {}", svg.text);
        assert_eq!(svg.header("content-type"), "image/svg+xml");
        assert!(
            svg.text.starts_with("<svg ") && svg.text.ends_with("</svg>\n"),
            "{path}"
        );
        assert!(
            svg.text
                .contains(&format!("<title>{}", asked.title().replace('\'', "&#39;"))),
            "{path}: {}",
            svg.text
        );
        for part in ["<style", "<script", " style=", "NaN"] {
            assert!(!svg.text.contains(part), "{path}: {part}");
        }
        let dark = format!("{path}&theme=dark");
        let dark = server.get_as(&dark, "image/svg+xml").await;
        assert_eq!(dark.status, 200, "{path}: {}", dark.text);
        assert_eq!(dark.header("content-type"), "image/svg+xml");
        assert_ne!(dark.header("etag"), svg.header("etag"));
        let [light_page, dark_page] = ["fill=\"#fffdf8\"", "fill=\"#1d2329\""];
        assert!(svg.text.contains(light_page) && !svg.text.contains(dark_page));
        assert!(dark.text.contains(dark_page) && !dark.text.contains(light_page));
    }
    let light = "/v1/stats/nations?reason=any&theme=light";
    let plain = "/v1/stats/nations?reason=any";
    assert_eq!(
        server.get_as(light, "image/svg+xml").await.text,
        server.get_as(plain, "image/svg+xml").await.text
    );
    for theme in ["theme=pink", "theme=dark&theme=dark"] {
        let odd = format!("{plain}&{theme}");
        let odd = server.get_as(&odd, "image/svg+xml").await;
        odd.problem(422, "invalid_parameter");
    }
    let table = server.read("/v1/stats/nations?reason=any").await;
    let svg = server
        .get_as("/v1/stats/nations?reason=any", "image/svg+xml")
        .await;
    for row in array(&table["rows"]) {
        let percent = row["rate"].as_f64().unwrap() * 100.0;
        let rate = match percent {
            small if small < 9.95 => format!("{small:.1}%"),
            percent => format!("{percent:.0}%"),
        };
        let name = charts::words(row["nation"].as_str().unwrap());
        assert!(
            svg.text.contains(&format!("{name}: {rate}, 95% interval")),
            "{row}: {}",
            svg.text
        );
    }
}

#[tokio::test]
async fn versions_of_rules_are_summed_and_named_unless_one_is_requested() {
    let mut records = games(3);
    let library = engine::content::Library::embedded();
    let first = library.ruleset_numbered("antike", 1).unwrap();
    let hash = first.hash.to_string();
    let mut setup = records[0].setup.clone();
    setup.ruleset_hash = Some(hash.clone());
    let id = uuid::Uuid::now_v7().to_string();
    records.push(bots::play(library, &setup, &id, &records[0].played_at).unwrap());
    let server = server_with(&records).await;
    let all = server.read("/v1/stats/seats?reason=any").await;
    let current = server.read("/v1/editions/antike").await;
    assert_eq!(
        all["rulesets"],
        json!([{"edition": "antike", "version": 1, "hash": hash, "games": 1},
            {"edition": "antike", "version": 2, "hash": current["hash"], "games": 3}])
    );
    for asked in ["1", &hash] {
        let path = format!("/v1/stats/seats?reason=any&ruleset={asked}");
        let one = server.read(&path).await;
        assert_eq!(one["games"], 1);
        assert_eq!(one["filters"]["ruleset"], asked);
        assert_eq!(one["rulesets"], json!([all["rulesets"][0]]));
    }
    let unknown = server.get("/v1/stats/nations?reason=any&ruleset=7").await;
    assert_eq!(
        unknown.problem(422, "invalid_parameter")["detail"],
        "\"7\" is unknown; known values are 1, 2"
    );
}

#[tokio::test]
async fn meaningless_filters_are_refused() {
    let server = TestServer::start();
    for (query, field) in [
        ("colour=red", "colour"),
        ("edition=nope", "edition"),
        ("board=nope", "board"),
        ("nation=nope", "nation"),
        ("variant=nope", "variant"),
        (
            "ruleset=0000000000000000000000000000000000000000000000000000000000000000",
            "ruleset",
        ),
        ("nations=many", "nations"),
        ("nations=4294967296", "nations"),
        ("bots=some", "bots"),
        ("ruleset=0", "ruleset"),
        ("ruleset=latest", "ruleset"),
        ("ruleset=40435a71", "ruleset"),
        ("since=yesterday", "since"),
        ("seat=1&seat=2", "seat"),
        ("path=marble,forum", "path"),
        ("path=marble,,gold", "path"),
        ("reason=luck", "reason"),
        ("bot=unknown", "bot"),
        ("player=unknown", "player"),
        ("league=nope", "league"),
        ("bot=greedy&player=ada", "player"),
        ("opponents=some", "opponents"),
        ("bots=none&bot=greedy", "bot"),
        ("against=nobody", "against"),
        ("opening=luck", "opening"),
        ("know_how=fire", "know_how"),
        (
            "edition=antike&without_know_how=mercatura",
            "without_know_how",
        ),
        ("by_round=8", "by_round"),
        ("know_how=market&by_round=0", "by_round"),
        ("min_rating=30&max_rating=20", "max_rating"),
        ("over_the_board=any&min_table_rating=20", "min_table_rating"),
        ("time_control=fast", "time_control"),
        ("over_the_board=any&opening=growth", "opening"),
        ("bots=only&opponents=people", "opponents"),
        ("place=0", "place"),
        ("nations=4&seat=4", "seat"),
        ("nations=7", "nations"),
        ("edition=antike_ii&board=antike-east", "board"),
        ("board=antike-east&nation=romans", "nation"),
        ("edition=antike&variant=special_units", "variant"),
        ("since=2026-02-01&until=2026-02-01", "until"),
        ("at=3", "at"),
        ("levels=2", "levels"),
        ("digest=0123456789abcdef", "digest"),
    ] {
        let answer = server.get(&format!("/v1/stats/nations?{query}")).await;
        answer.invalid(field);
    }
    // All nations of a game are compared.
    let strength = server.get("/v1/stats/strength?nation=greeks").await;
    strength.invalid("nation");
    for (path, field) in [
        ("openings/tree?levels=4", "levels"),
        ("positions", "digest"),
        ("positions?digest=0123456789ABCDEF", "digest"),
        ("positions?digest=0123", "digest"),
    ] {
        let answer = server.get(&format!("/v1/stats/{path}")).await;
        answer.invalid(field);
    }
    server.get("/v1/stats/head-to-head").await.invalid("player");
}

#[tokio::test]
async fn two_samples_are_compared_row_by_row() {
    let server = server_with(&games(24)).await;
    let rows = async |query: &str| {
        let table = server
            .read(&format!("/v1/stats/nations?reason=any&{query}"))
            .await;
        array(&table["rows"]).clone()
    };
    let (first, second) = (rows("opening=growth").await, rows("opening=military").await);
    let path = "/v1/stats/versus/nations?reason=any&opening=growth&versus=opening%3Dmilitary";
    let compared = server.read(path).await;
    assert_eq!(compared["samples"][0]["filters"]["opening"], "growth");
    assert_eq!(compared["samples"][1]["filters"]["opening"], "military");
    assert_eq!(compared["samples"][1]["filters"]["reason"], "any");
    let found = array(&compared["rows"]);
    let pairs = first.iter().filter_map(|one| {
        let same = |other: &&Value| other["nation"] == one["nation"];
        Some((one, second.iter().find(same)?))
    });
    let pairs: Vec<(&Value, &Value)> = pairs.collect();
    assert!(pairs.len() > 1 && found.len() == pairs.len(), "{found:?}");
    for (row, (one, other)) in found.iter().zip(pairs) {
        let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
        for name in ["games", "nation_games", "rate", "low", "high"] {
            assert_eq!(row[name], one[name]);
            assert_eq!(row[format!("versus_{name}")], other[name]);
        }
        let difference = number(one, "rate") - number(other, "rate");
        let below = (number(one, "rate") - number(one, "low"))
            .hypot(number(other, "high") - number(other, "rate"));
        assert!((number(row, "difference") - difference).abs() < 1e-12);
        assert!((number(row, "difference_low") - (difference - below)).abs() < 1e-12);
        let is_clear = number(row, "difference_low") > 0.0 || number(row, "difference_high") < 0.0;
        assert_eq!(is_clear, number(row, "p") < 0.05, "{row}");
    }
    // The bots of a row may differ if the filters on players do.
    let bots = server
        .read("/v1/stats/versus/openings?reason=any&bot=greedy&versus=bot%3Drandom")
        .await;
    let bots = array(&bots["rows"]);
    assert!(!bots.is_empty());
    for row in bots {
        assert_eq!(
            (&row["bot"], &row["versus_bot"]),
            (&json!("greedy"), &json!("random"))
        );
    }
    // The first and the second nation of each game; and no game is before a date and since then.
    for (versus, common) in [
        ("nations?reason=any&place=1&versus=place%3D2", 24),
        (
            "nations?reason=any&place=1&until=2026-01-01&versus=until%3D%26since%3D2026-01-01",
            0,
        ),
    ] {
        let compared = server.read(&format!("/v1/stats/versus/{versus}")).await;
        assert_eq!(compared["common_games"], common, "{versus}");
    }
    let parquet = server.get_as(path, "application/vnd.apache.parquet").await;
    assert!(parquet.status == 200 && parquet.text.starts_with("PAR1"));
    let csv = server.get_as(path, "text/csv").await;
    assert_eq!(csv.text.lines().count(), found.len() + 1);
    assert!(csv.text.contains("opening=military"), "{}", csv.text);
    let picture = server.get_as(path, "image/svg+xml").await;
    assert!(picture.text.starts_with("<svg") && picture.text.contains("minus"));
    let again = server
        .request(Method::GET, path)
        .header("Accept", "image/svg+xml")
        .header("If-None-Match", picture.header("etag"));
    assert_eq!(send(again).await.status, 304);
    for (path, field) in [
        ("nations", "versus"),
        ("nations?versus=colour%3Dred", "versus"),
        ("nations?versus=board%3Dnope", "board"),
        ("nations?versus=bots%3Donly%26bots%3Dnone", "versus"),
        ("nations?versus=player%3Dunknown", "player"),
        ("lengths?versus=bots%3Donly", "versus"),
        ("nations?at=3&versus=bots%3Donly", "at"),
    ] {
        let answer = server.get(&format!("/v1/stats/versus/{path}")).await;
        answer.invalid(field);
    }
    server
        .get("/v1/stats/versus/moon?versus=")
        .await
        .not_found();
}

#[tokio::test]
async fn the_dictionary_describes_every_column() {
    let server = TestServer::start();
    let dictionary = server.read("/v1/stats/dictionary").await;
    for measure in analytics::MEASURES {
        let columns = &dictionary["measures"][measure.name]["columns"];
        let expected = serde_json::to_value(measure.columns()).unwrap();
        assert_eq!(*columns, expected, "{measure}");
    }
    assert_eq!(dictionary["facts"]["seats"]["columns"][2]["name"], "game");
    let turns = array(&dictionary["facts"]["turns"]["columns"]);
    let steps = turns
        .iter()
        .find(|column| column["name"] == "steps")
        .unwrap();
    assert_eq!(steps["unit"], "fields");
}

/// Changes the manifest of facts.
fn change_manifest(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("manifest.json");
    let mut manifest = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&path, manifest.to_string()).unwrap();
}

/// Waits until exactly this number of games is counted, and returns the answer.
pub async fn counted(server: &TestServer, games: usize) -> Value {
    let complete = |body: &Value| body["games"] == json!(games) && body["complete"] == true;
    server
        .wait_for("/v1/stats/nations?reason=any", complete)
        .await
}

/// Facts of games are not read again: the games are damaged here, and the answers stay the same.
#[tokio::test]
async fn a_start_continues_from_the_facts_on_disk() {
    let records = games(6);
    let mut server = server_with(&records[..4]).await;
    let before = counted(&server, 4).await;
    let whole = server.get("/v1/stats/nations?reason=any").await;
    assert_eq!(whole.header("tabularium-complete"), "?1");
    server.stop();
    let folder = server.database.facts();
    let version = FactsStore::new(&folder).manifest().unwrap().version();
    assert_eq!(version.to_string(), before["data_version"]);

    let database = server.database.url();
    tamper(
        &database,
        "UPDATE events SET notation = 'stone gold' WHERE seq = 2",
    );
    let mut server = server.restart();
    assert_eq!(counted(&server, 4).await, before);
    for record in &records[4..] {
        server.imports().import(record).unwrap();
    }
    let more = counted(&server, 6).await;
    let (facts, _) = Facts::from_records(&records, Library::embedded()).unwrap();
    assert_eq!(more["data_version"], facts.version().to_string());

    // Without the folder, all games are read again. The damaged games give no facts, all others do.
    server.stop();
    fs::remove_dir_all(&folder).unwrap();
    let server = server.restart();
    let rest = counted(&server, 2).await;
    let (facts, _) = Facts::from_records(&records[4..], Library::embedded()).unwrap();
    assert_eq!(rest["data_version"], facts.version().to_string());
    let progress = server.statistics().progress();
    assert_eq!((progress.games, progress.without_facts), (2, 4));
    let metrics = server.get("/metrics").await.text;
    for name in ["games", "games_without_facts", "lag_events"] {
        let line = format!("\ntabularium_statistics_{name} ");
        assert!(metrics.contains(&line), "{metrics}");
    }
}

/// Facts of another database, of a database restored from a backup, or of another version of the program.
#[tokio::test]
async fn facts_that_do_not_fit_are_rebuilt() {
    let mut server = server_with(&games(3)).await;
    let expected = counted(&server, 3).await;
    for change in [
        |manifest: &mut Value| manifest["reached"]["position"] = json!(1_000_000),
        |manifest: &mut Value| manifest["reached"]["game"] = json!("another"),
        |manifest: &mut Value| manifest["reached"] = Value::Null,
        |manifest: &mut Value| manifest["form"] = json!(1),
        |manifest: &mut Value| *manifest = json!("nothing"),
    ] {
        server.stop();
        let folder = server.database.facts();
        change_manifest(&folder, change);
        // The manifest shows that the facts do not fit.
        let wrong = folder.join("games/edition=antike/month=2026-01/part-wrong.parquet");
        fs::write(&wrong, "").unwrap();
        server = server.restart();
        assert_eq!(counted(&server, 3).await, expected);
        assert!(!wrong.exists());
    }
}

#[tokio::test]
async fn nodes_on_one_disk_keep_facts_of_their_own() {
    let one = server_with(&games(2)).await;
    let mut two = one.another();
    assert_eq!(counted(&two, 2).await, counted(&one, 2).await);
    two.stop();
    let folder = one.database.facts();
    let beside = folder.with_extension("facts-2");
    assert_eq!(
        FactsStore::new(beside).manifest().unwrap().version().games,
        2
    );
    assert!(folder.join("manifest.json").exists());
}

/// Many different questions at the same time are answered or refused, and later ones are answered.
#[tokio::test]
async fn a_flood_of_questions_is_answered_or_refused() {
    let server = server_with(&games(3)).await;
    let asked = (0..150).map(|number| {
        let path = format!("/v1/stats/openings/tree?reason=any&path=marble&min_games={number}");
        let server = &server;
        async move { server.get(&path).await }
    });
    let answers = futures_util::future::join_all(asked).await;
    let (answered, sent_away): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.status == 200);
    assert!(!answered.is_empty());
    for answer in sent_away {
        answer.problem(503, "overloaded");
        assert_eq!(answer.header("retry-after"), "2");
    }
    server.read("/v1/stats/openings/tree?reason=any").await;
}

/// The digest that the service shows for a state is accepted by the statistics of positions.
#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_found_by_the_digest_that_its_state_has() {
    let records = games(2);
    let server = server_with(&records).await;
    let facts = GameFacts::derive(&records[1], Library::embedded()).unwrap();
    let row = &facts.turns[2];
    let states = format!("/v1/games/{}/states", records[1].id);
    let ended = |action: &&String| *action == "end";
    let third = records[1].actions.iter().enumerate();
    let third = third.filter(|(_, action)| ended(action)).nth(1).unwrap().0;
    // Row 0 of the log is the setup.
    let state = server.read(&format!("{states}/{}", third + 1)).await;
    let digest = row.digest.as_deref().unwrap();
    assert_eq!(state["state"]["digest"], digest, "{state}");
    let table = server
        .read(&format!("/v1/stats/positions?reason=any&digest={digest}"))
        .await;
    let all = &table["rows"][0];
    assert_eq!(all["field"], "all");
    assert_eq!(
        (&all["turn"], &all["nation"]),
        (&json!(3), &json!(*row.nation))
    );
    let next = array(&table["rows"]).iter();
    let next: Vec<&Value> = next.map(|row| &row["field"]).collect();
    assert!(next.contains(&&json!(row.field)), "{table}");
}

#[tokio::test]
async fn games_without_a_natural_end_are_excluded_unless_requested() {
    let records = games(2);
    let server = server_with(&records).await;
    let by_limit = |record: &&Record| {
        let reason = record.result.as_ref().unwrap().reason;
        reason == engine::words::EndReason::RoundLimit
    };
    assert_eq!(records.iter().filter(by_limit).count(), 2);
    for (query, games) in [("", 0), ("?reason=any", 2), ("?reason=round_limit", 2)] {
        let table = server.read(&format!("/v1/stats/seats{query}")).await;
        assert_eq!(table["games"], games, "{query}");
    }
    let table = server
        .read("/v1/stats/seats?reason=any&bot=random&place=1")
        .await;
    assert_eq!(table["filters"]["bot"], "random");
    for row in array(&table["rows"]) {
        assert_eq!(
            (&row["bots"], &row["play"]),
            (&json!("greedy,random"), &json!("bots"))
        );
    }
    let problem = server
        .get("/v1/stats/seats?board=antike-east&nations=7")
        .await;
    let problem = problem.problem(422, "invalid_parameter");
    assert_eq!(
        problem["detail"],
        "\"7\" is unknown in antike-east; known values are 3, 4, 5, 6"
    );
}

/// Returns the files with the parts of facts.
fn parquet(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.retain(|path| path.extension().is_some_and(|end| end == "parquet"));
    found
}

/// Flips a bit in the middle of a file, in place: the server has mapped the file, and a shorter one would stop it.
fn flip(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.write_all_at(&[bytes[middle] ^ 1], middle as u64)
        .unwrap();
}

/// Returns questions on each measure: without filters, which summaries answer, and of one nation, which tables do.
fn questions(position: &str) -> Vec<String> {
    let of = |measure: &Measure| {
        let own = match measure.name {
            "head_to_head" => "&bot=random".to_owned(),
            "positions" => format!("&digest={position}"),
            "strength" | "personages_worth" => String::new(),
            _ => "&nation=greeks".to_owned(),
        };
        let plain = format!("/v1/stats/{}?reason=any", measure.path);
        let asked = format!("{plain}{own}");
        match measure.name {
            "head_to_head" | "positions" | "strength" | "personages_worth" => vec![asked],
            _ => vec![plain, asked],
        }
    };
    analytics::MEASURES.into_iter().flat_map(of).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_facts_are_repaired_from_the_records() {
    let records = games(9);
    // Two parts.
    let mut server = server_with(&records[..5]).await.restart();
    for record in &records[5..] {
        server.imports().import(record).unwrap();
    }
    counted(&server, 9).await;
    server = server.restart();
    let questions = questions(&start_of_second_turn(&records[0]));
    let mut before = Vec::new();
    for question in &questions {
        let answer = server.get(question).await;
        assert_eq!(answer.status, 200, "{question}: {}", answer.text);
        before.push(answer.text);
    }
    server = server.restart();
    let folder = server.database.facts();
    let manifest = || FactsStore::new(&folder).manifest().unwrap();
    let whole = manifest();
    assert_eq!(whole.parts.len(), 2);
    for is_running in [true, false] {
        if !is_running {
            server.stop();
        }
        for file in parquet(&folder) {
            flip(&file);
        }
        if !is_running {
            server = server.restart();
        }
        let mut named = false;
        for (question, before) in questions.iter().zip(&before) {
            let mut tries = 0;
            let answer = loop {
                let answer = server.get(question).await;
                tries += 1;
                let is_complete =
                    answer.status == 200 && answer.header("tabularium-complete") == "?1";
                if is_complete || tries == 600 {
                    break answer;
                }
                if answer.status == 200 {
                    // If a damaged file was read before it was checked, all facts are rebuilt.
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    continue;
                }
                answer.problem(503, "unavailable");
                assert_eq!(answer.header("retry-after"), "5");
                let ready = server.read("/readyz").await;
                let found = &ready["checks"]["statistics"];
                let detail = found["detail"].as_str().unwrap_or_default();
                named |= found["ok"] == false && detail.contains(".parquet is damaged");
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            };
            assert_eq!(&answer.text, before, "{question}");
            assert_eq!(answer.header("tabularium-complete"), "?1", "{question}");
        }
        // A start may have repaired all files before the first question.
        assert!(named || !is_running, "nothing was found damaged");
        let ready = server.read("/readyz").await;
        assert_eq!(ready["checks"]["statistics"], json!({"ok": true}));
    }
}
