//! Searching finished games by their content.

use std::collections::BTreeSet;

use analytics::GameFacts;
use api::games::queries::cursor::Order;
use api::games::queries::lists::{GameFilter, GameList};
use engine::content::Library;
use serde_json::{Value, json};

use super::statistics::games;
use super::support::{TestServer, text};

/// Starts a server with searchable games of bots. Returns it with the facts of the games.
async fn start_with_games() -> (TestServer, Vec<GameFacts>) {
    let server = TestServer::start();
    let records = games(12);
    let mut facts = Vec::new();
    for record in &records {
        server.imports().import(record).unwrap();
        facts.push(GameFacts::derive(record, Library::embedded()).unwrap());
    }
    let all = |count: &Value| count["count"] == records.len();
    server.wait_for("/v1/games/count?sort=length", all).await;
    (server, facts)
}

/// Reads all games that a query finds, page by page.
async fn find_all(server: &TestServer, query: &str) -> Vec<String> {
    let found = server.items(&format!("/v1/games?limit=5&{query}")).await;
    let found: Vec<String> = found.iter().map(|game| text(&game["id"])).collect();
    let count = server.read(&format!("/v1/games/count?{query}")).await;
    assert_eq!(
        count,
        json!({"count": found.len(), "exact": true}),
        "{query}"
    );
    found
}

#[tokio::test]
async fn finished_games_are_found_by_their_content() {
    let (server, facts) = start_with_games().await;
    let check = async |query: String, fits: &dyn Fn(&GameFacts) -> bool| {
        let found = find_all(&server, &query).await;
        let set: BTreeSet<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(set.len(), found.len(), "{query}: each once");
        let fitting = facts.iter().filter(|facts| fits(facts));
        let expected: BTreeSet<&str> = fitting.map(|facts| &*facts.game.game).collect();
        assert_eq!(set, expected, "{query}");
        !expected.is_empty()
    };
    let mut hits = 0;
    for nation in ["greeks", "romans", "persians", "arabs"] {
        let is = |facts: &GameFacts, won: bool| {
            let mut seats = facts.seats.iter();
            seats.any(|seat| &*seat.nation == nation && (!won || seat.share > 0.0))
        };
        hits += u32::from(check(format!("nation={nation}"), &|facts| is(facts, false)).await);
        let won = format!("winning_nation={nation}&status=finished");
        hits += u32::from(check(won, &|facts| is(facts, true)).await);
        for opening in ["growth", "military", "progress", "other"] {
            let query = format!("nation={nation}&opening={opening}&edition=antike");
            let opened = |facts: &GameFacts| {
                let mut seats = facts.seats.iter();
                seats.any(|seat| &*seat.nation == nation && seat.opening == opening)
            };
            hits += u32::from(check(query, &opened).await);
        }
    }
    assert!(hits > 8, "{hits}");
    for opening in ["growth", "military", "progress"] {
        let opened = |facts: &GameFacts| facts.seats.iter().any(|seat| seat.opening == opening);
        check(format!("opening={opening}"), &opened).await;
    }
    for reason in ["goal", "round_limit", "resignation"] {
        check(format!("reason={reason}"), &|facts| {
            facts.game.reason == reason
        })
        .await;
    }
    for bot in ["random", "greedy", "search"] {
        let won = |facts: &GameFacts| {
            let mut seats = facts.seats.iter();
            seats.any(|seat| &*seat.player == bot && seat.share > 0.0)
        };
        check(format!("winner={bot}&player={bot}"), &won).await;
    }
    let mut rounds: Vec<u32> = facts.iter().map(|facts| facts.game.rounds).collect();
    rounds.sort();
    let (low, high) = (rounds[3], rounds[8]);
    for sort in ["created", "updated", "length"] {
        let query = format!("min_rounds={low}&max_rounds={high}&sort={sort}");
        check(query, &|facts| (low..=high).contains(&facts.game.rounds)).await;
    }
    let long = find_all(&server, "sort=length").await;
    let rounds_of = |id: &String| {
        let mut facts = facts.iter();
        facts
            .find(|facts| *facts.game.game == **id)
            .unwrap()
            .game
            .rounds
    };
    assert!(long.iter().map(rounds_of).rev().is_sorted(), "{long:?}");
    let board = facts[0].game.board.to_string();
    check(format!("sort=length&board={board}"), &|facts| {
        *facts.game.board == *board
    })
    .await;
    check("sort=updated&until=2020-01-01".to_owned(), &|_| false).await;
}

/// A page examines a limited number of games, so it can be short or empty.
#[tokio::test]
async fn short_pages_lead_to_all_games() {
    let (server, _) = start_with_games().await;
    let store = server.games().store();
    for order in [Order::Created, Order::Ended, Order::Longest] {
        for (reason, nation, winning_nation) in [
            (Some("round_limit"), None, None),
            (Some("round_limit"), Some("greeks"), None),
            (None, Some("greeks"), Some("persians")),
            (None, None, None),
        ] {
            let filter = GameFilter {
                reason,
                nation: nation.map(str::to_owned),
                winning_nation: winning_nation.map(str::to_owned),
                min_rounds: Some(1),
                only_public: true,
                order,
                ..GameFilter::default()
            };
            let ids = |list: &GameList| -> Vec<_> {
                list.games.iter().map(|(game, _)| game.id).collect()
            };
            let whole = store.games(&filter, None, 100).unwrap();
            assert_eq!(whole.next, None);
            assert!(!whole.games.is_empty(), "{filter:?}");
            let (mut found, mut after, mut pages) = (Vec::new(), None, 0);
            loop {
                let page = store.games_among(&filter, after, 5, 2).unwrap();
                found.extend(ids(&page));
                pages += 1;
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(found, ids(&whole), "{filter:?}");
            assert!(pages > 1, "{pages} {filter:?}");
        }
    }
}

#[tokio::test]
async fn meaningless_searches_are_refused() {
    let server = TestServer::start();
    for (query, field) in [
        ("nation=nope", "nation"),
        ("winning_nation=nope", "winning_nation"),
        ("opening=fast", "opening"),
        ("reason=nope", "reason"),
        ("sort=name", "sort"),
        ("sort=length&status=running", "status"),
        ("nation=romans&edition=nope", "edition"),
        (
            "sort=length&cursor=00000000-0000-7000-8000-000000000000",
            "cursor",
        ),
        ("sort=length&since=then", "since"),
        ("min_rounds=-1", "min_rounds"),
    ] {
        let answer = server.get(&format!("/v1/games?{query}")).await;
        answer.invalid(field);
    }
}
