//! Which games count, and which players they compare.

use engine::forms::ResultBody;
use engine::setup::{Player, PlayerKind};
use records::Entry;
use uuid::Uuid;

use crate::games::model::{StoredGame, Visibility};
use crate::games::setup::stored_setup;
use crate::http::error::ServiceError;

/// A player whom a game compares with others of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedPlayer {
    /// The id of an account, or the name of a bot.
    pub player: String,
    /// [`PlayerKind::Account`] or [`PlayerKind::Bot`].
    pub kind: PlayerKind,
    /// The mean rank of the player's seats, in sixtieths: whole for up to six seats.
    pub place: u32,
}

/// The kinds of players that are rated, each separately.
pub const KINDS: [PlayerKind; 2] = [PlayerKind::Account, PlayerKind::Bot];

/// The number of parts of a rank.
pub const PLACES: u32 = 60;

/// Returns the result of a game if it counts for ratings.
/// The game must be rated, not private, started from its edition's setup, and ended by the rules. Results that people
/// decided (by adjudication or agreement) do not count.
pub fn result_that_counts(stored: &StoredGame) -> Result<Option<&ResultBody>, ServiceError> {
    let shown = stored.visibility != Visibility::Private;
    let result = stored.result.as_ref().filter(|_| stored.rated && shown);
    let Some(result) = result.filter(|result| !result.reason.is_decision()) else {
        return Ok(None);
    };
    let setup = stored_setup(stored);
    let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
    Ok(Some(result).filter(|_| setup.position.is_none()))
}

/// Returns to whom each seat counts: the players at the start of the game, not their substitutes.
/// So no player avoids a loss by giving up a seat, or takes over a win. `seat_entries` are the log's entries about
/// seats after its setup.
pub fn credited(
    stored: &StoredGame,
    seat_entries: &[String],
) -> Result<Vec<(u8, Player)>, ServiceError> {
    let (mut players, changes) = seatings(stored, seat_entries)?;
    for (seat, player) in changes {
        // The game starts when no seat is open.
        if !players.contains(&Player::Open) {
            break;
        }
        if let Some(seated) = players.get_mut(usize::from(seat)) {
            *seated = player;
        }
    }
    Ok((0..).zip(players).collect())
}

/// Returns true if an account plays or has played in a game.
pub fn has_sat(
    stored: &StoredGame,
    seat_entries: &[String],
    account: Uuid,
) -> Result<bool, ServiceError> {
    let account = account.to_string();
    let (first, changes) = seatings(stored, seat_entries)?;
    let mut players = first.iter().chain(changes.iter().map(|(_, player)| player));
    Ok(players.any(|player| player.actor() == Some(&*account)))
}

/// The players in a game's setup, and later changes as seat and player.
type Seatings = (Vec<Player>, Vec<(u8, Player)>);

/// Reads the players of a game's setup and their changes.
fn seatings(stored: &StoredGame, seat_entries: &[String]) -> Result<Seatings, ServiceError> {
    let setup = stored_setup(stored);
    let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
    let mut seated = Vec::new();
    for text in seat_entries {
        let entry: Entry = (text.parse())
            .map_err(|error| ServiceError::damaged(stored.id, format!("{text:?}: {error}")))?;
        if let Entry::Seat { seat, player } = entry {
            seated.push((seat, player));
        }
    }
    let seats = setup.seats.into_iter();
    Ok((seats.map(|seat| seat.player).collect(), seated))
}

/// Returns the players of a result with their ranks.
pub fn ranked(result: &ResultBody, credited: Vec<(u8, Player)>) -> Vec<(Player, u8)> {
    let rank = |(seat, player)| {
        let own = result.ranks.iter().find(|rank| rank.seat == seat)?;
        Some((player, own.rank))
    };
    credited.into_iter().filter_map(rank).collect()
}

/// Returns the players of a kind whom a result compares, in the order of their first seats.
/// Returns none if there are fewer than two. Guests and placeholders are never included.
pub fn participants(ranked: &[(Player, u8)], kind: PlayerKind) -> Vec<RankedPlayer> {
    // Player, sum of ranks, seats.
    let mut found: Vec<(&str, u32, u32)> = Vec::new();
    for (player, rank) in ranked.iter().filter(|(player, _)| player.kind() == kind) {
        let Some(name) = player.actor() else {
            continue;
        };
        let rank = u32::from(*rank);
        match found.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, ranks, seats)) => (*ranks, *seats) = (*ranks + rank, *seats + 1),
            None => found.push((name, rank, 1)),
        }
    }
    if found.len() < 2 {
        return Vec::new();
    }
    let participant = |(player, ranks, seats): (&str, u32, u32)| RankedPlayer {
        player: player.to_owned(),
        kind,
        place: PLACES * ranks / seats,
    };
    found.into_iter().map(participant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bot(name: &str) -> Player {
        Player::Bot {
            name: name.to_owned(),
        }
    }

    fn person(id: &str) -> Player {
        Player::Person {
            id: id.to_owned(),
            name: None,
        }
    }

    const DIDO: &str = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77";
    const HANNO: &str = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b78";

    fn places(players: &[Player], ranks: &[u8], kind: PlayerKind) -> Vec<(String, u32)> {
        let ranked: Vec<(Player, u8)> = (players.iter().cloned())
            .zip(ranks.iter().copied())
            .collect();
        participants(&ranked, kind)
            .into_iter()
            .map(|participant| (participant.player, participant.place))
            .collect()
    }

    #[test]
    fn kinds_are_compared_separately() {
        let players = [person(DIDO), bot("greedy"), person(HANNO), bot("random")];
        let ranks = [2, 1, 3, 3];
        assert_eq!(
            places(&players, &ranks, PlayerKind::Account),
            [(DIDO.to_owned(), 120), (HANNO.to_owned(), 180)]
        );
        assert_eq!(
            places(&players, &ranks, PlayerKind::Bot),
            [("greedy".to_owned(), 60), ("random".to_owned(), 180)]
        );
    }

    #[test]
    fn single_players_and_guests_are_not_compared() {
        let guest = person("guest:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b79");
        let placeholder = person("placeholder:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b7a");
        let players = [person(DIDO), guest, placeholder, person("dido of old")];
        for kind in KINDS {
            assert!(places(&players, &[1, 2, 3, 4], kind).is_empty());
        }
        let alone = [bot("greedy"), bot("greedy"), person(DIDO)];
        assert!(places(&alone, &[1, 2, 3], PlayerKind::Bot).is_empty());
    }

    #[test]
    fn several_seats_of_a_player_count_with_their_mean_rank() {
        let players = [bot("greedy"), bot("random"), bot("greedy"), bot("random")];
        assert_eq!(
            places(&players, &[1, 2, 4, 3], PlayerKind::Bot),
            [("greedy".to_owned(), 150), ("random".to_owned(), 150)]
        );
        let players = [bot("a"), bot("a"), bot("a"), bot("a"), bot("a"), bot("b")];
        let places = places(&players, &[1, 2, 3, 4, 6, 5], PlayerKind::Bot);
        assert_eq!(places, [("a".to_owned(), 192), ("b".to_owned(), 300)]);
    }
}
