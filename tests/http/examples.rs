//! The examples of the specification: a walk through the whole service produces every answer and every
//! problem that the specification shows.

use std::collections::BTreeMap;

use api::http::limits::options::Limits;
use api::http::scope::Scope;
use api::notices::mail::MailOptions;
use api::server::Config;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::operators_token;
use super::card_statistics::games as duellum_games;
use super::duellum;
use super::passkeys::{self, Authenticator};
use super::ratings::corpus as rated_games;
use super::statistics::{games as bot_games, start_of_second_turn};
use super::support::{Answer, Database, TestServer, array, eventually, resolve, send, text};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/server/docs/examples.json");

/// If this variable is set, the walk writes its answers as the examples.
const WRITE: &str = "TABULARIUM_WRITE_EXAMPLES";

/// A walk and the answers that it has recorded.
struct Walk {
    server: TestServer,
    specification: Value,
    seen: Value,
}

impl Walk {
    /// Makes a call and stores request and answer under the operation's name.
    async fn step(
        &mut self,
        operation: &str,
        call: (Method, &str),
        token: &str,
        accept: &str,
        body: Option<Value>,
    ) -> Answer {
        let (method, path) = call;
        let mut request = self.server.with(method, path, token);
        if !accept.is_empty() {
            request = request.header("Accept", accept);
        }
        if let Some(body) = &body {
            request = request.json(body);
            self.seen["requests"][operation] = body.clone();
        }
        let answer = send(request).await;
        assert!(answer.status < 300, "{operation}: {}", answer.text);
        self.has_the_headers(operation, &answer);
        let media_type = answer.header("content-type").split(';').next();
        let media_type = media_type.unwrap().to_owned();
        let shown = match media_type.as_str() {
            "application/json" | "application/json-patch+json" => answer.json(),
            _ => json!(answer.text),
        };
        let status = answer.status.to_string();
        if self.seen["answers"][operation].is_null() {
            self.seen["answers"][operation] = json!({});
        }
        let operation = &mut self.seen["answers"][operation];
        if operation[&status].is_null() {
            operation[&status] = json!({});
        }
        operation[&status][media_type] = shown;
        answer
    }

    /// Checks that an answer has the headers that the specification shows for it.
    fn has_the_headers(&self, operation: &str, answer: &Answer) {
        let paths = self.specification["paths"].as_object().unwrap();
        let mut operations = paths
            .values()
            .flat_map(|item| item.as_object().unwrap().values());
        let named = operations.find(|one| one["operationId"] == operation);
        let response = &named.unwrap()["responses"][answer.status.to_string()];
        let shown = &resolve(&self.specification, response)["headers"];
        for name in ["ETag", "Location"] {
            let is_shown = shown.get(name).is_some();
            let is_there = answer.headers.contains_key(name);
            assert_eq!(is_there, is_shown, "{operation} {}: {name}", answer.status);
        }
    }

    async fn get(&mut self, operation: &str, path: &str) -> Answer {
        self.step(operation, (Method::GET, path), "", "", None)
            .await
    }

    async fn post(&mut self, operation: &str, path: &str, token: &str, body: Value) -> Answer {
        self.step(operation, (Method::POST, path), token, "", Some(body))
            .await
    }

    /// As [`Walk::post`], with a form.
    async fn form(&mut self, operation: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let kind = "application/x-www-form-urlencoded";
        let form: BTreeMap<&str, &str> = fields.iter().copied().collect();
        self.seen["requests"][operation] = json!({ kind: form });
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let request = self.server.request(Method::POST, path);
        let answer = send(request.header("Content-Type", kind).body(body)).await;
        self.keep(operation, &answer);
        answer
    }

    /// Stores an answer that contains the address of the server, with another one in its place, and with the code of
    /// the documentation.
    fn keep(&mut self, operation: &str, answer: &Answer) {
        let mut shown = answer.text.clone();
        if let Some(code) = answer.ok(200)["user_code"].as_str() {
            shown = shown.replace(code, "WDJB-MJHT");
        }
        let shown = shown.replace(&self.server.address, "https://games.example.org");
        let shown: Value = serde_json::from_str(&shown).unwrap();
        self.seen["answers"][operation]["200"] = json!({"application/json": shown});
    }

    async fn put(&mut self, operation: &str, path: &str, token: &str, body: Value) -> Answer {
        self.step(operation, (Method::PUT, path), token, "", Some(body))
            .await
    }

    /// Stores another answer of an operation under a name.
    fn with_cards(&mut self, operation: &str, name: &str, answer: Answer) {
        let status = answer.status.to_string();
        let kept = &mut self.seen["with_cards"][operation][status]["application/json"];
        kept[name] = answer.json();
    }

    /// Stores a problem under its code.
    fn problem(&mut self, answer: Answer, status: u16, code: &str) {
        self.seen["problems"][code] = answer.problem(status, code);
    }
}

async fn walk() -> Value {
    let seen = json!({"requests": {}, "answers": {}, "with_cards": {}, "problems": {}});
    // No program listens there, so that no mail arrives.
    let mail = MailOptions {
        mail_server: Some("smtp://127.0.0.1:9".into()),
        mail_from: Some("games@example.org".to_owned()),
    };
    let config = Config {
        limits: Limits {
            open_records: true,
            webhooks_to_loopback: true,
            ..Limits::default()
        },
        mail,
        ..Config::default()
    };
    let server = TestServer::configured(Database::fresh(), config);
    let specification = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    let mut walk = Walk {
        server,
        specification,
        seen,
    };
    for (operation, path) in [
        ("get_health", "/healthz"),
        ("get_readiness", "/readyz"),
        ("list_editions", "/v1/editions"),
        ("get_edition", "/v1/editions/antike"),
        ("list_boards", "/v1/boards"),
        ("get_edition_version", "/v1/editions/antike/versions/1"),
        ("get_board", "/v1/boards/antike-east"),
        ("get_board_version", "/v1/boards/antike-east/versions/1"),
        ("list_limits", "/v1/limits"),
        ("get_index", "/v1"),
    ] {
        walk.get(operation, path).await;
    }
    let metadata = walk
        .server
        .get("/.well-known/oauth-authorization-server")
        .await;
    walk.keep("get_server_metadata", &metadata);
    let call = (Method::GET, "/");
    walk.step("get_root", call, "", "application/json", None)
        .await;
    for accept in ["application/json", "text/markdown"] {
        let call = (Method::GET, "/v1/editions/antike/rules");
        walk.step("list_rules", call, "", accept, None).await;
        let call = (Method::GET, "/v1/editions/antike/rules/A24");
        walk.step("get_rule", call, "", accept, None).await;
    }
    let situation = json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]});
    let actions = json!([{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]);
    let apply = json!({"situation": situation, "actions": actions});
    walk.post("apply_actions", "/v1/engine/apply", "", apply)
        .await;
    let path = "/v1/engine/legal-actions";
    walk.post("list_position_legal_actions", path, "", situation.clone())
        .await;
    // A single playout is sent once, on any machine.
    for (accept, playouts) in [("text/event-stream", 1), ("application/json", 4)] {
        let analysis = json!({"situation": situation, "budget": {"playouts": playouts},
            "candidates": 2});
        let call = (Method::POST, "/v1/engine/analysis");
        walk.step("analyse_position", call, "", accept, Some(analysis))
            .await;
    }
    players(&mut walk).await;
    game(&mut walk).await;
    duel(&mut walk).await;
    signing(&mut walk).await;
    problems(&mut walk).await;
    limits(&mut walk).await;
    statistics(&mut walk).await;
    datasets(&mut walk).await;
    tables(&mut walk).await;
    leagues(&mut walk).await;
    annotations(&mut walk).await;
    walk.seen
}

/// A league of one account and three placeholders, with a table that is being played and one that is over.
async fn leagues(walk: &mut Walk) {
    let made = json!({"handle": "maharbal"});
    let made = walk.server.create("/v1/players", "", made).await;
    let token = &text(&made["token"]);
    let new = json!({"name": "Punic Cup", "description": "A game a month.", "joining": "open",
        "season": {"name": "Spring", "rules": {"scoring": {"rank_points": [5, 3, 2, 0]},
            "tie_breaks": ["wins", "head_to_head", "opponents"], "replacement": "split"}}});
    let made = walk.post("create_league", "/v1/leagues", token, new).await;
    let path = format!("/v1/leagues/{}", text(&made.ok(201)["id"]));
    let at = |part: &str| format!("{path}/{part}");
    let mut members = vec!["maharbal".to_owned()];
    for name in ["Hasdrubal", "Bomilcar", "Gisgo", "Nobody"] {
        let body = json!({ "placeholder": name });
        let added = walk.server.create(&at("members"), token, body).await;
        let last = array(&added["members"]).last().unwrap().clone();
        members.push(text(&last["id"]));
    }
    let own = json!({"id": "maharbal"});
    walk.post("add_league_member", &at("members"), token, own)
        .await;
    let gone = at(&format!("members/{}", members[4]));
    let call = (Method::DELETE, &*gone);
    walk.step("remove_league_member", call, token, "", None)
        .await;
    let other = json!({"id": "hanno"});
    walk.post("add_league_organizer", &at("organizers"), token, other)
        .await;
    let call = (Method::DELETE, &*at("organizers/hanno"));
    walk.step("remove_league_organizer", call, token, "", None)
        .await;
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    let pairing = json!({"seed": "spring", "rounds": 2, "size": 4, "nations": nations});
    walk.post("pair_league", &at("pairing"), token, pairing)
        .await;
    let seat = |(member, nation): (&String, &str)| json!({"member": member, "nations": [nation]});
    let seats: Vec<Value> = members.iter().zip(nations).map(seat).collect();
    let new = json!({"round": 1, "edition": "antike", "board": "antike-east", "max_rounds": 60,
        "pace": {"turn_seconds": 259200, "reserve_seconds": 604800, "timeouts": 2, "then": "bot"},
        "deadline": "2099-12-31T20:00:00Z", "tables": [{"seats": seats}]});
    walk.post("create_league_tables", &at("tables"), token, new)
        .await;
    let seat = |((member, nation), rank): ((&String, &str), u8)| json!({"member": member, "nations": [nation], "rank": rank});
    let seats = members.iter().zip(nations).zip([1, 2, 2, 4]).map(seat);
    let seats: Vec<Value> = seats.collect();
    let result = json!({"round": 1, "edition": "antike", "board": "antike-east",
        "played_at": "2026-11-20T18:00:00Z", "seats": seats, "note": "at Gisgo's"});
    walk.post("enter_league_result", &at("results"), token, result)
        .await;
    let correction = json!({"type": "adjudicate", "ranks": [1, 2, 3, 4],
        "note": "the points were counted again"});
    let corrections = at("tables/2/corrections");
    walk.post("correct_league_table", &corrections, token, correction)
        .await;
    let moved = json!({"round": 1, "deadline": "2100-01-31T20:00:00Z",
        "note": "two of us are on a voyage"});
    walk.post("move_league_deadline", &at("deadlines"), token, moved)
        .await;
    for accept in ["application/json", "text/csv"] {
        let call = (Method::GET, &*at("standings"));
        walk.step("get_league_standings", call, "", accept, None)
            .await;
        let call = (Method::GET, &*at("head-to-head"));
        walk.step("get_league_head_to_head", call, "", accept, None)
            .await;
    }
    let call = (Method::GET, &*at("cross-table"));
    walk.step("get_league_cross_table", call, "", "text/csv", None)
        .await;
    exchange(walk, &path, token).await;
    walk.get("list_league_tables", &at("tables")).await;
    let call = (Method::GET, &*at("calendar.ics"));
    walk.step("get_league_calendar", call, "", "text/calendar", None)
        .await;
    let account = json!({"handle": "gisgo"});
    let account = walk.server.create("/v1/players", "", account).await;
    let joins = json!({"id": "gisgo"});
    walk.server
        .create(&at("members"), &text(&account["token"]), joins.clone())
        .await;
    let claim = at(&format!("members/{}/account", members[3]));
    walk.post("claim_league_member", &claim, token, joins).await;
    league_groups(walk, &path, token, &members).await;
    let paused = json!({"table": 1, "note": "a dispute is decided first"});
    walk.post("pause_league", &at("pauses"), token, paused)
        .await;
    let end = json!({"table": 1});
    walk.post("end_league_pause", &at("pauses/end"), token, end)
        .await;
    walk.get("list_league_times", &at("times?season=1")).await;
    let season = json!({"name": "Autumn", "format": {"type": "knock_out"}});
    walk.post("begin_league_season", &at("seasons"), token, season)
        .await;
    let first = json!({"round": 1, "edition": "antike", "byes": [members[2]], "seats": [
        {"member": members[0], "rank": 1}, {"member": members[1], "rank": 2}]});
    walk.server.create(&at("results"), token, first).await;
    walk.get("get_league_bracket", &at("bracket")).await;
    league_holidays(walk, &path, token, &members[1]).await;
    league_organization(walk, token, &path).await;
    walk.get("list_leagues", "/v1/leagues").await;
    walk.get("get_league", &path).await;
    walk.get("list_league_events", &at("events?limit=3")).await;
}

/// Exports the results of a league in each format, and tries to import each file into another league.
async fn exchange(walk: &mut Walk, league: &str, token: &str) {
    let other = json!({"name": "Archive", "season": {"name": "Spring",
        "rules": {"scoring": {"rank_points": [5, 3, 2, 0]}}}});
    let other = walk.server.create("/v1/leagues", token, other).await;
    let import = format!("/v1/leagues/{}/import", text(&other["id"]));
    let export = format!("{league}/export");
    for media_type in ["text/csv", "application/xml", "application/json"] {
        let call = (Method::GET, &*export);
        let file = walk.step("export_league", call, "", media_type, None).await;
        walk.seen["requests"]["import_into_league"][media_type] = match media_type {
            "application/json" => file.json(),
            _ => json!(file.text),
        };
        for (query, status) in [("?dry_run=true", 200), ("", 201)] {
            let request = walk
                .server
                .with(Method::POST, &format!("{import}{query}"), token);
            let request = request.header("Content-Type", media_type);
            let answer = send(request.body(file.text.clone())).await;
            let report = answer.ok(status);
            let kept = &mut walk.seen["answers"]["import_into_league"][status.to_string()];
            if media_type == "text/csv" {
                *kept = json!({"application/json": report});
            }
        }
    }
}

/// A season with holidays.
async fn league_holidays(walk: &mut Walk, path: &str, token: &str, member: &str) {
    let at = |part: &str| format!("{path}/{part}");
    let season = json!({"name": "Winter", "rules": {"scoring": "shares", "holiday_days": 10}});
    walk.server.create(&at("seasons"), token, season).await;
    let holiday =
        json!({"member": member, "from": "2099-08-01T00:00:00Z", "until": "2099-08-08T00:00:00Z"});
    walk.post("take_league_holiday", &at("holidays"), token, holiday)
        .await;
    walk.get("list_league_pauses", &at("pauses")).await;
    let call = (Method::DELETE, &*at(&format!("holidays/{member}")));
    walk.step("end_league_holiday", call, token, "", None).await;
}

/// A season with divisions, one with teams, and a ladder.
async fn league_groups(walk: &mut Walk, path: &str, token: &str, members: &[String]) {
    let at = |part: &str| format!("{path}/{part}");
    let begin = async |walk: &Walk, format: Value| {
        let season = json!({"name": "Summer", "format": format});
        walk.server.create(&at("seasons"), token, season).await;
    };
    let enter = async |walk: &Walk, one: usize, other: usize| {
        let result = json!({"round": 1, "edition": "antike", "seats": [
            {"member": members[one], "rank": 1}, {"member": members[other], "rank": 2}]});
        walk.server.create(&at("results"), token, result).await;
    };
    begin(walk, json!({"type": "round_robin", "games": 1})).await;
    let divisions = json!({"moves": 1, "divisions": [
        {"name": "First division", "members": members[..2]},
        {"name": "Second division", "members": members[2..3]}]});
    walk.put("set_league_divisions", &at("divisions"), token, divisions)
        .await;
    let placement = at("members/gisgo/placement");
    walk.put(
        "place_league_member",
        &placement,
        token,
        json!({"division": 2}),
    )
    .await;
    enter(walk, 1, 0).await;
    walk.get("get_next_league_divisions", &at("divisions/next"))
        .await;
    begin(walk, json!({"type": "spread"})).await;
    let teams = json!({"teams": [{"name": "Carthage", "members": members[..2]},
        {"name": "Rome", "members": [members[2], "gisgo"]}]});
    walk.put("set_league_teams", &at("teams"), token, teams)
        .await;
    let line_up = json!({"team": 1, "round": 1, "members": members[..1]});
    walk.put("set_league_line_up", &at("line-ups"), token, line_up)
        .await;
    enter(walk, 0, 2).await;
    walk.get("get_league_team_standings", &at("teams/standings"))
        .await;
    begin(walk, json!({"type": "ladder", "reach": 2})).await;
    let challenge = json!({"member": members[2], "opponent": members[1]});
    walk.post(
        "challenge_league_member",
        &at("challenges"),
        token,
        challenge,
    )
    .await;
    let withdrawn = at(&format!("challenges/{}", members[2]));
    let call = (Method::DELETE, &*withdrawn);
    walk.step("withdraw_league_challenge", call, token, "", None)
        .await;
}

/// Roles, settings and registration of a league, reports and disputes, and the end of a season.
async fn league_organization(walk: &mut Walk, token: &str, path: &str) {
    let at = |part: &str| format!("{path}/{part}");
    let mut others = Vec::new();
    for handle in ["bomilcar", "himilco"] {
        let made = walk
            .server
            .create("/v1/players", "", json!({ "handle": handle }))
            .await;
        others.push(text(&made["token"]));
    }
    let role = Some(json!({"role": "referee"}));
    let call = (Method::PUT, &*at("roles/hanno"));
    walk.step("set_league_role", call, token, "", role).await;
    let settings = json!({"name": "Punic Cup", "description": "A game a month.", "joining": "approval",
        "questions": [{"text": "On which evenings can you play?", "required": true}], "archived": false});
    let call = (Method::PUT, &*at("settings"));
    walk.step("change_league_settings", call, token, "", Some(settings))
        .await;
    for other in &others {
        let answers = json!({"answers": ["Fridays"]});
        walk.post("register_for_league", &at("registrations"), other, answers)
            .await;
    }
    let call = (Method::GET, &*at("registrations"));
    walk.step("list_league_registrations", call, token, "", None)
        .await;
    for handle in ["bomilcar", "himilco"] {
        let body = json!({ "id": handle });
        walk.server.create(&at("members"), token, body).await;
    }
    let call = (Method::POST, &*at("invitation"));
    walk.step("create_league_invitation", call, token, "", None)
        .await;
    // The code is random.
    let link = &mut walk.seen["answers"]["create_league_invitation"]["201"]["application/json"];
    link["path"] =
        json!("/leagues/0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77/join?code=9b1deb4d3b7d4bad");
    let call = (Method::DELETE, &*at("invitation"));
    walk.step("withdraw_league_invitation", call, token, "", None)
        .await;
    let season = json!({"name": "Winter", "format": {"type": "spread"}});
    walk.server.create(&at("seasons"), token, season).await;
    let result = json!({"round": 1, "edition": "antike", "board": "antike-east", "seats": [
        {"member": "bomilcar", "rank": 1}, {"member": "himilco", "rank": 2}]});
    let report = json!({"result": result});
    walk.post("report_league_result", &at("reports"), &others[0], report)
        .await;
    let accept = json!({"accept": true});
    let call = at("reports/1/answer");
    walk.post("answer_league_report", &call, &others[1], accept)
        .await;
    let table = array(&walk.server.read(&at("tables?limit=100")).await["items"]).len();
    let dispute =
        json!({"table": table, "text": "The last temple was built after the end of the game."});
    walk.post(
        "dispute_league_result",
        &at("disputes"),
        &others[1],
        dispute,
    )
    .await;
    let answer = json!({"text": "The temple counts: see rule A27."});
    walk.post(
        "answer_league_dispute",
        &at("disputes/1/answer"),
        token,
        answer,
    )
    .await;
    walk.get("list_league_reports", &at("reports")).await;
    walk.get("list_league_disputes", &at("disputes")).await;
    let season = array(&walk.server.read(path).await["seasons"]).len();
    let call = (Method::POST, &*at(&format!("seasons/{season}/closing")));
    walk.step("close_league_season", call, token, "", None)
        .await;
    let empty = json!({"name": "A mistake"});
    let made = walk.server.create("/v1/leagues", token, empty).await;
    let empty = format!("/v1/leagues/{}", text(&made["id"]));
    assert_eq!(walk.server.delete(&empty, token).await.status, 204);
}

fn new_game() -> Value {
    json!({"edition": "antike", "board": "antike-east", "first": 0, "seed": "carthage",
        "max_rounds": 60, "pace": {"turn_seconds": 86400, "reserve_seconds": 259200, "timeouts": 2,
            "then": "bot"}, "seats": [
            {"nations": ["greeks"], "player": "open"},
            {"nations": ["phoenicians"], "player": {"placeholder": "Dido"}},
            {"nations": ["persians"], "player": {"bot": "greedy"}},
            {"nations": ["arabs"], "player": {"bot": "random"}}]})
}

/// A game that two accounts have played, and the next game of the same players.
async fn tables(walk: &mut Walk) {
    let mut tokens = Vec::new();
    for handle in ["mago", "hanno"] {
        let body = json!({"handle": handle});
        let made = walk.server.create("/v1/players", "", body).await;
        tokens.push(text(&made["token"]));
    }
    let (mago, hanno) = (&tokens[0], &tokens[1]);
    let mut open = new_game();
    open["seats"][1]["player"] = json!("open");
    let open = walk.server.create("/v1/games", mago, open).await;
    let path = format!("/v1/games/{}/invitation", text(&open["id"]));
    let invites = (Method::POST, &*path);
    let made = walk.step("create_invitation", invites, mago, "", None);
    let code = made.await.ok(201);
    let path = format!("/v1/invitations/{}", text(&code["code"]));
    walk.get("get_invitation", &path).await;
    walk.post("accept_invitation", "/v1/me/invitations", hanno, code)
        .await;
    let claim = json!({"name": "Elissa"});
    walk.post("claim_invitation", &path, "", claim).await;
    let mut new = new_game();
    new["seats"][0]["player"] = json!({"id": "mago"});
    new["seats"][1]["player"] = json!({"id": "hanno"});
    let created = walk.server.create("/v1/games", mago, new).await;
    let path = format!("/v1/games/{}", text(&created["id"]));
    let seat = format!("{path}/seats/1");
    walk.server.create(&seat, hanno, json!({})).await;
    let waiting = (Method::GET, "/v1/me/games?waiting=true");
    walk.step("list_my_games", waiting, mago, "", None).await;
    walk.get("list_player_games", "/v1/players/hanno/games")
        .await;
    let organizer = format!("{path}/organizer");
    let hanno_does = Some(json!({"id": "hanno"}));
    walk.step(
        "set_organizer",
        (Method::PUT, &organizer),
        mago,
        "",
        hanno_does,
    )
    .await;
    walk.server.adjudicate(&path, hanno, &[1, 2, 3, 4]).await;
    let again = format!("{path}/rematch");
    for token in [mago, hanno] {
        walk.step("create_rematch", (Method::POST, &again), token, "", None)
            .await;
    }
    let mut ids = Vec::new();
    for handle in ["mago", "hanno"] {
        let path = format!("/v1/players/{handle}");
        ids.push(text(&walk.server.read(&path).await["id"]));
    }
    for record in rated_games(&[(&ids[0], 100), (&ids[1], 0)], 3, 8) {
        walk.server.imports().import(&record).unwrap();
    }
    let path = "/v1/ratings?edition=antike&provisional=true";
    let all = |page: &Value| page["items"][0]["games"] == 3;
    walk.server.wait_for(path, all).await;
    walk.get("list_ratings", path).await;
    walk.get("get_player", "/v1/players/mago").await;
    walk.get("get_player_strengths", "/v1/players/mago/strengths")
        .await;
    let path = "/v1/players/mago/ratings/history?edition=antike";
    walk.get("get_rating_history", path).await;
}

async fn players(walk: &mut Walk) {
    let dido = json!({"handle": "dido"});
    let made = walk
        .post("register_player", "/v1/players", "", dido)
        .await
        .ok(201);
    let token = text(&made["token"]);
    walk.step("get_me", (Method::GET, "/v1/me"), &token, "", None)
        .await;
    webhooks(walk, &token, &text(&made["player"]["id"])).await;
    walk.get("list_players", "/v1/players?name=di").await;
    let new = json!({"name": "my bot", "scopes": ["read", "play"]});
    let issued = walk.post("create_token", "/v1/tokens", &token, new).await;
    walk.step("list_tokens", (Method::GET, "/v1/tokens"), &token, "", None)
        .await;
    let path = format!("/v1/tokens/{}", text(&issued.ok(201)["about"]["id"]));
    let revoked = walk.server.delete(&path, &token).await;
    assert_eq!(revoked.status, 204, "{}", revoked.text);
    notices(walk, &token).await;
    sign_in(walk, &token).await;
    apps(walk, &token).await;
    passkeys(walk).await;
    let elissa = Some(json!({"handle": "elissa"}));
    walk.step("update_me", (Method::PATCH, "/v1/me"), &token, "", elissa)
        .await;
    // An account without games, whose records would differ each time.
    let zenobia = json!({"handle": "zenobia"});
    let zenobia = walk.server.create("/v1/players", "", zenobia).await;
    let export = (Method::GET, "/v1/me/export");
    walk.step("export_me", export, &text(&zenobia["token"]), "", None)
        .await;
    moderation(walk, &token).await;
}

async fn annotations(walk: &mut Walk) {
    let sophonisba = json!({"handle": "sophonisba"});
    let sophonisba = walk.server.create("/v1/players", "", sophonisba).await;
    let token = &text(&sophonisba["token"]);
    let game = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage", "first": "romans",
        "visibility": "private", "seed": "annotations", "seats": [
            {"nations": ["romans"], "player": {"id": "sophonisba"}}, {"player": {"bot": "random"}}]});
    let (path, _) = walk.server.create_game(token, game).await;
    for action in [
        json!({"type": "move_stone", "field": "gold"}),
        json!({"type": "resign"}),
    ] {
        walk.server.act(&path, token, action).await;
    }
    let path = format!("{path}/annotations");
    let note = json!({"action": 0, "verdict": "?!", "comment": "Iron is better.",
        "variations": [{"actions": ["stone iron", "end"]}]});
    let own = Some(json!({"comment": "A short game.", "notes": [note]}));
    walk.step("annotate", (Method::PUT, &path), token, "", own)
        .await;
    walk.step("list_annotations", (Method::GET, &path), token, "", None)
        .await;
    for accept in ["application/json", "text/plain"] {
        let call = (Method::GET, &*format!("{path}/sophonisba"));
        walk.step("get_annotations", call, token, accept, None)
            .await;
    }
    assert_eq!(walk.server.delete(&path, token).await.status, 204);
}

async fn moderation(walk: &mut Walk, token: &str) {
    let admin = operators_token(&walk.server, "archon", &[Scope::Admin], 600);
    let hasdrubal = json!({"handle": "hasdrubal"});
    let other = walk.server.create("/v1/players", "", hasdrubal).await;
    let report =
        json!({"kind": "account", "subject": "hasdrubal", "text": "The handle insults me."});
    walk.post("create_report", "/v1/reports", token, report.clone())
        .await;
    let answer = walk.server.post("/v1/reports", token, report).await;
    walk.problem(answer, 409, "already_reported");
    let call = (Method::GET, "/v1/reports?open=true");
    walk.step("list_reports", call, &admin, "", None).await;
    let suspend = json!({"type": "suspend_account", "subject": "hasdrubal",
        "reason": "insults in the names of leagues"});
    walk.post("moderate", "/v1/moderation/acts", &admin, suspend)
        .await;
    let call = (Method::GET, "/v1/moderation/acts");
    walk.step("list_acts", call, &admin, "", None).await;
    let other = text(&other["token"]);
    let answer = walk.server.get_with("/v1/me", &other).await;
    walk.problem(answer, 403, "account_suspended");
}

/// Registers an app and connects it to the account of a person who is signed in.
async fn apps(walk: &mut Walk, token: &str) {
    let callback = "https://watcher.example.org/callback";
    let new = json!({"name": "Turn Watcher", "redirect_uris": [callback],
        "home_page": "https://watcher.example.org"});
    let app = walk.post("create_app", "/v1/apps", token, new).await;
    let app = text(&app.ok(201)["id"]);
    let call = (Method::GET, "/v1/apps");
    walk.step("list_apps", call, token, "", None).await;
    let device = [("client_id", &*app), ("scope", "read play")];
    walk.form("create_device_codes", "/oauth/device", &device)
        .await;

    let new = json!({"handle": "dido", "password": "a long walk by the sea"});
    let session = walk.server.post("/v1/sessions", "", new).await;
    let cookie = session.header("set-cookie").split(';').next().unwrap();
    // The example of RFC 7636, appendix B.
    let decision = [
        ("response_type", "code"),
        ("client_id", &app),
        ("scope", "read play"),
        (
            "code_challenge",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        ),
        ("code_challenge_method", "S256"),
        ("decision", "allow"),
    ];
    let body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(decision)
        .finish();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let allow = client.build().unwrap();
    let allow = allow.post(format!("{}/oauth/authorize", walk.server.address));
    let allow = allow
        .header("Cookie", cookie)
        .header("Sec-Fetch-Site", "same-origin")
        .header("Content-Type", "application/x-www-form-urlencoded");
    let allowed = send(allow.body(body)).await;
    let address = reqwest::Url::parse(allowed.header("location")).unwrap();
    let code = address.query_pairs().find(|(name, _)| name == "code");
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", &app),
        ("code", &code.unwrap().1),
        (
            "code_verifier",
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        ),
    ];
    let tokens = walk.form("create_app_tokens", "/oauth/token", &form).await;
    let call = (Method::GET, "/v1/me/apps");
    walk.step("list_connected_apps", call, token, "", None)
        .await;
    let access = text(&tokens.json()["access_token"]);
    let form = [("client_id", &*app), ("token", &access)];
    walk.form("revoke_app_token", "/oauth/revoke", &form).await;
}

async fn sign_in(walk: &mut Walk, token: &str) {
    let password = "a long walk by the sea";
    let change = json!({ "password": password });
    let call = (Method::PUT, "/v1/me/password");
    let set = walk
        .step("change_password", call, token, "", Some(change))
        .await;
    assert_eq!(set.status, 204, "{}", set.text);
    let new = json!({"handle": "dido", "password": password});
    walk.post("create_session", "/v1/sessions", "", new).await;
    let wrong = json!({"handle": "dido", "password": "a short walk by the sea"});
    let answer = walk.server.post("/v1/sessions", "", wrong).await;
    walk.problem(answer, 403, "wrong_password");
    let list = (Method::GET, "/v1/me/sessions");
    walk.step("list_sessions", list, token, "", None).await;
    let proof = json!({ "password": password });
    let path = "/v1/me/recovery-codes";
    walk.post("create_recovery_codes", path, token, proof).await;
    let seat = |nation: &str, player: Value| json!({"nations": [nation], "player": player});
    let bot = json!({"bot": "random"});
    let game = json!({
        "edition": "antike", "board": "antike-east", "first": "greeks", "max_rounds": 60, "seed": "adopted",
        "seats": [seat("greeks", json!("open")), seat("phoenicians", bot.clone()), seat("persians", bot.clone()),
            seat("arabs", bot)],
    });
    let game = walk.server.create("/v1/games", "", game).await;
    let path = format!("/v1/games/{}/seats/0", text(&game["id"]));
    let claimed = walk
        .server
        .create(&path, "", json!({"name": "Hanno"}))
        .await;
    let proof = json!({"game": game["id"], "token": claimed["token"]});
    walk.post("adopt_seat", "/v1/me/seats", token, proof).await;
}

/// No program sends the mails, and the browser of the push subscription does not exist.
async fn notices(walk: &mut Walk, token: &str) {
    let new = json!({"address": "dido@example.org"});
    let call = (Method::PUT, "/v1/me/mail-address");
    walk.step("set_mail_address", call, token, "", Some(new))
        .await;
    let call = (Method::GET, "/v1/me/mail-address");
    walk.step("get_mail_address", call, token, "", None).await;
    let new = json!({"choices": [{"type": "your_turn", "mail": "daily", "push": true}]});
    let call = (Method::PUT, "/v1/me/notices");
    walk.step("choose_notices", call, token, "", Some(new))
        .await;
    let call = (Method::GET, "/v1/me/notices");
    walk.step("get_notices", call, token, "", None).await;
    let path = "/v1/me/push-subscriptions";
    let subscription = json!({"endpoint": "http://127.0.0.1:9999/8f2a", "language": "en",
        "keys": {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg"}});
    let added = walk
        .post("create_push_subscription", path, token, subscription)
        .await;
    walk.step(
        "list_push_subscriptions",
        (Method::GET, path),
        token,
        "",
        None,
    )
    .await;
    let handle = json!({"handle": "dido"});
    walk.post("recover_password", "/v1/password-recoveries", "", handle)
        .await;
    let added = format!("{path}/{}", text(&added.json()["id"]));
    assert_eq!(walk.server.delete(&added, token).await.status, 204);
    for part in ["requests", "answers"] {
        let shown = walk.seen[part].to_string();
        let shown = shown.replace(
            "http://127.0.0.1:9999/8f2a",
            "https://push.example.org/8f2a",
        );
        walk.seen[part] = serde_json::from_str(&shown).unwrap();
    }
}

/// Passkeys need a server with a public URL. The examples show texts in place of challenges and signatures.
async fn passkeys(walk: &mut Walk) {
    let (begin, finish, mine) = (
        "/v1/passkeys/ceremonies",
        "/v1/passkeys/sessions",
        "/v1/me/passkeys",
    );
    let purpose = |purpose: &str| json!({ "purpose": purpose });
    let request = walk.server.request(Method::POST, begin);
    let request = request.header("Host", "games.example.org");
    let answer = send(request.json(&purpose("sign_in"))).await;
    walk.problem(answer, 409, "passkeys_unavailable");
    let own = std::mem::replace(&mut walk.server, passkeys::server());
    let registered = json!({"handle": "dido"});
    let registered = walk.server.create("/v1/players", "", registered).await;
    let token = text(&registered["token"]);
    let mut phone = Authenticator::new(1);
    let begun = walk
        .server
        .post(begin, &token, purpose("add"))
        .await
        .ok(201);
    let new = json!({"ceremony": begun["ceremony"], "credential": phone.create(&begun["options"]), "name": "my phone"});
    let added = walk.post("add_passkey", mine, &token, new).await.ok(201);
    let path = format!("{mine}/{}", text(&added["id"]));
    let begun = walk
        .post("begin_passkey", begin, "", purpose("sign_in"))
        .await
        .ok(201);
    let end = json!({"ceremony": begun["ceremony"], "credential": phone.sign(&begun["options"])});
    walk.post("create_passkey_session", finish, "", end.clone())
        .await;
    let answer = walk.server.post(finish, "", end).await;
    walk.problem(answer, 403, "wrong_passkey");
    let name = Some(json!({"name": "my phone"}));
    walk.step("rename_passkey", (Method::PATCH, &path), &token, "", name)
        .await;
    walk.step("list_passkeys", (Method::GET, mine), &token, "", None)
        .await;
    let answer = walk.server.delete(&path, &token).await;
    walk.problem(answer, 409, "last_sign_in");
    walk.server = own;
    let words = |names: &[&str]| {
        let words = names
            .iter()
            .map(|name| ((*name).to_owned(), json!("AQIDBA")));
        words.collect::<serde_json::Map<_, _>>()
    };
    let created = words(&["attestationObject", "clientDataJSON"]);
    let signed = words(&[
        "authenticatorData",
        "clientDataJSON",
        "signature",
        "userHandle",
    ]);
    walk.seen["requests"]["add_passkey"]["credential"]["response"] = created.into();
    walk.seen["requests"]["create_passkey_session"]["credential"]["response"] = signed.into();
    let begun = &mut walk.seen["answers"]["begin_passkey"]["201"]["application/json"];
    begun["options"]["publicKey"]["challenge"] = json!("AQIDBA");
}

/// The webhook points to a port where no program listens. The examples show a possible receiver in its place.
async fn webhooks(walk: &mut Walk, token: &str, player: &str) {
    let new = json!({"url": "http://127.0.0.1:9999/", "events": ["your_turn", "game_finished"],
        "for": {"player": player}});
    let made = walk
        .post("create_webhook", "/v1/webhooks", token, new)
        .await;
    let made = made.ok(201);
    let path = format!("/v1/webhooks/{}", text(&made["webhook"]["id"]));
    let list = "/v1/webhooks";
    walk.step("list_webhooks", (Method::GET, list), token, "", None)
        .await;
    walk.step("get_webhook", (Method::GET, &path), token, "", None)
        .await;
    let patch = Some(json!({"events": ["your_turn"]}));
    walk.step("update_webhook", (Method::PATCH, &path), token, "", patch)
        .await;
    let secret = format!("{path}/secret");
    let post = (Method::POST, secret.as_str());
    walk.step("replace_webhook_secret", post, token, "", None)
        .await;
    let test = format!("{path}/test");
    let post = (Method::POST, test.as_str());
    let sent = walk.step("test_webhook", post, token, "", None).await;
    let deliveries = format!("{path}/deliveries");
    let tried = eventually("no delivery was tried", async || {
        let page = send(walk.server.with(Method::GET, &deliveries, token)).await;
        Some(page.ok(200)["items"][0]["attempts"].clone()).filter(|tried| *tried != 0)
    })
    .await;
    assert_eq!(tried, 1, "it is tried, and again much later");
    let get = (Method::GET, deliveries.as_str());
    walk.step("list_webhook_deliveries", get, token, "", None)
        .await;
    let again = format!("{deliveries}/{}/redelivery", text(&sent.json()["id"]));
    let post = (Method::POST, again.as_str());
    walk.step("redeliver", post, token, "", None).await;
    send(walk.server.with(Method::DELETE, &path, token)).await;
    for part in ["requests", "answers"] {
        let shown = walk.seen[part].to_string();
        let shown = shown.replace("http://127.0.0.1:9999/", "https://example.org/tabularium");
        walk.seen[part] = serde_json::from_str(&shown).unwrap();
    }
}

/// A game of two people and two bots, in which the bots never move, so the walk is always the same.
async fn game(walk: &mut Walk) {
    let created = walk.post("create_game", "/v1/games", "", new_game()).await;
    let created = created.ok(201);
    let organizer = text(&created["tokens"]["organizer"]);
    let dido = text(&created["tokens"]["seats"]["1"]);
    let path = format!("/v1/games/{}", text(&created["id"]));
    let at = |part: &str| format!("{path}/{part}");
    let claim = json!({"name": "Hanno"});
    let claimed = walk.post("claim_seat", &at("seats/0"), "", claim).await;
    let hanno = text(&claimed.ok(201)["token"]);
    walk.get("get_game", &path).await;
    walk.get("list_legal_actions", &at("legal-actions")).await;
    let orders = json!([{"battle": "allow"},
        {"against": "greeks", "unit": "galley", "battle": "demand"}, {"fortress": "play"}]);
    let call = (Method::PUT, &*at("seats/1/orders"));
    walk.step("set_orders", call, &dido, "", Some(orders)).await;
    let call = (Method::GET, &*at("seats/1/orders"));
    walk.step("get_orders", call, &dido, "", None).await;

    let iron = json!({"type": "move_stone", "field": "iron"});
    let turn = json!({"actions": [iron, {"type": "end_turn"}]});
    let dry = at("actions?dry_run=true");
    walk.post("submit_action", &dry, &hanno, turn.clone())
        .await
        .ok(200);
    walk.post("submit_action", &at("actions"), &hanno, iron.clone())
        .await;
    let answer = walk.server.post(&at("actions"), &dido, iron.clone()).await;
    walk.problem(answer, 409, "not_your_turn");
    let again = json!({"type": "move_stone", "field": "gold"});
    let answer = walk.server.post(&at("actions"), &hanno, again).await;
    walk.problem(answer, 422, "illegal_action");
    let undo = json!({"to": 1});
    walk.post("undo_actions", &at("undo"), &hanno, undo.clone())
        .await
        .ok(201);
    walk.server.create(&at("actions"), &hanno, turn).await;
    walk.server
        .create(&at("actions"), &dido, iron.clone())
        .await;
    walk.post("undo_actions", &at("undo"), &hanno, undo)
        .await
        .ok(202);
    let answer = walk
        .server
        .post(&at("undo"), &hanno, json!({"to": 6}))
        .await;
    walk.problem(answer, 409, "nothing_to_undo");
    let call = (Method::DELETE, &*at("undo"));
    walk.step("decline_undo", call, &dido, "", None).await;

    let hello = json!({"text": "Good luck to all!"});
    walk.post("send_message", &at("chat"), &dido, hello).await;
    walk.get("get_chat", &at("chat")).await;
    let off = Some(json!({"on": false}));
    let call = (Method::PATCH, &*at("chat"));
    walk.step("switch_chat", call, &organizer, "", off).await;
    let answer = walk
        .server
        .post(&at("chat"), &dido, json!({"text": "Oh"}))
        .await;
    walk.problem(answer, 409, "chat_off");

    for accept in [
        "application/json",
        "application/x-ndjson",
        "text/event-stream",
    ] {
        let call = (Method::GET, &*at("events?limit=3"));
        walk.step("list_game_events", call, "", accept, None).await;
        let call = (Method::GET, "/v1/events?limit=3");
        walk.step("list_events", call, "", accept, None).await;
    }
    walk.get("get_state", &at("states/2")).await;
    walk.get("get_state_diff", &at("states/1/diff/2")).await;
    walk.get("list_games", "/v1/games").await;
    walk.get("count_games", "/v1/games/count?board=antike-east")
        .await;
    let player = json!({"player": {"placeholder": "Hamilcar"}});
    let call = (Method::PUT, &*at("seats/3"));
    walk.step("replace_player", call, &organizer, "", Some(player))
        .await;
    let stale = walk.server.with(Method::POST, &at("actions"), &hanno);
    let stale = send(stale.header("If-Match", "\"1\"").json(&iron)).await;
    walk.problem(stale, 412, "stale_view");
    let ranks = json!({"ranks": [{"seat": 0, "rank": 1}, {"seat": 1, "rank": 2},
        {"seat": 2, "rank": 2}, {"seat": 3, "rank": 4}], "note": "time was up"});
    let answer = walk
        .server
        .post(&at("adjudication"), &hanno, ranks.clone())
        .await;
    walk.problem(answer, 403, "forbidden");
    walk.post("adjudicate", &at("adjudication"), &organizer, ranks)
        .await;
    let answer = walk.server.post(&at("actions"), &hanno, iron).await;
    walk.problem(answer, 409, "game_over");
    for accept in ["application/json", "text/plain"] {
        let call = (Method::GET, &*at("record"));
        walk.step("get_record", call, "", accept, None).await;
    }
    walk.get("get_proof", &at("proof")).await;

    let mut for_bids = new_game();
    for_bids["bidding"] = json!({"kind": "open"});
    let for_bids = walk.server.create("/v1/games", "", for_bids).await;
    let place = format!("/v1/games/{}/seats/1", text(&for_bids["id"]));
    let bidder = text(&for_bids["tokens"]["seats"]["1"]);
    let bid = || Some(json!({"bids": [{"seat": 0, "points": 0.5}]}));
    let early = walk
        .server
        .put(&format!("{place}/bids"), &bidder, bid().unwrap())
        .await;
    walk.problem(early, 409, "not_started");
    let free = format!("/v1/games/{}/seats/0", text(&for_bids["id"]));
    let claimed = walk
        .server
        .create(&free, "", json!({"name": "Hanno"}))
        .await;
    let early = walk
        .server
        .put(&format!("{place}/bids"), &bidder, bid().unwrap())
        .await;
    walk.problem(early, 409, "not_your_bid");
    let call = (Method::PUT, &*format!("{free}/bids"));
    walk.step("bid", call, &text(&claimed["token"]), "", bid())
        .await;

    let other = walk.server.create("/v1/games", "", new_game()).await;
    let path = format!("/v1/games/{}", text(&other["id"]));
    let seat = format!("{path}/seats/1");
    let dido = text(&other["tokens"]["seats"]["1"]);
    let taken = walk.server.post(&seat, "", json!({})).await;
    walk.problem(taken, 409, "seat_taken");
    walk.step("leave_seat", (Method::DELETE, &seat), &dido, "", None)
        .await;
    let organizer = text(&other["tokens"]["organizer"]);
    walk.step(
        "abandon_game",
        (Method::DELETE, &path),
        &organizer,
        "",
        None,
    )
    .await;
}

/// A city is attacked and defended with a card, another is lost, and its owner takes a card.
async fn duel(walk: &mut Walk) {
    let position = duellum::before_the_attack(&walk.server).await;
    let mut new = duellum::new_game(&position);
    new["seed"] = json!("carthage");
    let duel = duellum::create(&walk.server, new).await;
    let (actions, dry) = (duel.at("actions"), duel.at("actions?dry_run=true"));
    let attack = json!({"actions": [{"type": "move_stone", "field": "maneuver_1"},
        {"type": "conquer", "region": "caesarea", "legions": 1}]});
    let answer = walk.server.post(&actions, &duel.romans, attack).await;
    walk.with_cards("submit_action", "conquest_declared", answer);
    let answer = walk.server.get(&duel.at("legal-actions")).await;
    walk.with_cards("list_legal_actions", "fortress_answer", answer);
    let play = json!({"type": "play_card", "card": "fortress"});
    let answer = walk.server.post(&actions, &duel.carthaginians, play).await;
    walk.with_cards("submit_action", "city_saved", answer);
    let conquest = json!({"actions": [
        {"type": "play_card", "card": "earthquake", "region": "carales"},
        {"type": "conquer", "region": "carales", "galleys": 1}, {"type": "end_turn"}]});
    walk.server.create(&actions, &duel.romans, conquest).await;
    let answer = walk.server.get(&duel.path).await;
    walk.with_cards("get_game", "card_choice", answer);
    let take = json!({"type": "take_card", "card": "tribute"});
    let answer = walk
        .server
        .post(&dry, &duel.carthaginians, take.clone())
        .await;
    walk.with_cards("submit_action", "card_to_be_drawn", answer);
    let list = json!({"actions": [take, {"type": "play_card", "card": "tribute"}]});
    let answer = walk.server.post(&actions, &duel.carthaginians, list).await;
    walk.problem(answer, 422, "card_drawn");
    let answer = walk.server.post(&actions, &duel.carthaginians, take).await;
    walk.with_cards("submit_action", "card_taken", answer);
    walk.server
        .create(&actions, &duel.romans, json!({"type": "resign"}))
        .await;
    let answer = walk.server.get(&duel.at("record")).await;
    let record = answer.text.clone() + "\n";
    walk.with_cards("get_record", "decks_spelled_out", answer);
    let notation = walk.server.get_as(&duel.at("record"), "text/plain").await;
    for (media_type, accept, body) in [
        ("application/x-ndjson", "application/x-ndjson", record),
        ("text/plain", "application/json", notation.text),
    ] {
        walk.seen["requests"]["import_records"][media_type] = json!(body);
        let request = walk.server.request(Method::POST, "/v1/records");
        let request = request.header("Content-Type", media_type);
        let answer = send(request.header("Accept", accept).body(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        walk.seen["answers"]["import_records"]["200"][accept] = match accept {
            "application/json" => answer.json(),
            _ => json!(answer.text),
        };
    }
}

async fn signing(walk: &mut Walk) {
    let checkpoint = walk
        .server
        .services()
        .signing
        .make_checkpoint()
        .unwrap()
        .unwrap();
    assert_eq!(checkpoint.number, 1);
    walk.get("list_keys", "/v1/keys").await;
    walk.get("list_checkpoints", "/v1/checkpoints").await;
    walk.get("get_checkpoint", "/v1/checkpoints/latest").await;
}

async fn problems(walk: &mut Walk) {
    let games = |walk: &Walk| walk.server.request(Method::POST, "/v1/games");
    let answer = walk.server.get("/v1/games/none").await;
    walk.problem(answer, 404, "not_found");
    let answer = walk.server.get("/v1/games?limit=0").await;
    walk.problem(answer, 422, "invalid_parameter");
    let answer = walk.server.get_as("/v1/events", "image/png").await;
    walk.problem(answer, 406, "not_acceptable");
    let broken = games(walk).header("Content-Type", "application/json");
    let answer = send(broken.body("{\"edition\": antike}")).await;
    walk.problem(answer, 400, "malformed_json");
    let answer = send(games(walk).header("Content-Type", "text/plain").body("x")).await;
    walk.problem(answer, 415, "unsupported_media_type");
    let large = json!({"edition": "x".repeat(300_000)});
    let answer = send(games(walk).json(&large)).await;
    walk.problem(answer, 413, "too_large");
    let answer = send(
        games(walk)
            .header("Authorization", "Basic x")
            .json(&new_game()),
    )
    .await;
    walk.problem(answer, 401, "unauthenticated");
    for (league, code) in [
        ("first", None),
        ("first", Some((409, "already_done"))),
        ("second", Some((422, "idempotency_conflict"))),
    ] {
        let mut game = new_game();
        game["league"] = json!(league);
        let request = walk.server.request(Method::POST, "/v1/games");
        let request = request.header("Idempotency-Key", "one").json(&game);
        let answer = send(request).await;
        if let Some((status, code)) = code {
            walk.problem(answer, status, code);
        }
    }
}

/// Servers whose limits are already used up.
async fn limits(walk: &mut Walk) {
    let limits = Limits {
        games: "1/60".parse().unwrap(),
        log_streams: 1,
        loopback: 1,
        ..Limits::default()
    };
    let server = TestServer::with_limits(limits);
    server.create("/v1/games", "", new_game()).await;
    let answer = server.post("/v1/games", "", new_game()).await;
    walk.problem(answer, 429, "rate_limited");
    let follow = || {
        let request = server.request(Method::GET, "/v1/events");
        request.header("Accept", "text/event-stream")
    };
    let _followed = follow().send().await.unwrap();
    walk.problem(send(follow()).await, 503, "overloaded");
}

async fn statistics(walk: &mut Walk) {
    let records = bot_games(12);
    for record in &records {
        walk.server.imports().import(record).unwrap();
    }
    let position = format!(
        "positions?reason=any&digest={}",
        start_of_second_turn(&records[0])
    );
    // The adjudicated game counts as well. The game of Duellum began in a given position.
    let all = |body: &Value| body["games"] == 13;
    walk.server
        .wait_for("/v1/stats/nations?reason=any", all)
        .await;
    for (operation, path) in [
        ("nations_statistics", "nations?reason=any"),
        ("openings_statistics", "openings?reason=any"),
        (
            "openings_tree_statistics",
            "openings/tree?reason=any&path=gold",
        ),
        ("personages_statistics", "personages?reason=any&at=1"),
        ("personages_final_statistics", "personages/final?reason=any"),
        (
            "personages_incidence_statistics",
            "personages/incidence?reason=any&min_games=3",
        ),
        ("timing_statistics", "timing?reason=any"),
        ("seats_statistics", "seats?reason=any"),
        ("strength_statistics", "strength?reason=any"),
        ("skill_statistics", "skill?reason=any"),
        ("personages_worth_statistics", "personages/worth?reason=any"),
        ("trends_statistics", "trends?reason=any&min_games=3"),
        (
            "nations_places_statistics",
            "nations/places?reason=any&min_games=3",
        ),
        (
            "nations_openings_statistics",
            "nations/openings?reason=any&min_games=3",
        ),
        (
            "openings_neighbours_statistics",
            "openings/neighbours?reason=any&min_games=3",
        ),
        ("income_statistics", "income?reason=any&min_games=3"),
        (
            "head_to_head_statistics",
            "head-to-head?reason=any&bot=random",
        ),
        ("positions_statistics", position.as_str()),
        ("lengths_statistics", "lengths?reason=any"),
        ("know_hows_statistics", "know-hows?reason=any"),
        (
            "know_hows_rounds_statistics",
            "know-hows/rounds?reason=any&min_games=3",
        ),
        ("conquests_statistics", "conquests?reason=any&min_games=3"),
        ("trades_statistics", "trades?reason=any"),
    ] {
        for accept in ["application/json", "text/csv"] {
            let path = format!("/v1/stats/{path}");
            walk.step(operation, (Method::GET, &path), "", accept, None)
                .await;
        }
    }
    let path = "/v1/stats/versus/seats?reason=any&versus=opening%3Dgrowth";
    for accept in ["application/json", "text/csv"] {
        walk.step("compare_samples", (Method::GET, path), "", accept, None)
            .await;
    }
    walk.get("get_statistics_dictionary", "/v1/stats/dictionary")
        .await;
    walk.step(
        "export_records",
        (Method::GET, "/v1/records?limit=1"),
        "",
        "application/x-ndjson",
        None,
    )
    .await;
    for record in duellum_games("duellum-rome-carthage", 3) {
        walk.server.imports().import(&record).unwrap();
    }
    let all = |body: &Value| body["games"] == 3;
    let path = "/v1/stats/cards?reason=any&board=duellum-rome-carthage";
    walk.server.wait_for(path, all).await;
    for accept in ["application/json", "text/csv"] {
        let path = format!("{path}&min_games=3");
        walk.step("cards_statistics", (Method::GET, &path), "", accept, None)
            .await;
    }
}

/// A published game, which is the same in every walk.
async fn datasets(walk: &mut Walk) {
    let record = include_str!("../records/west_3_goal.json");
    let record = serde_json::from_str(record).unwrap();
    let library = engine::content::Library::embedded();
    let facts = analytics::GameFacts::derive(&record, library).unwrap();
    let facts = facts.with_position(1, "2026-01-02T03:04:05Z".parse().unwrap());
    let facts = analytics::Facts::from_games(vec![facts]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = analytics::FactsStore::new(folder.path());
    let mut writer = analytics::FactsWriter::open(&store).unwrap();
    writer.append(&facts, None, 0).unwrap();
    let to = walk.server.database.facts().with_extension("datasets");
    analytics::dataset::publish(&analytics::dataset::Publication {
        facts: &store,
        to: &to,
        name: "golden",
        title: "A golden record",
        description: "One game that is the same in every walk.",
        license: "CC0-1.0",
        as_of: None,
    })
    .unwrap();
    for (operation, path) in [
        ("list_datasets", "/v1/datasets"),
        ("get_dataset", "/v1/datasets/golden"),
        ("get_dataset_file", "/v1/datasets/golden/schemas/cards.json"),
        ("get_dataset_file", "/v1/datasets/golden/SHA256SUMS"),
    ] {
        walk.get(operation, path).await;
    }
}

/// Returns what stays the same from one walk to the next: replaces ids, tokens, times and their hashes by
/// names, and rounds floating-point numbers.
fn without_variable_parts(value: &Value, key: &str) -> Value {
    match value {
        Value::Object(fields) => {
            let event = fields.contains_key("seq") && fields.contains_key("hash");
            let inside = |(name, value): (&String, &Value)| {
                let value = match name.as_str() {
                    "hash" if event => json!("HASH"),
                    // It is written in the background.
                    "last_used_at" => json!("TIME"),
                    _ if key == "tokens" => without_variable_parts(value, "token"),
                    _ => without_variable_parts(value, name),
                };
                (name.clone(), value)
            };
            let fields: BTreeMap<String, Value> = fields.iter().map(inside).collect();
            json!(fields)
        }
        Value::Number(_) if key == "at_microseconds" => json!("TIME"),
        // Sizes of files, log positions after the moves of bots, and the time that a player used.
        Value::Number(_)
            if [
                "bytes",
                "size",
                "log_position",
                "seconds",
                "longest_seconds",
            ]
            .contains(&key) =>
        {
            json!("NUMBER")
        }
        Value::Array(items) => items
            .iter()
            .map(|item| without_variable_parts(item, key))
            .collect(),
        Value::Number(number) if number.is_f64() => {
            json!(format!("{:.9}", number.as_f64().unwrap()))
        }
        Value::String(text) => json!(text_without_variable_parts(text, key)),
        other => other.clone(),
    }
}

fn text_without_variable_parts(text: &str, key: &str) -> String {
    let secret = text.starts_with("tabularium_") && text.len() == 49 || text.starts_with("whsec_");
    if ["code", "codes"].contains(&key)
        && [14, 19].contains(&text.len())
        && text.as_bytes()[4] == b'-'
    {
        return "CODE".to_owned();
    }
    let times = [
        "created_at",
        "created",
        "updated_at",
        "at",
        "as_of",
        "played_at",
        "last_used_at",
        "last_seen_at",
        "expires_at",
        "since",
        "due_at",
        "began_at",
        "ended_at",
        "resolved_at",
        "complete_until",
        "connected_at",
    ];
    let time = times.contains(&key);
    if time {
        assert!(text.ends_with('Z'), "{key} is no time: {text}");
        return "TIME".to_owned();
    }
    let hex =
        [16, 64, 128].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match key {
        "id" | "key" | "public_key" | "previous" | "root" | "value" | "seed_commitment" if hex => {
            return "HEX".to_owned();
        }
        "token" | "access_token" | "refresh_token" | "secret" | "organizer" | "0" | "1" | "2"
        | "3"
            if secret =>
        {
            return "TOKEN".to_owned();
        }
        "push_key" | "verifier_key" => return "KEY".to_owned(),
        "checkpoint" if text.starts_with("tabularium/") => return "CHECKPOINT".to_owned(),
        "data_version" => return "VERSION".to_owned(),
        "hash" if text.starts_with("sha256:") => return "HASH".to_owned(),
        _ => {}
    }
    let bare = text
        .split_once(':')
        .filter(|(kind, _)| ["guest", "placeholder"].contains(kind));
    if uuid::Uuid::try_parse(bare.map_or(text, |(_, id)| id)).is_ok() {
        return bare.map_or("ID".to_owned(), |(kind, _)| format!("{kind}:ID"));
    }
    // Other media types and paths: line by line, the words that are no JSON.
    let lines = text.lines().map(|line| {
        let (start, rest) = line
            .strip_prefix("data: ")
            .map_or(("", line), |rest| ("data: ", rest));
        match serde_json::from_str::<Value>(rest) {
            Ok(value @ Value::Object(_)) => {
                format!("{start}{}", without_variable_parts(&value, ""))
            }
            _ => plain(line),
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// Whether a word is a table's `data_version`: games and hash.
fn is_version(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match parts[..] {
        [games, hash] => is_number(games) && hash.len() == 16 && !games.is_empty(),
        _ => false,
    }
}

/// Replaces ids and times in a line of text by names and rounds the numbers of a table.
fn plain(line: &str) -> String {
    if line.starts_with("[Signature ") {
        return "SIGNATURE".to_owned();
    }
    // Times of BG Stats.
    if line.len() == "2026-11-20 18:00:00".len() && line.parse::<jiff::civil::DateTime>().is_ok() {
        return "TIME".to_owned();
    }
    // Calendars: ids, times, numbers that follow from times, and addresses.
    let of_calendars = [
        "UID:",
        "DTSTAMP:",
        "DTSTART:",
        "DTEND:",
        "SEQUENCE:",
        "URL:",
    ];
    if let Some(name) = of_calendars.iter().find(|name| line.starts_with(**name)) {
        return (*name).to_owned();
    }
    let mut place = false;
    let parts = line.split_inclusive(['/', ' ', ',', '"', ']']).map(|part| {
        // The log position follows the version of a table.
        let is_place = std::mem::take(&mut place);
        let word = part.trim_end_matches(['/', ' ', ',', '"', ']']);
        let end = &part[word.len()..];
        let is_time = word.contains('T') && word.parse::<jiff::Timestamp>().is_ok();
        place = is_version(word);
        match word.parse::<f64>() {
            _ if is_place => format!("PLACE{end}"),
            _ if place => format!("VERSION{end}"),
            _ if uuid::Uuid::try_parse(word).is_ok() => format!("ID{end}"),
            _ if word.starts_with("guest:") || word.starts_with("placeholder:") => {
                format!("ID{end}")
            }
            _ if is_time => format!("TIME{end}"),
            _ if word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                format!("HASH{end}")
            }
            Ok(number) if word.contains('.') => format!("{number:.9}{end}"),
            _ => part.to_owned(),
        }
    });
    parts.collect()
}

// Polars refuses to block a single-threaded runtime.
#[tokio::test(flavor = "multi_thread")]
async fn the_examples_are_the_answers_of_the_service() {
    let seen = walk().await;
    if std::env::var_os(WRITE).is_some() {
        let text = serde_json::to_string_pretty(&seen).unwrap() + "\n";
        std::fs::write(FILE, text).unwrap();
        return;
    }
    let shown = std::fs::read_to_string(FILE).unwrap();
    let shown: Value = serde_json::from_str(&shown).unwrap();
    for part in ["requests", "answers", "with_cards", "problems"] {
        let names = |value: &Value| value[part].as_object().unwrap().keys().cloned().collect();
        let (seen_names, shown_names): (Vec<String>, Vec<String>) = (names(&seen), names(&shown));
        assert_eq!(seen_names, shown_names, "set {WRITE}=1 to write them again");
        for name in seen_names {
            assert_eq!(
                without_variable_parts(&seen[part][&name], ""),
                without_variable_parts(&shown[part][&name], ""),
                "{part} {name}: set {WRITE}=1 to write them again"
            );
        }
    }
}

#[test]
fn everything_in_the_specification_is_described_and_shown() {
    let document: Value = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let called = format!("{method} {path}");
            assert!(operation["summary"].is_string(), "{called} has no summary");
            for parameter in array(&operation["parameters"]) {
                let name = &parameter["name"];
                assert!(parameter["description"].is_string(), "{called}: {name}");
            }
            let shown = |content: &Value, what: &str| {
                let one = content
                    .get("example")
                    .is_some_and(|example| !example.is_null());
                let several = content["examples"].as_object().is_some_and(|all| {
                    !all.is_empty()
                        && all
                            .values()
                            .all(|one| !resolve(&document, one)["value"].is_null())
                });
                assert!(one || several, "{called}: no example of {what}");
            };
            if let Some(body) = operation.get("requestBody") {
                for (media_type, content) in body["content"].as_object().unwrap() {
                    shown(content, &format!("a request {media_type}"));
                }
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                let response = resolve(&document, response);
                for (media_type, content) in response["content"].as_object().into_iter().flatten() {
                    // Tables in binary formats, pictures, pages, and metrics, which always differ.
                    let shapeless = media_type.ends_with("parquet")
                        || media_type.ends_with("spreadsheetml.sheet")
                        || media_type == "text/html"
                        || media_type.starts_with("image/")
                        || path == "/metrics";
                    if !shapeless || status != "200" {
                        shown(content, &format!("{status} {media_type}"));
                    }
                }
            }
        }
    }
}

/// Deserializes the example of an operation as the type that documents it.
#[track_caller]
fn reads<T: serde::de::DeserializeOwned + serde::Serialize>(
    shown: &Value,
    operation: &str,
    status: &str,
) {
    let body = |part: &str| &shown[part][operation][status]["application/json"];
    let named = body("with_cards").as_object().into_iter();
    let named = named.flat_map(serde_json::Map::values);
    for body in std::iter::once(body("answers")).chain(named) {
        let read: T = serde_json::from_value(body.clone())
            .unwrap_or_else(|error| panic!("{operation}: {error}"));
        assert_eq!(
            &serde_json::to_value(read).unwrap(),
            body,
            "{operation} {status}"
        );
    }
}

#[test]
fn the_examples_have_their_types() {
    use api::accounts::model::{CreatedToken, Me, PlayerPage, RegisteredPlayer, TokenList};
    use api::analysis::service::AnalysisBody;
    use api::games::bodies::{
        ActionOutcome, ClaimOutcome, CreatedGame, GameBody, LegalActions, Moment,
        ReplacementOutcome, UndoOutcome,
    };
    use api::games::orders::StandingOrder;
    use api::games::stateless::ApplyOutcome;
    use api::leagues::exchange::model::ImportReport;
    use api::leagues::group_model::{NextDivisions, TeamStandingsBody};
    use api::leagues::model::{
        BracketBody, ChangedTable, ChangedTables, CreatedTables, HeadToHeadBody, LeagueBody,
        LeagueEventPage, LeaguePage, LeagueTablePage, PairingBody, StandingsBody,
    };
    use api::leagues::pause_model::{PausesBody, TimesBody};
    use api::ratings::model::PlayerProfile;

    use api::games::handlers::{events, imports, lists};
    use api::server::limits;
    use api::server::operations;
    use api::signing::checkpoints::CheckpointPage;
    use api::signing::handlers::Keys;

    let shown: Value = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    reads::<operations::Health>(&shown, "get_health", "200");
    reads::<ApplyOutcome>(&shown, "apply_actions", "200");
    reads::<LegalActions>(&shown, "list_legal_actions", "200");
    reads::<AnalysisBody>(&shown, "analyse_position", "200");
    reads::<RegisteredPlayer>(&shown, "register_player", "201");
    reads::<Me>(&shown, "get_me", "200");
    reads::<Me>(&shown, "update_me", "200");
    reads::<PlayerProfile>(&shown, "get_player", "200");
    reads::<PlayerPage>(&shown, "list_players", "200");
    reads::<CreatedToken>(&shown, "create_token", "201");
    reads::<TokenList>(&shown, "list_tokens", "200");
    reads::<CreatedGame>(&shown, "create_game", "201");
    reads::<ClaimOutcome>(&shown, "claim_seat", "201");
    reads::<GameBody>(&shown, "get_game", "200");
    reads::<ActionOutcome>(&shown, "submit_action", "200");
    reads::<ActionOutcome>(&shown, "submit_action", "201");
    reads::<UndoOutcome>(&shown, "undo_actions", "202");
    reads::<ReplacementOutcome>(&shown, "replace_player", "200");
    reads::<Vec<StandingOrder>>(&shown, "get_orders", "200");
    reads::<LeagueBody>(&shown, "create_league", "201");
    reads::<LeagueBody>(&shown, "get_league", "200");
    reads::<LeagueBody>(&shown, "claim_league_member", "201");
    reads::<ImportReport>(&shown, "import_into_league", "201");
    reads::<LeaguePage>(&shown, "list_leagues", "200");
    reads::<LeagueEventPage>(&shown, "list_league_events", "200");
    reads::<CreatedTables>(&shown, "create_league_tables", "201");
    reads::<LeagueTablePage>(&shown, "list_league_tables", "200");
    reads::<ChangedTable>(&shown, "correct_league_table", "201");
    reads::<ChangedTables>(&shown, "move_league_deadline", "201");
    reads::<StandingsBody>(&shown, "get_league_standings", "200");
    reads::<HeadToHeadBody>(&shown, "get_league_head_to_head", "200");
    reads::<BracketBody>(&shown, "get_league_bracket", "200");
    reads::<PairingBody>(&shown, "pair_league", "200");
    reads::<PausesBody>(&shown, "pause_league", "201");
    reads::<PausesBody>(&shown, "list_league_pauses", "200");
    reads::<TimesBody>(&shown, "list_league_times", "200");
    reads::<NextDivisions>(&shown, "get_next_league_divisions", "200");
    reads::<TeamStandingsBody>(&shown, "get_league_team_standings", "200");
    reads::<LeagueBody>(&shown, "set_league_divisions", "200");
    reads::<limits::LimitList>(&shown, "list_limits", "200");
    reads::<Keys>(&shown, "list_keys", "200");
    reads::<CheckpointPage>(&shown, "list_checkpoints", "200");
    reads::<::records::Checkpoint>(&shown, "get_checkpoint", "200");
    reads::<events::EventPage>(&shown, "list_game_events", "200");
    reads::<lists::GamePage>(&shown, "list_games", "200");
    reads::<lists::Count>(&shown, "count_games", "200");
    reads::<Moment>(&shown, "get_state", "200");
    reads::<::records::Record>(&shown, "get_record", "200");
    reads::<::records::tlog::InclusionProof>(&shown, "get_proof", "200");
    reads::<imports::RecordOutcomes>(&shown, "import_records", "200");
    for (code, problem) in shown["problems"].as_object().unwrap() {
        let read: api::http::problem::Problem = serde_json::from_value(problem.clone()).unwrap();
        assert_eq!(&read.code.name(), code);
    }
}
