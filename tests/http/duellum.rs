//! A game of Antike Duellum (2012), from its creation to its statistics: a FORTRESS saves a city, a
//! town wall falls to an EARTHQUAKE, and a player takes a card for a lost city.

use serde_json::{Value, json};

use super::support::{TestServer, array, text, unsigned};

/// A game of two people.
pub struct Duel {
    /// Its path.
    pub path: String,
    /// The token of the Romans, who begin.
    pub romans: String,
    /// The token of the Carthaginians.
    pub carthaginians: String,
    /// The token of the organizer.
    pub organizer: String,
}

impl Duel {
    pub fn at(&self, part: &str) -> String {
        format!("{}/{part}", self.path)
    }
}

/// The request that creates a game of two people from this position.
pub fn new_game(position: &Value) -> Value {
    let seat = |nation: &str| json!({"nations": [nation], "player": {"placeholder": nation}});
    json!({
        "edition": "antike_duellum", "board": "duellum-rome-carthage", "first": "romans",
        "seats": [seat("romans"), seat("carthaginians")], "position": position,
    })
}

pub async fn create(server: &TestServer, new: Value) -> Duel {
    let created = server.create("/v1/games", "", new).await;
    let tokens = &created["tokens"];
    let token = |seat: &str| tokens["seats"][seat].as_str().unwrap_or("").to_owned();
    Duel {
        path: format!("/v1/games/{}", text(&created["id"])),
        romans: token("0"),
        carthaginians: token("1"),
        organizer: text(&tokens["organizer"]),
    }
}

/// Returns a position in which Roman units stand in two cities of the Carthaginians, one of them walled, and
/// both players hold a card. The order of the deck comes from the seed.
pub async fn before_the_attack(server: &TestServer) -> Value {
    let mut fresh = new_game(&Value::Null);
    fresh["seed"] = json!("known to all");
    let fresh = create(server, fresh).await;
    let mut position = server.read(&fresh.path).await["state"].take();
    position["drawn"] = json!(0);
    position["regions"]["caesarea"]["units"] = json!({"romans": {"legions": 1}});
    position["regions"]["carales"]["units"] = json!({"romans": {"galleys": 1}});
    position["regions"]["carales"]["city"]["wall"] = json!(true);
    for nation in ["romans", "carthaginians"] {
        let nation = position["nations"][nation].as_object_mut().unwrap();
        nation.remove("supply");
        nation.remove("walls");
    }
    position["nations"]["carthaginians"]["cards"] = json!(["fortress"]);
    position["nations"]["romans"]["cards"] = json!(["earthquake"]);
    position["cards"] = json!({"open": ["academy", "tribute", "settlers"]});
    position
}

/// Posts one or more actions to a game and returns their effects.
pub async fn act(server: &TestServer, game: &str, token: &str, actions: Value) -> Vec<Value> {
    let body = match actions {
        Value::Array(_) => json!({ "actions": actions }),
        action => action,
    };
    let done = server.act(game, token, body).await;
    let events = array(&done["events"]).iter();
    events
        .flat_map(|event| array(&event["effects"]).clone())
        .collect()
}

#[track_caller]
pub fn has(effects: &[Value], wanted: &Value) {
    assert!(effects.contains(wanted), "no {wanted} among {effects:#?}");
}

async fn pending(server: &TestServer, duel: &Duel) -> Value {
    server.read(&duel.path).await["pending"].take()
}

#[tokio::test]
async fn a_fortress_a_wall_and_a_card_from_the_first_turn_to_the_statistics() {
    let server = TestServer::start();
    let position = before_the_attack(&server).await;
    let duel = create(&server, new_game(&position)).await;
    let created = server.read(&duel.path).await;
    assert_eq!(created["seed"], Value::Null);
    let row = &created["state"]["cards"];
    assert_eq!(row["open"], json!(["academy", "tribute", "settlers"]));
    assert_eq!(row["deck"], 20);
    assert_eq!(row.get("order"), None);
    let romans = &created["state"]["nations"]["romans"];
    assert_eq!(
        romans["recruitment_box"],
        json!({"legions": 1, "galleys": 1})
    );
    assert_eq!(
        (&romans["walls"], &romans["cards"]),
        (&json!(1), &json!(["earthquake"]))
    );

    // [D27] [D43] One legion is enough for a city without temple and wall, but its owner may play a card.
    let attack = json!([
        {"type": "move_stone", "field": "maneuver_1"},
        {"type": "conquer", "region": "caesarea", "legions": 1},
    ]);
    let effects = act(&server, &duel.path, &duel.romans, attack).await;
    let declared = json!({"type": "conquest_declared", "nation": "romans",
        "from": "carthaginians", "region": "caesarea", "legions": 1, "galleys": 0});
    has(&effects, &declared);
    let asked = json!([{"nation": "carthaginians", "seat": 1, "kind": "fortress_answer",
        "region": "caesarea", "against": "romans", "offered": {"legions": 1, "galleys": 0}}]);
    assert_eq!(pending(&server, &duel).await, asked);
    let legal = server.read(&duel.at("legal-actions")).await;
    let answers = json!([{"type": "play_card", "card": "fortress"}, {"type": "pass"}]);
    let answers = array(&answers);
    let listed = array(&legal["actions"]);
    assert_eq!(listed.len(), 2);
    assert!(
        answers.iter().all(|answer| listed.contains(answer)),
        "{listed:#?}"
    );
    // The game waits for the answer.
    let march_on = json!({"type": "end_turn"});
    let waits = server
        .post(&duel.at("actions"), &duel.romans, march_on)
        .await;
    assert_eq!(waits.problem(409, "not_your_turn")["pending"], asked);
    let effects = act(
        &server,
        &duel.path,
        &duel.carthaginians,
        json!([answers[0]]),
    )
    .await;
    has(
        &effects,
        &json!({"type": "card_played", "nation": "carthaginians", "card": "fortress"}),
    );
    let saved = json!({"type": "city_saved", "nation": "carthaginians", "region": "caesarea"});
    has(&effects, &saved);
    let again = json!({"type": "conquer", "region": "caesarea", "legions": 1});
    let refused = server.post(&duel.at("actions"), &duel.romans, again).await;
    assert_eq!(refused.problem(422, "illegal_action")["rule"], "D43");

    // [D41] A galley is too weak for the walls of Carales, until an EARTHQUAKE destroys them.
    let conquer = json!({"type": "conquer", "region": "carales", "galleys": 1});
    let refused = server
        .post(&duel.at("actions"), &duel.romans, conquer.clone())
        .await;
    let problem = refused.problem(422, "illegal_action");
    assert_eq!(problem["rule"], "D27");
    let url = problem["rule_url"].as_str().unwrap();
    assert_eq!(url, "/v1/editions/antike_duellum/rules/D27");
    assert_eq!(server.read(url).await["number"], "D27");
    let quake = json!({"type": "play_card", "card": "earthquake", "region": "carales"});
    let effects = act(&server, &duel.path, &duel.romans, json!([quake, conquer])).await;
    let fallen = json!({"type": "wall_destroyed", "nation": "carthaginians", "region": "carales"});
    has(&effects, &fallen);
    assert!(effects.iter().any(|effect| effect["type"] == "conquered"));
    let state = &server.read(&duel.path).await["state"];
    assert_eq!(state["nations"]["carthaginians"]["walls"], 1);
    assert_eq!(state["cards"]["used"], json!(["fortress", "earthquake"]));

    // [D28] The player who lost a city takes a card, which is replaced immediately. Then it is that player's turn.
    act(
        &server,
        &duel.path,
        &duel.romans,
        json!({"type": "end_turn"}),
    )
    .await;
    let asked = json!([{"nation": "carthaginians", "seat": 1, "kind": "card_choice",
        "options": ["academy", "tribute", "settlers"], "due": 1}]);
    assert_eq!(pending(&server, &duel).await, asked);
    let take = json!([{"type": "take_card", "card": "tribute"}]);
    let effects = act(&server, &duel.path, &duel.carthaginians, take).await;
    has(
        &effects,
        &json!({"type": "card_taken", "nation": "carthaginians", "card": "tribute"}),
    );
    let revealed = effects
        .iter()
        .find(|effect| effect["type"] == "card_revealed");
    let revealed = revealed.unwrap()["card"].clone();
    let turn = json!([
        {"type": "play_card", "card": "tribute"},
        {"type": "move_stone", "field": "know_how"},
        {"type": "recruit", "unit": "legion", "count": 2},
        {"type": "end_turn"},
    ]);
    let effects = act(&server, &duel.path, &duel.carthaginians, turn).await;
    has(
        &effects,
        &json!({"type": "coins_gained", "nation": "carthaginians", "count": 2}),
    );
    let game = server.read(&duel.path).await;
    assert_eq!(
        game["state"]["cards"]["open"],
        json!(["academy", revealed, "settlers"])
    );
    assert_eq!(
        game["state"]["nations"]["carthaginians"]["recruitment_box"]["legions"],
        3
    );

    // At the end, the seed fits its commitment, and the record lists the deck.
    act(
        &server,
        &duel.path,
        &duel.carthaginians,
        json!({"type": "resign"}),
    )
    .await;
    let over = server.read(&duel.path).await;
    assert_eq!(over["result"]["ranks"][0]["nations"], json!(["romans"]));
    let seed = text(&over["seed"]);
    let promised = engine::chance::seed_commitment(&seed);
    assert_eq!(created["seed_commitment"], promised);
    let exported = server.read(&duel.at("record?events=true")).await;
    let record: records::Record = serde_json::from_value(exported.clone()).unwrap();
    let deck = record.setup.deck.clone().unwrap();
    assert_eq!(deck.len(), 20);
    assert_eq!(deck.last(), revealed.as_str().map(str::to_owned).as_ref());
    record.verify(engine::content::Library::embedded()).unwrap();
    let as_text = server.get_as(&duel.at("record"), "text/plain").await.text;
    assert!(
        as_text.contains(&format!("[Deck \"{}\"]", deck.join(" "))),
        "{as_text}"
    );
    let as_text = records::Record::from_text(&as_text).unwrap();
    as_text
        .verify(engine::content::Library::embedded())
        .unwrap();

    // Another server imports the record, exports the same record, and counts the game.
    let other = TestServer::start();
    other.imports().import(&record).unwrap();
    let imported = other.read(&duel.at("record?events=true")).await;
    assert_eq!(unsigned(imported), unsigned(exported));
    for server in [&server, &other] {
        let counted = "/v1/stats/nations?reason=any&edition=antike_duellum&from_position=any";
        let counted = server.wait_for(counted, |body| body["games"] == 1).await;
        let rows = array(&counted["rows"]);
        let romans = rows.iter().find(|row| row["nation"] == "romans").unwrap();
        assert_eq!(romans["wins"], 1.0);
    }
}

/// Sets standing orders of the Carthaginians. Returns the log entries after the declaration of the attack.
async fn answered(server: &TestServer, orders: Value) -> (Value, Value) {
    let position = before_the_attack(server).await;
    let duel = create(server, new_game(&position)).await;
    let kept = server
        .put(
            &duel.at("seats/1/orders"),
            &duel.carthaginians,
            orders.clone(),
        )
        .await;
    assert_eq!(kept.ok(200), orders);
    let attack = json!({"actions": [
        {"type": "move_stone", "field": "maneuver_1"},
        {"type": "conquer", "region": "caesarea", "legions": 1},
    ]});
    let acted = server
        .create(&duel.at("actions"), &duel.romans, attack)
        .await;
    (
        acted["events"][2].clone(),
        acted["game"]["pending"][0].clone(),
    )
}

#[tokio::test]
async fn d43_a_standing_order_plays_or_keeps_the_fortress() {
    let server = TestServer::start();
    let (event, pending) = answered(&server, json!([{"fortress": "play"}])).await;
    assert_eq!(event["notation"], "carthaginians: play fortress");
    assert_eq!(
        (&event["nation"], &event["seat"]),
        (&json!("carthaginians"), &json!(1))
    );
    assert_eq!(
        (&pending["kind"], &pending["nation"]),
        (&json!("turn"), &json!("romans"))
    );
    let (event, _) = answered(&server, json!([{"fortress": "never"}])).await;
    assert_eq!(event["notation"], "carthaginians: pass");
    // The last order for a question counts. Orders for battles do not answer it.
    let orders = json!([{"fortress": "play"}, {"fortress": "never"},
        {"against": null, "unit": null, "region": null, "battle": "demand"}]);
    assert_eq!(
        answered(&server, orders).await.0["notation"],
        "carthaginians: pass"
    );
    for waiting in [json!([]), json!([{"fortress": "ask"}])] {
        let (event, pending) = answered(&server, waiting).await;
        assert_eq!(event, Value::Null);
        assert_eq!(pending["kind"], "fortress_answer");
    }
}

#[tokio::test]
async fn an_order_set_during_the_question_answers_it() {
    let server = TestServer::start();
    let position = before_the_attack(&server).await;
    let duel = create(&server, new_game(&position)).await;
    let attack = json!([
        {"type": "move_stone", "field": "maneuver_1"},
        {"type": "conquer", "region": "caesarea", "legions": 1},
    ]);
    act(&server, &duel.path, &duel.romans, attack).await;
    let orders = json!([{"fortress": "play"}]);
    server
        .put(&duel.at("seats/1/orders"), &duel.carthaginians, orders)
        .await
        .ok(200);
    assert_eq!(pending(&server, &duel).await[0]["nation"], "romans");
    let bad = json!([{"fortress": "always"}]);
    let bad = server
        .put(&duel.at("seats/1/orders"), &duel.carthaginians, bad)
        .await;
    let problem = bad.invalid("[0].fortress");
    assert!(text(&problem["detail"]).contains("\"never\""), "{problem}");
    let both = json!([{"fortress": "play"}, {"fortress": "play", "against": "romans"}]);
    let path = duel.at("seats/1/orders");
    let both = server.put(&path, &duel.carthaginians, both).await;
    both.invalid("[1].against");
}

#[tokio::test]
async fn d50_special_units_are_armed_in_a_temple() {
    let server = TestServer::start();
    let mut new = new_game(&Value::Null);
    new["variants"] = json!(["special_units"]);
    let duel = create(&server, new.clone()).await;
    let mut position = server.read(&duel.path).await["state"].take();
    assert_eq!(
        position["nations"]["romans"]["special_unit"],
        json!({"unit": "admiral", "region": null})
    );
    position["drawn"] = json!(0);
    position["regions"]["roma"]["city"]["temple"] = json!(true);
    position["bank"]["temples"] = json!(11);
    new["position"] = position;
    let duel = create(&server, new).await;
    let arming = json!([{"type": "move_stone", "field": "arming"},
        {"type": "arm", "region": "roma", "unit": "admiral"}]);
    let effects = act(&server, &duel.path, &duel.romans, arming).await;
    has(
        &effects,
        &json!({"type": "armed", "nation": "romans", "region": "roma", "unit": "admiral"}),
    );
    let game = server.read(&duel.path).await;
    assert_eq!(
        game["state"]["nations"]["romans"]["special_unit"]["region"],
        "roma"
    );
    let carthage = json!({"type": "arm", "region": "roma", "unit": "commander"});
    let refused = server
        .post(&duel.at("actions"), &duel.romans, carthage)
        .await;
    refused.problem(422, "illegal_action");
}

#[tokio::test]
async fn bots_play_a_game_to_its_end() {
    let server = TestServer::start();
    let bot = |name: &str| json!({"player": {"bot": name}});
    for board in ["duellum-rome-carthage", "duellum-greece-persia"] {
        let new = json!({"edition": "antike_duellum", "board": board, "max_rounds": 30,
            "seats": [bot("greedy"), bot("random")]});
        let duel = create(&server, new).await;
        let over = server
            .wait_for(&duel.path, |game| game["status"] == "finished")
            .await;
        assert_eq!(array(&over["result"]["ranks"]).len(), 2);
        let record = server.read(&duel.at("record?events=true")).await;
        let record: records::Record = serde_json::from_value(record).unwrap();
        assert_eq!(record.setup.deck.as_ref().unwrap().len(), 25);
        record.verify(engine::content::Library::embedded()).unwrap();
    }
}

#[tokio::test]
async fn the_edition_and_its_boards_are_data() {
    let server = TestServer::start();
    let edition = server.read("/v1/editions/antike_duellum").await;
    let deck = array(&edition["cards"]["deck"]);
    let copies = deck.iter().map(|card| card["copies"].as_u64().unwrap());
    assert_eq!(copies.sum::<u64>(), 25);
    let fortress = deck.iter().find(|card| card["id"] == "fortress").unwrap();
    assert_eq!(fortress["effect"], json!({"type": "defend", "defence": 1}));
    for pointer in array(&edition["assumed"]) {
        let value = edition.pointer(pointer.as_str().unwrap());
        assert!(value.is_some(), "{pointer}");
    }
    for board in ["duellum-rome-carthage", "duellum-greece-persia"] {
        let board = server.read(&format!("/v1/boards/{board}")).await;
        assert_eq!(board["edition"], "antike_duellum");
        assert_eq!(board["starts"]["2"].as_object().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_position_is_played_on_without_a_game() {
    let server = TestServer::start();
    let position = before_the_attack(&server).await;
    let situation = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage",
        "first": "romans", "seats": [["romans"], ["carthaginians"]], "position": position});
    let body = json!({"situation": situation, "actions": [
        {"type": "move_stone", "field": "maneuver_1"},
        {"type": "conquer", "region": "caesarea", "legions": 1},
        {"type": "pass"}, {"type": "end_turn"}, {"type": "take_card", "card": "academy"}]});
    let applied = server.post("/v1/engine/apply", "", body).await.ok(200);
    assert_eq!(applied["steps"][2]["nation"], "carthaginians");
    // The caller controls the order of the deck: it comes from the seed of the situation.
    assert_eq!(
        applied["state"]["nations"]["carthaginians"]["cards"],
        json!(["academy", "fortress"])
    );
    let mut ordered = situation.clone();
    let file = engine::content::Library::embedded()
        .ruleset("antike_duellum")
        .unwrap();
    let cards = file.data.cards.as_ref().unwrap().deck.iter();
    let mut order: Vec<String> = cards
        .flat_map(|card| (0..card.copies).map(|_| card.id.clone()))
        .collect();
    for gone in ["fortress", "earthquake", "academy", "tribute", "settlers"] {
        let place = order.iter().position(|card| card == gone).unwrap();
        order.remove(place);
    }
    order.sort_by_key(|card| card == "rich_harvest");
    ordered["position"]["cards"]["order"] = json!(order);
    let body = json!({"situation": ordered, "actions": [
        {"type": "move_stone", "field": "maneuver_1"},
        {"type": "conquer", "region": "caesarea", "legions": 1},
        {"type": "pass"}, {"type": "end_turn"}, {"type": "take_card", "card": "academy"}]});
    let applied = server.post("/v1/engine/apply", "", body).await.ok(200);
    let last = array(&applied["steps"][4]["effects"]);
    has(
        last,
        &json!({"type": "card_revealed", "card": "rich_harvest"}),
    );
    let legal = server
        .post("/v1/engine/legal-actions", "", situation)
        .await
        .ok(200);
    assert_eq!(legal["pending"][0]["nation"], "romans");
}

#[tokio::test]
async fn an_over_the_board_game_is_imported_with_its_own_deck() {
    let played = TestServer::start();
    let mut new = new_game(&Value::Null);
    new["seats"] = json!([{"player": {"bot": "greedy"}}, {"player": {"bot": "greedy"}}]);
    new["first"] = json!(0);
    new["max_rounds"] = json!(40);
    let duel = create(&played, new).await;
    played
        .wait_for(&duel.path, |game| game["status"] == "finished")
        .await;
    let record = played.read(&duel.at("record?events=true")).await;
    let mut record: records::Record = serde_json::from_value(record).unwrap();
    // An over-the-board game has no known seed. Its deck is the one that its record lists.
    record.setup.seed = String::new();
    record.events = None;
    record.source = records::Source::Import;
    let server = TestServer::start();
    server.imports().import(&record).unwrap();
    for server in [server.another(), server] {
        let exported = server.read(&duel.at("record?events=true")).await;
        let exported: records::Record = serde_json::from_value(exported).unwrap();
        assert_eq!(
            (&exported.setup, &exported.actions),
            (&record.setup, &record.actions)
        );
        exported
            .verify(engine::content::Library::embedded())
            .unwrap();
        let last = server.read(&duel.path).await;
        assert_eq!(last["state"]["digest"], record.digest);
        let at = duel.at(&format!("states/{}", last["seq"]));
        assert_eq!(server.read(&at).await["state"], last["state"]);
        let events = server
            .get_as(&duel.at("events"), "application/x-ndjson")
            .await;
        assert_eq!(events.text.lines().count(), exported.actions.len() + 1);
        // The record with its events is imported by the next server.
        let next = TestServer::start();
        next.imports().import(&exported).unwrap();
        let again = next.read(&duel.at("record?events=true")).await;
        let exported_json = serde_json::to_value(&exported).unwrap();
        assert_eq!(unsigned(again), unsigned(exported_json));
        // A deck that is not the game's is found.
        let mut forged = exported.clone();
        forged.setup.deck.as_mut().unwrap().rotate_left(1);
        assert!(forged.verify(engine::content::Library::embedded()).is_err());
    }
    // Standing orders are private to their seat in this edition too.
    let orders = played.get_with(&duel.at("seats/0/orders"), "").await;
    orders.unauthenticated();
}

#[tokio::test]
async fn a_given_order_of_the_deck_survives_a_restart() {
    let server = TestServer::start();
    let game = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage",
        "first": "romans", "seats": [
            {"nations": ["romans"], "player": {"bot": "greedy"}},
            {"nations": ["carthaginians"], "player": "open"}]});
    let started = server.create("/v1/games", "", game.clone()).await;
    let mut position = started["state"].clone();
    // All hidden cards in the order of the deck's data, which no seed would give.
    let editions = server.read("/v1/editions/antike_duellum").await;
    let mut order: Vec<Value> = Vec::new();
    for card in array(&editions["cards"]["deck"]) {
        let copies = card["copies"].as_u64().unwrap() as usize;
        order.extend(std::iter::repeat_n(card["id"].clone(), copies));
    }
    for open in array(&position["cards"]["open"]) {
        let place = order.iter().position(|card| card == open).unwrap();
        order.remove(place);
    }
    position["cards"]["order"] = json!(order);
    // The Romans are about to win a king, so the Carthaginians draw the last card of the given order.
    for region in ["ancona", "croton"] {
        position["regions"][region]["city"] = json!({"nation": "romans", "resource": "gold"});
    }
    position["bank"]["cities"] = json!({});
    let mut from_position = game;
    from_position["position"] = position;
    let (path, _) = server.create_game("", from_position).await;
    let server = server.restart();
    let claimed = server
        .create(&format!("{path}/seats/1"), "", json!({}))
        .await;
    let asked = server
        .wait_for(&path, |game| game["pending"][0]["kind"] == "card_choice")
        .await;
    let take = json!({"type": "take_card", "card": asked["pending"][0]["options"][0]});
    let taken = server.act(&path, &text(&claimed["token"]), take).await;
    let revealed = taken["events"][0]["effects"][1].clone();
    assert_eq!(
        revealed,
        json!({"type": "card_revealed", "card": order.last()})
    );
}

#[tokio::test]
async fn a_game_whose_deck_is_known_is_never_rated() {
    let server = TestServer::start();
    let mut game = new_game(&Value::Null);
    game["rated"] = json!(true);
    server.create("/v1/games", "", game.clone()).await;
    game["seed"] = json!("known to all");
    let refused = server.post("/v1/games", "", game.clone()).await;
    refused.invalid("rated");
    game["rated"] = json!(false);
    server.create("/v1/games", "", game).await;
}
