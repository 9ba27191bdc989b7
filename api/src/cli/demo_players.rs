//! The players of the demo: accounts in whose names bots play rated games.

use anyhow::{Context, bail};
use bots::{Spec, play_with};
use engine::content::Library;
use engine::setup::{Player, Setup, SetupSeat};
use jiff::Timestamp;
use rayon::prelude::*;
use records::Record;
use uuid::Uuid;

use crate::accounts::model::NewPlayer;
use crate::accounts::service::Accounts;
use crate::games::import::Imports;
use crate::http::call::Call;
use crate::http::secret::hashed;

/// The players, each with the bot that always plays for it, so that ratings differ.
const PLAYERS: [(&str, &str); 8] = [
    ("bot-dido", "greedy"),
    ("bot-hanno", "greedy_growth"),
    ("bot-mago", "greedy_military"),
    ("bot-elissa", "greedy_progress"),
    ("bot-xerxes", "random"),
    ("bot-gorgo", "greedy_growth"),
    ("bot-pyrrhus", "greedy_military"),
    ("bot-zenobia", "random"),
];

/// Of four games, so many are of the base game with four players; the others are of Antike Duellum.
const BASE: u64 = 3;

/// The last round of a game.
const MAX_ROUNDS: u32 = 80;

/// A player with an account.
pub struct DemoAccount {
    pub id: Uuid,
    /// A caller with a token of the account.
    pub call: Call,
}

/// Creates an account with a token.
pub fn register(accounts: &Accounts, handle: &str) -> anyhow::Result<DemoAccount> {
    let new = NewPlayer {
        handle: handle.to_owned(),
        bot: false,
    };
    let registered = accounts.register(&Call::default(), &new)?;
    let token = hashed(&registered.token);
    let call = Call {
        access: accounts.holder(&token)?.access(),
        token: Some(token),
        ..Call::default()
    };
    Ok(DemoAccount {
        id: registered.player.id,
        call,
    })
}

/// Creates the accounts of all players.
pub fn register_all(accounts: &Accounts) -> anyhow::Result<Vec<DemoAccount>> {
    let handles = PLAYERS.iter().map(|(handle, _)| register(accounts, handle));
    handles.collect()
}

/// Lets bots play `count` rated games in the names of the players. The records mark them as simulated.
pub fn play_rated(
    imports: &Imports,
    accounts: &[DemoAccount],
    seed: &str,
    count: u64,
) -> anyhow::Result<()> {
    let library = imports.library();
    let numbers: Vec<u64> = (0..count).collect();
    let played = numbers
        .par_iter()
        .map(|number| rated_game(library, accounts, seed, *number));
    let records = played.collect::<anyhow::Result<Vec<Record>>>()?;
    for imported in imports.take_in(&records)? {
        if imported?.known {
            bail!("a rated game exists already");
        }
    }
    Ok(())
}

/// Returns the players of a game by their numbers.
///
/// All players play equally often, on every seat, and against all others.
fn table(number: u64) -> Vec<usize> {
    let all = PLAYERS.len() as u64;
    let (block, place) = (number / 4, number % 4);
    let player_at = |seat: u64, step: u64, first: u64| ((first + seat * step) % all) as usize;
    match place < BASE {
        true => {
            let number = block * BASE + place;
            // With an odd step, no player appears twice at a table.
            let step = 2 * (number / all % 4) + 1;
            (0..4)
                .map(|seat| player_at(seat, step, number % all))
                .collect()
        }
        false => {
            let step = 1 + block / all % (all - 1);
            (0..2)
                .map(|seat| player_at(seat, step, block % all))
                .collect()
        }
    }
}

fn rated_game(
    library: &Library,
    accounts: &[DemoAccount],
    seed: &str,
    number: u64,
) -> anyhow::Result<Record> {
    let players = table(number);
    let board = match players.len() {
        2 => "duellum-rome-carthage",
        _ => "antike-east",
    };
    let seats = players.iter().map(|player| {
        let id = accounts[*player].id.to_string();
        Ok((
            Player::Person { id, name: None },
            PLAYERS[*player].1.parse()?,
        ))
    });
    let seats = seats.collect::<anyhow::Result<Vec<_>>>()?;
    let seed = format!("{seed}-rated-{number}");
    let record = play(library, board, seats, seed, MAX_ROUNDS)?;
    Ok(Record {
        rated: true,
        ..record
    })
}

/// Lets bots play a game, each for a player.
pub fn play(
    library: &Library,
    board: &str,
    seats: Vec<(Player, Spec)>,
    seed: String,
    max_rounds: u32,
) -> anyhow::Result<Record> {
    let found = library.board(board);
    let found = found.with_context(|| format!("there is no board {board:?}"))?;
    let (players, bots): (Vec<Player>, Vec<Spec>) = seats.into_iter().unzip();
    let seat = |player| SetupSeat {
        nations: Vec::new(),
        player,
    };
    let setup = Setup {
        edition: found.data.edition.clone(),
        board: board.to_owned(),
        ruleset_hash: None,
        board_hash: None,
        variants: Vec::new(),
        seats: players.into_iter().map(seat).collect(),
        seed,
        drawn: 0,
        first: None,
        max_rounds: Some(max_rounds),
        deck: None,
        reshuffles: Vec::new(),
        position: None,
        pace: None,
    };
    // With the precision that databases store.
    let played_at = Timestamp::from_microsecond(Timestamp::now().as_microsecond())?;
    let id = Uuid::now_v7().to_string();
    let mut record = play_with(library, &setup, &bots, &id, &played_at.to_string())?;
    record.spell_out(library)?;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn players_play_equally_often_on_every_seat_and_against_all_others() {
        let all = PLAYERS.len();
        let mut met = BTreeSet::new();
        for (seats, games) in [(4, 32), (2, 56)] {
            let tables = (0..).map(table).filter(|table| table.len() == seats);
            let mut sat = vec![vec![0; all]; seats];
            for table in tables.take(games) {
                assert_eq!(table.iter().collect::<BTreeSet<_>>().len(), seats);
                for (seat, player) in table.iter().enumerate() {
                    sat[seat][*player] += 1;
                    let others = table.iter().filter(|other| *other != player);
                    met.extend(others.map(|other| (*player, *other)));
                }
            }
            assert_eq!(sat, vec![vec![games / all; all]; seats]);
        }
        assert_eq!(met.len(), all * (all - 1));
    }
}
