//! Forgeries by an attacker who can write to the database, and how `verify --database` finds them.

use std::path::Path;

use analytics::facts::Rater;
use analytics::storage::LogCursor;
use analytics::{Facts, FactsStore, FactsWriter, GameFacts};
use api::games::model::Visibility;
use api::leagues::queries::LeagueRow;
use api::statistics::derive::{DerivedFacts, anonymize, derive_facts};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use engine::content::Library;
use records::{LeagueSignature, SecretKey, chained_places};
use serde_json::{Value, json};
use uuid::Uuid;

use super::leagues::{full_league, result};
use super::program::{done, failed, tabularium};
use super::ratings::{counted, open_services, started};
use super::support::{Database, TestServer, text};

/// The data that the forgeries change.
struct Data {
    server: TestServer,
    folder: tempfile::TempDir,
    league: Uuid,
    /// A player with a rating among accounts.
    player: String,
    /// The finished game of the league's first table.
    tabled: String,
    /// A rated game of two accounts, whose result the league has too.
    duel: String,
    /// The running game of the league's second table.
    running: String,
}

/// Creates finished games, a league with tables and an entered result, ratings and search rows. The checkpoint
/// in `checkpoint.json` is older than most of them.
async fn set_up() -> Data {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 2, 1, json!({})).await;
    let clerk = super::accounts::register(&server, "clerk").await.1;
    let organizers = format!("{path}/organizers");
    let added = server.post(&organizers, &members[0].1, json!({"id": "clerk"}));
    added.await.ok(201);
    let tokens = [&*members[0].1, &*members[1].1];
    let resign = async |game: &str| {
        let resign = json!({"type": "resign"});
        let actions = format!("/v1/games/{game}/actions");
        server.create(&actions, tokens[1], resign).await;
    };
    let mut games = Vec::new();
    for round in [1, 2] {
        let seats = [
            json!({"member": members[0].0}),
            json!({"member": members[1].0}),
        ];
        let new = json!({"round": round, "edition": "antike_duellum", "board": "duellum-rome-carthage",
            "tables": [{"seats": seats}]});
        let made = server.post(&format!("{path}/tables"), &clerk, new).await;
        games.push(text(&made.ok(201)["tables"][0]["game"]));
    }
    let checkpoint = server
        .services()
        .signing
        .make_checkpoint()
        .unwrap()
        .unwrap();
    resign(&games[0]).await;
    let handles = ["player0", "player1"];
    let duel = started(&server, tokens, handles, &json!({"rated": true})).await;
    let duel = duel.trim_start_matches("/v1/games/").to_owned();
    resign(&duel).await;
    let results = format!("{path}/results");
    for entered in [json!({"game": duel}), result(&members, &[(0, 1), (1, 2)])] {
        server.create(&results, &clerk, entered).await;
    }
    let bot = json!({"player": {"bot": "random"}});
    let other = json!({"player": {"bot": "greedy"}});
    let bots = json!({"edition": "antike", "board": "antike-east", "max_rounds": 1, "rated": true,
        "seats": [bot, other, bot]});
    server.create("/v1/games", "", bots).await;
    let searched = |count: &Value| count["count"] == 3;
    server
        .wait_for("/v1/games/count?sort=length", searched)
        .await;
    // Two games and editions for each account, and one game of bots.
    counted(&server, "account", 4).await;
    counted(&server, "bot", 2).await;
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
    write(
        "checkpoint.json",
        &serde_json::to_string(&checkpoint).unwrap(),
    );
    write("keys.json", &server.get("/v1/keys").await.text);
    let [tabled, running] = &games[..] else {
        panic!("{games:?}")
    };
    Data {
        league: path.trim_start_matches("/v1/leagues/").parse().unwrap(),
        player: members[0].0.clone(),
        tabled: tabled.clone(),
        running: running.clone(),
        duel,
        server,
        folder,
    }
}

/// Writes the facts of all finished games and results to a folder, with a change of the games.
fn write_facts(url: &str, folder: &Path, change: fn(&mut Vec<GameFacts>)) {
    let services = open_services(url);
    let (games, library) = (&services.games, Library::embedded());
    let finished = games
        .records
        .finished_after(0, 100, Visibility::COUNTED)
        .unwrap();
    let derive = |(id, at): &(String, i64)| match derive_facts(games, library, id, *at) {
        DerivedFacts::Facts(facts) => *facts,
        _ => panic!("{id} has no facts"),
    };
    let mut found: Vec<GameFacts> = finished.iter().map(derive).collect();
    Rater::default().rate(&mut found);
    change(&mut found);
    let results = services.leagues.log.table_results(None).unwrap();
    let rows = results.revisions.into_iter().map(anonymize);
    let rows = rows.flat_map(|result| result.rows(library)).collect();
    let mut facts = Facts::from_games(found).unwrap();
    facts.append(&Facts::from_results(rows).unwrap()).unwrap();
    let (game, position) = finished.last().unwrap().clone();
    let cursor = LogCursor {
        position,
        game,
        leagues: results.reached,
    };
    let mut writer = FactsWriter::open_empty(&FactsStore::new(folder)).unwrap();
    writer.append(&facts, Some(cursor), 0).unwrap();
}

impl Data {
    /// Returns SQL that swaps the ranks in the league's events of a kind, and recomputes the hashes of its log.
    fn swapped(&self, kind: &str) -> String {
        let (league, mut previous, mut statements) = (self.league, None::<String>, String::new());
        for mut row in self.log() {
            if row.text.contains(kind) {
                let (one, other) = ("\"ranks\":[1,2]", "\"ranks\":[2,1]");
                let text = row.text.replace(one, "#").replace(other, one);
                row.text = text.replace('#', other);
            }
            let row: LeagueRow = row.chained(league, previous.as_deref());
            let (seq, text, hash) = (row.seq, &row.text, &row.hash);
            statements += &format!(
                "UPDATE league_events SET text = '{text}', hash = '{hash}' \
                 WHERE league = '{league}' AND seq = {seq}; \
                 UPDATE leagues SET hash = '{hash}' WHERE id = '{league}'; "
            );
            previous = Some(row.hash);
        }
        statements
    }

    fn log(&self) -> Vec<LeagueRow> {
        let store = self.server.games().store();
        store.league_events(self.league, None, 100).unwrap()
    }

    /// As [`Data::swapped`], signed by an attacker who has the key.
    fn swapped_and_signed(&self, kind: &str) -> String {
        let seed = std::fs::read_to_string(self.server.database.key()).unwrap();
        let mut bytes = [0; 32];
        hex::decode_to_slice(seed.trim(), &mut bytes).unwrap();
        let mut places: Option<String> = None;
        for row in self.log() {
            let (position, log_position) = (row.position.unwrap(), row.log_position.unwrap());
            places = Some(chained_places(places.as_deref(), position, log_position));
        }
        let statements = self.swapped(kind);
        let hash = statements.rsplit("SET hash = '").next().unwrap();
        let (league, seq) = (self.league.to_string(), self.log().len() as u64 - 1);
        let key = SecretKey::from_seed(&bytes);
        let signature = LeagueSignature::sign(&league, seq, &hash[..64], &places.unwrap(), &key);
        let signature = serde_json::to_string(&signature).unwrap();
        statements
            + &format!("UPDATE leagues SET signature = '{signature}' WHERE id = '{league}'; ")
    }
}

/// Copies an idle database, runs a forger's statements on the copy, and returns its URL.
fn forge(database: &Database, folder: &Path, statements: &str) -> String {
    let url = database.url();
    match database {
        Database::Postgres {
            url: plain, schema, ..
        } => {
            let copy = format!("{schema}_forged");
            let script = format!(
                "DROP SCHEMA IF EXISTS {copy} CASCADE; CREATE SCHEMA {copy}; \
                 DO $$ DECLARE name text; BEGIN \
                     FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '{schema}' LOOP \
                         EXECUTE format('CREATE TABLE {copy}.%I (LIKE {schema}.%I INCLUDING ALL)', name, name); \
                         EXECUTE format('INSERT INTO {copy}.%I SELECT * FROM {schema}.%I', name, name); \
                     END LOOP; \
                 END $$; SET search_path TO {copy}; {statements}"
            );
            let mut connection = PgConnection::establish(plain).unwrap();
            connection.batch_execute(&script).unwrap();
            url.replace(schema.as_str(), &copy)
        }
        _ => {
            let copy = folder.join("forged.db");
            if copy.exists() {
                std::fs::remove_file(&copy).unwrap();
            }
            let copy = copy.display().to_string();
            let original = url.trim_start_matches("sqlite:");
            let mut original = SqliteConnection::establish(original).unwrap();
            let whole = format!("VACUUM INTO '{copy}'");
            original.batch_execute(&whole).unwrap();
            let mut connection = SqliteConnection::establish(&copy).unwrap();
            let script = format!("PRAGMA foreign_keys = OFF; {statements}");
            connection.batch_execute(&script).unwrap();
            format!("sqlite:{copy}")
        }
    }
}

#[tokio::test]
async fn forgeries_are_found_and_named() {
    let mut data = set_up().await;
    let Data {
        league,
        player,
        tabled,
        duel,
        running,
        ..
    } = &data;
    let duel_number = format!("(SELECT number FROM games WHERE id = '{duel}')");
    let running_number = format!("(SELECT number FROM games WHERE id = '{running}')");
    let swapped = |kind: &str| data.swapped(kind);
    let of_duel = format!("{duel}: ");
    let of_running = running.clone();
    let of_table = "its game ";
    let ratings = "ratings: ";
    let lists = "lists ";
    let unsigned = "UPDATE leagues SET signature = NULL;";
    let own = format!("WHERE player = '{player}'");
    // The statements, and a part of the fault that must be reported.
    let forgeries: Vec<(String, &str)> = vec![
        (swapped("game_finished"), "its log is not the one signed"),
        (swapped("game_finished") + unsigned, "its log is not signed"),
        (data.swapped_and_signed("game_finished"), of_table),
        (swapped("result_entered"), "its log is not the one signed"),
        (data.swapped_and_signed("result_entered"), of_table),
        (
            format!("UPDATE league_events SET log_position = log_position - 1 WHERE league = '{league}' AND seq = 2"),
            "the positions of its events are not those signed",
        ),
        (
            "UPDATE league_events SET log_position = log_position + 1 WHERE seq = (SELECT max(seq) FROM league_events)"
                .to_owned(),
            "the positions of its events are not those signed",
        ),
        (
            "UPDATE league_events SET position = position + 1000 WHERE seq = (SELECT max(seq) FROM league_events)"
                .to_owned(),
            "but its last position is",
        ),
        (unsigned.to_owned(), "its log is not signed"),
        (
            "UPDATE leagues SET signature = replace(signature, '\"value\":\"', '\"value\":\"00')".to_owned(),
            "its log is not the one signed",
        ),
        ("DELETE FROM league_games".to_owned(), "waits for other games"),
        (
            format!("INSERT INTO league_games (game, league) VALUES ('{tabled}', '{league}')"),
            "waits for other games",
        ),
        (
            "UPDATE league_games SET league = 'another'".to_owned(),
            "waits for other games",
        ),
        (format!("UPDATE games SET signature = NULL WHERE id = '{duel}'"), "its signature is missing"),
        (format!("UPDATE games SET rated = 0 WHERE id = '{duel}'"), "the signature of "),
        (format!("UPDATE games SET edition = 'antike' WHERE id = '{duel}'"), &of_duel),
        (format!("UPDATE games SET board = 'antike-east' WHERE id = '{running}'"), &of_running),
        (format!("UPDATE games SET waiting_for = NULL WHERE id = '{running}'"), "as waiting for other decisions"),
        (format!("UPDATE games SET pending = NULL WHERE id = '{running}'"), "as waiting for other decisions"),
        (format!("UPDATE games SET waiting_for = '{player}' WHERE id = '{duel}'"), "as waiting for other decisions"),
        ("DELETE FROM tlog_leaves".to_owned(), "its signature is not in the transparency log"),
        ("UPDATE tlog_leaves SET leaf = replace(leaf, 'seq ', 'seq 1')".to_owned(), "is not in the transparency log"),
        ("DELETE FROM checkpoints".to_owned(), "checkpoint 1 of checkpoint.json"),
        (
            "UPDATE checkpoints SET root = CASE substr(root, 1, 1) WHEN '0' THEN '1' ELSE '0' END || substr(root, 2)".to_owned(),
            "checkpoint 1",
        ),
        (
            format!("UPDATE ratings SET rating = rating + 1000000, ordinal = ordinal + 1000000 {own}"),
            ratings,
        ),
        (format!("UPDATE ratings SET ordinal = ordinal + 1000000 {own}"), ratings),
        (format!("UPDATE ratings SET uncertainty = uncertainty - 1 {own}"), ratings),
        (format!("UPDATE ratings SET games = games + 10 {own}"), ratings),
        (format!("UPDATE ratings SET kind = 'bot' {own}"), ratings),
        (format!("UPDATE ratings SET updated_at = updated_at + 1 {own}"), ratings),
        (format!("DELETE FROM ratings {own} AND edition = ''"), ratings),
        (
            "INSERT INTO ratings (run, player, edition, kind, rating, uncertainty, ordinal, games, updated_at) \
             SELECT run, 'unknown', edition, kind, rating, uncertainty, ordinal, games, updated_at FROM ratings \
             WHERE player = 'greedy'"
                .to_owned(),
            ratings,
        ),
        (format!("UPDATE rating_changes SET rating = rating + 1 {own}"), ratings),
        (format!("UPDATE rating_changes SET place = place + 60 {own}"), ratings),
        (format!("DELETE FROM rating_changes {own} AND league_position > 0"), ratings),
        (
            "INSERT INTO rating_changes SELECT run, position + 1000, league_position, player, edition, game, league_table, at, \
             place, players, rating_before, uncertainty_before, rating, uncertainty FROM rating_changes"
                .to_owned(),
            ratings,
        ),
        (
            "UPDATE rating_changes SET rating = rating + 1; UPDATE ratings SET rating = rating + 1, ordinal = ordinal + 1"
                .to_owned(),
            ratings,
        ),
        ("UPDATE projections SET position = 1 WHERE name = 'ratings'".to_owned(), ratings),
        ("UPDATE projections SET position = position + 1000 WHERE name = 'ratings'".to_owned(), ratings),
        ("UPDATE projections SET league_position = 1 WHERE name = 'ratings'".to_owned(), ratings),
        (format!("UPDATE games SET rounds = rounds + 100 WHERE number = {duel_number}"), lists),
        (format!("UPDATE games SET reason = 'goal' WHERE number = {duel_number}"), lists),
        (format!("UPDATE games SET rounds = NULL, reason = NULL WHERE number = {duel_number}"), lists),
        (format!("UPDATE games SET rounds = 3, reason = 'goal' WHERE number = {running_number}"), lists),
        (format!("DELETE FROM game_players WHERE game = {duel_number}"), lists),
        (format!("DELETE FROM game_players WHERE game = {duel_number} AND seat = 1"), lists),
        (format!("UPDATE game_players SET seat = 7 WHERE game = {duel_number} AND seat = 1"), lists),
        ("UPDATE game_players SET game = game + 1000000".to_owned(), "players who belong to no game"),
        (format!("UPDATE game_players SET player = 'greedy' WHERE game = {duel_number} AND player = '{player}'"), lists),
        (format!("UPDATE game_players SET name = 'hanno' WHERE game = {duel_number}"), lists),
        (format!("UPDATE game_players SET public = 0 WHERE game = {duel_number}"), lists),
        (format!("UPDATE game_players SET won = 1 - won WHERE game = {duel_number}"), lists),
        (format!("UPDATE game_players SET nation = 'greeks' WHERE game = {duel_number}"), lists),
        (format!("UPDATE game_players SET opening = 'none' WHERE game = {duel_number}"), lists),
        (format!("UPDATE game_players SET ended_at = ended_at + 1 WHERE game = {duel_number}"), lists),
        (format!("UPDATE game_players SET rounds = rounds + 1 WHERE game = {duel_number}"), lists),
        (format!("UPDATE game_players SET created_at = created_at + 1 WHERE game = {running_number}"), lists),
    ];
    let folder = data.folder.path().to_owned();
    let verify = |url: &str, given: &[&str]| {
        tabularium(&folder, &[&["verify", "--database", url], given].concat())
    };
    let given = ["--key", "keys.json", "--checkpoint", "checkpoint.json"];
    data.server.stop();
    let database = &data.server.database;
    let output = done(&verify(&forge(database, &folder, ""), &given));
    assert!(output.contains(" 0 faults"), "{output}");
    // Each account has two editions and the total, each bot has one edition and the total.
    assert!(output.contains("10 ratings computed again"), "{output}");
    for (statements, named) in forgeries {
        let output = failed(&verify(&forge(database, &folder, &statements), &given), 1);
        assert!(output.contains(named), "{statements}\n{named}\n{output}");
    }
    // Facts are derived again.
    let facts = |change: fn(&mut Vec<GameFacts>)| {
        let folder = tempfile::tempdir().unwrap();
        let (url, path) = (database.url(), folder.path().to_owned());
        // Facts cannot be written on a thread of the runtime.
        std::thread::spawn(move || write_facts(&url, &path, change))
            .join()
            .unwrap();
        let url = forge(database, data.folder.path(), "");
        let facts = folder.path().to_str().unwrap();
        verify(&url, &[&given[..], &["--facts", facts]].concat())
    };
    let output = done(&facts(|_| ()));
    assert!(
        output.contains("facts of 3 games derived again"),
        "{output}"
    );
    assert!(!output.contains("facts of statistics"), "{output}");
    for (change, named) in [
        (
            (|games| games[0].seats[0].points += 1) as fn(&mut Vec<GameFacts>),
            "facts table seats differ",
        ),
        (
            |games| games[2].turns.truncate(1),
            "facts table turns differ",
        ),
        (
            |games| {
                games
                    .iter_mut()
                    .flat_map(|game| &mut game.ratings)
                    .for_each(|row| row.rating += 1.0)
            },
            "facts table ratings differ",
        ),
        (
            |games| drop(games.remove(1)),
            "the facts have 2 games, but 3 follow from the database",
        ),
    ] {
        let output = failed(&facts(change), 1);
        assert!(output.contains(named), "{named}\n{output}");
    }
    // The command lists the data that it cannot check.
    let dropped = forge(database, &folder, "DELETE FROM checkpoints");
    let output = done(&verify(&dropped, &[]));
    for what in [
        "public keys",
        "dropped checkpoints",
        "accounts",
        "not finished",
    ] {
        let named = |line: &str| line.starts_with("unprotected: ") && line.contains(what);
        assert!(output.lines().any(named), "{what}: {output}");
    }
}
