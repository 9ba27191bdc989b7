//! The league of the demo: a season of eight players, played by bots, with over-the-board results.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use uuid::Uuid;

use crate::cli::demo_players;
use crate::cli::demo_players::DemoAccount;
use crate::games::bodies::{Replacement, SeatPlayer};
use crate::games::model::Visibility;
use crate::http::call::Call;
use crate::leagues::event::{Joining, Rules, Scoring, SeatCredit, TieBreak};
use crate::leagues::league::TableState;
use crate::leagues::model::{
    Correction, CreatedTables, LeagueBody, NewLeague, NewMember, NewPairing, NewResult, NewSeason,
    NewTable, NewTables, ResultSeat,
};
use crate::services::Services;

/// The longest wait for a round.
const PATIENCE: Duration = Duration::from_secs(300);

/// The interval between checks whether a round is over.
const LOOK: Duration = Duration::from_millis(20);

/// The number of rounds that bots play.
const ROUNDS: u8 = 3;

/// The requested pairing: tables of four on the western board.
fn pairing() -> NewPairing {
    NewPairing {
        seed: "demo".to_owned(),
        rounds: ROUNDS,
        size: 4,
        smallest: None,
        nations: ["phoenicians", "germanic_tribes", "romans", "greeks"]
            .map(str::to_owned)
            .to_vec(),
        members: Vec::new(),
        division: None,
        round: None,
    }
}

fn cup() -> NewLeague {
    let rules = Rules {
        scoring: Scoring::RankPoints(vec![5, 3, 2, 0]),
        tie_breaks: vec![TieBreak::Wins, TieBreak::Seconds, TieBreak::HeadToHead],
        replacement: SeatCredit::default(),
        ..Rules::default()
    };
    let description =
        "A league for a first look: bots have played its games in the names of its members.";
    NewLeague {
        name: "Punic Cup".to_owned(),
        description: Some(description.to_owned()),
        visibility: Visibility::default(),
        joining: Joining::Open,
        season: Some(NewSeason {
            name: "Spring".to_owned(),
            rules: Some(rules),
            format: None,
        }),
    }
}

/// Returns an over-the-board result with members by rank.
fn result(league: &LeagueBody, members: &[usize], note: &str) -> NewResult {
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    let seats = (1_u8..).zip(members).zip(nations);
    let seat = |((rank, member), nation): ((u8, &usize), &str)| ResultSeat {
        member: league.members[*member].id.clone(),
        nations: vec![nation.to_owned()],
        rank: Some(rank),
    };
    NewResult {
        round: Some(u16::from(ROUNDS) + 1),
        edition: Some("antike".to_owned()),
        board: Some("antike-east".to_owned()),
        seats: seats.map(seat).collect(),
        note: Some(note.to_owned()),
        ..NewResult::default()
    }
}

/// Plays a season of eight players.
pub fn play(services: &Services, players: &[DemoAccount]) -> anyhow::Result<()> {
    let leagues = &services.leagues;
    let call = demo_players::register(&services.accounts, "bot-organizer")?.call;
    let league = leagues.create(&call, &cup())?.summary.id;
    for player in players {
        let member = NewMember::Id(player.id.to_string());
        leagues.add_member(league, &player.call, &member)?;
    }
    let paired = leagues.pair(league, &call, &pairing())?;
    for (round, tables) in (1_u16..).zip(paired.rounds) {
        let new = NewTables {
            round: Some(round),
            edition: "antike".to_owned(),
            board: "antike-west".to_owned(),
            max_rounds: Some(80),
            tables: tables.tables.into_iter().map(NewTable::from).collect(),
            ..NewTables::default()
        };
        let set_up = leagues.create_tables(league, &call, &new)?;
        let_bots_play(services, &call, league, &set_up)?;
    }
    let body = leagues.get(league, &call)?;
    for (members, note) in [
        ([3, 0, 6, 5], "played at Zenobia's"),
        ([7, 1, 2, 4], "played at the fair"),
    ] {
        leagues.enter_result(league, &call, &result(&body, &members, note))?;
    }
    let correction = Correction::Adjudicate {
        ranks: vec![1, 1, 3, 4],
        note: Some("the first two had agreed on a draw; entered wrongly at first".to_owned()),
    };
    let last = u32::from(ROUNDS) * 2 + 2;
    leagues.correct_table(league, &call, last, &correction)?;
    Ok(())
}

/// Puts bots on all seats of tables, and waits until the games are over.
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
            bail!("the games of the league did not end within 5 minutes");
        }
        std::thread::sleep(LOOK);
    }
}
