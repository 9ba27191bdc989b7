//! The league of the demo: a season of eight, played by bots in their names, with results of real tables.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::cli::demo_players;
use crate::cli::demo_players::DemoAccount;
use crate::games::bodies::{Replacement, SeatPlayer};
use crate::http::call::Call;
use crate::leagues::league::TableState;
use crate::leagues::model::{CreatedTables, NewMember};
use crate::services::Services;

/// How long a round is waited for.
const PATIENCE: Duration = Duration::from_secs(300);

/// How often it is looked whether a round is over.
const LOOK: Duration = Duration::from_millis(20);

/// How many rounds are played here.
const ROUNDS: u16 = 3;

/// What is asked of a pairing: tables of four on the western board.
fn pairing() -> Value {
    json!({"seed": "demo", "rounds": ROUNDS, "size": 4,
        "nations": ["phoenicians", "germanic_tribes", "romans", "greeks"]})
}

/// Plays the season of some players, eight of them.
pub fn play(services: &Services, players: &[DemoAccount]) -> anyhow::Result<()> {
    let leagues = &services.leagues;
    let call = demo_players::register(&services.accounts, "archon")?.call;
    let new = json!({"name": "Punic Cup", "joining": "open",
        "description": "A league for a first look: bots have played its games in the names of its members.",
        "season": {"name": "Spring", "rules": {"scoring": {"rank_points": [5, 3, 2, 0]},
            "tie_breaks": ["wins", "seconds", "head_to_head"]}}});
    let league = leagues.create(&call, &serde_json::from_value(new)?)?;
    let league = league.summary.id;
    for player in players {
        let member = NewMember::Id(player.id.to_string());
        leagues.add_member(league, &player.call, &member)?;
    }
    let paired = leagues.pair(league, &call, &serde_json::from_value(pairing())?)?;
    for (round, tables) in (1_u16..).zip(&paired.rounds) {
        let new = json!({"round": round, "edition": "antike", "board": "antike-west", "max_rounds": 80,
            "tables": tables.tables});
        let set_up = leagues.create_tables(league, &call, &serde_json::from_value(new)?)?;
        let_bots_play(services, &call, league, &set_up)?;
    }
    let body = leagues.get(league, &call)?;
    let seats = |members: &[usize]| -> Vec<Value> {
        let nations = ["greeks", "phoenicians", "persians", "arabs"];
        let seats = (1_u8..).zip(members).zip(nations);
        let seat = |((rank, member), nation): ((u8, &usize), &str)| json!({"member": body.members[*member].id, "nations": [nation], "rank": rank});
        seats.map(seat).collect()
    };
    for (members, note) in [
        ([3, 0, 6, 5], "played at Zenobia's"),
        ([7, 1, 2, 4], "played at the fair"),
    ] {
        let result = json!({"round": ROUNDS + 1, "edition": "antike", "board": "antike-east", "note": note,
            "seats": seats(&members)});
        leagues.enter_result(league, &call, &serde_json::from_value(result)?)?;
    }
    let correction = json!({"type": "adjudicate", "ranks": [1, 1, 3, 4],
        "note": "the first two had agreed on a draw; entered wrongly at first"});
    let last = u32::from(ROUNDS) * 2 + 2;
    leagues.correct_table(league, &call, last, &serde_json::from_value(correction)?)?;
    Ok(())
}

/// Puts bots on all seats of tables, and waits until their games are over.
fn let_bots_play(
    services: &Services,
    call: &Call,
    league: Uuid,
    set_up: &CreatedTables,
) -> anyhow::Result<()> {
    let bot = Replacement {
        player: SeatPlayer::Bot("greedy".to_owned()),
    };
    for table in &set_up.tables {
        let game = table.game.context("a table without a game")?;
        for seat in &table.seats {
            services.games.replace(game, call, seat.seat, &bot)?;
        }
    }
    let began = Instant::now();
    loop {
        let (tables, _) = services.leagues.tables(league, call, None, None, 1_000)?;
        if tables
            .items
            .iter()
            .all(|table| table.state != TableState::Playing)
        {
            return Ok(());
        }
        if began.elapsed() > PATIENCE {
            bail!("the games of the league do not come to an end");
        }
        std::thread::sleep(LOOK);
    }
}
