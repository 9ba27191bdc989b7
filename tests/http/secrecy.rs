//! The order of a deck of event cards is secret while a game runs. Two games that differ only in this order
//! give the same answers, byte by byte, to every request.

use std::io::Read;
use std::process::{Command, Output, Stdio};

use engine::content::Library;
use engine::forms::View;
use engine::play::Effect;
use engine::setup::Setup;
use engine::state::State;
use reqwest::Method;
use serde_json::{Value, json};

use super::duellum::{Duel, act, before_the_attack, create, new_game};
use super::support::{
    PATIENCE, TestServer, adjudication, array, assert_contains, send, text, turn, unsigned,
};

/// The Romans conquer Carales and destroy its temple, so the Carthaginians take two cards [D28] [D31].
const ATTACK: [&str; 3] = ["stone maneuver_1", "conquer carales 3G", "end"];

fn attack() -> Value {
    json!([{"type": "move_stone", "field": "maneuver_1"},
        {"type": "conquer", "region": "carales", "galleys": 3}, {"type": "end_turn"}])
}

fn take(card: &str) -> Value {
    json!({"type": "take_card", "card": card})
}

/// Returns a position before [`ATTACK`] in which no player holds a card.
async fn before_two_cards(server: &TestServer) -> Value {
    let mut position = before_the_attack(server).await;
    for nation in ["romans", "carthaginians"] {
        position["nations"][nation]["cards"] = json!([]);
    }
    position["regions"]["caesarea"]["units"] = json!({});
    let carales = &mut position["regions"]["carales"];
    carales["units"] = json!({"romans": {"galleys": 3}});
    carales["city"]["wall"] = json!(false);
    carales["city"]["temple"] = json!(true);
    position["bank"]["temples"] = json!(11);
    position
}

/// As [`before_two_cards`], with an empty deck: the first card that is taken shuffles the used cards.
async fn before_a_reshuffle(server: &TestServer) -> Value {
    let mut position = before_two_cards(server).await;
    let cards = Library::embedded().ruleset("antike_duellum").unwrap();
    let cards = cards.data.cards.as_ref().unwrap().deck.iter();
    let all = cards.flat_map(|card| (0..card.copies).map(|_| card.id.clone()));
    let mut used: Vec<String> = all.collect();
    for open in array(&position["cards"]["open"]) {
        let place = used.iter().position(|card| open == card).unwrap();
        used.remove(place);
    }
    position["cards"]["used"] = json!(used);
    position
}

/// A game and its secrets.
struct KnownGame {
    duel: Duel,
    id: String,
    setup: Setup,
    /// The cards that are drawn, in order.
    draws: Vec<String>,
}

impl KnownGame {
    /// Reads the secret seed from the test's own database and plays ahead with it.
    fn read(server: &TestServer, duel: Duel) -> KnownGame {
        let id = duel.path.rsplit('/').next().unwrap().to_owned();
        let (row, _) = server
            .games()
            .store()
            .game(id.parse().unwrap())
            .unwrap()
            .unwrap();
        assert!(!row.seed_known);
        let mut setup: Value = serde_json::from_str(&row.setup).unwrap();
        setup.as_object_mut().unwrap().remove("seed_commitment");
        setup["seed"] = json!(row.seed);
        let setup: Setup = serde_json::from_value(setup).unwrap();
        let (game, mut state) = setup.start(Library::embedded()).unwrap();
        let mut draws = Vec::new();
        let mut apply = |state: &mut State, text: &str| {
            let (_, action) = game.parse(text).unwrap();
            let acts = game.question(state).unwrap().nation();
            let mut effects = Vec::new();
            game.apply(state, acts, action, &mut effects).unwrap();
            draws.extend(effects.iter().filter_map(|effect| match effect {
                Effect::CardRevealed { card } => Some(game.ruleset.card_name(*card).to_owned()),
                _ => None,
            }));
        };
        for text in ATTACK.iter().chain(&["card academy", "card tribute"]) {
            apply(&mut state, text);
        }
        KnownGame {
            duel,
            id,
            setup,
            draws,
        }
    }

    fn token(&self, romans: bool) -> &str {
        match romans {
            true => &self.duel.romans,
            false => &self.duel.carthaginians,
        }
    }
}

/// Creates two games in which the first drawn card is the same and the second differs.
async fn create_twins(server: &TestServer, position: &Value) -> [KnownGame; 2] {
    let mut games: Vec<KnownGame> = Vec::new();
    loop {
        assert!(games.len() < 500, "chance does not look like chance");
        let next = KnownGame::read(server, create(server, new_game(position)).await);
        let fits =
            |other: &KnownGame| other.draws[0] == next.draws[0] && other.draws[1] != next.draws[1];
        if let Some(place) = games.iter().position(fits) {
            return [games.remove(place), next];
        }
        games.push(next);
    }
}

/// Replaces the parts of a text that differ between any two games: ids, times, positions in the log of all games,
/// and hashes, commitments and tokens, which depend on these.
fn mask(text: &str) -> String {
    let in_word = |c: char| c.is_ascii_alphanumeric() || "-:._".contains(c);
    let mut masked = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        let digits = |length| word.len() == length && word.bytes().all(|b| b.is_ascii_hexdigit());
        masked.push_str(match word {
            _ if uuid::Uuid::try_parse(word).is_ok() => "ID",
            _ if word.starts_with("placeholder:") => "PLACEHOLDER",
            _ if digits(64) => "HASH",
            _ if word.contains('T') && word.parse::<jiff::Timestamp>().is_ok() => "TIME",
            _ if masked.ends_with("\"position\"") => ":POSITION",
            _ => word,
        });
        let next = behind.find(in_word).unwrap_or(behind.len());
        masked.push_str(&behind[..next]);
        rest = &behind[next..];
    }
    masked
}

/// The requests of a reader, each with its answer.
type Transcript = Vec<(String, String)>;

#[track_caller]
fn assert_same(seen: [Transcript; 2]) -> usize {
    let [one, other] = seen;
    assert_eq!(one.len(), other.len());
    for ((asked, answer), (_, other)) in one.iter().zip(&other) {
        let (answer, other) = (mask(answer), mask(other));
        let same = answer
            .bytes()
            .zip(other.bytes())
            .take_while(|(a, b)| a == b);
        let from = same.count().saturating_sub(80);
        let part = |text: &str| text.chars().skip(from).take(160).collect::<String>();
        assert!(
            answer == other,
            "{asked}: {} is not {}",
            part(&answer),
            part(&other)
        );
    }
    one.len()
}

/// Reads everything that can be read: every path of the specification in every format, of this game; and of all
/// games the parts about this one.
async fn read(server: &TestServer, known: &KnownGame) -> Transcript {
    let document: Value = serde_json::from_str(&api::server::docs::text().unwrap()).unwrap();
    let last = server.read(&known.duel.path).await["seq"].as_u64().unwrap();
    if server.services().signing.checkpoint(None).is_err() {
        server.services().signing.make_checkpoint().unwrap();
    }
    let mut seen = Transcript::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(content) = item["get"]["responses"]["200"]["content"].as_object() else {
            continue;
        };
        // The paths of accounts show no game.
        let of_accounts = [
            "/v1/me",
            "/v1/tokens",
            "/v1/players",
            "/v1/players/{player}",
            "/v1/players/{player}/games",
            "/v1/players/{player}/ratings/history",
            "/v1/players/{player}/strengths",
            // Only a finished game has annotations.
            "/v1/games/{game}/annotations/{player}",
        ];
        if of_accounts.contains(&path.as_str()) {
            continue;
        }
        // Only a finished game has a proof.
        if path == "/v1/games/{game}/proof" {
            continue;
        }
        let whole = path
            .replace("{game}", &known.id)
            .replace("{from}/diff/{to}", "{seq}/diff/0")
            .replace("{seat}", "1")
            .replace("{edition}", "antike_duellum")
            .replace("{board}", "duellum-rome-carthage")
            .replace("{version}", "1")
            .replace("/rules/{number}", "/rules/D40")
            .replace("/versus/{measure}", "/versus/nations")
            .replace("/checkpoints/{number}", "/checkpoints/latest");
        // The data of an account or a league contain no game without accounts. Published datasets contain no running
        // game, and an invitation shows only a game that has not started.
        // Administrators read reports and acts, which contain no state of a game.
        let apart = [
            "/v1/me",
            "/v1/tokens",
            "/v1/webhooks",
            "/v1/leagues",
            "/v1/datasets/",
            "/v1/apps",
            "/v1/invitations/",
            "/v1/moderation/",
            "/v1/reports",
        ];
        if apart.iter().any(|own| whole.starts_with(own)) {
            continue;
        }
        assert!(!whole.replace("{seq}", "").contains('{'), "{whole}");
        let queries: &[&str] = match path.as_str() {
            "/v1/games/{game}/record" => &["", "?events=true"],
            "/v1/games/{game}/legal-actions" => &["", "?payments=all"],
            "/v1/games/{game}/events" => &["?limit=1000"],
            // Games against others need a player in the query.
            "/v1/stats/head-to-head" => &["?bot=random"],
            "/v1/stats/versus/{measure}" => &["?versus=bots%3Donly"],
            "/v1/stats/positions" => &["?digest=0123456789abcdef"],
            "/v1/events" | "/v1/games" => &["?limit=1000"],
            _ => &[""],
        };
        // PNG images are drawn from the SVG, which is compared.
        let texts = content
            .keys()
            .filter(|media_type| *media_type != "image/png");
        for media_type in texts {
            for query in queries {
                let mut paths = vec![format!("{whole}{query}")];
                if whole.contains("{seq}") {
                    paths = (0..=last)
                        .map(|seq| whole.replace("{seq}", &seq.to_string()))
                        .collect();
                }
                if media_type == "text/event-stream" {
                    // The stream ends with the last event so far.
                    let count = format!("{whole}?limit=1000");
                    let count = server.read(&count).await;
                    let count = array(&count["items"]).len();
                    paths = vec![format!("{whole}?limit={count}")];
                }
                for path in paths {
                    let request = server.with(Method::GET, &path, known.token(false));
                    let answer = send(request.header("Accept", media_type)).await;
                    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
                    assert!(!answer.text.contains(&known.setup.seed), "{path}");
                    assert!(!answer.text.contains("\"order\":"), "{path}");
                    let about_game = match answer.text.contains(&known.id) {
                        // Of lists of all games, the part about this one.
                        true if !path.contains(&known.id) => of_game(&answer.text, &known.id),
                        true => answer.text,
                        // Answers that name no game differ only in their numbers.
                        false if path == "/metrics" => String::new(),
                        false => answer.text,
                    };
                    seen.push((format!("GET {path} {media_type}"), about_game));
                }
            }
        }
    }
    seen
}

/// Returns the parts of a list that name a game.
fn of_game(list: &str, id: &str) -> String {
    let page: Option<Value> = serde_json::from_str(list).ok();
    let items: Vec<String> = match page.as_ref().and_then(|page| page["items"].as_array()) {
        Some(items) => items.iter().map(Value::to_string).collect(),
        None => list.lines().map(str::to_owned).collect(),
    };
    let own = items.into_iter().filter(|item| item.contains(id));
    own.collect::<Vec<String>>().join("\n")
}

/// Asks everything that the player to act can ask without changing the game: tries each action, alone and with
/// others before and after it, and gives the position to the engine.
async fn ask(server: &TestServer, known: &KnownGame) -> Transcript {
    let duel = &known.duel;
    let game = server.read(&duel.path).await;
    let romans = game["pending"][0]["nation"] == "romans";
    let token = known.token(romans);
    let mut seen = Transcript::new();
    let mut keep = |asked: String, answer: super::support::Answer| {
        assert!(!answer.text.contains(&known.setup.seed), "{asked}");
        assert!(
            !answer.text.contains("card_revealed"),
            "{asked}: {}",
            answer.text
        );
        seen.push((asked, format!("{} {}", answer.status, answer.text)));
    };
    let dry = duel.at("actions?dry_run=true");
    let legal = server.read(&duel.at("legal-actions")).await;
    let legal = array(&legal["actions"]);
    let deck = Library::embedded().ruleset("antike_duellum").unwrap();
    let deck = deck.data.cards.as_ref().unwrap().deck.iter();
    let takes: Vec<Value> = deck.map(|card| take(&card.id)).collect();
    let others = [
        json!({"type": "end_turn"}),
        json!({"type": "resign"}),
        json!({"type": "build_temple", "region": "nowhere"}),
        json!({"type": "move_stone", "field": "iron", "nation": "romans"}),
    ];
    for first in legal.iter().chain(&takes) {
        keep(
            format!("dry {first}"),
            server.post(&dry, token, first.clone()).await,
        );
        for second in takes.iter().chain(&others) {
            let list = json!({"actions": [first, second]});
            keep(
                format!("dry {list}"),
                server.post(&dry, token, list.clone()).await,
            );
            if first["type"] == "take_card" {
                // Without a dry run as well: a refused request changes nothing.
                let refused = server.post(&duel.at("actions"), token, list.clone()).await;
                assert_eq!(refused.status, 422, "{list}: {}", refused.text);
                keep(format!("{list}"), refused);
            }
        }
    }
    assert_eq!(server.read(&duel.path).await, game, "nothing has changed");
    for seed in ["", game["seed_commitment"].as_str().unwrap()] {
        let situation = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage",
            "first": "romans", "seats": [["romans"], ["carthaginians"]], "seed": seed,
            "position": game["state"]});
        let body = json!({"situation": situation, "actions": []});
        let applied = server.post("/v1/engine/apply", "", body).await;
        keep(format!("engine with {seed:?}"), applied);
        let listed = server.post("/v1/engine/legal-actions", "", situation.clone());
        let listed = listed.await;
        keep(format!("engine with {seed:?}"), listed);
        let body = json!({"situation": situation, "budget": {"playouts": 3}});
        let analysed = server.post("/v1/engine/analysis", "", body).await;
        assert_eq!(analysed.status, 200, "{}", analysed.text);
        keep(format!("analysis with {seed:?}"), analysed);
    }
    let body = json!({"game": {"id": known.id}, "budget": {"playouts": 3}});
    let analysed = server.post("/v1/engine/analysis", "", body).await;
    assert_eq!(analysed.status, 200, "{}", analysed.text);
    keep("analysis of the game".to_owned(), analysed);
    seen
}

fn tabularium(server: &TestServer, arguments: &[&str]) -> Output {
    let url = server.database.url();
    Command::new(env!("CARGO_BIN_EXE_tabularium"))
        .args(arguments)
        .args(["--database", &url])
        .output()
        .unwrap()
}

async fn assert_indistinguishable(server: &TestServer, position: Value) {
    let games = create_twins(server, &position).await;
    let [one, other] = &games;
    let compare = async |asked: bool| {
        let read = [read(server, one).await, read(server, other).await];
        let mut compared = assert_same(read);
        if asked {
            compared += assert_same([ask(server, one).await, ask(server, other).await]);
        }
        compared
    };
    assert!(compare(false).await > 20);
    for known in &games {
        act(server, &known.duel.path, known.token(true), attack()).await;
    }
    assert!(compare(true).await > 300);
    // The first card is revealed, and is the same. The following cards stay secret.
    for known in &games {
        let effects = act(
            server,
            &known.duel.path,
            known.token(false),
            take("academy"),
        )
        .await;
        let revealed = json!({"type": "card_revealed", "card": known.draws[0]});
        assert!(effects.contains(&revealed), "{effects:#?}");
    }
    assert!(compare(true).await > 300);
    for known in &games {
        // A player who requests to take the card back learns nothing either.
        let request = json!({"to": 3});
        let asked = server
            .post(&known.duel.at("undo"), known.token(false), request)
            .await;
        assert_eq!(asked.ok(202)["missing"], json!([0]));
        let export = tabularium(server, &["export", "--game", &known.id]);
        assert_eq!((export.status.code(), export.stdout.len()), (Some(1), 0));
    }
    let export = tabularium(server, &["export", "--all", "--events"]);
    assert_eq!((export.status.code(), export.stdout.len()), (Some(0), 0));
    assert!(compare(false).await > 20);
    // The comparison finds the second card when it is revealed.
    let mut shown = Vec::new();
    for known in &games {
        act(
            server,
            &known.duel.path,
            known.token(false),
            take("tribute"),
        )
        .await;
        shown.push(mask(&server.get(&known.duel.path).await.text));
    }
    assert_ne!(shown[0], shown[1]);

    // At the end the seed is revealed: it fits its commitment, and the deck comes from it.
    for known in &games {
        let running = server.read(&known.duel.path).await;
        let duel = &known.duel;
        let ended = server
            .adjudicate(&duel.path, &duel.organizer, &[1, 2])
            .await;
        let seed = text(&ended["game"]["seed"]);
        assert_eq!(seed, known.setup.seed);
        assert_eq!(
            running["seed_commitment"],
            engine::chance::seed_commitment(&seed)
        );
        let record = server.read(&known.duel.at("record")).await;
        let mut record: records::Record = serde_json::from_value(record).unwrap();
        record.verify(Library::embedded()).unwrap();
        // An export as an over-the-board game lists the order of its decks, which no seed gives.
        let mut elsewhere = record.clone();
        elsewhere.setup.seed = String::new();
        elsewhere.source = records::Source::Import;
        let other = TestServer::start();
        other.imports().import(&elsewhere).unwrap();
        let taken_in = other.read(&known.duel.at("record")).await;
        let elsewhere = serde_json::to_value(&elsewhere).unwrap();
        assert_eq!(unsigned(taken_in), unsigned(elsewhere));
        let decks = (
            record.setup.deck.take(),
            std::mem::take(&mut record.setup.reshuffles),
        );
        let (game, first) = record.setup.start(Library::embedded()).unwrap();
        let order = View::with_deck(&game, &first).cards.unwrap().order;
        assert_eq!(decks.0, order);
        record.verify(Library::embedded()).unwrap();
        let drawn_from = decks.1.last().or(decks.0.as_ref()).unwrap();
        let drawn: Vec<&String> = drawn_from.iter().rev().take(2).collect();
        assert_eq!(drawn, known.draws.iter().collect::<Vec<_>>());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn d40_no_answer_reveals_the_order_of_the_deck() {
    let server = TestServer::start();
    let position = before_two_cards(&server).await;
    assert_indistinguishable(&server, position).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn d40_no_answer_reveals_the_order_of_a_deck_to_be_shuffled() {
    let server = TestServer::start();
    let position = before_a_reshuffle(&server).await;
    assert_indistinguishable(&server, position).await;
}

#[tokio::test]
async fn a_dry_run_shows_no_card_that_would_be_drawn() {
    let server = TestServer::start();
    let position = before_two_cards(&server).await;
    let duel = create(&server, new_game(&position)).await;
    act(&server, &duel.path, &duel.romans, attack()).await;
    let dry = duel.at("actions?dry_run=true");
    let shown = server
        .post(&dry, &duel.carthaginians, take("tribute"))
        .await
        .ok(200);
    let event = &shown["events"][0];
    let taken = json!({"type": "card_taken", "nation": "carthaginians", "card": "tribute"});
    assert_eq!(event["effects"], json!([taken]));
    assert_eq!((&event["digest"], &event["hash"]), (&json!(""), &json!("")));
    let state = &shown["game"]["state"];
    assert_eq!(
        (&state["digest"], &state["cards"]["deck"]),
        (&json!(""), &json!(21))
    );
    assert_eq!(state["cards"]["open"], json!(["academy", "settlers"]));
    assert_eq!(
        shown["game"]["pending"][0]["options"],
        json!(["academy", "settlers"])
    );
    assert_eq!(shown["game"]["pending"][0]["due"], 1);
    // A dry run without a drawn card shows all effects.
    let position = before_two_cards(&server).await;
    let duel = create(&server, new_game(&position)).await;
    let list = json!({ "actions": attack() });
    let dry = duel.at("actions?dry_run=true");
    let shown = server.post(&dry, &duel.romans, list).await.ok(200);
    assert_eq!(
        shown["events"][2]["digest"],
        shown["game"]["state"]["digest"]
    );
    assert_eq!(shown["events"][2]["hash"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn a_request_ends_where_a_card_is_drawn() {
    let server = TestServer::start();
    let position = before_two_cards(&server).await;
    let duel = create(&server, new_game(&position)).await;
    act(&server, &duel.path, &duel.romans, attack()).await;
    let before = server.read(&duel.path).await;
    for path in [duel.at("actions"), duel.at("actions?dry_run=true")] {
        let list = json!({"actions": [take("tribute"), take("academy")]});
        let refused = server.post(&path, &duel.carthaginians, list).await;
        let problem = refused.problem(422, "card_drawn");
        assert_eq!(problem["field"], "actions[1]");
        assert_eq!(
            (&problem["pending"], &problem["seq"]),
            (&before["pending"], &before["seq"])
        );
        // An action that is refused in any case says so.
        let list = json!({"actions": [take("fair_wind"), take("academy")]});
        let refused = server.post(&path, &duel.carthaginians, list).await;
        assert_eq!(refused.problem(422, "illegal_action")["rule"], "D40");
    }
    assert_eq!(server.read(&duel.path).await, before);
    // Sent one after another, the actions are accepted. After the last draw, bots move in the same request.
    let bot = json!({"player": {"bot": "greedy"}});
    let seat = duel.at("seats/0");
    server.put(&seat, &duel.organizer, bot).await.ok(200);
    act(&server, &duel.path, &duel.carthaginians, take("tribute")).await;
    act(&server, &duel.path, &duel.carthaginians, take("academy")).await;
    let turn = turn("gold");
    let acted = server
        .create(&duel.at("actions"), &duel.carthaginians, turn)
        .await;
    assert!(array(&acted["events"]).len() > 3);
}

#[tokio::test]
async fn a_drawn_card_is_undone_only_with_the_consent_of_all_others() {
    let server = TestServer::start();
    let position = before_two_cards(&server).await;
    let duel = create(&server, new_game(&position)).await;
    let undo = duel.at("undo");
    act(&server, &duel.path, &duel.romans, attack()).await;
    let before = server.read(&duel.path).await;
    act(&server, &duel.path, &duel.carthaginians, take("tribute")).await;
    let revealed = server.read(&duel.path).await["state"]["cards"]["open"][1].clone();
    let request = json!({"to": 3});
    let asked = server
        .post(&undo, &duel.carthaginians, request.clone())
        .await
        .ok(202);
    assert_eq!(
        (&asked["agreed"], &asked["missing"]),
        (&json!([1]), &json!([0]))
    );
    let done = server.create(&undo, &duel.romans, request.clone()).await;
    assert_eq!(done["game"]["state"], before["state"]);
    // No card was drawn since, so the next undo needs no consent for cards; and the deck is restored.
    act(&server, &duel.path, &duel.carthaginians, take("academy")).await;
    let again = server.read(&duel.path).await["state"]["cards"]["open"][0].clone();
    assert_eq!(again, revealed);

    // A bot does not agree, and no other player can.
    let bot = json!({"player": {"bot": "random"}});
    server
        .put(&duel.at("seats/0"), &duel.organizer, bot)
        .await
        .ok(200);
    let seq = server.read(&duel.path).await["seq"].clone();
    for to in [3, 5] {
        let refused = server
            .post(&undo, &duel.carthaginians, json!({"to": to}))
            .await;
        let problem = refused.problem(409, "undo_refused");
        assert!(text(&problem["detail"]).contains("seat 0"), "{problem}");
    }
    assert_eq!(server.read(&duel.path).await["seq"], seq);
    act(&server, &duel.path, &duel.carthaginians, take("settlers")).await;
    // After the draws, undo works as usual.
    let stone = json!([{"type": "move_stone", "field": "gold"}]);
    let last = server.read(&duel.path).await["seq"].clone();
    act(&server, &duel.path, &duel.carthaginians, stone).await;
    server
        .create(&undo, &duel.carthaginians, json!({"to": last}))
        .await;
}

#[tokio::test]
async fn a_draw_in_the_own_turn_is_not_undone_alone() {
    let server = TestServer::start();
    let mut position = before_a_reshuffle(&server).await;
    // Two open cards are left, all others are in hands: a card that is played is drawn immediately.
    let mut hand = position["cards"]["used"].take();
    let open = position["cards"]["open"].as_array_mut().unwrap();
    hand.as_array_mut().unwrap().push(open.remove(0));
    position["cards"]["used"] = json!([]);
    position["nations"]["romans"]["cards"] = hand;
    let duel = create(&server, new_game(&position)).await;
    let play = json!([{"type": "play_card", "card": "tribute"}]);
    let effects = act(&server, &duel.path, &duel.romans, play).await;
    assert!(
        effects.contains(&json!({"type": "deck_shuffled", "cards": 1})),
        "{effects:#?}"
    );
    let request = json!({"to": 0});
    let asked = server
        .post(&duel.at("undo"), &duel.romans, request.clone())
        .await
        .ok(202);
    assert_eq!(asked["missing"], json!([1]));
    server
        .create(&duel.at("undo"), &duel.carthaginians, request)
        .await;
}

#[tokio::test]
async fn the_text_of_a_record_hides_the_seed_and_needs_it() {
    let server = TestServer::start();
    let duel = create(&server, new_game(&Value::Null)).await;
    let turn = json!([{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]);
    act(&server, &duel.path, &duel.romans, turn).await;
    let record = server.get_as(&duel.at("record"), "text/plain").await;
    assert_eq!(record.status, 200, "{}", record.text);
    assert!(!record.text.contains("[Seed "), "{}", record.text);
    assert!(!record.text.contains("[Deck"));
    assert_contains(&record.text, "1. romans: stone iron; end");
}

#[tokio::test]
async fn the_log_of_the_program_does_not_contain_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_tabularium"))
        .args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--database",
            "sqlite:log.db",
        ])
        .env("RUST_LOG", "trace")
        .env_remove("DATABASE_URL")
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = serve.stderr.take().unwrap();
    let (lines, log_parts) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut whole = Vec::new();
        let mut part = [0; 4096];
        while let Ok(length @ 1..) = log.read(&mut part) {
            whole.extend_from_slice(&part[..length]);
            let _ = lines.send(String::from_utf8_lossy(&whole).into_owned());
        }
        String::from_utf8_lossy(&whole).into_owned()
    });
    // A line of the log, which may arrive in parts, has the address.
    let address = loop {
        let log = log_parts.recv_timeout(PATIENCE).unwrap();
        let behind = log.split_once("127.0.0.1:").map(|(_, behind)| behind);
        let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect();
        let port: String = behind.map(number).unwrap_or_default();
        if log.ends_with('\n') && !port.is_empty() {
            break format!("http://127.0.0.1:{port}");
        }
    };
    let client = reqwest::Client::new();
    let mut new = new_game(&Value::Null);
    new["seats"][1] = json!({"player": {"bot": "greedy"}});
    let created = client.post(format!("{address}/v1/games")).json(&new);
    let created = send(created).await.ok(201);
    let path = format!("{address}/v1/games/{}", text(&created["id"]));
    let turn = turn("iron");
    let as_romans = format!("Bearer {}", text(&created["tokens"]["seats"]["0"]));
    for query in ["?dry_run=true", ""] {
        let request = client.post(format!("{path}/actions{query}")).json(&turn);
        let answer = send(request.header("Authorization", &as_romans)).await;
        assert!(answer.status < 300, "{}", answer.text);
    }
    let ranks = adjudication(&[1, 2]);
    let end = client.post(format!("{path}/adjudication")).json(&ranks);
    let organizer = format!("Bearer {}", text(&created["tokens"]["organizer"]));
    let ended = send(end.header("Authorization", organizer)).await.ok(201);
    serve.kill().unwrap();
    serve.wait().unwrap();
    let log = reader.join().unwrap();
    assert!(log.contains("/actions"), "{log}");
    assert!(!log.contains(&text(&ended["game"]["seed"])));
}
