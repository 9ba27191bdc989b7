//! Plays a game against three bots with the generated client, at the given address.

use std::error::Error;
use std::num::NonZeroU32;
use std::time::Duration;

/// The client that progenitor generates from the specification.
#[allow(warnings, clippy::all)]
mod client {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}

use client::Client;
use client::types::{ActionsRequest, BotSeatPlayer, Claim, NewGame, NewSeat, SeatPlayer, SeatPlayerString};

/// Creates a client with a token.
fn with_token(address: &str, token: &str) -> Result<Client, Box<dyn Error>> {
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("Authorization", format!("Bearer {token}").parse()?);
    let http = reqwest::Client::builder()
        .default_headers(headers)
        .build()?;
    Ok(Client::new_with_client(address, http))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("the address is missing")?;
    let guest = Client::new(&address);
    let bot = || BotSeatPlayer {
        bot: "random".to_owned(),
    };
    let players: [SeatPlayer; 4] = [
        SeatPlayerString::Open.into(),
        bot().into(),
        bot().into(),
        bot().into(),
    ];
    let mut seats = Vec::new();
    for player in players {
        seats.push(NewSeat::builder().player(player).try_into()?);
    }
    let new = NewGame::builder()
        .edition("antike")
        .board("antike-east")
        .seats(seats)
        .max_rounds(NonZeroU32::new(20));
    let created = guest.create_game().body(new).send().await?;
    let id = created.id;
    let claim = Claim::builder();
    let claimed = guest.claim_seat().game(id).seat(0).body(claim);
    let claimed = claimed.send().await?;
    let token = claimed
        .token
        .as_deref()
        .ok_or("the answer to a guest has no token")?;
    let mine = with_token(&address, token)?;

    // Any legal action will do.
    let mut chance: usize = 7;
    let mut acted = 0;
    let game = loop {
        let game = mine.get_game().game(id).send().await?.into_inner();
        if game.status.as_str() == "finished" {
            break game;
        }
        let legal = mine.list_legal_actions().game(id).send().await?.into_inner();
        if legal
            .pending
            .iter()
            .any(|question| question.seat == claimed.seat)
        {
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let action = &legal.actions[(chance >> 33) % legal.actions.len()];
            let request: ActionsRequest = serde_json::from_value(serde_json::to_value(action)?)?;
            mine.submit_action().game(id).body(request).send().await?;
            acted += 1;
        } else {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let result = game.result.ok_or("the finished game has no result")?;
    println!(
        "over after {} events, {acted} of them mine: {}",
        game.seq, result.reason.as_str()
    );
    Ok(())
}
